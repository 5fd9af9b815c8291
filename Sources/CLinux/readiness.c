#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum {
    /// As many descriptors as one wait can answer.
    MOST_READY = 16,
};

int headwind_readiness_watch(int epoll, int descriptor, uint64_t identifier, bool reads, bool writes, bool fresh)
{
    struct epoll_event event = {
        .events = (reads ? EPOLLIN : 0) | (writes ? EPOLLOUT : 0),
        .data = {.u64 = identifier},
    };
    return epoll_ctl(epoll, fresh ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}

int headwind_readiness_wait(int epoll, struct headwind_readiness *ready, int capacity, bool poll)
{
    struct epoll_event events[MOST_READY];
    int count = epoll_wait(epoll, events, capacity < MOST_READY ? capacity : MOST_READY, poll ? 0 : -1);
    if (count < 0) {
        return errno == EINTR ? 0 : -1;
    }
    for (int index = 0; index < count; index++) {
        uint32_t flags = events[index].events;
        ready[index] = (struct headwind_readiness){
            .identifier = events[index].data.u64,
            .reads = (flags & EPOLLIN) != 0,
            .writes = (flags & EPOLLOUT) != 0,
            .broken = (flags & (EPOLLERR | EPOLLHUP)) != 0,
        };
    }
    return count;
}

ssize_t headwind_read(int descriptor, void *bytes, size_t count)
{
    return syscall(SYS_read, descriptor, bytes, count);
}

ssize_t headwind_write(int descriptor, const void *bytes, size_t count)
{
    return syscall(SYS_write, descriptor, bytes, count);
}

int headwind_timer_open(void)
{
    return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

int headwind_timer_set(int timer, int64_t nanoseconds)
{
    struct itimerspec time = {
        .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000},
    };
    return timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL);
}

int headwind_wakeup_open(void)
{
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int headwind_take_short_slices(uint64_t nanoseconds)
{
    // Sleeps are as long as they are meant to be, and not up to 50 µs longer. It cannot fail.
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    // glibc has no wrapper before 2.41; the layout is that of sched_setattr(2), first version.
    struct {
        uint32_t size;
        uint32_t policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime;
        uint64_t deadline;
        uint64_t period;
    } attributes = {.size = sizeof attributes};
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) < 0) {
        return -1;
    }
    attributes.size = sizeof attributes;
    attributes.flags = 0;
    attributes.runtime = nanoseconds;
    return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}
