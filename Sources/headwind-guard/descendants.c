#define _GNU_SOURCE

#include "descendants.h"

#include "monotonic.h"

#include <CLinux.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HUNT_MILLISECONDS = 5,
    HUNT_DEPTH = 8,
};

bool proc_file_read(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    ssize_t length = read(file, text, size - 1);
    close(file);
    if (length <= 0) {
        return false;
    }
    text[length] = '\0';
    return true;
}

/// Reads /proc/PID/stat. The state of a process that has ended and was not waited for is told as 'Z'.
static bool read_process(pid_t pid, struct process *process)
{
    char path[32], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    if (!proc_file_read(path, text, sizeof text)) {
        return false;
    }
    // A process names itself, so that its name may hold spaces and parentheses. Only the last one ends it.
    char *name = strchr(text, '('), *end = strrchr(text, ')');
    if (name == NULL || end == NULL || end < name) {
        return false;
    }
    *end = '\0';
    process->pid = pid;
    snprintf(process->name, sizeof process->name, "%s", name + 1);
    // Fields 3 to 5 are state, parent and group, 20 the number of threads, 22 the start.
    int threads;
    const char *format = " %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d %*d %llu";
    if (sscanf(
            end + 1, format, &process->state, &process->parent, &process->group, &threads, &process->start)
        != 5) {
        return false;
    }
    if (process->state == 'Z' && threads > 1) {
        // Only its first thread has ended: a program may leave main by pthread_exit(3) and go on.
        process->state = 'S';
    }
    return true;
}

static bool has_ended(const struct process *process)
{
    return process->state == 'Z' || process->state == 'X';
}

static int compare_pids(const void *left, const void *right)
{
    pid_t first = ((const struct process *)left)->pid, second = ((const struct process *)right)->pid;
    return (first > second) - (first < second);
}

/// Whether a process stands below `ancestor` in a census that is sorted by pid.
static bool descends(const struct census *census, const struct process *process, pid_t ancestor)
{
    // Numbers can be used again while they are read, so that parents may seem to form a ring.
    for (size_t steps = 0; process != NULL && steps <= census->count; steps++) {
        if (process->parent == ancestor) {
            return true;
        }
        struct process parent = {.pid = process->parent};
        process = census->count == 0
            ? NULL
            : bsearch(&parent, census->processes, census->count, sizeof parent, compare_pids);
    }
    return false;
}

/// Notes which processes have others than descendants in their group, the harness for example.
///
/// A descendant may join each group of its session, which is the harness's. Others are marked as ended here.
static void find_others(struct census *census)
{
    pid_t *groups = malloc(census->count * sizeof *groups);
    size_t count = 0;
    for (size_t index = 0; groups != NULL && index < census->count; index++) {
        if (census->processes[index].state == 'X') {
            groups[count++] = census->processes[index].group;
        }
    }
    for (size_t index = 0; index < census->count; index++) {
        struct process *process = &census->processes[index];
        // Without memory no group is known to be the descendants' alone.
        process->has_others = groups == NULL;
        for (size_t other = 0; !has_ended(process) && !process->has_others && other < count; other++) {
            process->has_others = groups[other] == process->group;
        }
    }
    free(groups);
}

/// Adds a process; keeps what there is where memory runs out, because some are better than none.
static void add(struct census *census, size_t *capacity, const struct process *process)
{
    if (census->count == *capacity) {
        size_t larger = *capacity == 0 ? 256 : *capacity * 2;
        struct process *processes = realloc(census->processes, larger * sizeof *processes);
        if (processes == NULL) {
            return;
        }
        census->processes = processes;
        *capacity = larger;
    }
    census->processes[census->count++] = *process;
}

bool census_take(struct census *census)
{
    *census = (struct census){0};
    DIR *listing = opendir("/proc");
    if (listing == NULL) {
        return false;
    }
    size_t capacity = 0;
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        struct process process;
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && read_process(pid, &process)) {
            add(census, &capacity, &process);
        }
    }
    closedir(listing);
    if (census->count == 0) {
        return true;
    }
    qsort(census->processes, census->count, sizeof *census->processes, compare_pids);
    // The others, and those that have ended, are links of the chain: marked first, and only then left out.
    pid_t self = getpid();
    for (size_t index = 0; index < census->count; index++) {
        struct process *process = &census->processes[index];
        if (!descends(census, process, self)) {
            process->state = 'X';
        }
    }
    find_others(census);
    size_t kept = 0;
    for (size_t index = 0; index < census->count; index++) {
        if (!has_ended(&census->processes[index])) {
            census->processes[kept++] = census->processes[index];
        }
    }
    census->count = kept;
    return true;
}

void census_free(struct census *census)
{
    free(census->processes);
    *census = (struct census){0};
}

bool process_signal(const struct process *process, int signal)
{
    int descriptor = headwind_pidfd_open(process->pid);
    if (descriptor < 0) {
        // Container runtimes of 2019 and before refuse calls that they do not know. A number that was used again
        // since the census is then the lesser risk.
        return (errno == ENOSYS || errno == EPERM) && kill(process->pid, signal) == 0;
    }
    // The descriptor is for the process that has the number now. If the start is that of the census, that is the same process.
    struct process now;
    bool sent = false;
    if (read_process(process->pid, &now) && now.start == process->start) {
        sent = headwind_pidfd_send_signal(descriptor, signal) == 0;
    } else {
        errno = ESRCH;
    }
    int error = errno;
    close(descriptor);
    errno = error;
    return sent;
}

/// Kills the children of a process, and theirs. That takes microseconds, where a census takes milliseconds, in which a process that
/// lives only to start the next one has ended. Kernels without CONFIG_PROC_CHILDREN show none.
static void kill_children(pid_t parent, int depth)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    if (!proc_file_read(path, text, sizeof text)) {
        return;
    }
    char *rest = text;
    for (char *end; rest[0] != '\0'; rest = end + (*end == ' ')) {
        pid_t child = (pid_t)strtol(rest, &end, 10);
        if (end == rest || (*end != ' ' && *end != '\0') || child <= 1) {
            return;
        }
        kill(child, SIGKILL);
        if (depth < HUNT_DEPTH) {
            kill_children(child, depth + 1);
        }
    }
}

void census_kill(const struct census *census)
{
    pid_t group = getpgrp();
    for (size_t index = 0; index < census->count; index++) {
        const struct process *process = &census->processes[index];
        if (process->group > 1 && process->group != group && !process->has_others) {
            kill(-process->group, SIGKILL);
        }
        process_signal(process, SIGKILL);
    }
    int64_t end = monotonic_milliseconds() + HUNT_MILLISECONDS;
    do {
        kill_children(getpid(), 0);
    } while (census->count > 0 && monotonic_milliseconds() < end);
}
