#ifndef CTESTBED_H
#define CTESTBED_H

/// Functions that tests of sandboxes and networks need, and that Swift cannot call.

/// Opens a new terminal: `ends[0]` for its controller, `ends[1]` for programs; both close-on-exec. See pty(7).
int testbed_open_terminal(int ends[2]);

/// Gives a program's file the capability CAP_CHOWN. See capabilities(7).
int testbed_give_capability(const char *path);

/// Starts a program that has `descriptor` under another number; returns its process ID. Both lists end with NULL.
int testbed_start(char *const *arguments, char *const *environment, int descriptor, int number);

/// Opens a socket for whole packets of the interface `index`; close-on-exec. See packet(7).
///
/// Arrivals have the time of CLOCK_REALTIME (SO_TIMESTAMPNS), and 16 MiB of them may wait.
int testbed_open_packets(unsigned index);

/// Gives the calling thread mounts of its own, which no other process sees. See unshare(2).
int testbed_own_mounts(void);

#endif
