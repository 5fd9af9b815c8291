"""Runs Headwind's commands with too few descriptors or processes, too little memory or disk, or a clock that jumps."""

import contextlib
import dataclasses
import fcntl
import json
import os
import resource
import signal
import subprocess
import time

from . import killing, leaks

# Seconds that a command may take, and that a server may take until it is ready.
PATIENCE = 120.0
TEXTS = {
    "quick.yaml": "scenario: quick\ncatalog: shapes\n"
    "link: {downlink: {rate: 20 Mbit/s}, uplink: {rate: 20 Mbit/s}}\n"
    "workload:\n  - request: {tags: [circle]}\nexpect: available\nattempts: 1\n",
    "fast.yaml": "profile: fast\nsource: own\ndownlink: {rate: 20 Mbit/s}\nuplink: {rate: 20 Mbit/s}\n",
    "failing.yaml": "scenario: failing\ncatalog: shapes\n"
    "link: {downlink: {rate: 20 Mbit/s}, uplink: {rate: 20 Mbit/s}}\n"
    "workload:\n  command: [sh, -c, exit 3]\n  pack: circle+red\nexpect: {exit: 0}\n",
}
# The statuses of a command that gets too little, in addition to its usual ones: something is missing (69, 75, 77).
# `exec` may also end with 125: Headwind failed. None of them is a verdict on the client.
REFUSALS = {69, 75, 77}
# The messages of a program that traps, or of a language's run-time library.
TRAPS = (b"Fatal error", b"Illegal instruction", b"Segmentation fault", b"terminate called", b"Traceback", b"fatalError")


@dataclasses.dataclass
class Command:
    """One command: its words, and the statuses that it may end with.

    In `words`, {output} is a folder that the command makes, and {folder} is one that exists.
    """

    name: str
    words: list
    enough: frozenset = frozenset({0})
    refusals: frozenset = frozenset(REFUSALS)
    # Whether this is a server: it writes the file {ready} once it is up, and then gets SIGTERM.
    serves: bool = False

    def writes(self, *places):
        return any(place in word for word in self.words for place in places)


@dataclasses.dataclass
class Shortage:
    """A shortage of one resource: limits of setrlimit(2), or an environment that preloads the shim."""

    name: str
    limits: dict = dataclasses.field(default_factory=dict)
    environment: dict = dataclasses.field(default_factory=dict)


class Ground:
    """A folder with everything that the commands need: packs, scenarios, a bundle, results, a host."""

    def __init__(self, programs, folder, backends):
        self.headwind, self.folder = os.path.join(programs, "headwind"), os.path.join(folder, "starving")
        self.temporary = os.path.join(self.folder, "tmp")
        os.makedirs(self.temporary)
        for name, text in TEXTS.items():
            self.write(name, text)
        for name in ("red", "blue"):
            self.write(f"game/{name}/picture.dat", name * 2000)
        self.prepare("pack", "build", "game", "--by-folder", "--output", "packs")
        self.prepare("run", "quick.yaml", "--backend", "proxy", "--output", "kept-1")
        self.prepare("run", "failing.yaml", "--backend", "proxy", "--output", "kept-2", expected=99)
        self.backends = backends

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def environment(self):
        return dict(os.environ, TMPDIR=self.temporary, HOME=self.folder)

    def prepare(self, *words, expected=0):
        for _ in range(5):
            ended = subprocess.run([self.headwind, *words], cwd=self.folder, env=self.environment(), capture_output=True, check=False)
            if ended.returncode == expected:
                break
            # Tries again, because a busy machine cannot always measure.
        else:
            raise OSError(f"'headwind {' '.join(words)}' ended with {ended.returncode}: {ended.stderr.decode()[-500:]}")

    @contextlib.contextmanager
    def host(self):
        """Runs a host without shortages; yields its URL."""
        ready = os.path.join(self.folder, "host.json")
        log = open(os.path.join(self.folder, "host.log"), "wb")
        words = [self.headwind, "host", "packs", "--ready-file", ready]
        with log, subprocess.Popen(words, cwd=self.folder, env=self.environment(), stdout=log, stderr=log) as process:
            try:
                while not os.path.exists(ready):
                    if process.poll() is not None:
                        raise OSError("the host did not start")
                    time.sleep(0.02)
                with open(ready, encoding="utf-8") as file:
                    yield json.load(file)["url"]
            finally:
                process.terminate()

    def commands(self, url):
        bundle = "kept-2/bundles/" + os.listdir(os.path.join(self.folder, "kept-2/bundles"))[0]
        found = []
        for backend in self.backends:
            on = ["--backend", backend]
            found.append(Command(f"run {backend}", ["run", "quick.yaml", *on, "--output", "{output}"]))
            found.append(Command(f"exec {backend}", ["exec", "--profile", "fast.yaml", *on, "--", "sh", "-c", "exit 7"],
                                 frozenset({7}), frozenset({125, *REFUSALS})))  # fmt: skip
        check = ["check", "--backend", "proxy", "--only", "good-link", "--patience", "3s", "--output", "{output}", "--"]
        return found + [
            Command("check", [*check, "curl", "-fL", "-o", "{{output}}", "{{url}}"]),
            Command("host", ["host", "packs", "--ready-file", "{ready}"], frozenset({143}), serves=True),
            Command("proxy", ["proxy", "--profile", "3g", "--control", "0", "--ready-file", "{ready}"], frozenset({143}), serves=True),
            # The client reports its own errors with 1.
            Command("request", ["request", "red", "--packs-url", url, "--store", "{output}"], refusals=frozenset({1, *REFUSALS})),
            Command("pack build", ["pack", "build", "game", "--by-folder", "--output", "{output}"]),
            Command("pack check", ["pack", "check", "packs"]),
            Command("report html", ["report", "html", "kept-1", "--output", "{folder}/page.html"]),
            Command("report merge", ["report", "merge", "kept-1", "--output", "{output}"]),
            Command("report compare", ["report", "compare", "kept-1", "kept-1"]),
            Command("replay", ["replay", bundle, "--times", "1"], frozenset({99}), frozenset({97, *REFUSALS})),
            Command("doctor", ["doctor"], refusals=frozenset({1, *REFUSALS})),
            Command("init", ["init", "--output", "{folder}/scenario.yaml"]),
            Command("profile list", ["profile", "list"]),
        ]  # fmt: skip

    def run(self, command, shortage):
        """Runs a command with a shortage; returns its status, what is wrong, and what it printed."""
        output, ready = os.path.join(self.folder, "output"), os.path.join(self.folder, "ready.json")
        before = leaks.machine(self.temporary)
        words = [word.format(output=output, folder=output, ready=ready) for word in command.words]
        if command.writes("{folder}"):
            os.mkdir(output)
        # The output goes through a pipe, because limits also bound files. The pipe has room for all of it.
        said_by, says = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        fcntl.fcntl(says, fcntl.F_SETPIPE_SZ, 1 << 20)
        os.set_blocking(says, True)
        with open(said_by, "rb", 0) as log:
            process = subprocess.Popen(
                [self.headwind, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=says, stderr=says,
                env=dict(self.environment(), **{key: value.format(output=output) for key, value in shortage.environment.items()}),
                preexec_fn=lambda: [resource.setrlimit(what, (value, value)) for what, value in shortage.limits.items()])  # fmt: skip
            os.close(says)
            if command.serves:
                self.stop_when_ready(process, ready)
            troubles = self.end(process)
            said = log.read(1 << 20) or b""
        status = process.returncode
        refused = status in command.refusals
        if status not in command.enough and not refused:
            troubles.append(f"it ended with {status}")
        if refused and not said.strip():
            troubles.append("it said nothing")
        troubles += [f"it said '{word.decode()}'" for word in TRAPS if word in said]
        troubles += [f"process {number} ({name}) is left" for number, name in leaks.descendants(os.getpid()).items()
                     if number not in self.known]  # fmt: skip
        troubles += leaks.differences(before, leaks.machine(self.temporary))
        if os.path.exists(ready):
            troubles.append("its ready file is left")
        if words[0] == "run":
            troubles += killing.results_troubles(output)
        self.clear(output, ready)
        return status, troubles, said.decode(errors="replace").strip()

    known = frozenset()

    def stop_when_ready(self, process, ready):
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and not os.path.exists(ready) and time.monotonic() < deadline:
            time.sleep(0.01)
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)

    def end(self, process):
        try:
            process.wait(PATIENCE)
            return []
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return [f"it did not end within {PATIENCE:g} s"]

    def clear(self, *paths):
        for path in paths:
            if os.path.isdir(path):
                subprocess.run(["rm", "-rf", "--", path], check=True)
            elif os.path.lexists(path):
                os.unlink(path)


