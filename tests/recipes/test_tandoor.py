"""Tandoor's JSON: ingredients in steps, amounts as decimals, substitutes on foods."""

import json

import pytest

from swapchef import RecipeError, parse_recipe, write_recipe
from swapchef.recipes.model import IngredientLine

RECIPE = {
    "name": "Soup",
    "servings": 4,
    "servings_text": "bowls",
    "working_time": 10,
    "waiting_time": 20,
    "keywords": [{"name": "winter"}],
    "steps": [
        {
            "name": "",
            "instruction": "Fry {{ ingredients[1] }} in {{ ingredients[2] }}.\n\nAdd {{ ingredients[9] }}water.",
            "ingredients": [
                {"is_header": True, "note": "For the base"},
                {"food": {"name": "onion"}, "amount": "2.000", "unit": None, "note": "chopped"},
                {
                    "food": {"name": "butter", "substitute": [{"name": "olive oil"}, {"name": ""}]},
                    "amount": 0.3333333,
                    "unit": {"name": "cup"},
                },
                {"food": {"name": "salt"}, "amount": 0, "no_amount": True, "original_text": "salt"},
            ],
        },
        {"name": "Later", "instruction": "Serve.", "ingredients": [{"note": "a sprig of dill", "food": None}]},
    ],
}


def test_it_is_recognised_and_read() -> None:
    recipe = parse_recipe(json.dumps(RECIPE))
    lines = [line.text for line in recipe.ingredients]
    assert lines == ["2 onion, chopped", "1/3 cup butter", "salt", "a sprig of dill"]
    assert {line.section for line in recipe.ingredients[:3]} == {"For the base"}
    assert recipe.ingredients[1].substitutes == ("olive oil",)
    assert [step.text for step in recipe.steps] == ["Fry onion in butter.", "Add water.", "Serve."]
    assert (recipe.servings, recipe.prep_minutes, recipe.cook_minutes) == ("4 bowls", 10, 20)


def test_a_line_that_was_changed_since_its_import_is_read_anew() -> None:
    item = {"food": {"name": "butter"}, "amount": 1, "unit": {"name": "cup"}, "original_text": "1 cup margarine"}
    recipe = parse_recipe(json.dumps({"name": "A", "steps": [{"instruction": "Mix.", "ingredients": [item]}]}))
    assert recipe.ingredients[0].text == "1 cup butter"


@pytest.mark.parametrize("format", ["tandoor", "mealie"])
def test_substitutes_survive_a_round_trip(format: str) -> None:
    line = IngredientLine("1 cup yogurt", "yogurt", substitutes=("buttermilk", "sour cream"))
    recipe = parse_recipe("Cake\n\n1 cup yogurt\n2 cups flour\n\n1. Mix.")
    again = parse_recipe(write_recipe(type(recipe)("Cake", (line, recipe.ingredients[1]), recipe.steps), format))
    assert again.ingredients[0].substitutes == ("buttermilk", "sour cream")
    assert again.ingredients[1].substitutes == ()


@pytest.mark.parametrize("text", ["[]", "{}", '{"steps": [{"instruction": 3}]}', '{"steps": [{"instruction": "a"}]}'])
def test_what_is_no_recipe_is_refused(text: str) -> None:
    with pytest.raises(RecipeError):
        parse_recipe(text, "tandoor")
