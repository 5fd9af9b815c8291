#define _GNU_SOURCE

#include "CLinux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// A tree may be deeper than there are descriptors, and names may be longer than PATH_MAX together. So nothing here
// recurses: directories that are not empty are hoisted to the top, one level at a time, and emptied there.

enum {
    /// How often the kernel may ask to try again because somebody renamed a directory just then. See openat2(2).
    RACES = 64,
    /// How often the top is gone over. A pass that removes nothing is the last; this ends a race with a busy writer.
    PASSES = 1 << 20,
};

/// What one pass over a directory came to.
struct pass {
    size_t removed;
    size_t left;
    int error;
};

/// Opens a directory in `directory` that is neither a link nor behind a mount point.
static int open_directory(int directory, const char *name, unsigned long long flags)
{
    struct open_how how = {
        .flags = flags | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS,
    };
    int opened = -1;
    for (int race = 0; race < RACES; race++) {
        opened = (int)syscall(SYS_openat2, directory, name, &how, sizeof how);
        if (opened >= 0 || (errno != EAGAIN && errno != EINTR)) {
            break;
        }
    }
    return opened;
}

/// Makes a directory readable and writable for its owner. Programs do leave others behind: module caches are read-only.
static int unlock_directory(int directory, const char *name)
{
    int reference = open_directory(directory, name, O_PATH);
    if (reference < 0) {
        return -1;
    }
    // fchmod(2) refuses an O_PATH descriptor; its name under /proc does not follow links a second time.
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", reference);
    int result = chmod(path, S_IRWXU);
    int error = errno;
    close(reference);
    errno = error;
    return result;
}

/// Removes one entry, if it is not a directory with something in it (`ENOTEMPTY`).
static int remove_entry(int directory, const char *name)
{
    int result = unlinkat(directory, name, 0);
    if (result < 0 && errno == EISDIR) {
        result = unlinkat(directory, name, AT_REMOVEDIR);
    }
    if (result < 0 && errno == ENOENT) {
        return 0;
    }
    if (result < 0 && errno == EEXIST) {
        errno = ENOTEMPTY;
    }
    return result;
}

/// Moves a directory to the top of the tree, under a name that is free there.
static int hoist(int directory, const char *name, int top)
{
    // A name that is in use makes rename(2) fail, or replaces an empty directory: no loss either way.
    static atomic_ulong serial;
    bool unlocked = false;
    for (;;) {
        char fresh[64];
        snprintf(fresh, sizeof fresh, ".headwind-hoisted-%lu", serial++);
        if (renameat(directory, name, top, fresh) == 0 || errno == ENOENT) {
            return 0;
        }
        if (errno == EACCES && !unlocked) {
            unlocked = true;
            if (unlock_directory(directory, name) < 0) {
                return -1;
            }
        } else if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR) {
            return -1;
        }
    }
}

static bool is_kept(const char *name, const char *kept)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (kept != NULL && strcmp(name, kept) == 0);
}

/// Empties the directory `name` in `top`: what is not empty in it moves to `top`.
static int hollow(int top, const char *name, struct pass *pass)
{
    int directory = open_directory(top, name, O_RDONLY);
    if (directory < 0 && errno == EACCES && unlock_directory(top, name) == 0) {
        directory = open_directory(top, name, O_RDONLY);
    }
    if (directory < 0) {
        return errno == ENOENT ? 0 : -1;
    }
    fchmod(directory, S_IRWXU);
    DIR *listing = fdopendir(directory);
    if (listing == NULL) {
        close(directory);
        return -1;
    }
    int error = 0;
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        if (is_kept(entry->d_name, NULL)) {
            continue;
        }
        bool gone = remove_entry(directory, entry->d_name) == 0
            || (errno == ENOTEMPTY && hoist(directory, entry->d_name, top) == 0);
        if (gone) {
            pass->removed++;
        } else {
            error = errno;
        }
    }
    closedir(listing);
    errno = error;
    return error == 0 ? 0 : -1;
}

/// Goes once over the top of the tree.
static int go_over(int top, struct pass *pass)
{
    // A descriptor of its own for each pass, because a listing owns its descriptor and its position.
    int directory = open_directory(top, ".", O_RDONLY);
    DIR *listing = directory < 0 ? NULL : fdopendir(directory);
    if (listing == NULL) {
        if (directory >= 0) {
            close(directory);
        }
        return -1;
    }
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        const char *name = entry->d_name;
        if (is_kept(name, HEADWIND_SCRATCH_MARKER)) {
            continue;
        }
        bool gone = remove_entry(top, name) == 0
            || (errno == ENOTEMPTY && hollow(top, name, pass) == 0 && remove_entry(top, name) == 0);
        if (gone) {
            pass->removed++;
        } else {
            pass->left++;
            pass->error = errno;
        }
    }
    closedir(listing);
    return 0;
}

int headwind_scratch_remove(int directory, const char *path)
{
    struct stat opened, named;
    if (fstat(directory, &opened) == 0 && opened.st_nlink == 0) {
        return 0;
    }
    fchmod(directory, S_IRWXU);
    struct pass pass = {.removed = 1};
    for (int passes = 0; passes < PASSES && pass.removed > 0; passes++) {
        pass = (struct pass){0};
        if (go_over(directory, &pass) < 0) {
            return -1;
        }
    }
    if (pass.left > 0) {
        errno = pass.error;
        return -1;
    }
    // Only the directory that was opened: another one may have taken its name.
    if (fstat(directory, &opened) < 0) {
        return -1;
    }
    if (lstat(path, &named) < 0) {
        return errno == ENOENT ? 0 : -1;
    }
    if (opened.st_dev != named.st_dev || opened.st_ino != named.st_ino) {
        errno = ESTALE;
        return -1;
    }
    if (unlinkat(directory, HEADWIND_SCRATCH_MARKER, 0) < 0 && errno != ENOENT) {
        return -1;
    }
    return rmdir(path) == 0 || errno == ENOENT ? 0 : -1;
}
