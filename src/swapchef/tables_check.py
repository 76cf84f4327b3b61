"""Whether tables of facts, ours or a user's own, say what they mean: every problem with its file, line and a sentence.

Ours are checked with nothing but themselves; a user's with ours beside them. A user makes a food known by naming it a
member of a kind; any other name must be an ingredient, a kind or such a food.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import product
from pathlib import Path

from swapchef.amounts.measures import dimension, parse_measure
from swapchef.errors import SwapchefError
from swapchef.foods.food_table import NAME as FOODS
from swapchef.foods.food_table import (
    Written,
    extended,
    known_contents,
    names_of,
    our_table,
    problems_of,
    sections_of,
)
from swapchef.foods.matching import Vocabulary
from swapchef.limits.diets import FACETS
from swapchef.recipes import parse_line
from swapchef.tables import (
    Column,
    Line,
    Problem,
    Table,
    lines_of,
    problems_in,
    shortened,
    table_of,
    text_of,
)

_LONGEST = 200  # characters of a cell, so that a change of one fact is a change that can be read
_MOST_GUESSES = 20  # unknown names that get a "did you mean", which takes milliseconds each
_KINDS, _PREPARATIONS = "foods/kinds.tsv", "foods/preparations.tsv"
_NAMED_ONCE = frozenset({"describing", "foods", "claims"})  # sections of foods.txt
_LISTS = {"foods": ", ", "members": ", ", "words": "/"}


@dataclass(frozen=True, slots=True)
class Report:
    """What was looked at, and all that is wrong with it."""

    tables: int
    rows: int
    problems: tuple[Problem, ...]

    def __str__(self) -> str:
        counted = f"{_counted(self.tables, 'table')}, {_counted(self.rows, 'row')}"
        if not self.problems:
            return f"{counted}, nothing wrong"
        return "\n".join([*map(str, self.problems), f"{counted}, {_counted(len(self.problems), 'problem')}"])


def check_tables(folder: Path | None = None) -> Report:
    """Check our own tables, or a user's folder of them."""
    ours = {name: _text_of_ours(name) for name in _names_of_ours()}
    if folder is None:
        return _report(ours, _Names(ours, {}), are_ours=True)
    if not folder.is_dir():
        raise SwapchefError(f"{folder} is no folder; name one with tables in it, such as amounts/swaps.tsv.")
    theirs, problems = {}, list(_strange_files(folder, set(ours)))
    for name in ours:
        try:
            text = text_of(folder / name)
        except SwapchefError as error:
            problems.append(Problem(name, 1, str(error)))
        else:
            if text is not None:
                theirs[name] = text
    report = _report(theirs, _Names(ours, theirs), are_ours=False)
    return replace(report, problems=tuple(sorted([*problems, *report.problems])))


def _report(texts: Mapping[str, str], names: "_Names", are_ours: bool) -> Report:
    problems, rows = [], 0
    for name, text in texts.items():
        if name == FOODS:
            found = _problems_of_contents(text, are_ours)
            rows += sum(1 for line in text.split("\n") if line and line[0] not in " #>[")
        else:
            found = _problems_of_table(name, text, names, are_ours)
            rows += max(len(lines_of(text)) - 1, 0)
        problems += [Problem(name, number, sentence) for number, sentence in (*_untidy(name, text), *found)]
    return Report(len(texts), rows, tuple(sorted(problems)))


def _names_of_ours() -> list[str]:
    rooms = (room for room in files("swapchef").iterdir() if room.is_dir())
    tables = [f"{room.name}/{file.name}" for room in rooms for file in room.iterdir() if file.name.endswith(".tsv")]
    return [*sorted(tables), FOODS]


def _text_of_ours(name: str) -> str:
    return files("swapchef").joinpath(name).read_text(encoding="utf-8")


def _strange_files(folder: Path, known: set[str]) -> Iterator[Problem]:
    """Yield the files of a folder, and of the folders in it, that are no tables; hidden and README files are let be."""
    for path in sorted([*folder.glob("*"), *folder.glob("*/*")]):
        name = path.relative_to(folder).as_posix()
        is_let_be = any(part.startswith(".") for part in name.split("/")) or path.stem.lower() == "readme"
        if name not in known and not is_let_be and not path.is_dir():
            yield Problem(name, 1, f"there is no such table; the tables are {', '.join(sorted(known))}")


