"""How much of the target: lines of recipes in `cases/portions.tsv`, and a made-up kitchen worked out by hand."""

import csv
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swapchef.amounts import ratios
from swapchef.amounts.measures import parse_measure
from swapchef.amounts.portions import Dish, Portion, how_much, is_scaled_to, mixture_for, mixtures_for, portion_of
from swapchef.amounts.ratios import Ratio
from swapchef.amounts.uses import Use
from swapchef.foods.matching import Vocabulary
from swapchef.recipes import Amount, Measure, parse_line

VOCABULARY = Vocabulary.load()
SWAPS: list[Ratio] = [row for pair in ratios._rows() for row in ratios._ratios(pair)]
PORTIONS = list(
    csv.DictReader((Path(__file__).parent / "cases" / "portions.tsv").read_text("utf-8").splitlines(), delimiter="\t")
)
ONE = Amount(Fraction(1))


# Our tables


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
    metric = how_much("buttermilk", "yogurt", Amount(Fraction(480)), "milliliter")
    assert metric.note == "Thin it with 120 ml milk or water."


@pytest.mark.parametrize(
    ("amount", "unit", "metric", "text"),
    [
        ("2", "", True, "120 g"),
        ("2", "", False, "1/2 cup"),
        ("100", "gram", False, "120 g"),
        ("1/2", "", True, "2 tablespoons"),
    ],
)
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


def test_amounts_in_notes_are_always_filled_in() -> None:
    for row, amount in product(SWAPS, (None, ONE)):
        portion = how_much(row.source, row.target, amount, row.replaced.unit.replace("part", "cup"))
        assert "{" not in portion.note + portion.method, (row.source, row.target)


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


