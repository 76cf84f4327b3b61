"""How much of the substitute: curated ratios, swaps of one food for several, and amounts ready for an ingredient line.

`swaps.tsv` and `combinations.tsv` say what a good cookbook says ("1 cup sugar: 3/4 cup honey"), for single foods and
for kinds of food; the closest row wins. A row is applied to the recipe's amount through `measures`, in the recipe's
own system of units. What no row covers is answered with the same amount and marked as a guess.
"""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from typing import Literal, NamedTuple

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
from swapchef.en.nouns import plural
from swapchef.foods.kinds import kinds_of
from swapchef.recipes import Amount, Measure, Recipe
from swapchef.tables import read_table

Use = Literal["baking", "frying", "raw"]


@dataclass(frozen=True, slots=True)
class Ratio:
    """One row of the table: so much of the source is replaced by so much of the target."""

    source: str
    replaced: Measure
    target: str
    by: Measure | None  # None: as much as it takes, as with cooking spray
    where: str = "any"  # or the one use in which it holds
    note: str = ""
    method: str = ""  # what to do differently, and for how long

    @property
    def factor(self) -> float:
        """Return how much of the target replaces one of the source, in the units of this row."""
        return float(self.by.amount.low / self.replaced.amount.low) if self.by else 0.0

    @property
    def is_by_part(self) -> bool:
        """Say whether it holds in whatever unit the recipe has."""
        return self.replaced.unit == "part"


@dataclass(frozen=True, slots=True)
class Portion:
    """How much of the target to use, and what to mind."""

    amount: Amount | None  # None where the recipe names no amount ("salt to taste") or the target needs none
    unit: str
    pack: Measure | None
    text: str  # the amount as the front of an ingredient line: "3/4 cup"
    rule: str  # "1 cup sugar = 3/4 cup honey"; "" for a guess
    note: str
    method: str
    where: str
    is_guess: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One of several foods that together replace another."""

    name: str
    measure: Measure

    @property
    def text(self) -> str:
        """Return the part as an ingredient line: "1 tablespoon lemon juice"."""
        return _worded(self.measure, self.name)


@dataclass(frozen=True, slots=True)
class Combination:
    """Several foods that together replace so much of one."""

    source: str
    replaced: Measure
    parts: tuple[Part, ...]
    where: str
    note: str


_PART = Measure(Amount(Fraction(1)), "part")
_SAME_FOOD = Ratio("", _PART, "", _PART)
_GUESS = Ratio("", _PART, "", _PART, note="Start with the same amount, then taste and adjust.")


@lru_cache(maxsize=1000)  # a suggestion and the line it changes ask for the same
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

    >>> portion = how_much("buttermilk", "yogurt", Amount(Fraction(2)), "cup")
    >>> portion.text, portion.note, portion.is_guess
    ('1 1/2 cups', 'Thin it with 1/2 cup milk or water.', False)
    """
    pack = _held(pack)
    asked = _contents(amount, unit, pack)
    row = find_ratio(source, target, asked.unit if asked else unit, use) or _GUESS
    swap = _Swap(row, source, target, asked, _counts_as_metric(asked, metric))
    rule, note, method = _rule(swap), _filled(_said_of(row.note, use), swap), _filled(_said_of(row.method, use), swap)
    is_guess = row is _GUESS
    if use and row.where not in {"any", use}:
        is_guess, note = True, f"Known to work in {row.where} only. {note}".strip()
    if amount is None or asked is None or row.by is None:
        kept = unit if row.by else ""  # "a handful of parsley" stays a handful
        return Portion(None, kept, None, "", rule, note, method, row.where, is_guess)
    is_kept = row.is_by_part and row.factor == 1 and _comes_by(unit, target)
    if pack and unit and not is_guess and is_kept:
        text = written(Measure(amount, unit), pack)  # "1 (14 ounce) can" of the other beans
        return Portion(amount, unit, pack, text, rule, note, method, row.where, is_guess)
    measure, is_sure = _replacement(swap, asked)
    if not is_sure and not is_guess:
        is_guess, note = True, f"{rule[:1].upper()}{rule[1:]}. {note}".strip()
    return Portion(measure.amount, measure.unit, None, written(measure), rule, note, method, row.where, is_guess)


