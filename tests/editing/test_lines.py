"""What ingredient lines become when a food is swapped: amounts, names, and the remarks that still hold."""

import pytest

from swapchef.editing.editor import Swap, apply_swaps
from swapchef.foods.preparations import preparations
from swapchef.recipes import Recipe, parse_line
from swapchef.tables import read_table
from tests.editing.kitchen import VOCABULARY, edit, lines_of, recipe


@pytest.mark.parametrize(
    ("line", "source", "target", "expected"),
    [
        ("2 cups buttermilk", "buttermilk", "yogurt", "1 1/2 cups yogurt"),
        ("1/2 cup butter, melted", "butter", "olive oil", "6 tablespoons olive oil"),
        ("1/2 cup butter, melted", "butter", "margarine", "1/2 cup margarine, melted"),
        ("1 cup butter, softened, divided", "butter", "applesauce", "1/2 cup applesauce, divided"),
        ("2 eggs, lightly beaten", "egg", "egg white", "4 egg whites, lightly beaten"),
        ("2 eggs, separated", "egg", "egg white", "4 egg whites"),
        ("1 small onion, thinly sliced", "onion", "shallot", "3 small shallots, thinly sliced"),
        ("1 cup chopped walnuts", "walnut", "pecan", "1 cup chopped pecans"),
        ("2-3 tablespoons sugar", "sugar", "brown sugar", "2-3 tablespoons brown sugar"),
        ("salt to taste", "salt", "soy sauce", "soy sauce to taste"),
        ("Salt, to taste", "salt", "soy sauce", "Soy sauce, to taste"),
        ("olive oil for frying", "olive oil", "butter", "butter for frying"),
        ("3/4 teaspoon paprika, or to taste", "paprika", "cumin", "3/4 teaspoon cumin, or to taste"),
        ("1 cup plus 2 tablespoons sugar", "sugar", "brown sugar", "1 cup plus 2 tablespoons brown sugar"),
        ("salt and chili powder to taste", "chili powder", "paprika", "salt and paprika to taste"),
        ("1 cup butter or margarine", "butter", "shortening", "1 cup shortening"),
        ("1 (14 ounce) can black beans, drained", "black bean", "pinto bean", "1 (14 ounce) can pinto beans, drained"),
        ("3 gizmos", "gizmos", "miso paste", "miso paste"),
        ("Kosher salt, freshly ground pepper", "kosher salt", "sea salt", "Sea salt, freshly ground pepper"),
        ("1 pound beef chuck, cut into cubes", "beef chuck", "ground turkey", "1 pound ground turkey"),
        ("4 carrots, peeled", "carrot", "celery", "6 celery stalks"),
        ("1 pint strawberries, sliced", "strawberry", "raspberry", "1 pint raspberries"),
        ("½ cup sugar", "sugar", "brown sugar", "1/2 cup brown sugar"),
        ("a handful of parsley", "parsley", "cilantro", "1 handful cilantro"),
        ("1 teaspoon garlic powder", "garlic powder", "garlic", "4 cloves garlic, minced"),
        ("1 cup almond flour", "almond flour", "pecan", "1 cup pecans, ground"),
        ("1/2 cup packed brown sugar", "brown sugar", "white sugar", "1/2 cup white sugar"),
        ("1/2 cup packed brown sugar", "brown sugar", "dark brown sugar", "1/2 cup packed dark brown sugar"),
        ("water to cover", "water", "chicken broth", "chicken broth to cover"),
        ("1 clove garlic, halved", "garlic", "onion", "2 tablespoons onion"),
        (
            "4 (1 ounce) squares semisweet chocolate",
            "semisweet chocolate",
            "chocolate chip",
            "4 ounces chocolate chips",
        ),
        ("6 sticks cinnamon", "cinnamon", "pumpkin pie spice", "1 tablespoon pumpkin pie spice"),
        ("1 cup shredded mozzarella cheese", "mozzarella cheese", "feta cheese", "1 cup feta cheese"),
        ("8 hot dogs", "hot dog", "sausage", "8 sausages"),
        ("2/3 cup shredded Swiss cheese", "swiss cheese", "cheddar cheese", "2/3 cup shredded cheddar cheese"),
        ("12 graham crackers", "graham cracker", "chocolate graham cracker", "12 chocolate graham crackers"),
        ("8 thin slices prosciutto, halved", "prosciutto", "pancetta", "4 slices pancetta, halved"),
        ("1 dill pickle, minced", "dill pickle", "sweet pickle", "1 sweet pickle, minced"),
        ("5 sage leaves, chopped", "sage leaf", "fresh oregano", "5 teaspoons fresh oregano, chopped"),
        ("2 cups milk, or as needed to cover", "milk", "almond milk", "2 cups almond milk, or as needed to cover"),
        ("1 rounded 1/4 teaspoon black pepper", "black pepper", "white pepper", "1/4 teaspoon white pepper"),
        ("1 1/2-inch piece of cinnamon", "cinnamon", "nutmeg", "a pinch of nutmeg"),
        ("1 whole nutmeg", "whole nutmeg", "nutmeg", "1/2 teaspoon nutmeg"),
        ("24 dill pickle slices", "dill pickle slice", "sweet pickle relish", "2/3 cup sweet pickle relish"),
        ("1/2 cup coconut flour", "coconut flour", "almond flour", "1 1/2 cups almond flour"),
        ("1 French baguette, cut in half", "french baguette", "french bread", "1 French bread loaf, cut in half"),
        ("1 baguette", "baguette", "white bread", "8 slices white bread"),
        ("4 1/2-inch-thick slices crusty bread", "crusty bread", "french bread", "4 slices French bread"),
        ("2 slices crusty bread", "crusty bread", "french bread", "2 slices French bread"),
        ("4 strips cooked bacon, cut in half", "cooked bacon", "ham", "7 tablespoons ham"),
        ("1 (9 inch) pie crust, baked", "pie crust", "pie shell", "1 (9 inch) pie shell, baked"),
        ("2 2-inch strips orange peel", "orange peel", "lemon peel", "2 2-inch strips lemon peel"),
        (
            "1/4 cup sugar mixed with 2 tsp cinnamon",
            "sugar",
            "brown sugar",
            "1/4 cup brown sugar mixed with 2 tsp cinnamon",
        ),
        ("1 cup sugar, plus 2 tsp cinnamon", "sugar", "brown sugar", "1 cup brown sugar, plus 2 tsp cinnamon"),
        (
            "1 cup instant vanilla pudding mix",
            "vanilla pudding mix",
            "lemon pudding mix",
            "1 cup instant lemon pudding mix",
        ),
        ("1 cup boiling water", "boiling water", "chicken broth", "1 cup boiling chicken broth"),
    ],
)
def test_a_line_gets_the_amount_and_keeps_what_makes_sense(line: str, source: str, target: str, expected: str) -> None:
    edited = edit(f"1 cup water | {line}", source, target)
    assert lines_of(edited)[1] == expected


