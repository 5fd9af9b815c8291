#define _GNU_SOURCE

#include "keeper.h"

#include "outer.h"
#include "report.h"

#include <CLinux.h>

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/// Waits until the lifeline has no writer any more; what is written does not count.
static void await_end(int lifeline)
{
    char ignored[64];
    ssize_t count;
    do {
        count = read(lifeline, ignored, sizeof ignored);
    } while (count > 0 || (count < 0 && errno == EINTR));
}

/// Waits for the guards that use the directory: what they guard may still write into it.
static void await_users(int directory)
{
    while (flock(directory, LOCK_EX) < 0 && errno == EINTR) {
    }
}

bool keeper_run(const struct options *options)
{
    // A request for the whole run to end reaches the harness too, and it is the harness's end that counts.
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    release_streams();
    int directory = headwind_scratch_make(options->kept);
    if (directory < 0) {
        report_failure(options->report, errno);
        return false;
    }
    report_kept(options->report);
    await_end(options->lifeline);
    await_users(directory);
    if (headwind_scratch_remove(directory, options->kept) < 0) {
        fprintf(stderr, "headwind-guard: could not remove '%s': %s\n", options->kept, strerror(errno));
        return false;
    }
    return true;
}
