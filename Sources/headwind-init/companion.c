#define _GNU_SOURCE

#include "companion.h"

#include <CLinux.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_FAILED = 125 };

/// Starts the program; answers its number, −1 with `errno` where it could not be executed.
static pid_t start(char *arguments[], char *environment[], const sigset_t *mask)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) {
        return -1;
    }
    pid_t program = fork();
    if (program == 0) {
        // Without its keeper no process could end it.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sigprocmask(SIG_SETMASK, mask, NULL);
        execve(arguments[0], arguments, environment);
        int error = errno;
        ssize_t written = write(ends[1], &error, sizeof error);
        (void)written;
        _exit(STATUS_FAILED);
    }
    int error = errno;
    close(ends[1]);
    if (program > 0) {
        error = 0;
        while (read(ends[0], &error, sizeof error) < 0 && errno == EINTR) {
        }
        if (error != 0) {
            waitpid(program, NULL, 0);
            program = -1;
        }
    }
    close(ends[0]);
    errno = error;
    return program;
}

int keep_companion(char *arguments[], char *environment[], const sigset_t *before, const sigset_t *waiting)
{
    int socket = HEADWIND_COMPANION_SOCKET;
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    pid_t program = start(arguments, environment, before);
    if (program < 0) {
        headwind_companion_say(socket, HEADWIND_COMPANION_FAILED, errno);
        return STATUS_FAILED;
    }
    headwind_companion_say(socket, HEADWIND_COMPANION_STARTED, 0);
    struct pollfd harness = {.fd = socket, .events = POLLIN};
    for (;;) {
        if (ppoll(&harness, 1, NULL, waiting) > 0) {
            // Nothing is ever said to a keeper: the harness has hung up, or is gone.
            kill(program, SIGKILL);
            harness.fd = -1;
        }
        int status;
        if (waitpid(program, &status, WNOHANG) == program) {
            headwind_companion_say(socket, HEADWIND_COMPANION_ENDED, status);
            return 0;
        }
    }
}
