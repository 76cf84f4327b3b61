"""How much: every row of the tables, and lines of recipes in `cases/portions.tsv` (adding a case is adding a row)."""

import csv
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swapchef.amounts import ratios
from swapchef.amounts.measures import dimension, grams_per_cup, parse_measure
from swapchef.amounts.portions import Dish, Portion, how_much, mixtures_for
from swapchef.amounts.ratios import Ratio, find_ratio
from swapchef.amounts.uses import use_of
from swapchef.foods.kinds import kinds_of
from swapchef.foods.matching import Vocabulary
from swapchef.recipes import Amount, IngredientLine, Measure, Recipe, Step, parse_line
from swapchef.recipes.units import UNITS
from swapchef.tables import read_table

VOCABULARY = Vocabulary.load()
NAMES = frozenset(VOCABULARY.names)
KINDS: dict[str, list[str]] = {}
for kind, members in read_table("foods/kinds.tsv"):
    KINDS.setdefault(kind, []).extend(members.split(", "))
SWAPS: list[Ratio] = [row for pair in ratios._rows() for row in ratios._ratios(pair)]
MIXTURES = [row for rows in ratios._mixtures().values() for row in rows]
PORTIONS = list(
    csv.DictReader((Path(__file__).parent / "cases" / "portions.tsv").read_text("utf-8").splitlines(), delimiter="\t")
)
ONE = Amount(Fraction(1))


def is_known(name: str) -> bool:
    return name in NAMES or name in KINDS


def label(row: Ratio) -> str:
    return f"{row.source} -> {row.target} ({row.where})"


# The tables


def test_the_tables_are_as_large_as_we_say() -> None:
    concrete = [row for row in SWAPS if not row.source.startswith("any ") and not row.target.startswith("any ")]
    assert len(concrete) >= 700
    assert len(SWAPS) >= 1400
    assert len(MIXTURES) >= 100
    assert len(read_table("amounts/densities.tsv")) >= 300
    assert len(read_table("amounts/pieces.tsv")) >= 200


def test_every_name_in_the_tables_is_an_ingredient_or_a_kind() -> None:
    named = {name for row in SWAPS for name in (row.source, row.target)}
    named |= {name for row in MIXTURES for name in (row.source, *(part.name for part in row.parts))}
    named |= {row[0] for table in ("amounts/densities.tsv", "amounts/pieces.tsv") for row in read_table(table)}
    named |= {kind for kind in KINDS if not kind.startswith("any ")}
    plain = {member for members in KINDS.values() for member in members if not member.startswith(("* ", "not "))}
    assert sorted(name for name in named | plain if not is_known(name)) == []


def test_every_pattern_in_the_kinds_matches_an_ingredient() -> None:
    patterns = {
        m.removeprefix("* ").removeprefix("not ") for ms in KINDS.values() for m in ms if m.startswith(("* ", "not "))
    }
    assert sorted(p for p in patterns if not any(name == p or name.endswith(f" {p}") for name in NAMES)) == []


def test_kinds_are_told_from_ingredients_by_their_names() -> None:
    assert not any(name.startswith("any ") for name in NAMES)
    assert all(kind.startswith("any ") or kind in NAMES for kind in KINDS)


def test_no_food_belongs_to_itself_or_to_endless_kinds() -> None:
    assert all(kind not in members for kind, members in KINDS.items())
    assert max(len(kinds_of(name)) for name in NAMES) <= 16


def test_every_row_is_well_formed() -> None:
    assert [label(row) for row in SWAPS if row.where not in {"any", "baking", "frying", "raw"}] == []
    assert [label(row) for row in SWAPS if row.by and not min(row.replaced.amount.low, row.by.amount.low) > 0] == []
    assert [label(row) for row in SWAPS if row.by and row.is_by_part != (row.by.unit == "part")] == []
    units = {unit for row in SWAPS for unit in (row.replaced.unit, row.by.unit if row.by else "")}
    assert units <= {*UNITS.values(), "", "part"}


