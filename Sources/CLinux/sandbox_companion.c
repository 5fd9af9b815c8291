#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// A process can enter a user namespace only if it has one thread, and its next child enters a process namespace. So a
// first child enters both. Its child is in them, makes the keeper, and ends. The keeper is then a child of the sandbox's
// first process, which waits for it, and no process outside has to.
//
// All of them share the memory of a process with many threads until execve(2), as copying its page tables takes long. So
// nothing here may take a lock. Each waits for the next one, so that they may share `errno`.

enum { STATUS_FAILED = 125, FIRST_FREE = 10, STACK = 32 << 10 };

/// A start of a keeper, and the stacks of the processes that lead to it.
struct start {
    const struct headwind_companion *companion;
    _Alignas(16) char stacks[3][STACK];
};

/// Makes a child that runs `body`, and waits until it has ended or executed a program.
static pid_t spawn(int (*body)(void *), struct start *start, int stack)
{
    return clone(body, start->stacks[stack] + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, start);
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

static int fail(const struct start *start)
{
    headwind_companion_say(start->companion->socket, HEADWIND_COMPANION_FAILED, errno);
    return STATUS_FAILED;
}

static int become_keeper(void *argument)
{
    struct start *start = argument;
    const struct headwind_companion *companion = start->companion;
    headwind_leave_terminal();
    if (take_descriptors(companion) == 0) {
        headwind_raise_ambient();
        headwind_reset_signals(false);
        headwind_descriptors_as_before();
        execve(companion->keeper, companion->arguments, companion->environment);
    }
    return fail(start);
}

static int make_keeper(void *argument)
{
    struct start *start = argument;
    return spawn(become_keeper, start, 2) < 0 ? fail(start) : 0;
}

static int enter(void *argument)
{
    struct start *start = argument;
    if (setns(start->companion->users, CLONE_NEWUSER) < 0 || setns(start->companion->processes, CLONE_NEWPID) < 0) {
        return fail(start);
    }
    pid_t inside = spawn(make_keeper, start, 1);
    if (inside < 0) {
        return fail(start);
    }
    while (waitpid(inside, NULL, 0) < 0 && errno == EINTR) {
    }
    return 0;
}

int headwind_sandbox_accompany(const struct headwind_companion *companion)
{
    // Not initialized as a whole: the stacks need no zeros.
    struct start start;
    start.companion = companion;
    sigset_t all, previous;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    pid_t child = spawn(enter, &start, 0);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    if (child > 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    errno = error;
    return child > 0 ? 0 : -1;
}
