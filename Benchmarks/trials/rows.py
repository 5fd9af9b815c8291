"""Rows of a trial: a value, its bound, held or missed. Each is printed at once."""

import json
import os
import statistics


class Rows:
    """All rows of one trial."""

    def __init__(self):
        self.rows = []

    def add(self, what, value, bound=None, held=None, note=""):
        """Adds and prints a row; without a bound it is not judged."""
        verdict = None if held is None else "held" if held else "missed"
        self.rows.append({"what": what, "value": value, "bound": bound, "verdict": verdict, "note": note})
        end = f"  {bound}: {verdict}" if verdict else ""
        print(f"{what:46} {value}{end}{'  ' + note if note else ''}", flush=True)

    def failed(self, what, why):
        """Adds a row that could not be measured. It counts as missed."""
        self.add(what, "NOT MEASURED", "to be measured", False, " ".join(str(why).split())[-300:])

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"load": os.getloadavg(), "rows": self.rows}, file, indent=2)

    def status(self):
        """Prints how many bounds held; returns the exit status: 1 if a bound was missed, else 0."""
        missed = sum(row["verdict"] == "missed" for row in self.rows)
        judged = sum(row["verdict"] is not None for row in self.rows)
        print(f"{judged - missed} of {judged} bounds held; load average {os.getloadavg()[0]:.1f}")
        return 1 if missed else 0


def spread(values, digits=1):
    """Median, minimum and maximum of values, as text."""
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f}, {max(values):.{digits}f}]"


def quartiles(values):
    """The three quartiles."""
    return statistics.quantiles(values, n=4) if len(values) > 1 else [values[0]] * 3


def modes(values, gap):
    """Splits the sorted values at gaps larger than `gap`; returns the median and the count of each group."""
    groups = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] <= gap:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [(statistics.median(group), len(group)) for group in groups]
