"""Figures of results with matplotlib: MRR bars with 95% intervals, training curves and reliability diagrams."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swapchef.errors import SwapchefError
from swapchef.sources import atomic_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BLUE, _ORANGE, _GREY = "#4c78a8", "#f58518", "#999999"


def plot_results(rows: Sequence[Mapping[str, Any]], path: Path, split: str, protocol: str) -> None:
    """Draw each row of `summarise` as an MRR bar with its 95% interval, and a published MRR as a mark."""
    figure = _figure(7, 0.45 * len(rows) + 1.4)
    axes = figure.add_subplot()
    names, values = [row["ranker"] for row in rows], [row["mrr"] for row in rows]
    below = [max(row["mrr"] - row["ci95_mrr"][0], 0) for row in rows]
    above = [max(row["ci95_mrr"][1] - row["mrr"], 0) for row in rows]
    axes.barh(names, values, xerr=[below, above], capsize=3, color=_BLUE, ecolor="#333333", label="measured")
    if published := {row["ranker"]: row["published_mrr"] for row in rows if "published_mrr" in row}:
        axes.scatter(
            list(published.values()),
            list(published),
            marker="D",
            s=28,
            color=_ORANGE,
            edgecolor="white",
            label="published",
            zorder=3,
        )
        axes.legend(loc="upper right", frameon=False)  # where the weakest rankers leave room
    for position, (row, extra) in enumerate(zip(rows, above, strict=True)):
        end = max(row["mrr"] + extra, row.get("published_mrr", 0))
        axes.text(end, position, f"  {row['mrr']:.2f}", va="center", fontsize=9)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_xlabel(f"MRR (%) on Recipe1MSubs {split}, protocol {protocol}, with 95% intervals")
    axes.spines[["top", "right"]].set_visible(False)
    _save(figure, path)


def plot_curve(epochs: Sequence[tuple[int, float, float]], path: Path, figure_on_val: str = "val MRR") -> None:
    """Draw the training loss and the val figure of each epoch."""
    figure = _figure(6, 3.5)
    axes = figure.add_subplot()
    numbers, losses, vals = zip(*epochs, strict=True)
    axes.plot(numbers, losses, color=_GREY, label="training loss")
    axes.set(xlabel="epoch", ylabel="training loss")
    right = axes.twinx()
    right.plot(numbers, vals, color=_BLUE, label=figure_on_val)
    right.set_ylabel(f"{figure_on_val} (%)")
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    _save(figure, path)


def plot_reliability(bins: Sequence[tuple[float, float, int]], path: Path, title: str) -> None:
    """Draw the reliability diagram of bins, each (mean predicted probability, share correct, queries)."""
    figure = _figure(4.5, 4.5)
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color=_GREY, linestyle="--", linewidth=1)
    predicted, correct, counts = zip(*bins, strict=True)
    axes.plot(predicted, correct, color=_BLUE, linewidth=1)
    axes.scatter(predicted, correct, s=[10 + 300 * count / sum(counts) for count in counts], color=_BLUE)
    axes.set(xlabel="probability given", ylabel="share that was right", xlim=(0, 1), ylim=(0, 1), title=title)
    axes.spines[["top", "right"]].set_visible(False)
    _save(figure, path)


def _figure(width: float, height: float) -> "Figure":
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise SwapchefError("Drawing needs matplotlib; install swapchef[train] and try again.") from None
    return Figure(figsize=(width, height), layout="constrained")


def _save(figure: "Figure", path: Path) -> None:
    try:
        with atomic_path(path) as temporary:
            figure.savefig(temporary, dpi=150, format=path.suffix[1:].lower())
    except OSError as error:
        raise SwapchefError(
            f"Cannot write {path} ({error.strerror or error}); name a folder you may write to."
        ) from None
