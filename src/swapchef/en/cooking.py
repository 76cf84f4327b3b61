"""Which words of a cooking text are no food: verbs, tools, places, times and small words."""

import re
from functools import cache, lru_cache
from importlib.resources import files

from swapchef.en.nouns import singular

# Endings that no food's name has by itself: "spiralized", "generously"; not "linseed", "seaweed" or "jelly".
_DEED = re.compile(r"[a-z]{3,}(?:[^e]ed|[^l]ly)")


@lru_cache(maxsize=20_000)
def is_cooking_word(word: str) -> bool:
    """Say whether a word, lower case and without accents, is known to be no food.

    >>> is_cooking_word("saucepan"), is_cooking_word("jeotgal")
    (True, False)
    """
    return word in cooking_words() or singular(word) in cooking_words()


def is_deed(word: str) -> bool:
    """Say whether a word ends like what was done to a food.

    >>> is_deed("spiralized"), is_deed("linseed")
    (True, False)
    """
    return _DEED.fullmatch(word) is not None


@cache
def cooking_words() -> frozenset[str]:
    """Return the words of `cooking.txt`."""
    lines = files("swapchef").joinpath("en/cooking.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
