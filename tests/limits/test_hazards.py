"""What is dangerous in a dish is refused or warned about, and what only looks like it is left in peace.

Each row of `hazard_cases.csv` is a recipe sketch, a swap in it, and what a careful cook would do with it: "refused"
(the swap is not made), "source" (nothing may take its place), "warned", "check" (dangerous as it is), "unfit"
(against the wish), or "free".
"""

import csv
from pathlib import Path
from typing import NamedTuple

import pytest

from swapchef import Recipe, Substituter, SwapchefError, Wishes
from swapchef.limits.facets import FACETS, OTHER_WISHES
from swapchef.limits.hazards import ANYWHERE, UNCOOKED, Hazards, hazard_foods, pregnancy_verdict, settings_of
from swapchef.recipes import Step, parse_line
from swapchef.tables import read_rows

MOST_BOTHERED = 3  # harmless cases


class Case(NamedTuple):
    kind: str
    title: str
    lines: str
    steps: str
    goes: str
    comes: str
    wish: str
    expected: str

    @property
    def recipe(self) -> Recipe:
        lines = tuple(map(parse_line, self.lines.split("|")))
        return Recipe(self.title, lines, tuple(Step(text) for text in self.steps.split("|")))

    @property
    def wishes(self) -> Wishes:
        return Wishes(diet=[self.wish] if self.wish else [])


def read_cases() -> list[Case]:
    with (Path(__file__).parent / "hazard_cases.csv").open(encoding="utf-8", newline="") as file:
        return [Case(**row) for row in csv.DictReader(file)]


CASES = read_cases()
DANGEROUS = [case for case in CASES if case.kind == "dangerous"]
HARMLESS = [case for case in CASES if case.kind == "harmless"]


@pytest.fixture(scope="module")
def substituter() -> Substituter:
    return Substituter.load()


def outcome(case: Case, substituter: Substituter) -> str:
    """Return what becomes of a case."""
    if case.expected == "check":
        return "check" if substituter.check(case.recipe, case.wishes).problems else "free"
    if case.expected == "source":
        answer = substituter.suggest(case.goes, case.recipe, wishes=case.wishes)
        swapped = substituter.swap(case.recipe, [case.goes], wishes=case.wishes)
        is_left = swapped.refused == (0,) and swapped.edit.recipe == case.recipe and bool(swapped.problems[0].hazard)
        return "source" if answer.refusal and not answer.suggestions and is_left else "free"
    try:
        swapped = substituter.swap(case.recipe, [case.goes], [case.comes], case.wishes)
    except SwapchefError:
        return "unfit"
    if swapped.refused:
        assert swapped.edit.recipe == case.recipe
        assert swapped.problems[0].hazard
        return "refused"
    return "warned" if any(note.kind == "hazard" for note in swapped.edit.notes) else "free"


def test_there_are_cases_enough_of_both_kinds() -> None:
    assert len(DANGEROUS) >= 60
    assert len(HARMLESS) >= 60


@pytest.mark.parametrize("case", DANGEROUS, ids=lambda case: f"{case.title}: {case.comes or case.goes}")
def test_what_is_dangerous_is_refused_or_warned_about(case: Case, substituter: Substituter) -> None:
    assert outcome(case, substituter) == case.expected


@pytest.mark.parametrize(
    "case", [case for case in DANGEROUS if case.expected in {"refused", "unfit"}], ids=lambda case: case.title
)
def test_what_is_refused_is_never_offered(case: Case, substituter: Substituter) -> None:
    answer = substituter.suggest(case.goes, case.recipe, top=30, wishes=case.wishes)
    match = substituter.vocabulary.match(case.comes)
    names = {name for each in answer.suggestions for name in (each.name, *each.also)}
    assert match is None or match.confidence < 0.9 or match.name not in names
    assert not any(case.comes in part for mixture in answer.mixtures for part in mixture.parts)


def test_what_only_looks_dangerous_is_left_in_peace(substituter: Substituter) -> None:
    bothered = [case.title for case in HARMLESS if outcome(case, substituter) != "free"]
    assert len(bothered) <= MOST_BOTHERED, bothered


def test_curing_salt_has_no_substitute_without_a_recipe_either(substituter: Substituter) -> None:
    for name in ("curing salt", "Prague powder #1", "saltpetre"):
        answer = substituter.suggest(name)
        assert answer.suggestions == ()
        assert "nitrite" in answer.refusal


