"""Tables of facts beside the modules that use them, and a user's own tables, which extend them.

A table is one file: `#` lines that explain it, a heading that names its columns, and rows with a tab between cells.
`TABLES` says what the columns of a table hold. `SWAPCHEF_TABLES` names a folder with files of the same names
(`foods/kinds.tsv`), whose rows come before ours; in a table with one row for one thing, theirs takes the place of ours.
"""

import os
import re
import stat
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Literal, NamedTuple

from swapchef.errors import SwapchefError

ENVIRONMENT_VARIABLE = "SWAPCHEF_TABLES"
_MOST_BYTES = 5_000_000  # of a user's file; all our tables together have a tenth of that

Holds = Literal[
    "text",  # whatever it says
    "note",  # a sentence for the cook, with amounts in braces
    "words",  # one or several, with slashes between: "chopped/diced"
    "food",  # an ingredient of the vocabulary or a kind
    "kind",
    "foods",  # foods and kinds, with commas between; "not" before what is left out
    "members",  # foods as well, also "* vinegar": every name that ends so
    "measure",  # "1 1/2 cup", "2", "1 part"
    "parts",  # of a mixture: "1 cup milk + 1 tablespoon lemon juice"
    "number",
    "choice",  # one of a few words
    "flag",  # "yes" or nothing
]


class Column(NamedTuple):
    """What stands under one name of a heading."""

    name: str
    holds: Holds
    words: tuple[str, ...] = ()  # of a choice: all there are; else what may stand here beside what it holds
    default: str | None = None  # what a user's table means that has no such column; None: it must have one
    only_ours: tuple[str, ...] = ()  # words that a user's table may not say


