"""`foods.txt`: which foods contain what, which words only describe, and what a name may deny.

A user's own `foods/foods.txt` adds foods, describing words and families to ours. It can make a food unsafe and a
strange word known, but takes nothing back: each of its names contains at least what our table reads in that name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import product
from math import prod
from typing import Literal, NamedTuple

from swapchef.errors import SwapchefError
from swapchef.foods.names import name_stem
from swapchef.tables import shortened, unusable, user_text

NAME = "foods/foods.txt"
_FORMER_NAME = "limits/foods.txt"
# What a name of the table is in a longer name: a food; a claim ("egg free"); a word that only describes; a quality that
# may add something and is no food ("breaded"); a part of an animal ("wing"); a dish where it comes last ("crumble").
Role = Literal["food", "claim", "describing", "quality", "cut", "head"]
UNCLEAR, MAY, CONTAINS = 1, 2, 3  # how surely a food contains something
# Words between the parts of a name: what one part denies is not denied in the next.
BREAKS = frozenset({",", "and", "with", "without", "or", "in", "plus", "on", "over", "but", "contain", "may"})
_SECTIONS = (
    "groups", "describing", "qualities", "cuts", "bound", "flavours", "heads", "foods", "claims", "families",
    "lookalikes",
)  # fmt: skip
_ROLES: dict[str, Role] = {"qualities": "quality", "cuts": "cut", "heads": "head", "foods": "food"}
_OF_USERS = ("describing", "foods", "families")  # the others could call an unsafe food safe
_MARKS = {"~": UNCLEAR, "?": MAY, "-": 0}
_IMPLIED = {"gelatin": ("pork", MAY)}  # what a content means unless the row says otherwise, and how surely at most
SPOKEN = {
    "tree_nuts": "tree nuts", "peanut": "peanuts", "rennet": "calf rennet", "finings": "animal finings",
    "insect": "colours or glazes made of insects",
}  # fmt: skip
_ENDS_IN_S = re.compile(r"\b[a-z]+s\b")  # all that `singular` would change in the table
_MOST_COMBINATIONS = 1000  # of the choices in one name


@dataclass(frozen=True, slots=True)
class Row:
    """What foods contain, or what words deny and what may take its place."""

    contents: Mapping[str, int]
    role: Role = "food"
    denies: frozenset[str] = frozenset()  # of a claim
    reasons: Mapping[str, str] = field(default_factory=dict)  # content or facet -> sentence
    group: str = ""  # of a describing word: "deeds", "makers" ...


class NameInText(NamedTuple):
    """A name of the table, found in a text."""

    start: int
    end: int
    row: Row


@dataclass(frozen=True, slots=True)
class FoodTable:
    """The rows of `foods.txt` by name."""

    rows: dict[str, Row]
    longest: dict[str, int]  # first word -> how many words the longest name has that begins with it

    def names_in(self, stems: Sequence[str]) -> list[NameInText]:
        """Find every name of the table that no longer one contains; they may overlap, and then all of them count."""
        names: list[NameInText] = []
        reached = 0
        for start, first in enumerate(stems):
            for end in range(min(len(stems), start + self.longest.get(first, 0)), max(start, reached), -1):
                row = self.rows.get(first if end == start + 1 else " ".join(stems[start:end]))
                if row is not None:
                    names.append(NameInText(start, end, row))
                    reached = end
                    break
        return names


@dataclass(frozen=True, slots=True)
class Relatives:
    """Names that a cook who avoids a food must avoid too, and names that only look as if they had it in them."""

    families: dict[str, list[set[str]]]
    lookalikes: dict[str, set[str]]
    words: set[str]


@dataclass(slots=True)
class Written:
    """A row as it is written."""

    head: str
    names: str
    line: int
    reasons: dict[str, str] = field(default_factory=dict)


@cache
def food_table() -> FoodTable:
    """Return our table, and the user's own in it if there is one."""
    theirs = _sections_of_user()
    return extended(our_table(), theirs) if theirs else our_table()


