"""R-FoodBERT (Pellegrini et al., 2021): whether a sentence of a review says that one ingredient stands in for another.

An R-BERT (Wu and He, 2019) reads a sentence in which a source stands between dollar signs and a target between hash signs,
and tells whether the target replaces the source; it learns from hand-labelled pairs, joined to the sentences that name both.
A pair scores by all sentences that name it; what no sentence names together follows by how alike its contexts are.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.benchmark import Benchmark, Ids, Scores, Split, Titles
from swapchef.errors import DataError
from swapchef.mining.inputs import read_reviewed
from swapchef.mining.sentences import sentences_of
from swapchef.mining.spotting import Spot, Spotter, words_of
from swapchef.rankers.base import Arrays, Ranker
from swapchef.rankers.embeddings import neighbour_scores
from swapchef.recipes.records import read_records
from swapchef.sources import data_file, data_folder
from swapchef.text_encoder import DEFAULT
from swapchef.vocabulary import Vocabulary

if TYPE_CHECKING:
    from swapchef.training import Epoch, Progress

Floats = npt.NDArray[np.float32]
_TAIL = 1e-6  # what no sentence names together comes after what one does
_REVIEWS = ("pages_with_comments.jsonl.gz", "foodcom_reviews.jsonl.gz", "tasteofhome_reviews.jsonl.gz")
_MOST_FOODS = 4  # in one sentence; with more it is a list, not a swap


@dataclass(frozen=True)
class ReviewSentence:
    """A sentence that names at least two ingredients."""

    words: tuple[str, ...]
    spots: tuple[Spot, ...]  # the first of each ingredient


@dataclass(frozen=True, eq=False)
class Reviews:
    """What R-FoodBERT learns from."""

    sentences: tuple[ReviewSentence, ...]
    labels: Mapping[tuple[int, int], bool]  # (source, target) -> whether the target replaces the source
    names: tuple[str, ...]  # of all n ingredients


@dataclass(frozen=True)
class RFoodBERTConfig:
    """Everything that can be set; the authors start from their FoodBERT and read far more reviews."""

    start: str = (
        DEFAULT  # the weights to start from; `encoder` in a FoodBERT's run folder, a package, a folder or a hub name
    )
    length: int = 64  # word pieces; a sentence is cut after as many
    sentences_per_pair: int = 40  # to learn from, so that common pairs do not drown the rest
    held_out: float = 0.15  # share of the labelled pairs by which training is stopped
    together: Literal["sum", "mean", "max"] = "sum"  # how the sentences of a pair become one score
    dropout: float = 0.1
    epochs: int = 4
    batch: int = 32
    learning_rate: float = 1e-4
    weight_decay: float = 0.0
    patience: int = 4
    seed: int = 0


class RFoodBERT(Ranker):
    """Ranks by what the sentences that name source and candidate say."""

    name: ClassVar[str] = "r-foodbert"
    uses_chance: ClassVar[bool] = True
    needs_training: ClassVar[bool] = True

    def __init__(self, **config: Any) -> None:
        self.settings = RFoodBERTConfig(**config)
        self.history_: list[Epoch] = []

    def fit(
        self,
        train: Split,
        val: Split,
        *,
        reviews: Reviews | None = None,
        run: Path | None = None,
        progress: "Progress | None" = None,
    ) -> Self:
        """Train the classifier on labelled pairs, then read every sentence; the splits' swaps teach it nothing."""
        from swapchef.rankers import relation_training

        if reviews is None:
            raise DataError("R-FoodBERT learns from sentences of reviews and labelled pairs; hand it some.")
        self.evidence_, self.means_, self.history_ = relation_training.train_relation(
            self.settings, reviews, run, progress, self._told
        )
        return self

    def _told(self, n_examples: int) -> None:
        self.steps_ = self.settings.epochs * max(1, n_examples // self.settings.batch)

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Score every ingredient by the sentences that name it with the source; others after them."""
        scores: Scores = self.evidence_[sources].toarray() + np.float32(_TAIL) * neighbour_scores(self.means_, sources)
        return scores

    def config(self) -> dict[str, Any]:
        """Return the settings."""
        return asdict(self.settings)

    def arrays(self) -> Arrays:
        """Return the sparse evidence and the mean vectors."""
        evidence = self.evidence_
        return {"data": evidence.data, "indices": evidence.indices, "indptr": evidence.indptr, "means": self.means_}

    def restore(self, arrays: Arrays) -> None:
        """Take them back."""
        self.means_ = np.ascontiguousarray(arrays["means"], np.float32)  # [n, d] unit rows, zeros for unknown ones
        parts = (arrays["data"], arrays["indices"], arrays["indptr"])
        self.evidence_ = sparse.csr_array(parts, shape=(len(self.means_),) * 2)


def collected_reviews(benchmark: Benchmark) -> Reviews:
    """Read the reviews and the labelled pairs in the data folder, without reviews of val's and test's recipes."""
    folder, spotter = data_folder() / "reviews", Spotter(benchmark.vocabulary)
    held_out = _held_out(benchmark)
    texts = (
        review.text
        for name in _REVIEWS
        if (folder / name).is_file()
        for recipe in read_reviewed(None, folder / name, Counter())
        if recipe.id not in held_out
        for review in recipe.reviews
    )
    sentences = tuple(review_sentences(texts, spotter))
    if not sentences:
        raise DataError(f"There are no reviews in {folder}; see the data folder's README.")
    labels = read_labels(data_file("relation/labeled_pairs.json"), benchmark.vocabulary)
    return Reviews(sentences, labels, benchmark.vocabulary.names)


def _held_out(benchmark: Benchmark) -> frozenset[str]:
    """Return the ids of val's and test's recipes, by Recipe1M and, where it is known, by Food.com: their reviews hold the answers."""
    ids = {*benchmark.val.recipe_id.tolist(), *benchmark.test.recipe_id.tolist()}
    matched = data_folder() / "recipe1msubs" / "titles_part.jsonl.gz"
    if matched.is_file():
        ids |= {str(row.get("foodcom_id")) for row in read_records(matched) if row.get("recipe1m_id") in ids}
    return frozenset(ids)


def review_sentences(texts: Iterable[str], spotter: Spotter) -> Iterator[ReviewSentence]:
    """Yield the sentences that name a few ingredients, at least two."""
    for text in texts:
        for sentence in sentences_of(text):
            words = words_of(sentence.text)
            spots = tuple({spot.id: spot for spot in reversed(spotter.spot(words))}.values())
            if 2 <= len(spots) <= _MOST_FOODS:
                yield ReviewSentence(tuple(word.text for word in words), tuple(sorted(spots)))


def read_labels(path: Path, vocabulary: Vocabulary) -> dict[tuple[int, int], bool]:
    """Read hand-labelled pairs, `a__b: [a replaces b, b replaces a]`; pairs with a name that is no ingredient are left out.

    Which way "a -> b" was meant is nowhere said: olive oil and soy milk are marked as standing in for oil and milk, not the
    other way about, and so do the swaps of the train split.
    """
    known = dict(vocabulary.surfaces())
    labels: dict[tuple[int, int], bool] = {}
    try:
        for pair, (first, second) in json.loads(path.read_text(encoding="utf-8")).items():
            one, other = (known.get(name.replace("_", " ")) for name in pair.split("__"))
            if one is not None and other is not None and one != other:
                labels[other, one], labels[one, other] = bool(first), bool(second)
    except (OSError, ValueError, TypeError, AttributeError):
        raise DataError(f"{path.name} holds no labelled pairs; check the file and fetch it again.") from None
    return labels
