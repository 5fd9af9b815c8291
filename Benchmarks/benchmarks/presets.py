"""Goodput of the loss-free presets up to 5 Mbit/s against the ideal of the model."""

import json
import os
import subprocess

from . import notation, peers, processes, ratios
from .processes import Failure
from .session import progress

TITLE = "presets"
SETUP = (
    "'headwind run' with the built-in host and client: one pack a preset, of a size that the link takes 6 s for; --quick 1 s. The peer is the "
    "ideal time and throughput of the same bytes over the same link, computed by LinkModel; the ratio is ideal / measured time to "
    "available, and measured / ideal throughput, so 1 is perfect and less is slower. Cells run 4 at a time: a slow link is "
    "mostly waiting."
)
FASTEST = 5_000_000
# At a lower rate one packet takes longer than a whole download should here: 12 s at 1 kbit/s.
SLOWEST = 20_000
# The share of a rate that is payload: 1448 of 1500 bytes (docs/reference/proxy.md).
PAYLOAD = 1448 / 1500
SCENARIO = """\
scenario: Goodput of {name}
packs: ./{name}
link: {{profile: {name}, seed: 1}}
workload:
  - request: {{tags: [pack.bin]}}
attempts: {attempts}
deadline: 120 s
"""


def run(session):
    """Ratios of every preset."""
    chosen, slow = _chosen(session)
    folder = session.folder("presets")
    seconds = session.size(6, 1)
    for name, rate in chosen:
        os.mkdir(os.path.join(folder, name))
        with open(os.path.join(folder, name, "pack.bin"), "wb") as file:
            file.write(os.urandom(max(1, int(rate * PAYLOAD * seconds / 8))))
        text = SCENARIO.format(name=name, attempts=session.rounds)
        peers.write(os.path.join(folder, name + ".yaml"), text)
    progress(f"{len(chosen)} presets, {session.rounds} attempts of {seconds} s or more each, 4 at a time")
    limit = 120 + 3 * session.rounds * (seconds + 10) * len(chosen) / 4
    cells = _cells(session, folder, limit)
    rates = dict(chosen)
    cells.sort(key=lambda cell: rates.get(cell["link"]["profile"], 0))
    return [_left_out(*one) for one in slow] + [_row(cell, rates) for cell in cells]


def _cells(session, folder, limit):
    """Runs the scenarios of a folder, within `limit` seconds; returns the cells of the result."""
    arguments = [session.headwind, "run", folder, "--jobs", "4", "--format", "json"]
    log, printed = os.path.join(session.scratch, "presets.log"), os.path.join(session.scratch, "presets.json")
    with processes.server(arguments, log, output=printed) as process:
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            raise Failure(f"headwind run did not end within {limit:.0f} s") from None
    try:
        return json.loads(peers.read(printed))["cells"]
    except (ValueError, KeyError):
        raise Failure(f"headwind run ended with {status}: {peers.read(log)[-1000:].strip()}") from None


def _left_out(name, rate):
    """The row of a preset that is too slow to measure. It is no failure: a run of seconds cannot measure it."""
    progress(f"NOT MEASURED: {name}: at {rate} bit/s a single packet takes {12000 / rate:.1f} s")
    return {"what": f"{name}, {rate / 1000:g} kbit/s", "unit": "", "left_out": f"left out: below {SLOWEST / 1000:g} kbit/s"}


def _chosen(session):
    """Names and rates of the presets to measure, and of those that are too slow.

    A preset qualifies if it has only rates and delays, which never change.
    """
    arguments = [session.headwind, "profile", "list", "--format", "json"]
    listed = json.loads(subprocess.run(arguments, stdout=subprocess.PIPE, check=True).stdout)
    chosen, slow = [], []
    for profile in listed:
        rate = notation.rate(profile.get("downlink", {}))
        extra = set(profile) - {"profile", "version", "source", "summary", "title", "downlink", "uplink"}
        if rate and rate <= FASTEST and not extra and _lossless(profile):
            (chosen if rate >= SLOWEST else slow).append((profile["profile"], rate))
    return chosen, slow


def _lossless(profile):
    return all(key in ("rate", "delay") for way in ("downlink", "uplink") for key in profile.get(way, {}))


def _row(cell, rates):
    name = cell["link"]["profile"]
    times, speeds, ideal = [], [], None
    for attempt in cell["attempts"]:
        took, speed = (attempt["samples"].get(key) for key in ("time_to_available_seconds", "throughput_bits_per_second"))
        if attempt["counts"] and took and attempt["ideal"].get("time_to_available_seconds"):
            ideal = attempt["ideal"]
            times.append(ideal["time_to_available_seconds"] / took)
            if speed and ideal.get("throughput_bits_per_second"):
                speeds.append(speed / ideal["throughput_bits_per_second"])
    made = {"what": f"{name}, {rates[name] / 1000:g} kbit/s", "unit": "of ideal", "verdict": cell["verdict"]}
    findings = sorted({finding["finding"] for finding in cell["findings"]})
    made["note"] = f"cell: {cell['verdict']} ({', '.join(findings)})" if cell["verdict"] != "pass" else None
    if len(speeds) < 2 or len(speeds) != len(times):
        made["failure"] = f"{len(speeds)} usable attempts of {len(cell['attempts'])}; {made['note']}"
        return made
    made["ratio"] = ratios.summary(speeds)
    made["time"] = {**ratios.summary(times), "ideal_seconds": ideal["time_to_available_seconds"]}
    made["floor"] = {"at_least": 0.99, "verdict": ratios.judge_at_least(made["ratio"], 0.99)}
    return made
