"""Amounts in the kitchen: converting between units, and rounding to what spoons, cups and scales can measure.

Volume to volume and weight to weight are exact; between them stand two tables, the weight of a cup of a food
(`densities.tsv`) and the size of a piece of it (`pieces.tsv`). Rounding goes to the nearest rung of a ladder of amounts
that cooks write, so no answer is ever "0.333 cup". Units are those of `IngredientLine`; `pint` would take 0.4 s of a
cold start and knows neither densities nor cloves.
"""

from bisect import bisect_left
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Literal, NamedTuple

from swapchef.en.nouns import plural
from swapchef.errors import SwapchefError
from swapchef.foods.kinds import kinds_of
from swapchef.recipes import Amount, Measure
from swapchef.tables import read_table

Dimension = Literal["volume", "weight", "piece"]

_TEASPOON = 4.92892159375  # milliliters in the US one
_ML = {
    "pinch": _TEASPOON / 16, "dash": _TEASPOON / 8, "teaspoon": _TEASPOON, "tablespoon": 3 * _TEASPOON,
    "fluid ounce": 6 * _TEASPOON, "jigger": 9 * _TEASPOON, "shot": 9 * _TEASPOON, "cup": 48 * _TEASPOON,
    "pint": 96 * _TEASPOON, "quart": 192 * _TEASPOON, "gallon": 768 * _TEASPOON,
    "milliliter": 1.0, "centiliter": 10.0, "deciliter": 100.0, "liter": 1000.0,
}  # fmt: skip
_GRAMS = {"milligram": 0.001, "gram": 1.0, "kilogram": 1000.0, "ounce": 28.349523125, "pound": 453.59237}
_METRIC = {
    "milligram": "mg", "gram": "g", "kilogram": "kg",
    "milliliter": "ml", "centiliter": "cl", "deciliter": "dl", "liter": "l",
}  # fmt: skip
_SPOONFULS = frozenset({"pinch", "dash", "teaspoon", "tablespoon"})  # every kitchen has them, metric or not


def dimension(unit: str) -> Dimension:
    """Say what a unit measures; whatever is counted is a piece, a can as well as an egg."""
    return "volume" if unit in _ML else "weight" if unit in _GRAMS else "piece"


def is_metric(unit: str) -> bool:
    """Say whether a unit is one of a metric recipe."""
    return unit in _METRIC


def is_us(unit: str) -> bool:
    """Say whether a unit is one of a US recipe; spoons and pieces belong to every recipe."""
    return dimension(unit) != "piece" and unit not in _METRIC and unit not in _SPOONFULS


def convert(value: float, unit: str, to: str, food: str) -> float | None:
    """Express an amount of a food in another unit, or return None where we do not know how.

    >>> convert(3, "teaspoon", "tablespoon", "salt"), convert(0.5, "stick", "cup", "butter")
    (1.0, 0.25)
    """
    if unit == to:
        return value
    have, want = _size(unit, food), _size(to, food)
    if have is None or want is None:
        return None
    value *= have.size / want.size
    if have.dimension == want.dimension:
        return value
    density = grams_per_cup(food)
    if density is None:
        return None
    grams_per_ml = density / _ML["cup"]
    return value * grams_per_ml if have.dimension == "volume" else value / grams_per_ml


def grams_per_cup(food: str) -> float | None:
    """Return what a cup of a food weighs, if we know."""
    densities = _densities()
    return next((densities[kind].grams for kind in kinds_of(food) if kind in densities), None)


def is_liquid(food: str) -> bool:
    """Say whether a food is poured, so that a metric recipe gives it in milliliters and not in grams."""
    densities = _densities()
    return next((densities[kind].is_liquid for kind in kinds_of(food) if kind in densities), False)


def sensible(low: float, high: float | None, unit: str) -> Measure:
    """Round an amount, or a range of them, to what a cook can measure, in the unit that suits its size.

    >>> sensible(6, None, "teaspoon"), sensible(0.34, None, "cup").amount.low
    (Measure(amount=Amount(low=Fraction(2, 1), high=None), unit='tablespoon'), Fraction(1, 3))
    """
    first, first_unit = _nearest(low, unit)
    if high is None:
        return Measure(Amount(first), first_unit)
    second, second_unit = _nearest(high, unit)
    if first_unit != second_unit:  # "2-6 teaspoons", not "2 teaspoons to 2 tablespoons"
        first_unit = min(first_unit, second_unit, key=_base)
        first, second = (_nearest_on(_in_one_unit(first_unit), end * _base(unit))[0] for end in (low, high))
    return Measure(Amount(first, second if second > first else None), first_unit)


