"""Units, densities, pieces and rounding: exact where it can be, never far off where it cannot."""

from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from swapchef.amounts.measures import convert, dimension, parse_measure, plural, scaled, sensible, written
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
        ("0.333 cup", "1/3 cup"), ("6 teaspoon", "2 tablespoons"), ("4 tablespoon", "1/4 cup"), ("0.0625 cup", "1 tablespoon"),
        ("16 tablespoon", "1 cup"), ("5 tablespoon", "5 tablespoons"), ("1.5 cup", "1 1/2 cups"), ("0.02 teaspoon", "a pinch of"),
        ("2 cup", "2 cups"), ("0.66 cup", "2/3 cup"), ("4 teaspoon", "4 teaspoons"), ("1 quart", "4 cups"),
        ("187 gram", "190 g"), ("1030 gram", "1 kg"), ("1500 gram", "1 1/2 kg"), ("333 milliliter", "325 ml"), ("7.4 gram", "7 g"),
        ("16 ounce", "1 pound"), ("12 ounce", "12 ounces"), ("0.75 pound", "3/4 pound"), ("0.3 pound", "5 ounces"),
        ("1.4", "1 1/2"), ("7.3", "7"), ("0.3", "1/4"), ("2.2 clove", "2 cloves"), ("1.6 deciliter", "1 1/2 dl"), ("300 cup", "300 cups"),
    ],
)  # fmt: skip
def test_amounts_are_rounded_as_cooks_write_them(given_as: str, text: str) -> None:
    asked = measure(given_as)
    assert written(sensible(float(asked.amount.low), None, asked.unit)) == text


@pytest.mark.parametrize(
    ("low", "high", "unit", "text"),
    [(2, 3, "cup", "2-3 cups"), (2, 6, "teaspoon", "2-6 teaspoons"), (1, 1.01, "cup", "1 cup"), (100, 152, "gram", "100-150 g"), (2, 3, "", "2-3")],
)  # fmt: skip
def test_ranges_keep_one_unit(low: float, high: float, unit: str, text: str) -> None:
    assert written(sensible(low, high, unit)) == text


@pytest.mark.parametrize(
    ("text", "factor", "result"),
    [
        ("1/3 cup", 3, "1 cup"), ("1 teaspoon", 3, "1 tablespoon"), ("1", 1.5, "1 1/2"), ("2 cup", 0.5, "1 cup"),
        ("1/4 teaspoon", 0.25, "a pinch of"), ("500 gram", 2, "1 kg"), ("1 pinch", 4, "1/4 teaspoon"), ("7/10 cup", 1, "0.7 cup"),
        ("1 can", 2, "2 cans"),
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


@pytest.mark.parametrize(
    ("one", "many"),
    [("cup", "cups"), ("pinch", "pinches"), ("box", "boxes"), ("leaf", "leaves"), ("potato", "potatoes"), ("berry", "berries"),
     ("egg white", "egg whites"), ("tray", "trays"), ("glass", "glasses")],
)  # fmt: skip
def test_plurals(one: str, many: str) -> None:
    assert plural(one) == many


def test_packages_are_written_with_their_size() -> None:
    assert written(measure("2 can"), measure("14 ounce")) == "2 (14 ounce) cans"
