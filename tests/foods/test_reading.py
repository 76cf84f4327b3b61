"""How names are read: parts, claims and their reach, cuts and the plants that have them, qualities, dishes."""

import pytest

from swapchef.foods.reading import read_name


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