def scaled(measure: Measure, factor: float) -> Measure:
    """Scale an amount with the servings, and round it to what a cook can measure.

    >>> written(scaled(Measure(Amount(Fraction(1)), "teaspoon"), 3))
    '1 tablespoon'
    """
    if factor <= 0:
        raise SwapchefError("A recipe can only be scaled by a number above zero.")
    if factor == 1:
        return measure
    high = measure.amount.high
    return sensible(float(measure.amount.low) * factor, None if high is None else float(high) * factor, measure.unit)


def written(measure: Measure, pack: Measure | None = None) -> str:
    """Write an amount as it stands at the front of an ingredient line.

    >>> written(Measure(Amount(Fraction(3, 2)), "cup")), written(Measure(Amount(Fraction(150)), "gram"))
    ('1 1/2 cups', '150 g')
    """
    amount, unit = measure.amount, measure.unit
    many = (amount.high or amount.low) > 1
    if unit in {"pinch", "dash"}:
        return f"{amount} {plural(unit)} of" if many else f"a {unit} of"
    size = f" ({pack.amount} {pack.unit})" if pack else ""
    name = _METRIC.get(unit) or (plural(unit) if many and unit else unit)
    return f"{amount}{size} {name}".rstrip()


@cache
def parse_measure(text: str) -> Measure:
    """Read an amount as our tables write it: "1 1/2 cup", "2" (pieces), "1 part", or "cup" for one of them.

    >>> parse_measure("1 1/2 fluid ounce")
    Measure(amount=Amount(low=Fraction(3, 2), high=None), unit='fluid ounce')
    """
    words = text.split()
    numbers = [word for word in words if word[0].isdigit()]
    return Measure(Amount(sum(map(Fraction, numbers), Fraction(0)) or Fraction(1)), " ".join(words[len(numbers) :]))


class _Size(NamedTuple):
    dimension: Dimension
    size: float  # in milliliters or grams


class _Density(NamedTuple):
    grams: float
    is_liquid: bool


def _base(unit: str) -> float:
    """Return milliliters, grams or pieces in one unit."""
    return _ML.get(unit) or _GRAMS.get(unit) or 1.0


def _size(unit: str, food: str) -> _Size | None:
    """Return how much one unit of a food is."""
    if dimension(unit) != "piece":
        return _Size(dimension(unit), _base(unit))
    pieces = _pieces()
    return next((pieces[kind, unit] for kind in kinds_of(food) if (kind, unit) in pieces), None)


@cache
def _densities() -> dict[str, _Density]:
    return {food: _Density(float(grams), how == "liquid") for food, grams, how in read_table("amounts/densities.tsv")}


@cache
def _pieces() -> dict[tuple[str, str], _Size]:
    sizes: dict[tuple[str, str], _Size] = {}
    for food, units, text in read_table("amounts/pieces.tsv"):
        measure = parse_measure(text)
        size = _Size(dimension(measure.unit), float(measure.amount.low) * _base(measure.unit))
        for unit in units.split("/"):
            sizes.setdefault((food, "" if unit == "whole" else unit), size)
    return sizes


class _Ladder(NamedTuple):
    """Amounts that cooks write, ascending: their sizes in the base unit, and how each is written."""

    sizes: list[float]
    rungs: list[tuple[Fraction, str]]


def _ladder(*rungs: tuple[str, Iterable[Fraction]]) -> _Ladder:
    ascending = sorted((float(amount) * _base(unit), amount, unit) for unit, amounts in rungs for amount in amounts)
    return _Ladder([size for size, _, _ in ascending], [(amount, unit) for _, amount, unit in ascending])


def _listed(text: str) -> list[Fraction]:
    return [Fraction(word) for word in text.split()]


