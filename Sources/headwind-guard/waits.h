#ifndef WAITS_H
#define WAITS_H

#include "command.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    /// Between two looks at the threads.
    WAITS_MILLISECONDS = 100,
    /// Of a command that has more, the others are not looked at.
    WAITS_THREADS = 512,
    WAITS_PROCESSES = 256,
    /// What is told of the times in which a processor was wanted.
    WAITS_STRETCHES = 24,
};

/// How long a thread had run, and waited for a processor while it could run, in nanoseconds.
/// See schedstat in Documentation/scheduler/sched-stats.rst of the kernel's sources.
struct thread_time {
    pid_t process;
    pid_t thread;
    unsigned long long ran;
    unsigned long long waited;
};

/// Looks in a row between each two of which all threads together ran, or waited for a processor, for half of the time or more.
struct stretch {
    /// In nanoseconds of CLOCK_MONOTONIC.
    int64_t from;
    int64_t until;
    /// As ``thread_time`` has it, of all threads.
    unsigned long long ran;
    unsigned long long waited;
};

/// How long threads of the command and its descendants had to wait for a processor, and when they wanted one.
///
/// A thread that sleeps elsewhere and wakes up on time does not show it: with sched_autogroup each session is a group of
/// its own, and with control groups each container, to which the scheduler gives its share apart. See sched(7).
struct waits {
    /// What is looked at: the command, and what descended from it when the last census was taken.
    pid_t processes[WAITS_PROCESSES];
    size_t process_count;
    /// The last look, sorted by thread.
    struct thread_time threads[WAITS_THREADS];
    size_t thread_count;
    /// In milliseconds of CLOCK_MONOTONIC: when the next look is due, and not before when a census.
    int64_t next;
    int64_t next_census;
    /// What waits that ended between two looks came to at most, for one thread, less the time between two looks: one
    /// wait was at least as long, or the guard waited in the same group and came late to see several. Nanoseconds.
    unsigned long long longest;
    /// The kernel does count.
    bool is_known;
    /// When the last look was, in nanoseconds of CLOCK_MONOTONIC; 0 where there was none.
    int64_t looked_at;
    /// The first of these.
    struct stretch stretches[WAITS_STRETCHES];
    size_t stretch_count;
};

/// Looks at the threads of a command that has begun, if that is due. To be called once more when it has ended and was not
/// waited for, with `is_last`. Threads that ended meanwhile take their counts along.
void waits_look(struct waits *waits, const struct command *command, bool is_last);

#endif
