#ifndef CLINUX_SANDBOX_H
#define CLINUX_SANDBOX_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// What a sandbox is made of: namespaces, mounts, TUN interfaces, and processes without privileges. Every function answers
/// −1 with `errno` where it fails.

/// The descriptors that the first process of a sandbox finds.
#define HEADWIND_SANDBOX_CONTROL 3
#define HEADWIND_SANDBOX_HARNESS 4

/// The start of the first process of a sandbox.
struct headwind_sandbox {
    /// The program's path and its arguments, and its environment; both lists end with NULL.
    char *const *arguments;
    char *const *environment;
    /// The sandbox's end of the control socket.
    int control;
    /// A process descriptor of the harness, with whom the sandbox ends.
    int harness;
    /// The reading end of a pipe: one byte says that the user and group maps are written.
    int gate;
    /// Set and read by the two functions below.
    pthread_t thread;
    sem_t exists;
    pid_t child;
    int error;
};

/// Clones a process in user, pid, mount, network, IPC and UTS namespaces of its own, which executes a program.
/// Answers its number when it waits at the gate.
///
/// May be called from a process with any number of threads. The child has `control` and `harness` under the numbers above,
/// the caller's standard error also as its output, and no other descriptor; it has left the terminal. It ends with status 125
/// where the gate is closed or the harness ends. Where it cannot go on it says so as `headwind_sandbox_say_failure` does.
///
/// The child has the memory of the caller until it executes the program: a copy of the page tables of a large process would
/// cost more than all else that a sandbox takes. So `sandbox` stays where it is until `headwind_sandbox_end`. See vfork(2).
pid_t headwind_sandbox_begin(struct headwind_sandbox *sandbox);

/// Waits until the child has executed its program, or has ended.
void headwind_sandbox_end(struct headwind_sandbox *sandbox);

/// Writes `{"v":1,"id":0,"failure":{"stage":"…","code":…}}` and a newline. May be called between fork and exec.
void headwind_sandbox_say_failure(int control, const char *stage, int error);

/// Has the program that is executed next keep what this process may do in its own namespaces, also where it is not their
/// root. May be called between fork and exec.
void headwind_raise_ambient(void);

/// Lets this process open as many descriptors as it may (setrlimit(2)), until as many calls of the other have followed.
void headwind_descriptors_raise(void);
void headwind_descriptors_lower(void);

/// Gives a child, before it becomes a program, the limit that this process had; async-signal-safe.
void headwind_descriptors_as_before(void);

/// The limit that this process had before it was raised; −1 where it is not raised.
long headwind_descriptors_before(void);

/// Gives this process a group of its own and no controlling terminal, as setsid(2) does, and leaves it in its session. May be
/// called between fork and exec.
///
/// Linux can schedule each session as a group (sched_autogroup in sched(7)). While programs compute in the session in which
/// headwind's threads wake up for each packet, others can wait for a processor for seconds (Linux 6.18).
void headwind_leave_terminal(void);

/// Ignores no signal, and blocks all or none. May be called between fork and exec.
void headwind_reset_signals(bool block);

/// Where a companion's keeper finds its socket.
#define HEADWIND_COMPANION_SOCKET 3

/// What a keeper says of the program that it keeps.
enum headwind_companion_kind {
    /// It could not be started; the value is an `errno`.
    HEADWIND_COMPANION_FAILED = 1,
    HEADWIND_COMPANION_STARTED = 2,
    /// It has ended; the value is its status as of wait(2).
    HEADWIND_COMPANION_ENDED = 3,
};

struct headwind_companion_word {
    int kind;
    int value;
};

/// The start of a program that belongs to a sandbox and stays in the caller's networks and mounts.
struct headwind_companion {
    /// `headwind-init`, and what it is given: `--companion`, the program's path, its arguments; both lists end with NULL.
    const char *keeper;
    char *const *arguments;
    char *const *environment;
    /// Descriptors of the sandbox's user and process namespaces.
    int users;
    int processes;
    /// Its standard error; the others are /dev/null, and it has no more.
    int errors;
    /// The keeper's end of a pair of sockets, over which it says `headwind_companion_word`s.
    int socket;
};