def _every(step: Fraction, start: int, stop: int) -> list[Fraction]:
    """Return start, start + step, ... up to but without stop."""
    numerator, denominator = step.as_integer_ratio()
    return [Fraction(n, denominator) for n in range(start * denominator, stop * denominator, numerator)]


_WHOLE, _HALF, _QUARTER, _TENTH = Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 10)


# From one teaspoon, ounce or gram on, neighbouring rungs are at most a quarter apart, so rounding never moves an amount
# by more than a ninth; below that there are only the spoons there are.
@cache
def _ladder_of(unit: str) -> _Ladder:
    if unit in {"milliliter", "liter"}:
        return _metric_steps("milliliter", "liter")
    if unit in {"milligram", "gram", "kilogram"}:
        return _metric_steps("gram", "kilogram")
    if unit in {"ounce", "pound"}:
        return _us_weights(in_pounds=unit == "pound")
    if unit in {"fluid ounce", "centiliter", "deciliter", "jigger", "shot"}:
        return _in_one_unit(unit)
    return _us_volumes() if dimension(unit) == "volume" else _pieces_of(unit)


def _us_volumes() -> _Ladder:
    thirds_and_quarters = [n + part for n in range(1, 10) for part in _listed("0 1/4 1/3 1/2 2/3 3/4")]
    return _ladder(
        ("pinch", [_WHOLE]),
        ("teaspoon", _listed("1/8 1/4 1/2 3/4 1 5/4 3/2 7/4 2 9/4 5/2 4 5")),
        ("tablespoon", _listed("1 5/4 3/2 2 9/4 5/2 3 7/2 5 6 7 10")),
        ("cup", [*_listed("1/4 1/3 1/2 2/3 3/4 7/8"), *thirds_and_quarters, *_every(_WHOLE, 10, 101)]),
    )


def _us_weights(in_pounds: bool) -> _Ladder:
    ounces = [*_listed("1/8 1/4 1/2 3/4"), *_every(_QUARTER, 1, 2), *_every(_HALF, 2, 4), *_every(_WHOLE, 4, 16)]
    pounds = [*_every(_QUARTER, 1, 5), *_every(_HALF, 5, 10), *_every(_WHOLE, 10, 101)]
    if in_pounds:  # where the recipe has pounds it is "1/2 pound", elsewhere "8 ounces"
        ounces = [amount for amount in ounces if amount not in {4, 8, 12}]
        pounds = [_QUARTER, _HALF, 3 * _QUARTER, *pounds]
    return _ladder(("ounce", ounces), ("pound", pounds))


def _metric_steps(small: str, large: str) -> _Ladder:
    few = _listed("1/4 1/2 3/4 1 5/4 3/2 7/4 2 5/2 3 7/2 4 9/2 5 6 7 8 9 10 12 15 18")
    many = [*_every(Fraction(5), 20, 100), *_every(Fraction(10), 100, 250), *_every(Fraction(25), 250, 1000)]
    most = [*_every(_TENTH, 1, 5), *_every(_QUARTER, 5, 10), *_every(_HALF, 10, 51)]
    return _ladder((small, [*few, *many]), (large, most))


def _in_one_unit(unit: str) -> _Ladder:
    return _ladder((unit, [*_every(_QUARTER, 0, 3)[1:], *_every(_HALF, 3, 10), *_every(_WHOLE, 10, 101)]))


def _pieces_of(unit: str) -> _Ladder:
    return _ladder((unit, [_QUARTER, *_every(_HALF, 0, 3)[1:], *_every(_WHOLE, 3, 101)]))


def _nearest(value: float, unit: str) -> tuple[Fraction, str]:
    if value <= 0:
        return Fraction(0), unit
    return _nearest_on(_ladder_of(unit), value * _base(unit))


def _nearest_on(ladder: _Ladder, size: float) -> tuple[Fraction, str]:
    above = bisect_left(ladder.sizes, size)
    if above == len(ladder.sizes):  # a banquet: whole cups, pounds or pieces
        amount, unit = ladder.rungs[-1]
        return max(amount, Fraction(round(size / _base(unit)))), unit
    below = max(above - 1, 0)
    nearer = below if size - ladder.sizes[below] < ladder.sizes[above] - size else above
    return ladder.rungs[nearer]
