#ifndef CLINUX_H
#define CLINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "readiness.h"
#include "tap.h"
#include "CLinuxSandbox.h"

/// What Linux offers and neither glibc 2.35 nor Swift can call: process descriptors, epoll, and removal of a directory
/// that hostile programs have written to. A function answers −1 with `errno` where it fails, unless it says otherwise.

/// A descriptor that stands for the process `pid` and becomes readable when it ends; close-on-exec.
/// `ESRCH` where there is no such process. See pidfd_open(2); needs Linux 5.3.
int headwind_pidfd_open(pid_t pid);

/// Sends `signal` to the process that `pidfd` stands for, never to a later one with the same number.
/// `ESRCH` where it has ended and was waited for. See pidfd_send_signal(2); needs Linux 5.1.
int headwind_pidfd_send_signal(int pidfd, int signal);

/// A descriptor by which others are watched; close-on-exec. See epoll_create1(2).
int headwind_epoll_create(void);

/// Brings everything on the file system of `descriptor` to the disk, as syncfs(2), which Swift's Glibc lacks; tells errors
/// of writing from Linux 5.8 on.
int headwind_synchronise_file_system(int descriptor);

/// Has `headwind_epoll_wait` answer `identifier`, once, when `descriptor` can be read or its other end is closed.
int headwind_epoll_add(int epoll, int descriptor, uint64_t identifier);

/// Forgets a descriptor. To be called before it is closed, unless it is the last one for its file.
int headwind_epoll_remove(int epoll, int descriptor);

/// Waits for the next descriptor and answers 0 with its identifier; signals do not end the wait.
int headwind_epoll_wait(int epoll, uint64_t *identifier);

/// The file that makes a directory a scratch directory. Without it nothing here removes anything.
#define HEADWIND_SCRATCH_MARKER ".headwind-scratch"

/// Makes a scratch directory of mode 0700 and opens it, locked as flock(2) does for several (`LOCK_SH`); close-on-exec.
///
/// `EEXIST` where the name is in use; `ENOENT` where the parent is missing, or somebody who looked for leftovers removed
/// the directory before it was locked.
int headwind_scratch_make(const char *path);

/// Opens the scratch directory at `path` for a later `headwind_scratch_remove`; close-on-exec.
/// `ENOTDIR` or `ELOOP` where the last component is no directory or a link; `EPERM` where the directory or its
/// marker belongs to another user, or there is no marker.
int headwind_scratch_open(const char *path);

/// Empties `directory`, which `headwind_scratch_open` answered, and removes it from `path`.
///
/// Links are removed, never followed. What lies behind a mount point stays, and the answer is −1 with `EBUSY` or
/// `EXDEV`. The marker goes last, so that a removal which was cut short can be repeated. Any depth is removed
/// with three descriptors. Something that is already gone is not an error. Needs openat2(2): Linux 5.6.
int headwind_scratch_remove(int directory, const char *path);

/// Messages with descriptors, over a Unix socket. See unix(7), SCM_RIGHTS.

/// The most descriptors that one message carries: SCM_MAX_FD of the kernel.
#define HEADWIND_MOST_DESCRIPTORS 253

/// A pair of connected Unix stream sockets, both close-on-exec. See socketpair(2).
int headwind_socket_pair(int ends[2]);

/// Sends bytes, and the descriptors with the first of them; answers how many bytes went out, −1 where none did.
///
/// A closed peer is `EPIPE` and no signal. `EINVAL` where there are more than `HEADWIND_MOST_DESCRIPTORS`.
ssize_t headwind_send(
    int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

/// Receives bytes; answers how many, 0 where the peer has closed.
///
/// What came with them is in `descriptors`, which has room for `HEADWIND_MOST_DESCRIPTORS`; all are close-on-exec.
/// `EMFILE` where not all that were sent could be had: then none is left open.
ssize_t headwind_receive(
    int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count);

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

/// Bytes that go from one socket to another without a copy in user space. See splice(2).

/// Opens a pipe of about `size` bytes, both ends close-on-exec and non-blocking; `ends[0]` to read, `ends[1]` to write.
///
/// Smaller where the user may not have such pipes. See pipe(7), "Pipe capacity".
int headwind_splice_pipe(int ends[2], int size);

/// Moves up to `count` bytes between a pipe and a socket, and never waits; answers how many, 0 at the end of the source.
///
/// `EAGAIN` where the source is empty or the destination full.
ssize_t headwind_splice(int from, int to, size_t count);

#endif
