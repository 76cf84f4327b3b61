"""Swaps as a person writes them: which food, which lines, what comes, and what is refused."""

import pytest

from swapchef.editing.editor import Swap, apply_swaps
from swapchef.errors import SwapchefError
from tests.editing.kitchen import VOCABULARY, edit, lines_of, notes_of, recipe


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
