"""Recipes whose lines are matched with foods, and what a cook means by a name or a number."""

import pytest

from swapchef.editing.matched_recipe import MatchedRecipe, RecipeFood, Source
from swapchef.errors import SwapchefError
from tests.editing.kitchen import VOCABULARY, recipe

MATCHED = MatchedRecipe.of(
    recipe(
        "1 cup unsalted butter | 2 cups all-purpose flour | salt and chili powder | 3 gizmos | 2 tablespoons butter"
    ),
    VOCABULARY,
)


def test_each_food_has_its_lines_and_what_they_call_it() -> None:
    milk = MatchedRecipe.of(recipe("1 cup milk | 2 eggs | 2 tablespoons Milk"), VOCABULARY)
    (food,) = (food for food in milk.foods if food.name == "milk")
    assert food.written == ("milk", "Milk")
    assert food.goes_by("milk")
    assert not food.goes_by("whole milk")
    assert milk.lines_with(Source(food)) == [0, 2]
    assert milk.lines_with(Source(food, (3,))) == [2]
    assert milk.first_line(Source(food, (3,))).text == "2 tablespoons Milk"
    assert milk.names == ["milk", "egg"]
    assert milk.ids == {food.id for food in milk.foods}


def test_a_line_that_names_no_known_food_has_one_of_its_own() -> None:
    assert MATCHED.food(-4) == RecipeFood(-4, "gizmos", ("gizmos",))
    assert MATCHED.on_line[3] == (-4,)
    assert "gizmos" not in MATCHED.names


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("2", "all purpose flour"),
        (" #2 ", "all purpose flour"),
        ("flour", "all purpose flour"),
        ("chili powder", "chili powder"),
    ],
)
def test_what_a_cook_asks_for_is_an_ingredient(asked: str, expected: str) -> None:
    assert MATCHED.find(asked).food.name == expected


def test_a_number_means_that_line_alone() -> None:
    assert MATCHED.find("2").lines == (2,)
    assert MATCHED.find("flour").lines == ()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("9", "has 5 ingredient lines, none numbered 9"),
        ("0", "none numbered 0"),
        ("3", "has several ingredients; name one"),
        ("4", "has no ingredient that I know"),
        ("saffron", "has no saffron; it has"),
        ("rice flour", "did you mean all purpose flour"),
    ],
)
def test_what_is_not_there_is_refused_in_one_sentence(asked: str, message: str) -> None:
    with pytest.raises(SwapchefError, match=message):
        MATCHED.find(asked)


def test_a_recipe_in_grams_measures_in_grams() -> None:
    assert MatchedRecipe.of(recipe("100 g butter | 200 ml milk | 1 cup flour"), VOCABULARY).dish.is_metric
    assert not MATCHED.dish.is_metric
