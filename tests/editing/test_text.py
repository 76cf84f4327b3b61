"""Titles and steps that speak of the new food."""

import pytest

from tests.editing.kitchen import edit


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
         "Cook chicken until the chicken is done. Add chicken broth.",
         "Cook tofu until the tofu is done. Add chicken broth."),
        ("1 pound chicken breast", "chicken breast", "turkey breast", "Add the chicken.", "Add the turkey."),
        ("8 ounces cheddar cheese", "cheddar cheese", "colby cheese",
         "Add the cheese, then more Cheddar cheese.", "Add the cheese, then more colby cheese."),
        ("1 egg", "egg", "banana", "Add an egg to the egg mixture.", "Add the banana to the banana mixture."),
        ("2 onions", "onion", "apple", "Chop an onion. Onions are sweet.", "Chop an apple. Apples are sweet."),
        ("2 apples", "apple", "pear", "Peel an apple.", "Peel a pear."),
        ("1 pound potatoes", "potato", "cauliflower",
         "Boil until potatoes are soft.", "Boil until cauliflower is soft."),
        ("1 pound potatoes | 1 carrot", "carrot", "celery",
         "Carrots and potatoes are done.", "Celery and potatoes are done."),
        ("1 cup butter", "butter", "margarine",
         "Butter a pan and chill it.", "Grease a pan with margarine and chill it."),
        ("1 cup butter | 1 cup flour", "butter", "margarine", "Butter and flour a pan.", "Grease and flour a pan."),
        ("1 cup butter | 1 cup flour", "flour", "cornstarch",
         "Grease and flour two pans. Roll on a floured board.",
         "Grease two pans and dust them with cornstarch. Roll on a dusted board."),
        ("1 cup butter", "butter", "margarine", "Pour into a buttered pan.", "Pour into a greased pan."),
        ("1 cup heavy cream | 1 cup butter", "heavy cream", "coconut cream",
         "Cream the butter; add cream.", "Cream the butter; add coconut cream."),
        ("1/2 cup butter", "butter", "olive oil",
         "Melt 2 tablespoons of the butter. Brush with melted butter.",
         "Heat 1 1/2 tablespoons olive oil. Brush with olive oil."),
        ("2 cups instant rice", "minute rice", "quinoa", "Cook rice 10 minutes.", "Cook quinoa 10 minutes."),
        ("1 tomato", "tomato", "zucchini", "Fry tomato slices.", "Fry zucchini slices."),
        ("1 lemon", "lemon", "lime", "Add lemon juice and lemon zest.", "Add lime juice and lime zest."),
        ("1 lemon", "lemon", "white vinegar", "Add the lemon juice.", "Add the white vinegar."),
        ("1 cup butter or margarine", "butter", "margarine", "Melt butter or margarine.", "Melt margarine."),
        ("4 cups water", "water", "chicken broth",
         "Boil pasta in a large pot of salted water. Add water.",
         "Boil pasta in a large pot of salted water. Add chicken broth."),
        ("4 cups water", "water", "chicken broth",
         "Fill a saucepan with water and bring the water to a boil.",
         "Fill a saucepan with water and bring the water to a boil."),
        ("1 can clams", "clam", "mussel",
         "Add the clams and the reserved clam juices.", "Add the mussels and the reserved mussel juices."),
        ("1 teaspoon garlic powder", "garlic powder", "garlic clove",
         "Add 1/4 teaspoon garlic powder.", "Add 1 garlic clove."),
        ("1 cup butter", "butter", "margarine", "Add butter and butter extract.", "Add margarine and butter extract."),
        ("1 can crescent roll dough", "crescent roll dough", "biscuit dough",
         "Fill it; roll dough around the meat.", "Fill it; roll dough around the meat."),
        ("2 celery ribs | 1 bunch chard", "celery rib", "carrot",
         "Cut out the ribs of the chard.", "Cut out the ribs of the chard."),
        ("water to cover", "water", "chicken broth",
         "Cover with water. Cover the pot.", "Cover with chicken broth. Cover the pot."),
        ("4 pork chops | 1 onion", "pork chop", "pork tenderloin",
         "Chop the onion. Fry the chops.", "Chop the onion. Fry the pork tenderloins."),
        ("1 pork roast", "pork roast", "whole chicken",
         "Roast until done; slice the roast.", "Roast until done; slice the whole chicken."),
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


def test_a_longer_name_is_no_repetition() -> None:
    edited = edit("1 carrot | 1 celery root | 1 cup barley", "carrot", "celery", "Add the carrot and celery root.")
    assert edited.recipe.steps[0].text == "Add the celery and celery root."


def test_a_title_names_no_extract_and_no_ground_pepper() -> None:
    edited = edit("1 teaspoon vanilla extract", "vanilla extract", "almond extract", title="Vanilla Pudding")
    assert edited.recipe.title == "Almond Pudding"
    salad = edit("black pepper | 1 red bell pepper", "black pepper", "paprika", title="Pepper Salad")
    assert salad.recipe.title == "Pepper Salad"
