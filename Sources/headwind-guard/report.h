#ifndef REPORT_H
#define REPORT_H

#include "guard.h"

/// Writes what became of the command to `descriptor`, as one line of JSON:
///
///     {"v":1,"cause":"command","outcome":"exited","code":0,"ended_ns":8123456789,"user_us":1200,
///      "system_us":800,"max_rss_bytes":2097152,"longest_wait_us":0,"ended":0,"left":0,"left_named":[]}
///
/// - `cause`: why the processes ended: `command`, by itself; `signal`, the guard was told to end them; `lifeline`; `guard`,
///   the outer one was killed.
/// - `outcome`: `exited`, with its status as `code`; `signaled`, with the signal; `no-directory` and `not-executed`,
///   with the `errno` of chdir(2) or execve(2); `left`, where it could not be ended.
/// - `ended_ns`: when the command itself had ended, in nanoseconds of CLOCK_MONOTONIC, whatever else was still running;
///   0 where it has not.
/// - `user_us`, `system_us`: processor time of the command and of the children that it waited for. See getrusage(2).
/// - `max_rss_bytes`: the largest resident set that it, or one such child, ever had: the larger, not the sum.
/// - `longest_wait_us`: how long a thread of it, or of a descendant, could run and waited for a processor at a time, less
///   100 ms: the least that it was; absent where the kernel does not count, or it had ended before anybody looked.
/// - `namespace`: whether the command's processes had a namespace of their own.
/// - `ended`: how many other processes were alive after it, or with it, and were sent a signal.
/// - `left`, `left_named`: how many could not be ended, and up to sixteen of them: `pid`, `state` as in proc(5), and
///   `name`.
void report_write(int descriptor, const struct command *command, const struct outcome *outcome);

/// Writes that the guard could not do its work: `{"v":1,"outcome":"failed","code":11}`, the code being the `errno`.
void report_failure(int descriptor, int error);

/// Writes that the inner guard was killed by a signal, and how many of its processes the outer one could not end:
/// `{"v":1,"outcome":"lost","code":9,"left":0}`.
void report_lost(int descriptor, int signal, size_t left);

/// Writes that the scratch directory is there: `{"v":1,"outcome":"kept","code":0}`.
void report_kept(int descriptor);

#endif
