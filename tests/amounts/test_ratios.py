"""The tables of ratios: every row, and which row is found for two foods, a unit and a use."""

import re
from fractions import Fraction

import pytest

from swapchef.amounts import ratios
from swapchef.amounts.measures import dimension, grams_per_cup, parse_measure
from swapchef.amounts.ratios import (
    SAME_FOOD,
    Part,
    Ratio,
    find_ratio,
    is_only_part,
    mixtures_of,
    parse_part,
    worded,
)
from swapchef.amounts.uses import Use
from swapchef.foods.kinds import kinds_of
from swapchef.foods.matching import Vocabulary
from swapchef.recipes import Amount, Measure
from swapchef.recipes.units import UNITS
from swapchef.tables import read_table

NAMES = frozenset(Vocabulary.load().names)
KINDS: dict[str, list[str]] = {}
for kind, members in read_table("foods/kinds.tsv"):
    KINDS.setdefault(kind, []).extend(members.split(", "))
SWAPS: list[Ratio] = [row for pair in ratios._rows() for row in ratios._ratios(pair)]
MIXTURES = [row for rows in ratios._mixtures().values() for row in rows]


def is_known(name: str) -> bool:
    return name in NAMES or name in KINDS


def label(row: Ratio) -> str:
    return f"{row.source} -> {row.target} ({row.where})"


# The tables


def test_the_tables_are_as_large_as_we_say() -> None:
    concrete = [row for row in SWAPS if not row.source.startswith("any ") and not row.target.startswith("any ")]
    assert len(concrete) >= 700
    assert len(SWAPS) >= 1400
    assert len(MIXTURES) >= 100
    assert len(read_table("amounts/densities.tsv")) >= 300
    assert len(read_table("amounts/pieces.tsv")) >= 200


def test_every_name_in_the_tables_is_an_ingredient_or_a_kind() -> None:
    named = {name for row in SWAPS for name in (row.source, row.target)}
    named |= {name for row in MIXTURES for name in (row.source, *(part.name for part in row.parts))}
    named |= {row[0] for table in ("amounts/densities.tsv", "amounts/pieces.tsv") for row in read_table(table)}
    named |= {kind for kind in KINDS if not kind.startswith("any ")}
    plain = {member for members in KINDS.values() for member in members if not member.startswith(("* ", "not "))}
    assert sorted(name for name in named | plain if not is_known(name)) == []


def test_every_pattern_in_the_kinds_matches_an_ingredient() -> None:
    patterns = {
        m.removeprefix("* ").removeprefix("not ") for ms in KINDS.values() for m in ms if m.startswith(("* ", "not "))
    }
    assert sorted(p for p in patterns if not any(name == p or name.endswith(f" {p}") for name in NAMES)) == []


def test_kinds_are_told_from_ingredients_by_their_names() -> None:
    assert not any(name.startswith("any ") for name in NAMES)
    assert all(kind.startswith("any ") or kind in NAMES for kind in KINDS)


def test_no_food_belongs_to_itself_or_to_endless_kinds() -> None:
    assert all(kind not in members for kind, members in KINDS.items())
    assert max(len(kinds_of(name)) for name in NAMES) <= 16


def test_every_row_is_well_formed() -> None:
    assert [label(row) for row in SWAPS if row.where not in {"any", "baking", "frying", "raw"}] == []
    assert [label(row) for row in SWAPS if row.by and not min(row.replaced.amount.low, row.by.amount.low) > 0] == []
    assert [label(row) for row in SWAPS if row.by and row.is_by_part != (row.by.unit == "part")] == []
    units = {unit for row in SWAPS for unit in (row.replaced.unit, row.by.unit if row.by else "")}
    assert units <= {*UNITS.values(), "", "part"}


def test_every_note_is_a_short_sentence() -> None:
    notes = {text for row in SWAPS for text in (row.note, row.method) if text}
    assert sorted(text for text in notes if not (text[0].isupper() and text.endswith(".") and len(text) <= 160)) == []


