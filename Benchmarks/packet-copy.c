// The peer of Benchmarks/packets: copies packets between two network devices, one at a time, as quickly as it can.
// packet-copy CLIENT HOST [DELAY]: two inherited descriptors, and the one-way delay of each packet in microseconds
// (default: 0, which passes packets on at once). It ends when its input ends.

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 64, ROOM = 2048, WAY_SLOTS = 65536 };

struct way {
    int from, to;
    char *packets;
    int *lengths;
    long long *due;
    unsigned first, last;
};

static long long delay;

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void put(int to, const char *packet, ssize_t length)
{
    while (write(to, packet, (size_t)length) < 0 && errno == EAGAIN) {
        struct pollfd full = {.fd = to, .events = POLLOUT};
        poll(&full, 1, -1);
    }
}

static void copy(int from, int to)
{
    char packet[65536];
    for (int count = 0; count < BATCH; count++) {
        ssize_t length = read(from, packet, sizeof packet);
        if (length <= 0) {
            return;
        }
        put(to, packet, length);
    }
}

static void keep(struct way *way)
{
    long long due = now() + delay;
    for (int count = 0; count < BATCH && way->last - way->first < WAY_SLOTS; count++) {
        unsigned slot = way->last % WAY_SLOTS;
        ssize_t length = read(way->from, way->packets + (size_t)slot * ROOM, ROOM);
        if (length <= 0) {
            return;
        }
        way->lengths[slot] = (int)length;
        way->due[slot] = due;
        way->last++;
    }
}

static void deliver(struct way *way, long long until)
{
    while (way->first != way->last && way->due[way->first % WAY_SLOTS] <= until) {
        unsigned slot = way->first++ % WAY_SLOTS;
        put(way->to, way->packets + (size_t)slot * ROOM, way->lengths[slot]);
    }
}

static void wait_for(int timer, struct way *ways)
{
    long long next = 0;
    for (int index = 0; index < 2; index++) {
        if (ways[index].first != ways[index].last) {
            long long due = ways[index].due[ways[index].first % WAY_SLOTS];
            next = next == 0 || due < next ? due : next;
        }
    }
    static long long armed;
    if (next != 0 && next != armed) {
        struct itimerspec time = {.it_value = {.tv_sec = next / 1000000000, .tv_nsec = next % 1000000000}};
        timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL);
        armed = next;
    }
}

int main(int count, char **arguments)
{
    if (count < 3) {
        return 64;
    }
    delay = count > 3 ? atoll(arguments[3]) * 1000 : 0;
    int ends[2] = {atoi(arguments[1]), atoi(arguments[2])};
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    int watched[4] = {ends[0], ends[1], STDIN_FILENO, timer};
    struct way ways[2] = {{.from = ends[0], .to = ends[1]}, {.from = ends[1], .to = ends[0]}};
    for (int index = 0; index < 2 && delay > 0; index++) {
        ways[index].packets = malloc((size_t)WAY_SLOTS * ROOM);
        ways[index].lengths = malloc(WAY_SLOTS * sizeof(int));
        ways[index].due = malloc(WAY_SLOTS * sizeof(long long));
    }
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    int set = epoll_create1(EPOLL_CLOEXEC);
    for (int index = 0; index < 4; index++) {
        struct epoll_event event = {.events = EPOLLIN, .data = {.u32 = (unsigned)index}};
        if (epoll_ctl(set, EPOLL_CTL_ADD, watched[index], &event) < 0) {
            return 1;
        }
    }
    puts("ready");
    fflush(stdout);
    for (;;) {
        struct epoll_event events[4];
        int ready = epoll_wait(set, events, 4, -1);
        for (int index = 0; index < ready; index++) {
            unsigned which = events[index].data.u32;
            unsigned long long fired;
            if (which == 2) {
                return 0;
            } else if (which == 3) {
                (void)!read(timer, &fired, sizeof fired);
            } else if (delay > 0) {
                keep(&ways[which]);
            } else {
                copy(ends[which], ends[1 - which]);
            }
        }
        if (delay > 0) {
            long long until = now();
            deliver(&ways[0], until);
            deliver(&ways[1], until);
            wait_for(timer, ways);
        }
    }
}
