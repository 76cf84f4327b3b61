"""No recipe that a network wrote is shown under a diet if any food that it names is forbidden or in doubt."""

import re

import pytest

from swapchef.cooking.pipeline import _recipe_of
from swapchef.cooking.safety import safe_version
from swapchef.recipes import Recipe
from swapchef.substituter import Substituter, Wishes


@pytest.fixture(scope="module")
def substituter() -> Substituter:
    return Substituter.load()


def shown(diet: str, listed: str, step: str, title: str, substituter: Substituter) -> Recipe | None:
    recipe = _recipe_of(title, listed.split(", "), [step, "Serve it at once."])
    return safe_version(recipe, Wishes(diet=(diet,)), substituter)


# From what cooks know of the foods, not from what the code answers: each step names something the list does not.
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
def test_a_food_that_is_not_listed_must_be_safe(diet: str, listed: str, step: str, substituter: Substituter) -> None:
    assert shown(diet, listed, step, "Dish", substituter) is None


# Written by a reader who tried to get something past the judge: diets | ingredients | title | step.
ATTACKS = """
milk | vegan butter, tomato | Dish | Add the butter to the ricotta.
milk | vegan butter, tomato | Dish | Melt the butter until the mozzarella is smooth.
vegan | vegan sausage, potato | Dish | Brown the sausage then stir the cheddar through.
gluten | gluten free flour, water | Dish | Sift the flour to coat the panko.
egg | egg free mayonnaise, lettuce | Dish | Spread the egg free mayonnaise under the frittata.
milk | lettuce, salt | Dish | For a vegan salad use ricotta.
gluten, milk | tomato, basil | Tomato Pie | Bake the pie until the mozzarella is bubbly.
gluten, nuts | apple, sugar | Apple Pie | Fill the crust half full using frangipane.
gluten, egg | tomato, basil | Tomato Pie | Brush the crust using the albumen.
gluten | almond flour, egg, blueberry | Blueberry Cake | Bake the cake until the streusel is golden.
gluten | almond flour, egg, blueberry | Blueberry Cake | Cut the cake after the phyllo is crisp.
gluten | rice flour, egg, baking powder | Zucchini Pie | Coat the pie using panko and bake it.
milk | swiss chard, ham | Dish | Layer the Swiss and ham.
milk | romano bean | Dish | Sprinkle with Romano.
gluten | gluten free flour | Dish | Add the gluten and knead.
no_alcohol | corona bean | Dish | Add a bottle of Corona.
fish | beluga lentil | Dish | Top with beluga.
milk | potato, salt | Cheddar Potatoes | Mix it.
milk | potato, salt | Mozzarella Potatoes | Mix it.
milk | potato, salt | Ricotta Potatoes | Mix it.
milk | potato, salt | Paneer Curry | Mix it.
milk | potato, salt | Queso Dip | Mix it.
milk | potato, salt | Butterscotch Bars | Mix it.
nuts | potato, salt | Satay Chicken | Mix it.
nuts | potato, salt | Baklava | Mix it.
nuts | potato, salt | Pesto Chicken | Mix it.
soy | potato, salt | Soy Chicken | Mix it.
soy | potato, salt | Teriyaki Chicken | Mix it.
soy | potato, salt | Hoisin Chicken | Mix it.
fish | potato, salt | Caesar Salad | Mix it.
fish | potato, salt | Worcestershire Chicken | Mix it.
egg | potato, salt | Frittata | Mix it.
egg | potato, salt | Souffle | Mix it.
egg | potato, salt | Hollandaise | Mix it.
egg | potato, salt | Mayonnaise Salad | Mix it.
egg | potato, salt | Lemon Meringue Pie | Mix it.
gluten | potato, salt | Breaded Cauliflower | Mix it.
gluten | potato, salt | Panko Fish | Mix it.
gluten | potato, salt | Tempura Vegetables | Mix it.
gluten | potato, salt | Wheat Bread | Mix it.
gluten | potato, salt | Guinness Stew | Mix it.
sesame | potato, salt | Halva | Mix it.
sesame | potato, salt | Baba Ganoush | Mix it.
sesame | potato, salt | Za'atar Chicken | Mix it.
no_alcohol | potato, salt | Sherry Trifle | Mix it.
no_alcohol | potato, salt | Sangria | Mix it.
no_alcohol | potato, salt | Guinness Potatoes | Mix it.
vegan | potato, salt | Jello Salad | Mix it.
vegan | potato, salt | Meat Pie | Mix it.
vegan | potato, salt | Potatoes au Gratin | Mix it.
shellfish | rice, onion | Dish | Stir in the bisque.
shellfish | rice, onion | Dish | Pour in the chowder.
fish | rice, onion | Dish | Serve with sushi.
vegetarian | rice, onion | Dish | Fry the patties.
vegetarian | rice, onion | Dish | Brown the burgers on each side.
vegetarian | rice, onion | Dish | Add the ramen.
milk | rice, onion | Dish | Bake the lasagna.
gluten | rice, onion | Dish | Add the chex.
no_alcohol | rice, onion | Dish | Add the kombucha.
sesame | rice, onion | Dish | Sprinkle with seeds.
gluten | butter, garlic, parsley | Garlic Bread | Slice the bread in half and spread with the butter.
gluten | ham, cheese | Ham Buns | Split the buns and fill with ham.
gluten | banana, sugar, milk | Banana Cream Pie | Crush the cookies and press into a pan.
gluten | cocoa powder, sugar, butter | Chocolate Pie | Line the pan with store-bought crust.
gluten | egg, spinach, cheddar cheese | Spinach Pie | Press the pastry into a dish and fill.
gluten | egg, spinach | Spinach Pie | Unroll a tube of dough.
gluten | chicken, milk | Chicken Biscuit Bake | Drop the biscuits on the chicken.
gluten | apple | Cracker Pie | Crush the crackers.
milk | chicken, rice | Dish | Pour a can of soup over the chicken.
milk | chicken, rice | Dish | Top with the cheesy sauce.
milk | banana, strawberry | Dish | Prepare a box of pudding and spread over the banana.
egg | banana | Parfait | Crumble the cookies on top.
milk | strawberry, sugar | Strawberry Trifle | Cut the cake into cubes and layer with the strawberry.
egg | lettuce, salt | Dish | Pour bottled dressing over the lettuce.
egg | lettuce, salt | Dish | Toss with a bottle of dressing.
milk | ham | Dish | Serve on toasted rolls.
sesame | ham | Dish | Serve on rolls.
milk | potato, salt | Dish | Pour in the half-and-half and simmer.
vegan | coconut milk, potato | Dish | Add 1 cup half-and-half.
milk | potato, salt | Dish | Add half n half.
egg | sugar, lemon | Dish | Beat the whites until stiff peaks form.
egg | sugar, lemon | Dish | Fold the beaten whites into the lemon mixture.
vegetarian | rice, onion | Dish | Brown the drumsticks on all sides.
vegetarian | rice, onion | Dish | Add the wings and thighs.
vegetarian | rice, onion | Dish | Season the breasts with salt.
vegetarian | rice, onion | Dish | Sear the chops.
vegetarian | rice, onion | Dish | Slice the loin thinly.
vegetarian | rice, onion | Dish | Brown the mince.
no_pork | rice | Dish | Fry the chops.
fish | rice | Dish | Lay the filets skin side down.
milk | sugar | Dish | Top with the morsels.
milk | sugar | Dish | Melt the chips in a double boiler.
milk | coconut milk, rice | Dish | Add a cup of cow's milk.
milk | coconut milk, rice | Dish | Add coconut or cow milk.
vegan | peanut butter, sugar | Dish | Use Kerrygold butter.
gluten | rice flour | Dish | Add AP flour.
""".strip().splitlines()


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_gets_past(attack: str, substituter: Substituter) -> None:
    diets, listed, title, step = attack.split(" | ")
    recipe = _recipe_of(title, listed.split(", "), [step, "Serve it at once."])
    assert safe_version(recipe, Wishes(diet=diets.split(", ")), substituter) is None


