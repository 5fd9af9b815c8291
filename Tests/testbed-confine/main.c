#define _GNU_SOURCE

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/if_tun.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// testbed-confine [--tun absent|MODE] [--cover PATH] [--forbid PATH] [--apparmor] [--user ID] [--no-user-namespaces] [--filter clone|clone3|tun] -- CMD...
//
// Imitates a machine that allows less than this one, for CMD only. The options take effect in their order. The first
// three need root, and no other process sees their mounts.

static void __attribute__((noreturn)) fail(const char *attempted)
{
    fprintf(stderr, "testbed-confine: could not %s: %s\n", attempted, strerror(errno));
    exit(125);
}

static void write_file(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) < 0) {
        fail(path);
    }
    close(file);
}

/// Gives this process mounts of its own, once.
static void own_mounts(void)
{
    static int done;
    if (!done && (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)) {
        fail("make mounts its own");
    }
    done = 1;
}

/// Replaces /dev/net/tun by one with another mode, or by none.
static void set_tun(const char *mode)
{
    own_mounts();
    if (mount("tmpfs", "/dev/net", "tmpfs", 0, "mode=0755") < 0) {
        fail("cover /dev/net");
    }
    if (strcmp(mode, "absent") == 0) {
        return;
    }
    if (mknod("/dev/net/tun", S_IFCHR, makedev(10, 200)) < 0
        || chmod("/dev/net/tun", (mode_t)strtol(mode, NULL, 8)) < 0) {
        fail("make a TUN device");
    }
}

/// Covers one file, as containers cover parts of /proc.
static void cover(const char *path)
{
    own_mounts();
    if (mount("/dev/null", path, NULL, MS_BIND, NULL) < 0) {
        fail("cover a file");
    }
}

/// Puts a file that only root may open in the place of one.
static void forbid(const char *path)
{
    own_mounts();
    if (mount("/etc/shadow", path, NULL, MS_BIND, NULL) < 0) {
        fail("forbid a file");
    }
}

/// Imitates Ubuntu's setting of AppArmor; the filters below imitate what it then refuses.
static void play_apparmor(void)
{
    own_mounts();
    if (mount("tmpfs", "/proc/sys/kernel", "tmpfs", 0, "mode=0755") < 0) {
        fail("cover /proc/sys/kernel");
    }
    int file = open("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0 || write(file, "1\n", 2) < 0) {
        fail("make a setting of AppArmor");
    }
    close(file);
}

/// Covers a directory that only its owner may pass by one that all users may pass; its subdirectories stay.
static void make_passable(const char *path)
{
    own_mounts();
    DIR *closed = opendir(path);
    if (!closed || mount("tmpfs", path, "tmpfs", 0, "mode=0755") < 0) {
        fail(path);
    }
    struct dirent *entry;
    while ((entry = readdir(closed))) {
        char inside[PATH_MAX], outside[PATH_MAX];
        if (entry->d_type != DT_DIR || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        snprintf(outside, sizeof outside, "/proc/self/fd/%d/%s", dirfd(closed), entry->d_name);
        if (snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) >= (int)sizeof inside
            || mkdir(inside, 0755) < 0 || mount(outside, inside, NULL, MS_BIND | MS_REC, NULL) < 0) {
            fail(inside);
        }
    }
    closedir(closed);
}

