"""FoodBERT (Pellegrini et al., 2021): a BERT with ingredients in its vocabulary, fine-tuned on cooking steps.

An ingredient's embeddings are those of its occurrences in context. Each of the source's contexts votes for the
ingredients of its k nearest contexts, and a candidate scores by its share of the votes; those without any follow by the
cosine of mean embeddings. Scoring needs only the shares and the means, so it runs without torch.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
import numpy.typing as npt

from swapchef.benchmark import Split
from swapchef.errors import DataError
from swapchef.rankers.base import TrainedRanker
from swapchef.rankers.embeddings import TextEvidence
from swapchef.text_encoder import DEFAULT

if TYPE_CHECKING:
    from swapchef.rankers.cooking_text import CookingText
    from swapchef.training import Progress

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class FoodBERTConfig:
    """The hyperparameters; the authors train BERT-base for days on the steps of a million recipes."""

    start: str = DEFAULT  # the weights to start from: an installed package, a folder or a model on the hub
    min_count: int = 20  # rarer ingredients get no token of their own and no vectors
    length: int = 64  # word pieces that the network sees at once
    mask: float = 0.1  # share of words to guess
    mask_ingredients: float = 0.4  # share of ingredients to guess
    contexts: int = 20  # of each ingredient, for its vectors
    val_contexts: int = 2  # the same after each epoch, for early stopping
    neighbours: int = 100  # k: nearest contexts that each context of the source votes for
    examples: int = 8000  # pieces of text an epoch
    epochs: int = 8
    batch: int = 32
    learning_rate: float = 3e-4
    weight_decay: float = 0.0
    patience: int = 10
    val_queries: int = 2000
    seed: int = 0


class FoodBERT(TrainedRanker[FoodBERTConfig], TextEvidence):
    """Ranks by the share of the source's nearest contexts, then by the cosine of mean vectors."""

    name: ClassVar[str] = "foodbert"
    settings_class = FoodBERTConfig
    learns_from = ("text", "names")
    tail = 1e-4  # the share of a single context is larger than any difference of cosines times this

    def fit(
        self,
        train: Split,
        val: Split,
        *,
        text: "CookingText | None" = None,
        names: tuple[str, ...] = (),
        run: Path | None = None,
        progress: "Progress | None" = None,
    ) -> Self:
        """Fine-tune on cooking steps and embed contexts; the network goes into `encoder` in the run folder."""
        from swapchef.rankers import foodbert_training

        if text is None or len(names) != text.n:
            raise DataError("FoodBERT learns from cooking steps; hand it a text and the ingredients' names.")
        self.steps_ = self.settings.epochs * max(1, self.settings.examples // self.settings.batch)
        self.evidence_, self.means_, self.history_ = foodbert_training.train_contexts(
            self.settings, text, names, val, run, progress
        )
        return self
