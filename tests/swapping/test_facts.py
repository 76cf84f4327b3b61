"""Each fact of a swap against an example worked out by hand: no model, real tables of foods."""

import math

import pytest

from swapchef.amounts.portions import Dish
from swapchef.amounts.ratios import mixtures_of
from swapchef.effects.tastes import TasteChange
from swapchef.limits.diets import FACETS
from swapchef.swapping.facts import SwapFacts, recipe_count, worst_verdicts
from tests.swapping.kitchen import Kitchen

KITCHEN = Kitchen(
    [
        "butter", "unsalted butter", "margarine", "olive oil", "milk", "buttermilk", "lemon juice", "egg", "applesauce",
        "water", "sugar", "honey", "salt", "garlic salt", "black pepper", "cayenne pepper", "allspice", "candy cane",
        "vanilla extract", "red pepper flake", "black bean", "pinto bean", "tofu", "vegan butter", "coconut oil",
        "flour", "heavy cream", "onion", "shallot", "green bell pepper", "red bell pepper", "bell pepper", "vegetable",
        "baking powder", "white vinegar", "shrimp", "chili powder", "merlot", "red wine", "tomato",
    ],
    {},
)  # fmt: skip
CAKE = (
    "Cake\n\n1 cup butter\n2 cups flour\n1 cup sugar\n2 eggs\n1 teaspoon baking powder\n1 cup buttermilk\n"
    "1/4 cup butter\n\n1. Cream the butter and sugar.\n2. Beat in the eggs and buttermilk.\n3. Bake 30 minutes."
)


def swap(source: str, target: str, recipe: str | None = None, **more: tuple[str, ...]) -> SwapFacts:
    return KITCHEN.facts(KITCHEN.setting(source, recipe, **more), target)


def mixed(source: str, recipe: str | None = None) -> SwapFacts:
    setting = KITCHEN.setting(source, recipe)
    return SwapFacts(setting, KITCHEN.facts(setting, "milk").candidate, mixtures_of(source)[0])


def test_a_setting_without_a_recipe_knows_no_amount_and_serves_four() -> None:
    setting = KITCHEN.setting("butter")
    assert (setting.first_line.name, setting.first_line.amount, setting.first_line.text) == ("butter", None, "butter")
    assert (setting.dish, setting.servings) == (Dish(), 4)
    facts = KITCHEN.facts(setting, "margarine")
    assert (facts.plan, facts.concerns) == (None, ())
    with pytest.raises(ValueError, match="no plan"):
        _ = facts.plan_made


def test_a_setting_in_a_recipe_reads_its_line_and_its_dish() -> None:
    setting = KITCHEN.setting("butter", CAKE)
    assert (setting.first_line.text, setting.dish.use, setting.servings) == ("1 cup butter", "baking", 4)
    facts = KITCHEN.facts(setting, "olive oil")
    assert facts.plan is not None
    assert (facts.plan_made.food.name, facts.plan_made.target, facts.plan_made.target_id) == ("butter", "olive oil", 3)
    assert facts.portion is not None
    assert facts.portion.text == "3/4 cup"
    assert (facts.source, facts.target) == ("butter", KITCHEN.food("olive oil"))


def test_the_cooks_are_counted_back_from_their_logarithm() -> None:
    assert KITCHEN.facts(KITCHEN.setting("butter"), "margarine", cooks=41).cooks == 41
    assert swap("butter", "margarine").cooks == 0
    assert recipe_count(math.log1p(1234)) == pytest.approx(1234)


def test_tastes_and_kinds_are_compared_from_source_to_target() -> None:
    assert swap("sugar", "applesauce").taste_changes == (TasteChange("sweet", False),)
    assert swap("butter", "margarine").taste_changes == ()
    assert [swap("butter", name).kind_distance for name in ("margarine", "olive oil", "onion")] == [0, 1, 2]


