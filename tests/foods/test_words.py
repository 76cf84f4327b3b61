"""Words are cut, folded and made singular in one way; the answers are an English cook's, written by hand."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swapchef.en import nouns
from swapchef.en.nouns import (
    article,
    capitalized,
    comes_in_many,
    in_a_row,
    in_title_case,
    is_counted,
    many_of,
    one_of,
    plural,
    singular,
    spelled,
)
from swapchef.foods.words import Token, fold, stem, stems_in, tokens_of, words_of
from swapchef.tables import read_table

# As a cook writes them, one and many.
PAIRS = """
almond almonds, anchovy anchovies, apple apples, apricot apricots, artichoke artichokes, avocado avocados, axe axes,
bagel bagels, banana bananas, bean beans, beet beets, berry berries, biscuit biscuits, blackberry blackberries,
blintz blintzes, bowl bowls, box boxes, bread breads, breast breasts, brioche brioches, brownie brownies, brush brushes,
bunch bunches, bun buns, cactus cactuses, cake cakes, calf calves, calorie calories, candy candies, caper capers,
carcass carcasses, carrot carrots, cashew cashews, cheese cheeses, cherry cherries, chickpea chickpeas, chile chiles,
chili chilies, chilli chillies, chive chives, clove cloves, cookie cookies, cranberry cranberries, crepe crepes,
crouton croutons, cup cups, curry curries, date dates, dish dishes, dove doves, egg eggs, eggplant eggplants,
endive endives, fig figs, fillet fillets, foot feet, fungus fungi, ganache ganaches, glass glasses, goose geese,
grape grapes, half halves, hash hashes, herb herbs, hoagie hoagies, hoof hooves, house houses, juice juices,
kiwi kiwis, knife knives, leaf leaves, leek leeks, lemon lemons, lentil lentils, lime limes, loaf loaves,
mango mangos, matzo matzos, meatloaf meatloaves, menu menus, mousse mousses, mushroom mushrooms, octopus octopuses,
olive olives, onion onions, orange oranges, ox oxen, oyster oysters, patty patties, pea peas, peach peaches, pear pears,
pie pies, piece pieces, pierogi pierogies, pizza pizzas, plum plums, potato potatoes, potpie potpies, pretzel pretzels,
prune prunes, quiche quiches, radish radishes, raisin raisins, raspberry raspberries, roe roes, rose roses,
sandwich sandwiches, sauce sauces, scone scones, shelf shelves, shoe shoes, slice slices, sloe sloes,
smoothie smoothies, spice spices, squash squashes, steak steaks, strawberry strawberries, taco tacos, tamale tamales,
tax taxes, tofu tofus, tomato tomatoes, tooth teeth, tortilla tortillas, tray trays, turkey turkeys, veggie veggies,
waffle waffles, walnut walnuts, wedge wedges, whiskey whiskeys, wolf wolves, yolk yolks
"""
ONE_AND_MANY = [tuple(pair.split()) for pair in PAIRS.replace("\n", " ").split(",")]


def test_there_are_many_pairs() -> None:
    assert len(set(ONE_AND_MANY)) >= 120


@pytest.mark.parametrize(("one", "many"), ONE_AND_MANY)
def test_one_and_many(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one
    assert singular(one) == one


@pytest.mark.parametrize(
    ("form", "one"),
    [("mangoes", "mango"), ("avocadoes", "avocado"), ("octopi", "octopus"), ("cacti", "cactus"), ("cooky", "cookie"),
     ("candie", "candy"), ("pattie", "patty"), ("tomatoe", "tomato"), ("blackberrie", "blackberry"),
     ("pierogis", "pierogi"), ("zucchinis", "zucchini"), ("chilis", "chili"), ("funguses", "fungus"),
     ("citruses", "citrus"), ("crocuses", "crocus"), ("fuses", "fuse"), ("causes", "cause"), ("fizzes", "fizz"),
     ("ties", "tie"), ("minis", "mini"), ("chais", "chai"), ("chartreuses", "chartreuse"), ("brussel", "brussels")],
)  # fmt: skip
def test_other_forms_of_a_word(form: str, one: str) -> None:
    assert singular(form) == one


@pytest.mark.parametrize(
    "word",
    "molasses hummus couscous asparagus swiss brussels watercress citrus haggis cassis coulis chablis pastis schnapps"
    " calvados madras gras this series bass grass plus delicious octopus less gas bus is us pois beaujolais".split(),
)
def test_what_only_looks_like_a_plural_stays(word: str) -> None:
    assert singular(word) == word


def test_every_counted_noun_comes_back_from_its_plural() -> None:
    for noun in nouns._COUNTED:
        assert singular(plural(noun)) == noun


def test_every_row_of_the_table_comes_back_from_its_plural() -> None:
    rows = read_table("en/nouns.tsv")
    assert [row[0] for row in rows if singular(plural(row[0])) != row[0]] == []
    forms = [form for one, many, also in rows for form in {one, many, *filter(None, also.split(", "))}]
    assert len(forms) == len(set(forms))


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", max_size=12))
def test_any_word_has_a_singular_that_is_no_longer(word: str) -> None:
    assert len(singular(word)) <= len(word) + 1  # "geese" -> "goose", "mice" -> "mouse"
    assert bool(singular(word)) == bool(word)


@pytest.mark.parametrize(
    ("name", "one", "many"),
    [
        ("bay leaf", "bay leaf", "bay leaves"),
        ("red lentil", "red lentil", "red lentils"),
        ("eggs", "egg", "eggs"),
        ("butter", "butter", "butter"),
        ("black pepper", "black pepper", "black pepper"),
        ("red bell pepper", "red bell pepper", "red bell peppers"),
        ("red pepper", "red pepper", "red peppers"),
        ("cream of tartar", "cream of tartar", "cream of tartar"),
        ("zucchini", "zucchini", "zucchini"),
        ("oreo cooky", "oreo cooky", "oreo cookies"),
    ],
)
def test_one_and_many_of_a_food(name: str, one: str, many: str) -> None:
    assert one_of(name) == one
    assert many_of(name) == many


def test_what_is_counted_and_what_comes_in_many() -> None:
    assert is_counted("onion")
    assert not comes_in_many("onion")
    assert comes_in_many("green lentils")
    assert not is_counted("flour")
    assert not comes_in_many("flour")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("egg", "an"), ("onion", "an"), ("unit", "a"), ("hour", "an"), ("herb", "an"), ("herby sauce", "a"), ("cup", "a"),
     ("one-pot meal", "a"), ("Apple", "an")],
)  # fmt: skip
def test_a_or_an(text: str, expected: str) -> None:
    assert article(text) == expected


def test_capitals_and_rows() -> None:
    assert capitalized("bBQ sauce") == "BBQ sauce"
    assert capitalized("") == ""
    assert in_title_case("the cream of the crop") == "The Cream of the Crop"
    assert in_a_row(["salt"]) == "salt"
    assert in_a_row(["salt", "pepper"]) == "salt and pepper"
    assert in_a_row(["salt", "pepper", "oil"], "or") == "salt, pepper or oil"
    assert spelled("half and half with monterey jack") == "half-and-half with Monterey Jack"
    assert spelled("allspice") == "allspice"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Crème Brûlée", "creme brulee"),
        ("JALAPEÑO", "jalapeno"),
        ("e\u0301", "e"),
        ("bœuf", "boeuf"),
        ("ﬁg", "fig"),
        ("½", "1 2"),
        ("Jell-O®", "jell-o"),
        ("Goat’s", "goat's"),
        ("goat`s", "goat's"),
        ("İzmir", "izmir"),
    ],
)
def test_letters_are_folded(text: str, expected: str) -> None:
    assert fold(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2% Milk, chilled", ["2%", "milk", ",", "chilled"]),
        ("confectioners' sugar", ["confectioners", "'", "sugar"]),
        ("Reese’s cups", ["reeses", "cups"]),
        ("all-purpose_flour", ["all", "-", "purpose", "flour"]),
        ("7UP & ice", ["7up", "&", "ice"]),
        ("🥜 oil", ["🥜", "oil"]),
        ("", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert [token.text for token in tokens_of(text)] == expected


def test_a_token_knows_its_place_in_the_text_itself() -> None:
    text = "Add ½ cup crème fraîche™, ﬁgs"
    places = {token.text: text[token.start : token.end] for token in tokens_of(text)}
    assert places["creme"] == "crème"
    assert places["fraiche"] == "fraîche"
    assert places["figs"] == "ﬁgs"
    assert tokens_of("ab, c") == [Token("ab", 0, 2), Token(",", 2, 3), Token("c", 4, 5)]


@given(st.text(max_size=40))
def test_tokens_of_any_text_are_in_order_and_cover_its_letters(text: str) -> None:
    tokens = tokens_of(text)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert all(one.start <= two.start and one.end <= two.end for one, two in itertools.pairwise(tokens))
    covered = "".join(text[token.start : token.end] for token in tokens)
    assert [letter for letter in text if letter.isascii() and letter.isalnum()] == [
        letter for letter in covered if letter.isascii() and letter.isalnum()
    ]


def test_marks_are_no_words() -> None:
    words, marks = tokens_of("fig, 2% & 🥜")[:3], tokens_of(", & 🥜")
    assert [token.is_word for token in words] == [True, False, True]
    assert not any(token.is_word for token in marks)


def test_words_of_running_text() -> None:
    words = words_of("Stir in 2 cups all-purpose flour, bakers' chocolate & half & half; 100g 2% milk")
    assert [word.text for word in words] == (
        "stir in cups all purpose flour bakers chocolate half half 100g 2% milk".split()
    )
    joined = {word.text for word in words if word.is_joined}
    assert joined == {"stir", "cups", "all", "purpose", "bakers", "chocolate", "half", "100g", "2%"}
    assert not words[-4].is_joined  # the second "half": a semicolon follows
    assert not words[-1].is_joined


def test_a_word_knows_whether_it_is_many() -> None:
    assert [word.is_many for word in words_of("chile chiles molasses leaves")] == [False, True, False, True]


@pytest.mark.parametrize(
    ("one", "other"),
    [("chile", "chilies"), ("chilli", "chili"), ("yoghurts", "yogurt"), ("cooky", "cookies"), ("catsup", "ketchup"),
     ("doughnuts", "donut"), ("parmesean", "parmesan"), ("flavouring", "flavor"), ("calves", "calf")],
)  # fmt: skip
def test_words_with_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(
    ("one", "other"), [("pie", "pi"), ("bass", "bas"), ("corn", "cork"), ("brie", "bry"), ("smoky", "smokie")]
)
def test_words_with_two_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_stems_in_a_name() -> None:
    assert stems_in("2 Goat's cheeses, 2% fat") == ("goat", "cheese", "2%", "fat")


def test_every_spelling_is_a_word_in_the_singular_that_no_other_row_respells() -> None:
    rows = dict(read_table("en/spellings.tsv"))
    assert all(singular(word) == word for row in rows.items() for word in row)
    assert not set(rows) & set(rows.values())
