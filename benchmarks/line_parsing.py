"""Compare ingredient-line parsers on hand-labelled lines of real recipes.

    python benchmarks/line_parsing.py

Ours always runs; `ingredient-slicer`, `ingreedypy` and `parse-ingredients` run where they are installed. Our parser was
developed while looking at the first set; the second was held out and leaves out the plainest lines.
"""

import contextlib
import io
import re
import time
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from labels import labelled, read_recipes
from swapchef.recipes import parse_line
from swapchef.recipes.units import UNITS


class Parsed(NamedTuple):
    amount: Fraction | None
    unit: str
    name: str


def ours(text: str) -> Parsed:
    line = parse_line(text)
    return Parsed(line.amount.low if line.amount else None, line.unit, line.name)


def ingredient_slicer(text: str) -> Parsed:
    from ingredient_slicer import IngredientSlicer

    parsed = IngredientSlicer(text).to_json()
    return Parsed(_fraction(parsed["quantity"]), _unit(parsed["unit"]), parsed["food"] or "")


def ingreedypy(text: str) -> Parsed:
    from ingreedypy import Ingreedy

    parsed = Ingreedy().parse(text)
    first = (parsed["quantity"] or [{"amount": None, "unit": None}])[0]
    return Parsed(_fraction(first["amount"]), _unit(first["unit"]), parsed["ingredient"] or "")


def parse_ingredients(text: str) -> Parsed:
    from parse_ingredients import parse_ingredient

    parsed = parse_ingredient(text)
    return Parsed(_fraction(parsed.quantity or None), _unit(parsed.unit), parsed.name or "")


PARSERS: list[Callable[[str], Parsed]] = [ours, ingredient_slicer, ingreedypy, parse_ingredients]


def _fraction(value: object) -> Fraction | None:
    return None if value in (None, "") else Fraction(str(value)).limit_denominator(64)


def _unit(word: str | None) -> str:
    return UNITS.get((word or "").lower(), (word or "").lower())


def _name_key(name: str) -> list[str]:
    """Return a name's words without hyphens, commas, case and plural endings, which no parser needs to get right."""
    return [re.sub(r"(?<=\w{2})e?s$", "", word) for word in re.findall(r"\w+", name.lower())]


def measure(parser: Callable[[str], Parsed], lines: list[tuple[str, Parsed]]) -> str:
    right, crashes, start = {"amount": 0, "unit": 0, "name": 0, "all": 0}, 0, time.perf_counter()
    for text, gold in lines:
        try:
            parsed = parser(text)
        except ImportError:
            return "not installed"
        except Exception:  # other people's parsers: a crash is a figure of this table
            crashes += 1
            continue
        checks = {
            "amount": parsed.amount == gold.amount,
            "unit": parsed.unit == gold.unit,
            "name": _name_key(parsed.name) == _name_key(gold.name),
        }
        for key, ok in {**checks, "all": all(checks.values())}.items():
            right[key] += ok
    micros = 1e6 * (time.perf_counter() - start) / len(lines)
    shares = "".join(f"{100 * count / len(lines):>7.1f}%" for count in right.values())
    return f"{shares}{crashes:>9}{micros:>9.0f}"


def main() -> None:
    recipes = read_recipes()
    seen: set[str] = set()
    for name in ("ingredient_lines.csv", "ingredient_lines_heldout.csv"):
        rows = [(text, row) for text, row in labelled(name, recipes) if row["name"] and text not in seen]
        seen |= {text for text, _ in rows}
        lines = [(text, Parsed(_fraction(row["amount"]), _unit(row["unit"]), row["name"])) for text, row in rows]
        print(f"\n{name}: {len(lines)} lines")
        print(f"{'parser':<20}{'amount':>8}{'unit':>8}{'name':>8}{'all':>8}{'crashes':>9}{'us/line':>9}")
        for parser in PARSERS:
            with contextlib.redirect_stdout(io.StringIO()):  # one of the parsers prints
                figures = measure(parser, lines)
            print(f"{parser.__name__:<20}{figures}")


if __name__ == "__main__":
    main()
