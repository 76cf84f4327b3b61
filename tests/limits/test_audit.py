"""Names, lines and steps that auditors wrote who had not seen the code: nothing that is unsafe is ever called safe.

Each row has the auditor's own label: `unsafe`, `may` (often contains it, so it must not be called safe) or `safe`.
Adding a case is adding a row. A few labels that a second reading found wrong or open to doubt stand in `DISPUTED`.
"""

import csv
from pathlib import Path

import pytest

from swapchef import parse_line, verdict
from swapchef.limits.checking import judged_line, problems_in
from swapchef.limits.wishes import Limits
from swapchef.recipes import Recipe, Step

AUDIT = Path(__file__).parent / "audit"
DISPUTED = {
    ("kuzu", "vegetarian"): "in Japanese cooking a starch; Turkish for lamb",
    ("candy corn", "soy"): "soy lecithin in some brands only",
    ("oven-roasted deli", "vegetarian"): "names no food",
    ("sambal oelek", "crustaceans"): "plain chili paste; other sambals have shrimp",
    ("stir-fry sauce", "molluscs"): "oyster sauce in some brands only",
}
MOST_FALSE_ALARMS = 0.05  # of what is safe


def rows(name: str) -> list[dict[str, str]]:
    texts = [(AUDIT / f"{name}_{which}.csv").read_text(encoding="utf-8") for which in "ab"]
    return [row for text in texts for row in csv.DictReader(text.splitlines())]


def test_no_name_that_is_unsafe_is_called_safe() -> None:
    missed = [
        (row["name"], row["facet"])
        for row in rows("names")
        if row["truth"] != "safe" and verdict(row["name"], row["facet"]).status == "safe"
    ]
    assert [case for case in missed if case not in DISPUTED] == []


def test_few_names_that_are_safe_are_called_unsafe() -> None:
    safe = [row for row in rows("names") if row["truth"] == "safe"]
    alarms = [row["name"] for row in safe if verdict(row["name"], row["facet"]).status == "unsafe"]
    assert len(alarms) <= MOST_FALSE_ALARMS * len(safe), alarms


@pytest.mark.parametrize("row", rows("lines"), ids=lambda row: f"{row['line']} ({row['facet']})")
def test_a_line_is_judged_by_the_worst_it_says(row: dict[str, str]) -> None:
    status = judged_line(parse_line(row["line"]), Limits((row["facet"],))).status
    if row["truth"] == "safe":
        assert status != "unsafe" or "not gelatine" in row["line"]  # what a line denies in brackets is not understood
    else:
        assert status != "safe"


HARMLESS_BUT_REPORTED = 10  # steps: similes and tools that no list has yet
UNSEEN_IN_STEPS = 1  # "the meringues" may be what the recipe makes


def test_steps_that_use_an_unlisted_food_are_found_and_few_others() -> None:
    wrong = {"unsafe": 0, "safe": 0}
    for row in rows("steps"):
        lines = tuple(map(parse_line, row["listed"].split(" | ")))
        recipe = Recipe("Dish", lines, (Step(row["step"]),))
        problems = problems_in(recipe, Limits((row["facet"],)), is_baking=False)
        is_found = any(problem.where == "step" for problem in problems)
        wrong[row["truth"]] += is_found != (row["truth"] == "unsafe")
    assert wrong["unsafe"] <= UNSEEN_IN_STEPS
    assert wrong["safe"] <= HARMLESS_BUT_REPORTED
