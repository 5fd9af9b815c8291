#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>
#include <sys/types.h>

#include "readiness.h"
#include "tap.h"
#include "CLinuxSandbox.h"
#include "CLinuxPassing.h"
#include "CLinuxRoom.h"
#include "CLinuxSplice.h"

/// What Linux offers and neither glibc 2.35 nor Swift can call: process descriptors, epoll, and removal of a directory
/// that hostile programs have written to. Every function answers −1 with `errno` where it fails.

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

#endif
