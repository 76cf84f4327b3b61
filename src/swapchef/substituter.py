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
        present = [match for line in recipe.ingredients for match in self.vocabulary.match_all(line)] if recipe else []
        source = self._source(ingredient, recipe, present) if recipe else self.vocabulary.require(ingredient)
        on_the_table = {source.id, *(match.id for match in present)}
        no_context = sparse.csr_array((1, len(self.vocabulary)), dtype=np.float32)
        counts = self.ranker.score(np.array([source.id], np.int32), no_context)[0]
        order = [id for id in np.argsort(-counts, kind="stable").tolist() if counts[id] > 0 and id not in on_the_table]
        total = float(counts.sum())
        found = [
            Suggestion(
                self.vocabulary.names[id], round(float(counts[id]) / total, 3), rank, (_reason(int(counts[id])),)
            )
            for rank, id in enumerate(order[:top], start=1)
        ]
        return Suggestions(source.name, recipe.title if recipe else None, tuple(found))

    def _source(self, ingredient: str, recipe: Recipe, present: list[Match]) -> Match:
        """Find the ingredient of the recipe that the cook means; never answer for another one."""
        wanted = self.vocabulary.require(ingredient)
        for found in present:
            if found.id == wanted.id:
                return found
        kinds = [found for found in present if _is_kind_of(found.name, wanted.name)]
        if len({found.id for found in kinds}) == 1:  # "flour" where the recipe has "all purpose flour"
            return kinds[0]
        alike = [found.name for found in present if set(found.name.split()) & set(wanted.name.split())]
        names = ", ".join(dict.fromkeys(match.name for match in present)) or "nothing I know"
        ending = f"did you mean {' or '.join(dict.fromkeys(alike))}?" if alike else f"it has {names}."
        raise SwapchefError(f"{recipe.title!r} has no {wanted.name}; {ending}")


# Words that say which kind of a food it is and leave it that food: "all purpose flour" is flour, "peanut butter" is not butter.
_KIND_WORDS = frozenset(
    "all purpose bread cake pastry plain self rising raising white brown whole wheat granulated caster superfine light dark packed"
    " olive vegetable canola sunflower extra virgin salted unsalted sweet kosher sea table coarse fine large small medium fresh frozen"
    " dried ground skim low fat nonfat 2% 1% full yellow red green sharp mild grated shredded boneless skinless".split()
)


def _is_kind_of(name: str, food: str) -> bool:
    """Say whether a name is a food with words before it that only tell its kind."""
    return name.endswith(f" {food}") and _KIND_WORDS.issuperset(name.removesuffix(food).split())


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
