"""Checks the shares of random effects, and the bytes of a trace."""

import json
import math
import os
import random
import subprocess

from packetlink import throughput
from packetlink.bench import end
from packetlink.rows import told, within

SHARE = 0.01
SIZE = 100


def shares(bench):
    """Sends datagrams over a link with one random effect, and counts the affected ones at the receiver."""
    count = 10_000 if bench.quick else 100_000
    rows = []
    for effect in ("loss", "duplicate", "reorder", "corrupt"):
        with bench.shaping(f"--{effect}", "1 %", "--delay", "20 ms") as process:
            taken = throughput.sent(bench, count, 20_000, SIZE)
            offered = end(process)["offered"]
        met = count_met(effect, taken, offered)
        least, most = interval(offered, SHARE, 1e-6)
        rows.append(within(f"1 % {effect}: of {offered} packets", [met], least, most))
        if offered < count:
            rows.append(told(f"1 % {effect}: packets that did not reach the link", [count - offered]))
    return rows


def count_met(effect, taken, offered):
    numbers = [int.from_bytes(payload[:4], "big") for _, payload in taken]
    if effect == "loss":
        return offered - len(set(numbers))
    if effect == "duplicate":
        return len(numbers) - len(set(numbers))
    if effect == "corrupt":
        inverted = [int.from_bytes(payload[4:8], "big") for _, payload in taken]
        return sum(
            one ^ other != 0xFFFFFFFF or any(payload[8:]) for one, other, (_, payload) in zip(numbers, inverted, taken)
        )
    # A datagram that overtakes arrives before one with a lower number.
    lowest_behind, overtaking = math.inf, 0
    for number in reversed(numbers):
        overtaking += number > lowest_behind
        lowest_behind = min(lowest_behind, number)
    return overtaking


def seeds(bench):
    """Runs the model with 100 seeds in virtual time; counts the results outside of the 99 % interval."""
    packets = 10_000 if bench.quick else 100_000
    command = [bench.options.loop, "shares", "--seeds", "100", "--packets", str(packets), "--share", "1 %"]
    counts = json.loads(subprocess.check_output(command))
    rows = []
    for index, effect in enumerate(("loss", "duplicate", "reorder", "corrupt"), 1):
        misses, probability = 0, 0.0
        for one in counts:
            # A lost packet is neither doubled, reordered nor corrupted.
            offered = one[0] if effect == "loss" else one[0] - one[1]
            least, most = interval(offered, SHARE, 0.01)
            misses += not least <= one[index] <= most
            probability += outside(offered, SHARE, least, most) / len(counts)
        least, most = interval(len(counts), probability, 1e-6)
        rows.append(within(f"seeds 1 to 100, 1 % {effect}: outside of 99 %", [misses], least, most))
    return rows


def trace(bench):
    """Keeps a link full whose trace goes up and down; compares the bytes of whole periods with the trace's."""
    draw = random.Random(1)
    period, periods = 1000, 2 if bench.quick else 10
    moments = []
    for millisecond in range(1, period + 1):
        expected = 1.5 + 1.4 * math.sin(millisecond * 2 * math.pi / period)
        moments += [millisecond] * (int(expected) + (draw.random() < expected % 1))
    # A trace repeats from its last moment, so that one must be the end of the period.
    if moments[-1] != period:
        moments.append(period)
    path = os.path.join(bench.options.scratch, "trace")
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{moment}\n" for moment in moments)
    with bench.shaping("--trace", path, "--delay", "5 ms", "--queue", "3000") as process:
        per_second = 1.2 * len(moments) * 1000 / period
        taken = throughput.sent(bench, int(per_second * (periods + 1) * period / 1000), per_second, 1500)
        end(process)
    start = taken[0][0] + 500_000_000
    came = sum(start <= moment < start + periods * period * 10**6 for moment, _ in taken)
    return [within("a trace: bytes that came / its own", [came / (periods * len(moments))], 0.995, 1.005)]


def interval(count, share, outside_of):
    """The least and the greatest count of a binomial interval: each tail has less than half of `outside_of`."""
    tail, least = 0.0, 0
    while tail + probability(count, share, least) < outside_of / 2:
        tail += probability(count, share, least)
        least += 1
    tail, most = 0.0, min(count, int(count * share + 60 * math.sqrt(count * share + 1)))
    while tail + probability(count, share, most) < outside_of / 2:
        tail += probability(count, share, most)
        most -= 1
    return least, most


def outside(count, share, least, most):
    return max(0.0, 1 - sum(probability(count, share, one) for one in range(least, most + 1)))


def probability(count, share, of):
    logarithm = math.lgamma(count + 1) - math.lgamma(of + 1) - math.lgamma(count - of + 1)
    return math.exp(logarithm + of * math.log(share) + (count - of) * math.log1p(-share))
