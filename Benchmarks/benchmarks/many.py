"""Resident memory of a proxy with 10,000 connections at once through a shaped link."""

import resource

from . import idle, peers
from .session import row

TITLE = "many"
SETUP = (
    "A new proxy each round, with the bundled profile 'wifi'. 10,000 connections (fewer where the limit of descriptors is below 20,100) "
    "through its reverse listener; each carries 64 bytes there and back over the link, and then idles. Memory a connection is the growth of "
    "VmRSS since the proxy started, divided by their number."
)


RESERVE = 100


def run(session):
    """Memory a connection, in kB."""
    count = session.size(10_000, 200)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # The proxy needs two descriptors for each.
    count = min(count, (most - RESERVE) // 2)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, count + RESERVE), most))

    def start(target):
        options = ("--most-connections", str(count))
        return peers.headwind_proxy(session.headwind, target, session.scratch, *options, profile="wifi")

    series = session.interleave({"headwind": lambda: idle.measure(start, count)})["headwind"]
    each = [(full - bare) / count / 1000 for bare, full in series]
    return [row(f"memory of each of {count} connections through a shaped link", "kB", each, ceiling=12)]
