"""Units, densities, pieces and rounding: exact where it can be, never far off where it cannot."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from swapchef.amounts.measures import (
    convert,
    dimension,
    grams_per_cup,
    is_liquid,
    is_metric,
    is_us,
    parse_measure,
    scaled,
    sensible,
    written,
)
from swapchef.errors import SwapchefError
from swapchef.recipes import Amount, Measure, parse_line

# What one of each unit is, in a base unit of ours: an independent table to check against.
TEASPOONS = {"teaspoon": 1, "tablespoon": 3, "fluid ounce": 6, "cup": 48, "pint": 96, "quart": 192, "gallon": 768}
MILLILITERS = {"milliliter": 1, "centiliter": 10, "deciliter": 100, "liter": 1000}
GRAMS = {"gram": 1, "kilogram": 1000}
OUNCES = {"ounce": 1, "pound": 16}
FAMILIES = [TEASPOONS, MILLILITERS, GRAMS, OUNCES]
SIZES = {unit: size for family in FAMILIES for unit, size in family.items()}


def measure(text: str) -> Measure:
    return parse_measure(text)


def size(measure: Measure) -> float:
    low = float(measure.amount.low)
    return low / 16 if measure.unit == "pinch" else low * SIZES[measure.unit]


@pytest.mark.parametrize(
    ("value", "unit", "to", "food", "result"),
    [
        (3, "teaspoon", "tablespoon", "salt", 1),
        (1, "gallon", "cup", "water", 16),
        (1, "liter", "milliliter", "water", 1000),
        (1, "pound", "ounce", "beef", 16),
        (1, "cup", "milliliter", "water", 236.588),
        (1, "pound", "gram", "beef", 453.592),
        (1, "cup", "gram", "sugar", 200),
        (1, "cup", "gram", "unsalted butter", 227),
        (1, "stick", "tablespoon", "butter", 8),
        (2, "clove", "gram", "garlic", 6),
        (2, "", "gram", "egg", 100),
        (1, "stalk", "cup", "celery", 0.396),
        (1, "pinch", "teaspoon", "salt", 1 / 16),
        (1, "dash", "teaspoon", "salt", 1 / 8),
        (1, "jigger", "fluid ounce", "gin", 1.5),
        (2, "shot", "fluid ounce", "gin", 3),
        (1, "fluid ounce", "milliliter", "milk", 29.5735),
        (1, "pint", "cup", "milk", 2),
        (1, "quart", "pint", "milk", 2),
        (1, "deciliter", "centiliter", "milk", 10),
        (1, "milligram", "gram", "saffron", 0.001),
        (1, "ounce", "gram", "beef", 28.3495),
    ],
)
def test_conversions(value: float, unit: str, to: str, food: str, result: float) -> None:
    assert convert(value, unit, to, food) == pytest.approx(result, rel=1e-3)


@pytest.mark.parametrize(
    ("unit", "to", "food"), [("cup", "gram", "moon dust"), ("clove", "gram", "sugar"), ("can", "cup", "")]
)
def test_what_cannot_be_converted_is_none(unit: str, to: str, food: str) -> None:
    assert convert(1, unit, to, food) is None


@given(
    value=st.floats(0.01, 1000),
    units=st.tuples(st.sampled_from(sorted(SIZES)), st.sampled_from(sorted(SIZES))),
    food=st.sampled_from(["sugar", "olive oil", "onion", "honey", "all purpose flour"]),
)
def test_conversions_round_trip(value: float, units: tuple[str, str], food: str) -> None:
    there = convert(value, units[0], units[1], food)
    assert there is not None
    assert convert(there, units[1], units[0], food) == pytest.approx(value)


@given(value=st.floats(1, 40_000), unit=st.sampled_from(sorted(SIZES)))
def test_rounding_moves_an_amount_by_at_most_an_eighth(value: float, unit: str) -> None:
    assume(value * SIZES[unit] < 40_000)
    rounded = sensible(value, None, unit)
    assert dimension(rounded.unit) == dimension(unit)
    assert size(rounded) == pytest.approx(value * SIZES[unit], rel=0.12)


@given(value=st.floats(0.05, 1))
def test_less_than_a_teaspoon_goes_to_the_nearest_spoon(value: float) -> None:
    assert abs(size(sensible(value, None, "teaspoon")) - value) <= 0.126


@given(values=st.tuples(st.floats(0.02, 500), st.floats(0.02, 500)), unit=st.sampled_from(sorted(SIZES)))
def test_rounding_keeps_the_order(values: tuple[float, float], unit: str) -> None:
    small, large = sorted(values)
    assert size(sensible(small, None, unit)) <= size(sensible(large, None, unit))


@example(value=20.5, unit="kilogram")
@given(value=st.floats(0.02, 500), unit=st.sampled_from([*sorted(SIZES), "", "clove", "can"]))
def test_rounding_twice_changes_nothing_and_reads_back(value: float, unit: str) -> None:
    once = sensible(value, None, unit)
    assert sensible(float(once.amount.low), None, once.unit) == once
    line = parse_line(f"{written(once)} xyz")
    assert (str(line.amount), line.unit) == (str(once.amount), once.unit)


@pytest.mark.parametrize(
    ("given_as", "text"),
    [
        ("0.333 cup", "1/3 cup"), ("6 teaspoon", "2 tablespoons"), ("4 tablespoon", "1/4 cup"),
        ("0.0625 cup", "1 tablespoon"), ("16 tablespoon", "1 cup"), ("5 tablespoon", "5 tablespoons"),
        ("1.5 cup", "1 1/2 cups"), ("0.02 teaspoon", "a pinch of"), ("2 cup", "2 cups"), ("0.66 cup", "2/3 cup"),
        ("4 teaspoon", "4 teaspoons"), ("1 quart", "4 cups"), ("187 gram", "190 g"), ("1030 gram", "1 kg"),
        ("1500 gram", "1 1/2 kg"), ("333 milliliter", "325 ml"), ("7.4 gram", "7 g"), ("500 milligram", "1/2 g"),
        ("16 ounce", "1 pound"), ("12 ounce", "12 ounces"), ("0.75 pound", "3/4 pound"), ("0.3 pound", "5 ounces"),
        ("1.4", "1 1/2"), ("7.3", "7"), ("0.3", "1/4"), ("2.2 clove", "2 cloves"), ("1.6 deciliter", "1 1/2 dl"),
        ("300 cup", "300 cups"), ("123.4 clove", "123 cloves"), ("100.4 cup", "100 cups"),
    ],
)  # fmt: skip
def test_amounts_are_rounded_as_cooks_write_them(given_as: str, text: str) -> None:
    asked = measure(given_as)
    assert written(sensible(float(asked.amount.low), None, asked.unit)) == text


@pytest.mark.parametrize(
    ("low", "high", "unit", "text"),
    [
        (2, 3, "cup", "2-3 cups"),
        (2, 6, "teaspoon", "2-6 teaspoons"),
        (12, 2, "teaspoon", "12 teaspoons"),
        (1, 1.01, "cup", "1 cup"),
        (100, 152, "gram", "100-150 g"),
        (900, 1100, "gram", "900-1100 g"),
        (2, 3, "", "2-3"),
        (0, 2, "cup", "0-2 cups"),
    ],
)
def test_ranges_keep_one_unit(low: float, high: float, unit: str, text: str) -> None:
    assert written(sensible(low, high, unit)) == text


@pytest.mark.parametrize(
    ("text", "factor", "result"),
    [
        ("1/3 cup", 3, "1 cup"), ("1 teaspoon", 3, "1 tablespoon"), ("1", 1.5, "1 1/2"), ("2 cup", 0.5, "1 cup"),
        ("1/4 teaspoon", 0.25, "a pinch of"), ("500 gram", 2, "1 kg"), ("1 pinch", 4, "1/4 teaspoon"),
        ("7/10 cup", 1, "0.7 cup"), ("1 can", 2, "2 cans"),
    ],
)  # fmt: skip
def test_scaling_with_servings(text: str, factor: float, result: str) -> None:
    assert written(scaled(measure(text), factor)) == result


def test_a_range_is_scaled_at_both_ends() -> None:
    assert written(scaled(Measure(Amount(Fraction(2), Fraction(3)), "tablespoon"), 2)) == "4-6 tablespoons"


@pytest.mark.parametrize("factor", [0, -1])
def test_scaling_by_nothing_is_refused(factor: float) -> None:
    with pytest.raises(SwapchefError, match="above zero"):
        scaled(measure("1 cup"), factor)


def test_nothing_scaled_is_nothing() -> None:
    nothing = Measure(Amount(Fraction(0)), "cup")
    assert scaled(nothing, 3) == nothing


def test_packages_are_written_with_their_size() -> None:
    assert written(measure("2 can"), measure("14 ounce")) == "2 (14 ounce) cans"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1 pinch", "a pinch of"), ("2 pinch", "2 pinches of"), ("1 dash", "a dash of"), ("3 dash", "3 dashes of"),
        ("1 cup", "1 cup"), ("1/2 cup", "1/2 cup"), ("2 can", "2 cans"), ("3", "3"), ("2 milligram", "2 mg"),
        ("2 gram", "2 g"), ("2 kilogram", "2 kg"), ("2 milliliter", "2 ml"), ("2 centiliter", "2 cl"),
        ("2 deciliter", "2 dl"), ("2 liter", "2 l"), ("2 fluid ounce", "2 fluid ounces"),
    ],
)  # fmt: skip
def test_amounts_as_they_stand_on_a_line(text: str, result: str) -> None:
    assert written(measure(text)) == result


def test_the_high_end_of_a_range_decides_on_the_plural() -> None:
    assert written(Measure(Amount(Fraction(1), Fraction(2)), "cup")) == "1-2 cups"
    assert written(Measure(Amount(Fraction(1, 2), Fraction(1)), "cup")) == "1/2-1 cup"
    assert written(Measure(Amount(Fraction(1), Fraction(2)), "pinch")) == "1-2 pinches of"


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [("cup", 1, "cup"), ("1 1/2 cup", Fraction(3, 2), "cup"), ("2", 2, ""), ("0.6 ounce", Fraction(3, 5), "ounce")],
)
def test_the_measures_of_our_tables_are_read(text: str, amount: Fraction, unit: str) -> None:
    assert parse_measure(text) == Measure(Amount(Fraction(amount)), unit)


VOLUMES = "pinch dash teaspoon tablespoon fluid_ounce jigger shot cup pint quart gallon"
METRIC_VOLUMES, METRIC_WEIGHTS = "milliliter centiliter deciliter liter", "milligram gram kilogram"


def test_what_units_measure_and_where_they_are_at_home() -> None:
    volumes, weights = f"{VOLUMES} {METRIC_VOLUMES}".split(), f"{METRIC_WEIGHTS} ounce pound".split()
    metric = f"{METRIC_VOLUMES} {METRIC_WEIGHTS}".split()
    everywhere = {"pinch", "dash", "teaspoon", "tablespoon", "", "can", "clove"}
    for unit in (name.replace("_", " ") for name in (*volumes, *weights, *everywhere)):
        name = unit.replace(" ", "_")
        assert dimension(unit) == ("volume" if name in volumes else "weight" if name in weights else "piece"), unit
        assert is_metric(unit) == (name in metric), unit
        assert is_us(unit) == (name not in metric and name not in everywhere), unit


@pytest.mark.usefixtures("made_up")
def test_weights_of_a_cup_and_of_a_piece_join_volume_and_weight() -> None:
    assert (grams_per_cup("flume"), is_liquid("flume")) == (300, True)
    assert (grams_per_cup("zorb"), is_liquid("zorb")) == (120, False)
    assert (grams_per_cup("rubble"), is_liquid("rubble")) == (None, False)
    assert convert(2, "cup", "gram", "flume") == pytest.approx(600)
    assert convert(150, "gram", "cup", "flume") == pytest.approx(0.5)
    assert convert(3, "", "cup", "zorb") == pytest.approx(1.5)  # 180 g, of which a cup weighs 120
    assert convert(1, "cup", "", "zorb") == pytest.approx(2)
    assert convert(10, "slice", "", "zorb") == pytest.approx(1)
    assert convert(10, "round", "slice", "zorb") == pytest.approx(10)  # two names of one size
    assert convert(4, "pinchful", "gram", "dust") == pytest.approx(192)  # 2 cups of 96 g
    assert convert(1, "", "cup", "solid") is None  # nobody knows what a cup of it weighs
    assert convert(1, "stick", "gram", "zorb") is None


# The amounts that cooks write, written down once more.
SPOONS = (
    "1 pinch, 1/8 teaspoon, 1/4 teaspoon, 1/2 teaspoon, 3/4 teaspoon, 1 teaspoon, 5/4 teaspoon, 3/2 teaspoon, "
    "7/4 teaspoon, 2 teaspoon, 9/4 teaspoon, 5/2 teaspoon, 1 tablespoon, 5/4 tablespoon, 4 teaspoon, 3/2 tablespoon, "
    "5 teaspoon, 2 tablespoon, 9/4 tablespoon, 5/2 tablespoon, 3 tablespoon, 7/2 tablespoon, 1/4 cup, 5 tablespoon, "
    "1/3 cup, 6 tablespoon, 7 tablespoon, 1/2 cup, 10 tablespoon, 2/3 cup, 3/4 cup, 7/8 cup"
).split(", ")
TO_TEN_CUPS = [f"{whole * 12 + part}/12 cup" for whole in range(1, 10) for part in (0, 3, 4, 6, 8, 9)]
FEW = (
    "1/4 1/2 3/4 1 5/4 3/2 7/4 2 5/2 3 7/2 4 9/2 5 6 7 8 9 10 12 15 18 20 25 30 35 40 45 50 55 60 65 70 75 80 85 90 95"
)
GRAMS_AS_WRITTEN = [*FEW.split(), *map(str, range(100, 250, 10)), *map(str, range(250, 1000, 25))]
THOUSANDS = [f"{n}/10" for n in range(10, 50)] + [f"{n}/4" for n in range(20, 40)] + [f"{n}/2" for n in range(20, 102)]
OUNCES_AS_WRITTEN = "1/8 1/4 1/2 3/4 1 5/4 3/2 7/4 2 5/2 3 7/2 4 5 6 7 8 9 10 11 12 13 14 15".split()
POUNDS_AS_WRITTEN = [f"{n}/4" for n in range(4, 20)] + [f"{n}/2" for n in range(10, 20)]
ONE_BY_ONE = [f"{n}/4" for n in range(1, 12)] + [f"{n}/2" for n in range(6, 20)]
HUNDRED = [str(n) for n in range(10, 101)]
COOKS_WRITE = {
    "cup": [*SPOONS, *TO_TEN_CUPS, *(f"{n} cup" for n in HUNDRED)],
    "gram": [*(f"{n} gram" for n in GRAMS_AS_WRITTEN), *(f"{n} kilogram" for n in THOUSANDS)],
    "milliliter": [*(f"{n} milliliter" for n in GRAMS_AS_WRITTEN), *(f"{n} liter" for n in THOUSANDS)],
    "ounce": [f"{n} ounce" for n in OUNCES_AS_WRITTEN] + [f"{n} pound" for n in [*POUNDS_AS_WRITTEN, *HUNDRED]],
    "pound": [f"{n} ounce" for n in OUNCES_AS_WRITTEN if n not in {"4", "8", "12"}]
    + [f"{n} pound" for n in ["1/4", "1/2", "3/4", *POUNDS_AS_WRITTEN, *HUNDRED]],
    "": ["1/4", "1/2", "1", "3/2", "2", "5/2", *map(str, range(3, 101))],
    "can": [f"{n} can" for n in ["1/4", "1/2", "1", "3/2", "2", "5/2", *range(3, 101)]],
} | {
    unit: [f"{n} {unit}" for n in [*ONE_BY_ONE, *HUNDRED]]
    for unit in ("fluid ounce", "centiliter", "deciliter", "jigger", "shot")
}
ALSO_ON = {
    "cup": "pinch dash teaspoon tablespoon pint quart gallon".split(),
    "gram": ["milligram", "kilogram"],
    "milliliter": ["liter"],
}
IN_SMALLEST = {"pinch": Fraction(1, 16), "dash": Fraction(1, 8), **TEASPOONS, **MILLILITERS, **GRAMS, **OUNCES}
IN_SMALLEST |= {"milligram": Fraction(1, 1000)}
UNITS_OF_COOKS = [(unit, ladder) for ladder in COOKS_WRITE for unit in (ladder, *ALSO_ON.get(ladder, ()))]


@pytest.mark.parametrize(("unit", "ladder"), UNITS_OF_COOKS)
def test_rounding_goes_to_the_nearest_of_what_cooks_write(unit: str, ladder: str) -> None:
    amounts = [measure(text) for text in COOKS_WRITE[ladder]]
    is_alone = {each.unit for each in amounts} == {unit}
    sizes = [each.amount.low * (1 if is_alone else IN_SMALLEST[each.unit]) for each in amounts]
    one = 1 if is_alone else IN_SMALLEST[unit]
    between = [(low, high, high - low) for low, high in pairwise(sorted(sizes))]
    tried = [size for low, high, gap in between for size in (low, low + gap / 100, high - gap / 100)]
    tried += [(low + high) / 2 + side * gap / 50 for low, high, gap in between for side in (-1, 1)]
    for size in [*tried, max(sizes)]:
        nearest = min(range(len(sizes)), key=lambda place: abs(sizes[place] - size))
        assert sensible(float(size / one), None, unit) == amounts[nearest], (float(size / one), unit)


def test_halfway_goes_up_and_beyond_the_last_amount_whole_ones_are_counted() -> None:
    assert sensible(3.5, None, "clove") == measure("4 clove")
    assert sensible(100.4, None, "clove") == measure("100 clove")
    assert sensible(250.6, None, "pound") == measure("251 pound")
    assert sensible(0.001, None, "cup") == measure("1 pinch")
    assert sensible(-1, None, "cup") == Measure(Amount(Fraction(0)), "cup")
