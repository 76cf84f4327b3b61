"""What a swap changes is told where it is plain, and never for a food that the tables do not know."""

import pytest

from swapchef import Vocabulary
from swapchef.effects.reasons import plain_name, reasons
from swapchef.effects.tastes import clashes, effects, is_sweet_dish
from swapchef.foods.kinds import food_of, is_ingredient, kinds_apart, kinds_of
from swapchef.rankers.evidence import FEATURES
from swapchef.tables import read_table


@pytest.mark.parametrize(
    ("source", "target", "told"),
    [
        ("buttermilk", "milk", ("less sour",)),
        ("butter", "applesauce", ("sweeter", "leaner")),
        ("sugar", "honey", ("not vegan",)),
        ("olive oil", "butter", ("contains milk",)),
        ("milk", "almond milk", ("contains tree nuts",)),
        ("jalapeno pepper", "green bell pepper", ("milder",)),
        ("tofu", "chicken", ("not vegetarian",)),
        ("lemon juice", "lime juice", ()),
        ("zorblax", "quux", ()),
    ],
)
def test_it_says_what_changes(source: str, target: str, told: tuple[str, ...]) -> None:
    assert effects(source, target) == told


def test_what_would_ruin_the_dish_is_known() -> None:
    cake = ["flour", "sugar", "egg", "butter", "vanilla extract"]
    soup = ["onion", "chicken broth", "sugar", "carrot"]
    assert is_sweet_dish(cake)
    assert not is_sweet_dish(soup)
    assert is_sweet_dish(["flour", "milk", "salt"])  # a plain dough
    assert not is_sweet_dish(["flour", "egg", "onion"])
    assert not is_sweet_dish(["milk", "egg"])
    assert clashes("salt", "garlic salt", in_sweet_dish=True)
    assert not clashes("salt", "garlic salt", in_sweet_dish=False)
    assert not clashes("bacon", "ham", in_sweet_dish=True)  # a savory food may be replaced by another
    for source, target in (("salt", "sugar"), ("sugar", "salt"), ("honey", "soy sauce"), ("cayenne pepper", "honey")):
        assert clashes(source, target, in_sweet_dish=False), (source, target)
    for source, target in (("sugar", "honey"), ("salt", "soy sauce"), ("salt", "lemon juice"), ("egg", "applesauce")):
        assert not clashes(source, target, in_sweet_dish=False), (source, target)


def test_every_taste_is_of_a_food_that_exists() -> None:
    kinds = {name for row in read_table("foods/kinds.tsv") for name in (row[0], *row[1].split(", "))}
    known = set(Vocabulary.load().names) | kinds
    listed = {food for _, _, foods in read_table("effects/tastes.tsv") for food in foods.split(", ")}
    assert listed <= known, listed - known
    assert all(level in {"1", "2", "3"} for _, level, _ in read_table("effects/tastes.tsv"))


def test_no_food_has_two_levels_of_one_taste() -> None:
    pairs = [(taste, food) for taste, _, foods in read_table("effects/tastes.tsv") for food in foods.split(", ")]
    twice = {pair for pair in pairs if pairs.count(pair) > 1}
    assert not twice


def test_reasons_are_read_off_the_numbers() -> None:
    nothing = dict.fromkeys(FEATURES, 0.0)
    assert reasons("zorblax", "quux", nothing, (0, [])) == ("the closest we know",)
    counted = nothing | {"count": 2.5649493574615367}  # log of 1 + 12
    assert reasons("zorblax", "quux", counted, (12, ["vanillin", "furfural"])) == (
        "12 cooks made this swap",
        "shares 12 flavour compounds, such as vanillin and furfural",
    )
    assert reasons("zorblax", "quux", nothing | {"reverse": 0.6931471805599453}, (12, [])) == (
        "1 cook made the opposite swap",
        "shares 12 flavour compounds",
    )


@pytest.mark.parametrize("name", ["CHEBI:88903", "4674-50-4", "CID_644104", "x", "Naphthalene,_1,2,4a,5-hexahydro-"])
def test_numbers_of_registers_are_no_names(name: str) -> None:
    assert plain_name(name) == ""


def test_tools_and_vague_words_are_no_ingredients() -> None:
    for name in ("aluminum foil", "wooden skewer", "seasoning", "fat", "parchment paper", "fresh fruit"):
        assert not is_ingredient(name), name
    for name in ("rice paper", "tea bag", "wood ear mushroom", "string bean", "cinnamon stick", "water", "oil"):
        assert is_ingredient(name), name
    assert food_of("extra virgin olive oil") == "olive oil"
    assert kinds_of("butter")[0] == "butter"


@pytest.mark.parametrize(
    ("food", "other", "apart"),
    [
        ("brewed tea", "green tea", 0),
        ("brewed tea", "ice", 1),  # both are liquids, which says little
        ("shiitake mushroom", "button mushroom", 0),
        ("shiitake mushroom", "onion", 1),
        ("mussel", "clam", 0),
        ("mussel", "shrimp", 1),
        ("mozzarella cheese", "provolone cheese", 0),
        ("mozzarella cheese", "feta cheese", 1),
        ("fresh basil", "parsley", 0),
        ("fresh basil", "fresh rosemary", 1),
        ("adobo sauce", "zorblax", 2),
        ("baked meringue shell", "meringue nest", 1),  # the table knows neither, but a word is the same
        ("ginger beer", "ginger ale", 0),
        ("root beer", "coke", 0),
        ("ginger beer", "club soda", 2),
        ("margarita mix", "sour mix", 0),
        ("amaretto", "kahlua", 1),
        ("vodka", "rum", 0),
        ("orange juice", "pineapple juice", 1),
        ("cranberry juice", "pomegranate juice", 0),
        ("vanilla ice cream", "frozen yogurt", 0),
        ("vanilla ice cream", "chocolate ice cream", 1),
        ("panko breadcrumb", "breadcrumb", 0),
        ("penne", "rotini noodle", 0),
        ("penne", "spaghetti", 1),
        ("orange", "grapefruit", 0),
        ("orange", "peach", 1),
        ("peach", "nectarine", 0),
        ("watermelon", "honeydew melon", 0),
        ("apple", "pear", 0),
        ("chili powder", "taco seasoning", 0),
        ("chili powder", "cayenne pepper", 1),
        ("curry powder", "garam masala", 0),
        ("curry powder", "paprika", 1),
        ("black pepper", "white pepper", 0),
        ("black pepper", "cayenne pepper", 1),
        ("cajun seasoning", "old bay seasoning", 0),
        ("cajun seasoning", "italian seasoning", 1),
        ("puff pastry", "phyllo dough", 1),
        ("pie crust", "graham cracker crust", 1),
        ("green bean", "snow pea", 0),
        ("broccoli", "cauliflower", 0),
        ("wonton wrapper", "egg roll wrap", 0),
        ("lime", "lime juice", 0),
    ],
)
def test_kinds_tell_how_near_two_foods_are(food: str, other: str, apart: int) -> None:
    assert kinds_apart(food, other) == apart