@cache
def relatives() -> Relatives:
    """Return what `avoids` needs of our table and the user's own."""
    families: dict[str, list[set[str]]] = {}
    for row in (*our_sections()["families"], *_sections_of_user().get("families", ())):
        families.setdefault(" ".join(map(name_stem, row.head.split())), []).extend(
            set(name.split()) for name in names_of(row.names)
        )
    return Relatives(
        families,
        lookalikes={row.head: set(names_of(row.names)) for row in our_sections()["lookalikes"]},
        words={word for name in food_table().rows for word in name.split()},
    )


@cache
def bound_cuts() -> dict[str, frozenset[str]]:
    """Return the plants that have a part of some name, by that name; "any": what stands for meat."""
    return {row.head: frozenset(names_of(row.names)) for row in our_sections()["bound"]}


@cache
def flavours() -> frozenset[str]:
    """Return the foods that flavour another: "strawberry", of "strawberry or coconut yoghurt"."""
    return frozenset(name for row in our_sections()["flavours"] for name in names_of(row.names))


@cache
def our_sections() -> dict[str, list[Written]]:
    """Return our rows as they are written."""
    return sections_of(files("swapchef").joinpath(NAME).read_text(encoding="utf-8"))


@cache
def our_table() -> FoodTable:
    """Return our rows by name."""
    sections, groups = our_sections(), _groups()
    rows: dict[str, Row] = {}
    for written in sections["describing"]:
        rows.update(dict.fromkeys(names_of(written.names), Row({}, "describing", group=written.head)))
    for section, role in _ROLES.items():
        for written in sections.get(section, ()):
            row = Row(_contents(written.head, groups), role, reasons=written.reasons)
            rows.update(dict.fromkeys(names_of(written.names), row))
    for written in sections["claims"]:
        denied, _, instead = written.head.partition("->")
        row = Row(_contents(instead, groups), "claim", frozenset(_contents(denied, groups)))
        rows.update(dict.fromkeys(names_of(written.names), row))
    return _by_first_word(rows)


def extended(ours: FoodTable, theirs: Mapping[str, Sequence[Written]]) -> FoodTable:
    """Add a user's rows to ours; a food contains at least what our table reads in its name."""
    rows, describing = dict(ours.rows), Row({}, "describing")
    for written in theirs.get("describing", ()):
        rows.update(dict.fromkeys((name for name in names_of(written.names) if name not in rows), describing))
    for written in theirs.get("foods", ()):
        stated = _contents(written.head, _groups())
        for name in names_of(written.names):
            rows[name] = _worse(name, Row(stated, reasons=written.reasons), rows.get(name), ours)
    return _by_first_word(rows)


def _worse(name: str, stated: Row, known: Row | None, ours: FoodTable) -> Row:
    """Return a row with what a user says of a food, or what our rows say of it where that is worse."""
    contents, reasons = dict(stated.contents), dict(stated.reasons)
    for row in [known] if known else [found.row for found in ours.names_in(name.split())]:
        for content, level in row.contents.items():
            if contents.get(content, 0) < level:
                contents[content] = level
                reasons.pop(content, None)
                if content in row.reasons:
                    reasons[content] = row.reasons[content]
    return Row(contents, reasons=reasons)


def _by_first_word(rows: dict[str, Row]) -> FoodTable:
    longest: dict[str, int] = {}
    for name in rows:
        first, length = name.partition(" ")[0], name.count(" ") + 1
        if longest.get(first, 0) < length:
            longest[first] = length
    return FoodTable(rows, longest)


@cache
def _sections_of_user() -> dict[str, list[Written]]:
    if user_text(_FORMER_NAME) is not None:  # what a user says of allergens is never ignored
        raise SwapchefError(f"Your table {_FORMER_NAME} is read from {NAME} now: move it there.")
    text = user_text(NAME)
    if text is None:
        return {}
    for number, sentence in problems_of(text, are_ours=False):
        raise unusable(NAME, number, sentence)
    return sections_of(text)


