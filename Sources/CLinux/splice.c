#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int headwind_splice_pipe(int ends[2], int size)
{
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return -1;
    }
    // Refused above /proc/sys/fs/pipe-max-size, or the user's share of pipes: then the usual size has to do.
    fcntl(ends[1], F_SETPIPE_SZ, size);
    return 0;
}

ssize_t headwind_splice(int from, int to, size_t count)
{
    for (;;) {
        ssize_t moved = splice(from, NULL, to, NULL, count, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
        if (moved >= 0 || errno != EINTR) {
            return moved;
        }
    }
}