class Table(NamedTuple):
    """What is known of one file: its columns by name, in whatever order the heading has them."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[
        str, ...
    ] = ()  # the columns that say what a row is about; of lists, each item; no two are about the same
    unless: str = ""  # a measure that tells rows of one key apart by its unit: "1 clove" and "1 teaspoon"
    replaces: bool = False  # a user's row takes the place of ours with the same key
    together: tuple[str, ...] = ()  # rows that share these stand together, as one list that is too long for a row


_USES = Column("in", "choice", ("any", "baking", "frying", "raw"), default="any")
_TASTES = ("sweet", "salty", "sour", "hot", "rich", "smoky", "bitter", "savory")
# Groups of foods that rules make an exception of, so that to add to them would take a warning back.
_LEFT_OUT = (
    "cooked", "meatless", "cooking juice", "pasteurised", "seasoned", "canning vinegar", "bottled citrus", "tomato",
    "preserving sugar", "plain salt", "plain sugar", "real tea", "live culture", "raw flour", "cooking fat",
    "animal food", "flavoring",
)  # fmt: skip

TABLES = {
    table.name: table
    for table in (
        Table(
            "en/units.tsv",
            (
                Column("form", "text"),
                Column("unit", "text"),
                Column("kind", "choice", ("measure", "container", "pinch", "counter")),
            ),
            key=("form",),
            replaces=True,
        ),
        Table(
            "foods/kinds.tsv",
            (Column("kind", "kind"), Column("members", "members")),
            key=("kind", "members"),
            together=("kind",),
        ),
        Table(
            "foods/preparations.tsv",
            (Column("words", "words"), Column("foods", "foods")),
            key=("words", "foods"),
            together=("words",),
        ),
        # A user may add to these, which warns of more; what a row of theirs leaves out concerns that row alone.
        Table(
            "limits/contexts.tsv",
            (
                Column("context", "text"),
                Column("in", "choice", ("title", "steps", "lines", "text", "anywhere")),
                Column("words", "text"),
                Column("unless", "text", default=""),
                Column("unlisted", "flag", default=""),
            ),
            key=("context", "in", "words"),
        ),
        Table(
            "limits/hazard_foods.tsv",
            (
                Column("group", "text", only_ours=_LEFT_OUT),
                Column("foods", "text"),
                Column("except", "text", default=""),
            ),
            key=("group", "foods"),
        ),
        Table(
            "limits/hazards.tsv",
            (
                Column("context", "text"),
                Column("goes", "text"),
                Column("comes", "text"),
                Column("verdict", "choice", ("refuse", "warn", "note")),
                Column("in place", "flag", default=""),
                Column("more than", "text", default=""),
                Column("reason", "note", ("source", "target")),
            ),
            key=("context", "goes", "comes"),
        ),
        Table(
            "amounts/densities.tsv",
            (Column("food", "food"), Column("grams", "number"), Column("how", "text", default="spooned")),
            key=("food",),
            replaces=True,
        ),
        Table(
            "amounts/pieces.tsv",
            (Column("food", "food"), Column("unit", "words"), Column("amount", "measure")),
            key=("food", "unit"),
        ),
        Table(
            "amounts/swaps.tsv",
            (
                Column("instead of", "food"),
                Column("amount", "measure"),
                Column("use", "food"),
                Column("this much", "measure", ("-",)),
                _USES,
                Column("only with", "flag", default=""),
                Column("lacks", "text", default=""),
                Column("prepare", "text", default=""),
                Column("note", "note", default=""),
                Column("note in baking", "note", default=""),
                Column("method", "note", default=""),
                Column("method in baking", "note", default=""),
            ),
            key=("instead of", "use", "in"),
            unless="amount",
            replaces=True,
        ),
        Table(
            "amounts/mixtures.tsv",
            (
                Column("instead of", "food"),
                Column("amount", "measure"),
                Column("use", "parts"),
                _USES,
                Column("not for", "text", default=""),
                Column("note", "text", default=""),
            ),
            key=("instead of", "use", "in"),
            replaces=True,
        ),
        Table(
            "amounts/strong.tsv",
            (Column("food", "food"), Column("most grams per serving", "number")),
            key=("food",),
            replaces=True,
        ),
        Table(
            "effects/tastes.tsv",
            (Column("taste", "choice", _TASTES), Column("level", "choice", ("1", "2", "3")), Column("foods", "foods")),
            key=("taste", "foods"),
            together=("taste", "level"),
        ),
        Table(
            "effects/techniques.tsv",
            (
                # When a food is done is a matter of safety, so those rows are ours alone.
                Column("kind", "choice", ("technique", "timing", "unfit", "done"), only_ours=("done",)),
                Column("verbs", "words"),
                Column("from", "foods", ("any",)),
                Column("to", "foods", ("any",)),
                Column("note", "note", ("source", "target")),
                Column("instead", "text", default=""),
            ),
        ),
        Table(
            "swapping/standbys.tsv",
            (Column("instead of", "food"), Column("take", "foods")),
            key=("instead of", "take"),
            together=("instead of",),
        ),
    )
}


class Line(NamedTuple):
    """A heading or a row, as it is written."""

    number: int
    cells: list[str]


class Problem(NamedTuple):
    """What is wrong with one line of a file."""

    file: str
    line: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.sentence}"


def read_table(name: str) -> list[list[str]]:
    """Read the rows of a table, named from the package's folder ("foods/kinds.tsv"), the user's own first."""
    return _read(name)[1]


def read_rows(name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a table with the names of their columns, the user's own first."""
    heading, rows = _read(name)
    for row in rows:
        yield dict(zip(heading, row, strict=True))


def _read(name: str) -> tuple[tuple[str, ...], list[list[str]]]:
    lines = files("swapchef").joinpath(name).read_text(encoding="utf-8").split("\n")
    written = [line.split("\t") for line in lines if line and line[0] != "#"]
    heading, ours = tuple(written[0]), written[1:]
    theirs = _rows_of_user(name, heading)
    if not theirs:
        return heading, ours
    table = table_of(name, heading)
    if table.replaces:
        places = [heading.index(column) for column in table.key]
        replaced = {tuple(row[place] for place in places) for row in theirs}
        ours = [row for row in ours if tuple(row[place] for place in places) not in replaced]
    return heading, theirs + ours