class _Names:
    """What the rows of tables may name: ingredients, kinds, and what a user makes known."""

    def __init__(self, ours: Mapping[str, str], theirs: Mapping[str, str]) -> None:
        our_kinds, their_kinds = _rows(ours, _KINDS), [cells for cells in _rows(theirs, _KINDS) if len(cells) == 2]
        listed = [name for _, members in their_kinds for name in members.split(", ")]
        new_foods = {name for name in listed if not name.startswith(("any ", "* ", "not "))}
        self.foods = {*Vocabulary.load().names, *new_foods}
        self.old_kinds = {cells[0] for cells in our_kinds}
        self.kinds = self.old_kinds | {cells[0] for cells in their_kinds}
        preparations = _rows(ours, _PREPARATIONS) + _rows(theirs, _PREPARATIONS)
        self.groups = {cells[0] for cells in preparations if cells[0].startswith("@")}
        others = "\n".join(text for name, text in theirs.items() if name != _KINDS)
        self.used = {*listed, *re.split(r"[\t\n]|, ", others)}
        self._guesses = 0

    def unknown(self, name: str) -> Iterator[str]:
        """Yield that a name is none of a food or a kind."""
        if name not in self.foods and name not in self.kinds:
            yield f"I know no {'kind' if name.startswith('any ') else 'food'} {shortened(name)}{self._guess(name)}"

    def unknown_kind(self, name: str) -> Iterator[str]:
        """Yield that a kind is called like no food, or that nothing is said of a new one."""
        if not name.startswith("any "):
            if name not in self.foods:
                yield f"I know no food {shortened(name)}{self._guess(name)}"
        elif name not in self.old_kinds and name not in self.used:
            yield f"no row uses the new kind {shortened(name)}{self._guess(name)}"

    def unknown_member(self, name: str) -> Iterator[str]:
        """Yield that an item of a list is no food, no kind, no group, and no ending of a name."""
        if name.startswith("@"):
            if name not in self.groups:
                yield f"there is no row of a group {shortened(name)}"
        elif name.startswith(("* ", "not ")):
            ending = name.partition(" ")[2]
            if ending not in self.kinds and not any(f" {each}".endswith(f" {ending}") for each in self.foods):
                yield f"no food that I know is named {shortened(ending)} or ends so"
        else:
            yield from self.unknown(name)

    def _guess(self, name: str) -> str:
        from rapidfuzz import process

        self._guesses += 1
        if self._guesses > _MOST_GUESSES:
            return ""
        near = process.extractOne(name, self.old_kinds if name.startswith("any ") else self.foods, score_cutoff=80)
        return f"; did you mean {near[0]}?" if near else ""


def _rows(texts: Mapping[str, str], name: str) -> list[list[str]]:
    return [line.cells for line in lines_of(texts.get(name, ""))[1:]]


def _problems_of_table(name: str, text: str, names: _Names, are_ours: bool) -> Iterator[tuple[int, str]]:
    lines = lines_of(text)
    table = table_of(name, tuple(lines_of(_text_of_ours(name))[0].cells))
    broken = list(problems_in(table, lines, are_ours))
    yield from broken
    if are_ours and not text.startswith("#"):
        yield 1, "the table does not begin with # lines that explain it"
    unreadable = {number for number, _ in broken}
    if not lines or lines[0].number in unreadable:
        return
    heading = tuple(lines[0].cells)
    rows = [line for line in lines[1:] if line.number not in unreadable]
    columns = [next(column for column in table.columns if column.name == each) for each in heading]
    for number, cells in rows:
        for column, cell in zip(columns, cells, strict=True):
            yield from ((number, sentence) for sentence in _unknown_names(column, cell, names))
    yield from _repeated(table, columns, rows)
    yield from _apart(table, heading, rows)


def _unknown_names(column: Column, cell: str, names: _Names) -> Iterator[str]:
    """Yield the foods, kinds and units of a cell that do not exist."""
    match column.holds:
        case "food":
            yield from names.unknown(cell)
        case "kind":
            yield from names.unknown_kind(cell)
        case "foods" | "members":
            for name in cell.split(", "):
                if name not in column.words:
                    yield from names.unknown_member(name)
        case "measure" if cell not in column.words and not _is_unit(parse_measure(cell).unit):
            yield f"I know no unit {shortened(parse_measure(cell).unit)}"
        case "parts":
            for part in cell.split(" + "):
                yield from names.unknown(_food_of(part))
        case "note" if not column.words:
            for inside in re.findall(r"\{([^{}]*)\}", cell):
                if food := _food_of(inside.partition(" per ")[0]):
                    yield from names.unknown(food)