def find_ratio(source: str, target: str, unit: str = "", use: Use | None = None) -> Ratio | None:
    """Find the closest row: for these very foods rather than their kinds, holding in this use, and for this unit."""
    table, elsewhere = _rows(), None
    for pair in product(kinds_of(source), kinds_of(target)):
        if pair in table:
            best = min(
                _ratios(pair), key=lambda row: (_misfit(row, use), dimension(row.replaced.unit) != dimension(unit))
            )
            if _misfit(best, use) < 2:
                return best
            elsewhere = elsewhere or best
        elif pair[0] == pair[1] and not pair[0].startswith("any "):
            return _SAME_FOOD
    return elsewhere


def combinations(
    source: str,
    amount: Amount | None = None,
    unit: str = "",
    *,
    pack: Measure | None = None,
    use: Use | None = None,
    metric: bool = False,
) -> tuple[Combination, ...]:
    """Return the ways to replace a food by several others, for the recipe's amount where that can be converted.

    >>> [part.text for part in combinations("buttermilk", Amount(Fraction(2)), "cup")[0].parts]
    ['2 cups milk', '2 tablespoons lemon juice']
    """
    table = _combinations()
    rows = next((table[kind] for kind in kinds_of(source) if kind in table), ())
    asked = _contents(amount, unit, _held(pack))
    metric = _counts_as_metric(asked, metric)
    return tuple(_for_amount(row, source, asked, metric) for row in rows if use is None or row.where in {"any", use})


def is_only_part(source: str, target: str) -> bool:
    """Say whether a food takes another's place only along with more: what sours milk is no buttermilk.

    >>> is_only_part("buttermilk", "lemon juice"), is_only_part("buttermilk", "yogurt"), is_only_part("baking powder", "vinegar")
    (True, False, True)
    """
    row = find_ratio(source, target)
    if row is None or row.by is None or row.is_by_part:
        return False
    if row.note.startswith("With {"):
        return True
    share = convert(row.factor, row.by.unit, row.replaced.unit, target)
    return share is not None and share < _SMALL_PART and dimension(row.replaced.unit) == "volume" and is_liquid(source)


_SMALL_PART = 1 / 8


def use_of(recipe: Recipe) -> Use | None:
    """Guess from title, ingredients and steps what a dish asks of its ingredients; None where nothing stands out.

    Baking means doughs and batters, not a roast that happens to be in the oven.
    """
    title = recipe.title.lower()
    steps = " ".join(step.text for step in recipe.steps).lower()
    names = " ".join(line.name for line in recipe.ingredients).lower()
    if re.search(_BAKED_GOODS, title) and not re.search(_NOT_BAKED, title):
        return "baking"
    if re.search(_OVEN, steps) and re.search(_FLOUR, names) and re.search(_LEAVENER, names):
        return "baking"
    if re.search(_FRIED, title) or re.search(_FRYING, steps):
        return "frying"
    return "raw" if (steps or re.search(_RAW_DISHES, title)) and not re.search(_HEAT, f"{title} {steps}") else None


# Looked for only here, and compiled when first looked for: that takes longer than all other imports of this module.
_BAKED_GOODS = (
    r"\b(?:cakes?|cupcakes?|cookies?|brownies?|blondies?|muffins?|breads?|buns?|scones?|biscuits?|pies?|tarts?|cobblers?"
    r"|crisps?|crumbles?|pastry|pastries|shortbreads?|biscotti|macaroons?|loaf|bagels?|pretzels?|strudel|danish|coffeecakes?"
    r"|cheesecakes?|gingerbreads?|cornbreads?|pancakes?|waffles?|crepes?|donuts?|doughnuts?|popovers?|focaccia|clafouti\w*)\b"
)
_NOT_BAKED = (
    r"\bno[- ]bake|\bmeat ?loaf|\b(?:crab|fish|shrimp|salmon|rice|potato|tuna|corn) ?cakes?|ice cream|frozen|\braw\b"
    r"|shepherd|cottage pie|pot pie|\b(?:tuna|ham|turkey|salmon|nut|veal) loaf|bread salad|pudding|stuffing"
)
_OVEN = r"\bbak(?:e|es|ed|ing)\b|\boven\b"
_FLOUR = r"\bflour\b|\bbaking mix\b|\bbisquick\b|\bcake mix\b"
_LEAVENER = r"\bbaking (?:powder|soda)\b|\byeast\b|\bself[- ](?:ris|rais)ing\b|\bbisquick\b|\bcake mix\b"
_FRIED = r"\b(?:(?:deep|pan|stir|oven)?[- ]?fried|stir[- ]?fry|fritters?|tempura|saut[eé]ed|schnitzel)\b"
_FRYING = r"\b(?:deep[- ]|pan[- ]|stir[- ])?fr(?:y|ied|ying)\b|\bsaut[eé](?:ed|ing)?\b|\b(?:hot|heat(?:ed)?|heat the) (?:oil|butter)\b"
_HEAT = (
    r"\b(?:bak(?:e|ed|ing)|boil(?:ed|ing)?|simmer\w*|cook(?!ie)\w*|heat\w*|oven|grill\w*|roast\w*|toast\w*|broil\w*|steam\w*|fr(?:y|ied|ying)"
    r"|saut[eé]\w*|brown(?:ed)? the|melt\w*|microwave\w*|stove\w*|saucepan|skillet|sear\w*|poach\w*|warm(?: through)?|preheat\w*)\b"
)
_RAW_DISHES = r"\b(?:salads?|dressing|vinaigrette|smoothies?|shakes?|salsa|guacamole|dips?|coleslaw|slaw|cocktail|lemonade|punch)\b"


