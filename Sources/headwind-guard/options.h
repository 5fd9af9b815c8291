#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/// What the guard was asked to do.
struct options {
    /// The reading end of a pipe whose writing end only the harness holds.
    int lifeline;
    /// Where the report goes; −1 for nowhere.
    int report;
    /// The scratch directory that the command uses, opened and locked for that; −1 for none.
    int scratch_directory;
    /// The scratch directory to make and to keep, instead of a command; NULL for none.
    const char *kept;
    /// The working directory of the command; NULL for the guard's own.
    const char *directory;
    /// The command stays in the process group of the harness, with its terminal, its descriptors and ignored signals.
    bool is_foreground;
    /// The command's processes get a namespace of their own, where that needs no other one of users.
    bool wants_namespace;
    /// How many descriptors the command may open (the soft limit of RLIMIT_NOFILE); −1 for as many as the guard.
    long open_files;
    /// How long a process may take to end after SIGTERM.
    int64_t grace_milliseconds;
    /// The command and its arguments, and its environment; both end with NULL.
    char **command;
    char **environment;
};

/// Reads the command line. What is wrong with it goes to stderr, and the answer is false.
bool options_read(int argc, char *argv[], char *environment[], struct options *options);

#endif
