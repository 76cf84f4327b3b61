"""Recipes as values, and one reader and writer per file format: `read_recipe("pancakes.json")`."""

from swapchef.recipes.formats import FORMATS, parse_recipe, read_recipe, recipe_from_bytes, write_recipe
from swapchef.recipes.lines import parse_line
from swapchef.recipes.model import Amount, IngredientLine, Measure, Recipe, Step

__all__ = [
    "FORMATS",
    "Amount",
    "IngredientLine",
    "Measure",
    "Recipe",
    "Step",
    "parse_line",
    "parse_recipe",
    "read_recipe",
    "recipe_from_bytes",
    "write_recipe",
]
