"""When packets arrive, and the processor time of links without traffic."""

import contextlib
import os
import signal
import socket
import statistics
import struct
import time

from packetlink import host
from packetlink.bench import LINKS, be_prompt, client_address, end, host_address, processor_time
from packetlink.rows import told, within

SO_TIMESTAMPNS = 35


def rtt(bench):
    return trips(bench, "")


def hogs(bench):
    """The same as `rtt`, with a busy loop for each processor."""
    with running_hogs():
        return trips(bench, "two hogs beside: " if os.cpu_count() == 2 else "hogs beside: ")


def trips(bench, prefix):
    """Round trips to the host's kernel with 40 ms set, less those without a delay in the same run."""
    count = 40 if bench.quick else 400
    be_prompt()
    with bench.shaping():
        before = echoes(count)
    with bench.shaping("--delay", "20 ms", "--witness") as process:
        trips = echoes(count)
        witness = end(process)["witness_p99_ms"]
    with bench.shaping():
        after = echoes(count)
    base = statistics.mean(before + after)
    errors = sorted((one - base) * 1000 - 40 for one in trips)
    most = max(0.3, 3 * witness)
    return [
        within(f"{prefix}40 ms set: mean error of round trips, ms", [statistics.mean(errors)], -0.1, 0.1),
        within(f"{prefix}40 ms set: p99 of the error, ms", [quantile(errors, 0.99)], -most, most),
        told(f"{prefix}40 ms set: median of the error, ms", [statistics.median(errors)]),
        told(f"{prefix}witness: p99 of its lateness, ms", [witness]),
        told(f"{prefix}zero-delay round trip, before and after, ms", [statistics.mean(before) * 1e3,
                                                                    statistics.mean(after) * 1e3]),
        told(f"{prefix}zero-delay round trip: p99 over its mean, ms",
             [(quantile(sorted(before + after), 0.99) - base) * 1000]),
    ]  # fmt: skip


def quantile(ordered, share):
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


@contextlib.contextmanager
def running_hogs():
    children = []
    for _ in range(os.cpu_count()):
        child = os.fork()
        if child == 0:
            while True:
                pass
        children.append(child)
    try:
        yield
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def echoes(count):
    """Round trips of pings in seconds, up to the time at which the kernel received the answer."""
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as sock:
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        sock.settimeout(2)
        trips = []
        for number in range(count + 5):
            message = struct.pack("!BBHHH", 8, 0, 0, 77, number) + bytes(56)
            total = sum(struct.unpack("!32H", message))
            total = (total & 0xFFFF) + (total >> 16)
            message = message[:2] + struct.pack("!H", ~((total & 0xFFFF) + (total >> 16)) & 0xFFFF) + message[4:]
            begin = time.clock_gettime_ns(time.CLOCK_REALTIME)
            sock.sendto(message, (host_address(), 0))
            while True:
                answer, notes, _, _ = sock.recvmsg(2048, 256)
                if answer[20] == 0 and struct.unpack("!H", answer[26:28])[0] == number:
                    break
            seconds, nanoseconds = struct.unpack("qq", notes[0][2][:16])
            trips.append((seconds * 10**9 + nanoseconds - begin) / 1e9)
            time.sleep(0.007)
        return trips[5:]


def cells(bench):
    """20 full links of 780 kbit/s and 100 ms: arrival times of packets, against one packet every 15.4 ms."""
    rate, size, seconds = 780_000, 1500, 3 if bench.quick else 20
    with bench.shaping(
        "--rate", "780 kbit/s", "--delay", "100 ms", "--queue", "50", "--witness", links=LINKS
    ) as process:
        sockets = host.sinks(client_address, host.PORT, LINKS)
        taken = []
        bench.ask(
            do="flood", to=[client_address(link) for link in range(LINKS)], per_second=1.1 * rate / 8 / size, size=size,
            seconds=seconds,
        )  # fmt: skip
        be_prompt()
        host.take(sockets, taken)
        witness = end(process)["witness_p99_ms"]
    errors, rates = [], []
    for link in range(LINKS):
        # The first packets arrive before their link is full.
        times = [moment for moment, number, _ in taken if number == link][10:]
        times = times[: int((seconds - 1) * rate / 8 / size)]
        step = size * 8e9 / rate
        offsets = [moment - index * step for index, moment in enumerate(times)]
        errors += [(offset - min(offsets)) / 1e6 for offset in offsets]
        rates.append((len(times) - 1) * step / (times[-1] - times[0]))
    errors.sort()
    return [
        within("20 full links of 780 kbit/s: p99 of lateness, ms", [quantile(errors, 0.99)], 0, 0.6),
        within("20 full links of 780 kbit/s: rate / set, worst", [min(rates, key=lambda one: -abs(one - 1))], 0.99, 1.01),
        told("20 full links of 780 kbit/s: packets, median lateness, ms", [statistics.median(errors)]),
        told("20 full links of 780 kbit/s: witness, p99, ms", [witness]),
    ]


def idle(bench):
    """Processor time of links without traffic, a second after the last packet."""
    seconds = 1 if bench.quick else 10
    with bench.shaping("--rate", "780 kbit/s", "--delay", "20 ms", links=LINKS) as process:
        echoes(10)
        time.sleep(1)
        before = [processor_time(process, name) for name in ("packet-link", None)]
        time.sleep(seconds)
        after = [processor_time(process, name) for name in ("packet-link", None)]
    if before[0] == 0:
        raise RuntimeError("no thread of a link was found")
    links, whole = ((end - begin) * 1e6 / seconds for begin, end in zip(before, after))
    return [
        within("20 idle links: processor time, µs a second", [links], 0, 0),
        told("20 idle links: of the program around them, µs a second", [whole - links]),
    ]
