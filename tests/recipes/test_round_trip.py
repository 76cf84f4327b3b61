"""Reading what we wrote gives an equal recipe, whatever the recipe."""

import pytest
from hypothesis import given

from swapchef.recipes import Recipe, parse_recipe, write_recipe
from swapchef.recipes.model import tidy
from tests.recipes.strategies import recipes, texts


@pytest.mark.parametrize("format", ["jsonld", "mealie", "cooklang", "markdown"])
@given(recipe=recipes)
def test_a_written_recipe_reads_back_equal(format: str, recipe: Recipe) -> None:
    assert parse_recipe(write_recipe(recipe, format), format) == recipe


@given(text=texts)
def test_tidy_is_idempotent(text: str) -> None:
    assert tidy(text) == text
