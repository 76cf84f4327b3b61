"""No recipe that a network wrote is shown under a diet if any food in it is forbidden or in doubt, wherever it is named."""

import re

import pytest

from swapchef.cooking.pipeline import _listed
from swapchef.cooking.safety import safe_version
from swapchef.mining.spotting import Spotter
from swapchef.recipes import Recipe
from swapchef.substituter import Substituter, Wishes


@pytest.fixture(scope="module")
def substituter() -> Substituter:
    return Substituter.load()


@pytest.fixture(scope="module")
def spotter(substituter: Substituter) -> Spotter:
    return Spotter(substituter.vocabulary)


def shown(diet: str, listed: str, step: str, title: str, substituter: Substituter, spotter: Spotter) -> Recipe | None:
    recipe = _listed(title, listed.split(", "), [step, "Serve it at once."])
    return safe_version(recipe, Wishes(diet=(diet,)), substituter, spotter)


# Written from what cooks know of the foods, not from what the code answers: each step names something the list does not.
@pytest.mark.parametrize(
    ("diet", "listed", "step"),
    [
        ("egg", "sugar, lettuce, salt", "Toss the lettuce with a cup of mayonnaise."),
        ("egg", "sugar, lettuce, salt", "Top with meringue."),
        ("egg", "carrot, soy sauce", "Boil the noodles and add the carrot."),
        ("vegan", "sugar, salt", "Fold in the chocolate chips."),
        ("vegan", "sugar, salt", "Cover with frosting."),
        ("nuts", "oat, honey", "Stir in the granola."),
        ("nuts", "pasta, tomato", "Toss the pasta with pesto."),
        ("shellfish", "coconut milk, rice", "Fry the curry paste."),
        ("milk", "chickpea, rice", "Serve with naan."),
        ("milk", "apple, sugar", "Wrap the apple in puff pastry."),
        ("gluten", "potato, salt", "Cover with gravy."),
        ("gluten", "potato, salt", "Brown the sausage."),
        ("vegetarian", "potato, salt", "Pour in the broth."),
        ("milk", "cream of tartar, sugar", "Whip the cream until it is stiff."),
        ("vegan", "all purpose flour, sugar", "Butter the pan."),
        ("vegan", "all purpose flour, sugar", "Spread it in a buttered dish."),
        ("no_pork", "cabbage, salt", "Fry the bacon."),
        ("no_alcohol", "cabbage, salt", "Deglaze with a glass of wine."),
        ("soy", "cabbage, salt", "Season with soy sauce."),
    ],
)
def test_a_food_that_is_not_listed_must_be_safe(
    diet: str, listed: str, step: str, substituter: Substituter, spotter: Spotter
) -> None:
    assert shown(diet, listed, step, "Dish", substituter, spotter) is None


@pytest.mark.parametrize("title", ["Egg and Bacon Cake", "Butter Cookies", "Ham Salad"])
def test_a_title_is_judged(title: str, substituter: Substituter, spotter: Spotter) -> None:
    listed = "all purpose flour, sugar"
    assert shown("vegan", listed, "Mix the flour with the sugar.", title, substituter, spotter) is None
    assert shown("vegan", listed, "Mix the flour with the sugar.", "Chocolate Cake", substituter, spotter)


@pytest.mark.parametrize(
    ("diet", "listed", "step", "written"),
    [
        ("milk", "coconut milk, sugar", "Add the milk, then the coconut milk.", "Add the coconut milk, then the coconut milk."),
        ("milk", "coconut milk, sugar", "Warm 1 cup of whole milk.", "Warm 1 cup of whole coconut milk."),
        ("vegan", "peanut butter, sugar", "Melt one more stick of butter.", "Melt one more stick of peanut butter."),
        ("gluten", "coconut flour, egg", "Flour, sifted, goes in last.", "Coconut flour, sifted, goes in last."),
        ("gluten", "coconut flour, egg", "Roll it out on a floured board.", None),
        ("gluten", "rice flour, butter", "Sift the flour.", "Sift the rice flour."),
    ],
)  # fmt: skip
def test_what_is_short_for_a_safe_ingredient_is_written_in_full(
    diet: str, listed: str, step: str, written: str | None, substituter: Substituter, spotter: Spotter
) -> None:
    recipe = shown(diet, listed, step, "Dish", substituter, spotter)
    if recipe is not None:
        assert written is not None
        assert recipe.steps[0].text == written
        forbidden = {"milk": "milk", "vegan": "butter", "gluten": "flour"}[diet]
        bare = re.sub(rf"(?i)(coconut|peanut|rice) {forbidden}", "", recipe.steps[0].text)
        assert forbidden not in bare.lower()
    else:
        assert written is None


@pytest.mark.parametrize(
    ("diet", "listed", "step", "title"),
    [
        ("vegan", "all purpose flour, sugar, water", "Knead the dough, shape the bread and bake it.", "White Bread"),
        ("vegan", "coconut oil, sugar, all purpose flour", "Cream the sugar with the oil.", "Cake"),
        ("milk", "apple, sugar", "Test it with a toothpick and cover with plastic wrap.", "Apple Cake"),
        ("egg", "dark chocolate, sugar", "Melt the chocolate, pour the batter in and glaze the cake.", "Cake"),
    ],
)
def test_what_is_no_food_or_the_dish_itself_is_no_danger(
    diet: str, listed: str, step: str, title: str, substituter: Substituter, spotter: Spotter
) -> None:
    assert shown(diet, listed, step, title, substituter, spotter) is not None


def test_without_a_diet_everything_is_shown(substituter: Substituter, spotter: Spotter) -> None:
    recipe = _listed("Cake", ["coconut milk"], ["Add the milk and the bacon."])
    assert safe_version(recipe, Wishes(), substituter, spotter) is recipe
