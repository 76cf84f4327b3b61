"""How often ingredients meet in recipes: counted in batches, so that a collection of any size can be counted on any engine.

Counts are one matrix, its upper triangle: how many recipes have both of two ingredients, and on the diagonal how many have one. Such
matrices add up, whichever recipes each was counted from.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from swapchef.errors import RecipeError
from swapchef.recipes import recipe1m
from swapchef.vocabulary import Vocabulary

if TYPE_CHECKING:
    from swapchef.engines import Where

_BATCH = 1_000  # recipes
_WANTED = ("ingredients", "recipeIngredient")


def recipe_matrix(contexts: Iterable[Sequence[int]], n: int) -> sparse.csr_array:
    """Stack ingredient ids of recipes into [recipes, n]; recipes without ingredients do not count."""
    indices: list[int] = []
    indptr = [0]
    for context in contexts:
        if context:
            indices += sorted(set(context))
            indptr.append(len(indices))
    ones = np.ones(len(indices), np.float32)
    return sparse.csr_array((ones, np.array(indices, np.int32), np.array(indptr, np.int64)), shape=(len(indptr) - 1, n))


def count_together(recipes: sparse.csr_array) -> sparse.csr_array:
    """Count how many of [recipes, n] have two ingredients, and on the diagonal one: [n, n], upper triangle."""
    present = (recipes > 0).astype(np.float64)
    return sparse.triu(present.T @ present, format="csr")


def context_of(record: Mapping[str, Any], vocabulary: Vocabulary) -> list[int]:
    """Return the ingredient ids of a record of a collection; none if it is no recipe."""
    try:
        return vocabulary.context_of(recipe1m.from_object(record))
    except RecipeError:
        return []


def count_batch(records: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], Counter[str]]:
    """Count some records: a row for each pair of ingredients that meet, and each ingredient with itself."""
    vocabulary = _vocabulary()
    matrix = recipe_matrix((context_of(record, vocabulary) for record in records), len(vocabulary))
    counted = count_together(matrix).tocoo()
    cells = zip(counted.row.tolist(), counted.col.tolist(), counted.data.astype(np.int64).tolist(), strict=True)
    rows = [{"kind": "pair", "first": first, "second": second, "count": count} for first, second, count in cells]
    return rows, Counter({"records": len(records), "recipes": matrix.shape[0]})


def count_collection(
    paths: Sequence[Path], where: "Where", progress: Callable[[int], None] = lambda _: None
) -> tuple[sparse.csr_array, Counter[str]]:
    """Count collections of recipes (JSONL, JSON, CSV or Parquet): the matrix, and how many records and recipes there were."""
    count = _on_spark if where.engine == "spark" else _here
    return count(paths, where, progress)


def _here(
    paths: Sequence[Path], where: "Where", progress: Callable[[int], None]
) -> tuple[sparse.csr_array, Counter[str]]:
    from swapchef.engines import run_local

    counts: Counter[str] = Counter()
    total = sparse.csr_array((len(_vocabulary()), len(_vocabulary())), dtype=np.float64)
    for rows, found in run_local(_records(paths, counts), count_batch, _BATCH, where.processes):
        total += _matrix(*([row[name] for row in rows] for name in ("first", "second", "count")))
        counts += found
        progress(found["records"])
    return total, counts


def _on_spark(paths: Sequence[Path], where: "Where", _: Callable[[int], None]) -> tuple[sparse.csr_array, Counter[str]]:
    import pyarrow

    from swapchef.engines import spark
    from swapchef.mining.inputs import is_parquet

    counts: Counter[str] = Counter()
    whole = pyarrow.int64()
    schema = pyarrow.schema([("kind", pyarrow.string()), ("first", whole), ("second", whole), ("count", whole)])
    folder = Path(tempfile.mkdtemp(prefix="swapchef-pairs-"))
    try:
        with spark.spark_session(where.master, where.processes, folder / "spark.log") as session:
            frames = [spark.parquet_rows(session, path, _WANTED) for path in paths if is_parquet(path)]
            others = [path for path in paths if not is_parquet(path)]
            if others:
                frames.append(spark.staged_rows(session, _records(others, counts), folder / "rows"))
            for number, frame in enumerate(frames):
                counts += spark.run_spark(session, frame, count_batch, schema, folder / "pairs" / str(number), "kind")
            parts = [folder / "pairs" / str(number) for number in range(len(frames))]
            pairs = spark.summed(session, parts, "kind = 'pair'", ["first", "second"], "count")
    finally:
        shutil.rmtree(folder)
    return _matrix(*(pairs[name].to_pylist() for name in ("first", "second", "count"))), counts


def _matrix(first: list[int], second: list[int], count: list[int]) -> sparse.csr_array:
    n = len(_vocabulary())
    return sparse.coo_array((np.array(count, np.float64), (first, second)), shape=(n, n)).tocsr()


def _records(paths: Sequence[Path], counts: Counter[str]) -> Iterator[dict[str, Any]]:
    from swapchef.mining.inputs import is_parquet, read_rows
    from swapchef.recipes.records import read_records

    for path in paths:
        is_table = is_parquet(path) or ".csv" in path.suffixes
        yield from read_rows(path, counts) if is_table else read_records(path)


@cache
def _vocabulary() -> Vocabulary:
    return Vocabulary.load()