HARMLESS = """
gluten | onion, rice | Dish | Fry the onion until golden.
gluten | rice, salt | Dish | Toast the rice in it.
gluten | rice, salt | Dish | Roll it into balls.
gluten | rice, salt | Dish | Wrap tightly in foil.
vegan | onion, salt | Dish | Roast the onion for 30 minutes.
vegan | onion, salt | Dish | Puree until smooth.
vegan | onion, salt | Dish | Cut it with a bread knife.
gluten | egg, sugar | Dish | Drop onto a cookie sheet or into a muffin tin.
soy | egg, sugar | Dish | Cover with plastic wrap and heat a nonstick skillet.
nuts | potato, salt | Dish | Shape walnut-sized balls.
gluten | rice flour, butter | Tart | Rub in the butter until it resembles coarse bread crumbs.
vegan | mangetout, salt | Dish | Add the mangetout and stir.
milk | tomato, salt | Green Salad with Vinaigrette | Shake the vinaigrette.
gluten | rice flour, egg | Pancakes | Pour the batter into the pan and turn the pancakes.
""".strip().splitlines()


@pytest.mark.parametrize("harmless", HARMLESS)
def test_what_is_harmless_is_shown_as_it_is(harmless: str, substituter: Substituter) -> None:
    diet, listed, title, step = harmless.split(" | ")
    recipe = shown(diet, listed, step, title, substituter)
    assert recipe is not None
    assert recipe.steps[0].text == step