def test_a_line_without_letters_stands_in_nobodys_way() -> None:
    assert lines_of(edit("1 cup butter | 123 | ***", "butter", "margarine")) == ["1 cup margarine", "123", "***"]


def test_both_lines_of_an_ingredient_change_and_keep_their_section() -> None:
    made = recipe("1 cup sugar | 2 eggs | 2 tablespoons sugar")
    lines = (*made.ingredients[:2], parse_line("2 tablespoons sugar", "Glaze"))
    edited = apply_swaps(Recipe("Cake", lines), [Swap("sugar", "brown sugar")], VOCABULARY)
    assert lines_of(edited) == ["1 cup brown sugar", "2 eggs", "2 tablespoons brown sugar"]
    assert edited.recipe.ingredients[2].section == "Glaze"


def test_one_food_becomes_several_lines() -> None:
    edited = edit("2 cups buttermilk | 1 egg", "buttermilk", "milk + lemon juice", "Stir in the buttermilk.")
    assert lines_of(edited) == ["2 cups milk", "2 tablespoons lemon juice", "1 egg"]
    assert edited.recipe.steps[0].text == "Stir in the milk and lemon juice."
    assert edited.changes[0].new == "2 cups milk\n2 tablespoons lemon juice"


def test_every_food_of_the_preparations_exists() -> None:
    kinds = {kind for kind, _ in read_table("foods/kinds.tsv")} | set(VOCABULARY.names)
    assert sorted({name.removeprefix("not ") for foods in preparations().values() for name in foods} - kinds) == []
