"""Edits of small recipes with known answers; what must hold for every recipe is in the last part."""

import re

import pytest

from swapchef.editing.editor import Edit, Editor, Swap, apply_swaps
from swapchef.effects.techniques import technique_rows
from swapchef.en.nouns import article, is_counted, many_of, one_of, singular, spelled
from swapchef.errors import SwapchefError
from swapchef.foods.matching import Vocabulary
from swapchef.foods.preparations import preparations
from swapchef.recipes import Recipe, Step, parse_line, parse_recipe, write_recipe
from swapchef.tables import read_table

VOCABULARY = Vocabulary.load()
FORMATS = ("jsonld", "markdown", "cooklang", "mealie", "text")


def recipe(lines: str, *steps: str, title: str = "Dinner") -> Recipe:
    return Recipe(title, tuple(parse_line(line) for line in lines.split(" | ")), tuple(Step(text) for text in steps))


def edit(lines: str, source: str, target: str, *steps: str, title: str = "Dinner") -> Edit:
    return apply_swaps(recipe(lines, *steps, title=title), [Swap(source, target)], VOCABULARY)


def lines_of(edited: Edit) -> list[str]:
    return [line.text for line in edited.recipe.ingredients]


def notes_of(edited: Edit) -> str:
    return "\n".join(note.text for note in edited.notes)


# Ingredient lines


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


@pytest.mark.parametrize(
    ("line", "source", "target"),
    [
        ("3 inches lemongrass", "lemongrass", "lime juice"),
        ("3 whole nutmegs", "whole nutmeg", "allspice"),
        ("4 chicken breasts and thighs", "chicken breast", "turkey breast"),
        ("3 eggs, hard-boiled and peeled", "egg", "egg white"),
        ("6 corn dogs", "corn", "pea"),
        ("ice-pop molds", "ice", "yogurt"),
        ("2 cups ground cherries", "cherry", "blueberry"),
    ],
)
def test_what_a_line_asks_for_and_the_new_food_is_not_is_marked(line: str, source: str, target: str) -> None:
    assert "unfit" in {note.kind for note in edit(f"1 cup rice | {line}", source, target).notes}


@pytest.mark.parametrize(
    ("line", "source", "target"),
    [
        ("2 eggs, beaten and strained", "egg", "egg substitute"),
        ("4 chicken breasts, skin and bones removed", "chicken breast", "turkey breast"),
        ("2 slices ham and its fat", "ham", "turkey"),
        ("8 hot dogs", "hot dog", "sausage"),
        ("1 cup brussels sprouts", "brussels sprout", "broccoli"),
    ],
)
def test_what_a_line_only_says_beside_is_no_second_food(line: str, source: str, target: str) -> None:
    assert "unfit" not in {note.kind for note in edit(f"1 cup rice | {line}", source, target).notes}


@pytest.mark.parametrize(
    ("title", "lines", "source", "target", "is_marked"),
    [
        ("Lamb with Shiraz Sauce", "1 cup Shiraz wine", "shiraz wine", "white wine", True),
        ("Lamb with Shiraz Sauce", "1 cup Shiraz wine", "shiraz wine", "merlot", False),
        ("Chocolate Cherry Shots", "1/2 cup chocolate liqueur", "chocolate liqueur", "amaretto", True),
        ("Cherry Shots", "1/2 cup chocolate liqueur", "chocolate liqueur", "amaretto", False),
        ("Basic Guacamole", "4 avocados", "avocado", "guacamole", True),
    ],
)
def test_a_dish_that_is_named_for_the_food_keeps_it(
    title: str, lines: str, source: str, target: str, is_marked: bool
) -> None:
    edited = edit(f"{lines} | 1 cup rice", source, target, "Mix everything.", title=title)
    assert ("unfit" in {note.kind for note in edited.notes}) == is_marked


def test_a_line_without_letters_stands_in_nobodys_way() -> None:
    assert lines_of(edit("1 cup butter | 123 | ***", "butter", "margarine")) == ["1 cup margarine", "123", "***"]


def test_both_lines_of_an_ingredient_change_and_keep_their_section() -> None:
    made = recipe("1 cup sugar | 2 eggs | 2 tablespoons sugar")
    lines = (*made.ingredients[:2], parse_line("2 tablespoons sugar", "Glaze"))
    edited = apply_swaps(Recipe("Cake", lines), [Swap("sugar", "brown sugar")], VOCABULARY)
    assert lines_of(edited) == ["1 cup brown sugar", "2 eggs", "2 tablespoons brown sugar"]
    assert edited.recipe.ingredients[2].section == "Glaze"


def test_only_the_lines_asked_for_change_and_then_the_steps_stay() -> None:
    made = recipe("1 cup sugar | 2 tablespoons sugar", "Add the sugar.")
    edited = apply_swaps(made, [Swap("sugar", "honey", lines=(2,))], VOCABULARY)
    assert lines_of(edited)[0] == "1 cup sugar"
    assert "honey" in lines_of(edited)[1]
    assert edited.recipe.steps == made.steps
    assert "Another line keeps sugar" in notes_of(edited)


