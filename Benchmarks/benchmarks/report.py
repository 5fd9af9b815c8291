"""Results as text."""

import textwrap


def is_bad(result):
    """Whether a floor was missed, or something could not be measured."""
    if any("failure" in part for part in result["benchmarks"]):
        return True
    rows = [one for part in result["benchmarks"] for one in part["rows"]]
    return any("failure" in one or one.get("floor", {}).get("verdict") == "missed" for one in rows)


def text(result):
    """The whole report."""
    machine, programs = result["machine"], result["programs"]
    lines = [
        f"{programs['headwind']} ({programs['commit']}), {machine['date']}",
        f"{machine['processors']} × {machine['processor']}, {machine['memory_bytes'] / 1e9:.1f} GB, "
        f"{machine['system']}, Linux {machine['kernel']}, load average before {machine['load_average_before']:.2f}",
        f"Peers: {'; '.join(str(programs[name] or name + ' MISSING') for name in _peers(programs))}",
        f"{result['rounds']} interleaved rounds after one that does not count. Each figure is a median; in brackets is its",
        f"interval of order statistics, with a confidence of at least {_confidence(result)}. A ratio is the median of the ratios of",
        "the rounds: Headwind / peer, unless it says otherwise.",
    ]
    lines += [f"WARNING: {warning}" for warning in result["warnings"]]
    for part in result["benchmarks"]:
        lines += ["", f"{part['name']} ({part['seconds']} s; steal {part['noise']['steal_ratio']:.1%})"]
        lines += textwrap.wrap(part["setup"], 118, initial_indent="  ", subsequent_indent="  ")
        if "failure" in part:
            lines.append(f"  NOT MEASURED: {part['failure']}")
        lines += _table([_cells(one) for one in part["rows"]])
    return "\n".join(lines)


def _peers(programs):
    return [name for name in programs if name not in ("headwind", "commit", "folder")]


def _confidence(result):
    found = [one["ratio"]["confidence"] for part in result["benchmarks"] for one in part["rows"] if "ratio" in one]
    return f"{min(found, default=0):.1%}"


def _cells(one):
    if "left_out" in one:
        return [one["what"], "NOT MEASURED", one["left_out"], "", ""]
    if "failure" in one:
        return [one["what"], "NOT MEASURED", one["failure"], "", ""]
    peer, floor = one.get("peer"), one.get("floor")
    limit = ""
    if floor:
        limit = f">= {floor['at_least']:g}" if "at_least" in floor else f"<= {floor['at_most']:g}"
        limit += f": {floor['verdict']}"
    ours = _figure(one["headwind"], one["unit"]) if "headwind" in one else ""
    if "time" in one:
        ours = f"time {_figure(one['time'], '')}"
    theirs = f"{peer['name']} {_figure(peer, one['unit'])}" if peer else ""
    ratio = _figure(one["ratio"], "") if "ratio" in one else ""
    return [one["what"], ours, theirs, ratio, " ".join(filter(None, (limit, one.get("note"))))]


def _figure(figure, unit):
    return f"{_number(figure['median'])} [{_number(figure['lower'])}, {_number(figure['upper'])}] {unit}".strip()


def _number(value):
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4f}" if 0.9 <= value < 1.1 else f"{value:.3g}"


def _table(rows):
    if not rows:
        return []
    table = [["", "Headwind", "peer", "ratio", "floor"], *rows]
    widths = [max(len(cells[column]) for cells in table) for column in range(5)]
    return ["  " + "  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip() for cells in table]
