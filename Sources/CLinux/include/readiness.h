#ifndef CLINUX_READINESS_H
#define CLINUX_READINESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// What a loop waits on that moves packets between descriptors. Every function answers −1 with `errno` where it fails.

/// A descriptor that has something to say.
struct headwind_readiness {
    uint64_t identifier;
    bool reads;
    bool writes;
    /// Its other end is gone, or it has failed: see EPOLLHUP and EPOLLERR in epoll_ctl(2).
    bool broken;
};

/// Has `headwind_readiness_wait` answer `identifier` for as long as `descriptor` can be read or written, as asked for.
/// `fresh`: it is not watched yet. That it is broken is always answered.
int headwind_readiness_watch(
    int epoll, int descriptor, uint64_t identifier, bool reads, bool writes, bool fresh);

/// Waits until a descriptor has something to say, and answers how many, at most `capacity`; with `poll` it only looks.
/// A signal is answered with 0.
int headwind_readiness_wait(int epoll, struct headwind_readiness *ready, int capacity, bool poll);

/// read(2) and write(2) that are no points of cancellation, which costs a loop of many small ones a part of its time.
ssize_t headwind_read(int descriptor, void *bytes, size_t count);
ssize_t headwind_write(int descriptor, const void *bytes, size_t count);

/// A timer on CLOCK_MONOTONIC that can be watched; close-on-exec, non-blocking. See timerfd_create(2).
int headwind_timer_open(void);

/// Lets a timer become readable at `nanoseconds`, at once where that has passed; never where it is 0.
int headwind_timer_set(int timer, int64_t nanoseconds);

/// A descriptor by which one thread wakes another one up; close-on-exec, non-blocking. See eventfd(2).
int headwind_wakeup_open(void);

/// Asks the kernel to wake the calling thread up on time, and to run it soon after, for slices of `nanoseconds`.
/// Needs no privilege; kernels before 6.12 take no notice. See PR_SET_TIMERSLACK in prctl(2), and sched_setattr(2).
int headwind_take_short_slices(uint64_t nanoseconds);

#endif
