"""The paper's table of results, measured: every ranker with its figures, the published ones and its training time.

Rankers that take seconds are fitted on the spot; those that take minutes are loaded from their run folders, and one
without a finished run gets a sentence in place of figures.
"""

import csv
import io
import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from swapchef.benchmark import Benchmark, Result, current_commit, evaluate, summarise
from swapchef.errors import DataError
from swapchef.rankers import RANKERS, load_ranker, make_ranker, ranker_class
from swapchef.rankers.base import Ranker
from swapchef.sources import atomic_path

Advance = Callable[[int], None]


@dataclass(frozen=True)
class Published:
    """The MRR that the paper reports on test, of all, seen and unseen pairs: the means of its tables 1 and 2."""

    mrr: float
    mrr_id: float
    mrr_ood: float


# "Learning to Substitute Ingredients in Recipes", tables 1 and 2. Its Freq counts sources, as `freq-as-published` does;
# it ranks with metapath2vec's published vectors, and uses node2vec only as features.
PUBLISHED = {
    "random": Published(0.15, 0.15, 0.13),
    "mode": Published(1.62, 2.31, 0.39),
    "lt": Published(2.53, 3.91, 0.02),
    "freq-as-published": Published(3.81, 5.11, 1.44),
    "lt+freq": Published(27.66, 42.95, 0.03),
    "food2vec": Published(9.65, 11.93, 4.74),
    "foodbert": Published(9.32, 11.69, 4.48),
    "r-foodbert": Published(10.09, 13.06, 3.76),
    "metapath2vec-published": Published(0.79, 0.91, 0.61),
    "pinsage": Published(17.86, 25.09, 4.75),
    "gismo": Published(31.51, 46.53, 5.77),
}


@dataclass(frozen=True)
class Row:
    """One ranker of the table: its figures, or why it has none."""

    ranker: str
    results: tuple[Result, ...] = ()  # one a seed
    minutes: float = 0.0  # of training, the mean over seeds
    parameters: int = 0  # numbers that were learned
    weights: str = ""  # pretrained ones that it started from
    missing: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the row under the names that reports use."""
        figures: dict[str, Any] = {"ranker": self.ranker}
        if self.results:
            summary = summarise([replace(result, ranker=self.ranker) for result in self.results])[0]
            figures |= {key: value for key, value in summary.items() if key != "seconds"}
            figures |= {"minutes": round(self.minutes, 2), "parameters": self.parameters, "weights": self.weights}
        else:
            figures["missing"] = self.missing
        if paper := PUBLISHED.get(self.ranker):
            figures |= {"published_mrr": paper.mrr, "published_id": paper.mrr_id, "published_ood": paper.mrr_ood}
        return figures


@dataclass(frozen=True)
class Contestant:
    """A ranker to measure: one to fit on the spot, or one that was trained into a run folder."""

    ranker: Ranker
    seed: int = 0
    folder: Path | None = None
    trained: bool = False

    @property
    def weights(self) -> str:
        """The pretrained weights it started from; "" for random ones."""
        return str(self.ranker.config().get("start", ""))

    @property
    def label(self) -> str:
        """Its name in reports, which says what weights it started from."""
        return f"{self.ranker.name} ({self.weights})" if self.weights else self.ranker.name

    def measure(self, benchmark: Benchmark, split: str, protocol: str, advance: Advance) -> Result:
        """Fit it if need be, and rank the split; the seconds are those of both."""
        start = time.perf_counter()
        if not self.trained:
            self.ranker.fit(benchmark.train, benchmark.val)
        result = evaluate(self.ranker, benchmark, split, protocol, ranker=self.label, seed=self.seed, progress=advance)
        return replace(result, seconds=time.perf_counter() - start)


def contestants(name: str, seeds: int, runs: Path) -> list[Contestant]:
    """Return the rankers of a name, or of a folder that holds one run or several seeds."""
    if (folder := Path(name)).is_dir():
        is_run = (folder / "config.json").exists()
        of_seeds = [] if is_run else [run for kind in RANKERS for run in _seeds(folder, kind)]
        return [_trained(run) for run in of_seeds or [folder]]
    kind = ranker_class(name)
    if kind.needs_training:
        finished = finished_runs(runs, kind.name)
        if not finished:
            raise DataError(missing_run(runs, kind.name))
        return [_trained(folder) for folder in finished]
    if kind.uses_chance:
        return [Contestant(make_ranker(name, seed=seed), seed) for seed in range(seeds)]
    return [Contestant(make_ranker(name))]


def _trained(folder: Path) -> Contestant:
    ranker = load_ranker(folder)
    return Contestant(ranker, int(ranker.config().get("seed", 0)), folder, trained=True)


def finished_runs(runs: Path, name: str) -> list[Path]:
    """Return the folders of a ranker's finished runs: `runs/NAME`, or `runs/NAME/NAME-SEED` for several seeds."""
    return [*([runs / name] if _holds(runs / name, name) else []), *_seeds(runs / name, name)]


