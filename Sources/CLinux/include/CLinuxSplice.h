#ifndef CLINUX_SPLICE_H
#define CLINUX_SPLICE_H

#include <stddef.h>
#include <sys/types.h>

/// Bytes that go from one socket to another without a copy in user space. See splice(2).

/// Opens a pipe of about `size` bytes, both ends close-on-exec and non-blocking; `ends[0]` to read, `ends[1]` to write.
///
/// Smaller where the user may not have such pipes. See pipe(7), "Pipe capacity".
int headwind_splice_pipe(int ends[2], int size);

/// Moves up to `count` bytes between a pipe and a socket, and never waits; answers how many, 0 at the end of the source.
///
/// `EAGAIN` where the source is empty or the destination full.
ssize_t headwind_splice(int from, int to, size_t count);

#endif
