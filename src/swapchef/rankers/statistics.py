"""The statistical baselines of "Learning to Substitute Ingredients in Recipes": Random, Mode, LT, Freq and LT+Freq.

All but Random are one table of counts over the train split. The paper defines Freq by how often an ingredient is the
target, but its published figure (3.81 MRR) comes from code that counts sources, which is `freq-as-published` here.
"""

import zlib
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.benchmark import Ids, Scores, Split, Titles, count_pairs, ids_of
from swapchef.rankers.base import Arrays, Ranker
from swapchef.rankers.serial import Floats


class RandomRanker(Ranker):
    """Ranks at random; the same query gets the same ranking whatever its batch."""

    name = "random"
    uses_chance = True

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def fit(self, train: Split, val: Split) -> Self:
        """Remember only how many ingredients there are."""
        self.n_ = train.context.shape[1]
        return self

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Draw one number for each ingredient from a generator seeded by the query."""
        rows = []
        for row, source in enumerate(sources):
            context = ids_of(contexts, row)
            query = zlib.crc32(np.append(context, source).astype(np.int64).tobytes())
            rows.append(np.random.default_rng((self.seed, query)).random(self.n_, dtype=np.float32))
        return np.array(rows, dtype=np.float32).reshape(len(sources), self.n_)

    def config(self) -> dict[str, Any]:
        """Return the seed."""
        return {"seed": self.seed}

    def arrays(self) -> Arrays:
        """Return the number of ingredients."""
        return {"n": np.array([self.n_])}

    def restore(self, arrays: Arrays) -> None:
        """Restore the number of ingredients."""
        self.n_ = int(arrays["n"][0])


class _Popularity(Ranker):
    """Gives every query the same scores."""

    popularity_: npt.NDArray[np.float32]  # [n]

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Repeat the scores for each query."""
        return np.tile(self.popularity_, (len(sources), 1))

    def config(self) -> dict[str, Any]:
        """There is nothing to set."""
        return {}

    def arrays(self) -> Arrays:
        """Return the scores."""
        return {"popularity": self.popularity_}

    def restore(self, arrays: Arrays) -> None:
        """Restore the scores."""
        self.popularity_ = arrays["popularity"]

    def log_chances(self, scores: Floats) -> Floats:
        """Take counts for shares."""
        return _log_shares(scores)


class Mode(_Popularity):
    """Proposes the most frequent target of the train split, and nothing else."""

    name = "mode"

    def fit(self, train: Split, val: Split) -> Self:
        """Find the most frequent target."""
        counts = _frequency(train.target, train)
        self.popularity_ = (np.arange(len(counts)) == counts.argmax()).astype(np.float32)
        return self


class Freq(_Popularity):
    """Ranks by how often an ingredient is the target in the train split."""

    name = "freq"

    def fit(self, train: Split, val: Split) -> Self:
        """Count targets."""
        self.popularity_ = _frequency(train.target, train)
        return self


class FreqAsPublished(_Popularity):
    """Ranks by how often an ingredient is the source, as the original code did."""

    name = "freq-as-published"

    def fit(self, train: Split, val: Split) -> Self:
        """Count sources."""
        self.popularity_ = _frequency(train.source, train)
        return self


class LTFreq(Ranker):
    """Ranks by how often a source was replaced by an ingredient in the train split."""

    name = "lt+freq"

    def fit(self, train: Split, val: Split) -> Self:
        """Count (source, target) pairs."""
        self.counts_ = count_pairs(train, train.context.shape[1])
        return self

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Look the counts of each source up."""
        scores: Scores = self.counts_[sources].toarray()
        return scores

    def log_chances(self, scores: Floats) -> Floats:
        """Take counts for shares."""
        return _log_shares(scores)

    def config(self) -> dict[str, Any]:
        """There is nothing to set."""
        return {}

    def arrays(self) -> Arrays:
        """Return the sparse counts."""
        counts = self.counts_
        return {
            "data": counts.data,
            "indices": counts.indices,
            "indptr": counts.indptr,
            "shape": np.array(counts.shape),
        }

    def restore(self, arrays: Arrays) -> None:
        """Restore the sparse counts."""
        parts = (arrays["data"], arrays["indices"], arrays["indptr"])
        self.counts_ = sparse.csr_array(parts, shape=tuple(arrays["shape"].tolist()))


class LT(LTFreq):
    """Gives rank one to every ingredient that ever replaced the source in the train split."""

    name = "lt"

    def fit(self, train: Split, val: Split) -> Self:
        """Remember which pairs occur."""
        super().fit(train, val)
        self.counts_.data[:] = 1.0
        return self


def _frequency(ids: Ids, split: Split) -> npt.NDArray[np.float32]:
    return np.bincount(ids, minlength=split.context.shape[1]).astype(np.float32)


def _log_shares(counts: Floats) -> Floats:
    with np.errstate(divide="ignore"):  # never counted: no chance
        return np.log(counts)