@pytest.mark.parametrize(
    ("diet", "listed", "step", "written"),
    [
        (
            "gluten",
            "rice flour, tapioca flour",
            "Whisk the flour together.",
            "Whisk the rice flour or tapioca flour together.",
        ),
        ("milk", "vegan mozzarella cheese", "Top with the mozzarella.", "Top with the vegan mozzarella cheese."),
        ("egg", "vegan mayonnaise, lettuce", "Add the mayonnaise.", "Add the vegan mayonnaise."),
        ("egg", "rice noodle, salt", "Boil the noodles.", "Boil the rice noodles."),
        ("vegan", "vegan egg, salt", "Beat an egg.", "Beat a vegan egg."),
    ],
)  # fmt: skip
def test_names_are_written_in_full_as_a_cook_would(
    diet: str, listed: str, step: str, written: str, substituter: Substituter
) -> None:
    recipe = shown(diet, listed, step, "Dish", substituter)
    assert recipe is not None
    assert recipe.steps[0].text == written


def test_a_title_is_written_in_full_too(substituter: Substituter) -> None:
    recipe = shown("milk", "coconut milk, rice", "Boil the rice.", "Rice in Milk", substituter)
    assert recipe is not None
    assert recipe.title == "Rice in Coconut Milk"


@pytest.mark.parametrize(
    ("avoided", "step"),
    [
        ("almond", "Add the marzipan."),
        ("walnut", "Stir in the nuts."),
        ("crab", "Add the surimi."),
        ("salmon", "Top with lox."),
    ],
)  # fmt: skip
def test_what_the_cook_avoids_goes_by_other_names(avoided: str, step: str, substituter: Substituter) -> None:
    recipe = _recipe_of("Dish", ["rice", "salt"], [step, "Serve it."])
    assert safe_version(recipe, Wishes(avoid=(avoided,)), substituter) is None


@pytest.mark.parametrize("title", ["Egg and Bacon Cake", "Butter Cookies", "Ham Salad"])
def test_a_title_is_judged(title: str, substituter: Substituter) -> None:
    listed = "all purpose flour, sugar"
    assert shown("vegan", listed, "Mix the flour with the sugar.", title, substituter) is None
    assert shown("vegan", f"{listed}, cocoa powder", "Mix the flour with it.", "Chocolate Cake", substituter)


@pytest.mark.parametrize(
    ("diet", "listed", "step", "written"),
    [
        (
            "milk",
            "coconut milk, sugar",
            "Add the milk, then the coconut milk.",
            "Add the coconut milk, then the coconut milk.",
        ),
        ("milk", "coconut milk, sugar", "Warm 1 cup of whole milk.", "Warm 1 cup of whole coconut milk."),
        ("vegan", "peanut butter, sugar", "Melt one more stick of butter.", "Melt one more stick of peanut butter."),
        ("gluten", "coconut flour, egg", "Flour, sifted, goes in last.", "Coconut flour, sifted, goes in last."),
        ("gluten", "coconut flour, egg", "Roll it out on a floured board.", None),
        ("gluten", "rice flour, butter", "Sift the flour.", "Sift the rice flour."),
    ],
)  # fmt: skip
def test_what_is_short_for_a_safe_ingredient_is_written_in_full(
    diet: str, listed: str, step: str, written: str | None, substituter: Substituter
) -> None:
    recipe = shown(diet, listed, step, "Dish", substituter)
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
        (
            "egg",
            "dark chocolate, sugar, rice flour",
            "Melt the chocolate, pour the batter in and glaze the cake.",
            "Cake",
        ),
    ],
)
def test_what_is_no_food_or_the_dish_itself_is_no_danger(
    diet: str, listed: str, step: str, title: str, substituter: Substituter
) -> None:
    assert shown(diet, listed, step, title, substituter) is not None


def test_without_a_diet_everything_is_shown(substituter: Substituter) -> None:
    recipe = _recipe_of("Cake", ["coconut milk"], ["Add the milk and the bacon."])
    assert safe_version(recipe, Wishes(), substituter) is recipe