def test_every_note_is_a_short_sentence() -> None:
    notes = {text for row in SWAPS for text in (row.note, row.method) if text}
    assert sorted(text for text in notes if not (text[0].isupper() and text.endswith(".") and len(text) <= 160)) == []


def test_every_row_is_found_for_its_own_foods() -> None:
    uses = {"any": None, "baking": "baking", "frying": "frying", "raw": "raw"}
    hidden = [row for row in SWAPS if find_ratio(row.source, row.target, row.replaced.unit, uses[row.where]) is not row]
    assert [label(row) for row in hidden] == []


def test_amounts_in_notes_read_as_amounts() -> None:
    for row in SWAPS:
        for found in re.finditer(r"\{([^}]*)\}", row.note + row.method):
            said, _, basis = found[1].partition(" per ")
            part = ratios.parse_part(said)
            assert part.measure.amount.low > 0, found[0]
            assert part.name in {*NAMES, ""}, found[0]
            assert basis == "" or dimension(parse_measure(basis).unit) != "piece", found[0]


def test_amounts_in_notes_are_always_filled_in() -> None:
    for row, amount in product(SWAPS, (None, ONE)):
        portion = how_much(row.source, row.target, amount, row.replaced.unit.replace("part", "cup"))
        assert "{" not in portion.note + portion.method, label(row)


def test_foods_that_rows_measure_by_the_cup_have_a_weight() -> None:
    by_cup = {
        name
        for row in SWAPS
        if row.by and not row.is_by_part
        for name, measure in ((row.source, row.replaced), (row.target, row.by))
        if measure.unit == "cup"
    }
    unknown = {name for name in by_cup if grams_per_cup(name) is None}
    assert unknown == {"brown sugar substitute"}  # brands differ by a factor of five


def test_every_combination_is_well_formed() -> None:
    assert [row.source for row in MIXTURES if len(row.parts) < 2 and row.source != "superfine sugar"] == []
    assert [row.source for row in MIXTURES if row.where not in {"any", "baking"}] == []
    assert [row.source for row in MIXTURES if row.source in {part.name for part in row.parts}] == []
    assert [row.note for row in MIXTURES if row.note and not (row.note[0].isupper() and row.note.endswith("."))] == []


# Portions


@pytest.mark.parametrize("case", PORTIONS, ids=lambda case: f"{case['line']} -> {case['target']} {case['use']}".strip())
def test_portion_for_a_line(case: dict[str, str]) -> None:
    line = parse_line(case["line"])
    source = VOCABULARY.match(line)
    assert source is not None
    portion = how_much(source.name, case["target"], line.amount, line.unit, pack=line.pack, use=case["use"] or None)
    assert portion.text == case["text"]
    assert not portion.is_guess


def test_what_nobody_knows_is_the_same_amount_and_a_guess() -> None:
    portion = how_much("sugar", "shrimp", Amount(Fraction(2)), "cup")
    assert (portion.text, portion.is_guess, portion.rule) == ("2 cups", True, "")
    assert portion.note.startswith("Start with the same amount")


def test_names_outside_the_vocabulary_are_a_guess_not_an_error() -> None:
    assert how_much("moon dust", "stardust", ONE, "cup").is_guess
    assert how_much("moon dust", "moon dust", ONE, "cup").is_guess is False
    assert how_much("", "", ONE).text == "1"


def test_no_amount_stays_no_amount_but_the_rule_is_told() -> None:
    portion = how_much("buttermilk", "yogurt")
    assert (portion.amount, portion.text) == (None, "")
    assert portion.rule == "1 cup buttermilk = 3/4 cup yogurt"
    assert portion.note == "Thin it with 1/4 cup milk or water (per 1 cup)."


def test_nothing_is_replaced_by_nothing() -> None:
    assert how_much("sugar", "honey", Amount(Fraction(0)), "cup").text == "0 cup"


