"""Pictures of results: bars with 95% intervals. Needs matplotlib, which the `train` extra brings."""

from collections.abc import Sequence
from pathlib import Path

from swapchef.benchmark import Result, summarise
from swapchef.errors import SwapchefError
from swapchef.sources import atomic_path


def plot_results(results: Sequence[Result], path: Path) -> None:
    """Draw the MRR of each ranker as a bar with its 95% interval."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise SwapchefError("Drawing needs matplotlib; install swapchef[train] and try again.") from None
    rows = summarise(results)
    figure = Figure(figsize=(7, 0.45 * len(rows) + 1.4), layout="constrained")
    axes = figure.add_subplot()
    names, values = [row["ranker"] for row in rows], [row["mrr"] for row in rows]
    below = [max(row["mrr"] - row["ci95_mrr"][0], 0) for row in rows]
    above = [max(row["ci95_mrr"][1] - row["mrr"], 0) for row in rows]
    axes.barh(names, values, xerr=[below, above], capsize=3, color="#4c78a8", ecolor="#333333")
    for position, (value, extra) in enumerate(zip(values, above, strict=True)):
        axes.text(value + extra, position, f"  {value:.2f}", va="center", fontsize=9)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_xlabel(f"MRR (%) on Recipe1MSubs {results[0].split}, protocol {results[0].protocol}, with 95% intervals")
    axes.spines[["top", "right"]].set_visible(False)
    try:
        with atomic_path(path) as temporary:
            figure.savefig(temporary, dpi=150, format=path.suffix[1:].lower())
    except OSError as error:
        raise SwapchefError(
            f"Cannot write {path} ({error.strerror or error}); name a folder you may write to."
        ) from None


def plot_curve(epochs: Sequence[tuple[int, float, float]], path: Path) -> None:
    """Draw loss and val MRR by epoch."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise SwapchefError("Drawing needs matplotlib; install swapchef[train] and try again.") from None
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.add_subplot()
    numbers, losses, vals = zip(*epochs, strict=True)
    axes.plot(numbers, losses, color="#999999", label="training loss")
    axes.set(xlabel="epoch", ylabel="training loss")
    right = axes.twinx()
    right.plot(numbers, vals, color="#4c78a8", label="val MRR")
    right.set_ylabel("val MRR (%)")
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    with atomic_path(path) as temporary:
        figure.savefig(temporary, dpi=120, format="png")
