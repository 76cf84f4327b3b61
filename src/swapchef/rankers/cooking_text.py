"""Cooking steps in which every ingredient is one token: the training text of Food2Vec and FoodBERT.

Words are in lower case and without accents; an ingredient's name, in singular or plural, becomes its vocabulary id. A
text is two flat arrays, and the text of the recipe collection is stored in the user's cache folder.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from swapchef.foods.matching import Vocabulary
from swapchef.mining.spotting import Spotter, words_of
from swapchef.recipes.records import read_records
from swapchef.sources import atomic_path, cache_folder, data_file, sha256_of

Progress = Callable[[int], None]
_READING_VERSION = "1"  # raise it when reading changes, so that old cache files are not used


@dataclass(frozen=True, eq=False)
class CookingText:
    """Steps of recipes: the words of all steps one after another, and where each step starts."""

    n: int  # ingredients
    words: tuple[str, ...]  # every other word that occurs
    tokens: npt.NDArray[np.int32]  # [t] an ingredient's id, or n plus the number of a word
    starts: npt.NDArray[np.int64]  # [steps + 1]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def step(self, number: int) -> npt.NDArray[np.int32]:
        """Return the tokens of one step."""
        return self.tokens[self.starts[number] : self.starts[number + 1]]

    def counts(self) -> npt.NDArray[np.int64]:
        """Count how often each ingredient occurs: [n]."""
        return np.bincount(self.tokens[self.tokens < self.n], minlength=self.n)

    def written(self, names: Sequence[str]) -> Iterator[str]:
        """Yield each step as text, with these names for the ingredients."""
        table = np.array([*names, *self.words], dtype=object)
        for number in range(len(self)):
            yield " ".join(table[self.step(number)])


def spotted_text(steps: Iterable[str], spotter: Spotter) -> CookingText:
    """Tokenize steps and spot the ingredients in them; a step without any is left out."""
    n = len(spotter.vocabulary)
    numbers: dict[str, int] = {}
    tokens: list[int] = []
    starts = [0]
    for text in steps:
        words = words_of(text)
        spots = spotter.spot(words)
        position = 0
        for spot in spots:
            tokens += [numbers.setdefault(word.text, n + len(numbers)) for word in words[position : spot.start]]
            tokens.append(spot.id)
            position = spot.end
        if spots:
            tokens += [numbers.setdefault(word.text, n + len(numbers)) for word in words[position:]]
            starts.append(len(tokens))
    return CookingText(n, tuple(numbers), np.array(tokens, np.int32), np.array(starts, np.int64))


def collected_text(vocabulary: Vocabulary, progress: Progress = lambda _: None) -> CookingText:
    """Return the directions of the recipe collection in the data folder."""
    collection = data_file("recipes/recipes.jsonl.gz")
    names = "".join(f"{surface}={id};" for surface, id in vocabulary.surfaces())
    key = hashlib.sha256((sha256_of(collection) + _READING_VERSION + names).encode()).hexdigest()
    cached = cache_folder() / f"cooking-text-{key[:12]}.npz"
    if not cached.is_file():
        text = spotted_text(_directions(read_records(collection), progress), Spotter(vocabulary))
        with atomic_path(cached) as temporary, temporary.open("wb") as file:
            encoded = np.frombuffer("\n".join(text.words).encode(), np.uint8)
            np.savez_compressed(file, words=encoded, tokens=text.tokens, starts=text.starts)
    with np.load(cached, allow_pickle=False) as stored:
        words = tuple(stored["words"].tobytes().decode().split("\n"))
        return CookingText(len(vocabulary), words, stored["tokens"], stored["starts"])


def _directions(records: Iterable[dict[str, object]], progress: Progress) -> Iterator[str]:
    for record in records:
        progress(1)
        directions = record.get("directions")
        if isinstance(directions, str):
            yield directions
        elif isinstance(directions, list):
            yield from (step for step in directions if isinstance(step, str))
