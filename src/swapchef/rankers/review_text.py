"""The training data of R-FoodBERT: review sentences that name at least two ingredients, and hand-labelled pairs.

Reviews of recipes in val and test contain the benchmark's answers, so those that can be recognised are left out: by
their Recipe1M id, or by the Food.com id that a Recipe1M id was matched to.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from swapchef.benchmark import Benchmark
from swapchef.errors import DataError
from swapchef.foods.matching import Vocabulary
from swapchef.mining.inputs import read_reviewed
from swapchef.mining.sentences import sentences_of
from swapchef.mining.spotting import Spot, Spotter, words_of
from swapchef.recipes.records import read_records
from swapchef.sources import data_file, data_folder

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
    """Return the Recipe1M ids of val's and test's recipes, and the Food.com ids that they were matched to."""
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
    """Read hand-labelled pairs, `a__b: [a replaces b, b replaces a]`, without pairs of unknown names.

    The direction is not documented; it follows from the labels: olive oil and soy milk replace oil and milk, not the
    other way round, as in the swaps of the train split.
    """
    id_of = dict(vocabulary.surfaces())
    labels: dict[tuple[int, int], bool] = {}
    try:
        for pair, (first, second) in json.loads(path.read_text(encoding="utf-8")).items():
            one, other = (id_of.get(name.replace("_", " ")) for name in pair.split("__"))
            if one is not None and other is not None and one != other:
                labels[other, one], labels[one, other] = bool(first), bool(second)
    except (OSError, ValueError, TypeError, AttributeError):
        raise DataError(f"{path.name} holds no labelled pairs; check the file and fetch it again.") from None
    return labels
