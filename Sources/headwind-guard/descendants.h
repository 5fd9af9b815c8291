#ifndef DESCENDANTS_H
#define DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROCESS_NAME_SIZE = 64 };

/// A process as /proc/PID/stat tells of it. See proc(5).
struct process {
    pid_t pid;
    pid_t parent;
    /// Its process group, and whether that has members that are no descendants of the caller.
    pid_t group;
    bool has_others;
    /// In clock ticks since boot: with the number it names a process for good.
    unsigned long long start;
    char state;
    char name[PROCESS_NAME_SIZE];
};

/// The processes below the caller at one moment, without those that have ended and only wait to be reaped.
struct census {
    struct process *processes;
    size_t count;
};

/// Reads the beginning of a file of /proc as text, in one read, which is consistent; at most `size` bytes with the zero at
/// the end. False where it is gone, refused or empty.
bool proc_file_read(const char *path, char *text, size_t size);

/// Counts the living descendants of the caller. A process whose parent ends while they are counted may be missing:
/// it is the caller's own child by then, and the next census has it. False where /proc cannot be read.
bool census_take(struct census *census);
void census_free(struct census *census);

/// Sends a signal to a process unless another one has its number by now. False, with `errno`, where it had no effect.
bool process_signal(const struct process *process, int signal);

/// Kills the processes of a census, and what they fork meanwhile as far as can be: by whole process groups, which is one step
/// to the kernel, where no other process is in one; and by looking at the children of children for some milliseconds.
void census_kill(const struct census *census);

#endif
