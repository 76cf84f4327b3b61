"""Kinds, their distance, sameness and varieties, as a cook would have them."""

import pytest

from swapchef import Vocabulary
from swapchef.foods.kinds import (
    WIDE,
    food_of,
    is_ingredient,
    is_kind_of,
    is_other_variety,
    is_part_of,
    is_same_food,
    is_vague,
    kinds_apart,
    kinds_of,
)
from swapchef.foods.preparations import are_alike, can_be, is_preparation, preparations
from swapchef.tables import read_table


@pytest.mark.parametrize(
    ("food", "kinds"),
    [
        ("unsalted butter", ("unsalted butter", "butter", "any butter", "any fat")),
        ("butter", ("butter", "any butter", "any fat")),
        ("zorblax", ("zorblax",)),
        ("fresh zorblax", ("fresh zorblax", "zorblax")),
    ],
)
def test_what_a_food_counts_as(food: str, kinds: tuple[str, ...]) -> None:
    assert kinds_of(food) == kinds


def test_an_ending_makes_a_kind_and_an_exception_unmakes_it() -> None:
    assert "any oil" in kinds_of("walnut oil")
    assert "any oil" not in kinds_of("toasted sesame oil")
    assert "any oil" not in kinds_of("sesame oil")
    assert "buttermilk" in kinds_of("low fat buttermilk")
    assert "buttermilk" not in kinds_of("dry buttermilk")
    assert "buttermilk" not in kinds_of("powdered dry buttermilk")


@pytest.mark.parametrize(
    ("food", "other", "apart"),
    [
        ("butter", "unsalted butter", 0),
        ("butter", "margarine", 0),
        ("butter", "olive oil", 1),
        ("butter", "onion", 2),
        ("olive oil", "canola oil", 0),
        ("milk", "almond milk", 0),
        ("white wine", "beer", 1),
        ("carrot", "apple", 2),
        ("zorblax thing", "quux thing", 1),
        ("zorblax sauce", "quux sauce", 2),  # many foods are a sauce
        ("zorblax", "quux", 2),
    ],
)
def test_how_far_kinds_are_apart(food: str, other: str, apart: int) -> None:
    assert kinds_apart(food, other) == apart


def test_the_distance_stops_at_the_most() -> None:
    assert kinds_apart("butter", "onion", most=3) == 3
    assert kinds_apart("zorblax", "quux", most=1) == 1
    assert kinds_apart("zorblax thing", "quux thing", most=1) == 0


def test_wide_kinds_are_in_the_table() -> None:
    assert {kind for kind, _ in read_table("foods/kinds.tsv")} >= WIDE


@pytest.mark.parametrize(
    ("name", "food"),
    [
        ("fresh spring onion", "green onion"),
        ("unsalted butter", "butter"),
        ("real butter", "butter"),
        ("brown sugar", "brown sugar"),
        ("garlic clove", "garlic"),
        ("icing sugar", "powdered sugar"),
        ("fresh", "fresh"),
        ("large stick", "large stick"),
    ],
)
def test_names_of_one_food(name: str, food: str) -> None:
    assert food_of(name) == food


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("merlot", "red wine", True),
        ("butter", "unsalted butter", True),
        ("unsalted butter", "salted butter", True),
        ("butter", "margarine", False),  # both any butter
        ("parmigiano reggiano cheese", "parmesan cheese", True),
        ("zorblax", "zorblax", True),
        ("zorblax", "quux", False),
    ],
)
def test_same_food(name: str, other: str, expected: bool) -> None:
    assert is_same_food(name, other) is expected
    assert is_same_food(other, name) is expected


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("green bell pepper", "red bell pepper", True),
        ("bell pepper", "red bell pepper", False),
        ("red bell pepper", "bell pepper", False),
        ("merlot", "pinot noir wine", False),  # one wine to a cook
        ("carrot", "onion", False),
        ("red onion", "butter", False),
    ],
)
def test_varieties(name: str, other: str, expected: bool) -> None:
    assert is_other_variety(name, other) is expected


@pytest.mark.parametrize(
    ("name", "food", "expected"),
    [
        ("all purpose flour", "flour", True),
        ("flour", "flour", False),
        ("peanut butter", "butter", False),
        ("unsalted butter", "butter", True),
        ("cornflour", "flour", False),
        ("whole wheat flour", "flour", True),
        ("almond flour", "flour", False),
    ],
)
def test_kind_of(name: str, food: str, expected: bool) -> None:
    assert is_kind_of(name, food) is expected


@pytest.mark.parametrize(
    ("name", "food", "expected"),
    [
        ("sea salt", "salt & pepper", True),
        ("salt", "salt and pepper", True),
        ("seasoning salt", "salt & pepper", False),
        ("salt", "salt", False),
        ("pork", "pork and bean", True),
        ("black pepper", "salt & pepper", True),
    ],
)
def test_part_of(name: str, food: str, expected: bool) -> None:
    assert is_part_of(name, food) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("rice paper", True), ("aluminum foil", False), ("fat", False), ("butter", True), ("fresh juice", False),
     ("orange juice", True), ("cooky", False)],
)  # fmt: skip
def test_what_a_cook_could_put_into_a_dish(name: str, expected: bool) -> None:
    assert is_ingredient(name) is expected


@pytest.mark.parametrize(
    ("name", "expected"), [("herb", True), ("fresh herb", True), ("basil", False), ("broth", False), ("cheese", True)]
)
def test_vague_names(name: str, expected: bool) -> None:
    assert is_vague(name) is expected


@pytest.mark.parametrize(
    ("word", "food", "instead_of", "expected"),
    [
        ("melted", "margarine", "", True),
        ("melted", "olive oil", "butter", False),
        ("whipped", "margarine", "", False),
        ("whipped", "margarine", "butter", True),
        ("Melted,", "butter", "", True),
        ("grated", "feta cheese", "cheddar cheese", False),  # it crumbles
        ("separated", "egg", "", True),
        ("separated", "egg white", "egg", False),
        ("hulled", "raspberry", "strawberry", False),  # done to strawberries alone
        ("frozen", "spinach", "", True),
        ("frozen", "fresh spinach", "spinach", False),
        ("thawed", "fresh spinach", "", False),
        ("peeled", "celery", "", False),
        ("peeled", "carrot", "", True),
    ],
)
def test_what_can_be_done_to_a_food(word: str, food: str, instead_of: str, expected: bool) -> None:
    assert can_be(word, food, instead_of) is expected


def test_what_is_a_preparation() -> None:
    assert is_preparation("Chopped,")
    assert is_preparation("diced")
    assert not is_preparation("finely")
    assert not is_preparation("@cut")


def test_what_is_handled_alike() -> None:
    assert are_alike("butter", "margarine")
    assert not are_alike("butter", "carrot")
    assert not are_alike("butter", "olive oil")  # fats are a wide kind
    assert not are_alike("egg white", "egg yolk")  # parts of one food


def test_preparations_are_of_foods_that_exist() -> None:
    kinds = {name for kind, members in read_table("foods/kinds.tsv") for name in (kind, *members.split(", "))}
    known = kinds | set(Vocabulary.load().names)
    listed = {food.removeprefix("not ") for foods in preparations().values() for food in foods}
    assert not [food for food in listed if food.startswith("any ") and food not in kinds]
    assert not [food for food in listed - known if food.startswith("@")]
