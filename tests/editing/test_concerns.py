"""What a cook should mind about a swap: unfit steps, guessed amounts, mentions that stay."""

import pytest

from swapchef.editing.concerns import Concern, Note, note_of
from swapchef.editing.editor import Editor, Swap
from swapchef.editing.plan import plan_words
from tests.editing.kitchen import VOCABULARY, edit, lines_of, notes_of, recipe


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


def test_a_mention_that_may_mean_two_ingredients_stays_with_a_note() -> None:
    edited = edit("1 tbsp olive oil | 1 tbsp sesame oil", "olive oil", "butter", "Heat the oil.")
    assert edited.recipe.steps[0].text == "Heat the oil."
    assert "may mean olive oil or sesame oil" in notes_of(edited)


def test_what_a_food_has_and_the_new_one_has_not_is_noted() -> None:
    edited = edit("2 eggs", "egg", "applesauce", "Beat the egg whites.")
    assert edited.recipe.steps[0].text == "Beat the egg whites."
    assert "change it by hand" in notes_of(edited)


def test_a_target_that_is_in_the_recipe_gets_its_own_line_and_a_note() -> None:
    edited = edit("1 cup butter | 1 cup margarine", "butter", "margarine")
    assert lines_of(edited) == ["1 cup margarine", "1 cup margarine"]
    assert "already in the recipe" in notes_of(edited)


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


def test_a_dish_that_needs_the_food_says_so() -> None:
    edited = edit("1 cup sugar | 1 cup cream", "sugar", "honey", "Boil everything.", title="English Toffee")
    assert "unfit" in {note.kind for note in edited.notes}


def test_a_swap_that_can_is_not_marked() -> None:
    edited = edit("1 cup heavy cream | 1 cup rice", "heavy cream", "milk", "Stir the cream into the soup.")
    assert "unfit" not in {note.kind for note in edited.notes}


def test_brown_sugar_in_the_sentence_browns_no_garlic() -> None:
    edited = edit("2 cloves garlic | 1 cup rice", "garlic", "garlic powder", "Blend garlic, brown sugar and lime.")
    assert "unfit" not in {note.kind for note in edited.notes}


def concerns_about(lines: str, source: str, target: str, *steps: str, title: str = "Dinner") -> list[Concern]:
    editor = Editor(recipe(f"{lines} | 1 cup rice", *steps, title=title), VOCABULARY)
    (plan,) = plan_words([Swap(source, target)], editor.matched)
    return editor.concerns(plan)


def test_a_concern_says_which_step_it_is_about() -> None:
    steps = ("Heat the oven.", "Beat the cream to soft peaks.", "Serve the cream.")
    concerns = concerns_about("1 cup heavy cream", "heavy cream", "milk", *steps)
    assert [each.step for each in concerns if each.kind == "unfit"] == [2]
    assert {each.step for each in concerns if each.kind == "technique"} == {2}  # how milk is beaten, if at all


def test_a_verb_in_a_sentence_about_another_food_is_no_concern() -> None:
    steps = ("Whip the cream. Stir in the sugar.",)
    assert not any(each.step for each in concerns_about("1 cup sugar | 1 cup cream", "sugar", "honey", *steps))


def test_a_doubtful_mention_names_all_that_it_may_mean() -> None:
    concerns = concerns_about("1 tbsp olive oil | 1 tbsp sesame oil", "olive oil", "butter", "Stir.", "Heat the oil.")
    doubtful = [each for each in concerns if each.kind == "mention"]
    assert [(each.step, each.detail) for each in doubtful] == [(2, "'oil', which may mean olive oil or sesame oil")]


@pytest.mark.parametrize(
    ("line", "source", "target", "is_guess"),
    [
        ("1 cup butter", "butter", "Zorblax spread", True),  # no ratio is known
        ("salt and chili powder", "chili powder", "paprika", True),  # no amount of its own
        ("1 cup milk", "milk", "whole milk", False),
    ],
)
def test_an_amount_without_a_known_ratio_is_a_guess(line: str, source: str, target: str, is_guess: bool) -> None:
    concerns = concerns_about(line, source, target)
    assert any(each.kind == "amount" and each.is_guess for each in concerns) == is_guess


def test_a_note_is_a_concern_in_words() -> None:
    editor = Editor(recipe("1 cup butter | 1 cup rice"), VOCABULARY)
    (plan,) = plan_words([Swap("butter", "margarine")], editor.matched)
    concern = Concern("unfit", "{target} is no {source}, but {detail}.", 3, is_guess=True, detail="a spread")
    assert note_of(concern, plan) == Note("unfit", "Margarine is no butter, but a spread.", 3, is_guess=True)


def test_another_food_of_its_kind_that_stays_is_named() -> None:
    concerns = concerns_about("1 cup cheddar cheese | 1 cup sharp cheddar cheese", "cheddar cheese", "colby cheese")
    assert [each.detail for each in concerns if "which stays" in each.template] == ["sharp cheddar cheese"]
