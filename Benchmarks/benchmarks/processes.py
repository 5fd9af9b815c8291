"""Processes of a session: each has one owner, which ends it by its id however the scope ends."""

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import threading
import time

_TICKS = os.sysconf("SC_CLK_TCK")
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


class Failure(Exception):
    """The reason why a part of a benchmark could not be measured."""


def end_with_parent():
    """Has the kernel end this process when its parent is killed."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def _before_exec():
    end_with_parent()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 40000), most))


@contextlib.contextmanager
def server(arguments, log, pass_fds=(), environment=None, output=None):
    """Runs a program until the scope ends. Its stderr goes to `log`, and its stdout to `output` (default: `log`)."""
    with open(log, "ab") as said, open(output or log, "ab") as printed:
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=said,
            pass_fds=pass_fds,
            env=environment,
            preexec_fn=_before_exec,
        )
    try:
        yield process
    finally:
        end(process)


def end(process):
    """Ends a process by SIGTERM, and by SIGKILL if it still runs after 5 s."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def await_that(condition, process, log, what, seconds=15):
    """Waits until `condition()` is true.

    Raises a Failure with the end of the log if the process ends before that, or after `seconds`.
    """
    deadline = time.monotonic() + seconds
    while not condition():
        if process.poll() is not None or time.monotonic() > deadline:
            with open(log, encoding="utf-8", errors="replace") as output:
                said = output.read()[-1000:].strip()
            raise Failure(f"{what} did not start: {said or 'it said nothing'}")
        time.sleep(0.01)


def status_bytes(pid, key):
    """A size from /proc/PID/status, such as VmRSS, in bytes; 0 if the process has ended."""
    with contextlib.suppress(OSError):
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith(key + ":"):
                    return int(line.split()[1]) * 1024
    return 0


def cpu_seconds(pid):
    """User and system time of a process so far in seconds, with its threads and the children that it has waited for."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / _TICKS


def children(pid):
    """The ids of a process's children."""
    found = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as listed:
                found += [int(child) for child in listed.read().split()]
    return found


def tree_cpu_seconds(pid):
    """CPU seconds of a process and of its living children: a server and its workers."""
    return cpu_seconds(pid) + sum(cpu_seconds(child) for child in children(pid))


class _Peak(threading.Thread):
    """Samples the peak memory of a process and its descendants every 10 ms, because it cannot be read afterwards.

    wait4(2) is no help: after vfork(2) it also counts the peak of the program that started the process.
    """

    def __init__(self, pid):
        super().__init__(daemon=True)
        self._pid = pid
        self._ended = threading.Event()
        self.bytes = 0

    def run(self):
        while not self._ended.wait(0.01):
            waiting = [self._pid]
            while waiting:
                pid = waiting.pop()
                self.bytes = max(self.bytes, status_bytes(pid, "VmHWM"))
                waiting += children(pid)

    def end(self):
        self._ended.set()
        self.join()


def measure(arguments, what, log, directory=None, seconds=600):
    """Runs a command to its end, or kills it after `seconds`.

    Returns wall and CPU seconds (with its children), and the largest peak memory of one of its processes in bytes.
    """
    with open(log, "wb") as output:
        began = time.monotonic()
        process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=directory, start_new_session=True
        )
        peak = _Peak(process.pid)
        peak.start()
        timer = threading.Timer(seconds, lambda: os.killpg(process.pid, signal.SIGKILL))
        timer.start()
        try:
            _, status, used = os.wait4(process.pid, 0)
            took = time.monotonic() - began
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            timer.cancel()
            peak.end()
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    if process.returncode != 0:
        with open(log, encoding="utf-8", errors="replace") as said:
            raise Failure(f"{what} ended with {process.returncode}: {said.read()[-1000:].strip()}")
    return {"wall": took, "cpu": used.ru_utime + used.ru_stime, "memory": peak.bytes}
