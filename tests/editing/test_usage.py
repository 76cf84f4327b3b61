"""How a recipe uses one of its foods: where it is mentioned, how its lines ask for it, and what else they ask for."""

import pytest

from swapchef.editing.matched_recipe import MatchedRecipe, RecipeFood
from swapchef.editing.usage import Usage, product_named_after, second_food, usage_of
from swapchef.recipes import parse_line
from tests.editing.kitchen import VOCABULARY, recipe


def usage(lines: str, food: str, *steps: str, title: str = "Dinner") -> Usage:
    matched = MatchedRecipe.of(recipe(lines, *steps, title=title), VOCABULARY)
    return usage_of(next(each for each in matched.foods if each.name == food), matched)


def test_mentions_are_counted_by_title_and_step() -> None:
    used = usage("1 cup butter | 2 eggs", "butter", "Melt butter. Add butter.", "Beat the eggs.", title="Butter Cake")
    assert [(mention.start, mention.end) for mention in used.title_mentions] == [(0, 6)]
    assert [len(mentions) for mentions in used.step_mentions] == [2, 0]


def test_only_sentences_that_mention_the_food_count_for_each_step() -> None:
    steps = ("Heat the oven. Melt the butter; stir! Add butter? Serve.", "Beat the eggs.", "Brush with butter")
    used = usage("1 cup butter | 2 eggs", "butter", *steps)
    assert used.sentences == ((" Melt the butter", " Add butter"), (), ("Brush with butter",))
    assert used.sentences_of(3) == ("Brush with butter",)


def test_two_mentions_in_one_sentence_are_one_sentence() -> None:
    used = usage("1 cup butter", "butter", "Melt butter, then more butter. Stir.")
    assert used.sentences == (("Melt butter, then more butter",),)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("3 eggs, hard-boiled and peeled", "hard-boiled"),
        ("3 eggs, Poached", "Poached"),
        ("3 eggs, beaten", ""),
    ],
)
def test_how_a_line_asks_for_it_cooked(line: str, expected: str) -> None:
    assert usage(f"{line} | 1 cup rice", "egg").cooked_first == expected


def test_another_food_that_is_handled_alike_is_of_its_kind() -> None:
    assert usage("1 pound shrimp | 1 cup rice", "shrimp").is_only_one_of_its_kind
    assert not usage("1 pound shrimp | 1 pound crab", "shrimp").is_only_one_of_its_kind


@pytest.mark.parametrize(
    ("name", "written", "expected"),
    [
        ("ice", ["ice-pop molds"], "ice-pop molds"),
        ("cherry", ["ground cherries"], "ground cherries"),
        ("strawberry", ["strawberry ice cream"], "strawberry ice cream"),
        ("corn", ["sweet corn", "masa corn"], "masa corn"),
        ("brussels sprout", ["brussels sprouts"], ""),
        ("butter", ["butter sauce"], ""),  # no plain fruit or vegetable
        ("corn", [], ""),
    ],
)
def test_what_is_only_called_after_a_food(name: str, written: list[str], expected: str) -> None:
    assert product_named_after(name, written) == expected


@pytest.mark.parametrize(
    ("line", "food", "expected"),
    [
        ("4 chicken breasts and thighs", "chicken breast", "thighs"),
        ("1 cup sugar and cinnamon", "sugar", "cinnamon"),
        ("1 cup sugar & cinnamon, mixed", "sugar", "cinnamon"),
        ("2 slices ham and its fat", "ham", ""),
        ("2 eggs, beaten and strained", "egg", ""),
        ("salt, and pepper", "salt", ""),  # a list without amounts keeps its second food
        ("1 cup sugar (white and brown)", "sugar", ""),
        ("1 cup sugar for cake and coffee", "sugar", ""),
        ("1 cup sugar", "sugar", ""),
    ],
)
def test_a_second_food_on_a_line(line: str, food: str, expected: str) -> None:
    match = VOCABULARY.match(food)
    assert match is not None
    assert second_food(parse_line(line), RecipeFood(match.id, match.name), VOCABULARY) == expected