# A made-up kitchen (conftest.py), in which every amount can be worked out in the head


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("line", "target", "text", "metric_text"),
    [
        ("3 zorbs", "zorblet", "9", "9"),  # 60 g and 20 g: three for one
        ("3 zorbs", "zorbling", "1 1/2 cups", "350 ml"),  # more than three for one are measured: 180 g of 120 g a cup
        ("3 zorbs", "zorblike", "3", "3"),  # 1.5 times as heavy is alike
        ("3 zorbs", "zorbish", "3", "3"),  # 0.71 times as heavy is alike
        ("3 zorbs", "zorbo", "2", "2"),  # 0.698 times: 180 g are 2.09 of 86 g
        ("3 zorbs", "giant zorb", "1", "1"),
        ("3 zorbs", "titan zorb", "1 1/2 cups", "350 ml"),
        ("3 zorbs", "solid", "3", "3"),
        ("3 slices zorb", "zorblet", "2 1/2 tablespoons", "2 1/2 tablespoons"),  # 18 g: 0.15 cup is 2.4 tablespoons
        ("2 zorbs", "dust", "1 cup", "95 g"),  # a cup of dust weighs 96 g, which no scale shows
        ("2 zorbs", "flume", "1/2 cup", "120 ml"),  # what is poured is not weighed: 118 ml
        ("1 zorb", "flume", "1/4 cup", "60 ml"),
        ("2 zorbs", "rubble", "6 ounces", "180 g"),  # 120 g, and half as much again
        ("2 zorbs", "sand", "1 cup", "240 ml"),  # a guess: as much as 120 g of zorb
        ("2 solids", "flume", "3 ounces", "80 g"),  # 80 g; nobody knows what a cup of solids weighs
        ("2 packages solid", "other solid", "4 packages", "4 packages"),  # of half the size
        ("1 package solid", "other solid", "2 packages", "2 packages"),
        ("6 solids", "zorb", "2", "2"),  # half of 240 g are two of 60 g
    ],
)
def test_pieces_are_counted_anew_or_measured(line: str, target: str, text: str, metric_text: str) -> None:
    source = "zorb" if "zorb" in line else "solid"
    asked = parse_line(line)
    assert portion_of(source, target, asked).text == text
    assert portion_of(source, target, asked, Dish(is_metric=True)).text == metric_text


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("line", "target", "text"),
    [
        ("2 cups flume", "dust", "1 1/2 cups"),
        ("2-4 cups flume", "dust", "1 1/2-3 cups"),
        ("500 ml flume", "dust", "150 g"),  # 2.11 cups: 1.585 cups of 96 g are 152 g
        ("1 liter flume", "dust", "300 g"),
        ("100 g flume", "dust", "25 g"),  # a third of a cup: a quarter cup of dust is 24 g
        ("3 tablespoons flume", "dust", "2 1/4 tablespoons"),
        ("500 ml flume", "mote", "250 ml"),  # what nobody can weigh stays a volume
        ("5 dl flume", "mote", "2 1/2 dl"),
        ("4 dl flume", "dust", "3 dl"),  # in the unit that the line has
        ("100 g flume", "mote", "2 1/2 tablespoons"),  # a sixth of a cup
        ("1 pound flume", "mote", "3/4 cup"),  # 454 g are 1.51 cups
        ("2 cups flume", "glop", "4 cups"),  # two parts for one, whatever the unit
        ("500 ml flume", "glop", "1 l"),
        ("100 g flume", "glop", "200 g"),
        ("1 pound flume", "glop", "2 pounds"),
        ("8 ounces flume", "glop", "1 pound"),
        ("7 ounces flume", "glop", "14 ounces"),
        ("0.7 cup flume", "flume", "0.7 cup"),  # the same amount stays as it was written
        ("2 cups flume", "vapor", ""),
        ("1 pound zorb", "rubble", "1 1/2 pounds"),
        ("10 ounces zorb", "rubble", "15 ounces"),
        ("1 cup zorb", "rubble", "2 cups"),
        ("100 g zorb", "rubble", "150 g"),
        ("300 ml zorb", "rubble", "600 ml"),
    ],
)
def test_measures_stay_in_the_units_of_the_line(line: str, target: str, text: str) -> None:
    source = "zorb" if "zorb" in line else "flume"
    portion = portion_of(source, target, parse_line(line))
    assert (portion.text, portion.is_guess) == (text, False)


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("line", "is_metric", "text"),
    [
        ("1 tablespoon flume", True, "2 1/4 teaspoons"),  # spoons are at home in every recipe
        ("4 tablespoons flume", True, "3 tablespoons"),
        ("7 tablespoons flume", True, "30 g"),  # 5.25 tablespoons of 6 g are too many spoons
        ("7 tablespoons flume", False, "1/3 cup"),
        ("2 cups flume", True, "1 1/2 cups"),  # the line says that it is of the US
        ("2 zorbs", True, "95 g"),
        ("2 zorbs", False, "1 cup"),
    ],
)
def test_spoons_and_pieces_take_the_units_of_the_recipe(line: str, is_metric: bool, text: str) -> None:
    source = "zorb" if "zorb" in line else "flume"
    assert portion_of(source, "dust", parse_line(line), Dish(is_metric=is_metric)).text == text


@pytest.mark.usefixtures("made_up")
def test_notes_grow_with_the_swap_in_the_units_of_the_recipe() -> None:
    two, metric, little = (parse_line(text) for text in ("2 cups flume", "480 ml flume", "1 tablespoon flume"))
    baking = Dish("baking")
    assert portion_of("flume", "dust", two).note == "Stir in 1/2 cup water."
    assert portion_of("flume", "dust", two, baking).note == "Stir in 1/2 cup water. Add 2 teaspoons salt."
    assert portion_of("flume", "dust", metric).note == "Stir in 120 ml water."
    assert portion_of("flume", "dust", little).note == "Stir in 3/4 teaspoon water."  # a sixteenth of a quarter cup
    assert portion_of("flume", "glop", two).note == "Take 2 tablespoons honey."
    assert portion_of("zorb", "flume", parse_line("3 zorbs")).note == "Add 1 tablespoon salt."
    assert portion_of("flume", "dust", two).method == "Wait."
    assert portion_of("flume", "dust", two, baking).method == "Wait. Bake it."


