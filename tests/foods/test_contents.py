"""The table of foods is consistent with itself, and its names are found in a text."""

import csv
from pathlib import Path

import pytest

from swapchef.foods import food_table as tables
from swapchef.foods import reading
from swapchef.foods.food_table import CONTAINS, MAY, UNCLEAR, food_table, names_of, our_sections, relatives
from swapchef.foods.names import name_stem, name_stems, name_words
from swapchef.foods.reading import read_text
from swapchef.limits.facets import FACETS, FORBIDDEN

HERE = Path(__file__).parent


def test_no_name_stands_in_two_rows() -> None:
    seen: dict[str, str] = {}
    for section in ("describing", "qualities", "cuts", "heads", "foods", "claims"):
        for row in our_sections()[section]:
            for name in set(names_of(row.names)):
                assert name not in seen, f"{name!r} is under {seen[name]!r} and {row.head!r}"
                seen[name] = row.head


def test_rows_speak_only_of_known_contents() -> None:
    known = {content for forbidden in FORBIDDEN.values() for content in forbidden}
    for name, row in food_table().rows.items():
        assert set(row.contents) | set(row.denies) <= known, name
        assert set(row.reasons) <= known | set(FACETS), name


def hidden_contents() -> set[tuple[str, str]]:
    """Return (name, content) for each name that hides a word which contains what the name is said to be free of."""
    rows = food_table().rows
    hidden = set()
    for name, row in list(rows.items()):
        if " " in name and row.role not in {"claim", "describing"}:
            del rows[name]
            without = reading.read_name.__wrapped__(name)
            rows[name] = row
            hidden |= {
                (name, content)
                for content, trace in without.contents.items()
                if trace.level == CONTAINS and row.contents.get(content, 0) < MAY
            }
    return hidden


def test_every_exception_was_looked_at() -> None:
    """A row such as "coconut milk" undoes what "milk" says: each such exception is listed, so none slips in unseen."""
    listed = {
        (row["name"], row["content"])
        for row in csv.DictReader((HERE / "diet_exceptions.csv").read_text(encoding="utf-8").splitlines())
    }
    assert hidden_contents() - listed == set(), "new exceptions: look at each, then add it to diet_exceptions.csv"
    assert listed - hidden_contents() == set(), "no longer exceptions: remove them from diet_exceptions.csv"


def test_every_word_of_the_table_is_found_by_its_own_stem() -> None:
    for name in food_table().rows:
        assert name_stems(name) == tuple(name.split()), name
    for food, members in relatives().families.items():
        assert name_stems(food) == tuple(food.split())
        assert all(name_stem(word) == word for member in members for word in member)
    for food, words in relatives().lookalikes.items():
        assert all(name_stem(word) == word for word in (food, *words))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("anything~ milk egg?", {"milk": CONTAINS, "egg": MAY, "fish": UNCLEAR}),
        ("nothing", {}),
        ("milk milk~", {"milk": UNCLEAR}),  # what comes later overrules
        ("nuts?", {"tree_nuts": MAY, "peanut": MAY}),
    ],
)
def test_contents_are_read(text: str, expected: dict[str, int]) -> None:
    groups = {"anything": ["milk", "egg", "fish"], "nuts": ["tree_nuts", "peanut"]}
    assert tables._contents(text, groups) == expected


def test_names_are_read() -> None:
    assert names_of("olives, soy/soya milk/drink,  black\n    beans") == [
        "olive", "soy milk", "soy drink", "soya milk", "soya drink", "black bean",
    ]  # fmt: skip
    assert names_of("olives, bay leaves") == ["olive", "bay leaf"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Crème fraîche, 2% fat", ["creme", "fraiche", ",", "2", "fat"]),
        ("salt & pepper", ["salt", "and", "pepper"]),
        ("egg-free mayo (vegan)", ["egg", "free", "mayo", "(", "vegan", ")"]),
        ("a/b+c;d:e[f]", ["a", "or", "b", ",", "c", "-", "d", ",", "e", "(", "f", ")"]),
        ("St. Louis*! ribs", ["st", "louis", "ribs"]),
        ("rice – “wild”", ["rice", "-", "wild"]),
        ("rice 🥜", ["rice", "🥜"]),
        ("rice\u200b", ["rice"]),
        ("rice \U0001fadf", ["rice", "\U0001fadf"]),  # unknown to older tables of signs
        ("Reese's®", ["reeses"]),
        ("", []),
    ],
)
def test_words_of_a_name(text: str, expected: list[str]) -> None:
    assert name_words(text) == expected


def test_chilies_are_peppers_and_chili_may_be_a_stew() -> None:
    assert name_stems("chilies") == name_stems("chile") == ("chile",)
    assert name_stems("chili") == ("chili",)


@pytest.mark.parametrize(
    ("stems", "expected"),
    [
        (["coconut", "milk"], [(0, 2)]),
        (["milk", "coconut"], [(0, 1), (1, 2)]),
        (["zorblax", "milk"], [(1, 2)]),
        (["milk", ",", "milk"], [(0, 1), (2, 3)]),
        (["coconut", "butter", "cookie"], [(0, 2), (1, 3)]),  # they overlap, and both count
        ([], []),
    ],
)
def test_the_longest_names_are_found(stems: list[str], expected: list[tuple[int, int]]) -> None:
    assert [(start, end) for start, end, _ in food_table().names_in(stems)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stir the Ricotta into it, vegan or not", ["Ricotta"]),
        ("fresh chopped parsley", ["parsley"]),
        ("coconut milk. Milk", ["coconut milk", "Milk"]),
        ("coconut. milk", ["coconut", "milk"]),
        ("crème fraîche and bœuf", ["crème fraîche"]),
        ("two octopuses", ["octopuses"]),
        ("it is done", []),
    ],
)
def test_foods_in_running_text(text: str, expected: list[str]) -> None:
    assert [text[span.start : span.end] for span in read_text(text).spans] == expected
