#define _GNU_SOURCE

#include "guard.h"

#include "monotonic.h"
#include "waits.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

// Once the guard is a subreaper, every process that loses its parent becomes the guard's child. So "the guard has no
// child" is the whole proof that nothing is left, and only wait4(2) gives it; /proc tells whom to signal, no more.

enum {
    /// How long processes that are about to end by themselves, as the rest of a pipeline, are let alone.
    SETTLE_MILLISECONDS = 100,
    /// How long after SIGKILL a process may take to vanish; one that sleeps in the kernel may take for ever.
    KILL_MILLISECONDS = 5000,
    /// Between two rounds of SIGKILL, at first and at most: what a process forked meanwhile is for the next round.
    ROUND_MILLISECONDS = 10,
    LONGEST_ROUND_MILLISECONDS = 200,
    /// PID_MAX_LIMIT of a 64-bit kernel.
    PIDS = 1 << 22,
};

struct guard {
    const struct options *options;
    const struct place *place;
    struct command *command;
    struct outcome *outcome;
    struct waits waits;
    int signals;
    /// There is no child, hence no descendant.
    bool childless;
    /// How many times a signal asked the guard to end.
    unsigned asked;
    /// The outer guard has ended.
    bool is_outer_lost;
    /// SIGUSR1 came: the command is to die at once.
    bool is_kill_asked;
};

/// Waits for every child that has ended.
static void reap(struct guard *guard)
{
    for (;;) {
        int status;
        struct rusage usage;
        // __WALL: also one that was cloned with another signal than SIGCHLD.
        pid_t pid = wait4(-1, &status, WNOHANG | __WALL, &usage);
        if (pid == guard->command->pid) {
            command_ended(guard->command, status, &usage);
        } else if (pid <= 0) {
            guard->childless = pid < 0 && errno == ECHILD;
            return;
        }
    }
}

/// Looks at the command's threads, for the last time where it has ended, as long as there is something to see.
static void look_at_waits(struct guard *guard)
{
    siginfo_t end = {0};
    waitid(P_PID, (id_t)guard->command->pid, &end, WEXITED | WNOHANG | WNOWAIT | __WALL);
    waits_look(&guard->waits, guard->command, end.si_pid != 0);
}

static void take_signals(struct guard *guard)
{
    struct signalfd_siginfo signal;
    while (read(guard->signals, &signal, sizeof signal) == (ssize_t)sizeof signal) {
        if (signal.ssi_signo == OUTER_ENDED) {
            // The same signal from another process is ignored.
            guard->is_outer_lost |= guard->place->outer > 0 && signal.ssi_pid == (uint32_t)guard->place->outer;
        } else if (guard->options->is_foreground) {
            // A signal to the job is meant for the program, which may live on: only the harness knows.
            continue;
        } else if (signal.ssi_signo == SIGUSR1) {
            guard->is_kill_asked = true;
        } else {
            guard->asked += signal.ssi_signo != SIGCHLD;
        }
    }
}

/// Does what the harness asks for, and notices that there is no writer any more.
static void check_lifeline(struct guard *guard)
{
    unsigned char words[64];
    ssize_t count = read(guard->options->lifeline, words, sizeof words);
    for (ssize_t index = 0; index < count; index++) {
        if (words[index] == LIFELINE_END) {
            guard->asked++;
        } else if (guard->command->pid > 0 && !guard->command->ended) {
            kill(guard->command->pid, words[index]);
        }
    }
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
        guard->outcome->lifeline_lost = true;
    }
}

/// Waits for something to happen, until `deadline` at the latest; −1 is for ever.
static void watch(struct guard *guard, int64_t deadline)
{
    struct pollfd watched[] = {
        {.fd = guard->signals, .events = POLLIN},
        {.fd = guard->outcome->lifeline_lost ? -1 : guard->options->lifeline, .events = POLLIN},
    };
    int timeout = -1;
    if (deadline >= 0) {
        int64_t rest = deadline - monotonic_milliseconds();
        timeout = rest < 0 ? 0 : rest > INT_MAX ? INT_MAX : (int)rest;
    }
    if (poll(watched, 2, timeout) > 0) {
        take_signals(guard);
        check_lifeline(guard);
    }
    if (!guard->command->ended && !guard->options->is_foreground) {
        look_at_waits(guard);
    }
    reap(guard);
}

/// Counts a process as ended by the guard, once however often it is signalled.
static void count_ended(struct guard *guard, pid_t pid)
{
    // Only the pages that are written to take memory.
    static unsigned char counted[PIDS / CHAR_BIT];
    unsigned char bit = (unsigned char)(1U << (pid % CHAR_BIT));
    if (pid != guard->command->pid && pid < PIDS && (counted[pid / CHAR_BIT] & bit) == 0) {
        counted[pid / CHAR_BIT] |= bit;
        guard->outcome->ended++;
    }
}

