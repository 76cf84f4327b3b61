"""A recipe for more or fewer people: every amount of its ingredient list scaled and rounded to what a cook can measure.

An amount is replaced where it stands, so all else on a line stays as it was written. What cannot be scaled stays and
is noted: amounts inside steps, how large a pan has to be, how long a time.
"""

import re
from dataclasses import replace
from fractions import Fraction

from swapchef.amounts.measures import dimension, scaled, written
from swapchef.en.lines import HOW_FULL, WIDTH
from swapchef.en.nouns import is_counted, many_of, one_of
from swapchef.errors import SwapchefError
from swapchef.recipes import IngredientLine, Recipe, parse_line
from swapchef.recipes.model import Amount, Measure
from swapchef.recipes.units import ENGLISH

_MOST = 1000  # servings
_BY_FEEL = frozenset({"pinch", "dash"})  # for two as for eight
_COUNT = re.compile(r"\d+(?:\s*(?:-|–|to)\s*(\d+))?")
_VULGAR = "½¼¾⅓⅔⅛⅜⅝⅞⅕⅖⅗⅘⅙⅚"
_NUMBER = rf"""(?:
    \d+ (?: \s*[{_VULGAR}] | \s+\d+\s*[/⁄]\s*\d+ | \s*[/⁄]\s*\d+ | [.,]\d+ )?  # 2, 1½, 1 1/2, 1/2, 0.5
    | [{_VULGAR}]
)"""
_NUMBER_WORD = r"""
    \b(?: an? | one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve | half\ an? )\b
"""
_WIDTH = WIDTH.replace(" ", r"\ ")
_MEASURE = re.compile(
    rf"""
    (?: (?:an?|one|1)\s (?:slightly\s)? {HOW_FULL}\s (?=[\d{_VULGAR}]) )?  # "1 heaping 1/4 cup" is a quarter of one
    (?P<amount>
      (?!1\s)\d+(?=\s{_WIDTH})                                             # "4 1/2-inch-thick slices" are four
      | (?: {_NUMBER} | {_NUMBER_WORD} ) (?: \s*(?:-|–|to|or)\s* {_NUMBER} )?  # "2", "two", "2 to 3"
    )
    (?P<between>
      (?: \s{_WIDTH} )? (?: \s*\([^()]*\) )?                               # "2 (14 ounce) cans"
      (?: [ -](?:large|small|medium|{HOW_FULL}) )?
    )
    (?: \s* (?P<unit>[^\W\d_]+)\b \.? )?
    """,
    re.IGNORECASE | re.VERBOSE,
)
# A second amount of the same food: "plus 2 tablespoons", "(about 3 cups)".
_SECOND_AMOUNT = re.compile(
    rf"""
    (?P<before> \b(?: plus | about | and )\s+ )
    (?P<amount> {_NUMBER} )\s+ (?P<unit> [a-z]+ )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_AMOUNT_IN_STEP = re.compile(rf"{_NUMBER}\s+(?P<unit>[a-z]+)\b", re.IGNORECASE | re.VERBOSE)


def for_servings(recipe: Recipe, servings: int) -> tuple[Recipe, list[str]]:
    """Scale a recipe, and say what the cook has to mind."""
    if not 1 <= servings <= _MOST:
        raise SwapchefError(f"Ask for one to {_MOST} servings.")
    count = _COUNT.search(recipe.servings)
    old_servings = int(count[1] or count[0]) if count else 0  # of "4 to 6" the six
    if count is None or old_servings == 0:
        raise SwapchefError(f"{recipe.title!r} does not say how many it serves, so it cannot be scaled.")
    factor = Fraction(servings, old_servings)
    if factor == 1:
        return recipe, []
    lines = tuple(scaled_line(line, factor) for line in recipe.ingredients)
    new_servings = f"{recipe.servings[: count.start()]}{servings}{recipe.servings[count.end() :]}"
    not_scaled = [
        line.text
        for old, line in zip(recipe.ingredients, lines, strict=True)
        if old.amount and old is line and line.unit not in _BY_FEEL
    ]
    return replace(recipe, ingredients=lines, servings=new_servings), _notes(recipe, not_scaled)


def scaled_line(line: IngredientLine, factor: Fraction) -> IngredientLine:
    """Scale the amounts of one line; one whose amount cannot be found in its text stays as it is.

    >>> scaled_line(parse_line("1 large egg, beaten"), Fraction(2)).text
    '2 large eggs, beaten'
    >>> scaled_line(parse_line("1 cup plus 2 tablespoons flour"), Fraction(2)).text
    '2 cups plus 1/4 cup flour'
    """
    old = _MEASURE.search(line.text)
    if line.amount is None or old is None or line.unit in _BY_FEEL or not _has_unit(old, line.unit):
        return line
    measure = _scaled(Measure(line.amount, line.unit), factor)
    amount = str(measure.amount)
    unit = written(measure).removeprefix(amount).strip().replace("dozens", "dozen")
    front = f"{amount}{old['between']} {unit}".rstrip()  # "2 (14 ounce) cans", "2 large"
    rest = line.text[old.end() if line.unit else old.end("between") :]
    rest = _SECOND_AMOUNT.sub(lambda second: _scaled_second(second, factor), rest)
    if not line.unit:
        rest = _agreeing(rest, line.name, measure.amount)
    new = parse_line(f"{line.text[: old.start('amount')]}{front}{rest}", line.section)
    substitutes = tuple(scaled_line(parse_line(each), factor).text for each in line.substitutes)
    return replace(new, substitutes=substitutes)


def _scaled(measure: Measure, factor: Fraction) -> Measure:
    """Scale; pieces to quarters, for three quarters of a stick are not one."""
    if dimension(measure.unit) != "piece":
        return scaled(measure, float(factor))
    low, high = (
        end and max((end * factor).limit_denominator(4), Fraction(1, 8))
        for end in (measure.amount.low, measure.amount.high)
    )
    return Measure(Amount(low or Fraction(1, 8), high), measure.unit)


def _has_unit(measure: re.Match[str], unit: str) -> bool:
    """Say whether the unit that the parser read stands behind the amount."""
    return not unit or (bool(measure["unit"]) and parse_line(f"1 {measure['unit']} water").unit == unit)


def _agreeing(rest: str, name: str, amount: Amount) -> str:
    """Put the food into the singular or plural: "1 egg, beaten", "2 eggs, beaten"."""
    food = name if name in rest else rest.partition(",")[0].strip()  # "juice of 2 lemons" is about lemon juice
    if not is_counted(food.lower()):
        return rest
    return rest.replace(food, many_of(food) if (amount.high or amount.low) > 1 else one_of(food), 1)


def _scaled_second(match: re.Match[str], factor: Fraction) -> str:
    second = parse_line(f"{match['amount']} {match['unit']} water")
    if second.amount is None or not second.unit:
        return match[0]
    return f"{match['before']}{written(_scaled(Measure(second.amount, second.unit), factor))}"


def _notes(recipe: Recipe, not_scaled: list[str]) -> list[str]:
    """Say what is left to the cook."""
    notes = ["Times and pans are still those of the recipe: more takes a larger pan and often longer."]
    notes += [f"The amount of {text!r} could not be scaled." for text in not_scaled]
    numbers = [str(number) for number, step in enumerate(recipe.steps, start=1) if _names_an_amount(step.text)]
    if numbers:
        which = f"Step {numbers[0]} still names" if len(numbers) == 1 else f"Steps {', '.join(numbers)} still name"
        notes.append(f"{which} an amount for {recipe.servings}{' servings' * recipe.servings.isdigit()}.")
    return notes


def _names_an_amount(text: str) -> bool:
    words = [amount["unit"].lower() for amount in _AMOUNT_IN_STEP.finditer(text)]
    letters = ENGLISH.letters | {"c": "", "t": ""}  # "180 C" is a temperature
    units = [ENGLISH.units.get(word) or letters.get(word) for word in words]
    return any(unit and dimension(unit) in {"volume", "weight"} for unit in units)
