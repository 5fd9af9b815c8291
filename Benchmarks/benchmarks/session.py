"""The state that all benchmarks of one session share."""

import os
import sys

from . import ratios


class Session:
    """One session: the programs, a scratch folder, the number of rounds, and whether sizes are tiny (`quick`)."""

    def __init__(self, root, programs, scratch, rounds, quick):
        self.root = root
        self.scratch = scratch
        self.rounds = rounds
        self.quick = quick
        self.headwind = os.path.join(programs, "headwind")
        self.client = os.path.join(programs, "headwind-client")

    def size(self, full, quick):
        """The amount of work: `full`, or `quick` if the benchmarks are only tried."""
        return quick if self.quick else full

    def folder(self, name):
        """A new folder in the scratch folder."""
        path = os.path.join(self.scratch, name)
        os.makedirs(path)
        return path

    def interleave(self, contenders):
        """Measures every contender once a round; the first one changes each round. A round before that does not count.

        `contenders` maps names to functions that return a measurement. Returns lists of measurements by name.
        """
        names = list(contenders)
        measured = {name: [] for name in names}
        for name in names:
            contenders[name]()
        for turn in range(self.rounds):
            progress(f"round {turn + 1} of {self.rounds}")
            first = turn % len(names)
            for name in names[first:] + names[:first]:
                measured[name].append(contenders[name]())
        return measured


def progress(text):
    """Prints the progress on stderr."""
    print(f"  {text}", file=sys.stderr, flush=True)


def row(what, unit, ours, peer=None, peers=None, floor=None, ceiling=None, note=None):
    """One line of results.

    `ours` and `peers` are series by round; `peer` names the other side. A floor or a ceiling applies to the ratio if
    there is a peer, else to `ours`.
    """
    made = {"what": what, "unit": unit, "headwind": ratios.summary(ours), "note": note}
    figure = made["headwind"]
    if peers is not None:
        made["peer"] = {"name": peer, **ratios.summary(peers)}
        made["ratio"] = figure = ratios.ratio(ours, peers)
    if floor is not None:
        made["floor"] = {"at_least": floor, "verdict": ratios.judge_at_least(figure, floor)}
    if ceiling is not None:
        made["floor"] = {"at_most": ceiling, "verdict": ratios.judge_at_most(figure, ceiling)}
    return made
