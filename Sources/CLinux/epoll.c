#include "CLinux.h"

#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>

int headwind_epoll_create(void)
{
    return epoll_create1(EPOLL_CLOEXEC);
}

int headwind_epoll_add(int epoll, int descriptor, uint64_t identifier)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT, .data = {.u64 = identifier}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int headwind_epoll_remove(int epoll, int descriptor)
{
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
}

int headwind_epoll_wait(int epoll, uint64_t *identifier)
{
    struct epoll_event event;
    int count;
    do {
        count = epoll_wait(epoll, &event, 1, -1);
    } while (count < 0 && errno == EINTR);
    if (count < 1) {
        return -1;
    }
    *identifier = event.data.u64;
    return 0;
}
