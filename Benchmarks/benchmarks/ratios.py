"""Medians, ratios of rounds, and their intervals."""

import math
import statistics

CONFIDENCE = 0.95


def interval(values):
    """The narrowest interval of order statistics around the median that holds with 95 % or more, and how surely.

    Exact for any distribution (it is the sign test turned round). With fewer than 6 values no two order statistics
    reach 95 %: then it is from the smallest to the largest, with what that holds with.
    """
    ordered = sorted(values)
    count = len(ordered)
    rank = 0
    while 2 * (rank + 1) < count and coverage(count, rank + 1) >= CONFIDENCE:
        rank += 1
    return ordered[rank], ordered[count - 1 - rank], coverage(count, rank)


def coverage(count, rank):
    """How probably the median lies between the values `rank` from either end, of `count` independent ones."""
    outside = sum(math.comb(count, below) for below in range(rank + 1)) / 2**count
    return max(0.0, 1 - 2 * outside)


def summary(values):
    """Median and interval of one series."""
    lower, upper, confidence = interval(values)
    return {
        "median": statistics.median(values),
        "lower": lower,
        "upper": upper,
        "confidence": round(confidence, 4),
        "n": len(values),
        "values": list(values),
    }


def ratio(ours, peers):
    """Summary of the ratios of ours to the peer's, round by round: what disturbs a round disturbs both."""
    return summary([mine / theirs for mine, theirs in zip(ours, peers)])


def judge_at_least(figure, floor):
    """Whether a figure that must not be below `floor` is: by its whole interval, else nothing is decided."""
    if figure["lower"] >= floor:
        return "held"
    return "missed" if figure["upper"] < floor else "undecided"


def judge_at_most(figure, ceiling):
    """Whether a figure that must not be above `ceiling` is: by its whole interval, else nothing is decided."""
    if figure["upper"] <= ceiling:
        return "held"
    return "missed" if figure["lower"] > ceiling else "undecided"
