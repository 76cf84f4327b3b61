"""What a swap changes in the dish: its taste, and what someone at the table may not be able to eat.

Tastes come from `tastes.tsv` and are compared only where the difference is plain. Allergens come from the verdicts of
`diets`, which are compared for both foods, so that only what is new is told.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

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
_FACET_NAMES = {"tree_nuts": "tree nuts", "no_pork": "pork", "no_alcohol": "alcohol"}
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
    return (*(change.words for change in changed_tastes(source, target)), *_new_contents(source, target))


def is_sweet_dish(names: Iterable[str]) -> bool:
    """Say whether a dish is a dessert or a plain dough: nothing in it is savory, something is all sweet or flour."""
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


class TasteChange(NamedTuple):
    """That a dish tastes plainly more, or less, of something."""

    taste: str
    is_more: bool

    @property
    def words(self) -> str:
        """Say it to a cook: "sweeter"."""
        more, less = _MORE_AND_LESS[self.taste]
        return more if self.is_more else less


@lru_cache(maxsize=10_000)
def changed_tastes(source: str, target: str) -> tuple[TasteChange, ...]:
    """Return how a dish tastes otherwise with the target, where the difference is plain."""
    changes = []
    for taste in _MORE_AND_LESS:
        old, new = _level(taste, source), _level(taste, target)
        if abs(new - old) >= 2 or (old and new and old != new):
            changes.append(TasteChange(taste, new > old))
    return tuple(changes)


def _new_contents(source: str, target: str) -> list[str]:
    old, new = verdicts(source), verdicts(target)
    gained = {facet: new[facet] for facet in FACETS if old[facet].status == "safe" and new[facet].status == "unsafe"}
    changes = []
    for may_contain, words in ((False, "contains"), (True, "may contain")):
        foods = [
            _FACET_NAMES.get(facet, facet)
            for facet, new_verdict in gained.items()
            if new_verdict.may_contain == may_contain and facet not in {*_DIETS, "pescatarian"}
        ]
        if foods:
            changes.append(f"{words} {in_a_row(foods)}")
    diet = next((diet for diet in _DIETS if diet in gained and not gained[diet].may_contain), "")
    if diet and _ANIMAL.isdisjoint(gained):
        changes.append(f"not {diet}")
    return changes


def _level(taste: str, food: str) -> int:
    return _tastes_of(food).get(taste, 0)


@lru_cache(maxsize=10_000)
def _tastes_of(food: str) -> dict[str, int]:
    """Return how strongly a food tastes of what; the closest of its kinds that is listed for a taste counts."""
    listed = _levels()
    levels: dict[str, int] = {}
    for kind in reversed(kinds_of(food)):
        levels |= listed.get(kind, {})
    return levels


@cache
def _levels() -> dict[str, dict[str, int]]:
    levels: dict[str, dict[str, int]] = {}
    for taste, level, foods in read_table("effects/tastes.tsv"):
        for food in foods.split(", "):
            levels.setdefault(food, {}).setdefault(taste, int(level))
    return levels
