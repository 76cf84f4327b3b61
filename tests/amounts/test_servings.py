"""Scaling a recipe: amounts, plurals, what is left alone and what is said of it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from swapchef import SwapchefError, parse_recipe
from swapchef.amounts.servings import for_servings, scaled_line
from swapchef.recipes import Recipe, Step, parse_line


@pytest.mark.parametrize(
    ("text", "factor", "scaled"),
    [
        ("1 cup plus 2 tablespoons flour", 2, "2 cups plus 1/4 cup flour"),
        ("2 large eggs", Fraction(1, 2), "1 large egg"),
        ("1 (14 ounce) can tomatoes", 2, "2 (14 ounce) cans tomatoes"),
        ("1 large onion, chopped (about 2 cups)", 3, "3 large onions, chopped (about 6 cups)"),
        ("Butter: 100 g", 2, "Butter: 200 g"),
        ("1½ cups milk", 2, "3 cups milk"),
        ("2-3 cloves garlic, minced", 2, "4-6 cloves garlic, minced"),
        ("1 1/2 sticks butter", Fraction(1, 2), "3/4 stick butter"),
        ("juice of 1 lemon", 2, "juice of 2 lemons"),
        ("one onion", 2, "2 onions"),
        ("1,5 l water", 2, "3 l water"),
        ("3 tbsp sugar, divided", 3, "1/2 cup sugar, divided"),
        ("1 dozen eggs", 2, "2 dozen eggs"),
        ("1 heaping ¼ cup sugar", 2, "1 heaping 1/2 cup sugar"),
        ("a heaping tablespoon flour", 2, "2 heaping tablespoons flour"),
        ("4 1/2-inch-thick slices crusty bread", 2, "8 1/2-inch-thick slices crusty bread"),
        ("a pinch of salt", 8, "a pinch of salt"),
        ("salt to taste", 8, "salt to taste"),
    ],
)
def test_amounts_are_scaled_and_all_else_stays(text: str, factor: Fraction, scaled: str) -> None:
    assert scaled_line(parse_line(text), Fraction(factor)).text == scaled


SOUP = """# Soup

- **Servings:** 4 bowls

## Ingredients

- 2 onions
- 1 14 1/2-ounce can tomatoes

## Directions

1. Add 1 cup of water.
2. Cook 20 minutes.
"""


def test_what_is_left_alone_is_told() -> None:
    recipe, notes = for_servings(parse_recipe(SOUP), 6)
    assert recipe.servings == "6 bowls"
    assert [line.text for line in recipe.ingredients] == ["3 onions", "1 14 1/2-ounce can tomatoes"]
    assert any("can tomatoes' could not be scaled" in note for note in notes)
    assert "Step 1 still names an amount for 4 bowls." in notes


def test_as_many_as_it_serves_changes_nothing() -> None:
    recipe = parse_recipe(SOUP)
    assert for_servings(recipe, 4) == (recipe, [])


@pytest.mark.parametrize("wanted", [0, -1, 1001])
def test_no_such_number_of_servings(wanted: int) -> None:
    with pytest.raises(SwapchefError, match="servings"):
        for_servings(parse_recipe(SOUP), wanted)


def test_a_recipe_that_does_not_say_whom_it_serves() -> None:
    with pytest.raises(SwapchefError, match="does not say how many it serves"):
        for_servings(parse_recipe("Toast\n\n2 slices bread"), 2)


@pytest.mark.parametrize(
    ("text", "factor", "scaled"),
    [
        ("1 egg", Fraction(1, 3), "1/3 egg"),
        ("1 egg", Fraction(1, 16), "1/8 egg"),  # the least of a piece
        ("1 egg", Fraction(1, 5), "1/4 egg"),  # nobody cuts fifths
        ("6 eggs", Fraction(1, 6), "1 egg"),
        ("1 onion, or half an onion", 2, "2 onions, or half an onion"),
        ("1-2 eggs", 3, "3-6 eggs"),
        ("1-2 eggs", Fraction(1, 2), "1/2-1 egg"),
        ("2 eggs plus 3 yolks", 2, "4 eggs plus 3 yolks"),  # no unit tells what the second amount is of
        ("1 cup water and 2 cups milk", 2, "2 cups water and 4 cups milk"),
        ("2 rice", 3, "6 rice"),  # nobody counts it
        ("3 dozen eggs", Fraction(1, 3), "1 dozen eggs"),
        ("2 or 3 carrots", 2, "4-6 carrots"),
        ("half a lemon", 4, "2 lemons"),
        ("2 onions, sliced, plus 1 onion", Fraction(1, 2), "1 onion, sliced, plus 1 onion"),
        ("1 dash salt", 3, "1 dash salt"),
    ],
)
def test_pieces_are_scaled_to_what_can_be_cut(text: str, factor: Fraction, scaled: str) -> None:
    assert scaled_line(parse_line(text), Fraction(factor)).text == scaled


def test_section_and_substitutes_of_a_line_are_kept_and_scaled() -> None:
    line = replace(parse_line("1 cup milk", "For the sauce"), substitutes=("1/2 cup cream", "salt"))
    doubled = scaled_line(line, Fraction(2))
    assert (doubled.text, doubled.section, doubled.substitutes) == (
        "2 cups milk",
        "For the sauce",
        ("1 cup cream", "salt"),
    )
    assert (str(doubled.amount), doubled.unit, doubled.name) == ("2", "cup", "milk")


def dish(servings: str, *lines: str, steps: tuple[str, ...] = ()) -> Recipe:
    return Recipe("Dish", tuple(map(parse_line, lines)), tuple(map(Step, steps)), servings=servings)


@pytest.mark.parametrize(
    ("servings", "wanted", "new", "line"),
    [
        ("2", 1, "1", "1 cup milk"),
        ("Serves 2-4", 8, "Serves 8", "4 cups milk"),  # for four, if for two to four
        ("2 to 4 people", 2, "2 people", "1 cup milk"),
        ("1 loaf", 1000, "1000 loaf", "2000 cups milk"),
    ],
)
def test_servings_are_read_and_written(servings: str, wanted: int, new: str, line: str) -> None:
    recipe, _ = for_servings(dish(servings, "2 cups milk"), wanted)
    assert (recipe.servings, recipe.ingredients[0].text) == (new, line)


@pytest.mark.parametrize("servings", ["0", "0-0", "a few"])
def test_nobody_is_served_by_none(servings: str) -> None:
    with pytest.raises(SwapchefError, match="does not say how many it serves"):
        for_servings(dish(servings, "2 cups milk"), 2)


PANS = "Times and pans are still those of the recipe: more takes a larger pan and often longer."


@pytest.mark.parametrize(
    ("steps", "note"),
    [
        (("Add 1 cup of water.", "Stir.", "Add 20 g salt."), "Steps 1, 3 still name an amount for 4 servings."),
        (("Cook 20 minutes.", "Add 2 TABLESPOONS oil."), "Step 2 still names an amount for 4 servings."),
    ],
)
def test_amounts_inside_steps_are_told(steps: tuple[str, ...], note: str) -> None:
    assert for_servings(dish("4", "1 cup milk", steps=steps), 2)[1] == [PANS, note]


def test_what_needs_no_scaling_is_not_told() -> None:
    recipe, notes = for_servings(
        dish("4", "a pinch of salt", "pepper", "1 cup milk", steps=("Take 2 eggs.", "Bake at 180 C.")), 8
    )
    assert [line.text for line in recipe.ingredients] == ["a pinch of salt", "pepper", "2 cups milk"]
    assert notes == [PANS]