def test_every_row_is_found_for_its_own_foods() -> None:
    uses = {"any": None, "baking": "baking", "frying": "frying", "raw": "raw"}
    hidden = [row for row in SWAPS if find_ratio(row.source, row.target, row.replaced.unit, uses[row.where]) != row]
    assert [label(row) for row in hidden] == []


def test_amounts_in_notes_read_as_amounts() -> None:
    for row in SWAPS:
        for found in re.finditer(r"\{([^}]*)\}", row.note + row.method):
            said, _, basis = found[1].partition(" per ")
            part = ratios.parse_part(said)
            assert part.measure.amount.low > 0, found[0]
            assert part.name in {*NAMES, ""}, found[0]
            assert basis == "" or dimension(parse_measure(basis).unit) != "piece", found[0]


def test_foods_that_rows_measure_by_the_cup_have_a_weight() -> None:
    by_cup = {
        name
        for row in SWAPS
        if row.by and not row.is_by_part
        for name, measure in ((row.source, row.replaced), (row.target, row.by))
        if measure.unit == "cup"
    }
    unknown = {name for name in by_cup if grams_per_cup(name) is None}
    assert unknown == {"brown sugar substitute"}  # brands differ by a factor of five


def test_every_combination_is_well_formed() -> None:
    assert [row.source for row in MIXTURES if len(row.parts) < 2 and row.source != "superfine sugar"] == []
    assert [row.source for row in MIXTURES if row.where not in {"any", "baking"}] == []
    assert [row.source for row in MIXTURES if row.source in {part.name for part in row.parts}] == []
    assert [row.note for row in MIXTURES if row.note and not (row.note[0].isupper() and row.note.endswith("."))] == []


# Which row is found, in a table whose rows are on one page


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("source", "target", "unit", "use", "by"),
    [
        ("butter", "gunk", "cup", None, "1/2 cup"),
        ("butter", "gunk", "cup", "baking", "1/4 cup"),  # the row for the use beats that for any
        ("butter", "gunk", "cup", "frying", "1/2 cup"),
        ("unsalted butter", "gunk", "cup", "baking", "1/4 cup"),
        ("margarine", "gunk", "cup", "baking", "1 cup"),  # of its kind
        ("butter", "glue", "cup", None, "1/2 cup"),  # the closest, where nothing tells the use
        ("butter", "glue", "cup", "raw", "1/2 cup"),
        ("butter", "glue", "cup", "frying", "1 cup"),  # a wider kind, where the closest holds elsewhere only
        ("butter", "glue", "cup", "baking", "2 cup"),
        ("margarine", "glue", "cup", "raw", "1 cup"),  # none holds: the closest of those known elsewhere
        ("zorb", "rubble", "gram", None, "150 gram"),
        ("zorb", "rubble", "pound", "raw", "150 gram"),
        ("zorb", "rubble", "teaspoon", None, "2 cup"),
        ("zorb", "rubble", "liter", "baking", "2 cup"),
    ],
)
def test_the_closest_row_is_found(source: str, target: str, unit: str, use: Use | None, by: str) -> None:
    row = find_ratio(source, target, unit, use)
    assert row is not None
    assert row.by == parse_measure(by)


@pytest.mark.usefixtures("made_up")
def test_a_food_is_itself_and_a_stranger_has_no_row() -> None:
    assert find_ratio("zorb", "zorb") is SAME_FOOD
    assert find_ratio("unsalted butter", "salted butter") is SAME_FOOD
    assert find_ratio("zorb", "butter") is None
    assert find_ratio("gunk", "butter") is None  # a row holds in one direction
    assert find_ratio("cherry pie filling", "blueberry pie filling") is not SAME_FOOD  # of one kind, but two foods


@pytest.mark.usefixtures("made_up")
def test_a_row_is_read_with_all_its_columns() -> None:
    row = find_ratio("flume", "dust", "cup")
    assert row == Ratio(
        "flume",
        Measure(Amount(Fraction(1)), "cup"),
        "dust",
        Measure(Amount(Fraction(3, 4)), "cup"),
        "any",
        note="Stir in {1/4 cup water}.",
        baking_note="Add {1 teaspoon salt per cup}.",
        method="Wait.",
        baking_method="Bake it.",
    )
    mote, powder, vapor = (find_ratio("flume", name) for name in ("mote", "powder", "vapor"))
    assert mote is not None
    assert (mote.where, mote.lacks, mote.prepare) == ("baking", ("binding", "lifting"), "sifted")
    assert powder is not None
    assert powder.only_with
    assert vapor is not None
    assert (vapor.by, vapor.only_with, vapor.lacks) == (None, False, ())


