"""What a swap changes in the dish: its taste, and what someone at the table may not be able to eat.

Tastes come from `tastes.tsv` and are compared only where the difference is plain; allergens come from the verdicts of `diets`,
which are compared for both foods, so that only what is new is told.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from swapchef.en.nouns import in_a_row
from swapchef.foods.kinds import kinds_of
from swapchef.limits.diets import FACETS, Verdict, verdict
from swapchef.tables import read_table

_MORE_AND_LESS = {
    "sweet": ("sweeter", "less sweet"),
    "salty": ("saltier", "less salty"),
    "sour": ("more sour", "less sour"),
    "hot": ("hotter", "milder"),
    "rich": ("richer", "leaner"),
    "smoky": ("smokier", "less smoky"),
    "bitter": ("more bitter", "less bitter"),
}
_STRONG = 3  # the highest level: it tastes of hardly anything else
_DIETS = ("vegetarian", "vegan")  # told only where no allergen already says why
_SPOKEN = {"tree_nuts": "tree nuts", "no_pork": "pork", "no_alcohol": "alcohol"}
_ANIMAL = frozenset({"milk", "egg", "fish", "crustaceans", "molluscs", "no_pork"})


@lru_cache(maxsize=10_000)
def verdicts(name: str) -> dict[str, Verdict]:
    """Return what every facet says of a food."""
    return {facet: verdict(name, facet) for facet in FACETS}


@lru_cache(maxsize=10_000)
def effects(source: str, target: str) -> tuple[str, ...]:
    """Say what changes when one food takes the place of another.

    >>> effects("sugar", "applesauce"), effects("olive oil", "butter")
    (('less sweet',), ('contains milk',))
    """
    return (*changed_tastes(source, target), *_new_contents(source, target))


def is_sweet_dish(names: Iterable[str]) -> bool:
    """Say whether what is in a dish makes it a dessert or a plain dough: nothing savory, and something all sweetness or flour."""
    foods = list(names)
    if any(_level("savory", name) for name in foods):
        return False
    return any(_level("sweet", name) == _STRONG or "any wheat flour" in kinds_of(name) for name in foods)


def clashes(source: str, target: str, in_sweet_dish: bool) -> bool:
    """Say whether a food would ruin the dish: garlic salt in a cake, sugar for the salt of a soup.

    >>> clashes("salt", "garlic salt", in_sweet_dish=True), clashes("salt", "sugar", in_sweet_dish=False)
    (True, True)
    """
    if in_sweet_dish and _level("savory", target) and not _level("savory", source):
        return True
    return _is_opposite(source, target) or _is_opposite(target, source)


def _is_opposite(sweet: str, sharp: str) -> bool:
    return _level("sweet", sweet) == _STRONG and any(_level(taste, sharp) == _STRONG for taste in ("salty", "hot"))


def changed_tastes(source: str, target: str) -> list[str]:
    """Say how a dish tastes otherwise with the target, where the difference is plain."""
    told = []
    for taste, (more, less) in _MORE_AND_LESS.items():
        old, new = _level(taste, source), _level(taste, target)
        if abs(new - old) >= 2 or (old and new and old != new):
            told.append(more if new > old else less)
    return told


# What is taken by the pinch or the spoon, so that as much of it as of another food would ruin the dish.
_STRONG_KINDS = frozenset(
    {
        "any extract", "peppermint extract", "any pie spice", "any hot spice", "any savory spice", "any seed spice", "any spice blend", "any dried herb",
        "any salt", "any seasoned salt", "any bouillon granule", "any garlic", "baking powder", "baking soda", "onion powder", "hot sauce", "any zest",
    }
)  # fmt: skip


def is_strong(food: str) -> bool:
    """Say whether a food is taken by the pinch or the spoon."""
    return not _STRONG_KINDS.isdisjoint(kinds_of(food))


def is_too_much(food: str, amount: str) -> bool:
    """Say whether nobody would want so much of it: a cup of a spice, tablespoons of chili.

    >>> is_too_much("cayenne pepper", "2 tablespoons"), is_too_much("hot sauce", "1/2 cup"), is_too_much("allspice", "1/2 cup")
    (True, False, True)
    >>> is_too_much("ground clove", "6 tablespoons"), is_too_much("ground cumin", "2 tablespoons")
    (True, False)
    """
    kinds = kinds_of(food)
    if not {"cayenne pepper", "red pepper flake"}.isdisjoint(kinds):
        spoonfuls = ("cup", "tablespoon") if "red pepper flake" in kinds else ("cup", "tablespoon", "teaspoons")
        return any(unit in amount for unit in spoonfuls)
    spoons = re.match(r"(\d+)[ /\d]* tablespoon", amount)
    is_much = any(unit in amount for unit in ("cup", "ounce", "pound")) or (spoons is not None and int(spoons[1]) > 3)
    return is_much and is_strong(food) and "hot sauce" not in kinds


def is_stronger(source: str, target: str) -> bool:
    """Say whether a food is taken by the pinch where the other is taken by the cup.

    >>> is_stronger("candy cane", "almond extract"), is_stronger("vanilla extract", "almond extract")
    (True, False)
    """
    return is_strong(target) and not is_strong(source)


def _new_contents(source: str, target: str) -> list[str]:
    old, new = verdicts(source), verdicts(target)
    gained = {facet: new[facet] for facet in FACETS if old[facet].status == "safe" and new[facet].status == "unsafe"}
    told = []
    for may_contain, words in ((False, "contains"), (True, "may contain")):
        foods = [
            _SPOKEN.get(facet, facet)
            for facet, found in gained.items()
            if found.may_contain == may_contain and facet not in {*_DIETS, "pescatarian"}
        ]
        if foods:
            told.append(f"{words} {in_a_row(foods)}")
    diet = next((diet for diet in _DIETS if diet in gained and not gained[diet].may_contain), "")
    if diet and _ANIMAL.isdisjoint(gained):
        told.append(f"not {diet}")
    return told


def _level(taste: str, food: str) -> int:
    return _tastes_of(food).get(taste, 0)


@lru_cache(maxsize=10_000)
def _tastes_of(food: str) -> dict[str, int]:
    """Return how strongly a food tastes of what; the closest of its kinds that is listed for a taste counts."""
    listed = _levels()
    found: dict[str, int] = {}
    for kind in reversed(kinds_of(food)):
        found |= listed.get(kind, {})
    return found


@cache
def _levels() -> dict[str, dict[str, int]]:
    levels: dict[str, dict[str, int]] = {}
    for taste, level, foods in read_table("effects/tastes.tsv"):
        for food in foods.split(", "):
            levels.setdefault(food, {}).setdefault(taste, int(level))
    return levels
