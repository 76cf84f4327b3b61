"""Word pieces go there and back, and capitals are put where cooks put them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swapchef.cooking.text import END, STEP, TITLE, RecipeText, normal
from swapchef.errors import DataError
from tests.cooking.kitchen import small_text

TEXT = small_text()


def test_a_recipe_comes_back_with_capitals() -> None:
    pieces = TEXT.pieces_of("Tomato Soup", ["Chop the tomato. Then simmer at 350 degrees F.", "Serve!"])
    assert pieces[0] == TITLE
    assert pieces.count(STEP) == 2
    assert pieces[-1] == END
    written = TEXT.written(pieces)
    assert written.title == "Tomato Soup"
    assert written.steps == ("Chop the tomato. Then simmer at 350°F.", "Serve!")


def test_a_step_that_was_cut_off_is_left_out_unless_it_is_the_only_one() -> None:
    pieces = TEXT.pieces_of("Tomato Soup", ["Chop the tomato.", "Serve!"])
    assert TEXT.written(pieces[:-2]).steps == ("Chop the tomato.",)
    only = TEXT.pieces_of("Tomato Soup", ["Chop the tomato."])
    assert len(TEXT.written(only[:-2]).steps) == 1


@given(st.text(st.characters(codec="utf-8", exclude_categories=("C",)), max_size=40))
def test_any_text_survives(text: str) -> None:
    once = normal(text)
    assert normal(once) == once
    (step,) = TEXT.written(TEXT.pieces_of("x", [text])).steps or ("",)
    assert normal(step) == once


def test_fractions_quotes_and_degrees_are_plain() -> None:
    assert normal("Add 1½ cups “milk” – at 350 degrees F…") == 'add 1 1/2 cups "milk" - at 350°f...'


def test_names_that_are_always_capitalised_stay_so() -> None:
    steps = ["Whisk in the Dijon mustard.", "Add grated Parmesan and dijon."] + ["Stir in Dijon and Parmesan now."] * 30
    text = RecipeText.learn(["Sauce"], steps, 300)
    assert text.written(text.pieces_of("sauce", ["stir in dijon and parmesan"])).steps == (
        "Stir in Dijon and Parmesan",
    )


def test_what_was_stored_is_the_same() -> None:
    again = RecipeText.restore(TEXT.stored())
    assert again.pieces_of("Pesto", ["Stir."]) == TEXT.pieces_of("Pesto", ["Stir."])
    with pytest.raises(DataError, match="damaged"):
        RecipeText.restore({"tokenizer": 3})


def test_pieces_out_of_order_are_no_error() -> None:
    assert TEXT.written([]).title == ""
    assert TEXT.written([END, TITLE]).steps == ()
    assert TEXT.written([STEP, STEP, END]).steps == ()
