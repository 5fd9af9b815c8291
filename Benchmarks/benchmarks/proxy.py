"""`headwind proxy` without a shape against HAProxy and against no proxy at all: bulk downloads."""

import contextlib
import os

from . import http, peers, processes
from .session import row

TITLE = "proxy"
SETUP = (
    "One download of one file over one connection at a time, from nginx (below) on loopback; the reader counts bytes and throws "
    "them away. Headwind: 'headwind proxy --reverse', a profile that shapes nothing, one event loop. HAProxy: mode tcp, "
    "nbthread 1, no splicing, buffers as it comes. CPU is the proxy's own."
)
GIB = 1 << 30


def run(session):
    """GiB/s through each, and the CPU time of each proxy."""
    peers.need("nginx", "haproxy")
    size = session.size(GIB, 32 << 20)
    folder = session.folder("proxy-source")
    with open(os.path.join(folder, "bulk"), "wb") as file:
        file.write(os.urandom(1 << 20) * (size >> 20))
    with contextlib.ExitStack() as scope:
        source, _ = scope.enter_context(peers.nginx(folder, session.scratch))
        ours = scope.enter_context(peers.headwind_proxy(session.headwind, source, session.scratch))
        theirs = scope.enter_context(peers.haproxy(source, session.scratch))
        measured = session.interleave(
            {
                "headwind": lambda: _download(ours, size),
                "haproxy": lambda: _download(theirs, size),
                "direct": lambda: (http.download(source, "/bulk", size), 0.0),
            }
        )
        memory = processes.status_bytes(ours[1].pid, "VmHWM") / 1e6
    speed = {name: [size / GIB / wall for wall, _ in series] for name, series in measured.items()}
    rows = [
        row("bulk through the proxy", "GiB/s", speed["headwind"], "HAProxy", speed["haproxy"], floor=0.6),
        row("bulk through the proxy", "GiB/s", speed["headwind"], "direct", speed["direct"]),
        row("resident memory at its most, after all of them", "MB", [memory], ceiling=64),
    ]
    if not session.quick:
        cpu = {name: [used / size * GIB for _, used in measured[name]] for name in ("headwind", "haproxy")}
        rows.append(row("CPU of the proxy", "s/GiB", cpu["headwind"], "HAProxy", cpu["haproxy"]))
    return rows


def _download(proxy, size):
    address, process = proxy
    before = processes.cpu_seconds(process.pid)
    wall = http.download(address, "/bulk", size)
    return wall, processes.cpu_seconds(process.pid) - before
