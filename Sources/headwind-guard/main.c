#define _GNU_SOURCE

#include "command.h"
#include "guard.h"
#include "keeper.h"
#include "options.h"
#include "outer.h"
#include "report.h"

#include <CLinux.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// headwind-guard owns the processes of one command where no namespace is to be had. Whatever the command starts ends
// with it: also what has forked twice, has a session of its own, or ignores SIGTERM. And all of it ends when the
// harness dies, however it dies, because then the lifeline is closed by the kernel.
//
// With --keep it owns the run's scratch directory instead of a command: from before the directory is made until the
// harness is dead and every guard that uses it has ended.
//
// It is two processes, each of which ends what the other one leaves when it is killed. What they cannot do without a process
// namespace: if both are killed by SIGKILL at once, the command dies with them, but not what the command started.

enum {
    STATUS_FAILED = 125,
    STATUS_NOT_EXECUTABLE = 126,
    STATUS_NOT_FOUND = 127,
    STATUS_SIGNALED = 128,
};

/// Closes what else the harness happened to have open, which would stay open as long as the guard lives, and keeps
/// from the command what is the guard's own. In the foreground the rest is the command's.
static void own_descriptors(const struct options *options)
{
    const int kept[] = {options->lifeline, options->report, options->scratch_directory};
    if (options->is_foreground) {
        for (size_t index = 0; index < sizeof kept / sizeof *kept; index++) {
            fcntl(kept[index], F_SETFD, FD_CLOEXEC);
        }
        return;
    }
    for (unsigned first = STDERR_FILENO + 1, next; first < INT_MAX; first = next + 1) {
        next = INT_MAX;
        for (size_t index = 0; index < sizeof kept / sizeof *kept; index++) {
            if (kept[index] >= (int)first && kept[index] < (int)next) {
                next = (unsigned)kept[index];
            }
        }
        fcntl((int)next, F_SETFD, FD_CLOEXEC);
        if (next > first) {
            // By number, as libcs before 2.34 have no name for it. Kernels before 5.9 lack the call: then the command inherits
            // what it would inherit without a guard.
            syscall(SYS_close_range, first, next - 1, 0);
        }
    }
}

/// The status that a shell would show for the command.
static int mirror(const struct command *command)
{
    struct failure failure = command->failure;
    if (!command->ended) {
        return STATUS_FAILED;
    }
    if (failure.stage != STAGE_NONE) {
        return failure.error == ENOENT && failure.stage == STAGE_EXECUTE ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
    }
    return WIFSIGNALED(command->status) ? STATUS_SIGNALED + WTERMSIG(command->status) : WEXITSTATUS(command->status);
}

int main(int argc, char *argv[], char *environment[])
{
    struct options options;
    if (!options_read(argc, argv, environment, &options)) {
        return STATUS_FAILED;
    }
    own_descriptors(&options);
    // Ctrl-C must not reach clients before the harness.
    if (!options.is_foreground) {
        headwind_leave_terminal();
    }
    // The command has the same user, and must not write the report in the guard's place, by /proc/PID/fd or ptrace(2).
    prctl(PR_SET_DUMPABLE, 0);
    if (options.kept != NULL) {
        return keeper_run(&options) ? 0 : STATUS_FAILED;
    }

    struct command command = {.failure_pipe = -1};
    struct outcome outcome = {.cause = CAUSE_COMMAND};
    struct place place = {.words = -1};
    int status = STATUS_FAILED;
    if (outer_split(&options, &place) == 0 && guard_run(&options, &place, &command, &outcome) == 0) {
        status = mirror(&command);
        report_write(options.report, &command, &outcome);
    } else if (!outcome.lifeline_lost) {
        int error = errno;
        fprintf(
            stderr, "headwind-guard: could not start a process for '%s': %s\n", options.command[0], strerror(error));
        report_failure(options.report, error);
    }
    outer_tell(&place, status);
    return status;
}
