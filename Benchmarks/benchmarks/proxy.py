"""Bulk downloads through `headwind proxy` without shaping, against HAProxy and against no proxy."""

import contextlib
import os

from . import http, peers, processes
from .session import row

TITLE = "proxy"
SETUP = (
    "One download of one file over one connection at a time, from nginx (below) on loopback; the reader counts bytes and throws "
    "them away. Headwind: 'headwind proxy --reverse', a profile that shapes nothing, one event loop. HAProxy: mode tcp, "
    "nbthread 1, buffers of the default size, once with splice(2) and once without. Headwind moves these bytes with splice(2); the row "
    "'bytes that were spliced' says how many of them. Toxiproxy, without toxics, if toxiproxy-server is in PATH. CPU is the "
    "proxy's own."
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
        control = peers.free_address()
        ours = scope.enter_context(
            peers.headwind_proxy(session.headwind, source, session.scratch, "--control", control)
        )
        plain = scope.enter_context(peers.haproxy(source, session.scratch))
        splicing = scope.enter_context(peers.haproxy(source, session.scratch, splices=True))
        proxies = {"headwind": ours, "HAProxy": plain, "HAProxy with splicing": splicing}
        if peers.find("toxiproxy-server"):
            proxies["Toxiproxy"] = scope.enter_context(peers.toxiproxy(source, session.scratch))
        measured = session.interleave(
            {name: lambda through=proxy: _download(through, size) for name, proxy in proxies.items()}
            | {"direct": lambda: (http.download(source, "/bulk", size), 0.0)}
        )
        traffic = peers.headwind_link(control)["downlink"]
        memory = processes.status_bytes(ours[1].pid, "VmHWM") / 1e6
    speed = {name: [size / GIB / wall for wall, _ in series] for name, series in measured.items()}
    floors = {"HAProxy with splicing": 1.3, "HAProxy": 0.6}
    others = [name for name in measured if name != "headwind"]
    rows = [
        row("bulk through the proxy", "GiB/s", speed["headwind"], peer, speed[peer], floor=floors.get(peer))
        for peer in others
    ]
    rows.append(row("bytes that were spliced", "%", [100 * traffic["splicedBytes"] / traffic["payloadBytes"]]))
    rows.append(row("resident memory at its most, after all of them", "MB", [memory], ceiling=64))
    if not session.quick:
        cpu = {name: [used / size * GIB for _, used in series] for name, series in measured.items()}
        for peer in others[:-1]:
            rows.append(row("CPU of the proxy", "s/GiB", cpu["headwind"], peer, cpu[peer]))
    return rows


def _download(proxy, size):
    address, process = proxy
    before = processes.cpu_seconds(process.pid)
    wall = http.download(address, "/bulk", size)
    return wall, processes.cpu_seconds(process.pid) - before
