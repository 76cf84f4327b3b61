"""The words of a food's name in the form in which `foods.txt` has them."""

import unicodedata

from swapchef.en.nouns import singular
from swapchef.foods.words import Token, tokens_of

DASH = "-"  # stands for what ends a name: a dash, a bullet, a line
_ENDING = frozenset("–—―•·▪●|\n")  # marks behind which nothing that was claimed before holds
_PARTING = frozenset(",;:+/()[]")  # marks that part a name
_NO_STEW = {"chilies": "chile"}  # "chili" may be a stew, its plural never is


def name_words(text: str) -> list[str]:
    """Cut a text into words, lower case and without accents; every mark that parts it becomes a comma.

    A sign that is neither a letter nor punctuation stays a word of its own, so that an emoji is never overlooked.
    """
    words: list[str] = []
    for token in tokens_of(text):
        if token.is_word:
            words.append(token.text.rstrip("%"))
        elif token.text in _ENDING or (token.text == "-" and _stands_alone(text, token)):
            words.append(DASH)
        elif token.text == "/" and not _is_fraction(text, token):
            words.append("or")
        elif token.text in _PARTING:
            words.append(",")
        elif token.text == "&":
            words.append("and")
        elif not token.text.isascii() and not _says_nothing(token.text):
            words.append(token.text)
    return words


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
    return tuple(name_stem(word) for word in name_words(text))


def name_stem(word: str) -> str:
    """Return a word in the form in which the table has it."""
    return _NO_STEW.get(word) or singular(word)
