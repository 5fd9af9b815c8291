#ifndef CLINUX_PASSING_H
#define CLINUX_PASSING_H

#include <stddef.h>
#include <sys/types.h>

/// Messages with descriptors, over a Unix socket. See unix(7), SCM_RIGHTS.

/// The most descriptors that one message carries: SCM_MAX_FD of the kernel.
#define HEADWIND_MOST_DESCRIPTORS 253

/// A pair of connected Unix stream sockets, both close-on-exec. See socketpair(2).
int headwind_socket_pair(int ends[2]);

/// Sends bytes, and the descriptors with the first of them; answers how many bytes went out, −1 where none did.
///
/// A closed peer is `EPIPE` and no signal. `EINVAL` where there are more than `HEADWIND_MOST_DESCRIPTORS`.
ssize_t headwind_send(
    int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

/// Receives bytes; answers how many, 0 where the peer has closed.
///
/// What came with them is in `descriptors`, which has room for `HEADWIND_MOST_DESCRIPTORS`; all are close-on-exec.
/// `EMFILE` where not all that were sent could be had: then none is left open.
ssize_t headwind_receive(
    int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count);

#endif
