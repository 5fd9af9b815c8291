#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// A process enters a user namespace only where it has one thread, and a process namespace with its next child. So a first
// child, cloned out of many threads, enters both and clones the program as a second child of the caller's, and ends.
// Nothing here may take a lock until execve(2).

enum { STATUS_FAILED = 125 };

/// What the children say to the caller; nothing at all once the program is executed.
struct word {
    pid_t program;
    int error;
};

static void say(int pipe, pid_t program, int error)
{
    struct word word = {.program = program, .error = error};
    ssize_t written = write(pipe, &word, sizeof word);
    (void)written;
}

static int take_descriptors(int errors)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0) {
        return -1;
    }
    syscall(SYS_close_range, STDERR_FILENO + 1, UINT_MAX, 4 /* CLOSE_RANGE_CLOEXEC */);
    return 0;
}

static void __attribute__((noreturn)) become_program(const struct headwind_companion *companion, int pipe)
{
    setsid();
    if (take_descriptors(companion->errors) == 0) {
        headwind_raise_ambient();
        headwind_reset_signals(false);
        headwind_descriptors_as_before();
        execve(companion->program, companion->arguments, companion->environment);
    }
    say(pipe, 0, errno);
    _exit(STATUS_FAILED);
}

static void __attribute__((noreturn)) enter(const struct headwind_companion *companion, int pipe)
{
    if (setns(companion->users, CLONE_NEWUSER) < 0 || setns(companion->processes, CLONE_NEWPID) < 0) {
        say(pipe, 0, errno);
        _exit(STATUS_FAILED);
    }
    // The caller's child, not this process's: only the caller can wait for it, without which no namespace would end.
    pid_t program = (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, 0);
    if (program == 0) {
        become_program(companion, pipe);
    }
    say(pipe, program, program < 0 ? errno : 0);
    _exit(0);
}

/// Reads what the children say until all of their ends are closed; answers the program, −1 with `errno` where none runs.
static pid_t hear(int pipe)
{
    pid_t program = -1;
    int error = EPIPE;
    struct word word;
    ssize_t count;
    while ((count = read(pipe, &word, sizeof word)) != 0) {
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count != sizeof word) {
            break;
        }
        if (word.program > 0) {
            program = word.program;
            error = error == EPIPE ? 0 : error;
        } else {
            error = word.error;
        }
    }
    if (error != 0 && program > 0) {
        while (waitpid(program, NULL, 0) < 0 && errno == EINTR) {
        }
        program = -1;
    }
    errno = error;
    return program;
}

pid_t headwind_cell_accompany(const struct headwind_companion *companion)
{
    int ends[2];
    if (headwind_pipe(ends) < 0) {
        return -1;
    }
    sigset_t all, previous;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0);
    if (child == 0) {
        enter(companion, ends[1]);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    close(ends[1]);
    pid_t program = -1;
    if (child > 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
        program = hear(ends[0]);
        error = errno;
    }
    close(ends[0]);
    errno = error;
    return program;
}
