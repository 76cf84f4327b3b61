"""Names of a corpus: the same are one, the rare go to the closest, and every name is accounted for."""

import csv
import json
from pathlib import Path

import pytest

from swapchef.engines import EngineSettings
from swapchef.errors import DataError
from swapchef.foods.matching import Vocabulary
from swapchef.mining.names import BuiltVocabulary, build_vocabulary, merge_names, name_of, write_report

COUNTS = {
    "tomato": 40, "tomatoes": 60, "breadcrumbs": 20, "bread crumbs": 12, "yogurt": 30, "yoghurt": 3, "salt": 90,
    "pepper": 80,
    "salt and pepper": 25, "mozzarella cheese": 30, "mozzarela cheese": 2, "organic vine tomato": 1,
    "fresh parsley": 30,
    "parsley": 15, "chilled butter": 20, "butter": 300, "tomato leaf thing": 1, "zzyzx": 1, "green": 40,
    "figs in pepper": 2, "figs": 12,
}  # fmt: skip


def fate(built: BuiltVocabulary, name: str) -> tuple[str, str]:
    (merge,) = [merge for merge in built.merges if merge.name == name]
    return merge.into, merge.how


@pytest.mark.parametrize(
    ("name", "into", "how"),
    [
        ("tomato", "tomato", "kept"),
        ("tomatoes", "tomato", "same"),
        ("bread crumbs", "breadcrumbs", "same"),
        ("yoghurt", "yogurt", "same"),
        ("mozzarela cheese", "mozzarella cheese", "spelling"),
        ("salt and pepper", "salt + pepper", "list"),
        ("organic vine tomato", "tomato", "ends in it"),
        ("chilled butter", "butter", "described"),
        ("fresh parsley", "fresh parsley", "kept"),  # more common than parsley: a name of its own
        ("figs in pepper", "figs", "ends in it"),
        ("tomato leaf thing", "tomato", "has it inside"),
        ("zzyzx", "", "left out"),
        ("green", "", "left out"),  # no food, however often it is said
    ],
)
def test_a_name_goes_where_it_belongs(name: str, into: str, how: str) -> None:
    assert fate(merge_names(COUNTS, 10), name) == (into, how)


def test_every_name_is_accounted_for_once() -> None:
    built = merge_names(COUNTS, 10)
    assert sorted(merge.name for merge in built.merges) == sorted(COUNTS)
    assert sum(built.fates().values()) == len(COUNTS)
    assert built.covered() == pytest.approx(1 - 41 / sum(COUNTS.values()))


@pytest.mark.parametrize(
    ("line", "name"),
    [("2 cups Tomatoes, diced", "tomatoes"), ("Special equipment: a wok", ""), ("", ""), ("1 1/2 cups", "")],
)
def test_a_line_has_one_name_or_none(line: str, name: str) -> None:
    assert name_of(line) == name


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    path = tmp_path / "recipes.jsonl"
    rows = [{"ingredients": ["2 tomatoes", "1 tomato", {"text": "1 cup sugar"}, "Equipment: pan"]}] * 5
    path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, {"title": "none"}]))
    return path


@pytest.mark.parametrize("processes", [1, 2])
def test_recipes_become_a_vocabulary_that_loads_again(collection: Path, tmp_path: Path, processes: int) -> None:
    built, read = build_vocabulary([collection], 5, EngineSettings(processes=processes))
    assert read == {"records": 6, "lines": 20, "lines without a name": 5}
    built.vocabulary.save(tmp_path / "vocabulary.json")
    again = Vocabulary.load(tmp_path / "vocabulary.json")
    assert again.names == ("sugar", "tomato")
    assert again.require("Tomatoes").id == 1
    write_report(built, tmp_path / "report.csv")
    rows = list(csv.DictReader((tmp_path / "report.csv").read_text().splitlines()))
    assert {"name": "tomatoes", "count": "5", "into": "tomato", "how": "same"} in rows


def test_recipes_without_ingredients_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"title": "air"}\n')
    with pytest.raises(DataError, match="no ingredient lines"):
        build_vocabulary([tmp_path / "in.jsonl"])
