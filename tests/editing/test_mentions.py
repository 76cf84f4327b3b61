"""Where a text speaks of an ingredient, and where the same words mean another thing."""

import pytest

from swapchef.editing.matched_recipe import MatchedRecipe
from swapchef.editing.mentions import Mention, find_mentions
from tests.editing.kitchen import VOCABULARY, edit, processor_seconds, recipe


def test_peppers_are_no_black_pepper() -> None:
    step = "Cut tops off peppers. Season with pepper. Top each pepper with cheese."
    edited = edit("4 bell peppers | black pepper", "black pepper", "white pepper", step)
    assert edited.recipe.steps[0].text == "Cut tops off peppers. Season with white pepper. Top each pepper with cheese."


def test_frying_is_no_name_of_the_oil() -> None:
    edited = edit("2 cups vegetable oil for frying", "vegetable oil", "olive oil", "Just before frying, heat the oil.")
    assert edited.recipe.steps[0].text == "Just before frying, heat the oil."


def mentions_in(text: str, lines: str, sought: str) -> list[Mention]:
    matched = MatchedRecipe.of(recipe(lines), VOCABULARY)
    ids = [food.id for food in matched.foods if food.name == sought]
    (mentions,) = find_mentions([text], matched.foods, ids, VOCABULARY)
    return mentions


@pytest.mark.parametrize(
    ("lines", "sought", "text", "expected"),
    [
        ("1 cup butter", "butter", "Melt the butter.", [("butter", "noun")]),
        ("1 cup butter", "butter", "Butter a pan.", [("Butter", "verb")]),
        ("1 cup butter", "butter", "Use a buttered pan.", [("buttered", "adjective")]),
        ("2 eggs", "egg", "Beat the egg whites.", [("egg whites", "derived")]),
        ("1 cup butter", "butter", "Add peanut butter and butter lettuce.", []),
        ("1 pound ground beef", "ground beef", "Brown the beef.", [("beef", "noun")]),
        ("4 cups water", "water", "Fill a pot with water. Drain the water. Add cold water.", [("water", "noun")]),
        ("4 cups water | 1 can water chestnuts", "water", "Boil a pot of water; add water chestnuts.", []),
        ("4 cups water", "water", "Add water. Stir the water.", [("water", "noun"), ("water", "noun")]),
        ("1 cup butter", "butter", "", []),
    ],
)
def test_a_mention_has_a_role(lines: str, sought: str, text: str, expected: list[tuple[str, str]]) -> None:
    mentions = mentions_in(text, lines, sought)
    assert [(text[mention.start : mention.end], mention.role) for mention in mentions] == expected


def test_a_mention_knows_number_part_and_what_else_it_may_mean() -> None:
    (onions,) = mentions_in("Chop the onions.", "2 onions", "onion")
    assert (onions.is_many, onions.is_part, onions.others) == (True, False, ())
    (chicken,) = mentions_in("Fry the chicken.", "1 pound chicken breast", "chicken breast")
    assert (chicken.is_many, chicken.is_part, chicken.is_doubtful) == (False, True, False)
    (oil,) = mentions_in("Heat the oil.", "1 tbsp olive oil | 1 tbsp sesame oil", "olive oil")
    assert oil.is_doubtful
    assert oil.others == ("sesame oil",)


def test_water_from_the_tap_is_remembered_through_the_whole_text() -> None:
    text = "Boil a pot of water. " + "Stir the water. " * 2_000
    assert mentions_in(text, "4 cups water", "water") == []


def test_many_verbs_in_a_row_are_no_trap() -> None:
    assert mentions_in("butter and flour and " * 2_000, "1 cup butter", "butter")


@pytest.mark.parametrize(
    "sentence",
    [
        "Boil the water and strain off the water, ",
        "Bring a pot of water to a boil; season with salt and pepper. ",
        "water ",
        "water and butter and ",
    ],
)
def test_mentions_are_looked_for_in_time_in_proportion_to_the_text(sentence: str) -> None:
    """Quadratic time would multiply by 64 from one size to the other; a floor keeps small times out of it."""

    def seconds_for(length: int) -> float:
        text = (sentence * length)[:length]
        return processor_seconds(lambda: mentions_in(text, "4 cups water | 1 cup butter | black pepper", "water"))

    assert seconds_for(64_000) <= 12 * max(seconds_for(8_000), 0.02)