@pytest.mark.usefixtures("made_up")
def test_notes_say_what_their_amounts_are_for_where_the_line_is_no_help() -> None:
    nothing, cans = parse_line("flume"), parse_line("2 cans flume")
    assert portion_of("flume", "dust", nothing).note == "Stir in 1/4 cup water (per 1 cup)."
    assert portion_of("flume", "glop", cans).note == "Take 1 tablespoon honey (per cup)."
    assert portion_of("zorb", "flume", parse_line("zorb")).note == "Add 1 teaspoon salt (per 1 zorb)."


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("line", "target", "use", "text", "note"),
    [
        # 3/4 cup for a cup is 3/4 of anything ...
        ("2 cans flume", "dust", None, "1 1/2 cans", "1 cup flume = 3/4 cup dust. Stir in 1/4 cup water (per 1 cup)."),
        ("2 sticks zorb", "rubble", None, "3 sticks", "100 g zorb = 150 g rubble."),
        # ... a cup for two pieces is not
        ("2 sticks zorb", "dust", None, "2 sticks", "2 zorbs = 1 cup dust."),
        ("2 sticks zorb", "zorbette", None, "2 sticks", "1 zorb = 3 zorbettes."),
        ("2 sticks zorb", "solid", None, "2 sticks", "The same amount."),
        ("2 zorbs", "dust", "baking", "1 cup", "Known to work in frying only."),
        ("2 cups zorb", "sand", None, "2 cups", "Start with the same amount, then taste and adjust."),
        # The width of a sheet is no size of a package.
        ("2 (9 inch) sheets flume", "mote", None, "1 sheet", "1 cup flume = 1/2 cup mote."),
        ("2 (20 cm) sheets flume", "mote", None, "1 sheet", "1 cup flume = 1/2 cup mote."),
    ],
)
def test_guesses_tell_the_rule_they_could_not_follow(
    line: str, target: str, use: Use | None, text: str, note: str
) -> None:
    portion = portion_of("zorb" if "zorb" in line else "flume", target, parse_line(line), Dish(use))
    assert (portion.text, portion.note, portion.is_guess) == (text, note, True)
    assert portion.has_note
    assert not portion.has_method or target == "dust"


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("target", "use", "rule", "has_rule", "has_note", "has_method"),
    [
        ("dust", None, "1 cup flume = 3/4 cup dust", True, True, True),
        ("mote", "baking", "1 cup flume = 1/2 cup mote", True, False, False),
        ("mote", "raw", "1 cup flume = 1/2 cup mote", True, True, False),  # known in baking only
        ("glop", None, "1 part flume = 2 parts glop", True, True, False),
        ("vapor", None, "as much vapor as it takes", True, True, False),
        ("flume", None, "the same amount", False, False, False),
        ("sand", None, "", False, True, False),
    ],
)
def test_what_there_is_to_tell_of_a_swap(
    target: str, use: Use | None, rule: str, has_rule: bool, has_note: bool, has_method: bool
) -> None:
    portion = portion_of("flume", target, parse_line("2 cups flume"), Dish(use))
    assert (portion.rule, portion.has_rule) == (rule, has_rule)
    assert (portion.has_note, bool(portion.note)) == (has_note, has_note)
    assert (portion.has_method, bool(portion.method)) == (has_method, has_method)


@pytest.mark.usefixtures("made_up")
def test_what_holds_in_baking_only_is_told_there_only() -> None:
    lines = {use: portion_of("jelly", "jam", parse_line("1 cup jelly"), Dish(use)) for use in (None, "baking", "raw")}
    assert {use: (each.has_note, each.has_method) for use, each in lines.items()} == {
        None: (False, False),
        "baking": (True, True),
        "raw": (False, False),
    }
    assert (lines["baking"].note, lines["baking"].method) == ("Rises less.", "Bake longer.")


def test_a_can_of_one_bean_is_a_can_of_another_but_chips_come_in_no_squares() -> None:
    cans = portion_of("black bean", "pinto bean", parse_line("2-3 (15 ounce) cans black beans"))
    assert (cans.text, cans.unit, cans.pack) == ("2-3 (15 ounce) cans", "can", parse_measure("15 ounce"))
    squares = parse_line("2 (1 ounce) squares semisweet chocolate")
    other, chips = (
        portion_of("semisweet chocolate", name, squares)
        for name in ("bittersweet chocolate", "semisweet chocolate chip")
    )
    assert (other.text, other.unit) == ("2 (1 ounce) squares", "square")
    assert (chips.text, chips.unit, chips.pack) == ("2 ounces", "ounce", None)


