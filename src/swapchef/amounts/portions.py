"""How much of the substitute for what a line asks for, ready for an ingredient line.

A row of `ratios` is applied to the recipe's amount through `measures`, in the recipe's own system of units; what no
row covers is answered with the same amount and marked as a guess. A `Portion` is facts; its texts are written when they
are asked for.
"""

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from swapchef.amounts.measures import (
    convert,
    dimension,
    grams_per_cup,
    is_liquid,
    is_metric,
    is_us,
    parse_measure,
    sensible,
    written,
)
from swapchef.amounts.ratios import GUESS, MixtureRatio, Part, Ratio, find_ratio, mixtures_of, parse_part, worded
from swapchef.amounts.uses import Use
from swapchef.foods.kinds import kinds_of
from swapchef.recipes import Amount, IngredientLine, Measure

# Counted, but as much of one food as of another; a rack, a head or a piece is not.
HOLDS_ANYTHING = frozenset(
    "can tin jar package packet box bag bottle carton container tub tube envelope handful bunch sprig slice drop splash"
    " drizzle dollop scoop serving".split()
)
_WIDTHS = frozenset({"inch", "centimeter"})


@dataclass(frozen=True)
class Portion:
    """How much of the target to use instead of what a line asks for; its texts are written once, if ever."""

    source: str
    target: str
    row: Ratio
    asked: Measure | None  # of the source, packages opened
    asked_unit: str  # as the line has it: "can"
    use: Use | None
    in_metric: bool
    measure: Measure | None  # None where the recipe names no amount ("salt to taste") or the target needs none
    unit: str  # of the measure, or one that needs no amount: "a handful of parsley" stays a handful
    pack: Measure | None = None
    is_converted: bool = True  # False where the row's units do not fit the line's, so that its factor was guessed

    @property
    def amount(self) -> Amount | None:
        """Return the measure's amount."""
        return self.measure.amount if self.measure else None

    @property
    def is_elsewhere(self) -> bool:
        """Say whether the row is known to hold only in another use than this dish's."""
        return not self.row.holds_in(self.use)

    @cached_property
    def is_guess(self) -> bool:
        """Say whether nobody knows how much to take."""
        return self.row is GUESS or self.is_elsewhere or not self.is_converted

    @cached_property
    def text(self) -> str:
        """Write the amount as the front of an ingredient line: "3/4 cup"."""
        return written(self.measure, self.pack) if self.measure else ""

    @cached_property
    def rule(self) -> str:
        """Write the row for these foods: "1 cup sugar = 3/4 cup honey"; "" for a guess."""
        if self.row is GUESS:
            return ""
        if self.row.by is None:
            return f"as much {self.target} as it takes"
        if self.row.is_same_amount:
            return "the same amount"
        return f"{worded(self.row.replaced, self.source)} = {worded(self.row.by, self.target)}"

    @property
    def has_rule(self) -> bool:
        """Say whether there is a rule worth telling beside the note."""
        return self.row is not GUESS and not self.row.is_same_amount and not self.opens_with_rule

    @property
    def has_note(self) -> bool:
        """Say whether there is anything to know of the swap beside its rule."""
        of_row = bool(self.row.note or (self.row.baking_note and self.use == "baking"))
        return of_row or self.is_elsewhere or self.opens_with_rule

    @property
    def has_method(self) -> bool:
        """Say whether something is to be done differently."""
        return bool(self.row.method or (self.row.baking_method and self.use == "baking"))

    @property
    def opens_with_rule(self) -> bool:
        """Say whether the note repeats the rule, because it could not be applied."""
        return not self.is_converted and not self.is_elsewhere and self.row is not GUESS

    @cached_property
    def note(self) -> str:
        """Write what a cook should know of the swap."""
        note = self._for_use(self.row.note, self.row.baking_note)
        if self.is_elsewhere:
            return f"Known to work in {self.row.where} only. {note}".strip()
        rule = self.rule
        return f"{rule[:1].upper()}{rule[1:]}. {note}".strip() if self.opens_with_rule else note

    @cached_property
    def method(self) -> str:
        """Write what to do differently."""
        return self._for_use(self.row.method, self.row.baking_method)

    def _for_use(self, anywhere: str, in_baking: str) -> str:
        text = f"{anywhere} {in_baking if self.use == 'baking' else ''}".strip()
        return _filled(text, self)


@dataclass(frozen=True, slots=True)
class Dish:
    """What a portion depends on beside its line."""

    use: Use | None = None
    is_metric: bool = False  # what the recipe measures in where a line does not tell: "2 eggs"


ANY_DISH = Dish()


def portion_of(source: str, target: str, line: IngredientLine, dish: Dish = ANY_DISH) -> Portion:
    """Say how much of the target replaces what a line asks for of the source."""
    return how_much(source, target, line.amount, line.unit, pack=line.pack, use=dish.use, metric=dish.is_metric)


