"""The machine of a session, the programs that are measured, and the load by others."""

import os
import platform
import subprocess
import time

from . import peers

PEERS = ("nginx", "haproxy", "curl", "unzip", "sha256sum")


def describe():
    """The facts about the machine that a report shows."""
    model = "unknown"
    for line in peers.read("/proc/cpuinfo").splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    system = "unknown"
    for line in peers.read("/etc/os-release").splitlines():
        if line.startswith("PRETTY_NAME="):
            system = line.partition("=")[2].strip('"')
    return {
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "processors": os.cpu_count(),
        "processor": model,
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "kernel": platform.release(),
        "system": system,
        "python": platform.python_version(),
        "load_average_before": os.getloadavg()[0],
    }


def programs(root, folder):
    """Versions of Headwind and of its peers; null for a peer that is missing."""
    headwind = subprocess.run(
        [os.path.join(folder, "headwind"), "--version"], capture_output=True, text=True, check=False
    ).stdout.strip()
    commit = subprocess.run(
        ["git", "-C", root, "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    ).stdout.strip()
    return {"headwind": headwind, "commit": commit, "folder": folder, **{name: peers.version(name) for name in PEERS}}


def warnings(root, folder, quick):
    """Reasons to trust the results less, as sentences."""
    found = []
    if quick:
        found.append("--quick: these figures mean nothing")
    if os.path.basename(os.path.realpath(folder)) != "release":
        found.append(f"{folder} is not a release build")
    built = os.stat(os.path.join(folder, "headwind")).st_mtime
    newer = [name for name in _sources(root) if os.stat(name).st_mtime > built]
    if newer:
        found.append(f"headwind is older than {len(newer)} of its sources, such as {os.path.relpath(newer[0], root)}")
    if os.getloadavg()[0] > os.cpu_count() / 2:
        found.append(f"the machine is busy: load average {os.getloadavg()[0]:.2f} on {os.cpu_count()} processors")
    missing = peers.missing(*PEERS)
    if missing:
        found.append(f"missing: {', '.join(missing)}")
    return found


def _sources(root):
    yield os.path.join(root, "Package.swift")
    for folder, _, names in os.walk(os.path.join(root, "Sources")):
        yield from (os.path.join(folder, name) for name in names)


def noise():
    """Processor time of the whole machine so far in clock ticks: stolen by the hypervisor, and total."""
    fields = [int(field) for field in peers.read("/proc/stat").splitlines()[0].split()[1:9]]
    return {"stolen": fields[7], "total": sum(fields)}


def noise_since(before):
    """The share of processor time that the hypervisor took since `before`, and the load average now."""
    now = noise()
    total = max(1, now["total"] - before["total"])
    return {"steal_ratio": round((now["stolen"] - before["stolen"]) / total, 4), "load_average": os.getloadavg()[0]}
