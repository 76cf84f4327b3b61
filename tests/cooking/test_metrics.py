"""Figures that can be checked by hand."""

import pytest

from swapchef.cooking.metrics import collapse_of, consistency, craft, set_scores, unique_words
from swapchef.cooking.naming import mentioned
from swapchef.cooking.text import Written
from swapchef.foods.matching import Vocabulary
from swapchef.mining.spotting import Spotter

KITCHEN = Vocabulary(["tomato", "basil", "garlic", "olive oil", "salt", "butter", "peanut butter"], {})
GOOD = Written(
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
    assert mentioned(GOOD.steps, names, KITCHEN) == {"basil", "garlic", "olive oil", "salt"}
    assert mentioned(["Spread peanut butter on it."], ["butter"], KITCHEN) == set()


def test_words_that_may_mean_two_speak_of_both() -> None:
    vocabulary = Vocabulary(["olive oil", "sesame oil", "salt"], {})
    assert mentioned(["Heat the oil."], ["olive oil", "sesame oil", "salt"], vocabulary) == {"olive oil", "sesame oil"}


def test_craft_is_less_for_what_comes_again_and_again() -> None:
    spotter, given = Spotter(KITCHEN), ["basil", "garlic", "olive oil", "salt"]
    assert craft(GOOD.steps, given, spotter) == 100
    thrice = [*GOOD.steps, "Add basil.", "Add more basil."]
    assert craft(thrice, given, spotter) == 97  # of four steps two may name it
    in_circles = [*GOOD.steps, GOOD.steps[1]]
    assert 60 < craft(in_circles, given, spotter) < 97
    assert craft([], given, spotter) == craft([], [], spotter) == 0


def test_consistency_counts_what_was_given_and_what_was_not() -> None:
    spotter = Spotter(KITCHEN)
    given = ["basil", "garlic", "olive oil", "salt"]
    assert consistency(GOOD.steps, given, spotter) == 100  # "the oil" is the olive oil
    assert consistency(GOOD.steps, [*given, "tomato"], spotter) == 80
    assert consistency([*GOOD.steps, "Add butter."], given, spotter) == 80
    assert consistency(["Serve."], given, spotter) == 0


def test_a_good_recipe_has_not_collapsed() -> None:
    assert collapse_of(GOOD, ["basil", "garlic", "olive oil", "salt"], KITCHEN) == ()


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (Written("Soup", ("Serve.",)), "short"),
        (Written("Soup", ()), "short"),
        (
            Written(
                "Soup", ("Add garlic to the pan and stir it well. " * 4, "Add garlic to the pan and stir it well. " * 3)
            ),
            "repeats",
        ),
        (Written("Soup", (GOOD.steps[0], GOOD.steps[0])), "repeats"),
        (Written("Garlic garlic soup", GOOD.steps), "repeats"),
        (
            Written(
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
def test_what_is_no_use_is_told(written: Written, reason: str) -> None:
    assert reason in " ".join(collapse_of(written, ["tomato", "garlic", "butter"], KITCHEN))


def test_unique_words_are_counted_per_text() -> None:
    assert unique_words(["Stir and stir", "serve"]) == 1.5
