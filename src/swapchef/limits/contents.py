"""What foods are made of, as far as their names tell: the table `foods.txt`, and how names of it are found in a text.

A longer name hides the shorter ones inside it ("coconut milk" hides "milk"); names that overlap all count.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from swapchef.en.nouns import singular
from swapchef.foods.words import tokens_of

UNCLEAR, MAY, CONTAINS = 1, 2, 3  # how surely a food contains something
_LEVELS = {"~": UNCLEAR, "?": MAY}
_PARTING = frozenset(",;:+/()[]")  # marks that part a name
_ENDS_IN_S = re.compile(r"\b[a-z]+s\b")  # all that `singular` would change in the table
_NO_STEW = {"chilies": "chile"}  # "chili" may be a stew, its plural never is


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: what its foods contain, or what its words deny and what may take its place."""

    contents: Mapping[str, int]
    denies: frozenset[str] = frozenset()
    describes: bool = False
    reasons: Mapping[str, str] = field(default_factory=dict)  # content or facet -> sentence


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of `foods.txt` by name."""

    rows: dict[str, Row]
    longest: dict[str, int]  # first word -> how many words the longest name has that begins with it


@dataclass(frozen=True, slots=True)
class Relatives:
    """Names that a cook who avoids a food must avoid too, and names that only look as if they had that food in them."""

    families: dict[str, list[set[str]]]
    lookalikes: dict[str, set[str]]
    words: set[str]  # of all names in the table


class NameInText(NamedTuple):
    """A name of the table in a text, as a range of words."""

    start: int
    end: int
    row: Row


def longest_names(stems: list[str]) -> list[NameInText]:
    """Find every name of the table that no longer one contains; they may overlap, and then all of them count."""
    known = table()
    names: list[NameInText] = []
    reached = 0
    for start, stem in enumerate(stems):
        for end in range(min(len(stems), start + known.longest.get(stem, 0)), max(start, reached), -1):
            row = known.rows.get(stem if end == start + 1 else " ".join(stems[start:end]))
            if row is not None:
                names.append(NameInText(start, end, row))
                reached = end
                break
    return names


def foods_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield from where to where a running text names a food of the table, whatever else it says of it.

    >>> text = "stir the ricotta into it, vegan or not"
    >>> [text[start:end] for start, end in foods_in(text)]
    ['ricotta']
    """
    tokens = tokens_of(text)
    stems = [name_stem(token.text) if token.is_word else "," for token in tokens]
    for start, end, row in longest_names(stems):
        if not (row.describes or row.denies):
            yield tokens[start].start, tokens[end - 1].end


def name_words(text: str) -> list[str]:
    """Cut a text into words, lower case and without accents; every mark that parts it becomes a comma.

    A sign that is neither a letter nor punctuation stays a word of its own, so that an emoji is never overlooked.
    """
    words = []
    for token in tokens_of(text):
        if token.is_word:
            words.append(token.text.rstrip("%"))
        elif token.text in _PARTING:
            words.append(",")
        elif token.text == "&":
            words.append("and")
        elif not token.text.isascii() and not _says_nothing(token.text):
            words.append(token.text)
    return words


def _says_nothing(sign: str) -> bool:
    """Say whether a sign is punctuation, a control or a format mark; one that Python does not know may be an emoji."""
    return unicodedata.category(sign)[0] == "P" or unicodedata.category(sign) in {"Cc", "Cf"}


def name_stems(text: str) -> tuple[str, ...]:
    """Return the words of a name, each in the form in which the table has it."""
    return tuple(name_stem(word) for word in name_words(text))


def name_stem(word: str) -> str:
    """Return a word in the form in which the table has it."""
    return _NO_STEW.get(word) or singular(word)


@cache
def table() -> Table:
    """Read the rows of `foods.txt`."""
    sections = _sections()
    groups = {row.head: row.names.replace(",", "").split() for row in sections["groups"]}
    describing = Row({}, describes=True)
    rows = {name: describing for written in sections["describing"] for name in _names(written.names)}
    for written in sections["foods"]:
        row = Row(_contents(written.head, groups), reasons=written.reasons)
        rows.update(dict.fromkeys(_names(written.names), row))
    for written in sections["claims"]:
        denied, _, instead = written.head.partition("->")
        row = Row(_contents(instead, groups), frozenset(_contents(denied, groups)))
        rows.update(dict.fromkeys(_names(written.names), row))
    longest: dict[str, int] = {}
    for name in rows:
        first, length = name.partition(" ")[0], name.count(" ") + 1
        if longest.get(first, 0) < length:
            longest[first] = length
    return Table(rows, longest)


@cache
def relatives() -> Relatives:
    """Read what `avoids` needs of the table."""
    sections = _sections()
    return Relatives(
        families={row.head: [set(name.split()) for name in _names(row.names)] for row in sections["families"]},
        lookalikes={row.head: set(_names(row.names)) for row in sections["lookalikes"]},
        words={word for name in table().rows for word in name.split()},
    )


@dataclass(slots=True)
class _Written:
    """A row as it is written in `foods.txt`."""

    head: str
    names: str
    reasons: dict[str, str] = field(default_factory=dict)


@cache
def _sections() -> dict[str, list[_Written]]:
    sections: dict[str, list[_Written]] = {}
    rows: list[_Written] = []
    for line in Path(__file__).with_name("foods.txt").read_text(encoding="utf-8").splitlines():
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            rows = sections.setdefault(line.strip("[]"), [])
        elif line[0] == ">":
            content, _, reason = line[1:].partition(":")
            rows[-1].reasons[content.strip()] = reason.strip()
        elif line[0] == " ":
            rows[-1].names += line
        else:
            head, _, names = line.partition(":")
            rows.append(_Written(head, names))
    return sections


def _names(text: str) -> list[str]:
    """Read "olives, soy/soya milk" into "olive", "soy milk", "soya milk"."""
    names = _ENDS_IN_S.sub(lambda word: name_stem(word[0]), " ".join(text.split())).split(", ")
    if "/" not in text:
        return names
    return [" ".join(words) for name in names for words in product(*(choice.split("/") for choice in name.split()))]


def _contents(text: str, groups: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Read "anything~ milk egg?" into levels; what comes later overrules."""
    contents: dict[str, int] = {}
    for word in text.split():
        if word != "nothing":
            name = word.rstrip("~?")
            contents.update(dict.fromkeys(groups.get(name, (name,)), _LEVELS.get(word[-1], CONTAINS)))
    return contents
