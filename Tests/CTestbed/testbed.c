#define _GNU_SOURCE

#include "CTestbed.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/if_ether.h>
#include <netpacket/packet.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <unistd.h>

int testbed_open_terminal(int ends[2])
{
    char name[64];
    ends[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (ends[0] < 0 || grantpt(ends[0]) < 0 || unlockpt(ends[0]) < 0 || ptsname_r(ends[0], name, sizeof name) != 0) {
        return -1;
    }
    ends[1] = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    return ends[1] < 0 ? -1 : 0;
}

int testbed_give_capability(const char *path)
{
    const struct vfs_cap_data value = {
        .magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE, .data = {{.permitted = 1U << CAP_CHOWN}}};
    return setxattr(path, "security.capability", &value, sizeof value, 0);
}

int testbed_start(char *const *arguments, char *const *environment, int descriptor, int number)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, descriptor, number);
    pid_t process = -1;
    int error = posix_spawn(&process, arguments[0], &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0 ? process : -1;
}

int testbed_open_packets(unsigned index)
{
    int packets = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (packets < 0) {
        return -1;
    }
    const int yes = 1, room = 16 << 20;
    const struct sockaddr_ll address = {
        .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = (int)index};
    setsockopt(packets, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
    if (setsockopt(packets, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes) < 0
        || bind(packets, (const struct sockaddr *)&address, sizeof address) < 0) {
        close(packets);
        return -1;
    }
    return packets;
}

int testbed_own_mounts(void)
{
    if (unshare(CLONE_NEWNS) < 0) {
        return -1;
    }
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}
