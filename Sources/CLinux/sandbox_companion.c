#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// A process enters a user namespace only where it has one thread, and a process namespace with its next child. So a first
// child, cloned out of many threads, enters both; its child is in them, and so is the keeper, whose parent that was: with
// its end the keeper is the sandbox's first process's, which waits for it. No process outside has to.
// Nothing here may take a lock until execve(2).

enum { STATUS_FAILED = 125, FIRST_FREE = 10 };

static pid_t fork_here(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0);
}

void headwind_companion_say(int socket, enum headwind_companion_kind kind, int value)
{
    struct headwind_companion_word word = {.kind = kind, .value = value};
    ssize_t sent = send(socket, &word, sizeof word, MSG_NOSIGNAL);
    (void)sent;
}

/// Standard error and the keeper's socket under their numbers, and nothing else.
static int take_descriptors(const struct headwind_companion *companion)
{
    // First out of the way of each other.
    int errors = fcntl(companion->errors, F_DUPFD_CLOEXEC, FIRST_FREE);
    int socket = fcntl(companion->socket, F_DUPFD_CLOEXEC, FIRST_FREE);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (errors < 0 || socket < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0
        || dup2(errors, STDERR_FILENO) < 0 || dup2(socket, HEADWIND_COMPANION_SOCKET) < 0) {
        return -1;
    }
    return (int)syscall(SYS_close_range, HEADWIND_COMPANION_SOCKET + 1, UINT_MAX, 4 /* CLOSE_RANGE_CLOEXEC */);
}

static void __attribute__((noreturn)) fail(const struct headwind_companion *companion)
{
    headwind_companion_say(companion->socket, HEADWIND_COMPANION_FAILED, errno);
    _exit(STATUS_FAILED);
}

static void __attribute__((noreturn)) become_keeper(const struct headwind_companion *companion)
{
    headwind_leave_terminal();
    if (take_descriptors(companion) < 0) {
        fail(companion);
    }
    headwind_raise_ambient();
    headwind_reset_signals(false);
    headwind_descriptors_as_before();
    execve(companion->keeper, companion->arguments, companion->environment);
    fail(companion);
}

static void __attribute__((noreturn)) enter(const struct headwind_companion *companion)
{
    if (setns(companion->users, CLONE_NEWUSER) < 0 || setns(companion->processes, CLONE_NEWPID) < 0) {
        fail(companion);
    }
    pid_t inside = fork_here();
    if (inside < 0) {
        fail(companion);
    }
    if (inside == 0) {
        pid_t keeper = fork_here();
        if (keeper < 0) {
            fail(companion);
        }
        if (keeper == 0) {
            become_keeper(companion);
        }
        _exit(0);
    }
    while (waitpid(inside, NULL, 0) < 0 && errno == EINTR) {
    }
    _exit(0);
}

int headwind_sandbox_accompany(const struct headwind_companion *companion)
{
    sigset_t all, previous;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    pid_t child = fork_here();
    if (child == 0) {
        enter(companion);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    if (child > 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    errno = error;
    return child > 0 ? 0 : -1;
}