@pytest.mark.usefixtures("made_up")
def test_what_a_row_says_of_itself() -> None:
    rows = [find_ratio("flume", name) for name in ("dust", "glop", "vapor")]
    assert [row and row.factor for row in rows] == [0.75, 2.0, 0.0]
    assert [row and row.is_by_part for row in rows] == [False, True, True]
    assert [row and row.is_same_amount for row in rows] == [False, False, False]
    same, two = find_ratio("zorb", "solid"), find_ratio("zorb", "dust")
    assert same is not None
    assert same.is_same_amount
    assert two is not None
    assert two.factor == 0.5  # a cup for two
    one_for_one = Ratio("a", parse_measure("1 cup"), "b", parse_measure("1 cup"))
    assert not one_for_one.is_same_amount  # a cup of it, not whatever the recipe has


@pytest.mark.parametrize(
    ("where", "use", "holds"),
    [
        ("any", None, True),
        ("any", "raw", True),
        ("baking", "baking", True),
        ("baking", "raw", False),
        ("raw", None, True),
    ],
)
def test_where_a_row_holds(where: str, use: Use | None, holds: bool) -> None:
    assert Ratio("a", parse_measure("1"), "b", None, where).holds_in(use) is holds


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("source", "target", "only"),
    [
        ("flume", "drip", True),  # a sixteenth of what is poured
        ("flume", "drop", False),  # an eighth
        ("flume", "powder", True),  # the table says so
        ("dust", "drip", False),  # a sixteenth of what is not poured
        ("flume", "dust", False),
        ("flume", "vapor", False),
        ("flume", "glop", False),
        ("zorb", "flume", False),
        ("zorb", "butter", False),
    ],
)
def test_so_little_of_it_is_only_a_part(source: str, target: str, only: bool) -> None:
    assert is_only_part(source, target) is only


@pytest.mark.usefixtures("made_up")
def test_mixtures_are_those_of_the_food_that_hold_in_the_use() -> None:
    assert [row.names for row in mixtures_of("flume")] == [("water", "dust"), ("water", "dust"), ("zorb", "water")]
    assert [row.where for row in mixtures_of("flume", "baking")] == ["any", "baking"]
    assert [row.where for row in mixtures_of("flume", "frying")] == ["any"]
    assert mixtures_of("rubble") == ()
    first = mixtures_of("flume")[0]
    assert (first.source, first.replaced, first.not_for) == ("flume", parse_measure("1 cup"), ("whipping", "candy"))
    assert (first.note, [part.text for part in first.parts]) == ("Shake.", ["3/4 cup water", "2 tablespoons dust"])
    assert mixtures_of("flume")[1].not_for == ()


@pytest.mark.parametrize(
    ("text", "name", "result"),
    [
        ("1 cup", "sugar", "1 cup sugar"), ("2 cup", "sugar", "2 cups sugar"), ("3", "shallot", "3 shallots"),
        ("1", "shallot", "1 shallot"), ("1/2", "shallot", "1/2 shallot"), ("1 cup", "", "1 cup"),
        ("2 clove", "garlic clove", "2 garlic cloves"),
    ],
)  # fmt: skip
def test_amounts_with_names(text: str, name: str, result: str) -> None:
    assert worded(parse_measure(text), name) == result


@pytest.mark.parametrize(
    ("text", "name", "measure"),
    [
        ("1 1/2 teaspoon baking powder", "baking powder", "1 1/2 teaspoon"), ("2 egg white", "egg white", "2"),
        ("1/4 cup", "", "1/4 cup"), ("3 ounce beef", "beef", "3 ounce"),
    ],
)  # fmt: skip
def test_parts_are_read(text: str, name: str, measure: str) -> None:
    assert parse_part(text) == Part(name, parse_measure(measure))