def test_of_two_equal_lines_only_the_one_asked_for_changes() -> None:
    edited = apply_swaps(recipe("1 cup sugar | 1 cup sugar"), [Swap("sugar", "brown sugar", lines=(2,))], VOCABULARY)
    assert lines_of(edited) == ["1 cup sugar", "1 cup brown sugar"]
    assert [change.number for change in edited.changes] == [2]


def test_one_food_becomes_several_lines() -> None:
    edited = edit("2 cups buttermilk | 1 egg", "buttermilk", "milk + lemon juice", "Stir in the buttermilk.")
    assert lines_of(edited) == ["2 cups milk", "2 tablespoons lemon juice", "1 egg"]
    assert edited.recipe.steps[0].text == "Stir in the milk and lemon juice."
    assert edited.changes[0].new == "2 cups milk\n2 tablespoons lemon juice"


def test_lines_that_no_swap_concerns_are_the_same_objects() -> None:
    made = recipe("1 cup  peanut butter | 1 cup butter | 2 tbsp. honey", "Toast bread.", "Add butter.")
    edited = apply_swaps(made, [Swap("butter", "margarine")], VOCABULARY)
    assert edited.recipe.ingredients[0] is made.ingredients[0]
    assert edited.recipe.ingredients[2] is made.ingredients[2]
    assert edited.recipe.steps[0] is made.steps[0]
    assert [(change.where, change.number) for change in edited.changes] == [("ingredient", 2), ("step", 2)]


# Title and steps


@pytest.mark.parametrize(
    ("lines", "source", "target", "step", "expected"),
    [
        ("1 cup butter | 1 cup peanut butter", "butter", "margarine",
         "Mix peanut butter, butter and buttermilk; serve on butter lettuce with butternut squash.",
         "Mix peanut butter, margarine and buttermilk; serve on butter lettuce with butternut squash."),
        ("1 cup milk | 1 cup coconut milk", "milk", "almond milk",
         "Add coconut milk, milk and buttermilk.", "Add coconut milk, almond milk and buttermilk."),
        ("2 cups all-purpose flour | 1 cup almond flour", "all purpose flour", "rice flour",
         "Mix almond flour and flour.", "Mix almond flour and rice flour."),
        ("2 cups all-purpose flour | 1 cup almond flour", "almond flour", "coconut",
         "Mix almond flour and flour.", "Mix coconut and flour."),
        ("1 pound ground beef | 1 cup beef broth", "ground beef", "ground turkey",
         "Brown the beef; add beef broth.", "Brown the ground turkey; add beef broth."),
        ("4 boneless skinless chicken breasts | 1 cup chicken broth", "boneless skinless chicken breast", "tofu",
         "Cook chicken until the chicken is done. Add chicken broth.", "Cook tofu until the tofu is done. Add chicken broth."),
        ("1 pound chicken breast", "chicken breast", "turkey breast", "Add the chicken.", "Add the turkey."),
        ("8 ounces cheddar cheese", "cheddar cheese", "colby cheese",
         "Add the cheese, then more Cheddar cheese.", "Add the cheese, then more colby cheese."),
        ("1 egg", "egg", "banana", "Add an egg to the egg mixture.", "Add the banana to the banana mixture."),
        ("2 onions", "onion", "apple", "Chop an onion. Onions are sweet.", "Chop an apple. Apples are sweet."),
        ("2 apples", "apple", "pear", "Peel an apple.", "Peel a pear."),
        ("1 pound potatoes", "potato", "cauliflower", "Boil until potatoes are soft.", "Boil until cauliflower is soft."),
        ("1 pound potatoes | 1 carrot", "carrot", "celery", "Carrots and potatoes are done.", "Celery and potatoes are done."),
        ("1 cup butter", "butter", "margarine", "Butter a pan and chill it.", "Grease a pan with margarine and chill it."),
        ("1 cup butter | 1 cup flour", "butter", "margarine", "Butter and flour a pan.", "Grease and flour a pan."),
        ("1 cup butter | 1 cup flour", "flour", "cornstarch",
         "Grease and flour two pans. Roll on a floured board.", "Grease two pans and dust them with cornstarch. Roll on a dusted board."),
        ("1 cup butter", "butter", "margarine", "Pour into a buttered pan.", "Pour into a greased pan."),
        ("1 cup heavy cream | 1 cup butter", "heavy cream", "coconut cream",
         "Cream the butter; add cream.", "Cream the butter; add coconut cream."),
        ("1/2 cup butter", "butter", "olive oil",
         "Melt 2 tablespoons of the butter. Brush with melted butter.", "Heat 1 1/2 tablespoons olive oil. Brush with olive oil."),
        ("2 cups instant rice", "minute rice", "quinoa", "Cook rice 10 minutes.", "Cook quinoa 10 minutes."),
        ("1 tomato", "tomato", "zucchini", "Fry tomato slices.", "Fry zucchini slices."),
        ("1 lemon", "lemon", "lime", "Add lemon juice and lemon zest.", "Add lime juice and lime zest."),
        ("1 lemon", "lemon", "white vinegar", "Add the lemon juice.", "Add the white vinegar."),
        ("1 cup butter or margarine", "butter", "margarine", "Melt butter or margarine.", "Melt margarine."),
        ("4 cups water", "water", "chicken broth",
         "Boil pasta in a large pot of salted water. Add water.", "Boil pasta in a large pot of salted water. Add chicken broth."),
        ("4 cups water", "water", "chicken broth",
         "Fill a saucepan with water and bring the water to a boil.", "Fill a saucepan with water and bring the water to a boil."),
        ("1 can clams", "clam", "mussel", "Add the clams and the reserved clam juices.", "Add the mussels and the reserved mussel juices."),
        ("1 teaspoon garlic powder", "garlic powder", "garlic clove", "Add 1/4 teaspoon garlic powder.", "Add 1 garlic clove."),
        ("1 cup butter", "butter", "margarine", "Add butter and butter extract.", "Add margarine and butter extract."),
        ("1 can crescent roll dough", "crescent roll dough", "biscuit dough", "Fill it; roll dough around the meat.", "Fill it; roll dough around the meat."),
        ("2 celery ribs | 1 bunch chard", "celery rib", "carrot", "Cut out the ribs of the chard.", "Cut out the ribs of the chard."),
        ("water to cover", "water", "chicken broth", "Cover with water. Cover the pot.", "Cover with chicken broth. Cover the pot."),
        ("4 pork chops | 1 onion", "pork chop", "pork tenderloin", "Chop the onion. Fry the chops.", "Chop the onion. Fry the pork tenderloins."),
        ("1 pork roast", "pork roast", "whole chicken", "Roast until done; slice the roast.", "Roast until done; slice the whole chicken."),
        ("1 pound chicken tenders", "chicken tender", "tofu", "Fry until tender.", "Fry until tender."),
        ("nonstick cooking spray", "nonstick cooking spray", "butter",
         "Spray a pan with cooking spray.", "Grease a pan with butter."),
    ],
)  # fmt: skip
def test_a_step_speaks_of_the_new_food(lines: str, source: str, target: str, step: str, expected: str) -> None:
    assert edit(lines, source, target, step).recipe.steps[0].text == expected


