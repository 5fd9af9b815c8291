// A library to preload into a program. It fakes a full disk or a clock that jumps, as HEADWIND_SHIM says:
//
//   full:N:FOLDER   from the N-th change of a file below FOLDER on, the disk is full (ENOSPC)
//   clock:N:S       from the N-th read of the wall clock on, it is S seconds ahead, or behind if S is negative
//
// Each process counts for itself. The library has an effect only on dynamically linked programs.
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static enum { NOTHING, FULL, CLOCK } kind;
static long first, seconds;
static char folder[4096];
static atomic_long count;

__attribute__((constructor)) static void read_order(void)
{
    const char *order = getenv("HEADWIND_SHIM");
    if (order == NULL) {
        return;
    }
    if (sscanf(order, "full:%ld:%4095[^\n]", &first, folder) == 2) {
        kind = FULL;
    } else if (sscanf(order, "clock:%ld:%ld", &first, &seconds) == 2) {
        kind = CLOCK;
    }
}

static bool is_below(const char *path)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/// Counts a change of the file at a path or a descriptor; returns whether to refuse it.
static bool is_full(int descriptor, const char *path)
{
    if (kind != FULL) {
        return false;
    }
    int error = errno;
    char link[64], found[8192] = "";
    if (path == NULL || path[0] != '/') {
        // A path that is not absolute begins at a folder's descriptor, or at the working folder.
        if (descriptor == AT_FDCWD) {
            snprintf(link, sizeof link, "/proc/self/cwd");
        } else {
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        }
        ssize_t length = readlink(link, found, sizeof found - 1);
        found[length < 0 ? 0 : length] = '\0';
        path = found;
    }
    bool refused = is_below(path) && atomic_fetch_add(&count, 1) + 1 >= first;
    errno = refused ? ENOSPC : error;
    return refused;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int descriptor, const void *bytes, size_t size)
{
    return is_full(descriptor, NULL) ? -1 : NEXT(write)(descriptor, bytes, size);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset)
{
    return is_full(descriptor, NULL) ? -1 : NEXT(pwrite)(descriptor, bytes, size, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset)
{
    return is_full(descriptor, NULL) ? -1 : NEXT(pwrite64)(descriptor, bytes, size, offset);
}

ssize_t writev(int descriptor, const struct iovec *pieces, int number)
{
    return is_full(descriptor, NULL) ? -1 : NEXT(writev)(descriptor, pieces, number);
}

int fsync(int descriptor)
{
    return is_full(descriptor, NULL) ? -1 : NEXT(fsync)(descriptor);
}

int fdatasync(int descriptor)
{
    return is_full(descriptor, NULL) ? -1 : NEXT(fdatasync)(descriptor);
}

int mkdir(const char *path, mode_t mode)
{
    return is_full(AT_FDCWD, path) ? -1 : NEXT(mkdir)(path, mode);
}

int mkdirat(int place, const char *path, mode_t mode)
{
    return is_full(place, path) ? -1 : NEXT(mkdirat)(place, path, mode);
}

int rename(const char *from, const char *to)
{
    return is_full(AT_FDCWD, to) ? -1 : NEXT(rename)(from, to);
}

int renameat(int old, const char *from, int new, const char *to)
{
    return is_full(new, to) ? -1 : NEXT(renameat)(old, from, new, to);
}

#define OPENING(name, place, call)                                     \
    mode_t mode = 0;                                                    \
    if (__OPEN_NEEDS_MODE(flags)) {                                     \
        va_list rest;                                                   \
        va_start(rest, flags);                                          \
        mode = va_arg(rest, mode_t);                                    \
        va_end(rest);                                                   \
        if (is_full(place, path)) {                                     \
            return -1;                                                  \
        }                                                               \
    }                                                                   \
    return call;

int open(const char *path, int flags, ...)
{
    OPENING(open, AT_FDCWD, NEXT(open)(path, flags, mode))
}

int open64(const char *path, int flags, ...)
{
    OPENING(open64, AT_FDCWD, NEXT(open64)(path, flags, mode))
}

int openat(int place, const char *path, int flags, ...)
{
    OPENING(openat, place, NEXT(openat)(place, path, flags, mode))
}

int openat64(int place, const char *path, int flags, ...)
{
    OPENING(openat64, place, NEXT(openat64)(place, path, flags, mode))
}

/// Counts a read of the wall clock; returns the seconds to add to it.
static long jump(void)
{
    return kind == CLOCK && atomic_fetch_add(&count, 1) + 1 >= first ? seconds : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = NEXT(clock_gettime)(clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += jump();
    }
    return result;
}

int gettimeofday(struct timeval *now, void *zone)
{
    int result = NEXT(gettimeofday)(now, zone);
    if (result == 0) {
        now->tv_sec += jump();
    }
    return result;
}

time_t time(time_t *place)
{
    time_t now = NEXT(time)(NULL) + jump();
    if (place != NULL) {
        *place = now;
    }
    return now;
}
