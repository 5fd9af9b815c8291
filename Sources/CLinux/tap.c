#define _GNU_SOURCE

#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /// Headers, and the first 512 characters of a request's path.
    HEAD_BYTES = 700,
    FRAME_BYTES = 1024,
    FRAME_COUNT = HEADWIND_TAP_PACKETS,
    BLOCK_BYTES = 1 << 18,
};

int headwind_tap_open(unsigned interface)
{
    // Bound to no protocol at first, so that nothing comes before the filter.
    int tap = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (tap < 0) {
        return -1;
    }
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, SKF_AD_OFF + SKF_AD_PKTTYPE),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PACKET_OUTGOING, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, HEAD_BYTES),
        BPF_STMT(BPF_RET | BPF_K, 0),
    };
    const struct sock_fprog filter = {
        .len = sizeof instructions / sizeof *instructions,
        .filter = instructions,
    };
    const struct sockaddr_ll address = {
        .sll_family = AF_PACKET,
        .sll_protocol = htons(ETH_P_ALL),
        .sll_ifindex = (int)interface,
    };
    if (setsockopt(tap, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) < 0
        || bind(tap, (const struct sockaddr *)&address, sizeof address) < 0) {
        int error = errno;
        close(tap);
        errno = error;
        return -1;
    }
    return tap;
}

int headwind_tap_map(struct headwind_tap *tap, int socket)
{
    const int version = TPACKET_V2;
    const struct tpacket_req ring = {
        .tp_block_size = BLOCK_BYTES,
        .tp_block_nr = FRAME_COUNT / (BLOCK_BYTES / FRAME_BYTES),
        .tp_frame_size = FRAME_BYTES,
        .tp_frame_nr = FRAME_COUNT,
    };
    if (setsockopt(socket, SOL_PACKET, PACKET_VERSION, &version, sizeof version) < 0
        || setsockopt(socket, SOL_PACKET, PACKET_RX_RING, &ring, sizeof ring) < 0) {
        return -1;
    }
    *tap = (struct headwind_tap){.size = (size_t)FRAME_COUNT * FRAME_BYTES, .socket = socket};
    tap->memory = mmap(NULL, tap->size, PROT_READ | PROT_WRITE, MAP_SHARED, socket, 0);
    return tap->memory == MAP_FAILED ? -1 : 0;
}

void headwind_tap_unmap(struct headwind_tap *tap)
{
    if (tap->memory == NULL || tap->memory == MAP_FAILED) {
        return;
    }
    // What has no reader any more need not be kept either.
    const struct tpacket_req none = {0};
    munmap(tap->memory, tap->size);
    setsockopt(tap->socket, SOL_PACKET, PACKET_RX_RING, &none, sizeof none);
}

ptrdiff_t headwind_tap_read(struct headwind_tap *tap, void *bytes, size_t size)
{
    struct tpacket2_hdr *frame = (void *)((char *)tap->memory + (size_t)tap->next * FRAME_BYTES);
    if ((__atomic_load_n(&frame->tp_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER) == 0) {
        return 0;
    }
    size_t shown = frame->tp_snaplen < FRAME_BYTES - frame->tp_net ? frame->tp_snaplen : FRAME_BYTES - frame->tp_net;
    memcpy(bytes, (char *)frame + frame->tp_net, shown < size ? shown : size);
    ptrdiff_t length = frame->tp_len;
    __atomic_store_n(&frame->tp_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
    tap->next = (tap->next + 1) % FRAME_COUNT;
    return length;
}

int headwind_tap_missed(const struct headwind_tap *tap)
{
    struct tpacket_stats statistics = {0};
    socklen_t size = sizeof statistics;
    if (getsockopt(tap->socket, SOL_PACKET, PACKET_STATISTICS, &statistics, &size) < 0) {
        return -1;
    }
    return (int)statistics.tp_drops;
}