/// Asks every descendant to end.
static void ask_all(struct guard *guard)
{
    struct census census;
    census_take(&census);
    for (size_t index = 0; index < census.count; index++) {
        const struct process *process = &census.processes[index];
        if (process_signal(process, SIGTERM)) {
            count_ended(guard, process->pid);
        }
        // One that is stopped acts on SIGTERM only when it runs again.
        process_signal(process, SIGCONT);
    }
    census_free(&census);
}

/// Has every descendant die without a chance to do anything about it.
static void kill_all(struct guard *guard)
{
    if (guard->place->is_namespace) {
        // All but the caller, in one step: see kill(2).
        kill(-1, SIGKILL);
        return;
    }
    struct census census;
    census_take(&census);
    census_kill(&census);
    census_free(&census);
}

/// Ends every descendant: politely, and then not.
static void end_all(struct guard *guard)
{
    unsigned asked = guard->asked;
    int64_t deadline = monotonic_milliseconds() + SETTLE_MILLISECONDS;
    while (guard->command->ended && !guard->childless && guard->asked == asked && monotonic_milliseconds() < deadline) {
        watch(guard, deadline);
    }
    if (!guard->childless) {
        ask_all(guard);
    }
    deadline = monotonic_milliseconds() + guard->options->grace_milliseconds;
    while (!guard->childless && guard->asked == asked && monotonic_milliseconds() < deadline) {
        watch(guard, deadline);
    }
    deadline = monotonic_milliseconds() + KILL_MILLISECONDS;
    int64_t round = ROUND_MILLISECONDS;
    while (!guard->childless && monotonic_milliseconds() < deadline) {
        kill_all(guard);
        int64_t next = monotonic_milliseconds() + round;
        while (!guard->childless && monotonic_milliseconds() < next) {
            watch(guard, next);
        }
        round = round * 2 < LONGEST_ROUND_MILLISECONDS ? round * 2 : LONGEST_ROUND_MILLISECONDS;
    }
}

/// Names what could not be ended.
static void name_left(struct guard *guard)
{
    struct outcome *outcome = guard->outcome;
    if (guard->childless) {
        return;
    }
    struct census census;
    census_take(&census);
    // There is at least one, also where /proc does not show it.
    outcome->left = census.count > 0 ? census.count : 1;
    for (size_t index = 0; index < census.count && index < LEFT_NAMED; index++) {
        outcome->left_named[index] = census.processes[index];
    }
    census_free(&census);
}

int guard_signals(void)
{
    sigset_t all, set;
    sigfillset(&all);
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, OUTER_ENDED);
    return sigprocmask(SIG_SETMASK, &all, NULL) < 0 ? -1 : signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// Why the guard is to end everything.
static enum cause cause(const struct guard *guard)
{
    return guard->command->ended ? CAUSE_COMMAND
        : guard->is_outer_lost ? CAUSE_GUARD
        : guard->outcome->lifeline_lost ? CAUSE_LIFELINE
        : CAUSE_SIGNAL;
}

int guard_run(
    const struct options *options, const struct place *place, struct command *command, struct outcome *outcome)
{
    struct guard guard = {
        .options = options, .place = place, .command = command, .outcome = outcome, .signals = guard_signals()};
    if (guard.signals < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0
        || fcntl(options->lifeline, F_SETFL, O_NONBLOCK) < 0) {
        return -1;
    }
    check_lifeline(&guard);
    if (outcome->lifeline_lost) {
        errno = ECANCELED;
        return -1;
    }
    if (command_start(command, options) < 0) {
        return -1;
    }
    release_streams();
    while (!command->ended && guard.asked == 0 && !guard.is_outer_lost && !outcome->lifeline_lost) {
        watch(&guard, options->is_foreground ? -1 : guard.waits.next);
        if (guard.is_kill_asked) {
            kill_all(&guard);
            guard.is_kill_asked = false;
        }
    }
    outcome->cause = cause(&guard);
    outcome->is_namespace = place->is_namespace;
    outcome->longest_wait = guard.waits.is_known ? (int64_t)guard.waits.longest : -1;
    memcpy(outcome->stretches, guard.waits.stretches, sizeof outcome->stretches);
    outcome->stretch_count = guard.waits.stretch_count;
    end_all(&guard);
    name_left(&guard);
    check_lifeline(&guard);
    return 0;
}