@pytest.mark.parametrize(
    ("title", "lines", "source", "target", "expected"),
    [
        ("Buttermilk Pancakes", "1 cup buttermilk", "buttermilk", "yogurt", "Yogurt Pancakes"),
        ("Peanut Butter Cookies", "1 cup butter | 1 cup peanut butter", "butter", "margarine", "Peanut Butter Cookies"),
        ("Chicken and Rice", "1 pound chicken breast | 1 cup rice", "chicken breast", "tofu", "Tofu and Rice"),
        ("Walnut Bread", "1 cup walnuts", "walnut", "raisin", "Raisin Bread"),
        ("Butter Cake", "1 cup butter", "butter", "olive oil", "Olive Oil Cake"),
        ("Garlic Butter", "1 cup butter | 1 clove garlic", "butter", "olive oil", "Garlic Olive Oil"),
        ("Grandma's walnuts", "1 cup walnuts", "walnut", "raisin", "Grandma's raisins"),
        ("Sesame Seed Juice", "2 cups sesame seeds", "sesame seed", "sunflower seed", "Sunflower Seed Juice"),
        ("Pickled Beets", "2 pounds beets", "beet", "carrot", "Pickled Carrots"),
        ("Five-Spice Nuts", "1 teaspoon five-spice powder", "five spice powder", "curry powder", "Curry Powder Nuts"),
    ],
)
def test_a_title_speaks_of_the_new_food(title: str, lines: str, source: str, target: str, expected: str) -> None:
    assert edit(lines, source, target, title=title).recipe.title == expected


def test_peppers_are_no_black_pepper() -> None:
    step = "Cut tops off peppers. Season with pepper. Top each pepper with cheese."
    edited = edit("4 bell peppers | black pepper", "black pepper", "white pepper", step)
    assert edited.recipe.steps[0].text == "Cut tops off peppers. Season with white pepper. Top each pepper with cheese."


def test_what_must_boil_or_be_warm_still_must() -> None:
    edited = edit("4 cups water | 1 cup rice", "water", "chicken broth", "Add 2 cups boiling water, then cold water.")
    assert edited.recipe.steps[0].text == "Add 2 cups boiling chicken broth, then cold chicken broth."
    warm = edit("1 cup warm water | 1 cup rice", "warm water", "milk", "Dissolve yeast in warm water.")
    assert warm.recipe.steps[0].text == "Dissolve yeast in warm milk."


def test_a_title_that_names_the_pasta_by_its_first_word_changes() -> None:
    edited = edit("1 package linguini pasta", "pasta", "rice noodle", "Boil the linguini.", title="Linguini with Nuts")
    assert edited.recipe.title == "Rice Noodles with Nuts"


def test_a_title_says_no_word_twice() -> None:
    lines, target = "1 cup vanilla ice cream", "vanilla frozen yogurt"
    edited = edit(lines, "vanilla ice cream", target, title="Hazelnut Vanilla Ice Cream")
    assert edited.recipe.title == "Hazelnut Vanilla Frozen Yogurt"


def test_a_mention_that_may_mean_two_ingredients_stays_with_a_note() -> None:
    edited = edit("1 tbsp olive oil | 1 tbsp sesame oil", "olive oil", "butter", "Heat the oil.")
    assert edited.recipe.steps[0].text == "Heat the oil."
    assert "may mean olive oil or sesame oil" in notes_of(edited)