def test_a_bare_unit_stays() -> None:
    assert how_much("parsley", "cilantro", None, "handful").unit == "handful"


def test_what_needs_no_measure_gets_none() -> None:
    portion = how_much("butter", "cooking spray", ONE, "tablespoon")
    assert (portion.amount, portion.unit, portion.text, portion.is_guess) == (None, "", "", False)


def test_a_unit_that_cannot_be_converted_makes_it_a_guess_that_tells_the_rule() -> None:
    portion = how_much("egg", "applesauce", ONE, "carton")
    assert (portion.text, portion.is_guess) == ("1 carton", True)
    assert portion.note.startswith("1 egg = 1/4 cup applesauce.")


def test_pieces_of_unknown_size_are_a_guess() -> None:
    assert how_much("goat meat", "venison", ONE).is_guess


def test_a_ratio_known_for_another_use_is_a_guess_and_says_so() -> None:
    portion = how_much("vegetable oil", "applesauce", ONE, "cup", use="frying")
    assert portion.is_guess
    assert portion.note.startswith("Known to work in baking only.")


def test_the_use_decides_between_rows() -> None:
    baked = how_much("butter", "vegetable oil", ONE, "cup", use="baking")
    fried = how_much("butter", "vegetable oil", ONE, "cup", use="frying")
    assert (baked.text, fried.text) == ("3/4 cup", "1 cup")
    assert "creaming" in baked.method


def test_a_row_for_the_very_food_beats_one_for_its_kind() -> None:
    assert how_much("cayenne pepper", "paprika", ONE, "teaspoon").text == "2 teaspoons"
    assert how_much("chili powder", "paprika", ONE, "teaspoon").text == "1 teaspoon"


def test_the_same_food_under_another_name_is_the_same_amount() -> None:
    portion = how_much("scallion", "green onion", Amount(Fraction(3)))
    assert (portion.text, portion.rule, portion.is_guess) == ("3", "the same amount", False)


def test_amounts_in_the_note_grow_with_the_swap() -> None:
    assert how_much("brown sugar", "sugar", Amount(Fraction(2)), "cup").note.startswith("Add 2 tablespoons molasses")
    assert (
        how_much("buttermilk", "yogurt", Amount(Fraction(500)), "milliliter").note
        == "Thin it with 130 ml milk or water."
    )


@pytest.mark.parametrize(
    ("amount", "unit", "metric", "text"),
    [("2", "", True, "120 g"), ("2", "", False, "1/2 cup"), ("100", "gram", False, "120 g"), ("1/2", "", True, "2 tablespoons")],
)  # fmt: skip
def test_metric_recipes_stay_metric(amount: str, unit: str, metric: bool, text: str) -> None:
    assert how_much("egg", "applesauce", Amount(Fraction(amount)), unit, metric=metric).text == text


def test_a_us_line_in_a_metric_recipe_stays_as_it_is() -> None:
    assert how_much("sugar", "honey", ONE, "cup", metric=True).text == "3/4 cup"


@given(
    pair=st.sampled_from(SWAPS),
    amount=st.fractions(Fraction(1, 8), 20, max_denominator=8),
    unit=st.sampled_from(
        ["cup", "teaspoon", "tablespoon", "gram", "ounce", "pound", "milliliter", "", "can", "bunch", "inch"]
    ),
    metric=st.booleans(),
)
def test_any_line_gets_an_answer_that_reads_back(pair: Ratio, amount: Fraction, unit: str, metric: bool) -> None:
    portion = how_much(pair.source, pair.target, Amount(amount), unit, metric=metric)
    if portion.amount is None:
        assert pair.by is None
        return
    line = parse_line(f"{portion.text} xyz")
    assert portion.amount.low > 0
    assert line.unit == portion.unit
    assert str(line.amount) == str(portion.amount)