class _Swap(NamedTuple):
    """A row of the table and what it is applied to."""

    row: Ratio
    source: str
    target: str
    asked: Measure | None  # what the recipe asks for of the source
    metric: bool


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
    return None if pack and pack.unit in {"inch", "centimeter"} else pack


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


def _misfit(row: Ratio, use: Use | None) -> int:
    """Rate a row for a use: 0 made for it, 1 will do, 2 known elsewhere only."""
    if row.where == (use or "any"):
        return 0
    return 1 if use is None or row.where == "any" else 2


def _rule(swap: _Swap) -> str:
    """Put a row in words, for the foods it was looked up for."""
    row = swap.row
    if row is _GUESS:
        return ""
    if row.by is None:
        return f"as much {swap.target} as it takes"
    if row.is_by_part and row.factor == 1:
        return "the same amount"
    return f"{_worded(row.replaced, swap.source)} = {_worded(row.by, swap.target)}"


def _worded(measure: Measure, name: str) -> str:
    """Write an amount of a food: "1 cup sugar", "3 shallots"."""
    if measure.unit and not name.endswith(measure.unit):
        return f"{written(measure)} {name}".rstrip()
    return f"{measure.amount} {plural(name) if measure.amount.low > 1 else name}"


_CLAUSE = re.compile(r"[^.;:]+[.;:]?\s*")
_ABOUT_BAKING = re.compile(
    r"\b(?:crumb|doughs?|batters?|cookies?|cakes?|muffins?|pastry|[Bb]ake|[Ii]n baking|yeast bread)\b"
)


def _said_of(text: str, use: Use | None) -> str:
    """Leave out of a note what it says of doughs and crumbs where nothing is baked."""
    if use == "baking" or not _ABOUT_BAKING.search(text):
        return text
    kept = "".join(clause for clause in _CLAUSE.findall(text) if not _ABOUT_BAKING.search(clause)).rstrip(" ;:")
    return f"{kept[0].upper()}{kept[1:].rstrip('.')}." if kept else ""


_AMOUNT_IN_NOTE = re.compile(r"\{([^{}]+?)(?: per ([^{}]+))?\}")


def _filled(text: str, swap: _Swap) -> str:
    """Scale the amounts in a note: "{1/4 cup milk}" with the row's own, "{1 teaspoon salt per cup}" with each cup replaced.

    Where the recipe's amount is no help they stay as they are, and the note says what they are for.
    """
    if "{" not in text:
        return text
    unscaled: list[str] = []

    def amount(found: re.Match[str]) -> str:
        part, basis = _parse_part(found[1]), parse_measure(found[2]) if found[2] else swap.row.replaced
        count = _count(swap, basis)
        if count is None:
            unscaled.append(found[2] or _worded(basis, "" if basis.unit else swap.source))
            return part.text
        return _fitted(part, count, "", swap.metric).text

    filled = _AMOUNT_IN_NOTE.sub(amount, text)
    return f"{filled.rstrip('.')} (per {unscaled[0]})." if unscaled else filled


def _count(swap: _Swap, basis: Measure) -> float | None:
    """Return how many times the basis is in what the recipe asks for."""
    if swap.asked is None:
        return None
    size = convert(float(swap.asked.amount.low), swap.asked.unit, basis.unit, swap.source)
    return None if size is None else size / float(basis.amount.low)


