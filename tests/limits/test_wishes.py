"""Whatever is shown to a cook keeps to what the cook asked for."""

import pytest

from swapchef import SwapchefError, Vocabulary, Wishes
from swapchef.limits.wishes import Limits


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


def limits(vocabulary: Vocabulary, diet: str = "", avoid: str = "") -> Limits:
    return Limits.of(Wishes(diet=[diet] if diet else [], avoid=[avoid] if avoid else []), vocabulary)


def test_the_worst_of_all_limits_counts(vocabulary: Vocabulary) -> None:
    both = Limits.of(Wishes(diet=["gluten", "vegan"], avoid=["ginger"]), vocabulary)
    assert both.judge("rice").status == "safe"
    assert both.judge("butter").status == "unsafe"
    assert both.judge("gingersnap").status == "unsafe"
    assert both.judge("zorblax").status == "unknown"


def test_what_surely_contains_it_is_told_before_what_may(vocabulary: Vocabulary) -> None:
    found = limits(vocabulary, "milk, egg").judge("mayonnaise and butter")
    assert (found.status, found.may_contain) == ("unsafe", False)


def test_an_avoided_food_may_be_an_allergen_or_any_food(vocabulary: Vocabulary) -> None:
    assert limits(vocabulary, avoid="nuts").facets == ("tree_nuts", "peanut")
    assert limits(vocabulary, avoid="aplesauce").foods == ("aplesauce", "applesauce")
    with pytest.raises(SwapchefError, match="qqqqzz"):
        limits(vocabulary, avoid="qqqqzz")


def test_without_wishes_there_are_no_limits(vocabulary: Vocabulary) -> None:
    assert not Limits.of(Wishes(), vocabulary)
    assert Limits().permitted("Thin it with milk.") == "Thin it with milk."


@pytest.mark.parametrize(
    ("note", "left"),
    [
        ("Thin it with 1/2 cup milk or water.", ""),
        ("Beat smooth with 1/2 cup milk. Chill it.", "Chill it."),
        ("Richer; add 1 tablespoon lemon juice.", "Richer; add 1 tablespoon lemon juice."),
        ("Add a pinch of salt; brush it with butter.", "Add a pinch of salt."),
        ("Use coconut milk for a richer taste.", "Use coconut milk for a richer taste."),
    ],
)
def test_a_note_never_names_what_is_forbidden(vocabulary: Vocabulary, note: str, left: str) -> None:
    assert limits(vocabulary, "vegan").permitted(note) == left
