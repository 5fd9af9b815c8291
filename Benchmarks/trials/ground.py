"""Isolation for a trial that runs as root: networks without a way out, names, and a user without privileges.

Only the trial's process and its children see any of it, and it ends with them.
"""

import ctypes
import os
import shutil
import socket
import struct
import subprocess
import sys
import threading

CLONE_NEWNS, CLONE_NEWNET = 0x00020000, 0x40000000
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
ADDRESS = bytes([127, 0, 0, 1])

libc = ctypes.CDLL(None, use_errno=True)


def python():
    """The path of a Python that any user may execute, the system's own first."""
    return next(filter(None, (shutil.which("python3", path=path) for path in ("/usr/bin:/bin", os.environ["PATH"]))))


def checked(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def mount(source, target, kind=None, flags=0, data=None):
    texts = [None if text is None else text.encode() for text in (source, target, kind)]
    checked(libc.mount(*texts, ctypes.c_ulong(flags), None if data is None else data.encode()))


def own_networks():
    """Moves this process into networks with only loopback and a default route that leads nowhere.

    So only the trial's own servers can answer.
    """
    checked(libc.unshare(CLONE_NEWNET | CLONE_NEWNS))
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    for words in (
        "link set lo up", "tuntap add d0 mode tun", "address add 192.0.2.2/24 dev d0", "link set d0 up",
        "-6 address add 2001:db8::2/64 dev d0 nodad", "route add default via 192.0.2.1",
        "-6 route add default via 2001:db8::1",
    ):  # fmt: skip
        subprocess.check_call(["ip", *words.split()])
    for name, text in (("ping_group_range", "0 2147483647"), ("ip_unprivileged_port_start", "0")):
        with open(f"/proc/sys/net/ipv4/{name}", "w", encoding="ascii") as file:
            file.write(text)


def own_names(scratch):
    """Makes a resolver on loopback this process's own. It resolves every name to 127.0.0.1."""
    path = os.path.join(scratch, "resolv.conf")
    with open(path, "w", encoding="ascii") as file:
        file.write("nameserver 127.0.0.1\n")
    mount(path, "/etc/resolv.conf", None, MS_BIND)
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))
    threading.Thread(target=_answer, args=(server,), daemon=True).start()


def _answer(server):
    while True:
        question, peer = server.recvfrom(1500)
        end = 12
        while end < len(question) and question[end]:
            end += question[end] + 1
        if end + 5 > len(question):
            continue
        is_known = question[end + 1 : end + 3] == b"\0\1"
        record = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 0, 4) + ADDRESS if is_known else b""
        counts = struct.pack(">HHHH", 1, int(is_known), 0, 0)
        server.sendto(question[:2] + b"\x81\x80" + counts + question[12 : end + 5] + record, peer)


def open_way(path):
    """Lets every user reach a path, because a checkout may be in a closed home directory. Needs mounts of its own."""
    parts = os.path.realpath(path).strip("/").split("/")
    for count in range(1, len(parts)):
        way = "/" + "/".join(parts[:count])
        if os.stat(way).st_mode & 1:
            continue
        closed = os.open(way, os.O_RDONLY | os.O_DIRECTORY)
        mount("tmpfs", way, "tmpfs", 0, "mode=0755")
        for entry in os.scandir(closed):
            if entry.is_dir(follow_symlinks=False):
                os.mkdir(os.path.join(way, entry.name))
                mount(f"/proc/self/fd/{closed}/{entry.name}", os.path.join(way, entry.name), None, MS_BIND | MS_REC)
        os.close(closed)


def become(user, folder=None, needs=()):
    """Makes this process another user, without privileges, who may open /dev/net/tun and reach the paths in `needs`.

    The folder then belongs to that user.
    """
    if folder:
        os.chown(folder, user, user)
    checked(libc.unshare(CLONE_NEWNS))
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    # Python loads more of its library later.
    for path in [*needs, os.path.join(sys.base_prefix, "lib")]:
        open_way(path)
    os.chdir("/")
    mount("tmpfs", "/dev/net", "tmpfs", 0, "mode=0755")
    os.mknod("/dev/net/tun", 0o20666, os.makedev(10, 200))
    os.chmod("/dev/net/tun", 0o666)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    # Else this process's files in /proc would belong to root.
    checked(libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))
    os.environ.update(HOME="/nonexistent", USER=str(user))


def adopt_orphans():
    """Makes orphaned descendants children of this process, so that it can find all of them."""
    checked(libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))


def require(name, *programs):
    """Ends with status 69 if a program is missing."""
    for program in programs:
        if shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None:
            print(f"{name}: {program} is missing", file=sys.stderr)
            sys.exit(69)