def _rows_of_user(name: str, heading: tuple[str, ...]) -> list[list[str]]:
    """Read the user's own rows of a table, in the order of our columns."""
    text = user_text(name)
    if text is None:
        return []
    table, lines = table_of(name, heading), lines_of(text)
    for number, sentence in problems_in(table, lines):
        raise unusable(name, number, sentence)
    columns = {column.name: column for column in table.columns}
    place = {column: place for place, column in enumerate(tuple(lines[0].cells))}
    return [
        [line.cells[place[each]] if each in place else columns[each].default or "" for each in heading]
        for line in lines[1:]
    ]


def unusable(name: str, number: int, sentence: str) -> SwapchefError:
    """Return the error for a wrong line of the user's own table."""
    folder = user_folder()
    return SwapchefError(
        f"Cannot use your table {folder and folder / name}, line {number}: {sentence}; "
        f"`swapchef tables check {folder}` lists all that is wrong."
    )


def user_folder() -> Path | None:
    """Return the folder of the user's own tables, if there is one."""
    named = os.environ.get(ENVIRONMENT_VARIABLE)
    if not named:
        return None
    folder = Path(named)
    if not folder.is_dir():
        raise SwapchefError(f"{ENVIRONMENT_VARIABLE} is {named!r}, which is no folder; make it one, or unset it.")
    return folder


def user_text(name: str) -> str | None:
    """Return the text of the user's own table of a name, or None where they have none."""
    folder = user_folder()
    return None if folder is None else text_of(folder / name)


def text_of(path: Path) -> str | None:
    """Read a file that anybody may have made, or return None where there is none."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SwapchefError(f"{path} is no ordinary file; put a table in its place, or remove it.")
        if status.st_size > _MOST_BYTES:
            raise SwapchefError(f"{path} is larger than {_MOST_BYTES // 1_000_000} MB; a table has to be smaller.")
        data = path.read_bytes()
    except FileNotFoundError:
        if path.is_symlink():
            raise SwapchefError(f"{path} is a link to nothing; mend it, or remove it.") from None
        return None
    except NotADirectoryError:
        return None
    except OSError as error:
        raise SwapchefError(f"Cannot read {path} ({error.strerror or error}); mend it, or remove it.") from None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise SwapchefError(f"{path}, line {number}: this is not UTF-8; save the table as UTF-8 text.") from None
    if "\0" in text:
        number = text.count("\n", 0, text.index("\0")) + 1
        raise SwapchefError(f"{path}, line {number}: this is not text; save the table as UTF-8 text.")
    return text


def lines_of(text: str) -> list[Line]:
    """Cut a text into heading and rows, without comments and empty lines."""
    return [
        Line(number, line.split("\t"))
        for number, line in enumerate(text.split("\n"), start=1)
        if line and not line.startswith("#")
    ]


def table_of(name: str, heading: tuple[str, ...]) -> Table:
    """Return what is known of a table; of one that is not registered, that its columns hold text."""
    return TABLES.get(name) or Table(name, tuple(Column(column, "text") for column in heading))


def problems_in(table: Table, lines: list[Line], are_ours: bool = False) -> Iterator[tuple[int, str]]:
    """Yield what makes lines unreadable, each with its number; whether their foods exist is not asked."""
    if not lines:
        yield 1, "there is no heading"
        return
    heading, columns = tuple(lines[0].cells), {column.name: column for column in table.columns}
    wrong = _problem_of_heading(table, heading)
    if wrong:
        yield lines[0].number, wrong
        return
    for number, cells in lines[1:]:
        if len(cells) != len(heading):
            yield number, f"the row has {len(cells)} cells, and the heading names {len(heading)} columns"
            continue
        for name, cell in zip(heading, cells, strict=True):
            if problem := _problem_of_cell(columns[name], cell, are_ours):
                yield number, f"in the column {name!r}, {problem}"


def _problem_of_heading(table: Table, heading: tuple[str, ...]) -> str:
    names = [column.name for column in table.columns]
    for place, name in enumerate(heading):
        if name not in names:
            return f"the heading names a column {shortened(name)}, and there are only {', '.join(names)}"
        if name in heading[:place]:
            return f"the heading names the column {name!r} twice"
    missing = [column.name for column in table.columns if column.default is None and column.name not in heading]
    return f"the heading does not name the column {missing[0]!r}" if missing else ""


# Patterns for users' tables; `re` compiles them when one is first read, for that takes longer than reading ours.
_NUMBER = r"""
    (?= [^/a-z]* [1-9])            # above zero
    (?: [0-9]{0,4} \. [0-9]{1,3}   # 0.25
    | (?: [0-9]{1,4}[ ] )? [0-9]{1,4} / [1-9] [0-9]?  # 1/2, 1 1/2
    | [0-9]{1,4} )
