"""Rows of the table: a figure, its bound, and whether the bound held."""

from benchmarks import ratios


def against(what, ours, peer, peers, at_least=None):
    """A row with the ratio to a peer, round by round; without a bound it is only reported."""
    figure = ratios.ratio(ours, peers)
    return {
        "what": what, "headwind": ratios.summary(ours), "peer": {"name": peer, **ratios.summary(peers)},
        "ratio": figure, "bound": f">= {at_least}" if at_least else "",
        "verdict": ratios.judge_at_least(figure, at_least) if at_least else "told",
    }  # fmt: skip


def within(what, ours, least, most):
    """A row with a bound: held or missed if the whole interval is inside or outside of it, else undecided."""
    figure = ratios.summary(ours)
    held = least <= figure["lower"] and figure["upper"] <= most
    missed = figure["upper"] < least or figure["lower"] > most
    verdict = "held" if held else "missed" if missed else "undecided"
    return {"what": what, "headwind": figure, "bound": f"{least:.4g} to {most:.4g}", "verdict": verdict}


def told(what, values):
    """A row without a bound."""
    return {"what": what, "headwind": ratios.summary(values), "bound": "", "verdict": "told"}


def show(rows):
    def text(figure):
        if figure["n"] == 1:
            return f"{figure['median']:.4g}"
        return f"{figure['median']:.4g} [{figure['lower']:.4g}, {figure['upper']:.4g}]"

    for row in rows:
        line = f"{row['what']:58} {text(row['headwind']):26}"
        if "peer" in row:
            line += f" {row['peer']['name']} {text(row['peer'])}, ratio {text(row['ratio'])}"
        if row["bound"]:
            line += f"  {row['bound']}: {row['verdict']}"
        print(line)