def test_steps_that_the_food_is_unfit_for_and_steps_that_change() -> None:
    trifle = "Trifle\n\n1 cup heavy cream\n1 cup sugar\n\n1. Chill a bowl.\n2. Whip the heavy cream to stiff peaks."
    assert set(swap("heavy cream", "milk", trifle).unfit_steps) == {2}
    assert (
        swap("heavy cream", "milk", "Soup\n\n1 cup heavy cream\n1 onion\n\n1. Add the heavy cream.").unfit_steps == ()
    )
    creamed, fried = swap("butter", "olive oil", CAKE), swap("butter", "margarine", CAKE)
    techniques = [concern.kind for concern in creamed.concerns if concern.kind in {"technique", "timing"}]
    assert creamed.changed_steps == len(techniques) > 0
    assert fried.changed_steps == 0


def test_amounts_are_guessed_on_the_first_line_or_on_another() -> None:
    known, guessed = swap("butter", "margarine", CAKE), swap("butter", "shrimp", CAKE)
    assert (known.is_portion_guessed, known.is_guess) == (False, False)
    assert (guessed.is_portion_guessed, guessed.is_guess) == (True, True)
    two_lines = "Dish\n\n2 eggs\n1 carton eggs\n1 cup flour\n1 teaspoon baking powder\n\n1. Bake the eggs."
    later = swap("egg", "applesauce", two_lines)
    assert (later.is_portion_guessed, later.is_guess) == (False, True)
    assert mixed("buttermilk", CAKE).is_portion_guessed is False
    assert mixed("buttermilk", CAKE).is_guess is False
    assert mixed("buttermilk", CAKE.replace("1 cup buttermilk", "2 cans buttermilk")).is_guess is True


def test_what_is_to_taste_is_not_measured() -> None:
    assert swap("butter", "margarine", CAKE).is_measured
    assert not swap("salt", "garlic salt", "Soup\n\nsalt to taste\n1 onion\n\n1. Stir.").is_measured
    assert not swap("butter", "margarine").is_measured
    assert mixed("buttermilk").is_measured


@pytest.mark.parametrize(
    ("line", "target", "servings", "too_much"),
    [
        ("1/2 cup candy cane", "vanilla extract", 4, True),  # 104 g, and 10 g a serving are the most
        ("1/2 cup candy cane", "vanilla extract", 10, True),
        ("1/2 cup candy cane", "vanilla extract", 11, False),
        ("1 cup candy cane", "sugar", 4, False),
    ],
)
def test_too_much_is_measured_by_the_serving(line: str, target: str, servings: int, too_much: bool) -> None:
    ingredients = f"## Ingredients\n\n- {line}\n- 2 cups flour"
    text = f"# Bark\n\n- **Servings:** {servings}\n\n{ingredients}\n\n## Directions\n\n1. Mix.\n"
    assert swap("candy cane", target, text).is_too_much is too_much


def test_as_much_of_something_as_strong_is_not_too_much() -> None:
    def pepper(amount: str, target: str) -> bool:
        return swap("black pepper", target, f"Rub\n\n{amount} black pepper\n1 onion\n\n1. Rub.").is_too_much

    # A cup of black pepper is 110 g of the 16 g that four can take: 6.9 times the most.
    assert not pepper("1 cup", "chili powder")  # as much of it, and as strong
    assert not pepper("1 cup", "cayenne pepper")  # a quarter cup, 27.5 g of 3.2 g: 8.6 times the most
    assert pepper("1 cup", "red pepper flake")  # half a cup, 55 g of 4.4 g: 12.5 times
    assert not pepper("1/16 cup", "red pepper flake")  # 0.8 times
    assert swap("tomato", "chili powder", "Rub\n\n1 cup tomato\n1 onion\n\n1. Rub.").is_too_much
    assert not mixed("buttermilk", CAKE).is_too_much


