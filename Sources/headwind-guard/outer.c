#define _GNU_SOURCE

#include "outer.h"

#include "descendants.h"
#include "guard.h"
#include "monotonic.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// If a guard is killed, its processes go to the next subreaper. That is the outer guard, which waits for nothing else. In
// a process namespace the kernel ends them, also if both guards are killed at once.

enum {
    STATUS_FAILED = 125,
    /// How long the inner guard may take to vanish once it has done its work: with it ends its namespace, and that waits
    /// for what cannot be ended.
    LINGER_MILLISECONDS = 1000,
    KILL_MILLISECONDS = 5000,
    ROUND_MILLISECONDS = 5,
};

/// What the inner guard tells: that it is ready, and then its status.
struct word {
    unsigned char is_end;
    unsigned char status;
};

static bool tell(int words, bool is_end, int status)
{
    struct word word = {.is_end = is_end, .status = (unsigned char)status};
    return write(words, &word, sizeof word) == (ssize_t)sizeof word;
}

void outer_tell(const struct place *place, int status)
{
    tell(place->words, true, status);
}

/// Shows the processes of this namespace in /proc. Other mounts stay shared with those of the machine.
static bool mount_proc(void)
{
    return mount(NULL, "/proc", NULL, MS_PRIVATE, NULL) == 0
        && mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

/// Starts the inner guard, and waits until it is ready. Answers its number, 0 in itself, −1 where that cannot be.
static pid_t start_inner(bool is_namespace, int *words)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) {
        return -1;
    }
    pid_t outer = getpid();
    pid_t inner = is_namespace ? (pid_t)syscall(SYS_clone, CLONE_NEWPID | CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0) : fork();
    int error = errno;
    close(ends[inner == 0 ? 0 : 1]);
    *words = ends[inner == 0 ? 1 : 0];
    if (inner == 0) {
        // The first process of a namespace takes all others along.
        prctl(PR_SET_PDEATHSIG, is_namespace ? SIGKILL : OUTER_ENDED);
        if ((is_namespace ? !mount_proc() : getppid() != outer) || !tell(*words, false, 0)) {
            _exit(STATUS_FAILED);
        }
        return 0;
    }
    struct word word;
    if (inner > 0 && read(*words, &word, sizeof word) == (ssize_t)sizeof word) {
        return inner;
    }
    if (inner > 0) {
        waitpid(inner, NULL, __WALL);
        error = EAGAIN;
    }
    close(*words);
    errno = error;
    return -1;
}

/// Passes signals on to the guard. In the foreground it passes none: a signal to the job is meant for the program.
static void pass_signals(const struct options *options, int signals, pid_t inner)
{
    struct signalfd_siginfo signal;
    while (read(signals, &signal, sizeof signal) == (ssize_t)sizeof signal) {
        if (signal.ssi_signo != SIGCHLD && signal.ssi_signo != OUTER_ENDED && !options->is_foreground) {
            kill(inner, (int)signal.ssi_signo);
            // One that is stopped does nothing.
            kill(inner, SIGCONT);
        }
    }
}

/// Ends what a killed guard has left, which is this process's by now. Answers how many could not be ended.
static size_t end_rest(void)
{
    size_t left = 0;
    for (int64_t deadline = monotonic_milliseconds() + KILL_MILLISECONDS;;) {
        pid_t ended;
        do {
            ended = waitpid(-1, NULL, WNOHANG | __WALL);
        } while (ended > 0);
        if ((ended < 0 && errno == ECHILD) || monotonic_milliseconds() >= deadline) {
            return ended < 0 ? 0 : left == 0 ? 1 : left;
        }
        struct census census;
        census_take(&census);
        left = census.count;
        census_kill(&census);
        census_free(&census);
        poll(NULL, 0, ROUND_MILLISECONDS);
    }
}

void release_streams(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        close(null);
    }
}

/// Waits for the inner guard, and does what it has left undone. Answers the status to end with.
static int attend(const struct options *options, pid_t inner, int words, int signals)
{
    struct pollfd watched[] = {{.fd = signals, .events = POLLIN}, {.fd = words, .events = POLLIN}};
    struct word word = {.status = STATUS_FAILED};
    for (int timeout = -1;;) {
        int count = poll(watched, 2, timeout);
        if (watched[1].revents != 0) {
            watched[1].fd = -1;
            timeout = read(words, &word, sizeof word) == (ssize_t)sizeof word ? LINGER_MILLISECONDS : timeout;
        }
        pass_signals(options, signals, inner);
        int status;
        if (waitpid(inner, &status, WNOHANG | __WALL) == inner) {
            if (WIFEXITED(status)) {
                return WEXITSTATUS(status);
            }
            report_lost(options->report, WTERMSIG(status), end_rest());
            return STATUS_FAILED;
        }
        if (count == 0) {
            return word.status;
        }
    }
}

int outer_split(const struct options *options, struct place *place)
{
    int signals = guard_signals();
    if (signals < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
        return -1;
    }
    pid_t outer = getpid(), inner = -1;
    place->is_namespace = options->wants_namespace;
    if (options->wants_namespace) {
        inner = start_inner(true, &place->words);
    }
    if (inner < 0) {
        place->is_namespace = false;
        inner = start_inner(false, &place->words);
    }
    if (inner > 0) {
        release_streams();
        _exit(attend(options, inner, place->words, signals));
    }
    close(signals);
    place->outer = place->is_namespace ? 0 : outer;
    return inner;
}