/// Starts a program with all privileges of a sandbox, with which it ends; what becomes of it comes over the other socket.
///
/// No process outside of the sandbox is its parent. May be called from a process with any number of threads. See setns(2).
int headwind_sandbox_accompany(const struct headwind_companion *companion);

/// Says something of a companion. May be called between fork and exec.
void headwind_companion_say(int socket, enum headwind_companion_kind kind, int value);

/// Moves the calling thread to a new network namespace. See unshare(2).
int headwind_unshare_network(void);

/// Moves the calling thread to the network namespace `descriptor`. See setns(2).
int headwind_enter_network(int descriptor);

/// A descriptor of the network namespace that a socket belongs to; close-on-exec. See ioctl_ns(2), SIOCGSKNS.
int headwind_network_of(int socket);

/// Opens what `path` leads to below the folder `directory`, for reading; it never waits, as for a pipe.
///
/// Links are followed within the folder alone, whatever mounts that is reached by. See openat2(2); needs Linux 5.6.
int headwind_open_beneath(int directory, const char *path);

/// Takes all room of the file system of the folder `directory`, with a file without a name; close-on-exec.
///
/// The file keeps the room until it is closed. See O_TMPFILE in open(2), and fallocate(2).
int headwind_fill(int directory);

/// Makes the TUN interface `name` in the current network namespace; `tun` is an open /dev/net/tun.
///
/// Packets come and go as they are on the wire, without a header of the driver's: IFF_TUN, IFF_NO_PI.
int headwind_tun_attach(int tun, const char *name);

/// Has the device of a TUN descriptor show a carrier, or none as with a cable that is pulled.
/// `ENOTTY` for another descriptor. Needs Linux 5.0.
int headwind_tun_set_carrier(int tun, bool is_there);

/// See mount(2); `type` and `data` may be NULL.
int headwind_mount(const char *source, const char *target, const char *type, unsigned long flags, const char *data);

/// Has set-user-ID bits and file capabilities ignored everywhere below `path`. See mount_setattr(2); needs Linux 5.12.
int headwind_mount_without_setuid(const char *path);

/// Has nothing written below `path`, by that mount. See mount_setattr(2); needs Linux 5.12.
int headwind_mount_read_only(const char *path);

/// Whether this process may administer the networks of its user namespace: CAP_NET_ADMIN is effective.
bool headwind_is_network_administrator(void);

/// Gives up all capabilities for good, also those that an execve(2) could give: bounding, ambient, permitted; and sets
/// `no_new_privs`. See capabilities(7).
int headwind_drop_privileges(void);

/// Executes a program, looking for it in the PATH of `environment` as execvp(3) does; returns where that fails.
///
/// May be called between fork and exec, by the child of a process with one thread.
void headwind_execute(char *const arguments[], char *const environment[]);

/// A program to be started without privileges.
struct headwind_launch {
    /// Its name or path, looked for in the PATH of `environment`, and its arguments; both lists end with NULL.
    char *const *arguments;
    char *const *environment;
    /// Its working directory; NULL for the caller's.
    const char *directory;
    /// The network namespace in which it runs.
    int network;
    /// What it has open, and under which numbers; nothing else.
    const int *descriptors;
    const int *numbers;
    size_t descriptor_count;
    /// The number of the descriptor that becomes its controlling terminal; −1 for none.
    int terminal;
    /// Whether all signals are blocked in it at first.
    bool blocks_signals;
};

enum headwind_launch_stage {
    HEADWIND_LAUNCH_STARTED,
    HEADWIND_LAUNCH_FORK,
    HEADWIND_LAUNCH_NETWORK,
    HEADWIND_LAUNCH_DESCRIPTORS,
    HEADWIND_LAUNCH_TERMINAL,
    HEADWIND_LAUNCH_DIRECTORY,
    HEADWIND_LAUNCH_PRIVILEGES,
    HEADWIND_LAUNCH_EXECUTE,
};

/// Starts a program without any privilege, in a process group of its own, or in a session of its own if it gets a terminal;
/// answers its number when it is executed.
///
/// To be called by a process with one thread. Where it fails `stage` says at what. No signal is ignored in it.
/// `pidfd` is close-on-exec.
pid_t headwind_launch(const struct headwind_launch *launch, int *pidfd, enum headwind_launch_stage *stage);

#endif
