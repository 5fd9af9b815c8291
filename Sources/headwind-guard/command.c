#define _GNU_SOURCE

#include "command.h"

#include "monotonic.h"

#include <CLinux.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/// Everything that the child needs.
struct plan {
    const struct options *options;
    pid_t guard;
    int failure_pipe;
};

/// Tells the guard why there is no command, and ends.
static _Noreturn void give_up(const struct plan *plan, enum stage stage, int error)
{
    struct failure failure = {.stage = stage, .error = error};
    // So few bytes fit into any pipe at once, and if the guard is gone there is no reader.
    ssize_t written = write(plan->failure_pipe, &failure, sizeof failure);
    (void)written;
    _exit(127);
}

/// Signals as a new program expects them: the guard, or its parent, may block or ignore some. In the foreground those
/// that a shell ignores, as for nohup(1), stay ignored.
static void reset_signals(bool is_foreground)
{
    for (int signal = 1; signal < NSIG; signal++) {
        struct sigaction action = {.sa_handler = SIG_DFL};
        // The harness ignores these two for itself.
        if (!is_foreground || signal == SIGPIPE || signal == SIGXFSZ) {
            sigaction(signal, &action, NULL);
        }
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/// The child: becomes the command.
static _Noreturn void become_command(const struct plan *plan)
{
    const struct options *options = plan->options;
    if (!options->is_foreground) {
        setpgid(0, 0);
    }
    // The backstop for a guard that is killed itself. It holds here, because the guard has a single thread; the
    // processes that the command starts do not inherit it.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != plan->guard) {
        _exit(127);
    }
    reset_signals(options->is_foreground);
    struct rlimit limit;
    if (options->open_files >= 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = (rlim_t)options->open_files;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (options->directory != NULL && chdir(options->directory) < 0) {
        give_up(plan, STAGE_DIRECTORY, errno);
    }
    headwind_execute(options->command, options->environment);
    // A path that goes through a file is as absent as one in a folder that does not exist.
    give_up(plan, STAGE_EXECUTE, errno == ENOTDIR ? ENOENT : errno);
}

int command_start(struct command *command, const struct options *options)
{
    int failure_pipe[2];
    if (pipe2(failure_pipe, O_CLOEXEC | O_NONBLOCK) < 0) {
        return -1;
    }
    struct plan plan = {.options = options, .guard = getpid(), .failure_pipe = failure_pipe[1]};
    *command = (struct command){.pid = fork(), .failure_pipe = failure_pipe[0]};
    if (command->pid == 0) {
        become_command(&plan);
    }
    int error = errno;
    close(failure_pipe[1]);
    errno = error;
    return command->pid < 0 ? -1 : 0;
}

void command_ended(struct command *command, int status, const struct rusage *usage)
{
    command->ended = true;
    command->ended_at = monotonic_nanoseconds();
    command->status = status;
    command->usage = *usage;
    // The child writes before it ends, so whatever there is to read is there by now.
    struct failure failure;
    if (read(command->failure_pipe, &failure, sizeof failure) == (ssize_t)sizeof failure) {
        command->failure = failure;
    }
    close(command->failure_pipe);
}