def _seeds(folder: Path, name: str) -> list[Path]:
    seeds = [run for run in folder.glob(f"{name}-*") if re.fullmatch(r"\d+", run.name[len(name) + 1 :])]
    return [run for run in sorted(seeds) if _holds(run, name)]


def _holds(folder: Path, name: str) -> bool:
    try:
        finished = "minutes" in json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
        return bool(finished and json.loads((folder / "config.json").read_text(encoding="utf-8"))["ranker"] == name)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def missing_run(runs: Path, name: str) -> str:
    """Say that a ranker was not trained, and how to train it."""
    folder = runs / name
    return f"{name} has no finished run in {folder}; train it with `swapchef train {name} --out {folder}`."


def measure_table(
    benchmark: Benchmark, split: str, protocol: str, runs: Path, seeds: int = 1, advance: Advance = lambda _: None
) -> Iterator[Row]:
    """Yield the rows of the whole table one by one; the row of a ranker that lacks data says what is missing."""
    for name in RANKERS:
        try:
            yield _measured(name, contestants(name, seeds, runs), benchmark, split, protocol, advance)
        except DataError as error:
            yield Row(name, missing=str(error))


def _measured(
    name: str, measured: list[Contestant], benchmark: Benchmark, split: str, protocol: str, advance: Advance
) -> Row:
    results, minutes = [], []
    for contestant in measured:
        result = contestant.measure(benchmark, split, protocol, advance)
        minutes.append(float(_metrics(contestant.folder).get("minutes", result.seconds / 60)))
        results.append(replace(result, seconds=60 * minutes[-1]))
    return Row(name, tuple(results), sum(minutes) / len(minutes), parameters_of(measured[0]), measured[0].weights)


def table_size(runs: Path, seeds: int) -> int:
    """Return how many rankers the whole table has to rank a split with."""
    return sum(
        len(finished_runs(runs, name)) if kind.needs_training else seeds if kind.uses_chance else 1
        for name, kind in RANKERS.items()
    )


def parameters_of(contestant: Contestant) -> int:
    """Return how many parameters a ranker has learned, from its run's metrics or else from its arrays."""
    recorded = _metrics(contestant.folder).get("parameters")
    if recorded is not None:
        return int(recorded)
    arrays = contestant.ranker.arrays()
    weights = {name: array for name, array in arrays.items() if name.startswith("weights.")} or arrays
    return sum(int(array.size) for array in weights.values())


def _metrics(folder: Path | None) -> dict[str, Any]:
    if folder is None:
        return {}
    try:
        metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return metrics if isinstance(metrics, dict) else {}


COLUMNS = (
    "ranker", "weights", "seeds", "mrr", "mrr_std", "hit@1", "hit@3", "hit@10", "mrr_id", "mrr_ood", "published_mrr",
    "published_id", "published_ood", "minutes", "parameters", "split", "protocol", "commit", "data", "missing",
)  # fmt: skip


def write_table(rows: list[Row], path: Path, split: str, protocol: str, data: str) -> None:
    """Write the table as CSV, with the commit and the data that produced it."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    about = {"split": split, "protocol": protocol, "commit": current_commit(), "data": data}
    writer.writerows({**row.as_json(), **about} for row in rows)
    try:
        with atomic_path(path) as temporary:
            temporary.write_text(text.getvalue(), encoding="utf-8")
    except OSError as error:
        raise DataError(f"Cannot write {path} ({error.strerror or error}); name another file.") from None
