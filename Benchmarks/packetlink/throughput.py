"""Throughput, and what it costs."""

import os
import socket
import struct
import time

from packetlink import host
from packetlink.bench import end, host_address, pace, processor_time
from packetlink.rows import against, told, within

SEGMENT = 1448


def download(bench, process, seconds, after, control="cubic"):
    """Downloads over TCP for `seconds`, after a warm-up of `after` seconds.

    Returns bits per second, and the loop's processor time for a segment in microseconds.
    """
    bench.ask(do="source", control=control)
    with socket.socket() as sock:
        sock.connect((host_address(), host.PORT))
        room = bytearray(1 << 20)
        begin = time.monotonic() + after
        while time.monotonic() < begin:
            sock.recv_into(room)
        begin, total, used = time.monotonic(), 0, processor_time(process)
        while time.monotonic() < begin + seconds:
            total += sock.recv_into(room)
        took = time.monotonic() - begin
        used = processor_time(process) - used
    return total * 8 / took, used * 1e6 / (total / SEGMENT)


def unlimited(bench):
    """Throughput without a rate: the peer and the link, without and with a delay.

    Senders use reno. Cubic's HyStart takes a train of acknowledgements as long as half a round trip for a full link.
    With a delay it would then use only half of the window for minutes.
    """
    contenders = {
        "copy": (bench.copying, (), 0.5),
        "open": (bench.shaping, (), 0.5),
        "copy long": (bench.copying, ("20000",), 2.5),
        "long": (bench.shaping, ("--delay", "20 ms"), 2.5),
    }
    bits = {name: [] for name in contenders}
    used = {name: [] for name in contenders}
    for turn in range(-1, bench.rounds):
        names = list(contenders)
        for name in names[turn % 4 :] + names[: turn % 4]:
            link, options, after = contenders[name]
            with link(*options) as process:
                figures = download(bench, process, bench.seconds, after, "reno")
            if turn >= 0:
                bits[name].append(figures[0] / 1e9)
                used[name].append(figures[1])
    peer = "C loop with 20 ms"
    return [
        against("unshaped, Gbit/s", bits["open"], "C loop", bits["copy"], at_least=1.0),
        against("unshaped, processor µs a segment", used["open"], "C loop", used["copy"]),
        against("20 ms each way, Gbit/s", bits["long"], "own unshaped", bits["open"], at_least=0.9),
        against("20 ms each way, Gbit/s", bits["long"], peer, bits["copy long"]),
        against("C loop, 20 ms each way, Gbit/s", bits["copy long"], "C loop", bits["copy"]),
        against("20 ms each way, processor µs a segment", used["long"], peer, used["copy long"]),
    ]


def rate(bench):
    """TCP at 1 Gbit/s: the rate of payload and headers against the set rate."""
    shares, used = [], []
    for _ in range(bench.rounds):
        with bench.shaping("--rate", "1 Gbit/s", "--delay", "1 ms", "--queue", "400") as process:
            bits, micros = download(bench, process, bench.seconds, 1)
        shares.append(bits * 1500 / SEGMENT / 1e9)
        used.append(micros)
    return [
        within("1 Gbit/s, TCP: wire / set", shares, 0.99, 1.01),
        told("1 Gbit/s, TCP: processor µs a segment", used),
    ]


def loss(bench):
    """Datagrams at 6 % more than the rate, with 1 % loss before the queue."""
    bits, size = 100e6, 1500
    shares, lost = [], []
    for _ in range(bench.rounds):
        with bench.shaping("--rate", "100 Mbit/s", "--loss", "1 %") as process:
            taken = sent(bench, int((bench.seconds + 0.5) * bits * 1.06 / 8 / size), bits * 1.06 / 8 / size, size)
            times = [moment / 1e9 for moment, _ in taken]
            inside = [one for one in times if 0.25 <= one - times[0] < 0.25 + bench.seconds]
            shares.append((len(inside) - 1) * size * 8 / (inside[-1] - inside[0]) / bits)
            out = end(process)
            lost.append(out["lost"] / out["offered"])
    return [
        within("100 Mbit/s with 1 % loss, UDP: departures / set", shares, 0.99, 1.01),
        told("100 Mbit/s with 1 % loss, UDP: share lost", lost),
    ]


def sent(bench, count, per_second, size):
    """Sends numbered datagrams to the host; returns time in nanoseconds and payload of each that arrived."""
    path = os.path.join(bench.options.scratch, "taken")
    bench.ask(do="sink", path=path)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        # No checksum, so that a datagram with a flipped bit arrives.
        sock.setsockopt(socket.SOL_SOCKET, host.SO_NO_CHECK, 1)
        sock.connect((host_address(), host.PORT))
        rest = bytes(size - 36)
        pace(count, per_second, lambda number: sock.send(struct.pack("!II", number, ~number & 0xFFFFFFFF) + rest))
    bench.ask(do="sunk")
    return host.read_taken(path)


def memory(bench):
    """Memory allocations of the link for each packet, counted by a preloaded library."""
    rows = []
    count = 5_000 if bench.quick else 50_000
    path = os.path.join(bench.options.scratch, "count")
    for what, options in (
        ("open", ()),
        ("rate, delay, loss", ("--rate", "1 Gbit/s", "--delay", "5 ms", "--queue", "400", "--loss", "1 %")),
    ):
        with open(path, "wb") as file:
            file.write(bytes(4096))
        environment = {"LD_PRELOAD": bench.options.allocations, "HEADWIND_ALLOCATIONS": path}
        with bench.shaping(*options, environment=environment):
            sent(bench, count // 5, 10_000, 200)
            before = requests(path)
            sent(bench, count, 10_000, 200)
            rows.append(within(f"{what}: requests for memory a packet", [(requests(path) - before) / count], 0, 0.02))
        if before == 0:
            raise RuntimeError("no request for memory was counted at all")
    return rows


def requests(path):
    with open(path, "rb") as file:
        return int.from_bytes(file.read(8), "little")
