"""PinSAGE (Ying et al., 2018), simplified as the GISMo paper does: reported swaps take the place of user data.

Random walks choose the neighbours of a node and weigh them; GraphSAGE layers average over these, and a max-margin loss
raises the inner product of source and target above that of source and any other. Candidates are ranked by the inner
product with the source's embedding, the same in every recipe.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.benchmark import Ids, Scores, Split, Titles
from swapchef.graph import Graph
from swapchef.rankers.base import TrainedRanker
from swapchef.rankers.contexts import own_graph
from swapchef.rankers.embeddings import NearestNeighbours

if TYPE_CHECKING:
    from swapchef.training import Progress

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class PinSAGEConfig:
    """The hyperparameters."""

    width: int = 128
    layers: int = 2
    neighbours: int = 20  # T: the most visited ones
    walks: int = 200  # from each node, to find them
    length: int = 3
    margin: float = 0.05
    dropout: float = 0.25
    epochs: int = 15
    batch: int = 1024
    learning_rate: float = 3e-3
    weight_decay: float = 1e-6
    patience: int = 6
    val_queries: int = 2000
    seed: int = 0


class PinSAGE(TrainedRanker[PinSAGEConfig], NearestNeighbours):
    """GraphSAGE over importance-sampled neighbours; ranks by the inner product with the source's vector."""

    name: ClassVar[str] = "pinsage"
    settings_class = PinSAGEConfig
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
        """Train, by default on the co-occurrence of the train split's own recipes and from random features."""
        from swapchef.rankers import pinsage_training

        graph = graph or own_graph(train)
        self.vectors_, self.history_ = pinsage_training.train_vectors(
            self.settings, train, val, graph, features, run, progress
        )
        return self

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Score every ingredient by its inner product with the source; itself last."""
        return inner_scores(self.vectors_, sources)


def inner_scores(vectors: Floats, sources: Ids) -> Scores:
    """Return the inner products of each source and all ingredients: [B, n]; itself last."""
    scores = np.asarray(vectors[sources] @ vectors.T, np.float32)
    scores[np.arange(len(sources)), sources] = scores.min(axis=1, initial=np.inf) - 1.0
    return scores
