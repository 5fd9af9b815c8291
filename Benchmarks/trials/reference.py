"""What single downloads took over an independent emulator of packets: a single-threaded loop in Python between two TUNs (rate, a
queue of the larger of the bandwidth-delay product and 50 packets, delay; loss on entry), with Linux 6.18's TCP, cubic. Few values
each, so magnitudes and no statistics."""

import dataclasses
import statistics

from .rows import spread


@dataclasses.dataclass
class Row:
    title: str
    name: str
    size: int
    connect: float
    first: float
    # The least and the most that were seen.
    seconds: tuple
    # A profile of the trial's own; a bundled one by default.
    text: str = ""
    # How often it is measured; with other seeds.
    times: int = 3
    is_lossy: bool = False

    def judge(self, rows, seen):
        """Medians: without loss within a tenth, or 30 ms; with loss within twice what was seen, either way."""
        least, most = self.seconds
        totals = [one["total"] for one in seen]
        total = statistics.median(totals)
        if not self.is_lossy:
            allowed = max(0.1 * most, 0.03)
            held = least - allowed <= total <= most + allowed
            bound = f"{least} ± {allowed:.2g} s"
        else:
            held = least / 2 <= total <= most * 2
            bound = f"median {least / 2:.3g} to {most * 2:.3g} s"
        middle = {key: statistics.median([one[key] for one in seen]) for key in ("connect", "first", "gap")}
        for key, value in (("connect", self.connect), ("first", self.first)):
            # With loss they are twice or three times as long where the handshake or the request was hit.
            held = held and (self.is_lossy or abs(middle[key] - value) <= max(0.15 * value, 0.03))
        note = f"connect {middle['connect']:.3f} ({self.connect}), first byte {middle['first']:.3f} ({self.first}), "
        rows.add(f"{self.title}, s", spread(totals, 2), bound, held, note + f"longest gap {middle['gap']:.2f}")


def lossy(name, base, down, up):
    lines = [f"profile: {name}", "source: of a trial.", f"extends: {base}"]
    lines += [f"{way}: {{loss: {share}}}" for way, share in (("downlink", down), ("uplink", up)) if share]
    return "\n".join(lines) + "\n"


TABLE = [
    Row("dsl, 1 MB", "dsl", 1_000_000, 0.014, 0.034, (4.17, 4.17)),
    Row("3g, 500 kB", "3g", 500_000, 0.203, 0.422, (5.78, 5.78)),
    Row("edge, 100 kB", "edge", 100_000, 0.847, 1.743, (5.54, 5.54)),
    Row("lte, 5 MB", "lte", 5_000_000, 0.115, 0.235, (1.60, 1.60)),
    Row("lte, 50 MB", "lte", 50_000_000, 0.115, 0.26, (9.09, 9.09)),
    Row("wifi, 50 MB", "wifi", 50_000_000, 0.002, 0.027, (10.39, 10.39)),
    Row("3g + 1 % down, 500 kB", "3g-lossy", 500_000, 0.204, 0.422, (5.78, 8.12), lossy("3g-lossy", "3g", "1 %", ""),
        is_lossy=True),
    Row("lte + 1 % both, 5 MB", "lte-lossy", 5_000_000, 0.116, 0.236, (27.7, 36.7),
        lossy("lte-lossy", "lte", "1 %", "1 %"), is_lossy=True),
    Row("very-bad-network, 100 kB", "very-bad-network", 100_000, 1.0, 2.0, (7.2, 18.6), times=6,
        is_lossy=True),
]  # fmt: skip
