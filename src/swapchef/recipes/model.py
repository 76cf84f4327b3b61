"""What a recipe is: frozen values that every reader produces and every writer takes.

An ingredient line keeps its text exactly as written beside what was understood of it, so that an edit can leave other
lines untouched to the byte. Every text field is one tidy line (no markup, entities, control characters or line
breaks): readers pass what they find through `tidy`, and writers may rely on it.
"""

import html
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>|<!--.{0,2000}?-->", re.DOTALL)
_LINE_BREAK_TAG = re.compile(r"<\s*(?:br|/p|/li|/div)\s*/?\s*>", re.IGNORECASE)
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


def with_sections(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Pair each line with the heading above it; a heading is a line that ends in a colon and has no amount."""
    section, pairs = "", []
    for text in texts:
        if heading := heading_name(text):
            section = heading
        else:
            pairs.append((text, section))
    return pairs


def heading_name(text: str) -> str:
    """Return the heading that a line is ("For the sauce:" -> "For the sauce"), or ""."""
    if not text.endswith(":") or len(text) > 80 or text[0].isdigit():
        return ""
    return text.rstrip(": ")


def _tidied_once(text: str) -> str:
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub("", _LINE_BREAK_TAG.sub(" ", text))
    text = unicodedata.normalize("NFC", text)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else _visible(c) for c in text)
    return _SPACES.sub(" ", text).strip()


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
