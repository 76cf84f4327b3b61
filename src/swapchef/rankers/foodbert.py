"""FoodBERT (Pellegrini et al., 2021): a BERT that knows ingredients as words, fine-tuned on cooking steps.

Its vocabulary gains the ingredients and it learns to guess masked words of cooking steps; an ingredient's vectors are those
of its occurrences in context. As its authors do, each of the source's contexts looks for its nearest contexts of other
ingredients, and an ingredient scores by its share of them; those that are nobody's neighbour follow in the order of
their mean vectors. Scoring needs only these shares and means, so a trained FoodBERT ranks without torch.
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
    """Everything that can be set; the authors train BERT-base for days on the steps of a million recipes."""

    start: str = DEFAULT  # the weights to start from: an installed package, a folder or a model on the hub
    min_count: int = 20  # ingredients that are rarer in the text stay several words, and get no vectors
    length: int = 64  # word pieces that the network sees at once
    mask: float = 0.1  # share of words to guess
    mask_ingredients: float = 0.4  # share of ingredients to guess
    contexts: int = 20  # of each ingredient, for its vectors
    val_contexts: int = 2  # the same after each epoch, to see where training stands
    neighbours: int = 100  # k: nearest contexts that each context of the source looks at
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
        """Fine-tune on cooking steps and collect contexts; with a run folder, the network is kept in its `encoder` folder."""
        from swapchef.rankers import foodbert_training

        if text is None or len(names) != text.n:
            raise DataError("FoodBERT learns from cooking steps; hand it a text and the ingredients' names.")
        self.steps_ = self.settings.epochs * max(1, self.settings.examples // self.settings.batch)
        self.evidence_, self.means_, self.history_ = foodbert_training.train_contexts(
            self.settings, text, names, val, run, progress
        )
        return self
