"""How names are read: parts, claims and their reach, cuts and the plants that have them, qualities, dishes."""

import pytest

from swapchef.foods.reading import read_name, read_text


def contents(name: str) -> dict[str, int]:
    return {content: trace.level for content, trace in read_name(name).contents.items()}


@pytest.mark.parametrize(
    ("name", "content", "level"),
    [
        ("butter", "milk", 3),
        ("plain or gluten-free flour", "gluten", 3),  # the noun is inherited, the claim is not
        ("gluten-free or plain flour", "gluten", 3),
        ("gluten-free flour", "gluten", 0),
        ("vegan and gluten-free flour", "gluten", 0),  # both claims are about one food
        ("whole or dairy-free milk", "milk", 3),
        ("dairy-free milk", "milk", 0),
        ("vegan butter", "milk", 0),
        ("vegan or regular butter", "milk", 3),
        ("dairy-free spread - butter", "milk", 3),  # a claim ends at a dash
        ("dairy-free spread – butter", "milk", 3),
        ("dairy-free spread • butter", "milk", 3),
        ("eggs free range", "egg", 3),  # "egg free" is cut by "free range"
        ("egg free noodles", "egg", 0),
        ("egg free if possible noodles", "egg", 3),
        ("vegan if desired cheese", "milk", 3),
        ("preferably vegan cheese", "milk", 3),
        ("vegan cheese, if you like", "milk", 0),  # the condition stands in another part
        ("lemon pepper wings", "meat", 3),
        ("cauliflower wings", "meat", 0),
        ("artichoke hearts", "meat", 0),
        ("lemon hearts", "meat", 3),
        ("hearts of palm", "meat", 0),
        ("hearts of romaine", "meat", 0),
        ("hearts with palm", "meat", 3),  # not of it
        ("artichoke and lemon hearts", "meat", 3),  # the nearest plant counts
        ("chicken breast", "pork", 0),
        ("breaded fillets", "fish", 2),
        ("breaded fillets", "gluten", 3),
        ("salmon fillets", "pork", 0),
        ("shrimp, tails removed", "pork", 0),  # the tails of the shrimp before
        ("tails removed, shrimp", "pork", 2),
        ("vegan wings", "meat", 0),
        ("apple crumble pieces", "meat", 0),
        ("papaya crisp", "gluten", 2),
        ("crisp papaya", "gluten", 0),
        ("pork-free salami", "meat", 2),
        ("pork-free salami", "pork", 0),
        ("beef gelatin", "pork", 0),
        ("gelatin", "pork", 2),
        ("marshmallow creme", "pork", 1),  # as sure as the gelatin is
        ("salt/butter", "milk", 3),
        ("1/2 cup butter", "milk", 3),
    ],
)
def test_what_a_name_contains(name: str, content: str, level: int) -> None:
    assert contents(name).get(content, 0) == level


