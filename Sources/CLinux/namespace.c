#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/openat2.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

int headwind_fill(int directory)
{
    int file = openat(directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    off_t length = 0, most = 0;
    int refusals = 0;
    struct statvfs facts;
    while (file >= 0 && fstatvfs(file, &facts) == 0) {
        off_t free = (off_t)(facts.f_bavail * facts.f_frsize), block = (off_t)facts.f_frsize;
        if (free == 0) {
            return file;
        }
        off_t piece = most > 0 && most < free ? most : free;
        if (fallocate(file, 0, length, piece) == 0) {
            length += piece;
            most *= 2;
        } else if (errno == ENOSPC && piece > block) {
            // A program that takes room at the same moment leaves less than was asked for.
            most = (piece / block + 1) / 2 * block;
        } else if (errno == ENOSPC && refusals < 1000) {
            // That program may free it soon. If it does not, memory is short.
            refusals++;
            usleep(1000);
        } else if (errno == ENOSPC) {
            errno = ENOMEM;
            break;
        } else if (errno != EINTR) {
            break;
        }
    }
    if (file >= 0) {
        int error = errno;
        close(file);
        errno = error;
    }
    return -1;
}

int headwind_open_beneath(int directory, const char *path)
{
    struct open_how how = {
        .flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    int opened = -1;
    // Somebody may have renamed a folder just then, and the kernel asks to try again.
    for (int race = 0; race < 64; race++) {
        opened = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
        if (opened >= 0 || (errno != EAGAIN && errno != EINTR)) {
            break;
        }
    }
    return opened;
}

int headwind_unshare_network(void)
{
    return unshare(CLONE_NEWNET);
}

int headwind_enter_network(int descriptor)
{
    return setns(descriptor, CLONE_NEWNET);
}

int headwind_network_of(int socket)
{
    int descriptor = ioctl(socket, SIOCGSKNS);
    if (descriptor >= 0) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    return descriptor;
}

int headwind_tun_attach(int tun, const char *name)
{
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(tun, TUNSETIFF, &request) < 0) {
        return -1;
    }
    // It goes with its network, which the kernel takes down in its own time; otherwise the process that closes the descriptor would
    // wait 10 to 20 ms for that.
    return ioctl(tun, TUNSETPERSIST, 1);
}

int headwind_tun_set_carrier(int tun, bool is_there)
{
    int carrier = is_there;
    return ioctl(tun, TUNSETCARRIER, &carrier);
}

int headwind_mount(const char *source, const char *target, const char *type, unsigned long flags, const char *data)
{
    return mount(source, target, type, flags, data);
}

static int set_mount_attribute(const char *path, unsigned int flags, uint64_t attribute)
{
    // struct mount_attr, which glibc has from 2.36 on, and linux/mount.h does not go with sys/mount.h.
    struct {
        uint64_t set, clear, propagation, user_namespace;
    } attributes = {.set = attribute};
    return (int)syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &attributes, sizeof attributes);
}

int headwind_mount_without_setuid(const char *path)
{
    return set_mount_attribute(path, AT_RECURSIVE, 2 /* MOUNT_ATTR_NOSUID */);
}

int headwind_mount_read_only(const char *path)
{
    return set_mount_attribute(path, 0, 1 /* MOUNT_ATTR_RDONLY */);
}
