"""Figures that can be checked by hand."""

import pytest

from swapchef.cooking.metrics import collapse_reasons, consistency, draft_score, set_scores, unique_words
from swapchef.cooking.naming import mentioned_ingredients
from swapchef.cooking.tokenizer import GeneratedRecipe
from swapchef.foods.matching import Vocabulary
from swapchef.mining.spotting import Spotter

KITCHEN = Vocabulary(["tomato", "basil", "garlic", "olive oil", "salt", "butter", "peanut butter"], {})
GOOD = GeneratedRecipe(
    "Pesto",
    (
        "Pound the basil leaves with garlic and a pinch of salt in a mortar until they are a paste.",
        "Stir in the oil little by little and serve with bread or pasta.",
    ),
)


def test_micro_counts_all_together_and_macro_each_photo() -> None:
    scores = set_scores([{1, 2}, {3}], [{1}, {4, 5, 6}])
    assert scores.micro_f1 == pytest.approx(200 / 7)
    assert scores.macro_f1 == pytest.approx((200 / 3 + 0) / 2)
    assert scores.micro_iou == pytest.approx(100 / 6)
    assert scores.macro_iou == pytest.approx((50 + 0) / 2)
    assert set_scores([], []).micro_f1 == 0


def test_an_ingredient_is_mentioned_by_its_name_or_its_own_part_of_it() -> None:
    names = ["basil", "garlic", "olive oil", "salt", "butter"]
    assert mentioned_ingredients(GOOD.steps, names, KITCHEN) == {"basil", "garlic", "olive oil", "salt"}
    assert mentioned_ingredients(["Spread peanut butter on it."], ["butter"], KITCHEN) == set()


def test_words_that_may_mean_two_mention_both() -> None:
    vocabulary = Vocabulary(["olive oil", "sesame oil", "salt"], {})
    assert mentioned_ingredients(["Heat the oil."], ["olive oil", "sesame oil", "salt"], vocabulary) == {
        "olive oil",
        "sesame oil",
    }


def test_a_draft_scores_less_for_what_comes_again_and_again() -> None:
    spotter, given = Spotter(KITCHEN), ["basil", "garlic", "olive oil", "salt"]
    assert draft_score(GOOD.steps, given, spotter) == 100
    thrice = [*GOOD.steps, "Add basil.", "Add more basil."]
    assert draft_score(thrice, given, spotter) == 97  # of four steps two may name it
    in_circles = [*GOOD.steps, GOOD.steps[1]]
    assert 60 < draft_score(in_circles, given, spotter) < 97
    assert draft_score([], given, spotter) == draft_score([], [], spotter) == 0


def test_consistency_counts_what_was_given_and_what_was_not() -> None:
    spotter = Spotter(KITCHEN)
    given = ["basil", "garlic", "olive oil", "salt"]
    assert consistency(GOOD.steps, given, spotter) == 100  # "the oil" is the olive oil
    assert consistency(GOOD.steps, [*given, "tomato"], spotter) == 80
    assert consistency([*GOOD.steps, "Add butter."], given, spotter) == 80
    assert consistency(["Serve."], given, spotter) == 0


def test_a_good_recipe_has_not_collapsed() -> None:
    assert collapse_reasons(GOOD, ["basil", "garlic", "olive oil", "salt"], KITCHEN) == ()


@pytest.mark.parametrize(
    ("recipe", "reason"),
    [
        (GeneratedRecipe("Soup", ("Serve.",)), "short"),
        (GeneratedRecipe("Soup", ()), "short"),
        (
            GeneratedRecipe(
                "Soup", ("Add garlic to the pan and stir it well. " * 4, "Add garlic to the pan and stir it well. " * 3)
            ),
            "repeats",
        ),
        (GeneratedRecipe("Soup", (GOOD.steps[0], GOOD.steps[0])), "repeats"),
        (GeneratedRecipe("Garlic garlic soup", GOOD.steps), "repeats"),
        (
            GeneratedRecipe(
                "Soup",
                (
                    "Heat the oven and grease a large pan before you begin.",
                    "Put everything in and bake until it is done.",
                ),
            ),
            "use most",
        ),
    ],
)
def test_what_is_no_use_is_told(recipe: GeneratedRecipe, reason: str) -> None:
    assert reason in " ".join(collapse_reasons(recipe, ["tomato", "garlic", "butter"], KITCHEN))


def test_unique_words_are_counted_per_text() -> None:
    assert unique_words(["Stir and stir", "serve"]) == 1.5
