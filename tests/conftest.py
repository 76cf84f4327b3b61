"""Fixtures that several tests share: the real data where it is, and a tiny kitchen whose answers are known."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from scipy import sparse

from swapchef.benchmark import Benchmark, Split
from swapchef.foods.matching import Vocabulary
from swapchef.sources import data_folder

# Examples must not depend on the clock of a busy machine, and CI must see the same ones every time.
settings.register_profile("swapchef", deadline=None, derandomize=True, max_examples=150)
settings.load_profile("swapchef")

ROOT = Path(__file__).parents[1]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not (data_folder() / "recipe1msubs").is_dir():
        skip = pytest.mark.skip(reason="the real data sets are not here; set SWAPCHEF_DATA to their folder")
        for item in items:
            if "real_data" in item.keywords:
                item.add_marker(skip)


KITCHEN = ["butter", "margarine", "olive_oil", "milk", "buttermilk", "yogurt", "egg", "flour", "sugar", "honey"]


def make_split(name: str, rows: list[tuple[str, str, str, list[str]]]) -> Split:
    """Build a split from (recipe, source, target, context) rows written with names."""
    ids = {ingredient: id for id, ingredient in enumerate(KITCHEN)}
    context = sparse.lil_array((len(rows), len(KITCHEN)), dtype=np.float32)
    for row, (_, _, _, others) in enumerate(rows):
        for other in others:
            context[row, ids[other]] = 1.0
    source = np.array([ids[row[1]] for row in rows], np.int32)
    target = np.array([ids[row[2]] for row in rows], np.int32)
    return Split(name, source, target, context.tocsr(), np.array([row[0] for row in rows], np.str_))


@pytest.fixture(scope="session")
def tiny_kitchen() -> Benchmark:
    """A benchmark of eight swaps, small enough to know all answers."""
    return kitchen_benchmark()


def kitchen_benchmark() -> Benchmark:
    """Cooks replace butter by margarine (3x) or olive oil (1x), buttermilk by yogurt (2x) or milk, sugar by honey."""
    train = make_split(
        "train",
        [
            ("r1", "butter", "margarine", ["flour", "sugar"]),
            ("r2", "butter", "margarine", ["flour", "egg"]),
            ("r3", "butter", "margarine", ["egg"]),
            ("r4", "butter", "olive_oil", ["egg"]),
            ("r5", "buttermilk", "yogurt", ["flour", "egg"]),
            ("r6", "buttermilk", "yogurt", ["flour"]),
            ("r7", "buttermilk", "milk", ["flour"]),
            ("r8", "sugar", "honey", ["flour", "butter"]),
        ],
    )
    val = make_split("val", [("v1", "butter", "margarine", ["egg"]), ("v2", "sugar", "honey", ["milk"])])
    test = make_split(
        "test",
        [
            ("t1", "butter", "margarine", ["flour"]),  # LT+Freq: rank 1
            ("t1", "butter", "olive_oil", ["flour"]),  # LT+Freq: rank 2, and 1 once margarine is filtered
            (
                "t2",
                "buttermilk",
                "milk",
                ["yogurt", "flour"],
            ),  # rank 2, and 1 in the kitchen, where yogurt is on the table
            ("t3", "milk", "yogurt", ["egg"]),  # never seen: out of distribution, all ten tie
        ],
    )
    return Benchmark(Vocabulary(KITCHEN, {name: id for id, name in enumerate(KITCHEN)}), train, val, test, "tiny")
