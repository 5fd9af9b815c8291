#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

bool headwind_is_network_administrator(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2] = {0};
    return syscall(SYS_capget, &header, sets) == 0 && (sets[0].effective & (1U << CAP_NET_ADMIN)) != 0;
}

int headwind_drop_privileges(void)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0) {
        return -1;
    }
    // Up to the last that the kernel knows: for the next it says EINVAL.
    int capability = 0;
    while (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) {
        capability++;
    }
    if (errno != EINVAL) {
        return -1;
    }
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[2] = {0};
    return (int)syscall(SYS_capset, &header, none);
}
