"""The words of a name: marks that part it, dashes that end it, slashes between alternatives and in fractions."""

import pytest

from swapchef.foods.names import name_words
from swapchef.foods.reading import read_text
from swapchef.limits.promises import promised_facets


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1/2 cup milk", ["1", ",", "2", "cup", "milk"]),
        ("salt/pepper", ["salt", "or", "pepper"]),
        ("2/milk", ["2", "or", "milk"]),
        ("milk/2", ["milk", "or", "2"]),
        ("all-purpose flour", ["all", "purpose", "flour"]),
        ("spread - butter", ["spread", "-", "butter"]),
        ("spread -butter", ["spread", "butter"]),
        ("- butter", ["-", "butter"]),
        ("butter | oil", ["butter", "-", "oil"]),
        ("salt & pepper", ["salt", "and", "pepper"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert name_words(text) == words


def test_a_running_text_names_foods_cuts_and_qualities() -> None:
    spans = read_text("cover the breaded wings in oil").spans
    assert [(span.food, span.row.role) for span in spans] == [("breaded", "quality"), ("wings", "cut"), ("oil", "food")]


@pytest.mark.parametrize(
    ("title", "facets"),
    [
        ("Dairy-free cake", {"milk", "vegetarian"}),
        ("Non-dairy cake", {"milk", "vegetarian"}),
        ("Flourless cake", {"gluten", "vegetarian"}),
        ("Eggless cake", {"egg", "vegetarian"}),
        ("Nut-free cake", {"tree_nuts", "vegetarian"}),
        ("Virgin mojito", {"no_alcohol", "vegetarian"}),
        ("Cake with virgin olive oil", {"vegetarian"}),
        ("Meatless loaf", {"vegetarian"}),
        ("Plant-based chops", {"vegan", "vegetarian"}),
        ("Pork chops", set()),
    ],
)
def test_promises(title: str, facets: set[str]) -> None:
    assert set(promised_facets(title, ["sugar"])) == facets
