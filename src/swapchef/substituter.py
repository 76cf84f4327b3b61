"""The one door to suggestions, for the command line, the API and the web page: recipe and ingredient in, swaps out.

It finds which ingredient of the recipe the cook means, asks the bundled ranker with the rest of the recipe as context, merges
what is the same food under two names, and says why. Several ingredients are answered together: each in the recipe as
it will be after the other swaps.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from swapchef.errors import DataError, SwapchefError, UnknownNameError
from swapchef.pantry.diets import avoids, facets_of, verdict
from swapchef.rankers.evidence import FEATURES, Query
from swapchef.rankers.fusion import Fusion
from swapchef.recipes import Recipe
from swapchef.sources import sha256_of
from swapchef.vocabulary import Match, Vocabulary

_MOST_INGREDIENTS = 12  # to replace at once; a recipe that changes more is another recipe
_NOTHING = np.zeros(0, np.int32)
_ROUNDS = 2  # of answering for each ingredient in view of the others' best swaps


@dataclass(frozen=True)
class Suggestion:
    """One swap; `also` are other names of much the same food, which share its probability."""

    name: str
    probability: float
    rank: int
    reasons: tuple[str, ...]
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Suggestions:
    """The swaps for one ingredient of one recipe; `recipe` is None where none was given."""

    ingredient: str
    recipe: str | None
    suggestions: tuple[Suggestion, ...]

    def as_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        return asdict(self)


@dataclass(frozen=True)
class Wishes:
    """What a cook asks of a swap: only what is in the cupboard, nothing against a diet or an allergy, nothing they avoid.

    A swap is offered under a diet only if its name is known to be safe: what is unknown is left out.
    """

    have: Sequence[str] | None = None
    diet: Sequence[str] = ()
    avoid: Sequence[str] = ()


NO_WISHES = Wishes()


@dataclass(frozen=True)
class _Filters:
    """A cook's wishes, understood."""

    cupboard: Mapping[int, str] | None  # ids of what the cook has, and the words they said
    facets: tuple[str, ...]
    avoid: tuple[str, ...]

    def allow(self, id: int, name: str) -> bool:
        if self.cupboard is None:
            return self._suits(name)
        # The vocabulary takes "boar" for "beef": what is really in the cupboard must suit as well.
        return id in self.cupboard and self._suits(name) and self._suits(self.cupboard[id])

    def _suits(self, name: str) -> bool:
        if any(verdict(name, facet).status != "safe" for facet in self.facets):
            return False
        return not any(avoids(name, food) for food in self.avoid)


