"""How much of a strong food is too much: one answer whatever it is measured in."""

import pytest

from swapchef.amounts.measures import parse_measure
from swapchef.amounts.strength import is_strong, is_stronger, is_too_much, servings_of, share_of_most
from swapchef.recipes import Amount, Measure, Recipe

CUP = 236.5882365  # milliliters
pytestmark = pytest.mark.usefixtures("made_up")


def share(food: str, text: str, servings: int = 4) -> float:
    return share_of_most(food, parse_measure(text), servings)


@pytest.mark.parametrize(
    "text", ["48 gram", "1/2 cup", "8 tablespoon", "24 teaspoon", f"{CUP / 2} milliliter", "1 pinchful"]
)
def test_half_a_cup_of_dust_is_twice_the_most_whatever_it_is_measured_in(text: str) -> None:
    assert share("dust", text) == pytest.approx(2.0)  # 48 g for four, of 6 g each


def test_what_a_pound_and_an_ounce_weigh_is_counted() -> None:
    assert share("dust", "1 pound", 1) == pytest.approx(453.59237 / 6)
    assert share("dust", "2 ounce", 2) == pytest.approx(2 * 28.349523125 / 12)


def test_the_border_is_just_what_the_dish_can_take() -> None:
    assert not is_too_much("dust", parse_measure("24 gram"), 4)
    assert is_too_much("dust", parse_measure("24.1 gram"), 4)
    assert is_too_much("dust", parse_measure("24 gram"), 3)
    assert not is_too_much("dust", parse_measure("24 gram"))  # a recipe that does not say serves four
    assert is_too_much("dust", parse_measure("25 gram"))


def test_a_powder_whose_weight_nobody_knows_is_taken_for_a_ground_spice() -> None:
    assert share("mystery", "100 milliliter", 1) == pytest.approx(100 * 0.45 / 4.5)
    assert share("mystery", "9 gram", 1) == pytest.approx(2)
    assert share("mystery", "2 can", 1) == 0.0  # nobody knows how much that is


def test_the_high_end_of_a_range_counts() -> None:
    assert (
        share_of_most("dust", Measure(Amount(parse_measure("12").amount.low, parse_measure("48").amount.low), "gram"))
        == 2
    )


def test_pieces_are_weighed_and_mild_foods_are_never_too_much() -> None:
    assert share("solid", "2", 1) == pytest.approx(8)  # 80 g of 10
    assert share("zorb", "10 pound", 1) == 0.0
    assert share_of_most("dust", None) == 0.0
    assert not is_too_much("zorb", parse_measure("10 pound"))
    assert not is_too_much("dust", None)


@pytest.mark.parametrize(
    ("source", "target", "stronger"),
    [("zorb", "dust", True), ("dust", "zorb", False), ("dust", "flume", False), ("zorb", "rubble", False)],
)
def test_stronger_is_by_the_pinch_for_what_was_by_the_cup(source: str, target: str, stronger: bool) -> None:
    assert is_stronger(source, target) is stronger


def test_our_table_knows_spices_and_their_kinds_closest_first() -> None:
    assert is_strong("cayenne pepper")
    assert is_strong("kosher salt")
    assert not is_strong("onion")
    one = parse_measure("4 gram")
    assert share_of_most("cayenne pepper", one, 1) > share_of_most("paprika", one, 1)  # a row of its own


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("4", 4), ("", 4), ("a crowd", 4), ("Serves 6 to 8", 6), ("36 cookies", 12), ("12", 12), ("13", 12), ("0", 1),
        ("1", 1),
    ],
)  # fmt: skip
def test_servings_are_kept_within_reason(text: str, count: int) -> None:
    assert servings_of(Recipe("Dish", (), servings=text)) == count
