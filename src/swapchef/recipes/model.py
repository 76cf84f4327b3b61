"""Recipes as frozen values, which every reader produces and every writer takes.

An ingredient line keeps its text exactly as written beside what was understood of it, so that an edit can leave other
lines unchanged to the byte. Every text field is one line without markup, entities or control characters: readers pass
text through `tidy`, and writers rely on it.
"""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
# Tags that end a line: "<br>", and the start or end of a paragraph, item, heading or block.
_LINE_BREAK_TAG = re.compile(r"<(?:br|/?(?:p|li|div|ol|ul|tr|h[1-6]))(?:\s[^<>]{0,300})?/?>", re.IGNORECASE)
_FOR_THE = re.compile(r"for (?:the|your) [^\d,;.()]{2,40}", re.IGNORECASE)
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Amount:
    """An exact quantity, or a range of them: "2", "1/2", "2-3"."""

    low: Fraction
    high: Fraction | None = None

    def __str__(self) -> str:
        """Write the amount the way a cook does: "1 1/2", "2-3", "0.7"."""
        return _cook_number(self.low) if self.high is None else f"{_cook_number(self.low)}-{_cook_number(self.high)}"


@dataclass(frozen=True, slots=True)
class Measure:
    """An amount with its unit; the unit is a singular English word, or "" for pieces."""

    amount: Amount
    unit: str = ""


@dataclass(frozen=True, slots=True)
class IngredientLine:
    """One line of the ingredient list: as written (`text`), and as understood (the rest)."""

    text: str
    name: str
    amount: Amount | None = None
    unit: str = ""
    pack: Measure | None = None  # the size of one unit: 14 ounces in "1 (14 ounce) can tomatoes"
    note: str = ""
    section: str = ""  # the heading it stands under: "For the sauce"
    substitutes: tuple[str, ...] = ()  # what would do instead, as lines: "3/4 cup yogurt"


@dataclass(frozen=True, slots=True)
class Step:
    """One direction, under the heading of its section if it has one."""

    text: str
    section: str = ""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A dish: what goes in, what to do, and what a cook wants to know beforehand."""

    title: str
    ingredients: tuple[IngredientLine, ...]
    steps: tuple[Step, ...] = ()
    description: str = ""
    servings: str = ""  # as written: "4", "12 muffins"
    prep_minutes: int | None = None
    cook_minutes: int | None = None
    total_minutes: int | None = None
    author: str = ""
    url: str = ""
    image: str = ""
    tags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def tidy(text: object) -> str:
    """Turn whatever stood in a text field into one clean line; anything but text or a number becomes ""."""
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        return ""
    clean = str(text)
    for _ in range(5):  # until nothing changes: pages often escape twice ("&amp;frac12;")
        before, clean = clean, _tidied_once(clean)
        if clean == before:
            return clean
    return _tidied_once(clean.replace("&", " ").replace("<", " "))  # nobody escapes six times in good faith


def tidy_lines(text: object) -> list[str]:
    """Split a block of text into tidy lines, dropping empty ones."""
    if not isinstance(text, str):
        return [line] if (line := tidy(text)) else []
    broken = _LINE_BREAK_TAG.sub("\n", html.unescape(text))
    return [line for raw in broken.splitlines() if (line := tidy(raw))]


def heading_name(text: str, capitals: bool = True) -> str:
    """Return the heading that a line of ingredients is ("For the sauce:" -> "For the sauce"), or "".

    Headings end in a colon, begin with "For the", or, unless the whole list does, stand in capitals.
    """
    shouted = capitals and len(text) > 3 and text.isupper() and not any(c.isdigit() for c in text)
    return section_name(text) if text.endswith(":") or _FOR_THE.fullmatch(text) or shouted else ""


def section_name(text: str) -> str:
    """Write a heading the same way whatever file it came from: "= Sauce =" and "Sauce:" -> "Sauce"."""
    return text.strip("=: ")


def inherit_sections(sections: Iterable[str]) -> Iterator[str]:
    """Give a line without a heading that of the line above it: no file format but JSON-LD can end a section."""
    current = ""
    for section in sections:
        current = section_name(section) or current
        yield current


def _tidied_once(text: str) -> str:
    if "&" in text:
        text = html.unescape(text)
    if "<!--" in text:
        text = _without_comments(text)
    if "<" in text:
        text = _TAG.sub("", _LINE_BREAK_TAG.sub(" ", text))
    text = unicodedata.normalize("NFC", text)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else _visible(c) for c in text)
    return _SPACES.sub(" ", text).strip()


def _without_comments(text: str) -> str:
    visible, position = [], 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start)) >= 0:
        visible.append(text[position:start])
        position = end + 3
    return "".join([*visible, text[position:]])


def _visible(char: str) -> str:
    """Keep the joiners that Persian, Indic scripts and emoji need; control characters and odd spaces become a space."""
    if char in "\u200c\u200d":
        return char
    return " " if unicodedata.category(char) in {"Cc", "Zl", "Zp", "Zs"} else ""


def _cook_number(value: Fraction) -> str:
    whole, rest = divmod(value, 1)
    if rest == 0:
        return str(whole)
    if rest.denominator in {2, 3, 4, 6, 8, 16}:
        return f"{whole} {rest}" if whole else str(rest)
    return f"{float(value):.3f}".rstrip("0").rstrip(".")
