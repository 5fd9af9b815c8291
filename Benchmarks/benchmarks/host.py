"""`headwind host` against nginx: bulk downloads, and small files on kept connections."""

import contextlib
import os

from . import http, peers, processes
from .session import row

TITLE = "host"
SETUP = (
    "The same folder served by both, over HTTP/1.1 on loopback. nginx: one worker, sendfile on, tcp_nopush on, no access log. "
    "Headwind: 'headwind host --packs', its line for each response goes to a file. Bulk: one file on one connection. Small: 4 KiB, "
    "16 kept connections with one request outstanding on each; where the requesting side is the slower one, CPU a request says "
    "more than requests a second. CPU is the server's own, workers included."
)
CONNECTIONS = 16
SMALL = 4096
GIB = 1 << 30


def run(session):
    """GiB/s, requests/s and CPU time of each."""
    peers.need("nginx")
    size = session.size(GIB, 32 << 20)
    rounds = session.size(1500, 20)
    folder = session.folder("host-files")
    with open(os.path.join(folder, "bulk.bin"), "wb") as file:
        file.write(os.urandom(1 << 20) * (size >> 20))
    with open(os.path.join(folder, "small.bin"), "wb") as file:
        file.write(os.urandom(SMALL))
    with contextlib.ExitStack() as scope:
        servers = {
            "headwind": scope.enter_context(peers.headwind_host(session.headwind, folder, session.scratch)),
            "nginx": scope.enter_context(peers.nginx(folder, session.scratch)),
        }
        bulk = session.interleave(
            {name: _measuring(one, lambda at: http.download(at, "/bulk.bin", size)) for name, one in servers.items()}
        )
        small = session.interleave(
            {
                name: _measuring(one, lambda at: http.requests(at, "/small.bin", SMALL, CONNECTIONS, rounds))
                for name, one in servers.items()
            }
        )
    asked = CONNECTIONS * rounds
    rows = [_row("bulk", "GiB/s", bulk, lambda wall, _: size / GIB / wall)]
    rows.append(_row("small files", "requests/s", small, lambda wall, _: asked / wall))
    if not session.quick:
        rows.insert(1, _row("bulk: CPU of the server", "s/GiB", bulk, lambda _, used: used / size * GIB))
        rows.append(_row("small files: CPU of the server", "us/request", small, lambda _, used: used / asked * 1e6))
    return rows


def _measuring(one, work):
    address, process = one

    def measure():
        before = processes.tree_cpu_seconds(process.pid)
        wall = work(address)
        return wall, max(processes.tree_cpu_seconds(process.pid) - before, 0.01)

    return measure


def _row(what, unit, measured, figure):
    series = {name: [figure(*one) for one in measured[name]] for name in ("headwind", "nginx")}
    return row(what, unit, series["headwind"], "nginx", series["nginx"])