/// Lets all users reach a file, and the working directory: a checkout may be in a home directory.
static void open_way(const char *file)
{
    char way[PATH_MAX], directory[PATH_MAX];
    struct stat status;
    snprintf(way, sizeof way, "%s", file);
    for (char *slash = strchr(way + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (stat(way, &status) == 0 && (status.st_mode & S_IXOTH) == 0) {
            make_passable(way);
        }
        *slash = '/';
    }
    // The working directory is still the one that was covered.
    if (getcwd(directory, sizeof directory)) {
        (void)!chdir(directory);
    }
}

/// Becomes another user, who can reach the files that the command names.
static void become(const char *text, char *const *words)
{
    for (; *words; words++) {
        if (**words == '/') {
            open_way(*words);
        }
    }
    uid_t user = (uid_t)strtoul(text, NULL, 10);
    if (setgroups(0, NULL) < 0 || setresgid(user, user, user) < 0 || setresuid(user, user, user) < 0) {
        fail("become another user");
    }
    // As a login does: otherwise /proc/self would belong to root.
    prctl(PR_SET_DUMPABLE, 1);
}

/// Enters a user namespace in which no other one may be made.
static void limit_user_namespaces(void)
{
    char map[64];
    uid_t user = geteuid();
    gid_t group = getegid();
    if (unshare(CLONE_NEWUSER) < 0) {
        fail("make a user namespace");
    }
    write_file("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "%u %u 1", user, user);
    write_file("/proc/self/uid_map", map);
    snprintf(map, sizeof map, "%u %u 1", group, group);
    write_file("/proc/self/gid_map", map);
    write_file("/proc/sys/user/max_user_namespaces", "0");
}

static void install(struct sock_filter *filter, size_t count)
{
    struct sock_fprog program = {.len = (unsigned short)count, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0) {
        fail("install a filter");
    }
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define REFUSE(error) ANSWER(SECCOMP_RET_ERRNO | (error))

/// Imitates Docker's filter: clone3(2) is unknown, and clone(2) makes no user namespace.
static void filter_clone(void)
{
    struct sock_filter filter[] = {
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        REFUSE(ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER, 0, 1),
        REFUSE(EPERM),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    install(filter, sizeof filter / sizeof *filter);
}

/// Imitates a kernel before 5.3, and some containers, which do not know clone3(2) but allow user namespaces.
static void filter_clone3(void)
{
    struct sock_filter filter[] = {
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        REFUSE(ENOSYS),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    install(filter, sizeof filter / sizeof *filter);
}

/// Imitates a kernel's refusal when a process without CAP_NET_ADMIN makes a TUN interface.
static void filter_tun(void)
{
    struct sock_filter filter[] = {
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 3),
        LOAD(args[1]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TUNSETIFF, 0, 1),
        REFUSE(EPERM),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    install(filter, sizeof filter / sizeof *filter);
}

/// The words of the command to execute, if there is one.
static char *const *command(int argc, char *argv[])
{
    int index = 1;
    while (index < argc && strcmp(argv[index], "--") != 0) {
        index++;
    }
    return argv + (index + 1 < argc ? index + 1 : argc);
}

int main(int argc, char *argv[])
{
    int index = 1;
    for (; index < argc && strcmp(argv[index], "--") != 0; index++) {
        const char *option = argv[index], *value = index + 1 < argc ? argv[index + 1] : "";
        if (strcmp(option, "--no-user-namespaces") == 0) {
            limit_user_namespaces();
            continue;
        }
        if (strcmp(option, "--apparmor") == 0) {
            play_apparmor();
            continue;
        }
        index++;
        if (strcmp(option, "--tun") == 0) {
            set_tun(value);
        } else if (strcmp(option, "--cover") == 0) {
            cover(value);
        } else if (strcmp(option, "--forbid") == 0) {
            forbid(value);
        } else if (strcmp(option, "--user") == 0) {
            become(value, command(argc, argv));
        } else if (strcmp(option, "--filter") == 0 && strcmp(value, "clone") == 0) {
            filter_clone();
        } else if (strcmp(option, "--filter") == 0 && strcmp(value, "clone3") == 0) {
            filter_clone3();
        } else if (strcmp(option, "--filter") == 0 && strcmp(value, "tun") == 0) {
            filter_tun();
        } else {
            errno = EINVAL;
            fail(option);
        }
    }
    if (index + 1 < argc) {
        execvp(argv[index + 1], argv + index + 1);
    }
    fail("execute the command");
}
