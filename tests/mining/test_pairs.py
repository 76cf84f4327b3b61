"""Counting in batches gives what counting at once gives."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from swapchef.engines import EngineSettings
from swapchef.errors import DataError
from swapchef.foods.matching import Vocabulary
from swapchef.graph import npmi_of, npmi_pairs, read_contexts
from swapchef.mining import counting
from swapchef.mining.pairs import count_batch, count_collection, recipe_matrix

VOCABULARY = Vocabulary.load()
LINES = ["1 cup sugar", "2 eggs", "1/2 cup butter", "3 cups flour", "1 tsp salt"]


def records() -> Iterator[dict[str, object]]:
    for n in range(50):
        yield {"title": f"r{n}", "ingredients": [line for k, line in enumerate(LINES) if (n >> k) & 1]}


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    path = tmp_path / "recipes.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records()))
    return path


@pytest.mark.parametrize("processes", [1, 2])
def test_batches_add_up(collection: Path, processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "_BATCH", 7)
    together, counts = count_collection([collection], EngineSettings(processes=processes))
    whole = recipe_matrix(read_contexts(collection, VOCABULARY), len(VOCABULARY))
    assert (counts["records"], counts["recipes"]) == (50, whole.shape[0]) == (50, 48)  # 0 and 32 have no line
    for one, other in zip(npmi_of(together, counts["recipes"], 1), npmi_pairs(whole, 1), strict=True):
        assert np.array_equal(one, other)


def test_an_ingredient_meets_itself_as_often_as_it_is_there() -> None:
    rows, counts = count_batch([{"ingredients": ["2 eggs", "1 egg", "sugar"]}, {"ingredients": ["egg"]}, {"x": 1}])
    egg, sugar = (VOCABULARY.require(name).id for name in ("egg", "sugar"))
    assert {(row["first"], row["second"]): row["count"] for row in rows} == {
        (egg, egg): 2,
        (sugar, sugar): 1,
        (min(egg, sugar), max(egg, sugar)): 1,
    }
    assert counts == {"records": 3, "recipes": 2}


def test_parquet_counts_like_json(collection: Path) -> None:
    table = pyarrow.Table.from_pylist(list(records()))
    parquet.write_table(table, collection.with_suffix(".parquet"))
    one, other = (
        count_collection([path], EngineSettings())[0] for path in (collection, collection.with_suffix(".parquet"))
    )
    assert (one != other).nnz == 0


def test_a_broken_collection_is_one_sentence(collection: Path) -> None:
    collection.write_text("{")
    with pytest.raises(DataError, match=r"recipes\.jsonl"):
        count_collection([collection], EngineSettings())
