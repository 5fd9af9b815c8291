#ifndef MONOTONIC_H
#define MONOTONIC_H

#include <stdint.h>
#include <time.h>

/// CLOCK_MONOTONIC in nanoseconds; see clock_gettime(2).
static inline int64_t monotonic_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline int64_t monotonic_milliseconds(void)
{
    return monotonic_nanoseconds() / 1000000;
}

#endif
