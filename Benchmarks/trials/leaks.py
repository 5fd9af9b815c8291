"""Finds what a run or a sandbox leaves: processes, namespaces that are kept alive, mounts, interfaces, files."""

import contextlib
import os
import time

KINDS = ("user", "pid", "mnt", "net", "ipc", "uts")


def read(path):
    """The bytes of a file; empty if it cannot be read, such as in /proc after its process has ended."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def processes():
    """The living processes by id: parent, start in clock ticks since boot, and name."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        head, _, tail = read(f"/proc/{name}/stat").rpartition(b")")
        fields = tail.split()
        if fields and fields[0] not in (b"Z", b"X"):
            command = head.partition(b"(")[2].decode(errors="replace")
            found[int(name)] = (int(fields[1]), int(fields[19]), command)
    return found


def descendants(root, known=None):
    """The names of all descendants of a process, by id."""
    known = processes() if known is None else known
    children, found = {}, {}
    for number, (parent, _, _) in known.items():
        children.setdefault(parent, []).append(number)
    pending = children.get(root, [])[:]
    while pending:
        number = pending.pop()
        found[number] = known[number][2]
        pending += children.get(number, [])
    return found


def namespaces(process):
    """The namespaces of a process, such as `net:[4026531840]`."""
    found = set()
    for kind in KINDS:
        with contextlib.suppress(OSError):
            found.add(os.readlink(f"/proc/{process}/ns/{kind}"))
    return found


class Namespaces:
    """Namespaces that were seen, and the processes and mounts that keep one of them alive."""

    def __init__(self):
        self.own = namespaces("self")
        # When each was last seen, in clock ticks since boot. A process that began later has a reused number's namespace.
        self.seen = {}

    def see(self, numbers):
        """Records the namespaces of these processes; returns how many are known."""
        now = time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK") + 1
        for number in numbers:
            for name in namespaces(number) - self.own:
                self.seen[name] = now
        return len(self.seen)

    def left(self):
        """Processes that are in one of the namespaces or hold one open, and mounts of one, as sentences.

        Only descendants of this process count, so it must adopt orphans. Other sandboxes may reuse our numbers.
        """
        found, known = [], processes()
        ours = descendants(os.getpid(), known).keys() | {os.getpid()}
        for number, (_, start, command) in known.items():
            if number not in ours:
                continue
            if any(start <= self.seen.get(name, -1) for name in namespaces(number)):
                found.append(f"process {number} ({command}) in a namespace")
            with contextlib.suppress(OSError):
                for name in os.listdir(f"/proc/{number}/fd"):
                    with contextlib.suppress(OSError):
                        target = os.readlink(f"/proc/{number}/fd/{name}")
                        if start <= self.seen.get(target, -1):
                            found.append(f"descriptor {name} of process {number} ({command}) on {target}")
        for line in read("/proc/self/mountinfo").decode().splitlines():
            fields = line.split()
            if fields[3] in self.seen:
                found.append(f"mount of {fields[3]} on {fields[4]}")
        return found


def machine(temporary):
    """A snapshot of what must be the same before and after: interfaces, mounts, shared memory, temporary files."""
    return {
        "ip link": sorted(os.listdir("/sys/class/net")) + read("/proc/net/dev").decode().count("\n") * ["line"],
        "ip netns": sorted(os.listdir("/run/netns")) if os.path.isdir("/run/netns") else [],
        "mount": read("/proc/self/mountinfo").decode().splitlines(),
        "/dev/shm": sorted(name for name in os.listdir("/dev/shm") if name.startswith("headwind")),
        "temporary files": sorted(os.listdir(temporary)),
    }


def differences(before, after):
    """What was added and what was removed between two snapshots, as sentences."""
    found = []
    for what, old in before.items():
        new = after[what]
        found += [f"{what}: more: {one}" for one in new if one not in old]
        found += [f"{what}: less: {one}" for one in old if one not in new]
    return found


def slabs(*names):
    """How many objects of these kinds the kernel has; empty unless this is root."""
    counts = {}
    for line in read("/proc/slabinfo").decode().splitlines():
        fields = line.split()
        if fields[0] in names:
            counts[fields[0]] = int(fields[1])
    return counts


def memory(process, key="VmRSS"):
    """Memory of a process in KiB."""
    for line in read(f"/proc/{process}/status").decode().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1])
    return 0