def limits(headwind, is_root):
    """Yields shortages of what setrlimit(2) bounds. For root there is no limit of processes."""
    for count in (5, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256):
        yield Shortage(f"{count} descriptors", {resource.RLIMIT_NOFILE: count})
    for count in () if is_root else (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64):
        yield Shortage(f"{count} processes", {resource.RLIMIT_NPROC: count})
    for mebibytes in (32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048):
        limit = {resource.RLIMIT_AS: mebibytes << 20}
        if is_loaded(headwind, limit):
            yield Shortage(f"{mebibytes} MiB of address space", limit)
    for kibibytes in (0, 1, 8, 64):
        yield Shortage(f"files of {kibibytes} KiB", {resource.RLIMIT_FSIZE: kibibytes << 10})


def is_loaded(program, limit):
    """Whether the system can load a program under a limit (execve(2), ld.so(8)), so that later failures are its own."""
    ended = subprocess.run(
        [program, "--version"], capture_output=True, check=False,
        preexec_fn=lambda: [resource.setrlimit(what, (value, value)) for what, value in limit.items()])  # fmt: skip
    return ended.returncode >= 0 and b"error while loading shared libraries" not in ended.stderr


def shim(folder):
    """Builds the library to preload; returns its path."""
    path = os.path.join(folder, "shim.so")
    source = os.path.join(os.path.dirname(__file__), "shim.c")
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", path, source, "-ldl"], check=True)
    return path


def disks(library, draw, count):
    """Yields disks that are full from the n-th change on: each of the first 12, and random later ones."""
    for number in [*range(1, 13), *sorted(draw.sample(range(13, 120), max(0, count - 12)))][:count]:
        yield Shortage(f"disk full from change {number} on", {},
                       {"LD_PRELOAD": library, "HEADWIND_SHIM": f"full:{number}:{{output}}"})  # fmt: skip


def clocks(library, draw, count):
    """Yields wall clocks that jump by an hour or by ten years, ahead or behind, at a random read."""
    for _ in range(count):
        seconds = draw.choice((-3600, 3600, -10 * 365 * 86400, 10 * 365 * 86400))
        number = draw.choice((1, 2, 3, 5, 8, 13, 21, 34, 55, 89))
        yield Shortage(f"clock off by {seconds} s from look {number} on", {},
                       {"LD_PRELOAD": library, "HEADWIND_SHIM": f"clock:{number}:{seconds}"})  # fmt: skip
