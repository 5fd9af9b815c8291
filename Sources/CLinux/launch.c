#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_FAILED = 125, MOST_ARGUMENTS = 65536 };

/// What a child says to the process that started it, where it could not execute the program.
struct failure {
    enum headwind_launch_stage stage;
    int error;
};

/// The value of PATH in the program's own environment, which decides what its name means.
static const char *search_path(char *const environment[])
{
    for (size_t index = 0; environment[index] != NULL; index++) {
        if (strncmp(environment[index], "PATH=", 5) == 0) {
            return environment[index] + 5;
        }
    }
    return "/usr/local/bin:/usr/bin:/bin";
}

/// As execvp(3): a file without a known format is a shell script. Returns only if it could not execute the file.
static void execute_file(const char *path, char *const arguments[], char *const environment[])
{
    execve(path, arguments, environment);
    size_t count = 0;
    while (arguments[count] != NULL) {
        count++;
    }
    if (errno != ENOEXEC || count > MOST_ARGUMENTS) {
        return;
    }
    char *shell[count + 2];
    shell[0] = "/bin/sh";
    shell[1] = (char *)path;
    memcpy(shell + 2, arguments + 1, count * sizeof *shell);
    execve(shell[0], shell, environment);
    errno = ENOEXEC;
}

void headwind_execute(char *const arguments[], char *const environment[])
{
    const char *name = arguments[0];
    if (name == NULL || *name == '\0') {
        errno = ENOENT;
        return;
    }
    if (strchr(name, '/') != NULL) {
        execute_file(name, arguments, environment);
        return;
    }
    int refused = ENOENT;
    for (const char *path = search_path(environment);;) {
        char candidate[PATH_MAX];
        size_t length = strcspn(path, ":");
        // An empty entry means the working directory.
        const char *separator = length == 0 ? "./" : "/";
        int written = snprintf(candidate, sizeof candidate, "%.*s%s%s", (int)length, path, separator, name);
        if (written < (int)sizeof candidate) {
            execute_file(candidate, arguments, environment);
            if (errno == EACCES) {
                refused = EACCES;
            } else if (errno != ENOENT && errno != ENOTDIR) {
                return;
            }
        }
        if (path[length] == '\0') {
            break;
        }
        path += length + 1;
    }
    errno = refused;
}

/// Gives the descriptors their numbers; everything else is closed by execve(2). Answers the failure pipe's new number.
static int take_descriptors(const struct headwind_launch *launch, int failures)
{
    int aside[HEADWIND_MOST_DESCRIPTORS], first = STDERR_FILENO + 1;
    if (launch->descriptor_count > HEADWIND_MOST_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    for (size_t index = 0; index < launch->descriptor_count; index++) {
        if (launch->numbers[index] >= first) {
            first = launch->numbers[index] + 1;
        }
    }
    int moved = fcntl(failures, F_DUPFD_CLOEXEC, first);
    if (moved < 0) {
        return -1;
    }
    for (size_t index = 0; index < launch->descriptor_count; index++) {
        aside[index] = fcntl(launch->descriptors[index], F_DUPFD_CLOEXEC, first);
        if (aside[index] < 0) {
            return -1;
        }
    }
    // The standard three are there in any case: a file that a program opens must not become its standard output.
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        if (null < 0 || dup2(null, number) < 0) {
            return -1;
        }
    }
    syscall(SYS_close_range, STDERR_FILENO + 1, UINT_MAX, 4 /* CLOSE_RANGE_CLOEXEC */);
    for (size_t index = 0; index < launch->descriptor_count; index++) {
        if (dup2(aside[index], launch->numbers[index]) < 0) {
            return -1;
        }
    }
    return moved;
}

/// Becomes the program, or answers at what that failed.
static enum headwind_launch_stage become(const struct headwind_launch *launch, int *failures)
{
    // Only the first process of a session can take a terminal.
    if (launch->terminal >= 0) {
        setsid();
    } else {
        setpgid(0, 0);
    }
    if (headwind_enter_network(launch->network) < 0) {
        return HEADWIND_LAUNCH_NETWORK;
    }
    int moved = take_descriptors(launch, *failures);
    if (moved < 0) {
        return HEADWIND_LAUNCH_DESCRIPTORS;
    }
    *failures = moved;
    if (launch->terminal >= 0 && ioctl(launch->terminal, TIOCSCTTY, 0) < 0) {
        return HEADWIND_LAUNCH_TERMINAL;
    }
    if (headwind_drop_privileges() < 0) {
        return HEADWIND_LAUNCH_PRIVILEGES;
    }
    // Without privileges too, so that it is where the program itself could have gone.
    if (launch->directory != NULL && chdir(launch->directory) < 0) {
        return HEADWIND_LAUNCH_DIRECTORY;
    }
    headwind_reset_signals(launch->blocks_signals);
    headwind_execute(launch->arguments, launch->environment);
    return HEADWIND_LAUNCH_EXECUTE;
}

/// Waits until the child has executed the program, or says why it could not.
static struct failure await_execution(int failures)
{
    struct failure failure = {.stage = HEADWIND_LAUNCH_STARTED};
    ssize_t count;
    do {
        count = read(failures, &failure, sizeof failure);
    } while (count < 0 && errno == EINTR);
    return failure;
}

pid_t headwind_launch(const struct headwind_launch *launch, int *pidfd, enum headwind_launch_stage *stage)
{
    *stage = HEADWIND_LAUNCH_FORK;
    int failures[2];
    if (pipe2(failures, O_CLOEXEC) < 0) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        struct failure failure = {.stage = become(launch, &failures[1])};
        failure.error = errno;
        ssize_t written = write(failures[1], &failure, sizeof failure);
        (void)written;
        _exit(STATUS_FAILED);
    }
    struct failure failure = {.stage = HEADWIND_LAUNCH_FORK, .error = errno};
    close(failures[1]);
    if (child > 0) {
        *pidfd = headwind_pidfd_open(child);
        failure.error = errno;
        if (*pidfd >= 0) {
            failure = await_execution(failures[0]);
        } else {
            kill(child, SIGKILL);
        }
    }
    close(failures[0]);
    *stage = failure.stage;
    if (failure.stage == HEADWIND_LAUNCH_STARTED) {
        return child;
    }
    if (child > 0) {
        close(*pidfd);
        waitpid(child, NULL, 0);
    }
    errno = failure.error;
    return -1;
}
