#ifndef COMPANION_H
#define COMPANION_H

#include <signal.h>

/// `headwind-init --companion PROGRAM ARGUMENTS…`: starts a program, waits for it, and says over
/// `HEADWIND_COMPANION_SOCKET` what becomes of it. Where the other end is shut or gone, the program is ended.
///
/// `before` is the program's signal mask; with `waiting` SIGCHLD interrupts. Answers the process's status.
int keep_companion(char *arguments[], char *environment[], const sigset_t *before, const sigset_t *waiting);

#endif