@lru_cache(maxsize=1000)  # lines of one recipe are asked for again with every candidate
def how_much(
    source: str,
    target: str,
    amount: Amount | None = None,
    unit: str = "",
    *,
    pack: Measure | None = None,
    use: Use | None = None,
    metric: bool = False,
) -> Portion:
    """Say how much of the target replaces an amount of the source; both are canonical names of the vocabulary.

    Amount, unit and pack are those of the `IngredientLine`; `metric` says what the recipe measures in where this line
    does not tell ("2 eggs").

    >>> portion = how_much("buttermilk", "yogurt", parse_measure("2 cup").amount, "cup")
    >>> portion.text, portion.note, portion.is_guess
    ('1 1/2 cups', 'Thin it with 1/2 cup milk or water.', False)
    """
    pack = _held(pack)
    asked = _contents(amount, unit, pack)
    row = find_ratio(source, target, asked.unit if asked else unit, use) or GUESS
    portion = Portion(
        source, target, row, asked, unit, use, _counts_as_metric(asked, metric), None, unit if row.by else ""
    )
    if amount is None or asked is None or row.by is None:
        return portion
    if pack and unit and not portion.is_guess and row.is_same_amount and _comes_by(unit, target):
        return replace(portion, measure=Measure(amount, unit), unit=unit, pack=pack)  # a can of the other beans
    measure, is_converted = _replacement(portion, asked)
    return replace(portion, measure=measure, unit=measure.unit, is_converted=is_converted)


def mixtures_for(source: str, line: IngredientLine | None = None, dish: Dish = ANY_DISH) -> tuple[MixtureRatio, ...]:
    """Return the ways to replace a food by several others, for the line's amount where that can be converted.

    >>> from swapchef.recipes import parse_line
    >>> [part.text for part in mixtures_for("buttermilk", parse_line("2 cups buttermilk"))[0].parts]
    ['2 cups milk', '2 tablespoons lemon juice']
    """
    rows = mixtures_of(source, dish.use)
    return tuple(mixture_for(row, source, line, dish) for row in rows) if line else rows


def _comes_by(unit: str, food: str) -> bool:
    """Say whether a food is sold in such a unit; chips weigh as much as a square of chocolate, and come in none."""
    return convert(1.0, unit, "gram", food) is not None and (
        unit != "square" or "any chocolate chip" not in kinds_of(food)
    )


class _OneUnit(NamedTuple):
    """What one unit of the source becomes."""

    size: float
    unit: str
    is_sure: bool = True


def _held(pack: Measure | None) -> Measure | None:
    """Return what a package holds; "1 (9 inch) pie crust" tells its width."""
    return None if pack and pack.unit in _WIDTHS else pack


def _contents(amount: Amount | None, unit: str, pack: Measure | None) -> Measure | None:
    """Return what is asked for in all, packages opened: 28 ounces for 2 cans of 14."""
    if amount is None:
        return None
    if pack is None:
        return Measure(amount, unit)
    size = pack.amount.low
    return Measure(Amount(amount.low * size, amount.high * size if amount.high else None), pack.unit)


def _counts_as_metric(asked: Measure | None, recipe_is_metric: bool) -> bool:
    """Say which units to answer in: those of the line, or of the whole recipe where the line has spoons or pieces."""
    unit = asked.unit if asked else ""
    return is_metric(unit) or (recipe_is_metric and not is_us(unit))


_AMOUNT_IN_NOTE = re.compile(r"\{([^{}]+?)(?: per ([^{}]+))?\}")


def _filled(text: str, portion: Portion) -> str:
    """Scale the amounts in a note: "{1/4 cup milk}" with the row, "{1 teaspoon salt per cup}" with each cup replaced.

    Where the recipe's amount is no help they stay as they are, and the note says what they are for.
    """
    if "{" not in text:
        return text
    unscaled: list[str] = []

    def amount(found: re.Match[str]) -> str:
        part, basis = parse_part(found[1]), parse_measure(found[2]) if found[2] else portion.row.replaced
        count = _count(portion, basis)
        if count is None:
            unscaled.append(found[2] or worded(basis, "" if basis.unit else portion.source))
            return part.text
        return _fitted(part, count, "", portion.in_metric).text

    filled = _AMOUNT_IN_NOTE.sub(amount, text)
    return f"{filled.rstrip('.')} (per {unscaled[0]})." if unscaled else filled


def _count(portion: Portion, basis: Measure) -> float | None:
    """Return how many times the basis is in what the recipe asks for."""
    if portion.asked is None:
        return None
    size = convert(float(portion.asked.amount.low), portion.asked.unit, basis.unit, portion.source)
    return None if size is None else size / float(basis.amount.low)


