"""The latency that a proxy without shaping adds to requests at a steady rate."""

import contextlib
import os

from . import http, peers
from .session import row

TITLE = "latency"
SETUP = (
    "1,000 requests a second for a file of 1 kB from nginx, on 20 kept connections in turns, whether or not earlier responses have "
    "arrived; each is timed from the moment that it was due to its last byte. A round is 1 s. The proxies are set up "
    "as for bulk downloads; HAProxy splices when it chooses to, and Toxiproxy is measured if toxiproxy-server is in PATH. The "
    "figures are the 50th and the 99th percentile of each round."
)
SIZE = 1000
CONNECTIONS = 20
RATE = 1000
SECONDS = 1


def run(session):
    """The median and the 99th percentile of a round, with each proxy and with none."""
    peers.need("nginx", "haproxy")
    folder = session.folder("latency-source")
    with open(os.path.join(folder, "small"), "wb") as file:
        file.write(os.urandom(SIZE))
    with contextlib.ExitStack() as scope:
        source, _ = scope.enter_context(peers.nginx(folder, session.scratch))
        ours, _ = scope.enter_context(peers.headwind_proxy(session.headwind, source, session.scratch))
        theirs, _ = scope.enter_context(peers.haproxy(source, session.scratch, splices=True))
        targets = {"headwind": ours, "HAProxy": theirs, "direct": source}
        if peers.find("toxiproxy-server"):
            targets["Toxiproxy"], _ = scope.enter_context(peers.toxiproxy(source, session.scratch))
        measured = session.interleave(
            {
                name: lambda at=address: http.paced(at, "/small", SIZE, CONNECTIONS, RATE, SECONDS)
                for name, address in targets.items()
            }
        )
    rows = []
    for share, ceiling in ((0.5, None), (0.99, 1.0)):
        times = {name: [_quantile(each, share) * 1e6 for each in series] for name, series in measured.items()}
        for peer in list(targets)[1:]:
            rows.append(
                row(
                    f"{share * 100:g}th percentile of a request",
                    "us",
                    times["headwind"],
                    peer,
                    times[peer],
                    ceiling=ceiling if peer == "HAProxy" else None,
                )
            )
    return rows


def _quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