"""
_MEASURE = rf"(?x) {_NUMBER} (?: [ ] [a-z]+ ){{0,2}}  # with a unit of at most two words"
_PART = rf"(?x) {_NUMBER} [ ] [a-z] [^{{}}]*  # with a food, or a unit and a food"
_IN_NOTE = rf"""(?x)
    {_NUMBER} [ ] [a-z] [^{{}}]*?
    (?: [ ] per [ ] (?: {_NUMBER} [ ] )? [a-z]+ (?: [ ] [a-z]+ )? )?  # for every "cup" or "1/2 cup"
"""
_DECIMAL = r"(?=.*[1-9])[0-9]{1,4}(?:\.[0-9]{1,3})?"
_BRACES = r"\{([^{}]*)\}"
_CONTROL = r"[\x00-\x1f\x7f\u2028\u2029\\]"
_MAY_BE_EMPTY = frozenset({"text", "note", "flag"})


def _problem_of_cell(column: Column, cell: str, are_ours: bool) -> str:
    """Say why a cell cannot be read as what its column holds; "" where it can."""
    if not cell:
        return "" if column.holds in _MAY_BE_EMPTY else "nothing is written"
    if re.search(_CONTROL, cell):
        return "there is a control character or a backslash"
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return "the cell is in quotation marks; save the table without them"
    if not are_ours and cell in column.only_ours:
        return f"only swapchef's own table may say {cell}"
    if cell in column.words:
        return ""
    return _problem_by_content(column, cell)


def _problem_by_content(column: Column, cell: str) -> str:
    shown = shortened(cell)
    match column.holds:
        case "choice":
            return f"{shown} is none of {', '.join(column.words)}"
        case "flag" if cell != "yes":
            return f"{shown} is neither yes nor empty"
        case "number" if not re.fullmatch(_DECIMAL, cell):
            return f"{shown} is no number above zero"
        case "measure" if not re.fullmatch(_MEASURE, cell):
            return f"{shown} is no amount such as '1 1/2 cup', '2' or '1 part'"
        case "parts" if not all(re.fullmatch(_PART, part) for part in cell.split(" + ")):
            return f"{shown} is not made of amounts and foods such as '1 cup milk + 1 tablespoon lemon juice'"
        case "foods" | "members" if not all(name.strip() for name in cell.split(",")):
            return f"a food is missing before or after a comma in {shown}"
        case "foods" | "members" if re.search(r",(?! \S)|\s,", cell):
            return f"foods are parted by a comma and one space, unlike in {shown}"
        case "words" if not all(word.strip() for word in cell.split("/")):
            return f"a word is missing before or after a slash in {shown}"
        case "note":
            return _problem_of_note(column, cell)
    return ""


def _problem_of_note(column: Column, cell: str) -> str:
    for inside in re.findall(_BRACES, cell):
        if column.words and inside not in column.words:
            return f"braces hold one of {', '.join(column.words)}, not {shortened(inside)}"
        if not column.words and not re.fullmatch(_IN_NOTE, inside):
            return f"braces hold an amount such as '{{1/4 cup milk}}', not {shortened(inside)}"
    return "a brace stands alone" if re.search(r"[{}]", re.sub(_BRACES, "", cell)) else ""


def shortened(text: str) -> str:
    """Quote a text, or its beginning where it is long."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")
