"""GISMo under the contract of rankers: torch trains it, NumPy alone scores with it.

What is kept of a trained network is the encoded ingredients and the decoder: the graph has done its part once the
ingredients are encoded. Both are rounded to half precision when training ends, so a ranker scores the same before and
after saving, and a bundle takes 5 MB.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
from scipy import sparse

from swapchef.benchmark import Ids, Scores, Split, Titles
from swapchef.graph import Aggregation, Graph
from swapchef.rankers.base import Arrays, TrainedRanker
from swapchef.rankers.contexts import mean_rows, own_graph
from swapchef.rankers.serial import Floats, serial_matmul
from swapchef.text_encoder import DEFAULT, encode_texts

if TYPE_CHECKING:
    from swapchef.training import Progress

_LATER_LAYERS = ("second.weight", "second.bias", "third.weight")
_BLOCK = 832  # candidates scored at a time, so that their hidden layer fits in a core's cache


@dataclass(frozen=True)
class GISMoConfig:
    """The hyperparameters; the defaults train the paper's main row in minutes, `configs/gismo_paper.json` as it did."""

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
    schedule: Literal["cosine", "constant"] = "cosine"
    weight_decay: float = 1e-5
    precision: Literal["bfloat16", "float32"] = "bfloat16"  # of the decoder's products in training
    patience: int = 6
    val_every: int = 1  # epochs from one look at val to the next
    val_queries: int = 2000  # a fixed sample of val, for early stopping; 0 for all of it
    seed: int = 0


class GISMoRanker(TrainedRanker[GISMoConfig]):
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
        trained = gismo_training.train_network(self.settings, train, val, graph, features, run, progress)
        network, temperature, self.history_ = trained
        self.restore(gismo_training.exported(network, temperature))
        return self

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Score every ingredient; a model that reads titles ignores them where there are none."""
        queries = self._queries(sources, contexts, titles)
        candidates, w2, w3 = self._candidates, self._second, self._third
        # relu(q + v) W = max(v, -q) W + q W: one pass over the candidates, and the rest is one row per query
        shifts = queries @ w2 + self._bias
        scores = np.empty((len(sources), len(candidates)), np.float32)
        for row, (query, shift) in enumerate(zip(-queries, shifts, strict=True)):
            for start in range(0, len(candidates), _BLOCK):
                part = slice(start, start + _BLOCK)
                hidden = serial_matmul(np.maximum(candidates[part], query), w2)
                scores[row, part] = serial_matmul(np.maximum(hidden + shift, 0.0), w3)
        return scores

    def log_chances(self, scores: Floats) -> Floats:
        """Divide by the temperature that was fitted on val; GISMo has something to say about every ingredient."""
        return scores / self._temperature

    def _queries(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None) -> Floats:
        """Project sources, contexts and titles: [B, d]."""
        queries: Floats = self._sources[sources]
        if self._set is not None:
            queries = queries + mean_rows(contexts) @ self._set
        if len(self._from_title) and titles is not None and len(titles):
            queries = queries + encode_texts(list(titles), self.settings.title_encoder) @ self._from_title
        return queries

    def arrays(self) -> Arrays:
        """Return the encoded ingredients and the decoder, matrices as [inputs, outputs]."""
        return self.arrays_

    def restore(self, arrays: Arrays) -> None:
        """Restore what `arrays` returned; the decoder's first layer is applied to all ingredients at once."""
        self.arrays_: Arrays = dict(arrays)
        weights = {name: np.asarray(array, np.float32) for name, array in arrays.items()}
        h, first = weights["encoded"], weights["first.weight"]  # [n, d], [2 d + c, d]
        reads_set = self.settings.context in {"set", "both"}
        bounds = np.cumsum([h.shape[1], h.shape[1], h.shape[1] * reads_set])
        from_source, from_candidate, from_set, self._from_title = np.split(first, bounds)
        self._sources: Floats = h @ from_source + weights["first.bias"]
        self._candidates: Floats = h @ from_candidate
        self._set: Floats | None = h @ from_set if reads_set else None  # the mean of its rows is that of h projected
        self._temperature = float(weights["temperature"][0])
        self._second, self._bias, self._third = (weights[name] for name in _LATER_LAYERS)
