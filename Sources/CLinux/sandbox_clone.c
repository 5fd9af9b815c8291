#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The child has the memory of a process with many threads until execve(2), and runs beside them. So nothing here may take
// a lock: only async-signal-safe functions are called. The thread that has made the child stands still meanwhile, so that
// its `errno` is the child's.

enum {
    STATUS_FAILED = 125,
    GATE = 5,
    /// Above every number that is given out below, so that none is overwritten before it was copied.
    ASIDE = 16,
};

static const int namespaces =
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;

void headwind_sandbox_say_failure(int control, const char *stage, int error)
{
    char line[160] = "{\"v\":1,\"id\":0,\"failure\":{\"stage\":\"", digits[12];
    size_t length = strlen(line), count = 0;
    for (; *stage != '\0' && length < 100; stage++) {
        line[length++] = *stage;
    }
    const char *middle = "\",\"code\":", *end = "}}\n";
    memcpy(line + length, middle, strlen(middle));
    length += strlen(middle);
    do {
        digits[count++] = (char)('0' + error % 10);
        error /= 10;
    } while (error > 0);
    while (count > 0) {
        line[length++] = digits[--count];
    }
    memcpy(line + length, end, strlen(end));
    send(control, line, length + strlen(end), MSG_NOSIGNAL);
}

/// Gives the descriptors their numbers and closes all others, those of other sandboxes in the making too.
static int take_descriptors(const struct headwind_sandbox *sandbox)
{
    const int given[] = {sandbox->control, sandbox->harness, sandbox->gate};
    int aside[3];
    for (int index = 0; index < 3; index++) {
        aside[index] = fcntl(given[index], F_DUPFD, ASIDE);
        if (aside[index] < 0) {
            return -1;
        }
    }
    // What can fail comes before the numbers change, so that a failure still goes to the control socket.
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0) {
        return -1;
    }
    if (fcntl(STDERR_FILENO, F_GETFD) < 0) {
        dup2(null, STDERR_FILENO);
    }
    dup2(STDERR_FILENO, STDOUT_FILENO);
    for (int index = 0; index < 3; index++) {
        if (dup2(aside[index], HEADWIND_SANDBOX_CONTROL + index) < 0) {
            return -1;
        }
    }
    // Kernels before 5.9 lack the call: there the sandbox holds what is not close-on-exec.
    syscall(SYS_close_range, GATE + 1, UINT_MAX, 0);
    return 0;
}

static void wait_at_gate(void)
{
    struct pollfd events[] = {
        {.fd = GATE, .events = POLLIN}, {.fd = HEADWIND_SANDBOX_HARNESS, .events = POLLIN}};
    while (poll(events, 2, -1) < 0 && errno == EINTR) {
    }
    char byte;
    if ((events[1].revents & POLLIN) != 0 || read(GATE, &byte, 1) != 1) {
        _exit(STATUS_FAILED);
    }
    close(GATE);
}

void headwind_raise_ambient(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2];
    if (syscall(SYS_capget, &header, sets) < 0) {
        return;
    }
    for (int word = 0; word < 2; word++) {
        sets[word].inheritable = sets[word].permitted;
    }
    if (syscall(SYS_capset, &header, sets) < 0) {
        return;
    }
    // Up to the last that the kernel knows.
    for (int capability = 0; prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0) == 0; capability++) {
    }
}

void headwind_leave_terminal(void)
{
    setpgid(0, 0);
    int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal >= 0) {
        ioctl(terminal, TIOCNOTTY);
        close(terminal);
    }
}

void headwind_reset_signals(bool block)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int signal = 1; signal < NSIG; signal++) {
        sigaction(signal, &standard, NULL);
    }
    sigset_t mask;
    if (block) {
        sigfillset(&mask);
    } else {
        sigemptyset(&mask);
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
}

static int run_child(void *argument)
{
    struct headwind_sandbox *sandbox = argument;
    sem_post(&sandbox->exists);
    const char *stage = "descriptors";
    int control = sandbox->control;
    if (take_descriptors(sandbox) == 0) {
        control = HEADWIND_SANDBOX_CONTROL;
        wait_at_gate();
        headwind_leave_terminal();
        headwind_raise_ambient();
        headwind_reset_signals(false);
        headwind_descriptors_as_before();
        execve(sandbox->arguments[0], sandbox->arguments, sandbox->environment);
        stage = "execute-init";
    }
    headwind_sandbox_say_failure(control, stage, errno);
    _exit(STATUS_FAILED);
}

/// The body of a thread that makes the child, and stands still until it has executed its program.
static void *make_child(void *argument)
{
    struct headwind_sandbox *sandbox = argument;
    _Alignas(16) char stack[64 << 10];
    const int flags = namespaces | CLONE_VM | CLONE_VFORK | CLONE_PARENT_SETTID | SIGCHLD;
    if (clone(run_child, stack + sizeof stack, flags, sandbox, &sandbox->child) < 0) {
        sandbox->error = errno;
        sandbox->child = -1;
    }
    // The child has not said so if it could not be made, or was killed at once.
    sem_post(&sandbox->exists);
    return NULL;
}

pid_t headwind_sandbox_begin(struct headwind_sandbox *sandbox)
{
    sem_init(&sandbox->exists, 0, 0);
    // No handler of the harness's may run in the child, which would share its descriptors until they are closed.
    sigset_t all, previous;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    int error = pthread_create(&sandbox->thread, NULL, make_child, sandbox);
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    if (error == 0) {
        while (sem_wait(&sandbox->exists) < 0 && errno == EINTR) {
        }
        if (sandbox->child > 0) {
            return sandbox->child;
        }
        error = sandbox->error;
        pthread_join(sandbox->thread, NULL);
    }
    sem_destroy(&sandbox->exists);
    errno = error;
    return -1;
}

void headwind_sandbox_end(struct headwind_sandbox *sandbox)
{
    pthread_join(sandbox->thread, NULL);
    sem_destroy(&sandbox->exists);
}
