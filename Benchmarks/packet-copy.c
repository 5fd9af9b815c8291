// The peer of Benchmarks/packets: copies packets between two network devices, one at a time, as quickly as it can.
// packet-copy CLIENT HOST: two descriptors that it inherits. It ends when its input does.

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

static void copy(int from, int to)
{
    char packet[65536];
    for (int count = 0; count < 64; count++) {
        ssize_t length = read(from, packet, sizeof packet);
        if (length <= 0) {
            return;
        }
        while (write(to, packet, (size_t)length) < 0 && errno == EAGAIN) {
            struct pollfd full = {.fd = to, .events = POLLOUT};
            poll(&full, 1, -1);
        }
    }
}

int main(int count, char **arguments)
{
    if (count != 3) {
        return 64;
    }
    int ends[2] = {atoi(arguments[1]), atoi(arguments[2])};
    int set = epoll_create1(EPOLL_CLOEXEC);
    for (int index = 0; index < 3; index++) {
        struct epoll_event event = {.events = EPOLLIN, .data = {.u32 = (unsigned)index}};
        if (epoll_ctl(set, EPOLL_CTL_ADD, index < 2 ? ends[index] : STDIN_FILENO, &event) < 0) {
            return 1;
        }
    }
    puts("ready");
    fflush(stdout);
    for (;;) {
        struct epoll_event events[3];
        int ready = epoll_wait(set, events, 3, -1);
        for (int index = 0; index < ready; index++) {
            unsigned which = events[index].data.u32;
            if (which == 2) {
                return 0;
            }
            copy(ends[which], ends[1 - which]);
        }
    }
}
