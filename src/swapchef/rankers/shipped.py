"""The rankers that a cook can ask, by name: ours and GISMo as they are shipped, the paper's statistics, run folders.

Statistics are counted on the spot from the reports that our ranker's bundle holds. A ranker that takes minutes to train
and is not shipped is asked by the folder it was trained into, if its ingredients are the shipped ones.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from scipy import sparse

from swapchef.benchmark import Split
from swapchef.bundles import verify_bundle
from swapchef.errors import DataError, SwapchefError
from swapchef.foods.matching import Vocabulary
from swapchef.rankers import RANKERS, STATISTICS, Ranker, load_ranker, make_ranker, ranker_class
from swapchef.rankers.evidence import Evidence

OURS = "fusion"
WITH_WEIGHTS = {OURS: "bundle", "gismo": "rankers/gismo_bundle"}  # whose weights are shipped, and where
_WEIGHTS = ("config.json", "weights.safetensors")
ASKED_BY_NAME = (*WITH_WEIGHTS, *STATISTICS)


@dataclass(frozen=True)
class About:
    """What is worth knowing of a ranker before it is asked."""

    name: str
    what: str  # one sentence
    is_shipped: bool
    megabytes: float  # of its weights; 0 where it has none of its own
    mrr: float | None = None  # these on the benchmark's test split, protocol `paper`, in percent
    hit_1: float | None = None
    hit_10: float | None = None


def load_shipped(name: str, vocabulary: Vocabulary, evidence: Evidence) -> Ranker:
    """Load another ranker than ours, by its name or its run folder."""
    if name not in ASKED_BY_NAME and (folder := Path(name)).is_dir():
        if Vocabulary.load(folder / "vocabulary.json").names != vocabulary.names:
            raise DataError(f"{folder} was trained on other ingredients than those that swapchef ships.")
        return load_ranker(folder)
    kind = ranker_class(name)
    if kind.name in STATISTICS:
        reports = _reported(evidence)
        return make_ranker(kind.name).fit(reports, reports)
    if kind.name not in WITH_WEIGHTS:
        raise SwapchefError(
            f"{kind.name} is not shipped; train it with `swapchef train {kind.name} --out runs/{kind.name}` and name "
            "that folder."
        )
    return load_weights(kind.name)


def load_weights(name: str) -> Ranker:
    """Load a ranker whose weights are shipped, refusing them if they are not the ones that were built."""
    with as_file(files("swapchef") / WITH_WEIGHTS[name]) as bundle:
        verify_bundle(bundle, _WEIGHTS)
        return RANKERS[name].load(bundle)


def _reported(evidence: Evidence) -> Split:
    """Return the reports as a split, without their recipes, which statistics do not read."""
    reports, n = evidence.reports, evidence.n
    count = reports.count.astype(np.int64)
    source, target = (np.repeat(ids, count) for ids in (reports.source, reports.target))
    no_context = sparse.csr_array((len(source), n), dtype=np.float32)
    return Split("train", source, target, no_context, np.arange(len(source)).astype(np.str_))


def about_rankers() -> Iterator[About]:
    """Describe every ranker, in the order of the paper's table."""
    figures = {row["ranker"]: row for row in csv.DictReader(_figures().splitlines())}
    for name, kind in RANKERS.items():
        row = figures.get(name, {})
        measured = (float(row[column]) if row.get(column) else None for column in ("mrr", "hit@1", "hit@10"))
        what = (kind.__doc__ or "").splitlines()[0]
        yield About(name, what, name in ASKED_BY_NAME, _megabytes(name), *measured)


def _figures() -> str:
    return (files("swapchef") / "rankers" / "figures.csv").read_text(encoding="utf-8")


def _megabytes(name: str) -> float:
    if name not in WITH_WEIGHTS:
        return 0.0
    with as_file(files("swapchef") / WITH_WEIGHTS[name]) as bundle:
        return round(sum((bundle / file).stat().st_size for file in _WEIGHTS) / 1e6, 1)
