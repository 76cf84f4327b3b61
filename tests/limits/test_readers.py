"""Lines, texts and names that cooks wrote who had not seen the tables, with their own labels.

`unsafe` and `may` must not be called safe; `safe` should be. A row in which a second reader saw more than one answer
stands in `DISPUTED`; a name that is still called safe stands in `OPEN`, and leaves it when the table knows it. How much
that is harmless is bothered was measured, and may only become less.
"""

import csv
from dataclasses import replace
from pathlib import Path

from swapchef import Recipe, Step, parse_line, verdict
from swapchef.limits.checking import judged_line, problems_in
from swapchef.limits.wishes import Limits

READERS = Path(__file__).parent / "readers"
DISPUTED = {
    "For the satay sauce": "what stands under the heading may be the sauce",
    "Praline-style topping": "in the style of praline, not praline",
}
OPEN = {
    ("Grana Padano", "egg"), ("raspberry jelly cubes", "vegetarian"), ("raspberry jelly cubes", "no_pork"),
    ("halwa", "milk"), ("halwa", "gluten"), ("jaffa cakes", "egg"), ("deli loaf", "no_pork"),
    ("deli loaf", "vegetarian"), ("hard seltzer", "gluten"), ("chicken escalope", "gluten"),
    ("crispy onions", "gluten"), ("cheese twists", "gluten"), ("hamburger", "gluten"),
}  # fmt: skip
MOST_LINES, MOST_TEXTS = 0.1, 0.175  # of what is harmless; at most 0.1 is wanted
Row = dict[str, str]


def rows(name: str) -> list[Row]:
    return list(csv.DictReader((READERS / name).read_text(encoding="utf-8").splitlines()))


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
    elif kind == "title":
        recipe = replace(recipe, title=text)
    else:
        recipe = replace(recipe, description=text)
    return any(each.where == kind for each in problems_in(recipe, Limits((row["facet"],)), is_baking=False))


def test_no_line_that_is_unsafe_or_in_doubt_passes() -> None:
    assert [row["line"] for row in rows("lines.csv") if row["truth"] != "safe" and not is_told_of_line(row)] == []


def test_few_harmless_lines_are_bothered() -> None:
    safe = [row for row in rows("lines.csv") if row["truth"] == "safe"]
    alarms = [row["line"] for row in safe if is_told_of_line(row)]
    assert len(alarms) <= MOST_LINES * len(safe), alarms


def test_no_text_that_is_unsafe_or_in_doubt_passes() -> None:
    missed = [row["text"] for row in rows("texts.csv") if row["truth"] != "safe" and not is_told_of_text(row)]
    assert [text for text in missed if text not in DISPUTED] == []


def test_few_harmless_texts_are_bothered() -> None:
    safe = [row for row in rows("texts.csv") if row["truth"] == "safe"]
    alarms = [row["text"] for row in safe if is_told_of_text(row)]
    assert len(alarms) <= MOST_TEXTS * len(safe), alarms


def test_no_other_name_that_is_unsafe_or_in_doubt_passes() -> None:
    missed = {
        (row["name"], row["facet"])
        for row in rows("names.csv")
        if row["truth"] != "safe" and verdict(row["name"], row["facet"]).status == "safe"
    }
    assert missed == OPEN