@pytest.mark.parametrize(
    ("line", "content", "level"),
    [
        # alternatives: the head is inherited, the claim is not
        ("1 cup skimmed or rice milk", "milk", 3),
        ("1 cup skimmed, semi-skimmed or rice milk", "milk", 3),
        ("500 ml semi-skimmed/oat milk", "milk", 3),
        ("500 ml almond or oat milk", "milk", 0),
        ("low-salt or gluten-free tamari", "gluten", 1),  # tamari itself leaves it open
        ("2 tbsp light or gluten-free soy sauce", "gluten", 3),
        ("plain, wholemeal or gluten-free flour", "gluten", 3),
        ("200 g vegan or ordinary cream cheese", "milk", 3),
        ("200 g vegan and ordinary cream cheese", "milk", 3),
        ("200 g vegan and organic cream cheese", "milk", 0),
        ("200 g vegan, organic cream cheese", "milk", 0),
        ("melted or softened vegan butter", "milk", 0),  # one product, twice described
        ("vegan butter, melted or softened", "milk", 0),
        ("vegan butter or regular", "milk", 3),
        ("streaky or turkey bacon", "pork", 3),
        ("raspberry or coconut yoghurt", "milk", 3),
        ("peanut or almond butter", "peanut", 3),
        ("tahini or almond butter", "milk", 0),
        ("red or white wine vinegar", "gluten", 0),
        ("1/3 cup (3 oz/80 g) tofu", "milk", 0),
        # a claim binds one food
        ("vegan sausage cheddar roll", "milk", 3),
        ("quarter vegan cheese quarter cheese", "milk", 3),
        ("nut-free cookie almond icing", "tree_nuts", 3),
        ("nut-free cookie almond", "tree_nuts", 3),  # nothing is said to take the place of a nut
        ("dairy-free chocolate cake", "milk", 0),
        ("vegan 200 g cheddar", "milk", 0),
        ("dairy-free coconut ice cream", "milk", 0),
        ("gluten-free all-purpose flour", "gluten", 0),
        ("cheddar (vegan)", "milk", 0),
        ("cheddar, dairy-free", "milk", 0),
        ("cheddar - plant-based", "milk", 0),
        ("ham and cheddar (vegan)", "pork", 3),
        ("cheddar (or vegan)", "milk", 3),
        ("cheddar, vegan or not", "milk", 3),
        ("cheddar (can be vegan)", "milk", 3),
        ("cheddar (vegan ones melt less)", "milk", 3),
        ("non-vegan butter", "milk", 3),
        ("not vegan butter", "milk", 3),
        ("vegan (optional) cheddar", "milk", 3),
        ("vegan cheddar (optional)", "milk", 0),
        ("cheddar, ideally vegan", "milk", 3),
        ("vegan spread, butter 20 g", "milk", 3),
        ("vegan\nbutter", "milk", 3),  # a line ends a claim
        # what is not in it
        ("margarine instead of butter", "milk", 2),
        ("rice, no butter or cheese", "milk", 0),
        ("mayonnaise without egg", "egg", 2),  # that there is none the name does not promise
        ("walnut-sized knob of ginger", "tree_nuts", 0),
        ("ginger the size of a large egg", "egg", 0),
        ("2 lemons, juiced with a garlic press", "milk", 0),
        ("pastry cut with a cookie cutter", "milk", 2),
        ("1 cheese board", "milk", 3),
        ("oil as well as butter", "milk", 3),
        ("an equal weight of butter", "milk", 3),
        ("a piece the size of an egg of butter", "milk", 3),
        ("ginger the size of an egg butter", "milk", 3),  # the size is told by the egg
        ("potatoes, no bigger than an egg", "egg", 0),
        ("tofu and 1 tuna tin", "fish", 3),  # a tin of it
        ("rice and 1 tuna casserole", "fish", 3),
        # the same food again
        ("6 oz turkey, meat shredded", "pork", 0),
        ("egg noodles", "gluten", 3),  # noodles are general, and no egg
        ("2 (1 ounce) squares tofu", "milk", 0),
        ("2 squares", "milk", 1),
        ("kale, cut into squares", "milk", 0),
        ("sour cream, for topping", "peanut", 0),
    ],
)
def test_what_a_line_contains(line: str, content: str, level: int) -> None:
    assert contents(line).get(content, 0) == level


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("cucumber, with kaju", "kaju"),
        ("rice topped with mentaiko", "mentaiko"),
        ("Garnish: zorblax", "zorblax"),
        ("green papaya (and hae bee)", "hae"),
        ("peaches with Carnation", "carnation"),
        ("fish fingers in crumb", "crumb"),
        ("vegan cheddar or Kraft", "kraft"),
        ("golf salsa", "golf"),  # a cooking word that makes another food of it
        ("Easter carrots", "easter"),
        ("spiralized zorblax", "zorblax"),
        ("beet zorblaxed with ginger", "zorblaxed"),  # in the very name
    ],
)
def test_what_nobody_knows_is_a_doubt_wherever_it_stands(line: str, word: str) -> None:
    assert word in read_name(line).doubt


