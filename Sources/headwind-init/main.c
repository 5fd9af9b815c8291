#define _GNU_SOURCE

#include "companion.h"

#include <CLinux.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// The first process of a sandbox: `headwind-init PROGRAM`. The kernel ends the whole sandbox with it, so it does as little as
// can be: it starts PROGRAM, which has the control socket as descriptor 3, waits for every process that loses its parent,
// and ends when PROGRAM ends, with its status, or when the harness ends, for which it has a process descriptor.
//
// It is no Swift program, because it must not fail, and each sandbox has one. As `headwind-init --companion PROGRAM` it keeps a
// program for a sandbox; see companion.h.

enum {
    STATUS_FAILED = 125,
    STATUS_SIGNALED = 128,
};

static void interrupt(int signal)
{
    // Its only use is to end ppoll(2).
    (void)signal;
}

/// Starts the program; a failure to execute it goes over the control socket.
static pid_t start(char *arguments[], char *environment[])
{
    pid_t child = fork();
    if (child != 0) {
        return child;
    }
    close(HEADWIND_SANDBOX_HARNESS);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(arguments[0], arguments, environment);
    headwind_sandbox_say_failure(HEADWIND_SANDBOX_CONTROL, "execute-sandbox", errno);
    _exit(STATUS_FAILED);
}

/// Waits for all that have ended; answers the program's status once it is among them, −1 before.
static int reap(pid_t program)
{
    int answer = -1, status;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (ended == program) {
            answer = WIFSIGNALED(status) ? STATUS_SIGNALED + WTERMSIG(status) : WEXITSTATUS(status);
        }
    }
    return answer;
}

int main(int argc, char *argv[], char *environment[])
{
    bool is_keeper = argc > 2 && strcmp(argv[1], "--companion") == 0;
    if (argc < 2 || fcntl(HEADWIND_SANDBOX_CONTROL, F_GETFD) < 0
        || (!is_keeper && fcntl(HEADWIND_SANDBOX_HARNESS, F_GETFD) < 0)) {
        fputs("headwind-init: the first process of a sandbox, started by headwind itself\n", stderr);
        return STATUS_FAILED;
    }
    // Only while it waits: what ends earlier is seen by the first reap.
    sigset_t blocked, before, waiting;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    waiting = before;
    sigdelset(&waiting, SIGCHLD);
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGCHLD, &action, NULL);
    if (is_keeper) {
        return keep_companion(argv + 2, environment, &before, &waiting);
    }

    pid_t program = start(argv + 1, environment);
    if (program < 0) {
        headwind_sandbox_say_failure(HEADWIND_SANDBOX_CONTROL, "execute-sandbox", errno);
        return STATUS_FAILED;
    }
    // The socket must close with the program.
    close(HEADWIND_SANDBOX_CONTROL);
    for (;;) {
        struct pollfd harness = {.fd = HEADWIND_SANDBOX_HARNESS, .events = POLLIN};
        if (ppoll(&harness, 1, NULL, &waiting) > 0) {
            return STATUS_FAILED;
        }
        int status = reap(program);
        if (status >= 0) {
            return status;
        }
    }
}
