"""How it came out: only what speaks of the result counts, and a denial turns it round."""

import pytest

from swapchef.mining.verdicts import verdict_of


@pytest.mark.parametrize(
    ("rest", "following", "opinion"),
    [
        ("and it came out dry .", "", "bad"),
        ("and it was divine .", "", "good"),
        (", and they didn't turn out well", "", "bad"),
        ("and it wasn't bad at all", "", "good"),
        ("but it was too sweet , too dry", "", "bad"),
        (".", "It did not work, they crumble easily.", "bad"),
        (".", "Turned out great!", "good"),
        (".", "Couldn’t taste the difference.", ""),  # nobody is said to have tasted
        (".", "We couldn't tell the difference.", "good"),
        (".", "It was still good, but lacked something.", "mixed"),
        (".", "Turned out crumbly, but delicious!", "mixed"),
        (".", "So yummy!", "good"),
        (".", "", ""),
        (".", "This is a great recipe.", ""),  # praise of the recipe
        (".", "I served it with good bread.", ""),  # of something else
        ("because that was good enough", "", ""),  # a reason
        (", soy sauce would work fine", "", ""),  # nobody tried
        ("and it came out dry .", "The frosting was good.", "bad"),  # the sentence itself comes first
    ],
)
def test_a_verdict_is_read_where_it_is_stated(rest: str, following: str, opinion: str) -> None:
    verdict = verdict_of(rest, following)
    assert verdict.opinion == opinion
    assert bool(verdict.words) == bool(opinion)
