"""Our best ranker: a small network weighs the evidence for each candidate, depending on the source and the recipe.

`evidence` gathers some two dozen numbers for the 256 most promising candidates; the network reads the source and the rest of the
recipe, turns them into a weight for each number, and adds what a small MLP makes of all numbers together. It has no parameter of
its own for a candidate, so it cannot learn pairs by heart: what it knows of a pair is the evidence, from which the
example at hand was left out. Scoring is NumPy alone; softmax over the scores is a calibrated probability.
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

_BELOW = 10.0  # how far the best ingredient that is no candidate is below the worst that is


@dataclass(frozen=True)
class FusionConfig:
    """Everything that can be set."""

    width: int = 64  # of an ingredient's own vector
    hidden: int = 256  # of the layer that reads source and recipe
    mlp: int = 64  # of the layers that read all numbers together
    dropout: float = 0.3
    forget: float = 0.5  # probability that an ingredient's own vector is left out, so that what is known of it must do
    sampled: int = 96  # ingredients that are no candidates, drawn for the softmax of an example
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
        """Train; without knowledge, with what the train split's own recipes tell."""
        from swapchef.rankers import fusion_training

        knowledge = knowledge or fusion_training.own_knowledge(train)
        self.evidence_ = Evidence(knowledge, Reports.of(train, knowledge))
        weights, self.history_ = fusion_training.train_weights(self.settings, train, val, self.evidence_, run, progress)
        self.weights_ = weights
        return self

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Score every ingredient; the source and what is in the recipe come last, as no cook would swap to them."""
        scores = np.empty((len(sources), self.evidence_.n), np.float32)
        order = np.argsort(sources, kind="stable")  # what holds for a source in any recipe is computed once
        for row in order:
            context = ids_of(contexts, row)
            query = self.evidence_.query(int(sources[row]), context)
            scores[row] = self._all_scores(query, self.candidate_scores(int(sources[row]), context, query))
        return scores

    def candidate_scores(self, source: int, context: Ids, query: Query) -> Floats:
        """Score the candidates of a query: [k], log-probabilities but for a constant."""
        w = self.weights_
        own, mean = w["vectors"][source], mean_of(w["vectors"], context)
        replaced = np.log1p(self.evidence_.sources[source : source + 1])
        inputs = np.concatenate([own, mean, own * mean, replaced])
        read = np.maximum(serial_matmul(w["read.weight"].T, inputs) + w["read.bias"], 0.0)  # [hidden]
        features = (query.features - w["mean"]) / w["deviation"]  # [k, features]
        linear = serial_matmul(features, serial_matmul(w["weigh.weight"].T, read) + w["weigh.bias"])  # [k]
        bias = w["first.bias"] + serial_matmul(w["first_read.weight"].T, read)  # [mlp]
        hidden = np.maximum(serial_matmul(features, w["first.weight"]) + bias, 0.0)  # [k, mlp]
        hidden = np.maximum(serial_matmul(hidden, w["second.weight"]) + w["second.bias"], 0.0)
        return np.asarray((linear + serial_matmul(hidden, w["third.weight"])) / w["temperature"][0], np.float32)

    def _all_scores(self, query: Query, scores: Floats) -> Floats:
        """Put the candidates first, the other ingredients after them in the order that the evidence gave."""
        floor = float(scores.min(initial=0.0))
        possible = query.order > query.order.min() if len(query.ids) else np.zeros(len(query.order), bool)
        everything = np.full(len(query.order), floor - 1000.0, np.float32)
        rest = query.order - query.order[query.ids[-1]] if len(query.ids) else query.order
        everything[possible] = floor - _BELOW + np.maximum(rest[possible], -500.0)
        everything[query.ids] = scores
        return everything

    def arrays(self) -> Arrays:
        """Return the network's weights, the counts and what is known of ingredients."""
        saved: dict[str, npt.NDArray[Any]] = {f"weights.{name}": array for name, array in self.weights_.items()}
        saved["weights.vectors"] = self.weights_["vectors"].astype(np.float16)
        return saved | self.evidence_.reports.arrays() | self.evidence_.knowledge.arrays()

    def restore(self, arrays: Arrays) -> None:
        """Take them back."""
        self.evidence_ = Evidence(Knowledge.restore(arrays), Reports.restore(arrays))
        prefix = "weights."
        self.weights_ = {
            name.removeprefix(prefix): array.astype(np.float32)
            for name, array in arrays.items()
            if name.startswith(prefix)
        }
