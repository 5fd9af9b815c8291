"""Kills one process of a run of headwind, or all, and checks what remains."""

import contextlib
import json
import os
import random
import signal
import subprocess
import time
import xml.etree.ElementTree

from . import leaks

# Seconds for all processes to end after the harness was killed, and for a whole run after another process was killed.
# The second is long, because a busy machine repeats attempts.
PATIENCE, ENDING = 5.0, 180.0
REPORTS = {"result.json", "junit.xml", "summary.md", "metrics.txt", "events.jsonl", "schedules", "bundles", "report.html"}
LOCK = ".headwind-run"
HARNESS, OWN, ALL = "headwind", "all of headwind's", "all at once"
# Victims by the start of a process's name, of which the kernel keeps 15 bytes.
VICTIMS = {
    "run": [HARNESS, "headwind-init", "headwind-sandbo", "headwind-guard", "headwind-client", "python3", ALL],
    "exec": [HARNESS, "headwind-init", "headwind-sandbo", "pasta", "passt", "sh", "python3", ALL],
    "run-proxy": [HARNESS, "headwind-guard", "headwind-client", "sh", "python3"],
    "exec-proxy": [HARNESS, "headwind-guard", "sh", "python3"],
}
VICTIMS |= {"run-kernel": VICTIMS["run"], "exec-kernel": VICTIMS["exec"]}
# These may also get SIGTERM or SIGINT; the others get only SIGKILL.
ASKED = {HARNESS, "headwind-guard", "headwind-client", "sh", "python3"}
# Programs that run in the sandbox. Without one of them its work has ended, or has not begun.
WORK = {"run": {"headwind-client", "python3"}, "exec": {"sh", "python3", "sleep"}}
WORK |= {f"{kind}-kernel": names for kind, names in WORK.items()}


def victims(kind):
    """The victims of a kind, for the current user.

    With the proxy backend only root has a process namespace. Without one, a program's children outlive both guards if
    those are killed at once."""
    return VICTIMS[kind] + ([OWN, ALL] if kind.endswith("-proxy") and os.geteuid() == 0 else [])


