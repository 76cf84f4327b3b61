"""The fusion ranker: a small network weighs the features of each candidate, depending on the source and the recipe.

`evidence` gives the features of the 256 most promising candidates. The network turns source and recipe into a weight
for each feature and adds an MLP over all features; it has no parameters for a candidate, so it cannot memorise pairs.
Scoring is NumPy alone, and softmax over the scores is a calibrated probability.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.benchmark import Ids, Scores, Split, Titles, ids_of
from swapchef.rankers.base import Arrays, TrainedRanker
from swapchef.rankers.evidence import Evidence, Query, Reports
from swapchef.rankers.knowledge import Knowledge, mean_of
from swapchef.rankers.serial import Floats, serial_matmul

if TYPE_CHECKING:
    from swapchef.training import Progress

_GAP = 10.0  # between the worst candidate's score and the best score of any other ingredient


@dataclass(frozen=True)
class FusionConfig:
    """The hyperparameters."""

    width: int = 64  # of an ingredient's own vector
    hidden: int = 256  # units of the layer over source and recipe
    mlp: int = 64  # units of the layers over all features
    dropout: float = 0.3
    forget: float = 0.5  # probability of dropping an ingredient's own vector, so that its text and usage must suffice
    sampled: int = 96  # negatives beside the candidates, drawn for the softmax of an example
    epochs: int = 3
    batch: int = 256
    learning_rate: float = 3e-3
    weight_decay: float = 1e-6
    patience: int = 3
    seed: int = 0


class Fusion(TrainedRanker[FusionConfig]):
    """Weighs counts, names, recipes and flavour for each candidate."""

    name: ClassVar[str] = "fusion"
    settings_class = FusionConfig
    learns_from = ("knowledge",)

    def fit(
        self,
        train: Split,
        val: Split,
        *,
        knowledge: Knowledge | None = None,
        run: Path | None = None,
        progress: "Progress | None" = None,
    ) -> Self:
        """Train; without knowledge, with that of the train split's own recipes."""
        from swapchef.rankers import fusion_training

        knowledge = knowledge or fusion_training.own_knowledge(train)
        self.evidence_ = Evidence(knowledge, Reports.of(train, knowledge))
        weights, self.history_ = fusion_training.train_weights(self.settings, train, val, self.evidence_, run, progress)
        self.weights_ = weights
        return self

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Score every ingredient; the source and the recipe's own ingredients come last."""
        scores = np.empty((len(sources), self.evidence_.n), np.float32)
        order = np.argsort(sources, kind="stable")  # so that the cached features of a source are used
        for row in order:
            context = ids_of(contexts, row)
            query = self.evidence_.query(int(sources[row]), context)
            scores[row] = self._all_scores(query, self.candidate_scores(int(sources[row]), context, query))
        return scores

    def candidate_scores(self, source: int, context: Ids, query: Query) -> Floats:
        """Score the candidates of a query: [k], log-probabilities up to a constant."""
        w = self.weights_
        vector, mean = w["vectors"][source], mean_of(w["vectors"], context)  # [width] each
        replaced = np.log1p(self.evidence_.sources[source : source + 1])
        inputs = np.concatenate([vector, mean, vector * mean, replaced])
        read = np.maximum(serial_matmul(w["read.weight"].T, inputs) + w["read.bias"], 0.0)  # [hidden]
        features = (query.features - w["mean"]) / w["deviation"]  # [k, features]
        linear = serial_matmul(features, serial_matmul(w["weigh.weight"].T, read) + w["weigh.bias"])  # [k]
        bias = w["first.bias"] + serial_matmul(w["first_read.weight"].T, read)  # [mlp]
        hidden = np.maximum(serial_matmul(features, w["first.weight"]) + bias, 0.0)  # [k, mlp]
        hidden = np.maximum(serial_matmul(hidden, w["second.weight"]) + w["second.bias"], 0.0)
        return np.asarray((linear + serial_matmul(hidden, w["third.weight"])) / w["temperature"][0], np.float32)

    def _all_scores(self, query: Query, scores: Floats) -> Floats:
        """Return scores of all ingredients: the candidates first, the others after them by the weighted sum: [n]."""
        floor = float(scores.min(initial=0.0))
        possible = query.order > query.order.min() if len(query.ids) else np.zeros(len(query.order), bool)
        all_scores = np.full(len(query.order), floor - 1000.0, np.float32)
        rest = query.order - query.order[query.ids[-1]] if len(query.ids) else query.order
        all_scores[possible] = floor - _GAP + np.maximum(rest[possible], -500.0)
        all_scores[query.ids] = scores
        return all_scores

    def arrays(self) -> Arrays:
        """Return the network's weights, the reported swaps and the knowledge of ingredients."""
        saved: dict[str, npt.NDArray[Any]] = {f"weights.{name}": array for name, array in self.weights_.items()}
        saved["weights.vectors"] = self.weights_["vectors"].astype(np.float16)
        return saved | self.evidence_.reports.arrays() | self.evidence_.knowledge.arrays()

    def restore(self, arrays: Arrays) -> None:
        """Restore what `arrays` returned."""
        self.evidence_ = Evidence(Knowledge.restore(arrays), Reports.restore(arrays))
        prefix = "weights."
        self.weights_ = {
            name.removeprefix(prefix): array.astype(np.float32)
            for name, array in arrays.items()
            if name.startswith(prefix)
        }