def _replacement(swap: _Swap, asked: Measure) -> tuple[Measure, bool]:
    """Apply the row to what the recipe asks for; also say whether that was possible without guessing."""
    one = _one_unit(swap, asked.unit)
    if (one.size, one.unit) == (1.0, asked.unit):
        measure = asked  # leave the amount exactly as it is written
    else:
        low, high = float(asked.amount.low) * one.size, asked.amount.high
        highest = float(high) * one.size if high else None
        measure = _in_recipe_units(low, highest, one.unit, swap.target, asked.unit, swap.metric)
    if measure.unit and swap.target.endswith(measure.unit):  # "2 garlic cloves", not "2 cloves garlic clove"
        measure = Measure(measure.amount)
    return measure, one.is_sure


def _one_unit(swap: _Swap, unit: str) -> _OneUnit:
    row = swap.row
    if row.by is None or row.is_by_part:
        return _like_for_like(swap, unit)
    count = convert(1.0, unit, row.replaced.unit, swap.source)
    if count is not None:
        return _OneUnit(count * row.factor, row.by.unit)
    scales = dimension(row.replaced.unit) == dimension(row.by.unit) != "piece"  # 3/4 cup for a cup: 3/4 of anything
    return _OneUnit(row.factor if scales else 1.0, unit, is_sure=False)


# Counted, but as much of one food as of another; a rack, a head or a piece is not.
HOLDS_ANYTHING = frozenset(
    "can tin jar package packet box bag bottle carton container tub tube envelope handful bunch sprig slice drop splash drizzle"
    " dollop scoop serving".split()
)


def _like_for_like(swap: _Swap, unit: str) -> _OneUnit:
    """Keep the unit where it suits the target; pieces that weigh differently are counted anew, or measured instead."""
    factor = swap.row.factor
    grams = convert(1.0, unit, "gram", swap.source) if dimension(unit) == "piece" else None
    if grams is None:  # a measure, or pieces that we cannot weigh
        return _OneUnit(factor, unit, is_sure=dimension(unit) != "piece" or unit in HOLDS_ANYTHING)
    for piece in dict.fromkeys((unit, "")):
        of_target = convert(1.0, piece, "gram", swap.target)
        if of_target and 1 / 3 <= grams / of_target <= 3:
            alike = 0.7 <= grams / of_target <= 1.5  # a lime for a lemon
            return _OneUnit(factor if alike else factor * grams / of_target, piece)
    if "bread" in kinds_of(swap.target) and (slice_of := convert(1.0, "slice", "gram", swap.target)):
        return _OneUnit(factor * grams / slice_of, "slice")
    cups = convert(1.0, unit, "cup", swap.source)
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


def _for_amount(row: Combination, source: str, asked: Measure | None, metric: bool) -> Combination:
    """Fit the parts to what the recipe asks for; if that cannot be converted they stay as in the table."""
    count = convert(float(asked.amount.low), asked.unit, row.replaced.unit, source) if asked else None
    if asked is None or count is None:
        return row
    factor = count / float(row.replaced.amount.low)
    return replace(row, replaced=asked, parts=tuple(_fitted(part, factor, asked.unit, metric) for part in row.parts))


def _fitted(part: Part, factor: float, line_unit: str, metric: bool) -> Part:
    size = float(part.measure.amount.low) * factor
    return Part(part.name, _in_recipe_units(size, None, part.measure.unit, part.name or "water", line_unit, metric))


@cache
def _rows() -> dict[tuple[str, str], list[list[str]]]:
    """Return the table as it is written: a run needs a few of its rows, and making sense of all takes 10 ms."""
    rows: dict[tuple[str, str], list[list[str]]] = {}
    for row in read_table("amounts/swaps.tsv"):
        rows.setdefault((row[0], row[2]), []).append(row)
    return rows


@cache
def _ratios(pair: tuple[str, str]) -> tuple[Ratio, ...]:
    return tuple(
        Ratio(source, parse_measure(replaced), target, None if by == "-" else parse_measure(by), where, note, method)
        for source, replaced, target, by, where, note, method in _rows()[pair]
    )


@cache
def _combinations() -> dict[str, tuple[Combination, ...]]:
    found: dict[str, tuple[Combination, ...]] = {}
    for source, replaced, parts, where, note in read_table("amounts/combinations.tsv"):
        row = Combination(source, parse_measure(replaced), tuple(map(_parse_part, parts.split(" + "))), where, note)
        found[source] = (*found.get(source, ()), row)
    return found


def _parse_part(text: str) -> Part:
    """Read "1 1/2 teaspoon baking powder", "2 egg white", or an amount of nothing in particular: "1/4 cup"."""
    words = text.split()
    start = next(i for i, word in enumerate(words) if not word[0].isdigit())
    end = start + 1 if dimension(words[start]) != "piece" else start
    return Part(" ".join(words[end:]), parse_measure(" ".join(words[:end])))