def sections_of(text: str) -> dict[str, list[Written]]:
    """Read the rows of each section."""
    sections: dict[str, list[Written]] = {}
    rows: list[Written] = []
    for number, line in enumerate(text.split("\n"), start=1):
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
            rows.append(Written(head, names, number))
    return sections


def problems_of(text: str, are_ours: bool) -> Iterator[tuple[int, str]]:
    """Yield what is wrong with a table, each with the number of its line."""
    broken = list(_broken_lines(text, are_ours))
    yield from broken
    if not broken:  # what the rows say can only be judged where they can be read
        for section, rows in sections_of(text).items():
            for row in rows:
                yield from ((row.line, sentence) for sentence in _problems_of_row(section, row, are_ours))


def _broken_lines(text: str, are_ours: bool) -> Iterator[tuple[int, str]]:
    section, has_row = "", False
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            section, has_row = line.strip("[]"), False
            if section not in _SECTIONS:
                yield number, f"there is no section {shortened(section)}, only {', '.join(_SECTIONS)}"
            elif not are_ours and section not in _OF_USERS:
                yield number, f"the section {section} is swapchef's own; yours may be {', '.join(_OF_USERS)}"
        elif not section:
            yield number, "the row stands before the first section, such as [foods]"
        elif line[0] in " \t>" and not has_row:
            yield number, "the line goes on with no row before it in its section"
        elif line[0] != " " and ":" not in line:
            yield number, "there is no colon between what a row says and what of"
        else:
            has_row = True


def _problems_of_row(section: str, row: Written, are_ours: bool) -> Iterator[str]:
    names = " ".join(row.names.split()).split(", ")
    if not row.head.strip():
        yield "nothing is written before the colon"
    for name in names if section != "groups" else ():
        if problem := _problem_of_name(name):
            yield problem
            return
    if section in {"foods", "claims"}:
        known = known_contents() | _groups().keys() | {"nothing"}
        strange = [word for word in row.head.replace("->", " ").split() if word.rstrip("~?-") not in known]
        yield from (f"there is no content {shortened(word)}" for word in strange)
    if not are_ours and section in {"describing", "foods"}:
        yield from filter(None, (_problem_with_ours(section, name) for name in names_of(row.names)))


def _problem_of_name(name: str) -> str:
    if not name:
        return "a name is missing after the colon, or before or after a comma"
    if not re.fullmatch(r"[a-z0-9]+(?:[ /][a-z0-9]+)*", name):
        return f"{shortened(name)} is not all small letters, digits, spaces and slashes, with commas between names"
    if prod(word.count("/") + 1 for word in name.split()) > _MOST_COMBINATIONS:
        return f"{shortened(name)} stands for more than {_MOST_COMBINATIONS} names"
    return ""


def _problem_with_ours(section: str, name: str) -> str:
    """Say why a user's name could take back what our table says; "" where it cannot."""
    stems, ours = name.split(), our_table()
    if between := BREAKS.intersection(stems):
        return f"{shortened(name)} has {min(between)!r} in it, which parts one food from the next"
    found = ours.names_in(stems)
    if any(row.role == "claim" for _, _, row in found):
        return f"{shortened(name)} holds a claim such as 'vegan', which is understood by itself; leave it out"
    if section == "foods" and name in ours.rows and ours.rows[name].role == "describing":
        return f"{shortened(name)} is a describing word of ours"
    if section == "describing" and any(row.role != "describing" for _, _, row in found):
        return f"{shortened(name)} has a food in it, so it cannot only describe one"
    return ""


def known_contents() -> set[str]:
    """Return all that a food may be said to contain."""
    return {content for group in _groups().values() for content in group}


@cache
def _groups() -> dict[str, list[str]]:
    return {row.head: row.names.replace(",", "").split() for row in our_sections()["groups"]}


def names_of(text: str) -> list[str]:
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
            name = word.rstrip("~?-")
            contents.update(dict.fromkeys(groups.get(name, (name,)), _MARKS.get(word[-1], CONTAINS)))
    for content, (implied, most) in _IMPLIED.items():
        if content in contents and implied not in contents:
            contents[implied] = min(contents[content], most)
    return {content: level for content, level in contents.items() if level}
