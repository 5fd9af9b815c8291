#ifndef CTESTBED_H
#define CTESTBED_H

/// What tests of sandboxes and networks need and Swift cannot call.

/// Opens a new terminal: `ends[0]` for who controls it, `ends[1]` for programs; both close-on-exec. See pty(7).
int testbed_open_terminal(int ends[2]);

/// Gives a program the capability CAP_CHOWN, as a file has it. See capabilities(7).
int testbed_give_capability(const char *path);

/// Starts a program that has `descriptor` under another number; answers the program's own. Both lists end with NULL.
int testbed_start(char *const *arguments, char *const *environment, int descriptor, int number);

/// Opens a socket for whole packets of the interface `index`, whose arrivals have the time of CLOCK_REALTIME (SO_TIMESTAMPNS)
/// and 16 MiB to wait in; close-on-exec. See packet(7).
int testbed_open_packets(unsigned index);

/// Gives the calling thread mounts of its own, which nobody else sees. See unshare(2).
int testbed_own_mounts(void);

#endif
