"""The command: see --help."""

import argparse
import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time

from . import client, host, idle, latency, machine, many, presets, proxy, report
from .processes import Failure
from .session import Session

BENCHMARKS = {part.TITLE: part for part in (proxy, latency, idle, many, host, client, presets)}


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(64, f"benchmarks: {message}; see --help\n")


def _arguments():
    parser = _Parser(
        prog="Benchmarks/run", description="Measures Headwind against its peers on this machine, in one session."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"what to measure: {', '.join(BENCHMARKS)}; all by default")
    parser.add_argument("--rounds", type=int, default=7, help="interleaved rounds, 7 or more (default: 7)")
    parser.add_argument("--json", metavar="FILE", help="write the results as JSON; - is stdout, instead of the table")
    parser.add_argument("--programs", metavar="DIR", help="where headwind is (default: .build/release)")
    parser.add_argument("--quick", action="store_true", help="2 rounds of tiny sizes: tries the benchmarks, measures nothing")
    parser.add_argument("--root", default=".", help=argparse.SUPPRESS)
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in BENCHMARKS]
    if unknown:
        parser.exit(64, f"benchmarks: no benchmark is called {unknown[0]}; there are {', '.join(BENCHMARKS)}\n")
    if given.rounds < 7 and not given.quick:
        parser.exit(64, "benchmarks: fewer than 7 rounds say too little; --quick only tries the benchmarks\n")
    return given


def main():
    """Measures, prints the report, and returns the exit status."""
    given = _arguments()
    programs = os.path.abspath(given.programs or os.path.join(given.root, ".build/release"))
    lacking = [name for name in ("headwind", "headwind-client") if not os.access(os.path.join(programs, name), os.X_OK)]
    if lacking:
        print(f"benchmarks: {programs}/{lacking[0]} is missing; 'Scripts/headwind --version' builds it", file=sys.stderr)
        return 69
    # A signal becomes an exit, so that servers end and the scratch folder is removed.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: sys.exit(128 + received))
    rounds = 2 if given.quick else given.rounds
    result = {
        "schema_version": 1,
        "command": ["Benchmarks/run", *sys.argv[1:]],
        "quick": given.quick,
        "rounds": rounds,
        "machine": machine.describe(),
        "programs": machine.programs(given.root, programs),
        "warnings": machine.warnings(given.root, programs, given.quick),
        "benchmarks": [],
    }
    for warning in result["warnings"]:
        print(f"benchmarks: WARNING: {warning}", file=sys.stderr)
    with _scratch() as scratch:
        session = Session(given.root, programs, scratch, rounds, given.quick)
        for name in given.names or BENCHMARKS:
            result["benchmarks"].append(_measure(BENCHMARKS[name], session))
    if given.json and given.json != "-":
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=2, sort_keys=True)
            file.write("\n")
    if given.json == "-":
        print(json.dumps(result, indent=2, sort_keys=True))
    else:
        print(report.text(result))
    return 1 if report.is_bad(result) else 0


def _measure(part, session):
    print(f"benchmarks: {part.TITLE}", file=sys.stderr, flush=True)
    made = {"name": part.TITLE, "setup": part.SETUP, "rows": []}
    before, began = machine.noise(), time.monotonic()
    try:
        made["rows"] = part.run(session)
    except (Failure, OSError) as failure:
        made["failure"] = str(failure)
        print(f"benchmarks: NOT MEASURED: {part.TITLE}: {failure}", file=sys.stderr, flush=True)
    made["seconds"] = round(time.monotonic() - began, 1)
    made["noise"] = machine.noise_since(before)
    return made


@contextlib.contextmanager
def _scratch():
    folder = tempfile.mkdtemp(prefix="headwind-benchmarks-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
