"""How often ingredients occur together in recipes, counted in batches on any engine.

Counts are the upper triangle of one matrix: how many recipes have both of two ingredients, and on the diagonal how many
have one. Such matrices add up, whichever recipes each was counted from.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from swapchef.errors import RecipeError
from swapchef.foods.matching import Vocabulary
from swapchef.recipes import recipe1m

if TYPE_CHECKING:
    from swapchef.engines import EngineSettings


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
    """Count some records: a row for each pair of ingredients in one recipe, and for each ingredient with itself."""
    vocabulary = _vocabulary()
    matrix = recipe_matrix((context_of(record, vocabulary) for record in records), len(vocabulary))
    counted = count_together(matrix).tocoo()
    cells = zip(counted.row.tolist(), counted.col.tolist(), counted.data.astype(np.int64).tolist(), strict=True)
    rows = [{"first": first, "second": second, "count": count} for first, second, count in cells]
    return rows, Counter({"records": len(records), "recipes": matrix.shape[0]})


def count_collection(
    paths: Sequence[Path], settings: "EngineSettings", progress: Callable[[int], None] = lambda _: None
) -> tuple[sparse.csr_array, Counter[str]]:
    """Count collections of recipes (JSONL, JSON, CSV or Parquet); return the matrix and what was read."""
    from swapchef.mining.counting import counted_rows  # suggestions need none of it

    counts: Counter[str] = Counter()
    n = len(_vocabulary())
    total = sparse.csr_array((n, n), dtype=np.float64)
    for rows in counted_rows(paths, count_batch, {"first": int, "second": int}, settings, counts, progress):
        first, second, count = ([row[name] for row in rows] for name in ("first", "second", "count"))
        total += sparse.coo_array((np.array(count, np.float64), (first, second)), shape=(n, n)).tocsr()
    return total, counts


@cache
def _vocabulary() -> Vocabulary:
    return Vocabulary.load()
