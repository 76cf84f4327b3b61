"""FoodBERT (Pellegrini et al., 2021): a BERT that knows ingredients as words, fine-tuned on cooking steps.

Its vocabulary gains the ingredients and it learns to guess masked words of cooking steps; an ingredient's vectors are those
of its occurrences in context. As its authors do, each of the source's contexts looks for its nearest contexts of other
ingredients, and an ingredient scores by its share of them; those that are nobody's neighbour follow in the order of
their mean vectors. Scoring needs only these shares and means, so a trained FoodBERT ranks without torch.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.benchmark import Ids, Scores, Split, Titles
from swapchef.errors import DataError
from swapchef.rankers.base import Arrays, Ranker
from swapchef.rankers.embeddings import neighbour_scores
from swapchef.text_encoder import DEFAULT

if TYPE_CHECKING:
    from swapchef.rankers.cooking_text import CookingText
    from swapchef.training import Epoch, Progress

Floats = npt.NDArray[np.float32]
_TAIL = 1e-4  # the share of a single context is larger than any difference of cosines times this


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
    epochs: int = 10
    batch: int = 32
    learning_rate: float = 3e-4
    weight_decay: float = 0.0
    patience: int = 10
    val_queries: int = 2000
    seed: int = 0


class FoodBERT(Ranker):
    """Ranks by the share of the source's nearest contexts, then by the cosine of mean vectors."""

    name: ClassVar[str] = "foodbert"
    uses_chance: ClassVar[bool] = True
    needs_training: ClassVar[bool] = True

    def __init__(self, **config: Any) -> None:
        self.settings = FoodBERTConfig(**config)
        self.history_: list[Epoch] = []

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
        self.shares_, self.means_, self.history_ = foodbert_training.train_contexts(
            self.settings, text, names, val, run, progress
        )
        return self

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Score every ingredient by its share of the source's nearest contexts; others after them."""
        scores: Scores = self.shares_[sources].toarray() + _TAIL * neighbour_scores(self.means_, sources)
        return scores

    def config(self) -> dict[str, Any]:
        """Return the settings."""
        return asdict(self.settings)

    def arrays(self) -> Arrays:
        """Return the sparse shares and the mean vectors."""
        shares = self.shares_
        return {"data": shares.data, "indices": shares.indices, "indptr": shares.indptr, "means": self.means_}

    def restore(self, arrays: Arrays) -> None:
        """Take them back."""
        self.means_ = np.ascontiguousarray(arrays["means"], np.float32)  # [n, d] unit rows, zeros for unknown ones
        parts = (arrays["data"], arrays["indices"], arrays["indptr"])
        self.shares_ = sparse.csr_array(parts, shape=(len(self.means_),) * 2)
