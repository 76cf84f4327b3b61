"""Where a text names foods of the table `foods.txt`, and what those contain.

A longer name hides the shorter ones inside it ("coconut milk" hides "milk"); names that overlap all count.
"""

from collections.abc import Iterator

from swapchef.foods.food_table import NameInText, food_table
from swapchef.foods.names import name_stem
from swapchef.foods.words import tokens_of


def longest_names(stems: list[str]) -> list[NameInText]:
    """Find every name of the table that no longer one contains; they may overlap, and then all of them count."""
    return food_table().names_in(stems)


def foods_in(text: str, with_qualities: bool = True) -> Iterator[tuple[int, int]]:
    """Yield from where to where a running text names a food of the table, whatever else it says of it.

    Qualities ("breaded", "cheesy") count as foods where nothing may be overlooked.

    >>> text = "stir the ricotta into it, vegan or not"
    >>> [text[start:end] for start, end in foods_in(text)]
    ['ricotta']
    """
    tokens = tokens_of(text)
    stems = [name_stem(token.text) if token.is_word else "," for token in tokens]
    for start, end, row in longest_names(stems):
        if row.role in {"food", "cut"} or (with_qualities and row.role == "quality"):
            yield tokens[start].start, tokens[end - 1].end
