#!/usr/bin/env python3
"""Requests on-demand resources by a workload, and reports everything as event lines, like headwind-client.

It takes headwind-client's command line. BROKEN_BUG names its bug (bugs.py), and BROKEN_SEED the bug's seed.
"""

import argparse
import os
import signal
import sys
import threading

sys.dont_write_bytecode = True

from bugs import Bugs
from device import Device, URGENT
from download import Way
from events import Events
from workload import Runner, Unreadable, read

IN_USE = {"ios-2015": 2 * 10**9, "tvos-2015": 2 * 10**9, "guide-2017": 2 * 10**9, "pre-18": 2 * 10**9}
LIMITS = [*IN_USE, "ios-18", "tvos-18"]


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(64, f"odr.py: {message}\n")


def arguments():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--manifest", required=True)
    parser.add_argument("--tag-table")
    parser.add_argument("--store", required=True)
    parser.add_argument("--proxy")
    parser.add_argument("--ca")
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("--header-env", action="append", default=[])
    parser.add_argument("--limits", choices=LIMITS, default="ios-2015")
    parser.add_argument("--limit", action="append", default=[])
    parser.add_argument("--capacity", type=int)
    parser.add_argument("--app-size", type=int, default=0)
    parser.add_argument("--radio", choices=["wifi", "cellular", "none"], default="wifi")
    parser.add_argument("--allow-cellular", type=lambda text: text == "true", default=True)
    parser.add_argument("--patience", type=float, default=60.0)
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--events-fd", type=int, default=1)
    parser.add_argument("--workload")
    parser.add_argument("tags", nargs="*")
    options = parser.parse_args()
    if bool(options.workload) == bool(options.tags):
        parser.error("Name either tags or a --workload.")
    options.in_use = IN_USE.get(options.limits)
    for text in options.limit:
        name, _, value = text.partition("=")
        if name == "in-use":
            options.in_use = None if value == "none" else int(value)
    return options


def interrupt(runner, events, number):
    """Cancels all requests, and exits."""
    for request in list(runner.requests.values()):
        runner.device.cancel(request)
    events.tell("exit", status=128 + number)
    os._exit(128 + number)


def main():
    options = arguments()
    try:
        bug = Bugs(os.environ.get("BROKEN_BUG"), os.environ.get("BROKEN_SEED", "0"))
        steps = read(options.workload) if options.workload else [
            {"request": {"id": "r1", "tags": options.tags}}, {"end": "r1"}]
    except (Unreadable, ValueError) as error:
        print(f"odr.py: {error}", file=sys.stderr)
        return 64
    events = Events(options.events_fd)
    events.tell(
        "start", client="odr.py", pid=os.getpid(), manifest=options.manifest.split("?")[0], store=options.store,
        limits=options.limits, radio=options.radio)
    fields = options.header + [os.environ[name] for name in options.header_env]
    way = Way(options.proxy, options.ca, fields, options.patience)
    try:
        device = Device(options, way, bug, os.environ.get("BROKEN_SEED", "0"), events)
    except OSError as error:
        print(f"odr.py: the store '{options.store}' cannot be used: {error}", file=sys.stderr)
        events.tell("exit", status=70)
        return 70
    runner = Runner(device)
    outcome = []
    steps_thread = threading.Thread(target=lambda: outcome.append(runner.run(steps)), daemon=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: interrupt(runner, events, number))
    steps_thread.start()
    # Waits in slices, so that signals are handled.
    while steps_thread.is_alive():
        steps_thread.join(0.2)
    status = 0 if outcome and outcome[0] else 1
    events.tell("exit", status=status)
    return status


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # Unfinished downloads end with the process.
    os._exit(code)
