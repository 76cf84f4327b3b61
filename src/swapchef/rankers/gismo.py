"""GISMo, the model of "Learning to Substitute Ingredients in Recipes", as a ranker: torch trains it, NumPy scores.

Scoring needs the encoded ingredients and the decoder of `gismo_network`. Negatives are the batch's own targets and some
uniform ones, shared by the batch and corrected by how likely each was drawn (sampled softmax), so the loss estimates
the full softmax; `negatives="uniform"` is the sampling of the published code, which may draw source and target too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.benchmark import Ids, Scores, Split, Titles
from swapchef.graph import Aggregation, Graph, Nodes, cooccurrence
from swapchef.rankers.base import Arrays, TrainedRanker
from swapchef.text_encoder import DEFAULT, encode_texts

if TYPE_CHECKING:
    from swapchef.training import Progress

Floats = npt.NDArray[np.float32]
_BLOCK = 832  # candidates scored at a time, so that their hidden layer fits in a core's cache


@dataclass(frozen=True)
class GISMoConfig:
    """The hyperparameters; the defaults are the paper's main row, trained in minutes."""

    width: int = 300  # d and F of the paper
    layers: int = 2  # L, of the ingredient encoder; 0 leaves it out
    context: Literal["none", "set", "title", "both"] = "set"
    title_encoder: str = DEFAULT  # an installed package, a folder or a model on the hub
    aggregation: Aggregation = "mean"  # over neighbours: the paper's equation sums, its code averages
    dropout: float = 0.25
    fine_tune: bool = False  # train the input features, where there are any ...
    pull: float = 0.0  # ... with this weight of an L2 penalty on how far they move
    negatives: Literal["batch", "uniform"] = "batch"
    n_negatives: int = 150  # uniform ones, beside the batch's targets; all of them where negatives are uniform
    swap_probability: float = 0.0  # of exchanging source and target, for the experiment on direction
    epochs: int = 20
    batch: int = 512
    learning_rate: float = 3e-3
    weight_decay: float = 1e-5
    patience: int = 6
    val_queries: int = 2000  # a fixed sample of val, for early stopping
    seed: int = 0


class GISMo(TrainedRanker[GISMoConfig]):
    """Graph-based ingredient substitution: GIN over FlavorGraph, recipe context, MLP decoder."""

    name: ClassVar[str] = "gismo"
    settings_class = GISMoConfig
    learns_from = ("graph",)

    def fit(
        self,
        train: Split,
        val: Split,
        *,
        graph: Graph | None = None,
        features: Floats | None = None,
        run: Path | None = None,
        progress: "Progress | None" = None,
    ) -> Self:
        """Train; without a graph, on the co-occurrence of the train split's own recipes."""
        from swapchef.rankers import gismo_training

        graph = own_graph(train) if graph is None else graph
        network, self.history_ = gismo_training.train_network(self.settings, train, val, graph, features, run, progress)
        self.restore(gismo_training.exported(network))
        return self

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Score every ingredient with NumPy; a model that reads titles ignores them where there are none."""
        queries = self._queries(sources, contexts, titles)
        candidates, w2, w3 = self._candidates, self.arrays_["second.weight"], self.arrays_["third.weight"]
        # relu(q + v) W = max(v, -q) W + q W: one pass over the candidates, and the rest is one row per query
        shifts = queries @ w2 + self.arrays_["second.bias"]
        scores = np.empty((len(sources), len(candidates)), np.float32)
        hidden1 = np.empty((_BLOCK, w2.shape[0]), np.float32)
        hidden2 = np.empty((_BLOCK, w2.shape[1]), np.float32)
        for row, (query, shift) in enumerate(zip(-queries, shifts, strict=True)):
            for start in range(0, len(candidates), _BLOCK):
                part = candidates[start : start + _BLOCK]
                first, second = hidden1[: len(part)], hidden2[: len(part)]
                np.matmul(np.maximum(part, query, out=first), w2, out=second)
                np.maximum(np.add(second, shift, out=second), 0.0, out=second)
                np.matmul(second, w3, out=scores[row, start : start + len(part)])
        return scores

    def _queries(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None) -> Floats:
        """Project sources, contexts and titles: [B, width]."""
        h = self.arrays_["encoded"]
        queries: Floats = h[sources] @ self.arrays_["from_source.weight"] + self.arrays_["from_source.bias"]
        if "from_set.weight" in self.arrays_:
            queries = queries + (mean_rows(contexts) @ h) @ self.arrays_["from_set.weight"]
        if "from_title.weight" in self.arrays_ and titles is not None and len(titles):
            vectors = encode_texts(list(titles), self.settings.title_encoder)
            queries = queries + vectors @ self.arrays_["from_title.weight"]
        return queries

    def arrays(self) -> Arrays:
        """Return the encoded ingredients and the decoder's weights."""
        return self.arrays_

    def restore(self, arrays: Arrays) -> None:
        """Restore what `arrays` returned."""
        self.arrays_: Mapping[str, Floats] = dict(arrays)
        self._candidates = self.arrays_["encoded"] @ self.arrays_["from_candidate.weight"]


def mean_rows(contexts: sparse.csr_array) -> sparse.csr_array:
    """Scale each row to sum to one, so that a product with it is a mean; empty rows stay empty."""
    counts = np.maximum(np.diff(contexts.indptr), 1)
    scaled = contexts.data / np.repeat(counts, np.diff(contexts.indptr)).astype(np.float32)
    return sparse.csr_array((scaled, contexts.indices, contexts.indptr), shape=contexts.shape)


def own_graph(train: Split) -> Graph:
    """Return the co-occurrence of a split's own recipes, for where no graph is given."""
    n = train.context.shape[1]
    nodes = Nodes(np.arange(n), tuple(map(str, range(n))), n)
    return cooccurrence(nodes, recipes_of(train), min_count=1, min_npmi=0.0)


def recipes_of(split: Split) -> sparse.csr_array:
    """Return the ingredient set of each recipe of a split once, sources included: [recipes, n]."""
    _, first_rows = np.unique(split.recipe_id, return_index=True)
    rows = sparse.csr_array(split.context[first_rows])
    sources = sparse.csr_array(
        (np.ones(len(first_rows), np.float32), (np.arange(len(first_rows)), split.source[first_rows])), shape=rows.shape
    )
    return (rows + sources).tocsr()
