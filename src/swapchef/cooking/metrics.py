"""How good ingredients and recipes from photos are: the paper's figures, and when a written recipe is no use.

F1 and IoU of sets are micro (over all photos together) or macro (the mean over photos). None of this needs torch: the pipeline
uses it too.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from swapchef.cooking.naming import ids_of, mentioned, spoken_of
from swapchef.cooking.text import Written
from swapchef.foods.matching import Vocabulary
from swapchef.mining.spotting import Spotter

_FEWEST_STEPS, _FEWEST_WORDS, _LEAST_USED, _MOST_REPEATED = 2, 20, 0.4, 0.25
_OFTEN, _COST_OF_ONE_MORE, _COST_OF_CIRCLES = 2, 3.0, 40.0  # sugar may be named for a cake and for its glaze
_RUN = 4  # words; of which few should come twice


@dataclass(frozen=True)
class SetScores:
    """How well predicted sets match the true ones, in percent."""

    micro_f1: float
    macro_f1: float
    micro_iou: float
    macro_iou: float


def set_scores(predicted: Sequence[Collection[int]], true: Sequence[Collection[int]]) -> SetScores:
    """Compare sets pair by pair."""
    pairs = [(set(ours), set(theirs)) for ours, theirs in zip(predicted, true, strict=True)]
    hits = [len(ours & theirs) for ours, theirs in pairs]
    sizes = [len(ours) + len(theirs) for ours, theirs in pairs]
    unions = [len(ours | theirs) for ours, theirs in pairs]
    n = max(1, len(pairs))
    return SetScores(
        200 * sum(hits) / max(1, sum(sizes)),
        sum(200 * hit / max(1, size) for hit, size in zip(hits, sizes, strict=True)) / n,
        100 * sum(hits) / max(1, sum(unions)),
        sum(100 * hit / max(1, union) for hit, union in zip(hits, unions, strict=True)) / n,
    )


@dataclass(frozen=True)
class Choice:
    """Which ingredients a photo is said to show: those from a probability on, but at least so many and at most so many."""

    threshold: float
    fewest: int
    most: int

    def picked(self, chances: npt.NDArray[np.float32]) -> npt.NDArray[np.intp]:
        """Return their places among all that are known, the likeliest first."""
        count = int((chances >= self.threshold).sum())
        return np.argsort(-chances, kind="stable")[: min(max(count, self.fewest), self.most)]


def consistency(steps: Sequence[str], names: Sequence[str], spotter: Spotter) -> float:
    """Return the IoU, in percent, of the ingredients given and all that the steps speak of."""
    return _overlap(spoken_of(steps, names, spotter), names, spotter.vocabulary)


def craft(steps: Sequence[str], names: Sequence[str], spotter: Spotter) -> float:
    """Return what a draft is worth among others: its consistency, less for foods named again and again and for going in circles."""
    said = spoken_of(steps, names, spotter)
    often = max(_OFTEN, len(steps) // 2)
    again = sum(max(0, times - often) for times in said.values())
    circles = _repeated(" ".join(steps).lower().split())
    return _overlap(said, names, spotter.vocabulary) - _COST_OF_ONE_MORE * again - _COST_OF_CIRCLES * circles


def _overlap(said: Counter[int], names: Sequence[str], vocabulary: Vocabulary) -> float:
    given = set(ids_of(names, vocabulary).values())
    return 100 * len(given & said.keys()) / max(1, len(given | said.keys()))


def collapse_of(written: Written, names: Sequence[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Say why a written recipe is no use: too short, going round in circles, or not about its ingredients; () where it is."""
    words = " ".join(written.steps).lower().split()
    reasons = []
    if len(written.steps) < _FEWEST_STEPS or len(words) < _FEWEST_WORDS:
        reasons.append("it is too short")
    title = [word.lower() for word in written.title.split()]
    says_twice = len(set(title)) < len(title) or len(set(written.steps)) < len(written.steps)
    if says_twice or _repeated(words) > _MOST_REPEATED:
        reasons.append("it repeats itself")
    if names and len(mentioned(written.steps, names, vocabulary)) < _LEAST_USED * len(names):
        reasons.append("it does not use most of the ingredients")
    return tuple(reasons)


def _repeated(words: Sequence[str]) -> float:
    """Return the share of runs of words that came before."""
    runs = Counter(tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1))
    total = sum(runs.values())
    return 1 - len(runs) / total if total else 0.0


def unique_words(texts: Sequence[str]) -> float:
    """Return the mean number of different words in a text."""
    return sum(len(set(text.lower().split())) for text in texts) / max(1, len(texts))
