"""What cooks call a diet or an allergen becomes facets, and a word that nobody knows is never ignored."""

import pytest

from swapchef.errors import UnknownNameError
from swapchef.limits.facets import FACETS, FORBIDDEN, close_facets, facets_meant, facets_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nuts", ("tree_nuts", "peanut")),
        ("tree nuts", ("tree_nuts",)),
        ("shellfish", ("crustaceans", "molluscs")),
        ("dairy", ("milk",)),
        ("dairy-free", ("milk",)),
        ("Gluten-Free", ("gluten",)),
        ("no pork", ("no_pork",)),
        ("sulfites", ("sulphites",)),
        ("vegan, nut-free", ("vegan", "tree_nuts", "peanut")),
        ("milk and dairy", ("milk",)),
    ],
)
def test_cooks_words_become_facets(text: str, expected: tuple[str, ...]) -> None:
    assert facets_of(text) == expected


def test_the_lists_of_the_law() -> None:
    assert len(facets_of("big-nine")) == 9
    assert len(facets_of("eu-fourteen")) == 14
    assert facets_of("big9") == facets_of("big nine")
    assert facets_of("eu14") == facets_of("EU 14")


def test_every_facet_is_its_own_word() -> None:
    for facet in FACETS:
        assert facets_of(facet) == (facet,)


@pytest.mark.parametrize(("text", "hint"), [("vegn", "vegan"), ("glutn", "gluten"), ("crustacean soup", "crustaceans")])
def test_a_misspelt_facet_is_never_ignored(text: str, hint: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        facets_of(text)
    assert hint in str(caught.value)


@pytest.mark.parametrize("text", ["halal", "kosher", "Halal food"])
def test_halal_and_kosher_are_not_pretended(text: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        facets_of(text)
    assert "no_pork" in str(caught.value)


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ("nut free", ("tree_nuts", "peanut")),
        ("no nuts", ("tree_nuts", "peanut")),
        ("no pork", ("no_pork",)),
        ("pork", ("no_pork",)),
        ("alcohol-free", ("no_alcohol",)),
        ("Coeliac", ("gluten",)),
        ("soya", ("soy",)),
        ("meat", ("vegetarian",)),
        ("seafood", ("fish", "crustaceans", "molluscs")),
        ("ginger", ()),
        ("ginger nuts", ()),
        ("free", ()),
        ("no", ()),
        ("", ()),
    ],
)
def test_one_wish(wish: str, expected: tuple[str, ...]) -> None:
    assert facets_meant(wish) == expected


def test_several_wishes_in_one_text() -> None:
    assert facets_of("vegan; nuts + soy & egg and milk") == ("vegan", "tree_nuts", "peanut", "soy", "egg", "milk")
    with pytest.raises(UnknownNameError, match="brandy"):
        facets_of("vegan, brandy")  # it has an "and" in it, and is one word
    with pytest.raises(UnknownNameError):
        facets_of("")
    with pytest.raises(UnknownNameError):
        facets_of(" , ")


def test_what_each_facet_forbids() -> None:
    assert set(FORBIDDEN) == set(FACETS)
    assert FORBIDDEN["milk"] == ("milk",)
    assert {"honey", "egg", "milk", "meat", "fish", "molluscs", "finings"} <= set(FORBIDDEN["vegan"])
    assert set(FORBIDDEN["vegan"]) - set(FORBIDDEN["vegetarian"]) == {"milk", "egg", "honey"}
    assert set(FORBIDDEN["vegetarian"]) - set(FORBIDDEN["pescatarian"]) == {
        "fish",
        "crustaceans",
        "molluscs",
        "finings",
    }
    assert FORBIDDEN["no_pork"] == ("pork",)
    assert FORBIDDEN["no_alcohol"] == ("alcohol",)


def test_the_allergens_of_the_law_are_those_of_the_law() -> None:
    assert set(facets_of("big 9")) == {
        "milk", "egg", "fish", "crustaceans", "tree_nuts", "peanut", "gluten", "soy", "sesame",
    }  # fmt: skip
    diets = {"vegan", "vegetarian", "pescatarian", "no_pork", "no_alcohol"}
    assert set(facets_of("eu 14")) == set(FACETS) - diets


def test_close_words() -> None:
    assert close_facets("dairy") == ["milk"]
    assert "gluten" in close_facets(" Glutn ")
    assert len(close_facets("lupine bean")) <= 3
    assert close_facets("qqqq") == []
