#ifndef CLINUX_ROOM_H
#define CLINUX_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/// What this process can still have. Each function takes all of it at once and gives it back, so that every limit counts:
/// the process's own, the user's, the control group's and the machine's.

/// How many descriptors more can be open at once, up to `count`; `errno` says why there are no more.
int headwind_room_descriptors(int count);

/// How many threads more can run at once, up to `count`; `errno` says why there are no more.
///
/// A process of this user counts as a thread does (RLIMIT_NPROC in getrlimit(2)).
int headwind_room_threads(int count);

/// Whether there are `bytes` more of address space (RLIMIT_AS in getrlimit(2)).
bool headwind_room_addresses(size_t bytes);

/// Lets all threads share one arena of malloc (mallopt(3), M_ARENA_MAX): each of their own reserves 64 MiB of addresses.
void headwind_room_spare_addresses(void);

/// Gives memory that malloc holds but that is free back to the system (malloc_trim(3)).
void headwind_room_return_memory(void);

#endif
