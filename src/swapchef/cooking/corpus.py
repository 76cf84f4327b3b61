"""What inverse cooking learns from: photos with their recipes in fixed splits, and text recipes without photos.

A recipe here is its title, its steps in plain words and the canonical ingredients that its lines are matched to. A text
recipe that has the title, the address or the steps of a val or test photo's recipe is left out, so that none leaks.
"""

import hashlib
import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from swapchef.foods.matching import Vocabulary
from swapchef.recipes import parse_line
from swapchef.recipes.records import read_records
from swapchef.sources import atomic_path, cache_folder, data_file, sha256_of

Split = Literal["train", "val", "test"]
_READING_VERSION = "1"  # raise it when reading changes, so that what was read before is not used
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_NUMBERED = re.compile(r"^\s*(?:step\s*)?\d{1,2}\s*[.):]\s+(?=[A-Za-z])", re.IGNORECASE)
_SITE_TEXT = re.compile(r"^(?:!!!|\?\?\?|photograph|watch now|recipe courtesy|per serving|\*+$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    """A recipe to learn from."""

    title: str
    steps: tuple[str, ...]
    ingredients: tuple[int, ...]  # canonical ids, each once


@dataclass(frozen=True, eq=False)
class Pairs:
    """Photos and their recipes, row by row."""

    photos: tuple[Path, ...]
    recipes: tuple[TrainingRecipe, ...]
    split: tuple[Split, ...]
    urls: tuple[str, ...]

    def rows(self, split: Split) -> list[int]:
        """Return the rows of a split."""
        return [row for row, split_of_row in enumerate(self.split) if split_of_row == split]


def read_pairs(vocabulary: Vocabulary) -> Pairs:
    """Read the photos of the data folder and their recipes."""
    records_file = data_file("images/records.jsonl")
    records = list(read_records(records_file))
    return Pairs(
        tuple(records_file.parent / record["image"] for record in records),
        tuple(_recipe(record, vocabulary) for record in records),
        tuple(record["split"] for record in records),
        tuple(str(record.get("url", "")) for record in records),
    )


def read_texts(
    pairs: Pairs, vocabulary: Vocabulary, progress: Callable[[int], None] = lambda _: None
) -> list[TrainingRecipe]:
    """Read the recipe collection without the recipes of val and test; cached on disk, because it takes minutes."""
    collection = data_file("recipes/recipes.jsonl.gz")
    held_out = HeldOut(pairs)
    key = "".join([sha256_of(collection), _READING_VERSION, *vocabulary.names, *sorted(held_out.fingerprints)])
    cached = cache_folder() / f"cooked-recipes-{hashlib.sha256(key.encode()).hexdigest()[:12]}.jsonl"
    if not cached.is_file():
        with atomic_path(cached) as temporary, temporary.open("w", encoding="utf-8") as file:
            for record in read_records(collection):
                progress(1)
                recipe = _recipe(record, vocabulary)
                is_whole = recipe.title and recipe.steps and recipe.ingredients
                if is_whole and not held_out.has(recipe, str(record.get("url", ""))):
                    file.write(json.dumps([recipe.title, recipe.steps, recipe.ingredients]) + "\n")
    with cached.open(encoding="utf-8") as file:
        return [
            TrainingRecipe(title, tuple(steps), tuple(ingredients))
            for title, steps, ingredients in map(json.loads, file)
        ]


class HeldOut:
    """Knows which recipes belong to val and test, by title, address or steps."""

    def __init__(self, pairs: Pairs) -> None:
        rows = [*pairs.rows("val"), *pairs.rows("test")]
        self.fingerprints = {
            fingerprint for row in rows for fingerprint in _fingerprints(pairs.recipes[row], pairs.urls[row])
        }

    def has(self, recipe: TrainingRecipe, url: str = "") -> bool:
        """Say whether a recipe is one of them."""
        return not self.fingerprints.isdisjoint(_fingerprints(recipe, url))


def _fingerprints(recipe: TrainingRecipe, url: str) -> Iterator[str]:
    """Yield what a recipe can be recognised by, each as a text that a copy of it has too."""
    yield f"title {_plain(recipe.title)}"
    steps = _plain(" ".join(recipe.steps))
    yield f"steps {steps[:160]}"
    yield f"steps {steps[-160:]}"
    if url:
        yield f"url {re.sub(r'^https?://(www[.])?', '', url).rstrip('/')}"


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", unicodedata.normalize("NFKD", text).lower()))


def _recipe(record: dict[str, Any], vocabulary: Vocabulary) -> TrainingRecipe:
    lines = record.get("ingredients") or []
    directions = record.get("directions") or []
    if isinstance(directions, str):
        directions = [directions]
    matches = (
        match.id for line in lines if isinstance(line, str) for match in vocabulary.match_all(parse_line(_tidy(line)))
    )
    steps = tuple(step for step in map(_tidy_step, directions) if step)
    return TrainingRecipe(_tidy(str(record.get("title") or "")), steps, tuple(dict.fromkeys(matches)))


def _tidy_step(step: object) -> str:
    text = _tidy(step) if isinstance(step, str) else ""
    return "" if _SITE_TEXT.match(text) else _NUMBERED.sub("", text)


def _tidy(text: str) -> str:
    return " ".join(_LINK.sub(r"\1", html.unescape(text)).split())


def ingredient_sets(recipes: Iterable[TrainingRecipe] | Sequence[TrainingRecipe], n: int) -> Any:
    """Return recipes as rows of ones: [recipes, n]."""
    from scipy import sparse

    rows = [recipe.ingredients for recipe in recipes]
    starts = np.cumsum([0, *map(len, rows)])
    ids = np.array([id for row in rows for id in row], np.int64)
    return sparse.csr_array((np.ones(len(ids), np.float32), ids, starts), shape=(len(rows), n))
