#define _GNU_SOURCE

#include "CLinux.h"

#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

int headwind_pidfd_open(pid_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

int headwind_pidfd_send_signal(int pidfd, int signal)
{
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

int headwind_synchronise_file_system(int descriptor)
{
    return syncfs(descriptor);
}
