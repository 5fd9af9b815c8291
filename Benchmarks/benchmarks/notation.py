"""Reads values of links as headwind writes them: `780 kbit/s`, `100 ms`, `1 %`. A missing key means no shaping."""

_SCALES = {
    "bit/s": 1, "kbit/s": 1e3, "Mbit/s": 1e6, "Gbit/s": 1e9,
    "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "%": 0.01,
}  # fmt: skip


def number(text):
    """A rate in bit/s, a time in seconds or a share of 1."""
    value, unit = text.split(" ")
    return float(value) * _SCALES[unit]


def rate(direction):
    """The bits per second of a direction; None if it has no limit."""
    return number(direction["rate"]) if "rate" in direction else None


def delay(direction):
    """The one-way delay of a direction in seconds."""
    return number(direction.get("delay", "0 s"))


def loss(direction):
    """The long-run share of packets that a direction loses."""
    loss = direction.get("loss", "0 %")
    if isinstance(loss, str):
        return number(loss)
    to_bad, to_good = number(loss["good-to-bad"]), number(loss["bad-to-good"])
    bad = to_bad / (to_bad + to_good)
    return bad * number(loss["loss-in-bad"]) + (1 - bad) * number(loss["loss-in-good"])


def blocks(profile):
    """Whether no packet can reach the client at first."""
    return "offline" in profile or loss(profile.get("downlink", {})) >= 1