def test_what_a_food_has_and_the_new_one_has_not_is_noted() -> None:
    edited = edit("2 eggs", "egg", "applesauce", "Beat the egg whites.")
    assert edited.recipe.steps[0].text == "Beat the egg whites."
    assert "change it by hand" in notes_of(edited)


# Swaps together, and refusals


def test_swaps_are_applied_at_once_and_never_chain() -> None:
    made = recipe("1 cup butter | 1 cup margarine", "Add butter, then margarine.")
    swaps = [Swap("butter", "margarine"), Swap("margarine", "shortening")]
    edited = apply_swaps(made, swaps, VOCABULARY)
    assert lines_of(edited) == ["1 cup margarine", "1 cup shortening"]
    assert edited.recipe.steps[0].text == "Add margarine, then shortening."


def test_a_target_that_is_in_the_recipe_gets_its_own_line_and_a_note() -> None:
    edited = edit("1 cup butter | 1 cup margarine", "butter", "margarine")
    assert lines_of(edited) == ["1 cup margarine", "1 cup margarine"]
    assert "already in the recipe" in notes_of(edited)


@pytest.mark.parametrize(
    ("swaps", "message"),
    [
        ([Swap("butter", "butter")], "is no swap"),
        ([Swap("butter", "Butter ")], "is no swap"),
        ([Swap("saffron", "turmeric")], "has no saffron"),
        ([Swap("butter", "  ")], "few words"),
        ([Swap("butter", "x" * 500)], "few words"),
        ([Swap("butter", "margarine", lines=(2,))], "is on line 1"),
        ([Swap("butter", "margarine"), Swap("butter", "lard")], "once"),
        ([Swap("butter", "sand + gravel")], "do not know how to make"),
        ([], "at least one"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(swaps: list[Swap], message: str) -> None:
    with pytest.raises(SwapchefError, match=message):
        apply_swaps(recipe("1 cup butter | 2 eggs"), swaps, VOCABULARY)


def test_a_target_that_the_vocabulary_does_not_know_is_taken_as_it_is_written() -> None:
    edited = edit("1 cup butter", "butter", "Zorblax spread", "Melt the butter.")
    assert lines_of(edited) == ["1 cup Zorblax spread"]
    assert edited.recipe.steps[0].text == "Melt the Zorblax spread."
    assert any(note.is_guess for note in edited.notes)


# Several swaps tried on one recipe

CAKE = recipe(
    "1 cup butter, melted | 2 eggs, beaten | 1 cup buttermilk | 2 cups flour | salt and chili powder to taste",
    "Cream the butter; beat in the eggs one at a time.",
    "Stir in 1/2 cup buttermilk, flour, salt and chili powder. Pour into a buttered pan.",
    title="Butter Cake",
)
TRIED = [
    [Swap("butter", "olive oil")],
    [Swap("butter", "margarine")],
    [Swap("egg", "banana")],
    [Swap("butter", "margarine"), Swap("egg", "applesauce")],
    [Swap("egg", "applesauce"), Swap("butter", "margarine")],
    [Swap("buttermilk", "milk + lemon juice")],
    [Swap("buttermilk", "yogurt", lines=(3,))],
    [Swap("salt", "soy sauce")],
    [Swap("butter", "olive oil")],
]


def test_an_editor_tries_each_swap_on_the_recipe_as_it_was() -> None:
    editor = Editor(CAKE, VOCABULARY)
    for swaps in TRIED:
        assert editor.apply(swaps) == apply_swaps(CAKE, swaps, VOCABULARY)


def test_a_swap_that_is_refused_leaves_the_editor_as_it_was() -> None:
    editor = Editor(CAKE, VOCABULARY)
    for refused in ([Swap("butter", "butter")], [Swap("butter", "sand + gravel")], []):
        with pytest.raises(SwapchefError):
            editor.apply(refused)
    assert editor.apply(TRIED[0]) == apply_swaps(CAKE, TRIED[0], VOCABULARY)


def test_an_editor_takes_matches_that_are_known_already() -> None:
    editor = Editor(CAKE, VOCABULARY, [VOCABULARY.match_all(line) for line in CAKE.ingredients])
    assert [editor.apply(swaps) for swaps in TRIED] == [apply_swaps(CAKE, swaps, VOCABULARY) for swaps in TRIED]


def test_an_editor_does_not_doubt_the_matches_it_is_given() -> None:
    made, butter = recipe("1 cup gizmos | 2 eggs"), VOCABULARY.match("butter")
    assert butter is not None
    edited = Editor(made, VOCABULARY, [[butter], VOCABULARY.match_all(made.ingredients[1])]).apply(TRIED[1])
    assert lines_of(edited) == ["1 cup margarine", "2 eggs"]


# Notes and the diff


@pytest.mark.parametrize(
    ("lines", "source", "target", "step", "note"),
    [
        ("2 eggs", "egg", "banana", "Whisk the eggs.", "Mash the banana"),
        ("1 cup butter", "butter", "olive oil", "Cream butter and sugar.", "cannot be creamed"),
        ("1 cup heavy cream", "heavy cream", "coconut cream", "Whip the cream.", "Chill the can"),
        ("1 pound ground beef", "ground beef", "lentil", "Brown the beef.", "nothing to brown"),
        ("1 pound ground beef", "ground beef", "ground turkey", "Fry the beef.", "cooks a little faster"),
        ("1 onion", "onion", "onion powder", "Saute the onion.", "stir it in with the liquid"),
    ],
)
def test_a_step_that_no_longer_fits_gets_a_note(lines: str, source: str, target: str, step: str, note: str) -> None:
    assert note in notes_of(edit(lines, source, target, step))


@pytest.mark.parametrize(
    ("source", "target", "step", "expected"),
    [
        ("shrimp", "chicken", "Cook the shrimp until pink, 3 minutes.", "Cook the chicken until {}, 3 minutes."),
        ("shrimp", "chicken", "Cook until they just turn pink and opaque. Serve.", "Cook until {}. Serve."),
        ("salmon", "chicken", "Bake the salmon until it flakes easily with a fork.", "Bake the chicken until {}."),
        ("shrimp", "scallop", "Fry the shrimp until pink.", "Fry the scallops until opaque."),
        ("chicken", "tofu", "Fry the chicken until no longer pink.", "Fry the tofu until golden and hot."),
        ("salmon", "beef", "Grill the salmon until it flakes.", "Grill the beef until cooked as you like it."),
        ("chicken", "turkey", "Fry the chicken until no longer pink.", "Fry the turkey until no longer pink."),
    ],
)
def test_a_step_says_when_the_new_food_is_done(source: str, target: str, step: str, expected: str) -> None:
    edited = edit(f"1 pound {source} | 1 cup rice", source, target, step)
    assert edited.recipe.steps[0].text == expected.format("cooked through, with no pink inside")


def test_a_sign_that_may_be_another_foods_stays() -> None:
    edited = edit("1 pound shrimp | 1 pound crab | 1 cup rice", "shrimp", "chicken", "Cook the crab until pink.")
    assert edited.recipe.steps[0].text == "Cook the crab until pink."


@pytest.mark.parametrize(
    ("lines", "source", "target", "step"),
    [
        ("1 cup heavy cream", "heavy cream", "milk", "Beat the cream to soft peaks."),
        ("2 egg whites", "egg white", "egg substitute", "Beat the egg whites until stiff peaks form."),
        ("1 onion, chopped", "onion", "onion powder", "Cook the onion until translucent."),
        ("1/4 cup olive oil", "olive oil", "butter", "Drizzle the olive oil over the hummus and chill."),
        ("1 lime, sliced", "lime", "lime juice", "Garnish with slices of lime."),
        ("1 cup sugar", "sugar", "honey", "Cream the sugar with the butter."),
        ("1 onion, chopped", "onion", "onion powder", "Toss the onion with the tomatoes."),
        ("2 cloves garlic, sliced", "garlic", "garlic powder", "Fry the sliced garlic."),
        ("2 cups heavy cream", "heavy cream", "milk", "Pour the cream into the custard."),
        ("1 pineapple", "pineapple", "orange juice", "Stir in the pineapple."),
        ("8 pineapple rings", "pineapple ring", "crushed pineapple", "Arrange the pineapple rings on the ham."),
        ("1 bunch collard greens", "collard green", "spinach", "Add the collard greens."),
        ("1 pound penne", "penne", "quinoa", "Cook the penne until al dente."),
        ("1 can sweetened condensed milk", "sweetened condensed milk", "evaporated milk", "Add the condensed milk."),
        ("2 cups tortilla chips", "tortilla chip", "flour tortilla", "Crush the tortilla chips."),
        ("salt and pepper", "salt and pepper", "garlic salt", "Season with salt and pepper."),
        ("4 cups water", "water", "milk", "Add water and simmer the beans."),
        ("2 pounds mussels", "mussel", "shrimp", "Cook until the mussels open."),
        ("1/4 teaspoon cream of tartar", "cream of tartar", "baking powder", "Beat in the cream of tartar."),
        ("1 leg of lamb", "leg of lamb", "lamb chop", "Roast the leg of lamb."),
        ("1 jar dill pickles", "dill pickle", "sweet pickle relish", "Roll each dill pickle in bread."),
        ("1 cup smoked trout", "smoked trout", "salmon", "Strew the smoked trout over."),
        ("2 cups quick cooking oats", "quick cooking oat", "coconut", "Stir in the oats."),
        ("1 bottle barbecue sauce", "barbecue sauce", "ketchup", "Pour the barbecue sauce over."),
        ("2 tablespoons olive oil", "olive oil", "butter", "Whisk lemon juice and olive oil."),
        ("1/2 cup boiling water", "boiling water", "ice water", "Pour boiling water over."),
        ("1 package dry yeast", "dry yeast", "baking powder", "Dissolve the yeast."),
        ("1/2 teaspoon baking soda", "baking soda", "cream of tartar", "Add the baking soda."),
        ("3 squid", "squid", "shrimp", "Stuff the squid."),
        ("8 slices prosciutto", "prosciutto", "pancetta", "Wrap each date in prosciutto."),
        ("1/4 cup italian dressing", "italian dressing", "balsamic vinegar", "Add the dressing."),
        ("1 pint vanilla ice cream", "vanilla ice cream", "yogurt", "Freeze the ice cream between the cookies."),
        ("1 piece ginger", "ginger", "ground ginger", "Peel the ginger."),
        ("2 cloves garlic", "garlic", "garlic powder", "Fry the garlic until golden."),
        ("2 cups ginger beer", "ginger beer", "club soda", "Fill up with ginger beer."),
        ("1 cup root beer", "root beer", "sparkling water", "Pour the root beer over."),
        ("4 ounces margarita mix", "margarita mix", "vodka", "Shake the margarita mix."),
        ("1 bottle champagne", "champagne", "water", "Pour in the champagne."),
        ("4 sprigs mint", "mint", "fresh basil", "Muddle the mint."),
        ("2 cups water", "water", "orange juice", "Boil the quinoa in the water."),
        ("4 eggs", "egg", "egg white", "Poach the eggs."),
        ("1 teaspoon salt", "salt", "salt substitute", "Add the salt."),
        ("1 teaspoon salt", "salt", "soy sauce", "Grind the seeds with the salt."),
        ("1 tablespoon brown sugar", "brown sugar", "honey", "Rub the meat with brown sugar."),
        ("1 cup salt", "salt", "garlic salt", "Dissolve the salt for the brine."),
        ("1 tablespoon curry powder", "curry powder", "paprika", "Make a curry with the curry powder."),
        ("2 tablespoons chili powder", "chili powder", "cayenne pepper", "Season the chili with chili powder."),
        ("1 package taco seasoning mix", "taco seasoning mix", "cayenne pepper", "Stir in the seasoning."),
        ("2 tablespoons dried parsley flakes", "dry parsley flake", "italian seasoning", "Add the parsley."),
        ("1/4 teaspoon liquid smoke", "liquid smoke", "bourbon", "Add the liquid smoke."),
        ("1 package spaghetti sauce mix", "spaghetti sauce mix", "crushed tomato", "Stir in the sauce mix."),
        ("1 cup peanut sauce", "peanut sauce", "chili garlic sauce", "Serve with the peanut sauce."),
        ("8 ounces cream cheese", "cream cheese", "sour cream", "Shape the cream cheese into a ball."),
        ("1/2 cup parmesan cheese", "parmesan cheese", "feta cheese", "Press the parmesan cheese on for a crust."),
        ("1 cup cornmeal", "cornmeal", "breadcrumb", "Stir the cornmeal until thick."),
        ("1 cup cornmeal", "cornmeal", "all purpose flour", "Simmer the cornmeal."),
        ("1 cup rolled oats", "rolled oat", "wheat germ", "Stir in the oats."),
        ("1/2 cup seasoned croutons", "seasoned crouton", "breadcrumb", "Strew the croutons over."),
        ("1 cup panko breadcrumbs", "panko breadcrumb", "rolled oat", "Coat the fish with panko breadcrumbs."),
        ("1 cup sun-dried tomatoes", "sun dried tomato", "roasted red pepper", "Soak the sun-dried tomatoes."),
        ("1 can tomato paste", "tomato paste", "tomato sauce", "Spread the tomato paste on the bread."),
        ("1 double crust", "double crust", "graham cracker crust", "Bake it."),
        ("1 package puff pastry", "puff pastry", "pie crust", "Bake the puff pastry until puffed."),
        ("20 wonton wrappers", "wonton wrapper", "corn tortilla", "Boil the filled wonton wrappers."),
        ("8 lettuce leaves", "lettuce leaf", "spinach", "Line a plate with lettuce leaves."),
        ("1 avocado", "avocado", "guacamole", "Slice the avocado."),
        ("24 caramels", "caramel", "dulce de leche", "Heat the caramels."),
        ("2 cups mini marshmallows", "mini marshmallow", "marshmallow creme", "Fold in the marshmallows."),
        ("1 package strawberry gelatin", "strawberry gelatin", "raspberry", "Chill the gelatin."),
        ("1 teaspoon baking powder", "baking powder", "baking soda", "Add the baking powder."),
        ("1 cup powdered sugar", "powdered sugar", "brown sugar", "Stir in the powdered sugar."),
        ("4 cups sugar", "sugar", "honey", "Cook the jelly with sugar."),
        ("8 lasagna noodles", "lasagna noodle", "penne", "Layer the lasagna noodles."),
        ("1 package ramen noodles", "ramen noodle", "spaghetti", "Crush the ramen noodles."),
        ("4 portabella mushroom caps", "portabella mushroom cap", "sliced mushroom", "Grill the mushrooms."),
        ("1 butternut squash", "butternut squash", "sweet potato", "Scoop the seeds from the squash."),
        ("2 potatoes", "potato", "penne", "Mash the potatoes."),
        ("2 cups cooked chicken", "cooked chicken", "ground beef", "Shred the chicken."),
        ("1 package firm tofu", "firm tofu", "tempeh", "Blend the tofu."),
        ("4 tomatoes", "tomato", "mushroom", "Crush the tomatoes."),
        ("2 cups almond meal", "almond meal", "all purpose flour", "Mix a paleo dough of almond meal."),
        ("1 cucumber", "cucumber", "zucchini", "Put the cucumber into the water."),
        ("1 tablespoon peppercorns", "peppercorn", "black pepper", "Crack the peppercorns."),
        ("8 asparagus spears", "asparagus spear", "onion", "Boil the asparagus."),
        ("1 pound green beans", "green bean", "pea", "Grill the green beans."),
        ("8 slices bread", "bread", "rolled oat", "Toast the bread."),
        ("1 pound mushrooms", "mushroom", "onion", "Add the mushrooms."),
        ("4 cups coffee", "coffee", "water", "Pour the coffee over."),
        ("4 slices bread", "bread", "hamburger bun", "Toast the slices of bread."),
        ("1 cup cola", "cola", "limeade", "Top with cola."),
        ("1 dash salt", "salt", "garlic salt", "Stir the salt into the oatmeal."),
        ("1 jar pasta sauce", "pasta sauce", "salsa", "Layer the lasagna with pasta sauce."),
        ("1 (5 ounce) can tuna", "tuna", "salmon", "Mash the tuna."),
        ("7 potatoes", "potato", "carrot", "Mash the potatoes."),
        ("1 bottle beer", "beer", "club soda", "Stir the beer into the punch."),
        ("1 bottle red wine", "red wine", "apple juice", "Chill the sangria of red wine."),
        ("1/2 teaspoon baking soda", "baking soda", "egg", "Add the baking soda."),
        ("1 standing rib roast", "standing rib roast", "beef brisket", "Carve the rib roast."),
        ("1/4 cup simple syrup", "simple syrup", "honey", "Chill the simple syrup."),
        ("3 pounds pork shoulder", "pork shoulder", "pork tenderloin", "Shred the pork."),
        (
            "1 pound mozzarella cheese",
            "mozzarella cheese",
            "goat cheese",
            "Broil until the mozzarella cheese is melted.",
        ),
        ("1 vanilla bean", "vanilla bean", "vanilla bean paste", "Scrape the vanilla bean."),
        ("1 pound string beans", "string bean", "black bean", "Boil the beans."),
        ("1 pound green beans", "green bean", "potato", "Boil the beans."),
        ("1 tomato", "tomato", "tomato sauce", "Serve with lettuce and tomato."),
        ("4 cups water", "water", "milk", "Whisk until the water is clear."),
        ("4 cups water", "water", "orange juice", "Dissolve the gelatin in the water."),
        ("1 cup boiling water", "boiling water", "chicken broth", "Dissolve the gelatin in boiling water."),
        ("3 pounds country-style pork ribs", "country style pork rib", "pork tenderloin", "Bake the ribs."),
        ("2 pork chops", "pork chop", "pork shoulder", "Grill the pork chops."),
        ("1 pork tenderloin", "pork tenderloin", "pork chop", "Stuff the tenderloin."),
        ("1 sirloin steak", "sirloin steak", "stew meat", "Grill the steak."),
        ("2 pounds stew meat", "stew meat", "sirloin steak", "Simmer the stew meat."),
        ("1 cup coconut", "coconut", "chocolate chip", "Toast the coconut."),
        ("12 cookies", "cooky", "vanilla wafer", "Cover the hole of each cookie."),
        ("12 cookies", "cooky", "graham cracker", "Make hats of the cookies."),
        ("4 slices cooked bacon", "cooked bacon", "bacon bit", "Thread the bacon."),
        ("1 pint vanilla ice cream", "vanilla ice cream", "coffee ice cream", "Layer ice cream and strawberries."),
        ("1 cup vanilla pudding mix", "vanilla pudding mix", "chocolate pudding mix", "Stir pudding mix into fruit."),
        ("1 package vanilla pudding mix", "vanilla pudding mix", "tapioca pudding", "Stir in the pudding mix."),
        ("1 can artichoke hearts", "artichoke heart", "onion", "Add the artichoke hearts."),
        ("1 baguette", "baguette", "white bread", "Split the baguette."),
        ("2 cups sugar", "sugar", "honey", "Boil the sugar to a thread."),
        ("2 cups sugar", "sugar", "powdered sugar", "Boil the sugar."),
        ("2 cups sugar", "sugar", "stevia", "Bake a cake with the sugar."),
        ("1 cup red wine", "red wine", "white wine", "Make a red wine sauce."),
        ("1 bottle red wine", "red wine", "port wine", "Heat the mulled red wine."),
        ("1 cup sugar", "sugar", "granulated sugar", "Add the sugar."),
        ("1/2 cup whole cloves", "whole clove", "ground clove", "Stud the ham with whole cloves."),
    ],
)
def test_a_swap_that_cannot_do_what_a_step_asks_is_marked(lines: str, source: str, target: str, step: str) -> None:
    assert [note.kind for note in edit(f"{lines} | 1 cup rice", source, target, step).notes].count("unfit") == 1


def test_what_is_only_called_after_a_food_has_no_swap_for_that_food() -> None:
    lines = "1 package strawberry flavored Jell-O | 1 cup water"
    assert [note.kind for note in edit(lines, "strawberry", "raspberry").notes].count("unfit") == 1
    assert "unfit" not in {note.kind for note in edit("1 cup strawberries", "strawberry", "raspberry").notes}


def test_a_longer_name_is_no_repetition() -> None:
    edited = edit("1 carrot | 1 celery root | 1 cup barley", "carrot", "celery", "Add the carrot and celery root.")
    assert edited.recipe.steps[0].text == "Add the celery and celery root."


def test_a_dish_that_needs_the_food_says_so() -> None:
    edited = edit("1 cup sugar | 1 cup cream", "sugar", "honey", "Boil everything.", title="English Toffee")
    assert "unfit" in {note.kind for note in edited.notes}


@pytest.mark.parametrize(
    ("line", "source", "target", "expected"),
    [
        ("1 pound roasted turkey breast", "roasted turkey breast", "chicken breast", "cooked chicken breasts"),
        ("1 pound cooked shrimp", "cooked shrimp", "chicken", "cooked chicken"),
        ("1 pound turkey", "turkey", "chicken", "1 pound chicken"),
    ],
)
def test_cooked_meat_is_replaced_by_cooked_meat(line: str, source: str, target: str, expected: str) -> None:
    assert lines_of(edit(f"{line} | 1 cup rice", source, target))[0].endswith(expected)


def test_frying_is_no_name_of_the_oil() -> None:
    edited = edit("2 cups vegetable oil for frying", "vegetable oil", "olive oil", "Just before frying, heat the oil.")
    assert edited.recipe.steps[0].text == "Just before frying, heat the oil."


def test_a_swap_that_can_is_not_marked() -> None:
    edited = edit("1 cup heavy cream | 1 cup rice", "heavy cream", "milk", "Stir the cream into the soup.")
    assert "unfit" not in {note.kind for note in edited.notes}


def test_brown_sugar_in_the_sentence_browns_no_garlic() -> None:
    edited = edit("2 cloves garlic | 1 cup rice", "garlic", "garlic powder", "Blend garlic, brown sugar and lime.")
    assert "unfit" not in {note.kind for note in edited.notes}


def test_a_title_names_no_extract_and_no_ground_pepper() -> None:
    edited = edit("1 teaspoon vanilla extract", "vanilla extract", "almond extract", title="Vanilla Pudding")
    assert edited.recipe.title == "Almond Pudding"
    salad = edit("black pepper | 1 red bell pepper", "black pepper", "paprika", title="Pepper Salad")
    assert salad.recipe.title == "Pepper Salad"


def test_the_diff_shows_old_and_new() -> None:
    diff = edit("1 cup butter", "butter", "margarine", "Melt the butter.").diff()
    assert "-- 1 cup butter" in diff
    assert "+- 1 cup margarine" in diff
    assert "+1. Melt the margarine." in diff


# The tables


def test_the_technique_table_is_large_and_every_kind_in_it_exists() -> None:
    kinds = {kind for kind, _ in read_table("foods/kinds.tsv")} | set(VOCABULARY.names) | {"any"}
    rows = technique_rows()
    assert len(rows) >= 80
    assert {row.kind for row in rows} == {"technique", "timing", "unfit", "done"}
    assert sorted({name.removeprefix("not ") for row in rows for name in row.source | row.target} - kinds) == []


def test_every_food_of_the_preparations_exists() -> None:
    kinds = {kind for kind, _ in read_table("foods/kinds.tsv")} | set(VOCABULARY.names)
    assert sorted({name.removeprefix("not ") for foods in preparations().values() for name in foods} - kinds) == []


# Every recipe, every format

KITCHEN = "2 cups flour | 1 (8 ounce) package cream cheese, softened | 2 eggs, beaten | salt and pepper to taste | 1 lemon, juiced"


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("flour", "almond flour"),
        ("cream cheese", "2% milk"),
        ("egg", "half and half"),
        ("lemon", "Mom's (best) [hot] sauce, #1"),
    ],
)
def test_an_edited_recipe_survives_every_format(format: str, source: str, target: str) -> None:
    edited = edit(
        KITCHEN, source, target, "Beat cream cheese, eggs, flour and lemon juice.", title="Lemon Egg Cake"
    ).recipe
    read = parse_recipe(write_recipe(edited, format), format)
    assert [line.name for line in read.ingredients] == [line.name for line in edited.ingredients]
    assert [step.text for step in read.steps] == [step.text for step in edited.steps]


def test_every_food_of_the_vocabulary_has_one_and_many() -> None:
    for name in VOCABULARY.names[::7]:
        assert one_of(many_of(name)).lower().startswith(name[:3])
        assert not re.search(r"ss?es$", many_of(name)) or is_counted(name)


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("tomatoes", "tomato"),
        ("cookies", "cookie"),
        ("berries", "berry"),
        ("leaves", "leaf"),
        ("swiss", "swiss"),
        ("peaches", "peach"),
    ],
)
def test_singular(many: str, one: str) -> None:
    assert singular(many) == one


def test_articles_and_spelling() -> None:
    assert (article("egg"), article("unicorn"), article("onion"), article("banana")) == ("an", "a", "an", "a")
    assert spelled("all purpose flour") == "all-purpose flour"
    assert spelled("chocolate chip cooky") == "chocolate chip cookie"
