#define _GNU_SOURCE

#include "command.h"

#include "monotonic.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/// Everything that the child needs, made before fork: after it only async-signal-safe functions are called.
struct plan {
    const struct options *options;
    /// The files to try, one after the other; ends with NULL.
    char **candidates;
    pid_t guard;
    int failure_pipe;
};

/// The value of PATH in the command's own environment, which decides what its name means.
static const char *search_path(char *environment[])
{
    for (size_t index = 0; environment[index] != NULL; index++) {
        if (strncmp(environment[index], "PATH=", 5) == 0) {
            return environment[index] + 5;
        }
    }
    return "/usr/local/bin:/usr/bin:/bin";
}

/// Where a command of this name may be: the path itself if it has a slash, else one file for each entry of PATH.
static char **find_candidates(const char *name, const char *path)
{
    size_t count = 2;
    for (const char *cursor = path; *cursor != '\0'; cursor++) {
        count += *cursor == ':';
    }
    char **candidates = calloc(count, sizeof *candidates);
    if (candidates == NULL) {
        return NULL;
    }
    if (strchr(name, '/') != NULL || *name == '\0') {
        candidates[0] = strdup(name);
        return candidates;
    }
    for (size_t index = 0; index < count - 1; index++) {
        size_t length = strcspn(path, ":");
        // An empty entry means the working directory. See execvp(3).
        const char *separator = length == 0 ? "./" : "/";
        if (asprintf(&candidates[index], "%.*s%s%s", (int)length, path, separator, name) < 0) {
            candidates[index] = NULL;
            break;
        }
        path += length + (path[length] == ':');
    }
    return candidates;
}

static void free_candidates(char **candidates)
{
    for (size_t index = 0; candidates[index] != NULL; index++) {
        free(candidates[index]);
    }
    free(candidates);
}

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
    // A file that may not be run counts only if no later entry of PATH has one that may. See execvp(3).
    int error = ENOENT;
    for (char **candidate = plan->candidates; *candidate != NULL; candidate++) {
        execve(*candidate, options->command, options->environment);
        if (errno != ENOENT && errno != ENOTDIR) {
            error = errno;
        }
        if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) {
            break;
        }
    }
    give_up(plan, STAGE_EXECUTE, error);
}

int command_start(struct command *command, const struct options *options)
{
    char **candidates = find_candidates(options->command[0], search_path(options->environment));
    if (candidates == NULL) {
        return -1;
    }
    int failure_pipe[2];
    if (pipe2(failure_pipe, O_CLOEXEC | O_NONBLOCK) < 0) {
        free_candidates(candidates);
        return -1;
    }
    struct plan plan = {
        .options = options, .candidates = candidates, .guard = getpid(), .failure_pipe = failure_pipe[1]};
    *command = (struct command){.pid = fork(), .failure_pipe = failure_pipe[0]};
    if (command->pid == 0) {
        become_command(&plan);
    }
    int error = errno;
    close(failure_pipe[1]);
    free_candidates(candidates);
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