def test_what_a_food_does_not_do_comes_from_its_row_or_its_mixture() -> None:
    assert swap("egg", "water", CAKE).lacks == ("binding",)
    assert swap("egg", "applesauce", CAKE).lacks == ()
    assert mixed("heavy cream").lacks == ("whipping",)


def test_names_and_strength_are_compared_from_source_to_target() -> None:
    assert swap("candy cane", "vanilla extract").is_stronger
    assert not swap("vanilla extract", "candy cane").is_stronger
    assert swap("onion", "vegetable").is_vague
    assert not swap("vegetable", "onion").is_vague
    assert swap("merlot", "red wine").is_same_food
    assert not swap("butter", "margarine").is_same_food
    assert not swap("green bell pepper", "red bell pepper").is_same_food  # a variety that cooks tell apart
    assert swap("red bell pepper", "bell pepper").is_same_food
    assert swap("garlic salt", "salt").shares_a_word
    assert not swap("butter", "margarine").shares_a_word


def test_what_the_dish_has_already_is_known_by_any_of_its_names() -> None:
    assert swap("margarine", "butter", "Toast\n\n1 cup margarine", other_foods=("onion", "unsalted butter")).is_in_dish
    assert not swap("margarine", "butter", "Toast\n\n1 cup margarine", other_foods=("onion",)).is_in_dish


def test_what_was_in_a_can_is_better_replaced_from_a_can() -> None:
    beans = "Chili\n\n2 (15 ounce) cans black beans\n1 onion\n\n1. Simmer."
    assert not swap("black bean", "pinto bean", beans).leaves_can
    assert swap("black bean", "tofu", beans).leaves_can
    assert not swap("onion", "shallot", beans).leaves_can
    assert not mixed("buttermilk", CAKE.replace("1 cup buttermilk", "1 can buttermilk")).leaves_can


def test_a_promise_of_the_title_is_broken_by_one_unsafe_facet() -> None:
    toast = "Toast\n\n1 cup margarine"
    assert swap("margarine", "butter", toast, promised=("vegetarian", "vegan")).breaks_promise
    assert not swap("margarine", "butter", toast, promised=("vegetarian",)).breaks_promise
    assert not swap("margarine", "olive oil", toast, promised=("vegan",)).breaks_promise


def test_verdicts_are_those_of_the_food_or_the_worst_of_a_mixture() -> None:
    assert set(swap("butter", "olive oil").verdicts) == set(FACETS)
    assert (swap("butter", "olive oil").verdicts["milk"], swap("olive oil", "butter").verdicts["milk"]) == (
        "safe",
        "unsafe",
    )
    assert mixed("buttermilk").verdicts["milk"] == "unsafe"
    assert worst_verdicts(("olive oil", "qqzzx"))["vegan"] == "unknown"
    assert worst_verdicts(("qqzzx", "butter"))["vegan"] == "unsafe"
    assert worst_verdicts(("olive oil", "water"))["vegan"] == "safe"


def test_the_place_of_a_standby_counts_where_its_amount_is_known() -> None:
    assert [swap("butter", name).standby_place for name in ("vegan butter", "coconut oil", "margarine")] == [0, 1, None]
    assert swap("egg", "applesauce", CAKE).standby_place == 0
    frying = "Fried eggs\n\n2 eggs\n1 onion\n\n1. Fry the eggs."
    assert swap("egg", "applesauce", frying).standby_place is None  # its row is for baking


def test_an_amount_is_known_where_a_row_holds_in_such_a_dish() -> None:
    assert swap("egg", "applesauce", CAKE).has_known_amount
    assert not swap("egg", "applesauce", "Fried eggs\n\n2 eggs\n1 onion\n\n1. Fry the eggs.").has_known_amount
    assert not swap("butter", "shrimp", CAKE).has_known_amount
    assert swap("butter", "olive oil", CAKE).has_known_amount
    assert not swap("egg", "applesauce").has_known_amount
