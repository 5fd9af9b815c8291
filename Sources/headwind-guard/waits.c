#define _GNU_SOURCE

#include "waits.h"

#include "descendants.h"
#include "monotonic.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    /// Between two censuses, at least, and as a multiple of what one takes: 2 % of a processor where there are thousands.
    CENSUS_MILLISECONDS = 500,
    CENSUS_MULTIPLE = 50,
};

/// Finds out whose threads are to be looked at.
static void find_processes(struct waits *waits, const struct command *command)
{
    waits->processes[0] = command->pid;
    waits->process_count = 1;
    int64_t start = monotonic_milliseconds();
    struct census census;
    census_take(&census);
    for (size_t index = 0; index < census.count && waits->process_count < WAITS_PROCESSES; index++) {
        if (census.processes[index].pid != command->pid) {
            waits->processes[waits->process_count++] = census.processes[index].pid;
        }
    }
    census_free(&census);
    int64_t end = monotonic_milliseconds(), rest = (end - start) * CENSUS_MULTIPLE;
    waits->next_census = end + (rest > CENSUS_MILLISECONDS ? rest : CENSUS_MILLISECONDS);
}

static bool read_thread(pid_t process, const char *thread, struct thread_time *time)
{
    char path[64], text[128];
    snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", process, thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) {
        return false;
    }
    text[length] = '\0';
    time->thread = (pid_t)strtol(thread, NULL, 10);
    return sscanf(text, "%llu %llu", &time->ran, &time->waited) == 2;
}

static int compare_threads(const void *left, const void *right)
{
    pid_t first = ((const struct thread_time *)left)->thread, second = ((const struct thread_time *)right)->thread;
    return (first > second) - (first < second);
}

/// Adds the threads of a process to a look.
static size_t read_threads(pid_t process, struct thread_time *threads, size_t count)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *listing = opendir(path);
    if (listing == NULL) {
        return count;
    }
    for (const struct dirent *entry; count < WAITS_THREADS && (entry = readdir(listing)) != NULL;) {
        if (entry->d_name[0] != '.' && read_thread(process, entry->d_name, &threads[count])) {
            count++;
        }
    }
    closedir(listing);
    return count;
}

/// Compares a thread with the look before. One that was not there has begun since, or has the number of one that ended.
static void compare(struct waits *waits, const struct thread_time *now)
{
    const struct thread_time *before
        = bsearch(now, waits->threads, waits->thread_count, sizeof *now, compare_threads);
    unsigned long long earlier = before != NULL && before->ran <= now->ran && before->waited <= now->waited
        ? before->waited
        : 0;
    unsigned long long waited = now->waited - earlier, period = WAITS_MILLISECONDS * 1000000ULL;
    if (waited > period && waited - period > waits->longest) {
        waits->longest = waited - period;
    }
    waits->is_known |= now->ran > 0;
}

void waits_look(struct waits *waits, const struct command *command, bool is_last)
{
    int64_t now = monotonic_milliseconds();
    if (!is_last && now < waits->next) {
        return;
    }
    if (now >= waits->next_census) {
        find_processes(waits, command);
    }
    static struct thread_time threads[WAITS_THREADS];
    size_t count = 0;
    for (size_t index = 0; index < waits->process_count; index++) {
        count = read_threads(waits->processes[index], threads, count);
    }
    if (count > 0) {
        qsort(threads, count, sizeof *threads, compare_threads);
    }
    for (size_t index = 0; index < count; index++) {
        compare(waits, &threads[index]);
    }
    for (size_t index = 0; index < count; index++) {
        waits->threads[index] = threads[index];
    }
    waits->thread_count = count;
    waits->next = monotonic_milliseconds() + WAITS_MILLISECONDS;
}
