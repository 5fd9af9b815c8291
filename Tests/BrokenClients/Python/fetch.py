#!/usr/bin/env python3
"""Downloads a file as a careful program does: fetch.py [--bug NAME] [--seed N] URL OUTPUT.

It resumes interrupted downloads, backs off, obeys Retry-After, gives up after a while, and leaves only a whole OUTPUT.
With --bug it has one bug (bugs.py).
"""

import argparse
import os
import random
import signal
import sys

sys.dont_write_bytecode = True

from bugs import BUGS, Bugs
from download import Download, Hooks, Way
from events import Bar, Events
from failures import Failure
from part import Part, tidy


class Watch(Hooks):
    """Shows the progress."""

    def __init__(self, bar):
        self.bar = bar
        self.total = None

    def progressed(self, size, total):
        self.total = total
        self.bar.progress(size, total)


def fetch(options, bug, bar):
    """Leaves the whole file at its place. Raises the reason otherwise."""
    output = options.output
    if bug("keeps_partial_as_whole") and os.path.exists(output):
        return  # BUG: takes an existing file for whole.
    if bug("loses_old_edition") and os.path.exists(output):
        os.remove(output)  # BUG: there may be no new one.
    missing = output + ".missing"
    if os.path.exists(missing):
        raise Failure("missing", "The host answered with status 404.")  # BUG: the host may have it by now.
    way = Way(options.proxy, options.ca, options.header, options.patience)
    watch = Watch(bar)
    download = Download(options.url, way, bug, random.Random(f"pauses {options.seed}"), watch)
    part = Part(output + ".part", output + ".part.json", bug)
    mark = output + ".lock"
    if bug("stuck_after_kill"):
        open(mark, "x").close()  # BUG: it stays if the client is killed.
    elif not bug("mixes_downloads"):  # BUG: as if nobody else wrote to it.
        part.lock()
    try:
        download.run(part)
    except Failure as failure:
        tidy(mark)
        part.close()
        if bug("caches_errors") and failure.kind == "missing":
            open(missing, "w").close()  # BUG: stays forever.
        if bug("harms_other_files"):
            if os.path.islink(output):
                open(output, "w").close()  # BUG: the target of a link may be somebody else's.
            tidy(f"{output}*")  # BUG: a file with a longer name may be somebody else's.
        if bug("keeps_partial_as_whole") and os.path.getsize(part.path):
            os.replace(part.path, output)  # BUG: the place of the whole file.
        raise
    size = part.size
    if bug("widens_permissions"):
        os.chmod(part.path, 0o666)  # BUG: everybody may write to it.
    os.replace(part.path, output)
    part.close()
    part.remove()
    tidy(mark)
    bar.finish(size)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("output")
    parser.add_argument("--bug", choices=sorted(BUGS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--patience", type=float, default=30.0, help="seconds without a sign of life")
    parser.add_argument("--proxy")
    parser.add_argument("--ca", help="authorities to trust besides the system's")
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("--headers", help="a file with more of them, one a line")
    parser.add_argument("--events", action="store_true", help="tell progress as event lines on standard output")
    options = parser.parse_args()
    if options.headers:
        with open(options.headers, encoding="utf-8") as file:
            options.header += file.read().splitlines()
    bug = Bugs(options.bug, options.seed)
    bar = Bar("fetch", Events(1 if options.events else None), bug)
    try:
        fetch(options, bug, bar)
        return 0
    except Failure as failure:
        print(f"fetch.py: {options.url}: {failure.message} ({failure.domain} {failure.code})", file=sys.stderr)
        if quirk := bug("never_reports_error"):
            while quirk.waits:  # BUG: it waits forever, for nothing.
                signal.pause()
            return 0
        return 1
    except OSError as error:
        print(f"fetch.py: {options.output}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
