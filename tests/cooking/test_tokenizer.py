"""Recipes are encoded and decoded again, and capitals are put where cooks put them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swapchef.cooking.tokenizer import END, STEP, TITLE, RecipeTokenizer, normal
from swapchef.errors import DataError
from tests.cooking.kitchen import small_tokenizer

TOKENIZER = small_tokenizer()


def test_a_recipe_comes_back_with_capitals() -> None:
    tokens = TOKENIZER.encode("Tomato Soup", ["Chop the tomato. Then simmer at 350 degrees F.", "Serve!"])
    assert tokens[0] == TITLE
    assert tokens.count(STEP) == 2
    assert tokens[-1] == END
    recipe = TOKENIZER.decode(tokens)
    assert recipe.title == "Tomato Soup"
    assert recipe.steps == ("Chop the tomato. Then simmer at 350°F.", "Serve!")


def test_a_step_that_was_cut_off_is_left_out_unless_it_is_the_only_one() -> None:
    tokens = TOKENIZER.encode("Tomato Soup", ["Chop the tomato.", "Serve!"])
    assert TOKENIZER.decode(tokens[:-2]).steps == ("Chop the tomato.",)
    only = TOKENIZER.encode("Tomato Soup", ["Chop the tomato."])
    assert len(TOKENIZER.decode(only[:-2]).steps) == 1


@given(st.text(st.characters(codec="utf-8", exclude_categories=("C",)), max_size=40))
def test_any_text_survives(text: str) -> None:
    once = normal(text)
    assert normal(once) == once
    (step,) = TOKENIZER.decode(TOKENIZER.encode("x", [text])).steps or ("",)
    assert normal(step) == once


def test_fractions_quotes_and_degrees_are_plain() -> None:
    assert normal("Add 1½ cups “milk” – at 350 degrees F…") == 'add 1 1/2 cups "milk" - at 350°f...'


def test_names_that_are_always_capitalised_stay_so() -> None:
    steps = ["Whisk in the Dijon mustard.", "Add grated Parmesan and dijon."] + ["Stir in Dijon and Parmesan now."] * 30
    tokenizer = RecipeTokenizer.train(["Sauce"], steps, 300)
    assert tokenizer.decode(tokenizer.encode("sauce", ["stir in dijon and parmesan"])).steps == (
        "Stir in Dijon and Parmesan",
    )


def test_a_stored_tokenizer_is_the_same() -> None:
    again = RecipeTokenizer.from_dict(TOKENIZER.as_dict())
    assert again.encode("Pesto", ["Stir."]) == TOKENIZER.encode("Pesto", ["Stir."])
    with pytest.raises(DataError, match="damaged"):
        RecipeTokenizer.from_dict({"tokenizer": 3})


def test_tokens_out_of_order_are_no_error() -> None:
    assert TOKENIZER.decode([]).title == ""
    assert TOKENIZER.decode([END, TITLE]).steps == ()
    assert TOKENIZER.decode([STEP, STEP, END]).steps == ()
