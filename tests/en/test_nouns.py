"""One and many of a food, articles and spelling."""

import re

import pytest

from swapchef.en.nouns import article, is_counted, many_of, one_of, singular, spelled
from tests.editing.kitchen import VOCABULARY


def test_every_food_of_the_vocabulary_has_one_and_many() -> None:
    for name in VOCABULARY.names[::7]:
        assert one_of(many_of(name)).lower().startswith(name[:3])
        assert not re.search(r"ss?es$", many_of(name)) or is_counted(name)


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("tomatoes", "tomato"),
        ("cookies", "cookie"),
        ("berries", "berry"),
        ("leaves", "leaf"),
        ("swiss", "swiss"),
        ("peaches", "peach"),
    ],
)
def test_singular(many: str, one: str) -> None:
    assert singular(many) == one


def test_articles_and_spelling() -> None:
    assert (article("egg"), article("unicorn"), article("onion"), article("banana")) == ("an", "a", "an", "a")
    assert spelled("all purpose flour") == "all-purpose flour"
    assert spelled("chocolate chip cooky") == "chocolate chip cookie"
