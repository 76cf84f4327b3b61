"""Foods that are taken by the pinch or the spoon, and how much is too much, in grams a serving (`strong.tsv`)."""

import re
from functools import cache

from swapchef.amounts.measures import convert, dimension, parse_measure
from swapchef.foods.kinds import kinds_of
from swapchef.recipes import Measure, Recipe
from swapchef.tables import read_table

USUAL_SERVINGS = 4  # of a recipe that does not say
_MOST_SERVINGS = 12  # "36 cookies" feed no 36 people
_GRAMS_PER_ML = 0.45  # of a ground spice whose weight nobody knows


def is_strong(food: str) -> bool:
    """Say whether a food is taken by the pinch or the spoon."""
    return _most_grams(food) is not None


def is_stronger(source: str, target: str) -> bool:
    """Say whether a food is taken by the pinch where the other is taken by the cup.

    >>> is_stronger("candy cane", "almond extract"), is_stronger("vanilla extract", "almond extract")
    (True, False)
    """
    return is_strong(target) and not is_strong(source)


def is_too_much(food: str, measure: Measure | None, servings: int = USUAL_SERVINGS) -> bool:
    """Say whether nobody would want so much of it, whatever it is measured in: a cup of a spice, 30 g of chili flakes.

    >>> from swapchef.amounts.measures import parse_measure
    >>> is_too_much("allspice", parse_measure("120 gram")), is_too_much("ground cumin", parse_measure("2 tablespoon"))
    (True, False)
    """
    return share_of_most(food, measure, servings) > 1


def share_of_most(food: str, measure: Measure | None, servings: int = USUAL_SERVINGS) -> float:
    """Return what share of the most that anybody would want an amount is; 0 for foods that are taken by the cup."""
    most = _most_grams(food)
    grams = _grams(food, measure) if measure and most else None
    return grams / (most * servings) if most and grams else 0.0


def is_more_than(food: str, measure: Measure | None, limit: str) -> bool:
    """Say whether an amount of a food is more than another, written "1 tablespoon"; without an amount it is not.

    >>> is_more_than("nutmeg", parse_measure("1/4 cup"), "1 tablespoon")
    True
    """
    grams, most = _grams(food, measure) if measure else None, _grams(food, parse_measure(limit))
    return grams is not None and most is not None and grams > most


def servings_of(recipe: Recipe) -> int:
    """Return how many a recipe feeds, within reason; four where it does not say."""
    count = re.search(r"\d+", recipe.servings)
    return min(max(int(count[0]), 1), _MOST_SERVINGS) if count else USUAL_SERVINGS


def _grams(food: str, measure: Measure) -> float | None:
    """Return what an amount weighs; the higher end of a range."""
    size = float(measure.amount.high or measure.amount.low)
    if dimension(measure.unit) != "volume":
        return convert(size, measure.unit, "gram", food)
    milliliters = convert(size, measure.unit, "milliliter", food) or 0.0
    return convert(size, measure.unit, "gram", food) or milliliters * _GRAMS_PER_ML


@cache
def _most_grams(food: str) -> float | None:
    table = _table()
    return next((table[kind] for kind in kinds_of(food) if kind in table), None)


@cache
def _table() -> dict[str, float]:
    return {food: float(grams) for food, grams in read_table("amounts/strong.tsv")}
