"""The one door to suggestions, for the command line, the API and the web page: recipe and ingredient in, swaps out.

A thin first cut: it finds what the cook means, asks the bundled ranker (counts of swaps that cooks reported), and
leaves out what is already in the recipe. Better rankers take the bundle's place without changing the door.
"""

import json
from dataclasses import asdict, dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from swapchef.errors import DataError, SwapchefError
from swapchef.rankers.statistics import LTFreq
from swapchef.recipes import Recipe
from swapchef.sources import sha256_of
from swapchef.vocabulary import Match, Vocabulary


@dataclass(frozen=True)
class Suggestion:
    """One swap, best first."""

    name: str
    probability: float
    rank: int
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Suggestions:
    """The swaps for one ingredient of one recipe; `recipe` is None where none was given."""

    ingredient: str
    recipe: str | None
    suggestions: tuple[Suggestion, ...]

    def as_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        return asdict(self)


class Substituter:
    """Suggests what to use instead of an ingredient."""

    def __init__(self, vocabulary: Vocabulary, ranker: LTFreq) -> None:
        self.vocabulary = vocabulary
        self.ranker = ranker

    @classmethod
    def load(cls) -> "Substituter":
        """Load the bundle that swapchef ships, refusing it if any file is not the one that was built."""
        with as_file(files("swapchef") / "bundle") as folder:
            _verify(folder)
            return cls(Vocabulary.load(folder / "vocabulary.json"), LTFreq.load(folder))

    def suggest(self, ingredient: str, recipe: Recipe | None = None, top: int = 5) -> Suggestions:
        """Rank swaps for an ingredient, in a recipe if one is given."""
        if top < 1:
            raise SwapchefError("Ask for at least one suggestion.")
        source = self._source(ingredient, recipe)
        table = set(self.vocabulary.context_of(recipe)) if recipe else set()
        counts = self.ranker.score(
            np.array([source.id], np.int32), sparse.csr_array((1, len(self.vocabulary)), dtype=np.float32)
        )[0]
        order = [
            int(id) for id in np.argsort(-counts, kind="stable") if counts[id] > 0 and id not in table | {source.id}
        ]
        total = float(counts.sum())
        found = [
            Suggestion(
                self.vocabulary.names[id], round(float(counts[id]) / total, 3), rank, (_reason(int(counts[id])),)
            )
            for rank, id in enumerate(order[:top], start=1)
        ]
        return Suggestions(source.name, recipe.title if recipe else None, tuple(found))

    def _source(self, ingredient: str, recipe: Recipe | None) -> Match:
        """Find the ingredient the cook means, which must be in the recipe if there is one."""
        wanted = self.vocabulary.require(ingredient)
        if recipe is None:
            return wanted
        lines = [match for line in recipe.ingredients for match in self.vocabulary.match_all(line)]
        for found in lines:
            if found.id == wanted.id:
                return found
        for found in lines:  # "flour" for "all purpose flour"
            if wanted.name.split()[-1] == found.name.split()[-1]:
                return found
        names = ", ".join(dict.fromkeys(match.name for match in lines))
        raise SwapchefError(f"{recipe.title!r} has no {wanted.name}; it has {names}.")


def _reason(count: int) -> str:
    return "1 cook made this swap" if count == 1 else f"{count} cooks made this swap"


def _verify(folder: Path) -> None:
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        for name, digest in manifest["sha256"].items():
            if sha256_of(folder / name) != digest:
                raise DataError(f"The bundle's {name} is not the file that was built; reinstall swapchef.")
    except (OSError, ValueError, KeyError, AttributeError):
        raise DataError("The bundled model is missing or incomplete; reinstall swapchef.") from None
