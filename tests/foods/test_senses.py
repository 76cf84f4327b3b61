"""Whether a word names a food where it stands; each sentence is labelled by hand."""

from collections.abc import Callable, Sequence

import pytest

from swapchef.foods import senses
from swapchef.foods.names import name_words
from swapchef.foods.words import Word, words_of
from swapchef.tables import read_table


def holds(sense: Callable[[Sequence[Word], int], bool], text: str, word: str) -> list[bool]:
    """Return what a sense says of each place of a word in a text."""
    words = words_of(text)
    return [sense(words, place) for place, each in enumerate(words) if each.text == word]


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("Butter the pan.", "butter", [True]),
        ("Butter, then the pan.", "butter", [False]),
        ("Melt the butter in it.", "butter", [False]),
        ("Melt butter the slow way.", "butter", [False]),
        ("Melt. Butter a dish", "butter", [True]),
        ("Lightly butter 2 ramekins", "butter", [False]),
        ("Lightly butter ramekins", "butter", [True]),
        ("Grease and flour a dish", "flour", [True]),
        ("Mix sugar and flour well", "flour", [False]),
        ("then flour well", "flour", [True]),
        ("Butter and flour the pan", "butter", [True]),
        ("Butter and flour the pan", "flour", [True]),
        ("Butter and flour are mixed", "butter", [False]),
        ("Butter and", "butter", [False]),
        ("Butter and the pan", "butter", [False]),
        ("Salt and pepper the steak", "salt", [True]),
        ("Butter", "butter", [False]),
        ("Cream butter until light", "cream", [True]),
        ("Cream cheese goes in", "cream", [False]),
        ("Carrot the pan", "carrot", [False]),
        ("Juice the lemons", "juice", [True]),
        ("Water or stock the pot", "stock", [True]),
    ],
)
def test_verbs(text: str, word: str, expected: list[bool]) -> None:
    assert holds(senses.is_verb, text, word) == expected


def test_verbs_that_are_done_with_their_food() -> None:
    assert senses.is_done_with_food("butter")
    assert not senses.is_done_with_food("juice")
    assert not senses.is_done_with_food("carrot")


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("Roast it for an hour", "roast", True),
        ("Slice the roast", "roast", False),
        ("Cook. The. Roast", "roast", True),
        ("the, roast", "roast", True),
        ("until tender", "tender", True),
        ("Put each chop on a plate", "chop", False),
        ("then chop finely", "chop", True),
        ("then beef finely", "beef", False),
    ],
)
def test_cuts_and_deeds(text: str, word: str, expected: bool) -> None:
    assert holds(senses.is_deed, text, word) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stir in the water", [False]),
        ("Bring a large pot of lightly salted water to a boil", [True]),
        ("Bring a pot of water to a boil", [True]),
        ("Heat 1 cup of water", [False]),
        ("Rinse under cold running water", [True]),
        ("running very cold water", [False]),
        ("Fill a pan with hot water", [True]),
        ("Add hot water, then fill", [False]),
        ("Set it in a water bath", [True]),
        ("Add water. Bath time", [False]),
        ("Boil a pot of water. Add pasta to the water.", [True, True]),
        ("Add water. Stir the water.", [False, False]),
        ("Boil a pot of water. Add cold water.", [True, False]),
        ("Take the pot. Of water", [False]),
        ("a pot of very very very very cold water", [False]),  # too far to tell
        ("a pot of very very cold water", [True]),
        ("of a pot water", [False]),
        ("water", [False]),
    ],
)
def test_water_of_the_list_and_of_the_tap(text: str, expected: list[bool]) -> None:
    assert holds(senses.is_from_the_tap, text, "water") == expected


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("Cut the tops off the peppers", "peppers", True),
        ("Top each pepper", "pepper", True),
        ("Add pepper", "pepper", False),
        ("pepper", "pepper", False),
        ("each. Pepper", "pepper", False),
    ],
)
def test_pepper_the_vegetable(text: str, word: str, expected: bool) -> None:
    assert holds(senses.is_pepper_vegetable, text, word) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("salt and pepper", True),
        ("salt and freshly ground pepper", True),
        ("salt, cumin, and freshly ground pepper", False),
        ("pepper and salt", False),
        ("pepper", False),
    ],
)
def test_pepper_after_salt(text: str, expected: bool) -> None:
    assert holds(senses.follows_salt, text, "pepper") == [expected]


def test_what_only_tastes_of_a_food() -> None:
    assert holds(senses.only_tastes_of_it, "butter extract", "butter") == [True]
    assert holds(senses.only_tastes_of_it, "butter, extract", "butter") == [False]
    assert holds(senses.only_tastes_of_it, "butter sauce", "butter") == [False]
    assert holds(senses.only_tastes_of_it, "the butter", "butter") == [False]


def test_juices_that_run_clear() -> None:
    assert holds(senses.is_meat_juice, "until the juices run clear", "juices") == [True]
    assert holds(senses.is_meat_juice, "add the juice", "juice") == [False]


@pytest.mark.parametrize(
    ("text", "is_deed"),
    [
        ("Cream the sugar.", True),
        ("Cream together butter and eggs.", True),
        ("Cream together with the eggs.", False),
        ("Cream together", True),
        ("Cream butter and sugar", True),
        ("Cream softened unsalted butter", True),
        ("Cream very soft unsalted butter", False),
        ("Cream of wheat sugar", False),
        ("Cream, butter", False),
        ("Cream and sugar", False),
        ("Cream", False),
        ("Whisk eggs and cream together.", False),
        ("Stir; cream the butter", True),
        ("In a large bowl, cream butter", True),
        ("In a cup, cream butter", False),
        (", cream butter", False),
        ("In a bowl cream butter", False),
        ("Crème fraîche. Cream the sugar", True),
    ],
)
def test_creaming_needs_no_cream(text: str, is_deed: bool) -> None:
    assert senses.is_creaming(name_words(text), name_words(text).index("cream")) is is_deed


def test_the_lists_are_of_single_words_and_none_is_empty() -> None:
    rows = read_table("foods/senses.tsv")
    assert len({(name, words) for name, words in rows}) == len(rows)
    assert all(words.split() for _, words in rows)
    assert {"dough", "pie", "cookie"} <= senses.words_listed("baked dish")
