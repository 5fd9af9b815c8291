"""Times of single downloads over an independent packet emulator.

The emulator is a single-threaded loop in Python between two TUNs: loss on entry, rate, delay, and a queue of the larger
of the bandwidth-delay product and 50 packets. TCP is that of Linux 6.18 with cubic. Each row has few values, so that
only magnitudes can be compared.
"""

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
    # The least and the most seconds of the emulator's downloads.
    seconds: tuple
    # The text of the trial's own profile; empty for the bundled profile `name`.
    text: str = ""
    # How many downloads are measured, each with another seed.
    times: int = 3
    is_lossy: bool = False

    def judge(self, rows, seen):
        """Adds a row that judges the medians of these downloads.

        Without loss the time may be off by a tenth or 30 ms. With loss it may be half the least to twice the most.
        """
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
            # With loss these may take two or three times as long, if the handshake or the request is lost.
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