class Substituter:
    """Suggests what to use instead of an ingredient."""

    def __init__(self, vocabulary: Vocabulary, ranker: Fusion) -> None:
        self.vocabulary = vocabulary
        self.ranker = ranker

    @classmethod
    def load(cls) -> "Substituter":
        """Load the bundle that swapchef ships, refusing it if any file is not the one that was built."""
        with as_file(files("swapchef") / "bundle") as folder:
            verify_bundle(folder)
            return cls(Vocabulary.load(folder / "vocabulary.json"), Fusion.load(folder))

    def suggest(
        self, ingredient: str, recipe: Recipe | None = None, top: int = 5, wishes: Wishes = NO_WISHES
    ) -> Suggestions:
        """Rank swaps for an ingredient, in a recipe if one is given."""
        return self.suggest_together([ingredient], recipe, top, wishes)[0]

    def suggest_together(
        self,
        ingredients: Sequence[str],
        recipe: Recipe | None = None,
        top: int = 5,
        wishes: Wishes = NO_WISHES,
    ) -> list[Suggestions]:
        """Rank swaps for several ingredients: each in the recipe as it is after the best swaps of the others."""
        if top < 1:
            raise SwapchefError("Ask for at least one suggestion.")
        if not 1 <= len(ingredients) <= _MOST_INGREDIENTS:
            raise SwapchefError(f"Ask for one to {_MOST_INGREDIENTS} ingredients at once.")
        present = self._present(recipe) if recipe else []
        sources = [
            self._source(name, recipe, present) if recipe else self.vocabulary.require(name) for name in ingredients
        ]
        if len({source.id for source in sources}) < len(sources):
            raise SwapchefError("Name each ingredient to replace once.")
        filters = self._filters(wishes)
        rest = {match.id for _, match in present} - {source.id for source in sources}
        best: dict[int, int] = {}
        answers: dict[int, tuple[Suggestion, ...]] = {}
        for _ in range(_ROUNDS if len(sources) > 1 else 1):
            for source in sources:
                others = {target for other, target in best.items() if other != source.id}
                gone = {other.id for other in sources} - {source.id}
                found = self._ranked(source.id, sorted(rest | others), gone, top, filters)
                answers[source.id] = tuple(suggestion for _, suggestion in found)
                if found:
                    best[source.id] = found[0][0]
        title = recipe.title if recipe else None
        return [Suggestions(source.name, title, answers[source.id]) for source in sources]

    def _present(self, recipe: Recipe) -> list[tuple[int, Match]]:
        """Return what the recipe has, with the number of its line."""
        return [
            (number, match)
            for number, line in enumerate(recipe.ingredients, start=1)
            for match in self.vocabulary.match_all(line)
        ]

    def _source(self, asked: str, recipe: Recipe, present: list[tuple[int, Match]]) -> Match:
        """Find the ingredient of the recipe that the cook means, by its line's number or its name; never another one."""
        if re.fullmatch(r"\s*#?\d{1,4}\s*", asked):
            return _on_line(int(asked.strip().lstrip("#")), recipe, present)
        matches = [match for _, match in present]
        wanted = self.vocabulary.match(asked)
        if wanted:
            for found in matches:
                if found.id == wanted.id:
                    return found
            kinds = {found.id: found for found in matches if _is_kind_of(found.name, wanted.name)}
            if len(kinds) == 1:  # "flour" where the recipe has "all purpose flour"
                return next(iter(kinds.values()))
        words = set(re.findall(r"\w+", asked.lower()))
        part = {
            found.id: found
            for found in matches
            if words and words <= set(re.findall(r"\w+", found.words + " " + found.name))
        }
        if len(part) == 1:  # "chicken" where the recipe has "chicken thigh"
            return next(iter(part.values()))
        wanted = wanted or self.vocabulary.require(asked)
        alike = [found.name for found in matches if set(found.name.split()) & (set(wanted.name.split()) | words)]
        names = ", ".join(dict.fromkeys(match.name for match in matches)) or "nothing I know"
        ending = f"did you mean {' or '.join(dict.fromkeys(alike))}?" if alike else f"it has {names}."
        raise SwapchefError(f"{recipe.title!r} has no {wanted.name}; {ending}")

    def _filters(self, wishes: Wishes) -> "_Filters":
        """Understand what the cook asks of a swap."""
        cupboard = None
        if wishes.have is not None:
            named = [name for name in wishes.have if name.strip()]
            if not named:
                raise SwapchefError("Say what you have, such as --have yogurt,milk.")
            matches = [self.vocabulary.require(name) for name in named]
            cupboard = {match.id: ", ".join(m.words for m in matches if m.id == match.id) for match in matches}
        facets = tuple(dict.fromkeys(facet for diet in wishes.diet for facet in facets_of(diet)))
        return _Filters(cupboard, facets, tuple(name for food in wishes.avoid for name in self._avoided(food)))

    def _avoided(self, food: str) -> tuple[str, ...]:
        """Return the names to avoid: as said, and as the vocabulary mends it; a word that nobody knows is no protection."""
        try:
            facets_of(food)
        except UnknownNameError:
            return (food, self.vocabulary.require(food).name)
        return (food,)

    def _ranked(
        self, source: int, context: list[int], gone: set[int], top: int, filters: "_Filters"
    ) -> list[tuple[int, Suggestion]]:
        """Rank candidates for one source, with their ids; what goes from the recipe too is not offered."""
        ids = np.array(context, np.int32)
        extra = _NOTHING if filters.cupboard is None else np.array(sorted(filters.cupboard), np.int32)
        query = self.ranker.evidence_.query(source, ids, extra=extra)
        scores = self.ranker.candidate_scores(source, ids, query)
        probability = _softmax(scores)
        own = _food(self.vocabulary.names[source])
        groups: dict[str, list[int]] = {}  # positions of candidates by food, the best first
        for position in np.argsort(-scores, kind="stable").tolist():
            id, name = int(query.ids[position]), self.vocabulary.names[int(query.ids[position])]
            food = _food(name)
            usable = food not in _NO_INGREDIENT and food != own and id not in gone
            if usable and filters.allow(id, name):
                groups.setdefault(food, []).append(position)
        ranked = sorted(groups.values(), key=lambda group: -float(probability[group].sum()))
        return [self._suggestion(query, group, probability, rank) for rank, group in enumerate(ranked[:top], start=1)]

    def _suggestion(
        self, query: Query, group: list[int], probability: npt.NDArray[np.float64], rank: int
    ) -> tuple[int, Suggestion]:
        names = [self.vocabulary.names[int(query.ids[position])] for position in group]
        reasons = _reasons(dict(zip(FEATURES, query.features[group[0]].tolist(), strict=True)))
        total = round(float(probability[group].sum()), 4)
        return int(query.ids[group[0]]), Suggestion(names[0], total, rank, reasons, tuple(names[1:]))


