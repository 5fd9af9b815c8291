#ifndef OUTER_H
#define OUTER_H

#include "options.h"

#include <stdbool.h>
#include <sys/types.h>

/// The place of the inner guard: what it tells the outer one by, and whether its processes are in a namespace of their own.
struct place {
    int words;
    bool is_namespace;
    /// The outer guard's number; 0 in a namespace, where it has none.
    pid_t outer;
};

/// Becomes two guards, and answers in the inner one. The outer one adopts what the inner one leaves when it is killed, ends it,
/// and ends with the inner one's status. −1 with `errno` where there can be no process.
int outer_split(const struct options *options, struct place *place);

/// Tells the outer guard that the inner one has done its work, and with which status it ends.
void outer_tell(const struct place *place, int status);

/// Lets go of standard input and output, so that they end when those whom they are for have closed them.
void release_streams(void);

#endif
