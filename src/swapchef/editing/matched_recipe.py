"""A recipe whose lines are matched with foods: what suggesting, editing and checking all start from.

It is made once for a recipe and shared by all swaps that are tried on it. A line that names no known food has a food of
its own, with a negative id, so that editing can still name and replace it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from swapchef.amounts.measures import is_metric, is_us
from swapchef.amounts.portions import Dish
from swapchef.amounts.strength import servings_of
from swapchef.amounts.uses import use_of
from swapchef.errors import SwapchefError
from swapchef.foods.kinds import food_of, is_kind_of
from swapchef.foods.matching import Match, Vocabulary
from swapchef.recipes import IngredientLine, Recipe

_LINE_NUMBER = re.compile(r"\s*#?(\d{1,4})\s*")


@dataclass(frozen=True, slots=True)
class RecipeFood:
    """An ingredient of a recipe and how its lines call it."""

    id: int
    name: str  # canonical
    written: tuple[str, ...] = ()

    def goes_by(self, name: str) -> bool:
        """Say whether a line calls it by a name: "water", of "1 cup water, warm"."""
        return any(name == written.lower() for written in self.written)


@dataclass(frozen=True, slots=True)
class Source:
    """An ingredient to replace, on some of the recipe's lines (on all that have it if empty)."""

    food: RecipeFood
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchedRecipe:
    """A recipe, the foods of its lines, and what kind of dish it is."""

    recipe: Recipe
    vocabulary: Vocabulary
    matches: tuple[tuple[Match, ...], ...]  # of each line
    foods: tuple[RecipeFood, ...]
    on_line: tuple[tuple[int, ...], ...]  # ids of the foods of each line
    dish: Dish
    servings: int

    @classmethod
    def of(
        cls, recipe: Recipe, vocabulary: Vocabulary, matches: Sequence[Sequence[Match]] | None = None
    ) -> "MatchedRecipe":
        """Match a recipe; `matches` are those of each ingredient line, where they are known already."""
        if matches is None:
            matches = [vocabulary.match_all(line) for line in recipe.ingredients]
        names: dict[int, str] = {}
        written: dict[int, list[str]] = {}
        on_line = []
        for index, (line, matched) in enumerate(zip(recipe.ingredients, matches, strict=True)):
            foods = {match.id: match.name for match in matched} or {-1 - index: line.name.lower()}
            names |= foods
            on_line.append(tuple(foods))
            for id in foods:
                written.setdefault(id, []).extend([line.name] if len(foods) == 1 else [])
        units = [line.unit for line in recipe.ingredients]
        measures_metric = sum(map(is_metric, units)) > sum(map(is_us, units))
        return cls(
            recipe,
            vocabulary,
            tuple(map(tuple, matches)),
            tuple(RecipeFood(id, name, tuple(dict.fromkeys(written[id]))) for id, name in names.items()),
            tuple(on_line),
            Dish(use_of(recipe), measures_metric),
            servings_of(recipe),
        )

    @property
    def ids(self) -> set[int]:
        """Return the ids of what is in the recipe."""
        return {match.id for matches in self.matches for match in matches}

    @property
    def names(self) -> list[str]:
        """Return the names of what is in the recipe, each once, in order."""
        return list(dict.fromkeys(match.name for matches in self.matches for match in matches))

    def food(self, id: int) -> RecipeFood:
        """Return an ingredient by its id."""
        return next(food for food in self.foods if food.id == id)

    def lines_with(self, source: Source) -> list[int]:
        """Return the indices of the lines that a swap of a source changes."""
        having = [index for index, ids in enumerate(self.on_line) if source.food.id in ids]
        return [index for index in having if not source.lines or index + 1 in source.lines]

    def first_line(self, source: Source) -> IngredientLine:
        """Return the first line that a swap is about."""
        return self.recipe.ingredients[self.lines_with(source)[0]]

    def find(self, asked: str) -> Source:
        """Find the ingredient that the cook means, by its line's number or its name; never another one."""
        if number := _LINE_NUMBER.fullmatch(asked):
            return self._on_line(int(number[1]))
        meant = self.meant(asked)
        if len(meant) == 1:
            return Source(self.food(meant[0].id))
        match = self.vocabulary.require(asked)
        alike = [name for name in self.names if set(name.split()) & (set(match.name.split()) | _words(asked))]
        listed = ", ".join(self.names) or "nothing I know"
        ending = f"did you mean {' or '.join(alike)}?" if alike else f"it has {listed}."
        raise SwapchefError(f"{self.recipe.title!r} has no {match.name}; {ending}")

    def meant(self, asked: str) -> list[Match]:
        """Return what a name may mean: the food itself, else kinds of it, else what is named with its words."""
        present = {match.id: match for matches in self.matches for match in matches}
        asked_for, words = self.vocabulary.match(asked), _words(asked)
        if asked_for and asked_for.id in present:
            return [present[asked_for.id]]
        tests: list[Callable[[Match], bool]] = []
        if asked_for:
            name = asked_for.name
            tests.append(lambda match: food_of(match.name) == food_of(name))  # "unsalted butter" for "butter"
            tests.append(lambda match: is_kind_of(match.name, name))  # "flour" for "all purpose flour"
        if words:
            tests.append(lambda match: words <= _words(f"{match.words} {match.name}"))  # "chicken" for "chicken thigh"
        for is_meant in tests:
            if meant := list(filter(is_meant, present.values())):
                return meant
        return []

    def _on_line(self, number: int) -> Source:
        title, count = self.recipe.title, len(self.recipe.ingredients)
        if not 1 <= number <= count:
            raise SwapchefError(f"{title!r} has {count} ingredient lines, none numbered {number}.")
        matches = self.matches[number - 1]
        if len(matches) == 1:
            return Source(self.food(matches[0].id), (number,))
        if matches:
            names = " or ".join(match.name for match in matches)
            raise SwapchefError(f"Line {number} has several ingredients; name one: {names}.")
        raise SwapchefError(f"Line {number} of {title!r} has no ingredient that I know.")


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
