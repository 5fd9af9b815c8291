"""What a run or a sandbox could leave: processes, namespaces that something keeps alive, mounts, interfaces, files."""

import contextlib
import os
import time

KINDS = ("user", "pid", "mnt", "net", "ipc", "uts")


def read(path):
    """The bytes of a file of /proc; none where the process is gone."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def processes():
    """The living processes: parent, start in clock ticks since the machine's, and name, by number."""
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
    """The names of all that have come of a process, by number."""
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
    """Those that were seen, and whoever keeps one of them alive."""

    def __init__(self):
        self.own = namespaces("self")
        # When each was seen last: a process that began later is another's, as numbers are used again.
        self.seen = {}

    def see(self, numbers):
        """Remembers the namespaces of these processes; answers how many are known."""
        now = time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK") + 1
        for number in numbers:
            for name in namespaces(number) - self.own:
                self.seen[name] = now
        return len(self.seen)

    def left(self):
        """Who is still in one of them, or holds one open; and mounts of one.

        Only of what has come of this process, which must adopt orphans: others' sandboxes may have got numbers that were ours.
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
    """What the machine shows that must be afterwards as it was before."""
    return {
        "ip link": sorted(os.listdir("/sys/class/net")) + read("/proc/net/dev").decode().count("\n") * ["line"],
        "ip netns": sorted(os.listdir("/run/netns")) if os.path.isdir("/run/netns") else [],
        "mount": read("/proc/self/mountinfo").decode().splitlines(),
        "/dev/shm": sorted(name for name in os.listdir("/dev/shm") if name.startswith("headwind")),
        "temporary files": sorted(os.listdir(temporary)),
    }


def differences(before, after):
    """What is there and was not, or was and is not."""
    found = []
    for what, old in before.items():
        new = after[what]
        found += [f"{what}: more: {one}" for one in new if one not in old]
        found += [f"{what}: less: {one}" for one in old if one not in new]
    return found


def slabs(*names):
    """Objects of these kinds that the kernel has, which root alone may see."""
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