def _on_line(number: int, recipe: Recipe, present: list[tuple[int, Match]]) -> Match:
    found = [match for line, match in present if line == number]
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        names = " or ".join(match.name for match in found)
        raise SwapchefError(f"Line {number} has several ingredients; name one: {names}.")
    if 1 <= number <= len(recipe.ingredients):
        raise SwapchefError(f"Line {number} of {recipe.title!r} has no ingredient that I know.")
    raise SwapchefError(f"{recipe.title!r} has {len(recipe.ingredients)} ingredient lines, none numbered {number}.")


# Words that say which kind of a food it is and leave it that food: "all purpose flour" is flour, "peanut butter" is not butter.
_KIND_WORDS = frozenset(
    "all purpose bread cake pastry plain self rising raising white brown whole wheat granulated caster superfine light dark packed"
    " olive vegetable canola sunflower extra virgin salted unsalted sweet kosher sea table coarse fine large small medium fresh frozen"
    " dried ground skim low fat nonfat 2% 1% full yellow red green sharp mild grated shredded boneless skinless".split()
)
# Words that make no difference to what one would do with it: two names that differ by them are one suggestion.
_SAME_FOOD_WORDS = frozenset(
    "plain fresh freshly regular salted unsalted organic large small medium extra virgin grated shredded chopped diced sliced minced"
    " crushed boneless skinless natural pure stick".split()
)


# Names of the benchmark that are one food.
_OTHER_NAMES = {
    "yoghurt": "yogurt",
    "scallion": "green onion",
    "spring onion": "green onion",
    "soymilk": "soy milk",
    "half and half cream": "half and half",
    "half and half milk": "half and half",
    "cayenne": "cayenne pepper",
    "jalapeno": "jalapeno pepper",
    "agave": "agave nectar",
    "agave syrup": "agave nectar",
    "rotel": "rotel tomato",
    "real butter": "butter",
    "garlic clove": "garlic",
    "bacon piece": "bacon bit",
    "arrowroot": "arrowroot powder",
    "confectioners sugar": "powdered sugar",
    "garbanzo bean": "chickpea",
}
# What reviews mention beside a swap and the benchmark took for its target: nobody can shop for "fat" or a "jar".
_NO_INGREDIENT = frozenset(
    "fat liquid jar stick batter meal green grain glaze marinade gluten cake muffin toast cooky juice chip roll wheat fruit".split()
)


def _is_kind_of(name: str, food: str) -> bool:
    """Say whether a name is a food with words before it that only tell its kind."""
    return name.endswith(f" {food}") and _KIND_WORDS.issuperset(name.removesuffix(food).split())


def _food(name: str) -> str:
    """Return a name without the words that make no difference."""
    kept = " ".join(word for word in name.split() if word not in _SAME_FOOD_WORDS)
    return _OTHER_NAMES.get(kept, kept) or name


def _softmax(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    if len(scores) == 0:
        return np.zeros(0)
    powers = np.exp(scores.astype(np.float64) - float(scores.max()))
    return np.asarray(powers / powers.sum())


def _reasons(numbers: dict[str, float]) -> tuple[str, ...]:
    """Say what speaks for a candidate, the strongest evidence first."""
    count, reverse = round(np.expm1(numbers["count"])), round(np.expm1(numbers["reverse"]))
    reasons = []
    if count:
        reasons.append("1 cook made this swap" if count == 1 else f"{count} cooks made this swap")
    elif reverse:
        reasons.append("1 cook made the opposite swap" if reverse == 1 else f"{reverse} cooks made the opposite swap")
    elif max(numbers["like_text"], numbers["like_usage"], numbers["like_words"]) > 1.0:
        reasons.append("cooks use it in place of similar ingredients")
    if numbers["fit"] > 0.12:
        reasons.append("goes well with the rest of the recipe")
    if numbers["usage"] > 0.6 and not count:
        reasons.append("used in the same kinds of recipes")
    if numbers["compounds"] > 0.35 and not numbers["same_head"]:
        reasons.append("shares flavour compounds")
    return tuple(reasons) or ("the closest we know",)


def verify_bundle(folder: Path) -> None:
    """Refuse a bundle of which any file is missing or not the one that was built."""
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        for name, digest in manifest["sha256"].items():
            if sha256_of(folder / name) != digest:
                raise DataError(f"The bundle's {name} is not the file that was built; reinstall swapchef.")
    except (OSError, ValueError, KeyError, AttributeError):
        raise DataError("The bundled model is missing or incomplete; reinstall swapchef.") from None
