"""Scaling a recipe: amounts, plurals, what is left alone and what is said of it."""

from fractions import Fraction

import pytest

from swapchef import SwapchefError, parse_recipe
from swapchef.amounts.servings import for_servings, scaled_line
from swapchef.recipes import parse_line


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
