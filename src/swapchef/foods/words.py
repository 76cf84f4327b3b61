"""The words of a text, cut and written in one way for all modules: lower case, without accents and apostrophes.

A name and a running text are cut alike, so that what an ingredient line says is found again in a step. `singular`
(in `en.nouns`) makes one and many of a food the same word; `stem` makes the same of two spellings as well.
"""

import re
import unicodedata
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from swapchef.en.nouns import singular
from swapchef.tables import read_table

_TOKEN = re.compile(
    r"""
    [^\W_]+(?:'[^\W_]+)*%?  # a word or a number, with the apostrophes in it and its percent sign
    | [^\w\s]               # or any other sign
    """,
    re.VERBOSE,
)
# What compatibility forms and taking accents off do not make a letter of the alphabet, and signs that say nothing.
_FOLDED = {
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ß": "ss", "ı": "i", "⁄": " ",
    "™": "", "®": "", "©": "", "℠": "",
    **dict.fromkeys("’‘`´ʼ", "'"),
}  # fmt: skip
# Between two words that may be one name: "sour cream", "all-purpose flour", "half & half", "bakers' chocolate".
_JOINTS = frozenset({" ", "  ", "-", " & ", "' ", "’ "})


class Token(NamedTuple):
    """A word or a sign of a text, and where it stands."""

    text: str  # lower case, without accents and apostrophes
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Say whether it is a word or a number rather than a sign."""
        return self.text[:1].isalnum()


class Word(NamedTuple):
    """A word of running text."""

    text: str
    stem: str
    start: int
    end: int
    is_joined: bool  # to the next word, by nothing but a space or a hyphen

    @property
    def is_many(self) -> bool:
        """Say whether it is a plural."""
        return self.text != singular(self.text)


def fold(text: str) -> str:
    """Write a text in lower case and without accents.

    >>> fold("Crème Brûlée"), fold("SMØRREBRØD")
    ('creme brulee', 'smorrebrod')
    """
    return text.lower().replace("`", "'") if text.isascii() else "".join(map(_folded, text))


@lru_cache(maxsize=5_000)
def _folded(character: str) -> str:
    if character in _FOLDED:
        return _FOLDED[character]
    letters = unicodedata.normalize("NFKD", character).lower()
    return "".join(_FOLDED.get(each, each) for each in letters if not unicodedata.category(each).startswith("M"))


def tokens_of(text: str) -> list[Token]:
    """Cut a text into words and signs; places are those of the text itself.

    >>> [token.text for token in tokens_of("2% Milk, Reese's® cups")]
    ['2%', 'milk', ',', 'reeses', 'cups']
    """
    folded = fold(text)
    if text.isascii():
        return [Token(_bare(token[0]), token.start(), token.end()) for token in _TOKEN.finditer(folded)]
    places = [place for place, character in enumerate(text) for _ in _folded(character)]
    return [
        Token(_bare(token[0]), places[token.start()], places[token.end() - 1] + 1) for token in _TOKEN.finditer(folded)
    ]


def words_of(text: str) -> list[Word]:
    """Return the words of a text, without its signs and numbers; a share of fat counts as a word.

    >>> [word.text for word in words_of("Add 2 cups of 2% milk.")]
    ['add', 'cups', 'of', '2%', 'milk']
    """
    tokens = [token for token in tokens_of(text) if _is_wordlike(token.text)]
    gaps = [text[token.end : following.start] for token, following in pairwise(tokens)]
    return [
        Word(token.text, stem(token.text), token.start, token.end, gap in _JOINTS)
        for token, gap in zip(tokens, [*gaps, ""], strict=False)
    ]


@lru_cache(maxsize=20_000)
def stems_in(text: str) -> tuple[str, ...]:
    """Return the words of a name, each in the form by which words are the same.

    >>> stems_in("Chilli flakes") == stems_in("chile flake")
    True
    """
    return tuple(stem(token.text) for token in tokens_of(text) if _is_wordlike(token.text))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the form by which two words are the same: singular, in one spelling.

    >>> stem("cookies"), stem("cooky"), stem("chiles"), stem("chillies")
    ('cookie', 'cookie', 'chili', 'chili')
    """
    one = singular(word)
    return _spellings().get(one, one)


@cache
def _spellings() -> dict[str, str]:
    return dict(read_table("en/spellings.tsv"))


def _is_wordlike(text: str) -> bool:
    return text.isalpha() or any(map(str.isalpha, text)) or (text[0].isdigit() and text.endswith("%"))


def _bare(word: str) -> str:
    return word.replace("'", "") or word