def _problems_of_contents(text: str, are_ours: bool) -> Iterator[tuple[int, str]]:
    """Yield what is wrong with a table of what foods contain."""
    broken = list(problems_of(text, are_ours))
    yield from broken
    if broken:
        return
    sections, seen = sections_of(text), dict[str, Written]()
    merged = extended(our_table(), sections)
    for section, rows in sections.items():
        for row in rows:
            for reason in row.reasons.keys() - FACETS.keys() - known_contents():
                yield row.line, f"a reason is about {shortened(reason)}, which is neither a content nor a diet"
            for name in dict.fromkeys(names_of(row.names)) if section in _NAMED_ONCE else ():
                if (other := seen.setdefault(name, row)) is not row:
                    yield row.line, f"{shortened(name)} is also in line {other.line}; let it stand in one row"
                known = our_table().rows.get(name)
                if not are_ours and section == "foods" and known and merged.rows[name].contents == known.contents:
                    yield row.line, f"this says nothing of {shortened(name)} that our table does not, and ours stays"


def _untidy(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield lines that read badly: long cells and spaces that nobody sees."""
    for number, line in enumerate(text.split("\n"), start=1):
        cells = [line] if name == FOODS else line.split("\t")
        if not line.startswith("#") and any(len(cell) > _LONGEST for cell in cells):
            yield number, f"a cell has more than {_LONGEST} characters; write a second row for the rest"
        if any(cell != cell.rstrip() or "  " in cell.strip() for cell in cells) and not line.startswith("#"):
            yield number, "a space stands at an end, or two stand together"
        elif name == FOODS and "\t" in line:
            yield number, "a tab stands where a space should"
        elif name != FOODS and not line.startswith("#") and any(cell != cell.lstrip() for cell in cells):
            yield number, "a space stands before a cell"


def _repeated(table: Table, columns: Sequence[Column], rows: Sequence[Line]) -> Iterator[tuple[int, str]]:
    """Yield rows that say what another row says, or its opposite."""
    whole: dict[tuple[str, ...], int] = {}
    facts: dict[tuple[str, ...], tuple[int, tuple[str, ...]]] = {}
    for number, cells in rows:
        if (first := whole.setdefault(tuple(cells), number)) != number:
            yield number, f"the row is the same as line {first}"
            continue
        for key, statement in _facts(table, columns, cells) if table.key else ():
            if key not in facts:
                facts[key] = number, statement
                continue
            line, other = facts[key]
            says = "what line {} says" if other == statement else "other than line {} says"
            yield number, f"the row says of {_named(key)} {says.format(line)}"


def _facts(
    table: Table, columns: Sequence[Column], cells: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield what a row is about and what it says of it: of lists, for each item."""
    keys, rest = [], []
    for column, cell in zip(columns, cells, strict=True):
        if column.name in table.key:
            keys.append(cell.split(_LISTS[column.holds]) if column.holds in _LISTS else [cell])
        else:
            rest.append(cell)
        if column.name == table.unless:
            keys.append([parse_measure(cell).unit])
    for key in product(*keys):
        bare = tuple(part.removeprefix("not ") for part in key)
        yield bare, (*rest, "not" if bare != key else "")


def _named(key: tuple[str, ...]) -> str:
    return " and ".join(shortened(part) for part in key if part)


def _apart(table: Table, heading: Sequence[str], rows: Sequence[Line]) -> Iterator[tuple[int, str]]:
    """Yield rows that go on with a list from which others part them."""
    if not table.together:
        return
    last: dict[tuple[str, ...], int] = {}
    previous: tuple[str, ...] = ()
    for number, cells in rows:
        group = tuple(cell for name, cell in zip(heading, cells, strict=True) if name in table.together)
        if any(group[0] in cell.split(", ") for cell in cells if cell != group[0]):
            yield number, f"{shortened(group[0])} is in its own list"
        if group != previous and group in last:
            yield number, f"the row belongs right after line {last[group]}, with the others of {_named(group)}"
        last[group], previous = number, group


def _is_unit(unit: str) -> bool:
    return unit in {"", "part"} or dimension(unit) != "piece" or parse_line(f"1 {unit} water").unit == unit


def _food_of(part: str) -> str:
    """Return the food of "1 1/2 teaspoon baking powder", or "" where only an amount is written."""
    words = re.sub(r"^[0-9./ ]+", "", part).split(" ")
    first = next((count for count in (2, 1) if dimension(" ".join(words[:count])) != "piece"), 0)
    return " ".join(words[first:])


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}{'s' * (count != 1)}"
