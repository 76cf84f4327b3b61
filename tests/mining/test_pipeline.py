"""Files in, tuples out: the same whatever the file, however often it is interrupted, and nothing skipped in silence."""

import csv
import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from swapchef.benchmark import read_split
from swapchef.engines import EngineSettings
from swapchef.errors import DataError, SwapchefError
from swapchef.foods.matching import Vocabulary
from swapchef.mining import pipeline
from swapchef.mining.inputs import read_reviewed
from swapchef.mining.pipeline import mine, split_of

ROWS = [
    {
        "id": f"r{n}",
        "ingredients": ["1 cup sugar", "2 eggs"],
        "comments": ["I used honey instead of sugar. Yum!", "Nice."],
    }
    for n in range(5)
]


def jsonl(path: Path, rows: list[object]) -> Path:
    text = "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return path


def tuples(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "tuples.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("mode", ["paper", "better"])
def test_a_file_becomes_tuples_that_the_benchmark_reads(tmp_path: Path, mode: str) -> None:
    counts = mine(None, jsonl(tmp_path / "in.jsonl.gz", ROWS), mode, tmp_path / "out")
    assert counts["tuples"] == 5
    assert counts["reviews"] == 10
    mined = tuples(tmp_path / "out")
    assert {tuple(row["subs"]) for row in mined} == {("sugar", "honey")}
    assert ROWS[0]["comments"][0][mined[0]["start"] : mined[0]["end"]] == "I used honey instead of sugar."
    split = read_split(tmp_path / "out" / "tuples.jsonl", "train", Vocabulary.load())
    assert len(split) == 5
    from pyarrow import parquet

    assert parquet.read_table(tmp_path / "out" / "tuples.parquet").num_rows == 5


def test_recipes_and_reviews_may_be_two_files_as_food_com_has_them(tmp_path: Path) -> None:
    with (tmp_path / "RAW_recipes.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([["name", "id", "ingredients"], ["cake", "7", "['sugar', 'egg']"], ["air", "8", "[]"]])
    with (tmp_path / "RAW_interactions.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows(
            [
                ["user_id", "recipe_id", "date", "rating", "review"],
                ["1", "7", "2020", "5", "I used honey instead of sugar"],
            ]
        )
    counts = mine(tmp_path / "RAW_recipes.csv", tmp_path / "RAW_interactions.csv", "paper", tmp_path / "out")
    assert counts["tuples"] == 1
    assert counts["recipes without ingredients"] == 1
    assert tuples(tmp_path / "out")[0]["id"] == "7"


def test_recipes_of_a_file_of_their_own_need_an_id_and_ingredients(tmp_path: Path) -> None:
    recipes = [{"ingredients": ["sugar"]}, {"id": "r0"}, {"id": "r1", "ingredients": ["sugar"]}]
    reviews = [{"id": f"r{n}", "review": "I used honey instead of sugar."} for n in (0, 1)]
    counts = mine(
        jsonl(tmp_path / "recipes.jsonl", recipes), jsonl(tmp_path / "in.jsonl", reviews), "paper", tmp_path / "out"
    )
    assert counts["recipes without an id"] == 1
    assert counts["recipes without ingredients"] == 2  # r0 in the one file, and again where it is needed
    assert counts["tuples"] == 1


def test_broken_rows_are_counted_and_skipped(tmp_path: Path) -> None:
    rows = [
        "{not json", "[1]", {"comments": ["x"]}, {"id": 1, "comments": [None, "", 3, "a" * 30_000]},
        {"id": "h", "ingredients": ["sugar"], "comments": ["I used <b>honey</b> instead&nbsp;of sugar."]},
        {"id": "n", "ingredients": 7, "comments": ["I used honey instead of sugar."]}, *ROWS,
    ]  # fmt: skip
    counts = mine(None, jsonl(tmp_path / "in.jsonl", rows), "better", tmp_path / "out")
    assert counts["rows that are not JSON"] == 1
    assert counts["rows that are no objects"] == 1
    assert counts["rows without an id"] == 1
    assert counts["empty reviews"] == 3
    assert counts["reviews over 20,000 characters"] == 1
    assert counts["tuples"] == 7
    assert json.loads((tmp_path / "out" / "report.json").read_text()) == dict(counts)


def test_bytes_that_are_no_text_are_counted_and_do_not_end_a_run(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "in.jsonl", ROWS)
    path.write_bytes(b'{"id": "x", "comments": ["caf\xe9"]}\n' + path.read_bytes())
    counts = mine(None, path, "paper", tmp_path / "out")
    assert counts["tuples"] == 5
    assert counts["reviews with broken characters"] == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_may_be_in_any_unicode(tmp_path: Path, encoding: str) -> None:
    path = jsonl(tmp_path / "in.jsonl", ROWS)
    path.write_text(path.read_text(), encoding=encoding)
    assert mine(None, path, "paper", tmp_path / "out")["tuples"] == 5


def test_a_megabyte_of_review_is_counted_and_skipped_quickly(tmp_path: Path) -> None:
    long = "I used honey instead of sugar. " * 33_000  # 1 MB
    counts = mine(None, jsonl(tmp_path / "in.jsonl", [{**ROWS[0], "comments": [long]}]), "better", tmp_path / "out")
    assert counts["reviews over 20,000 characters"] == 1
    assert counts["tuples"] == 0


def test_half_a_character_can_be_written(tmp_path: Path) -> None:
    row = {
        **ROWS[0],
        "id": "half \ud83d",
        "comments": [{"text": "I used honey instead of sugar.", "user_id": "\ude00"}],
    }
    assert mine(None, jsonl(tmp_path / "in.jsonl", [row]), "better", tmp_path / "out")["tuples"] == 1
    assert tuples(tmp_path / "out")[0]["id"] == "half ?"


def test_rows_of_csv_with_missing_cells_are_counted(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(
        "id,ingredients,review\n1,\"['sugar']\",I used honey instead of sugar\n2,\"['sugar']\"\n3,a,b,c,d\n"
    )
    counts = mine(None, tmp_path / "in.csv", "better", tmp_path / "out")
    assert (counts["rows with too many or too few cells"], counts["tuples"]) == (2, 1)


def test_a_recipe_of_the_benchmark_keeps_its_split(tmp_path: Path) -> None:
    mine(None, jsonl(tmp_path / "in.jsonl", ROWS), "better", tmp_path / "out", splits={"r0": "val", "r1": "test"})
    assert [row["split"] for row in tuples(tmp_path / "out")] == [
        "val",
        "test",
        *(split_of(f"r{n}") for n in (2, 3, 4)),
    ]


def test_how_it_came_out_stands_in_the_tuple(tmp_path: Path) -> None:
    row = {**ROWS[0], "comments": ["I used honey instead of sugar. It came out dry."]}
    mine(None, jsonl(tmp_path / "in.jsonl", [row]), "better", tmp_path / "out")
    assert [(row["verdict"], row["verdict_words"]) for row in tuples(tmp_path / "out")] == [("bad", "came out dry")]


def test_an_interrupted_run_goes_on_and_ends_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "_BATCH", 1)
    source = jsonl(tmp_path / "in.jsonl", ROWS)
    whole = mine(None, source, "better", tmp_path / "whole")
    seen = []

    def stop(_: int) -> None:
        seen.append(1)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mine(None, source, "better", tmp_path / "out", progress=stop)
    assert not (tmp_path / "out" / "tuples.jsonl").exists()
    mined: list[int] = []
    once = pipeline.mine_batch
    monkeypatch.setattr(pipeline, "mine_batch", lambda *given, **named: mined.append(1) or once(*given, **named))
    assert mine(None, source, "better", tmp_path / "out") == whole
    assert len(mined) == 2
    assert (tmp_path / "out" / "tuples.jsonl").read_bytes() == (tmp_path / "whole" / "tuples.jsonl").read_bytes()


def test_several_processes_give_the_same(tmp_path: Path) -> None:
    source = jsonl(tmp_path / "in.jsonl", ROWS)
    mine(None, source, "better", tmp_path / "one")
    mine(None, source, "better", tmp_path / "two", EngineSettings(processes=2))
    assert (tmp_path / "one" / "tuples.jsonl").read_bytes() == (tmp_path / "two" / "tuples.jsonl").read_bytes()


def test_a_vocabulary_of_ones_own_decides_what_is_spotted(tmp_path: Path) -> None:
    row = {"id": "x", "ingredients": ["1 cup sugar"], "comments": ["I used zorbleberry syrup instead of sugar."]}
    source = jsonl(tmp_path / "in.jsonl", [row])
    Vocabulary(["sugar", "zorbleberry_syrup"], {}).save(tmp_path / "vocabulary.json")
    assert mine(None, source, "better", tmp_path / "out", vocabulary=tmp_path / "vocabulary.json")["tuples"] == 1
    assert tuples(tmp_path / "out")[0]["subs"] == ["sugar", "zorbleberry_syrup"]
    with pytest.raises(DataError, match="another run"):
        mine(None, source, "better", tmp_path / "out")
    with pytest.raises(DataError, match="not a swapchef vocabulary"):
        mine(None, source, "better", tmp_path / "new", vocabulary=source)


def test_wrong_input_is_one_sentence(tmp_path: Path) -> None:
    source = jsonl(tmp_path / "in.jsonl", ROWS)
    mine(None, source, "better", tmp_path / "out")
    with pytest.raises(DataError, match="another run"):
        mine(None, source, "paper", tmp_path / "out")
    with pytest.raises(SwapchefError, match="bettter"):
        mine(None, source, "bettter", tmp_path / "new")
    with pytest.raises(DataError, match="no file"):
        mine(None, tmp_path / "missing.jsonl", "paper", tmp_path / "new")
    (tmp_path / "bad.parquet").write_bytes(b"no parquet")
    with pytest.raises(DataError, match=r"bad\.parquet"):
        list(read_reviewed(None, tmp_path / "bad.parquet", Counter()))


def test_a_recipe_is_always_in_the_same_split() -> None:
    shares = Counter(split_of(str(n)) for n in range(3000))
    assert split_of("abc") == split_of("abc")
    assert 0.66 < shares["train"] / 3000 < 0.74
