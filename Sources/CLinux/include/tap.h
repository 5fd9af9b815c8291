#ifndef CLINUX_TAP_H
#define CLINUX_TAP_H

#include <stddef.h>
#include <stdint.h>

/// Sockets that show copies of the packets that leave by an interface. Every function answers −1 with `errno` where it fails.

/// Opens one in the current network namespace; close-on-exec, non-blocking. It shows the heads of what has left the
/// interface's queues, from the IP header on, and nothing that came in. See packet(7); needs CAP_NET_RAW.
int headwind_tap_open(unsigned interface);

enum {
    /// As many packets are kept for the reader.
    HEADWIND_TAP_PACKETS = 8192,
};

/// What a tap has shown, in memory that the kernel writes to. One thread at a time.
struct headwind_tap {
    void *memory;
    size_t size;
    uint32_t next;
    int socket;
};

/// Has the kernel keep up to `HEADWIND_TAP_PACKETS` packets for the reader. See PACKET_RX_RING in packet(7).
int headwind_tap_map(struct headwind_tap *tap, int socket);

void headwind_tap_unmap(struct headwind_tap *tap);

/// Copies the head of the next packet, at most `size` bytes of it, and answers the length that it had on the wire; 0 where
/// there is none.
ptrdiff_t headwind_tap_read(struct headwind_tap *tap, void *bytes, size_t size);

/// How many packets there was no room for, since this was last asked.
int headwind_tap_missed(const struct headwind_tap *tap);

#endif
