"""The tables of facts: ours are clean, broken ones are told by file and line, a user's own weaken nothing."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swapchef.effects.techniques import technique_rows
from swapchef.foods import food_table, reading
from swapchef.foods.food_table import extended, our_table, problems_of, sections_of
from swapchef.foods.kinds import kinds_of
from swapchef.foods.matching import Vocabulary
from swapchef.tables import ENVIRONMENT_VARIABLE, TABLES, read_rows, read_table
from swapchef.tables_check import check_tables

ROOT = Path(__file__).parents[1]
SWAPS = "instead of\tamount\tuse\tthis much"
TECHNIQUES = "kind\tverbs\tfrom\tto\tnote\tinstead"


def written(folder: Path, **texts: str) -> Path:
    """Write tables, named like `amounts_swaps` for amounts/swaps.tsv."""
    for name, text in texts.items():
        room, _, table = name.partition("_")
        path = folder / room / (f"{table}.txt" if name == "foods_foods" else f"{table}.tsv")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def run(*arguments: str, tables: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run swapchef in a process of its own, with a user's tables if there are any."""
    environment = {key: value for key, value in os.environ.items() if key != ENVIRONMENT_VARIABLE}
    if tables is not None:
        environment[ENVIRONMENT_VARIABLE] = str(tables)
    command = [sys.executable, "-c", "from swapchef.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


# Ours


def test_our_tables_are_clean() -> None:
    report = check_tables()
    assert [str(problem) for problem in report.problems] == []
    assert report.tables >= 10
    assert report.rows >= 4000


def test_the_command_counts_and_finds_nothing_wrong() -> None:
    done = run("tables", "check")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(" rows, nothing wrong\n")


def test_rows_are_read_by_the_names_of_their_columns() -> None:
    assert next(read_rows("foods/kinds.tsv"))["kind"] == read_table("foods/kinds.tsv")[0][0]
    assert {row["kind"] for row in read_rows("effects/techniques.tsv")} == {"technique", "timing", "unfit", "done"}


def test_registered_columns_are_found_in_our_headings() -> None:
    for name in TABLES:
        if (Path(food_table.__file__).parents[1] / name).exists():
            assert next(read_rows(name)).keys() <= {column.name for column in TABLES[name].columns}, name


def test_a_list_that_goes_on_in_the_next_row_is_one_list() -> None:
    assert sum(kind == "any oil" for kind, _ in read_table("foods/kinds.tsv")) > 1
    assert "any oil" in kinds_of("walnut oil")
    assert "any oil" not in kinds_of("sesame oil")
    eggs = [row for row in technique_rows() if row.note.startswith("The step needs a whole egg")]
    assert len(eggs) == 1
    assert all(eggs[0].verbs.search(verb) for verb in ("Poach", "hard-boiled", "deviled", "baked eggs"))


# One broken table for each kind of error


BROKEN = [
    (
        "amounts_swaps",
        f"{SWAPS}\nbutter\t1 cup\tlard",
        "amounts/swaps.tsv:2: the row has 3 cells, and the heading names 4 columns",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\nbutter\t1 cup\tlard\t1 cup\t",
        "amounts/swaps.tsv:2: the row has 5 cells, and the heading names 4 columns",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\nbuttr\t1 cup\tlard\t1 cup",
        "amounts/swaps.tsv:2: I know no food 'buttr'; did you mean butter?",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\nany buter\t1 cup\tlard\t1 cup",
        "amounts/swaps.tsv:2: I know no kind 'any buter'; did you mean any butter?",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\nbutter\ta lot\tlard\t1 cup",
        "amounts/swaps.tsv:2: in the column 'amount', 'a lot' is no amount such as '1 1/2 cup', '2' or '1 part'",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\nbutter\t1/0 cup\tlard\t1 cup",
        "amounts/swaps.tsv:2: in the column 'amount', '1/0 cup' is no amount such as '1 1/2 cup', '2' or '1 part'",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\nbutter\t0 cup\tlard\t1 cup",
        "amounts/swaps.tsv:2: in the column 'amount', '0 cup' is no amount such as '1 1/2 cup', '2' or '1 part'",
    ),
    ("amounts_swaps", f"{SWAPS}\nbutter\t1 firkin\tlard\t1 cup", "amounts/swaps.tsv:2: I know no unit 'firkin'"),
    (
        "amounts_swaps",
        f"{SWAPS}\nbutter\t1 cup\tlard\t",
        "amounts/swaps.tsv:2: in the column 'this much', nothing is written",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\nbutter\t1 cup\tlard\t1 cup\nbutter\t1 cup\tlard\t1 cup",
        "amounts/swaps.tsv:3: the row is the same as line 2",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\nbutter\t1 cup\tlard\t1 cup\nbutter\t1 cup\tlard\t2 cup",
        "amounts/swaps.tsv:3: the row says of 'butter' and 'cup' and 'lard' other than line 2 says",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\nbutter \t1 cup\tlard\t1 cup",
        "amounts/swaps.tsv:2: a space stands at an end, or two stand together",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\tnote\nbutter\t1 cup\tlard\t1 cup\t{'Long. ' * 40}",
        "amounts/swaps.tsv:2: a cell has more than 200 characters; write a second row for the rest",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\tin\nbutter\t1 cup\tlard\t1 cup\tboiling",
        "amounts/swaps.tsv:2: in the column 'in', 'boiling' is none of any, baking, frying, raw",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\tonly with\nbutter\t1 cup\tlard\t1 cup\tno",
        "amounts/swaps.tsv:2: in the column 'only with', 'no' is neither yes nor empty",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\tnote\nbutter\t1 cup\tlard\t1 cup\tAdd {{2}}.",
        "amounts/swaps.tsv:2: in the column 'note', braces hold an amount such as '{1/4 cup milk}', not '2'",
    ),
    (
        "amounts_swaps",
        f"{SWAPS}\tcolour\nbutter\t1 cup\tlard\t1 cup\tred",
        "amounts/swaps.tsv:1: the heading names a column 'colour', and there are only instead of, amount",
    ),
    (
        "amounts_swaps",
        "instead of\tuse\nbutter\tlard",
        "amounts/swaps.tsv:1: the heading does not name the column 'amount'",
    ),
    (
        "amounts_swaps",
        "instead of\tinstead of\nbutter\tlard",
        "amounts/swaps.tsv:1: the heading names the column 'instead of' twice",
    ),
    ("amounts_swaps", "# nothing but a comment\n", "amounts/swaps.tsv:1: there is no heading"),
    ("amounts_prices", "food\tprice\nbutter\t3", "amounts/prices.tsv:1: there is no such table; the tables are"),
    (
        "amounts_densities",
        "food\tgrams\nbutter\theavy",
        "amounts/densities.tsv:2: in the column 'grams', 'heavy' is no number above zero",
    ),
    (
        "amounts_densities",
        "food\tgrams\nbutter\t220\nbutter\t227",
        "amounts/densities.tsv:3: the row says of 'butter' other than line 2 says",
    ),
    (
        "amounts_pieces",
        "food\tunit\tamount\negg\twhole/\t50 gram",
        "amounts/pieces.tsv:2: in the column 'unit', a word is missing before or after a slash in 'whole/'",
    ),
    (
        "foods_kinds",
        "kind\tmembers\nany plant mlik\toat drink",
        "foods/kinds.tsv:2: no row uses the new kind 'any plant mlik'; did you mean any plant milk?",
    ),
    (
        "foods_kinds",
        "kind\tmembers\nbuter\toat drink",
        "foods/kinds.tsv:2: I know no food 'buter'; did you mean butter?",
    ),
    (
        "foods_kinds",
        "kind\tmembers\nany oil\t* zorblax oil",
        "foods/kinds.tsv:2: no food that I know is named 'zorblax oil' or ends so",
    ),
    (
        "foods_kinds",
        "kind\tmembers\nany oil\tgoo\nany fat\tlard\nany oil\tgrease",
        "foods/kinds.tsv:4: the row belongs right after line 2, with the others of 'any oil'",
    ),
    (
        "foods_kinds",
        "kind\tmembers\nany oil\tgoo, not goo",
        "foods/kinds.tsv:2: the row says of 'any oil' and 'goo' other than line 2 says",
    ),
    ("foods_kinds", "kind\tmembers\nany oil\tgoo, any oil", "foods/kinds.tsv:2: 'any oil' is in its own list"),
    (
        "foods_kinds",
        "kind\tmembers\nany oil\tgoo,, grease",
        "foods/kinds.tsv:2: in the column 'members', a food is missing before or after a comma in 'goo,, grease'",
    ),
    (
        "foods_kinds",
        'kind\tmembers\nany oil\t"goo, grease"',
        "foods/kinds.tsv:2: in the column 'members', the cell is in quotation marks; save the table without them",
    ),
    (
        "foods_preparations",
        "words\tfoods\nmelted\t@meltables",
        "foods/preparations.tsv:2: there is no row of a group '@meltables'",
    ),
    (
        "effects_tastes",
        "taste\tlevel\tfoods\nsweet\t3\tbutter, lard\nsweet\t2\tlard",
        "effects/tastes.tsv:3: the row says of 'sweet' and 'lard' other than line 2 says",
    ),
    (
        "effects_techniques",
        f"{TECHNIQUES}\nunfit\tfry\tany\tlard\tThe {{food}} burns.\t",
        "effects/techniques.tsv:2: in the column 'note', braces hold one of source, target, not 'food'",
    ),
    (
        "effects_techniques",
        f"{TECHNIQUES}\nunfit\tfry\tany\tlard\tIt burns.\ta\\1",
        "effects/techniques.tsv:2: in the column 'instead', there is a control character or a backslash",
    ),
    (
        "effects_techniques",
        f"{TECHNIQUES}\ndone\tpink\tchicken\tshrimp\tIt is done.\tred",
        "effects/techniques.tsv:2: in the column 'kind', only swapchef's own table may say done",
    ),
    ("swapping_standbys", "instead of\ttake\nbutter\tlard;oil", "swapping/standbys.tsv:2: I know no food 'lard;oil'"),
    ("foods_foods", "milk: goo\n", "foods/foods.txt:1: the row stands before the first section, such as [foods]"),
    (
        "foods_foods",
        "[food]\nmilk: goo\n",
        "foods/foods.txt:1: there is no section 'food', only groups, describing, qualities,"
        " cuts, bound, flavours, heads, foods, claims, families, lookalikes",
    ),
    (
        "foods_foods",
        "[claims]\nmilk: creamy\n",
        "foods/foods.txt:1: the section claims is swapchef's own; yours may be describing, foods, families",
    ),
    ("foods_foods", "[foods]\nmilks: goo\n", "foods/foods.txt:2: there is no content 'milks'"),
    (
        "foods_foods",
        "[foods]\nmilk goo\n",
        "foods/foods.txt:2: there is no colon between what a row says and what of",
    ),
    (
        "foods_foods",
        "[foods]\n> milk: why\n",
        "foods/foods.txt:2: the line goes on with no row before it in its section",
    ),
    (
        "foods_foods",
        "[foods]\nmilk:\n",
        "foods/foods.txt:2: a name is missing after the colon, or before or after a comma",
    ),
    (
        "foods_foods",
        "[foods]\nmilk: Crème\n",
        "foods/foods.txt:2: 'Crème' is not all small letters, digits, spaces and slashes, with commas between names",
    ),
    (
        "foods_foods",
        "[foods]\nmilk: goo\negg: goo\n",
        "foods/foods.txt:3: 'goo' is also in line 2; let it stand in one row",
    ),
    (
        "foods_foods",
        "[foods]\nnothing: butter\n",
        "foods/foods.txt:2: this says nothing of 'butter' that our table does not, and ours stays",
    ),
    (
        "foods_foods",
        "[foods]\nmilk: goo\n> eggs: why\n",
        "foods/foods.txt:2: a reason is about 'eggs', which is neither a content nor a diet",
    ),
    (
        "foods_foods",
        f"[foods]\nmilk: {' '.join(['a/b/c'] * 12)}\n",
        "foods/foods.txt:2: 'a/b/c a/b/c a/b/c a/b/c a/b/c a/b/c a...' stands for more than 1000 names",
    ),
]


@pytest.mark.parametrize(("name", "text", "sentence"), BROKEN, ids=[sentence[:70] for _, _, sentence in BROKEN])
def test_each_kind_of_error_is_told_by_file_and_line(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    problems = [str(problem) for problem in check_tables(written(tmp_path, **{name: text})).problems]
    assert any(problem.startswith(sentence) for problem in problems), problems


def test_the_command_lists_all_problems_and_exits_with_1(tmp_path: Path) -> None:
    folder = written(tmp_path, amounts_swaps=f"{SWAPS}\nbuttr\t1 cup\tlard\ta lot\n", foods_kinds="kind\n")
    done = run("tables", "check", str(folder))
    assert (done.returncode, done.stderr) == (1, "")
    assert [line.partition(": ")[0] for line in done.stdout.splitlines()] == [
        "amounts/swaps.tsv:2",
        "foods/kinds.tsv:1",
        "2 tables, 1 row, 2 problems",
    ]


def test_a_folder_that_is_none_is_refused() -> None:
    done = run("tables", "check", "no/such/folder")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr == "swapchef: no/such/folder is no folder; name one with tables in it, such as amounts/swaps.tsv.\n"
    )
    done = run("suggest", "butter", tables=Path("no/such/folder"))
    assert done.returncode == 2
    assert done.stderr.startswith("swapchef: SWAPCHEF_TABLES is 'no/such/folder', which is no folder;")


# A user's own tables, end to end


OWN = ROOT / "examples" / "tables"


def test_the_example_is_clean() -> None:
    assert str(check_tables(OWN)) == "4 tables, 4 rows, nothing wrong"


def test_a_new_ratio_takes_the_place_of_ours() -> None:
    before = run("suggest", "buttermilk", "--recipe", "examples/pancakes.md", "--top", "1").stdout
    after = run("suggest", "buttermilk", "--recipe", "examples/pancakes.md", "--top", "1", tables=OWN).stdout
    assert "1 1/2 cups" in before.splitlines()[4]
    assert "2 cups" in after.splitlines()[4]
    assert "yogurt: Ours is thin as it is; add 2 teaspoons lemon juice." in after


def test_a_new_technique_is_noted() -> None:
    swap = ("swap", "examples/pancakes.md", "buttermilk", "--with", "yogurt")
    note = "Beat the yogurt smooth before it meets the flour."
    assert note not in run(*swap).stderr
    assert note in run(*swap, tables=OWN).stderr


def test_a_new_food_is_measured_and_judged_like_its_kind() -> None:
    swap = ("swap", "examples/pancakes.md", "buttermilk", "--with", "barista oat drink")
    assert "(a guess)" in run(*swap).stderr
    done = run(*swap, tables=OWN)
    assert "Stir in 2 tablespoons lemon juice or vinegar." in done.stderr
    assert "(a guess)" not in done.stderr
    refused = run(*swap, "--diet", "gluten", tables=OWN)
    assert refused.returncode == 2
    assert "barista oat drink contains gluten" in refused.stderr


def test_a_users_row_wins_over_ours_whatever_unit_it_is_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ours = [row for row in read_table("amounts/swaps.tsv") if (row[0], row[2]) == ("butter", "olive oil")]
    folder = written(
        tmp_path,
        amounts_swaps="use\tthis much\tinstead of\tamount\nolive oil\t1/2 part\tbutter\t1 part\n",
        amounts_densities="food\tgrams\thow\nbutter\t200\tsolid\n",
        amounts_pieces="food\tunit\tamount\nbutter\tstick\t1/4 cup\n",
        effects_tastes="taste\tlevel\tfoods\nsweet\t1\tsugar\n",
    )
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, str(folder))
    rows = [row for row in read_table("amounts/swaps.tsv") if (row[0], row[2]) == ("butter", "olive oil")]
    assert rows[0][:5] == ["butter", "1 part", "olive oil", "1/2 part", "any"]
    assert rows[1:] == [row for row in ours if row[4] != "any"]
    assert [row for row in read_table("amounts/densities.tsv") if row[0] == "butter"] == [["butter", "200", "solid"]]
    assert read_table("amounts/pieces.tsv")[0] == ["butter", "stick", "1/4 cup"]
    code = (
        "from swapchef.amounts.measures import convert; from swapchef.effects.tastes import _level\n"
        "print(convert(1, 'cup', 'gram', 'butter'), convert(2, 'stick', 'cup', 'butter'), _level('sweet', 'sugar'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "200.0 0.5 1\n"


def test_a_bad_table_is_one_sentence_with_file_and_line(tmp_path: Path) -> None:
    folder = written(tmp_path, amounts_swaps=f"{SWAPS}\n# a comment\nbutter\ta lot\tlard\t1 cup\n")
    done = run("suggest", "butter", "--recipe", "examples/pancakes.md", tables=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"swapchef: Cannot use your table {folder}/amounts/swaps.tsv, line 3: in the column 'amount', 'a lot' is no "
        f"amount such as '1 1/2 cup', '2' or '1 part'; `swapchef tables check {folder}` lists all that is wrong.\n"
    )


# Files that are no tables


def binary(path: Path) -> str:
    path.write_bytes(b"\x7fELF\0\0\0\n")
    return "line 1: this is not text; save the table as UTF-8 text."


def wrong_encoding(path: Path) -> str:
    path.write_bytes("kind\tmembers\nany cheese\tfromage frais léger\n".encode("latin-1"))
    return "line 2: this is not UTF-8; save the table as UTF-8 text."


def huge(path: Path) -> str:
    path.write_bytes(b"#" * 5_000_001)
    return "is larger than 5 MB; a table has to be smaller."


def symlink_loop(path: Path) -> str:
    path.symlink_to(path.name)
    return "(Too many levels of symbolic links); mend it, or remove it."


def link_to_nothing(path: Path) -> str:
    path.symlink_to("nowhere.tsv")
    return "is a link to nothing; mend it, or remove it."


def device(path: Path) -> str:
    path.symlink_to("/dev/zero")
    return "is no ordinary file; put a table in its place, or remove it."


def pipe(path: Path) -> str:
    os.mkfifo(path)
    return "is no ordinary file; put a table in its place, or remove it."


def folder_of_that_name(path: Path) -> str:
    path.mkdir()
    return "is no ordinary file; put a table in its place, or remove it."


def test_a_table_of_foods_in_its_former_place_is_not_ignored(tmp_path: Path) -> None:
    (tmp_path / "limits").mkdir()
    (tmp_path / "limits" / "foods.txt").write_text("[foods]\nmilk: goo\n", encoding="utf-8")
    ran = run("check", "examples/pancakes.md", "--diet", "vegan", tables=tmp_path)
    assert ran.returncode == 2
    assert "Your table limits/foods.txt is read from foods/foods.txt now: move it there." in ran.stderr


@pytest.mark.parametrize("name", ["foods/kinds.tsv", "foods/foods.txt"])
@pytest.mark.parametrize(
    "make", [binary, wrong_encoding, huge, symlink_loop, link_to_nothing, device, pipe, folder_of_that_name]
)
def test_a_hostile_file_gets_one_sentence(tmp_path: Path, make: Callable[[Path], str], name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir()
    sentence = make(path)
    problems = [problem for problem in check_tables(tmp_path).problems if "no such table" not in problem.sentence]
    assert [problem.file for problem in problems] == [name]
    assert problems[0].sentence.endswith(sentence)
    done = run("check", "examples/pancakes.md", "--diet", "vegan", tables=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"swapchef: {path}" if sentence[0] != "(" else f"swapchef: Cannot read {path}")
    assert done.stderr.endswith(f"{sentence}\n")


def test_a_table_from_a_spreadsheet_on_windows_reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = written(tmp_path, foods_kinds="").joinpath("foods/kinds.tsv")
    path.write_bytes(b"\xef\xbb\xbfkind\tmembers\r\nany plant milk\toat drink\r\n")
    assert check_tables(tmp_path).problems == ()
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, str(tmp_path))
    assert read_table("foods/kinds.tsv")[0] == ["any plant milk", "oat drink"]


# What a user says of contents weakens nothing


NAMES = Vocabulary.load().names


def everything_harmless(section: str) -> food_table.FoodTable:
    """Add a hostile table to ours that calls every name and part of a name harmless, where that is accepted."""
    words = [name.split() for name in (*our_table().rows, *NAMES)]
    ends = [(each, start, end) for each in words for end in range(len(each) + 1) for start in range(end)]
    rows = [f"nothing: {part}" for part in sorted({" ".join(each[start:end]) for each, start, end in ends})]
    accepted = [row for row in rows if not any(problems_of(f"[{section}]\n{row}\n", are_ours=False))]
    return extended(our_table(), sections_of("\n".join([f"[{section}]", *accepted])))


HOSTILE = {section: everything_harmless(section) for section in ("foods", "describing")}


def weakened(name: str, section: str) -> list[str]:
    """Return the contents that make a food unsafe, and no longer do so, or less surely, with the hostile table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "food_table", our_table)
        before = reading.read_name.__wrapped__(name).contents
        patch.setattr(reading, "food_table", lambda: HOSTILE[section])
        after = reading.read_name.__wrapped__(name).contents
    unsafe = {content: trace.level for content, trace in before.items() if trace.level > food_table.UNCLEAR}
    return [content for content, level in unsafe.items() if content not in after or after[content].level < level]


def test_the_hostile_tables_are_large() -> None:
    assert len(HOSTILE["foods"].rows) > len(our_table().rows) + 4000
    assert len(HOSTILE["describing"].rows) > len(our_table().rows) + 500


@pytest.mark.parametrize("section", HOSTILE)
def test_no_user_table_makes_an_unsafe_food_safe(section: str) -> None:
    assert [name for name in (*NAMES, *our_table().rows) if weakened(name, section)] == []


CLAIMS = ["vegan", "dairy free", "egg free", "meatless", "gluten free", "nut free", "vegetarian"]
PIECES = st.one_of(
    st.sampled_from(NAMES),
    st.sampled_from(sorted(our_table().rows)),
    st.sampled_from(CLAIMS),
    st.sampled_from(["and", "with", ","]),
)


@given(st.lists(PIECES, min_size=1, max_size=5), st.sampled_from(sorted(HOSTILE)))
def test_no_user_table_makes_an_unsafe_text_safe(pieces: list[str], section: str) -> None:
    assert weakened(" ".join(pieces), section) == []


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("[describing]\nwords: peanut", "'peanut' has a food in it, so it cannot only describe one"),
        ("[describing]\nwords: butter style", "'butter style' has a food in it, so it cannot only describe one"),
        (
            "[foods]\nnothing: vegan acme cheese",
            "'vegan acme cheese' holds a claim such as 'vegan', which is understood by",
        ),
        ("[foods]\nnothing: acme and milk", "'acme and milk' has 'and' in it, which parts one food from the next"),
        ("[foods]\nnothing: fresh", "'fresh' is a describing word of ours"),
        ("[claims]\nmilk: creamy", "the section claims is swapchef's own"),
        ("[lookalikes]\npea: peanut", "the section lookalikes is swapchef's own"),
        ("[groups]\nanything: milk", "the section groups is swapchef's own"),
    ],
)
def test_what_could_take_something_back_is_refused(row: str, sentence: str) -> None:
    assert next(problem for _, problem in problems_of(f"{row}\n", are_ours=False)).startswith(sentence)


def test_a_user_adds_foods_contents_words_and_families(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        foods_foods="[foods]\nnothing: peanut butter, acme peanut bar, frobnicate\n"
        "sesame?: carrots\n> sesame: our carrots are rolled in sesame\n"
        "[describing]\nmakers: acme\n[families]\ncarrots: frobnicate\n",
    )
    code = (
        "from swapchef.limits.diets import avoids, verdict\n"
        "for name, facet in (('peanut butter', 'peanut'), ('acme peanut bar', 'peanut'), ('frobnicates', 'milk'),"
        " ('carrot', 'sesame'), ('carrot', 'milk'), ('acme apple', 'egg'), ('acme butter', 'milk')):\n"
        "    print(verdict(name, facet).status, verdict(name, facet).rule)\n"
        "print(avoids('frobnicate', 'carrot'), avoids('apple', 'carrot'))"
    )
    environment = {**os.environ, ENVIRONMENT_VARIABLE: str(folder)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "unsafe peanut butter contains peanuts",
        "unsafe acme peanut bar contains peanuts",
        "safe frobnicates contains no milk",
        "unsafe our carrots are rolled in sesame",
        "safe carrot contains no milk",
        "safe apple contains no egg",
        "unsafe butter contains milk",
        "True False",
    ]