def test_a_setting_is_recognised_by_its_words_and_hidden_by_longer_ones() -> None:
    def settings(title: str, *lines: str, steps: str = "Stir.") -> frozenset[str]:
        return settings_of(Recipe(title, tuple(map(parse_line, lines)), (Step(steps),)))

    assert settings("Plum Jam", "plums", "sugar") == {"canning"}
    assert settings("Duck with Plum Jam", "duck") == frozenset()
    assert settings("Plum Jam", "1 cup plum jam") == frozenset()
    assert settings("Custard", "eggs", steps="Bake in a water bath.") == frozenset()
    assert settings("Stew", "meat", steps="Fill jars and lower them into the water bath.") == {"canning"}


def test_rules_without_a_setting_hold_without_a_recipe() -> None:
    assert Hazards.of(None).guard("almond").refusal_of("bitter almonds")
    assert Hazards.of(None).guard("maple syrup").refusal_of("honey") is None


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("camembert cheese", "unsafe"),
        ("gorgonzola", "unsafe"),
        ("chicken liver", "unsafe"),
        ("shark steak", "unsafe"),
        ("white wine", "unsafe"),
        ("alfalfa sprout", "unsafe"),
        ("salami", "unsafe"),
        ("unpasteurized milk", "unsafe"),
        ("cooked chicken and prosciutto", "unsafe"),  # the claim of one part does not excuse the other
        ("lox", "unsafe"),
        ("feta cheese", "unknown"),
        ("espresso", "unknown"),
        ("zorblax", "unknown"),
        ("", "unknown"),
        ("cheddar cheese", "safe"),
        ("mozzarella cheese", "safe"),
        ("brussels sprout", "safe"),
        ("vanilla extract", "safe"),
        ("red wine vinegar", "safe"),
        ("chicken breast", "safe"),
    ],
)
def test_pregnancy_is_judged_by_name_and_fails_closed(name: str, status: str) -> None:
    assert pregnancy_verdict(name).status == status


def test_pregnancy_is_a_wish_like_a_diet(substituter: Substituter) -> None:
    recipe = Recipe("Toast", (parse_line("4 oz brie"), parse_line("2 slices bread")), (Step("Toast with brie."),))
    for word in ("pregnancy", "pregnant", "vegan, pregnant"):
        wishes = Wishes(diet=[word])
        assert substituter.check(recipe, wishes).problems[0].text == "4 oz brie"
        assert all(
            pregnancy_verdict(each.name).status == "safe"
            for each in substituter.suggest("brie", recipe, wishes=wishes).suggestions
        )


def test_what_is_refused_stays_while_other_swaps_are_made(substituter: Substituter) -> None:
    lines = tuple(map(parse_line, ("5 lb pork belly", "2 tsp pink curing salt", "1/4 cup maple syrup")))
    recipe = Recipe("Homemade Bacon", lines, (Step("Rub in and chill for 7 days."),))
    swapped = substituter.swap(recipe, ["curing salt", "maple syrup"])
    assert swapped.refused == (0,)
    assert [swap.source for swap in swapped.swaps] == ["maple syrup"]
    assert swapped.edit.recipe.ingredients[1] == lines[1]
    assert [(problem.number, problem.hazard) for problem in swapped.problems] == [(2, "any")]


def test_every_rule_names_a_setting_and_foods_that_exist() -> None:
    settings = {row["context"] for row in read_rows("limits/contexts.tsv")} | {ANYWHERE, UNCOOKED}
    settings |= {f"avoiding {facet}" for facet in (*FACETS, *OTHER_WISHES)}
    for row in read_rows("limits/hazards.tsv"):
        assert set(row["context"].split(" & ")) <= settings, row
        for foods in (row["goes"], row["comes"]):
            assert foods == ANYWHERE or foods.removeprefix("all but ") in hazard_foods(), row


def test_every_kind_that_a_group_names_exists() -> None:
    kinds = {row["kind"] for row in read_rows("foods/kinds.tsv")}
    for row in read_rows("limits/hazard_foods.tsv"):
        items = [item for item in f"{row['foods']}, {row['except']}".split(", ") if item.startswith("any ")]
        assert set(items) <= kinds, set(items) - kinds
