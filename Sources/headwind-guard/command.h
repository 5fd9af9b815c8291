#ifndef COMMAND_H
#define COMMAND_H

#include "options.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/// What could not be done between fork and exec; nothing, where the command did start.
enum stage {
    STAGE_NONE,
    STAGE_DIRECTORY,
    STAGE_EXECUTE,
};

/// Why a command did not start: the step, and its `errno`.
struct failure {
    enum stage stage;
    int error;
};

/// The command: its process, and what became of it.
struct command {
    pid_t pid;
    bool ended;
    /// When it was waited for, in nanoseconds of CLOCK_MONOTONIC; valid once it has ended.
    int64_t ended_at;
    /// As wait4(2) answers them; valid once it has ended.
    int status;
    struct rusage usage;
    /// The reading end of a pipe on which the child tells why it could not become the command.
    int failure_pipe;
    /// Valid once it has ended.
    struct failure failure;
};

/// Starts the command, in a process group of its own unless it is to be in the foreground. −1 with `errno` where there can be no process at all.
int command_start(struct command *command, const struct options *options);

/// Takes note of the command's end, as wait4(2) tells of it.
void command_ended(struct command *command, int status, const struct rusage *usage);

#endif
