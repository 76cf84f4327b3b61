"""Lines and texts that cooks wrote who had not seen the tables, with their own labels: nothing unsafe passes.

`unsafe` and `may` must not be called safe; `safe` should be. A row in which a second reader saw more than one answer
stands in `DISPUTED`, with the reason. A third of the rows is kept unseen: of those only the count is looked at.
"""

import csv
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from swapchef import Recipe, Step, parse_line
from swapchef.limits.checking import judged_line, problems_in
from swapchef.limits.wishes import Limits

READERS = Path(__file__).parent / "readers"
DISPUTED = {
    "For the satay sauce": "what stands under the heading may be the sauce",
    "Praline-style topping": "in the style of praline, not praline",
}
Row = dict[str, str]


def rows(name: str, key: str, are_unseen: bool) -> list[Row]:
    every = csv.DictReader((READERS / name).read_text(encoding="utf-8").splitlines())
    return [row for row in every if (zlib.crc32(row[key].encode()) % 3 == 0) is are_unseen]


def is_told_of_line(row: Row) -> bool:
    return judged_line(parse_line(row["line"]), Limits((row["facet"],))).status != "safe"


def is_told_of_text(row: Row) -> bool:
    kind, text = row["kind"], row["text"]
    recipe = Recipe("Dish", tuple(map(parse_line, row["listed"].split(" | "))))
    if kind == "heading" and text.lower().startswith("for "):
        recipe = replace(recipe, ingredients=tuple(replace(line, section=text) for line in recipe.ingredients))
    elif kind == "heading":
        recipe = replace(recipe, steps=(Step("Cook it.", text),))
    elif kind == "step":
        recipe = replace(recipe, steps=(Step(text),))
    elif kind == "note":
        recipe = replace(recipe, notes=(text,))
    else:
        recipe = replace(recipe, **{kind: text})
    return any(each.where == kind for each in problems_in(recipe, Limits((row["facet"],)), is_baking=False))


FILES = [
    pytest.param("lines.csv", "line", is_told_of_line, 0.12, 0, id="lines"),
    pytest.param("texts.csv", "text", is_told_of_text, 0.2, 3, id="texts"),
]


@pytest.mark.parametrize(("name", "key", "is_told", "most_alarms", "most_missed"), FILES)
def test_nothing_unsafe_passes(
    name: str, key: str, is_told: Callable[[Row], bool], most_alarms: float, most_missed: int
) -> None:
    missed = [row[key] for row in rows(name, key, are_unseen=False) if row["truth"] != "safe" and not is_told(row)]
    assert [text for text in missed if text not in DISPUTED] == []


@pytest.mark.parametrize(("name", "key", "is_told", "most_alarms", "most_missed"), FILES)
def test_few_harmless_ones_are_bothered(
    name: str, key: str, is_told: Callable[[Row], bool], most_alarms: float, most_missed: int
) -> None:
    safe = [row for row in rows(name, key, are_unseen=False) if row["truth"] == "safe"]
    alarms = [row[key] for row in safe if is_told(row)]
    assert len(alarms) <= most_alarms * len(safe), alarms


@pytest.mark.parametrize(("name", "key", "is_told", "most_alarms", "most_missed"), FILES)
def test_the_unseen_third_is_judged_as_well(
    name: str, key: str, is_told: Callable[[Row], bool], most_alarms: float, most_missed: int
) -> None:
    unseen = rows(name, key, are_unseen=True)
    assert sum(row["truth"] != "safe" and not is_told(row) for row in unseen) <= most_missed
    safe = [row for row in unseen if row["truth"] == "safe"]
    assert sum(map(is_told, safe)) <= 1.7 * most_alarms * len(safe)