class Killed:
    """Starts headwind as a child of this process, which adopts orphans, kills one of its processes, and checks."""

    def __init__(self, command, folder, temporary):
        self.command, self.folder, self.temporary = command, folder, temporary
        self.statuses = {}
        self.number = 0

    def run(self, kind, moment, draw):
        """Runs one kind, and kills a process after `moment` seconds.

        Returns the victim, the exit status, what is wrong, scratch that the next run removes, and the process names.
        """
        self.number += 1
        before = leaks.machine(self.temporary)
        namespaces = leaks.Namespaces()
        output = os.path.join(self.folder, f"results-{self.number}")
        harness = self.start(kind, output)
        self.statuses.pop(harness.pid, None)
        time.sleep(moment)
        victim, number, names = self.choose(kind, harness, draw, namespaces)
        keeper = victim in (OWN, ALL)
        how = draw.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]) if victim in ASKED else signal.SIGKILL
        self.kill(victim, number, how)
        patience = PATIENCE if victim in (HARNESS, OWN, ALL) and how == signal.SIGKILL else ENDING
        left = self.vanish(harness, patience)
        status = self.statuses.get(harness.pid)
        troubles = [f"process {number} ({name}) is left" for number, name in left.items()] + namespaces.left()
        changes = leaks.differences(before, leaks.machine(self.temporary))
        # A run that was killed with its keeper leaves its scratch, which the next run removes.
        changes = [one for one in changes if not one.startswith("temporary files: less: headwind-")]
        named = [one for one in changes if keeper and one.startswith("temporary files: more: headwind-")]
        troubles += [one for one in changes if one not in named]
        troubles += results_troubles(output, killed=status == -signal.SIGKILL) if kind.startswith("run") else []
        if status is None:
            troubles.append(f"it did not end within {patience:g} s")
        elif status < 0 and victim not in (HARNESS, OWN, ALL):
            troubles.append(f"signal {-status} ended headwind itself")
        elif victim in ("headwind-init", "headwind-sandbo") and status == 0 and WORK[kind] & set(names):
            troubles.append("it ended well, although its sandbox was killed while the program ran")
        self.clear()
        harness.returncode = status
        return victim if how == signal.SIGKILL else f"{victim} by {how.name}", status, troubles, named, names

    def start(self, kind, output):
        log = open(os.path.join(self.folder, f"log-{self.number}"), "wb")
        command = [*self.command[kind], *(["--output", output] if kind.startswith("run") else [])]
        with log:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                env=dict(os.environ, TMPDIR=self.temporary))  # fmt: skip

    def choose(self, kind, harness, draw, namespaces):
        """Chooses a victim: a process of a random kind as soon as one exists, or any process after 3 s.

        Returns its name, its id (or ids), and the names of all processes.
        """
        wish = draw.choice(victims(kind))
        deadline = time.monotonic() + 3
        while True:
            found = leaks.descendants(os.getpid())
            namespaces.see(found)
            names = sorted(set(found.values()))
            fitting = [one for one, name in found.items() if name == wish or wish != HARNESS and name.startswith(wish)]
            self.reap()
            if wish == ALL and found:
                return ALL, list(found), names
            if wish == OWN and fitting_own(found):
                return OWN, fitting_own(found), names
            if fitting:
                return found[fitting[0]] if wish != HARNESS else HARNESS, draw.choice(sorted(fitting)), names
            if harness.pid in self.statuses:
                return "nobody", None, names
            if time.monotonic() > deadline and found:
                number = draw.choice(sorted(found))
                return found[number], number, names
            time.sleep(0.002)

    def kill(self, victim, number, how=signal.SIGKILL):
        numbers = number if victim in (OWN, ALL) else [number] if number else []
        for one in numbers:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(one, how)

    def reap(self):
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                self.statuses[ended[0]] = os.waitstatus_to_exitcode(ended[1])

    def vanish(self, harness, patience):
        """Waits up to `patience` seconds until all processes have ended; returns those that are left."""
        deadline, empty = time.monotonic() + patience, 0
        while True:
            left = leaks.descendants(os.getpid())
            self.reap()
            # A listing takes a while, and can miss a process that is orphaned meanwhile. The next listing finds it.
            empty = 0 if left or harness.pid not in self.statuses else empty + 1
            if empty == 2 or time.monotonic() > deadline:
                return left
            time.sleep(0.01)

    def clear(self):
        """Kills the processes that remain: all descendants of this process."""
        while left := leaks.descendants(os.getpid()):
            self.kill(ALL, list(left))
            self.reap()
            time.sleep(0.01)


def fitting_own(found):
    """Headwind's own processes."""
    return [number for number, name in found.items() if name.startswith("headwind")]


def results_troubles(folder, killed=False):
    """What is wrong with a results folder: truncated files, unknown files, or an incomplete run that reads as a pass.

    A run that was killed leaves its lock file, which no longer locks anything."""
    if not os.path.isdir(folder):
        return []
    names = set(os.listdir(folder))
    troubles = [f"'{name}' does not belong in the results" for name in sorted(names - REPORTS - ({LOCK} if killed else set()))]
    try:
        # The last line may be incomplete.
        for line in filter(None, leaks.read(f"{folder}/events.jsonl").split(b"\n")[:-1]):
            json.loads(line)
        if "junit.xml" in names:
            xml.etree.ElementTree.fromstring(leaks.read(f"{folder}/junit.xml"))
        if "result.json" in names:
            result = json.loads(leaks.read(f"{folder}/result.json"))
            if result["exit_code"] == 0 and len(result["cells"]) < result["planned_cells"]:
                troubles.append("the result of a part reads as a pass")
    except (ValueError, KeyError, xml.etree.ElementTree.ParseError) as error:
        troubles.append(f"the results cannot be read: {error}")
    return troubles


def moments(seed, count, spans):
    """Yields `count` kinds of runs in turn, each with a random moment in seconds and a generator for its choices."""
    draw = random.Random(seed)
    for number in range(count):
        kind = list(spans)[number % len(spans)]
        yield kind, draw.uniform(0, spans[kind]), random.Random(draw.random())