@pytest.mark.parametrize(
    "line",
    [
        "1 bay leaf, or more to taste",
        "1 beet, zorblaxed",  # what was done to it
        "2 tbsp olive oil for frying, plus extra for greasing",
        "1 cup warm water (110 degrees F/45 degrees C)",
        "hot water (125°F. to 130°F.)",
        "3/4 teaspoon Spice Islands® oregano",
        "1 cup rice (such as Lundberg)",
        "2 Tbs. olive oil",
        "4 (1.5 fluid ounce) jiggers water",
        "1 large carrot, peeled and cut on the bias",
        "tofu in half",
        "tomatoes, on the vine",
        "chickpeas in water",
        'chicken, cut into 1/4"-thick slices with a sharp knife',
    ],
)
def test_ordinary_lines_leave_no_doubt(line: str) -> None:
    assert read_name(line).doubt == ""


@pytest.mark.parametrize(
    ("name", "doubt"),
    [
        ("1 rotisserie", "this names no food that I know"),  # a quality is no food
        ("breaded", "this names no food that I know"),
        ("chunk light in water", "this names no food that I know"),  # the water is not the food
        ("tuna in water", ""),
        ("chopped and toasted almonds", ""),
        ("zorblax butter", "I do not know 'zorblax'"),
        ("a b c d e f zorblax one", "I do not know 'b c d e f'"),
        ("12 wings", ""),
        ("2 cups - 200 g", "this names no food that I know"),
        ("", "this names no food that I know"),
    ],
)
def test_what_leaves_a_doubt(name: str, doubt: str) -> None:
    assert read_name(name).doubt == doubt


@pytest.mark.parametrize(
    ("step", "foods"),
    [
        ("Thin to the desired consistency with milk.", ["milk"]),
        ("Whisk as you add milk.", ["milk"]),
        ("Put it in for the cheese to melt.", ["cheese"]),
        ("Stir it into the meat.", ["meat"]),
        ("Slice it into thick steaks.", []),
        ("Do not use the butter straight from the fridge.", ["butter"]),
        ("Do not add butter.", []),
        ("There is no need for eggs, at all.", []),
        ("Use oil rather than butter.", ["oil"]),
        ("Add a taste of honey.", ["honey"]),
        ("Simmer to the colour of dark honey.", []),
        ("Knead until soft as butter.", []),
        ("Crumble over a cheese like feta.", ["cheese", "feta"]),
        ("Press it as you would tofu.", []),
        ("Smoke takes the place of bacon.", []),
        ("Line a pie dish and 2 cake tins.", []),
        ("Serve with a fish dish.", ["fish"]),
    ],
)
def test_what_a_step_uses(step: str, foods: list[str]) -> None:
    assert [span.food for span in read_text(step).spans] == foods


def test_a_line_that_only_names_a_tool_holds_nothing_to_eat() -> None:
    assert read_name("a butter dish, for serving").is_tool
    assert not read_name("a butter dish with honey").is_tool
    assert not read_name("a zorblax dish").is_tool


def test_foods_are_those_that_are_named_and_qualities_are_not_among_them() -> None:
    assert list(read_name("breaded chicken wings with vegan butter").foods) == ["chicken", "butter"]
    assert list(read_name("fried wings").foods) == ["wings"]
    assert read_name("fried wings").names_cut
    assert not read_name("chicken wings").names_cut


def test_a_claim_is_named_and_what_takes_its_place_counts() -> None:
    reading = read_name("vegan butter")
    assert reading.denied["milk"] == "vegan"
    assert reading.contents["soy"].level == 2  # plant butters are mostly of soy
    assert reading.contents["soy"].food == "what is vegan"
    assert "soy" not in read_name("vegan rice").contents  # nothing was taken back


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("butter", "milk", "butter contains milk"),
        ("breaded fillets", "fish", "fillets may contain fish"),
        ("marshmallow creme", "pork", "the name marshmallow creme does not tell whether there is pork in it"),
        ("almond", "tree_nuts", "almond is a nut or made of nuts"),
    ],
)
def test_sentences(name: str, content: str, sentence: str) -> None:
    assert read_name(name).contents[content].sentence() == sentence
