"""Medians, ratios of rounds, and their intervals."""

import math
import statistics

CONFIDENCE = 0.95


def interval(values):
    """The narrowest interval of order statistics around the median with a confidence of 95 % or more.

    Returns its ends and its confidence. It is exact for any distribution (the inverse of the sign test). With fewer
    than 6 values no two order statistics reach 95 %: then it goes from the smallest to the largest value.
    """
    ordered = sorted(values)
    count = len(ordered)
    rank = 0
    while 2 * (rank + 1) < count and coverage(count, rank + 1) >= CONFIDENCE:
        rank += 1
    return ordered[rank], ordered[count - 1 - rank], coverage(count, rank)


def coverage(count, rank):
    """The probability that the median lies between the values `rank` from either end, of `count` independent ones."""
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
    """Summary of the ratios of ours to the peer's, round by round: a disturbance in a round affects both."""
    return summary([mine / theirs for mine, theirs in zip(ours, peers)])


def judge_at_least(figure, floor):
    """Judges a figure that must be at least `floor`.

    `held` or `missed` if the whole interval is on one side of it, else `undecided`.
    """
    if figure["lower"] >= floor:
        return "held"
    return "missed" if figure["upper"] < floor else "undecided"


def judge_at_most(figure, ceiling):
    """Judges a figure that must be at most `ceiling`.

    `held` or `missed` if the whole interval is on one side of it, else `undecided`.
    """
    if figure["upper"] <= ceiling:
        return "held"
    return "missed" if figure["lower"] > ceiling else "undecided"
