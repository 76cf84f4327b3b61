"""What a dish asks of its ingredients, told from its title, its ingredients and its steps."""

import pytest

from swapchef.amounts.uses import use_of
from swapchef.recipes import IngredientLine, Recipe, Step


def recipe(title: str, *steps: str, ingredients: tuple[str, ...] = ()) -> Recipe:
    lines = tuple(IngredientLine(name, name) for name in ingredients)
    return Recipe(title, lines, tuple(Step(text) for text in steps))


@pytest.mark.parametrize(
    ("dish", "use"),
    [
        (recipe("Banana bread"), "baking"),
        (recipe("BANANA BREAD"), "baking"),
        (recipe("No-bake cookies"), None),
        (recipe("Sunday treat", "Bake for 30 minutes.", ingredients=("flour", "baking powder")), "baking"),
        (recipe("Sunday treat", "BAKE for 30 minutes.", ingredients=("Flour", "Baking Powder")), "baking"),
        (recipe("Sunday treat", "Steam for 30 minutes.", ingredients=("flour", "baking powder")), None),
        (recipe("Sunday treat", "Bake for 30 minutes.", ingredients=("sugar", "baking powder")), None),
        (recipe("Sunday treat", "Mix.", "Bake for 30 minutes.", ingredients=("sugar", "bisquick")), "baking"),
        (recipe("Roast chicken", "Roast in the oven for an hour."), None),
        (recipe("Chicken casserole", "Bake until bubbly.", ingredients=("flour", "chicken")), None),
        (recipe("Meatloaf", "Bake for an hour."), None),
        (recipe("Crab cakes", "Fry until golden."), "frying"),
        (recipe("Ice cream cake", "Soften the ice cream and press it into the pan."), "raw"),
        (recipe("Weeknight noodles", "Sauté the garlic, then add the noodles."), "frying"),
        (recipe("Weeknight noodles", "Chop.", "Heat oil.", "Add the noodles."), "frying"),
        (recipe("Fried rice"), "frying"),
        (recipe("Greek salad", "Toss everything with the dressing."), "raw"),
        (recipe("Plate", "Arrange the slices.", "Serve."), "raw"),
        (recipe("Plate", "Arrange the slices.", "Toast the nuts."), None),
        (recipe("Grilled plate", "Arrange the slices."), None),
        (recipe("Lemon vinaigrette"), "raw"),
        (recipe("Grilled peach salad", "Grill the peaches.", "Toss."), None),
        (recipe("Beef stew", "Simmer for two hours."), None),
        (recipe("Supper"), None),
    ],
    ids=lambda value: f"{value.title}: {value.steps}" if isinstance(value, Recipe) else str(value),
)
def test_use_of_a_recipe(dish: Recipe, use: str | None) -> None:
    assert use_of(dish) == use
