"""R-FoodBERT (Pellegrini et al., 2021): classifies whether a review sentence says that one food replaces another.

An R-BERT (Wu and He, 2019) reads a sentence with the source between dollar signs and the target between hash signs and
predicts whether the target replaces the source; it learns from hand-labelled pairs and the sentences that name both. A
pair scores by all sentences that name it, and pairs without any follow by the cosine of mean embeddings.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from swapchef.benchmark import Split
from swapchef.errors import DataError
from swapchef.rankers.base import TrainedRanker
from swapchef.rankers.embeddings import TextEvidence
from swapchef.text_encoder import DEFAULT

if TYPE_CHECKING:
    from swapchef.rankers.review_text import Reviews
    from swapchef.training import Progress

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class RFoodBERTConfig:
    """The hyperparameters; the authors start from their FoodBERT and read far more reviews."""

    start: str = DEFAULT  # weights: `encoder` in a FoodBERT's run folder, an installed package, a folder or a hub name
    length: int = 64  # word pieces; a sentence is cut after as many
    sentences_per_pair: int = 20  # to train on, so that common pairs do not outweigh the rest
    held_out: float = 0.15  # share of the labelled pairs, for early stopping
    together: Literal["sum", "mean", "max"] = "sum"  # how the sentences of a pair become one score
    dropout: float = 0.1
    epochs: int = 4
    batch: int = 32
    learning_rate: float = 1e-4
    weight_decay: float = 0.0
    patience: int = 4
    seed: int = 0


class RFoodBERT(TrainedRanker[RFoodBERTConfig], TextEvidence):
    """Ranks by what the sentences that name source and candidate say."""

    name: ClassVar[str] = "r-foodbert"
    figure_on_val: ClassVar[str] = "average precision on pairs held out"
    settings_class = RFoodBERTConfig
    learns_from = ("reviews",)
    tail = 1e-6  # pairs that no sentence names come after those that one does

    def fit(
        self,
        train: Split,
        val: Split,
        *,
        reviews: "Reviews | None" = None,
        run: Path | None = None,
        progress: "Progress | None" = None,
    ) -> Self:
        """Train the classifier on labelled pairs, then classify every sentence; the splits are not used."""
        from swapchef.rankers import relation_training

        if reviews is None:
            raise DataError("R-FoodBERT learns from sentences of reviews and labelled pairs; hand it some.")
        self.evidence_, self.means_, self.history_ = relation_training.train_relation(
            self.settings, reviews, run, progress, self._set_steps
        )
        return self

    def _set_steps(self, n_examples: int) -> None:
        self.steps_ = self.settings.epochs * max(1, n_examples // self.settings.batch)
