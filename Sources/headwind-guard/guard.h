#ifndef GUARD_H
#define GUARD_H

#include "command.h"
#include "descendants.h"
#include "options.h"
#include "outer.h"
#include "waits.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Why the processes ended.
enum cause {
    /// The command ended by itself.
    CAUSE_COMMAND,
    /// The harness died.
    CAUSE_LIFELINE,
    /// The guard was asked to end them, by a signal.
    CAUSE_SIGNAL,
    /// The outer guard was killed.
    CAUSE_GUARD,
};

enum { LEFT_NAMED = 16 };

enum {
    /// By this signal the inner guard learns that the outer one has ended (PR_SET_PDEATHSIG).
    OUTER_ENDED = SIGUSR2,
    /// On the lifeline the harness may send bytes: the number of a signal for the command, or this, to end everything.
    LIFELINE_END = 0,
};

/// What the guard did: the command's end, and what else had to be ended.
struct outcome {
    enum cause cause;
    /// How long a thread of the command waited for a processor at a time, the least that it was, in nanoseconds; −1 where
    /// unknown.
    int64_t longest_wait;
    /// When the command wanted a processor, the first times.
    struct stretch stretches[WAITS_STRETCHES];
    size_t stretch_count;
    /// The command's processes had a namespace of their own.
    bool is_namespace;
    /// The harness is dead, at the latest since the end of the last process.
    bool lifeline_lost;
    /// How many processes besides the command were sent a signal.
    size_t ended;
    /// How many could not be ended, and the first of them.
    size_t left;
    struct process left_named[LEFT_NAMED];
};

/// Runs the command until nothing of it is left, or the time for that is over.
/// −1 with `errno` where it has not begun; `ECANCELED` where the harness was dead before.
int guard_run(
    const struct options *options, const struct place *place, struct command *command, struct outcome *outcome);

/// Has the signals that matter to guards arrive by a descriptor, which is the answer, and blocks all. −1 with `errno`.
int guard_signals(void);

#endif