@given(amount=st.fractions(Fraction(1, 2), 8, max_denominator=4), more=st.fractions(1, 4, max_denominator=4))
def test_more_of_the_source_never_means_less_of_the_target(amount: Fraction, more: Fraction) -> None:
    less, greater = (how_much("sugar", "honey", Amount(a), "cup") for a in (amount, amount * more))
    assert in_teaspoons(less) <= in_teaspoons(greater)


def in_teaspoons(portion: Portion) -> Fraction:
    assert portion.amount is not None
    return portion.amount.low * {"teaspoon": 1, "tablespoon": 3, "cup": 48}[portion.unit]


def test_every_pair_of_common_foods_has_a_portion() -> None:
    foods = ["butter", "egg", "milk", "onion", "ground beef", "sugar", "lemon", "garlic", "chicken breast", "flour"]
    for source, target in product(foods, foods):
        assert how_much(source, target, ONE, "").text


# Mixtures


def test_mixtures_come_with_the_amount_of_the_recipe() -> None:
    (first, *_) = mixtures_for("self raising flour", parse_line("2 cups self-raising flour"))
    assert [part.text for part in first.parts] == [
        "2 cups all purpose flour",
        "1 tablespoon baking powder",
        "1/2 teaspoon salt",
    ]


def test_mixtures_of_a_metric_recipe_are_metric() -> None:
    (first, *_) = mixtures_for("heavy cream", parse_line("250 ml heavy cream"))
    assert [part.text for part in first.parts] == ["190 ml milk", "80 g butter"]


def test_mixtures_open_packages() -> None:
    (first, *_) = mixtures_for("buttermilk", parse_line("1 (2 cup) carton buttermilk"))
    assert [part.text for part in first.parts] == ["2 cups milk", "2 tablespoons lemon juice"]


def test_mixtures_without_an_amount_are_per_amount_of_the_source() -> None:
    (first, *_) = mixtures_for("egg")
    assert (first.replaced, [part.text for part in first.parts]) == (
        Measure(ONE),
        ["1 tablespoon flax seed meal", "3 tablespoons water"],
    )


def test_mixtures_for_another_use_are_left_out() -> None:
    assert all(row.where == "any" for row in mixtures_for("egg", dish=Dish("raw")))
    assert mixtures_for("lobster") == ()


# Uses


def recipe(title: str, *steps: str, ingredients: tuple[str, ...] = ()) -> Recipe:
    lines = tuple(IngredientLine(name, name) for name in ingredients)
    return Recipe(title, lines, tuple(Step(text) for text in steps))


@pytest.mark.parametrize(
    ("dish", "use"),
    [
        (recipe("Banana bread"), "baking"),
        (recipe("Sunday treat", "Bake for 30 minutes.", ingredients=("flour", "baking powder")), "baking"),
        (recipe("Roast chicken", "Roast in the oven for an hour."), None),
        (recipe("Chicken casserole", "Bake until bubbly.", ingredients=("flour", "chicken")), None),
        (recipe("Meatloaf", "Bake for an hour."), None),
        (recipe("Crab cakes", "Fry until golden."), "frying"),
        (recipe("Ice cream cake", "Soften the ice cream and press it into the pan."), "raw"),
        (recipe("Weeknight noodles", "Sauté the garlic, then add the noodles."), "frying"),
        (recipe("Fried rice"), "frying"),
        (recipe("Greek salad", "Toss everything with the dressing."), "raw"),
        (recipe("Lemon vinaigrette"), "raw"),
        (recipe("Grilled peach salad", "Grill the peaches.", "Toss."), None),
        (recipe("Beef stew", "Simmer for two hours."), None),
        (recipe("Supper"), None),
    ],
    ids=lambda value: value.title if isinstance(value, Recipe) else str(value),
)
def test_use_of_a_recipe(dish: Recipe, use: str | None) -> None:
    assert use_of(dish) == use
