"""The words of a food's name in the form in which `foods.txt` has them, and where they stand."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from swapchef.en.nouns import singular
from swapchef.foods.words import Token, tokens_of

_MANY = 1 << 12
DASH = "-"  # stands for what ends a name: a dash, a bullet, a line
OPEN, CLOSE = "(", ")"
_ENDING = frozenset("–—―•·▪●|")  # marks behind which nothing that was claimed before holds
_PARTING = frozenset(",:+")  # marks that part a name
_BRACKETS = {"(": OPEN, "[": OPEN, ")": CLOSE, "]": CLOSE}
_SENTENCE = frozenset(".;?")
_ABBREVIATIONS = frozenset("st dr mt mr mrs no oz lb lbs tsp tbsp tbs pkg pkt approx".split())
_MADE_BY = re.compile(r".[®™]|.\s[®™]|[®™]")
_NO_STEW = {"chilies": "chile"}  # "chili" may be a stew, its plural never is


class Piece(NamedTuple):
    """A word of a text or a mark that parts it."""

    word: str  # lower case, without accents
    stem: str  # the form in which the table has it
    start: int
    end: int
    is_capital: bool = False  # its first letter, and no other
    is_joined: bool = False  # by a hyphen to the word before
    is_maker: bool = False  # "Dickinson's®"


@lru_cache(maxsize=_MANY)
def pieces_of(text: str) -> tuple[Piece, ...]:
    """Cut a text into words and the marks that part it.

    A sign that is neither a letter nor punctuation stays a word of its own, so that an emoji is never overlooked.
    """
    pieces: list[Piece] = []
    has_lines, reached = "\n" in text, 0
    for token in tokens_of(text):
        if has_lines and "\n" in text[reached : token.start]:
            pieces.append(Piece(DASH, DASH, reached, token.start))
        reached = token.end
        if token.is_word:
            word = token.text.rstrip("%")
            is_capital = text[token.start].isupper() and not text[token.start : token.end].isupper()
            is_joined = bool(pieces) and text[pieces[-1].end : token.start] in {"-", "‐", "\u2011"}
            pieces.append(Piece(word, name_stem(word), token.start, token.end, is_capital, is_joined))
            if not text.isascii() and _MADE_BY.match(text, token.end - 1):
                _mark_maker(pieces, text)
        elif mark := _mark(text, token, pieces[-1].word if pieces else ""):
            pieces.append(Piece(mark, mark, token.start, token.end))
    return tuple(pieces)


def _mark_maker(pieces: list[Piece], text: str) -> None:
    """Mark a word before ® and the capitalised words right before it as the name of a maker."""
    for place in reversed(range(len(pieces))):
        piece = pieces[place]
        is_near = place + 1 == len(pieces) or text[piece.end : pieces[place + 1].start] in {" ", "-", "' "}
        if not text[piece.start].isupper() or not is_near:
            return
        pieces[place] = piece._replace(is_maker=True)


def _mark(text: str, token: Token, before: str) -> str:
    sign = token.text
    if sign in _ENDING or (sign == "-" and _stands_alone(text, token)):
        return DASH
    if sign in _SENTENCE:
        return "" if sign == "." and (len(before) == 1 or before in _ABBREVIATIONS) else DASH
    if sign == "/":
        return "," if _is_fraction(text, token) else "or"
    if sign == "&":
        return "and"
    if sign in _PARTING:
        return ","
    if sign in _BRACKETS:
        return _BRACKETS[sign]
    return "" if sign.isascii() or sign == "°" or _says_nothing(sign) else sign


def name_words(text: str) -> list[str]:
    """Return the words and marks of a text.

    >>> name_words("salt & pepper (or egg-free mayo)")
    ['salt', 'and', 'pepper', '(', 'or', 'egg', 'free', 'mayo', ')']
    """
    return [piece.word for piece in pieces_of(text)]


def _stands_alone(text: str, token: Token) -> bool:
    """Say whether a hyphen is a dash: it has a space on both sides, or begins the text."""
    return text[token.end : token.end + 1].isspace() and (not token.start or text[token.start - 1].isspace())


def _is_fraction(text: str, token: Token) -> bool:
    return text[token.start - 1 : token.start].isdigit() and text[token.end : token.end + 1].isdigit()


def _says_nothing(sign: str) -> bool:
    """Say whether a sign is punctuation, a control or a format mark; one that Python does not know may be an emoji."""
    return unicodedata.category(sign)[0] == "P" or unicodedata.category(sign) in {"Cc", "Cf"}


def name_stems(text: str) -> tuple[str, ...]:
    """Return the words of a name, each in the form in which the table has it."""
    return tuple(piece.stem for piece in pieces_of(text))


def name_stem(word: str) -> str:
    """Return a word in the form in which the table has it."""
    return _NO_STEW.get(word) or singular(word)
