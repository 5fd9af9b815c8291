#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/// Marks a directory as Headwind's. The content is for people; only the file's existence counts.
static int write_marker(int directory)
{
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int marker = openat(directory, HEADWIND_SCRATCH_MARKER, flags, S_IRUSR | S_IWUSR);
    if (marker < 0) {
        return -1;
    }
    int length = dprintf(marker, "Made for process %d; to be removed with the directory.\n", getppid());
    int error = errno;
    close(marker);
    errno = error;
    return length < 0 ? -1 : 0;
}

int headwind_scratch_make(const char *path)
{
    if (mkdir(path, S_IRWXU) < 0) {
        return -1;
    }
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory >= 0 && flock(directory, LOCK_SH) == 0 && write_marker(directory) == 0) {
        return directory;
    }
    int error = errno;
    if (directory >= 0) {
        unlinkat(directory, HEADWIND_SCRATCH_MARKER, 0);
        close(directory);
    }
    rmdir(path);
    errno = error;
    return -1;
}

int headwind_scratch_open(const char *path)
{
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory < 0) {
        return -1;
    }
    struct stat self, marker;
    bool ours = fstat(directory, &self) == 0 && self.st_uid == geteuid()
        && fstatat(directory, HEADWIND_SCRATCH_MARKER, &marker, AT_SYMLINK_NOFOLLOW) == 0
        && S_ISREG(marker.st_mode) && marker.st_uid == geteuid();
    if (!ours) {
        close(directory);
        errno = EPERM;
        return -1;
    }
    return directory;
}