def _replacement(portion: Portion, asked: Measure) -> tuple[Measure, bool]:
    """Apply the row to what the recipe asks for; also say whether that was possible without guessing."""
    one = _one_unit(portion, asked.unit)
    if (one.size, one.unit) == (1.0, asked.unit):
        measure = asked  # leave the amount exactly as it is written
    else:
        low, high = float(asked.amount.low) * one.size, asked.amount.high
        highest = float(high) * one.size if high else None
        measure = _in_recipe_units(low, highest, one.unit, portion.target, asked.unit, portion.in_metric)
    if measure.unit and portion.target.endswith(measure.unit):  # "2 garlic cloves", not "2 cloves garlic clove"
        measure = Measure(measure.amount)
    return measure, one.is_sure


def _one_unit(portion: Portion, unit: str) -> _OneUnit:
    row = portion.row
    if row.by is None or row.is_by_part:
        return _like_for_like(portion, unit)
    count = convert(1.0, unit, row.replaced.unit, portion.source)
    if count is not None:
        return _OneUnit(count * row.factor, row.by.unit)
    scales = dimension(row.replaced.unit) == dimension(row.by.unit) != "piece"  # 3/4 cup for a cup: 3/4 of anything
    return _OneUnit(row.factor if scales else 1.0, unit, is_sure=False)


def _like_for_like(portion: Portion, unit: str) -> _OneUnit:
    """Keep the unit where it suits the target; pieces that weigh differently are counted anew, or measured instead."""
    factor = portion.row.factor
    grams = convert(1.0, unit, "gram", portion.source) if dimension(unit) == "piece" else None
    if grams is None:  # a measure, or pieces that we cannot weigh
        return _OneUnit(factor, unit, is_sure=dimension(unit) != "piece" or unit in HOLDS_ANYTHING)
    for piece in dict.fromkeys((unit, "")):
        of_target = convert(1.0, piece, "gram", portion.target)
        if of_target and 1 / 3 <= grams / of_target <= 3:
            alike = 0.7 <= grams / of_target <= 1.5  # a lime for a lemon
            return _OneUnit(factor if alike else factor * grams / of_target, piece)
    if "bread" in kinds_of(portion.target) and (slice_of := convert(1.0, "slice", "gram", portion.target)):
        return _OneUnit(factor * grams / slice_of, "slice")
    cups = convert(1.0, unit, "cup", portion.source)
    return _OneUnit(factor * grams, "gram") if cups is None else _OneUnit(factor * cups, "cup")


def _in_recipe_units(low: float, high: float | None, unit: str, food: str, line_unit: str, metric: bool) -> Measure:
    """Round an amount, in the unit that a recipe of this kind would give it in."""
    wanted = _recipe_unit(low, unit, food, line_unit, metric)
    step = convert(1.0, unit, wanted, food)
    if step is None:
        wanted, step = unit, 1.0
    return sensible(low * step, None if high is None else high * step, wanted)


def _recipe_unit(value: float, unit: str, food: str, line_unit: str, metric: bool) -> str:
    by_volume = dimension(unit) == "volume"
    tablespoons = convert(value, unit, "tablespoon", food) if by_volume else None
    if dimension(unit) == "piece" or (tablespoons is not None and tablespoons <= (3 if metric else 1)):
        return unit  # spoons and pieces are at home in every recipe
    weighed = dimension(line_unit) == "weight" or (grams_per_cup(food) is not None and not is_liquid(food))
    if metric and by_volume and (line_unit == "deciliter" or not weighed):
        return line_unit if dimension(line_unit) == "volume" and is_metric(line_unit) else "milliliter"
    if metric:
        return "gram"
    if dimension(line_unit) == "volume" or by_volume:
        return "cup"
    return "pound" if "pound" in {line_unit, unit} else "ounce"


@lru_cache(maxsize=1000)
def mixture_for(mixture: MixtureRatio, source: str, line: IngredientLine, dish: Dish) -> MixtureRatio:
    """Fit a mixture to what a line asks for of the source; what cannot be converted stays as in the table."""
    asked = _contents(line.amount, line.unit, _held(line.pack))
    return _for_amount(mixture, source, asked, _counts_as_metric(asked, dish.is_metric))


def is_scaled_to(mixture: MixtureRatio, line: IngredientLine) -> bool:
    """Say whether a mixture replaces just what a line asks for."""
    return mixture.replaced == _contents(line.amount, line.unit, _held(line.pack))


def _for_amount(row: MixtureRatio, source: str, asked: Measure | None, metric: bool) -> MixtureRatio:
    """Fit the parts to what the recipe asks for; if that cannot be converted they stay as in the table."""
    count = convert(float(asked.amount.low), asked.unit, row.replaced.unit, source) if asked else None
    if asked is None or count is None:
        return row
    factor = count / float(row.replaced.amount.low)
    return replace(row, replaced=asked, parts=tuple(_fitted(part, factor, asked.unit, metric) for part in row.parts))


def _fitted(part: Part, factor: float, line_unit: str, metric: bool) -> Part:
    size = float(part.measure.amount.low) * factor
    return Part(part.name, _in_recipe_units(size, None, part.measure.unit, part.name or "water", line_unit, metric))
