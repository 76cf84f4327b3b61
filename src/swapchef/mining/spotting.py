"""Find ingredients in running text, in one pass: an Aho-Corasick automaton over all names of the vocabulary.

The words of text and names are stemmed as the vocabulary stems them and each is put between two spaces of its own, so
that a name matches whole words only, in singular and plural, and the longest name wins. Words that are names of foods
but hardly ever mean one in a review ("chip in", "roll") are left out.
"""

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from swapchef.errors import SwapchefError
from swapchef.foods.matching import Vocabulary, compared_as

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:[./]\d+)?%?|[½¼¾⅓⅔⅛]|[,;:.!?()\"–—-]")
_PLAIN = str.maketrans("àâäãåáçéèêëíìîïñóòôöõúùûüý’‘`", "aaaaaaceeeeiiiinooooouuuuy'''")
# Names of the vocabulary that mean a food only in an ingredient list.
_NOT_IN_TEXT = frozenset(
    "batter bar bitter cake casserole chip cooky crust cut date dessert dinner dish dough drink extract fat filling"
    " flavor flavoring food fruit glaze gluten grain green half hot icing jar juice layer liquid marinade meal mild mix"
    " muffin pan paper pie piece pizza pudding rest roll round salad sandwich season seasoning seed shell side skewer"
    " skin slice snack snow soup spice spread stew stick store string substitute sweet taco taste toast top topping"
    " wheat meat vegetable bunch sub dip gel tender strip cup light".split()
)


class Word(NamedTuple):
    """A word or a mark of a text, in lower case and without accents."""

    text: str
    start: int
    end: int


class Spot(NamedTuple):
    """An ingredient in a text, as a range of words."""

    start: int
    end: int
    id: int


def words_of(text: str) -> list[Word]:
    """Cut a text into words and marks; offsets are those of the text."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter that changes its length in lower case
        lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return [Word(match.group(), *match.span()) for match in _WORD.finditer(lowered.translate(_PLAIN))]


def _word_start(position: int, index_at: dict[int, int]) -> int:
    """Return where the word begins that a match begins in: "mangetout" is compared as "snow pea", which has "pea"."""
    while position not in index_at:
        position -= 1
    return position


class Spotter:
    """Finds the vocabulary's ingredients in texts."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def spot(self, words: list[Word]) -> list[Spot]:
        """Return the ingredients among some words, in order; of names that begin at one word, the longest."""
        parts, index_at, position = [], {}, 0
        for index, word in enumerate(words):
            part = f" {compared_as(word.text)} ".replace("  ", " ")
            index_at[position] = index
            parts.append(part)
            position += len(part)
        index_at[position] = len(words)
        automaton, ids = self._automaton
        return [
            Spot(index_at[_word_start(start, index_at)], index_at[end], ids[number])
            for number, start, end in automaton.find_matches_as_indexes("".join(parts))
            if end in index_at
        ]

    @cached_property
    def _automaton(self) -> "tuple[AhoCorasick, list[int]]":
        try:
            from ahocorasick_rs import AhoCorasick, MatchKind
        except ImportError:
            raise SwapchefError(
                "Finding foods in text needs ahocorasick-rs; install swapchef[photo] or swapchef[mine] and try again."
            ) from None
        patterns: dict[str, int] = {}
        for surface, id in self.vocabulary.surfaces():
            stems = [compared_as(word.text) for word in words_of(surface)]
            if len(surface) > 2 and " ".join(stems) not in _NOT_IN_TEXT:
                patterns.setdefault("".join(f" {word} " for word in stems), id)
        return AhoCorasick(list(patterns), matchkind=MatchKind.LeftmostLongest), list(patterns.values())
