#ifndef GUARD_H
#define GUARD_H

#include "command.h"
#include "descendants.h"
#include "options.h"

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
};

enum { LEFT_NAMED = 16 };

/// What the guard did: the command's end, and what else had to be ended.
struct outcome {
    enum cause cause;
    /// How long a thread of the command waited for a processor at a time, the least that it was, in nanoseconds; −1 where
    /// unknown.
    int64_t longest_wait;
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
int guard_run(const struct options *options, struct command *command, struct outcome *outcome);

#endif