@pytest.mark.usefixtures("made_up")
def test_packages_are_opened_where_the_other_food_comes_in_none() -> None:
    packs = parse_line("2-3 (500 g) packages solid")
    assert portion_of("solid", "other solid", packs).text == "2-3 (500 gram) packages"
    opened = portion_of("solid", "flume", packs)
    assert (opened.text, opened.unit, opened.asked_unit, opened.pack) == ("1000-1500 g", "gram", "package", None)
    assert opened.asked == Measure(Amount(Fraction(1000), Fraction(1500)), "gram")
    poured = portion_of("flume", "dust", parse_line("2-3 (500 ml) cans flume"))
    assert poured.text == "300-450 g"  # 1000 and 1500 ml: 4.23 and 6.34 cups, 3/4 of them, 96 g each


def test_loaves_become_slices_and_cloves_are_not_named_twice() -> None:
    assert portion_of("baguette", "white bread", parse_line("1 baguette")).text == "8 slices"  # 250 g of 30 g each
    garlic = portion_of("garlic", "garlic clove", parse_line("2 cloves garlic"))
    assert (garlic.text, garlic.unit) == ("2", "")


@pytest.mark.usefixtures("made_up")
def test_a_portion_without_an_amount_keeps_the_bare_unit() -> None:
    bare = how_much("flume", "glop", None, "handful")
    assert (bare.amount, bare.measure, bare.unit, bare.asked) == (None, None, "handful", None)
    assert how_much("flume", "vapor", None, "handful").unit == ""
    handfuls = portion_of("zorb", "solid", parse_line("2 handfuls zorb"))
    assert (handfuls.text, handfuls.is_guess) == ("2 handfuls", False)


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("source", "line", "metric", "parts"),
    [
        ("flume", "3 cups flume", False, ["2 1/4 cups water", "6 tablespoons dust"]),
        ("flume", "500 ml flume", False, ["375 ml water", "25 g dust"]),  # 4.2 tablespoons are too many
        ("flume", "2 tablespoons flume", False, ["1 1/2 tablespoons water", "3/4 teaspoon dust"]),
        ("flume", "1 (1 pint) bottle flume", False, ["1 1/2 cups water", "1/4 cup dust"]),
        ("flume", "2 cans flume", False, ["3/4 cup water", "2 tablespoons dust"]),  # as in the table
        ("flume", "flume", False, ["3/4 cup water", "2 tablespoons dust"]),
        ("zorb", "3 zorbs", False, ["3/4 cup dust", "6 tablespoons water"]),
        ("zorb", "3 zorbs", True, ["70 g dust", "90 ml water"]),  # 72 g and 89 ml
        ("zorb", "1 cup zorb", False, ["1/2 cup dust", "1/4 cup water"]),  # a cup are two of them
    ],
)
def test_mixtures_are_scaled_to_the_line(source: str, line: str, metric: bool, parts: list[str]) -> None:
    first = mixtures_for(source, parse_line(line), Dish(is_metric=metric))[0]
    assert [part.text for part in first.parts] == parts


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("line", "is_scaled"),
    [("3 cups flume", True), ("1 cup flume", True), ("2 (1 pint) bottles flume", True), ("2-3 cups flume", True),
     ("2 cans flume", False), ("1 can flume", False), ("flume", False)],
)  # fmt: skip
def test_a_mixture_says_whether_it_is_for_this_line(line: str, is_scaled: bool) -> None:
    row = mixtures_for("flume")[0]
    asked = parse_line(line)
    assert is_scaled_to(mixture_for(row, "flume", asked, Dish()), asked) is is_scaled


@pytest.mark.usefixtures("made_up")
def test_amounts_of_nothing_in_particular_are_measured_like_water() -> None:
    metric = portion_of("jelly", "slime", parse_line("500 ml jelly"))
    assert metric.note == "Fill up to 500 ml with milk."
