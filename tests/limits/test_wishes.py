"""Whatever is shown to a cook keeps to what the cook asked for."""

from dataclasses import FrozenInstanceError

import pytest

from swapchef import SwapchefError, Vocabulary, Wishes
from swapchef.limits.wishes import NO_WISHES, Judgement, Limits


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


def limits(vocabulary: Vocabulary, diet: str = "", avoid: str = "") -> Limits:
    return Limits.of(Wishes(diet=[diet] if diet else [], avoid=[avoid] if avoid else []), vocabulary)


def test_the_worst_of_all_limits_counts(vocabulary: Vocabulary) -> None:
    both = Limits.of(Wishes(diet=["gluten", "vegan"], avoid=["ginger"]), vocabulary)
    assert both.judge("rice") == Judgement("safe")
    assert both.judge("butter") == Judgement("unsafe", "butter contains milk", food="butter")
    assert both.judge("gingersnap").status == "unsafe"
    assert both.judge("zorblax") == Judgement("unknown", "I do not know 'zorblax'")


@pytest.mark.parametrize("facets", [("tree_nuts", "milk"), ("milk", "tree_nuts")])
def test_what_surely_contains_it_overrules_what_may(facets: tuple[str, ...]) -> None:
    """Mayonnaise may contain many things; granola with milk surely contains milk."""
    judgement = Limits(facets).judge("granola bar and butter")
    assert judgement == Judgement("unsafe", "butter contains milk", may_contain=False, food="butter")


@pytest.mark.parametrize("facets", [("milk", "egg"), ("egg", "milk")])
def test_the_first_of_two_sure_reasons_is_given(facets: tuple[str, ...]) -> None:
    assert facets[0] in Limits(facets).judge("egg and butter").rule


def test_the_first_of_two_doubts_is_given_and_a_reason_overrules_it() -> None:
    doubt = Limits(("gluten", "mustard")).judge("spice mix")
    assert (doubt.status, "gluten" in doubt.rule) == ("unknown", True)
    assert Limits(("gluten", "tree_nuts")).judge("spice mix and almonds").status == "unsafe"
    assert Limits(("tree_nuts", "gluten")).judge("spice mix and almonds").status == "unsafe"


def test_may_contain_is_told() -> None:
    judgement = Limits(("tree_nuts",)).judge("granola bar")
    assert (judgement.status, judgement.may_contain, judgement.food) == ("unsafe", True, "granola bar")


def test_an_avoided_food_is_named() -> None:
    assert Limits(foods=("ginger",)).judge("gingersnaps") == Judgement(
        "unsafe", "it is ginger or has ginger in it", food="ginger"
    )
    assert Limits(("milk",), ("ginger",)).judge("butter").rule == "butter contains milk"
    assert Limits(("milk",), ("butter",)).judge("butter").food == "butter"


def test_an_avoided_food_may_be_an_allergen_or_any_food(vocabulary: Vocabulary) -> None:
    assert limits(vocabulary, avoid="nuts").facets == ("tree_nuts", "peanut")
    assert limits(vocabulary, avoid="ginger") == Limits((), ("ginger",))
    assert limits(vocabulary, avoid="aplesauce").foods == ("aplesauce", "applesauce")
    with pytest.raises(SwapchefError, match="qqqqzz"):
        limits(vocabulary, avoid="qqqqzz")


def test_no_limit_stands_twice(vocabulary: Vocabulary) -> None:
    wishes = Wishes(diet=["nuts", "peanut", "vegan"], avoid=["nuts", "ginger", "ginger"])
    assert Limits.of(wishes, vocabulary) == Limits(("tree_nuts", "peanut", "vegan"), ("ginger",))


def test_without_wishes_there_are_no_limits(vocabulary: Vocabulary) -> None:
    assert not Limits.of(Wishes(), vocabulary)
    assert Limits(("milk",))
    assert Limits(foods=("ginger",))
    assert Limits().permitted("Thin it with milk.") == "Thin it with milk."


@pytest.mark.parametrize(("value", "field"), [(NO_WISHES, "diet"), (Limits(), "facets"), (Judgement("safe"), "status")])
def test_values_cannot_be_changed(value: object, field: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(value, field, ())


def test_which_wishes_limit() -> None:
    assert not NO_WISHES.limit
    assert not Wishes(have=["milk"], unknown=True).limit
    assert Wishes(diet=["vegan"]).limit
    assert Wishes(avoid=["ginger"]).limit
    assert NO_WISHES.have is None
    assert not NO_WISHES.unknown


@pytest.mark.parametrize(
    ("note", "left"),
    [
        ("Thin it with 1/2 cup milk or water.", ""),
        ("Beat smooth with 1/2 cup milk. Chill it.", "Chill it."),
        ("Richer; add 1 tablespoon lemon juice.", "Richer; add 1 tablespoon lemon juice."),
        ("Add a pinch of salt; brush it with butter.", "Add a pinch of salt."),
        ("Use coconut milk for a richer taste.", "Use coconut milk for a richer taste."),
        ("Zorblax it", "Zorblax it"),
        ("", ""),
    ],
)
def test_a_note_never_names_what_is_forbidden(vocabulary: Vocabulary, note: str, left: str) -> None:
    assert limits(vocabulary, "vegan").permitted(note) == left
