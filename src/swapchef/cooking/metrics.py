"""How good ingredients and recipes from photos are: the paper's figures, and when a written recipe is no use.

F1 and IoU of sets are micro (over all photos together) or macro (the mean over photos). None of this needs torch,
because the pipeline uses it too.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from swapchef.cooking.naming import count_foods, ids_of, mentioned_ingredients
from swapchef.cooking.tokenizer import GeneratedRecipe
from swapchef.foods.matching import Vocabulary
from swapchef.mining.spotting import Spotter

# Below or above these a recipe is no use.
_MIN_STEPS, _MIN_WORDS = 2, 20
_MIN_USED_SHARE = 0.4  # of the ingredients
_MAX_REPEATED_SHARE = 0.25  # of the runs of words
_FREE_MENTIONS = 2  # of one food: sugar may be named for a cake and for its glaze
_MENTION_PENALTY = 3.0  # for each mention more
_REPETITION_PENALTY = 40.0  # for a text that consists of repeated runs of words
_RUN = 4  # words


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
class Selection:
    """Which ingredients a photo is said to show: those above a threshold, within a minimal and a maximal count."""

    threshold: float
    min_count: int
    max_count: int

    def select(self, probabilities: npt.NDArray[np.float32]) -> npt.NDArray[np.intp]:
        """Return the indices of the selected ones among all that are known, the likeliest first."""
        count = int((probabilities >= self.threshold).sum())
        return np.argsort(-probabilities, kind="stable")[: min(max(count, self.min_count), self.max_count)]


def consistency(steps: Sequence[str], names: Sequence[str], spotter: Spotter) -> float:
    """Return the IoU, in percent, of the ingredients given and all foods that the steps name."""
    return _overlap(count_foods(steps, names, spotter), names, spotter.vocabulary)


def draft_score(steps: Sequence[str], names: Sequence[str], spotter: Spotter) -> float:
    """Return a draft's consistency, less penalties for foods that are named too often and for repetition."""
    counts = count_foods(steps, names, spotter)
    free_mentions = max(_FREE_MENTIONS, len(steps) // 2)
    excess_mentions = sum(max(0, count - free_mentions) for count in counts.values())
    repeated = _repeated_share(" ".join(steps).lower().split())
    overlap = _overlap(counts, names, spotter.vocabulary)
    return overlap - _MENTION_PENALTY * excess_mentions - _REPETITION_PENALTY * repeated


def _overlap(counts: Counter[int], names: Sequence[str], vocabulary: Vocabulary) -> float:
    given = set(ids_of(names, vocabulary).values())
    return 100 * len(given & counts.keys()) / max(1, len(given | counts.keys()))


def collapse_reasons(recipe: GeneratedRecipe, names: Sequence[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Say why a written recipe is no use: too short, repetitive, or not about its ingredients; () where it is."""
    words = " ".join(recipe.steps).lower().split()
    reasons = []
    if len(recipe.steps) < _MIN_STEPS or len(words) < _MIN_WORDS:
        reasons.append("it is too short")
    title = [word.lower() for word in recipe.title.split()]
    has_duplicates = len(set(title)) < len(title) or len(set(recipe.steps)) < len(recipe.steps)
    if has_duplicates or _repeated_share(words) > _MAX_REPEATED_SHARE:
        reasons.append("it repeats itself")
    if names and len(mentioned_ingredients(recipe.steps, names, vocabulary)) < _MIN_USED_SHARE * len(names):
        reasons.append("it does not use most of the ingredients")
    return tuple(reasons)


def _repeated_share(words: Sequence[str]) -> float:
    """Return the share of runs of words that came before."""
    runs = Counter(tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1))
    total = sum(runs.values())
    return 1 - len(runs) / total if total else 0.0


def unique_words(texts: Sequence[str]) -> float:
    """Return the mean number of different words in a text."""
    return sum(len(set(text.lower().split())) for text in texts) / max(1, len(texts))
