#define _GNU_SOURCE

#include "waits.h"

#include "descendants.h"
#include "monotonic.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (!proc_file_read(path, text, sizeof text)) {
        return false;
    }
    time->process = process;
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

static const struct thread_time *find_thread(const struct waits *waits, pid_t thread)
{
    struct thread_time key = {.thread = thread};
    return bsearch(&key, waits->threads, waits->thread_count, sizeof key, compare_threads);
}

/// Compares a thread with the look before, and adds what it ran and waited since to `sum`.
static void compare(struct waits *waits, const struct thread_time *now, struct stretch *sum)
{
    waits->is_known |= now->ran > 0;
    const struct thread_time *before = find_thread(waits, now->thread);
    if (before == NULL && find_thread(waits, now->process) == NULL) {
        // Its process was found only now, however long it has been there: what it has waited for is the next look's base.
        return;
    }
    // One that was not there has begun since, as has one that has the number of another.
    bool is_same = before != NULL && before->ran <= now->ran && before->waited <= now->waited;
    unsigned long long waited = now->waited - (is_same ? before->waited : 0), period = WAITS_MILLISECONDS * 1000000ULL;
    sum->ran += now->ran - (is_same ? before->ran : 0);
    sum->waited += waited;
    if (waited > period && waited - period > waits->longest) {
        waits->longest = waited - period;
    }
}

/// Notes the time since the look before, where a processor was wanted for half of it.
static void note(struct waits *waits, const struct stretch *sum)
{
    unsigned long long wanted = sum->ran + sum->waited;
    if (sum->from == 0 || 2 * wanted < (unsigned long long)(sum->until - sum->from)) {
        return;
    }
    struct stretch *last = waits->stretch_count > 0 ? &waits->stretches[waits->stretch_count - 1] : NULL;
    if (last != NULL && last->until == sum->from) {
        last->until = sum->until;
        last->ran += sum->ran;
        last->waited += sum->waited;
    } else if (waits->stretch_count < WAITS_STRETCHES) {
        waits->stretches[waits->stretch_count++] = *sum;
    }
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
    struct stretch sum = {.from = waits->looked_at, .until = monotonic_nanoseconds()};
    for (size_t index = 0; index < count; index++) {
        compare(waits, &threads[index], &sum);
    }
    note(waits, &sum);
    waits->looked_at = sum.until;
    memcpy(waits->threads, threads, count * sizeof *threads);
    waits->thread_count = count;
    waits->next = monotonic_milliseconds() + WAITS_MILLISECONDS;
}
