"""One contract for every ranker in the registry, on the tiny kitchen."""

from pathlib import Path

import numpy as np
import pytest

from swapchef.benchmark import Benchmark
from swapchef.errors import DataError, UnknownNameError
from swapchef.rankers import RANKERS, make_ranker
from tests.rankers.kitchen import trained

every_ranker = pytest.mark.parametrize("name", RANKERS)


@every_ranker
def test_scores_are_finite_float32_for_every_ingredient(name: str, tiny_kitchen: Benchmark) -> None:
    scores = trained(name, tiny_kitchen).score(tiny_kitchen.test.source, tiny_kitchen.test.context)
    assert scores.shape == (len(tiny_kitchen.test), len(tiny_kitchen.vocabulary))
    assert scores.dtype == np.float32
    assert np.isfinite(scores).all()


@every_ranker
def test_a_query_scores_the_same_in_any_batch(name: str, tiny_kitchen: Benchmark) -> None:
    ranker, split = trained(name, tiny_kitchen), tiny_kitchen.test
    together = ranker.score(split.source, split.context)
    for row in range(len(split)):
        alone = ranker.score(split.source[row : row + 1], split.context[row : row + 1])
        np.testing.assert_allclose(alone[0], together[row], rtol=1e-4, atol=1e-6)


@every_ranker
def test_an_empty_batch_is_no_error(name: str, tiny_kitchen: Benchmark) -> None:
    split = tiny_kitchen.test
    assert trained(name, tiny_kitchen).score(split.source[:0], split.context[:0]).shape == (
        0,
        len(tiny_kitchen.vocabulary),
    )


@every_ranker
def test_the_same_seed_gives_the_same_scores(name: str, tiny_kitchen: Benchmark) -> None:
    split = tiny_kitchen.test
    first, second = (trained(name, tiny_kitchen, seed=5).score(split.source, split.context) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@every_ranker
def test_a_saved_ranker_loads_and_scores_the_same(name: str, tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    ranker, split = trained(name, tiny_kitchen), tiny_kitchen.test
    ranker.save(tmp_path / "run")
    loaded = RANKERS[name].load(tmp_path / "run")
    np.testing.assert_array_equal(loaded.score(split.source, split.context), ranker.score(split.source, split.context))
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"config.json", "weights.safetensors"}


@every_ranker
def test_fitting_leaves_the_splits_alone(name: str, tiny_kitchen: Benchmark) -> None:
    before = tiny_kitchen.train.context.copy(), tiny_kitchen.train.target.copy()
    trained(name, tiny_kitchen)
    np.testing.assert_array_equal(tiny_kitchen.train.context.toarray(), before[0].toarray())
    np.testing.assert_array_equal(tiny_kitchen.train.target, before[1])


@pytest.mark.parametrize("damage", ["missing", "truncated", "noise", "other ranker", "no config"])
def test_a_damaged_run_folder_is_refused(tiny_kitchen: Benchmark, tmp_path: Path, damage: str) -> None:
    trained("lt+freq", tiny_kitchen).save(tmp_path)
    weights = tmp_path / "weights.safetensors"
    if damage == "missing":
        weights.unlink()
    elif damage == "truncated":
        weights.write_bytes(weights.read_bytes()[:-8])
    elif damage == "noise":
        weights.write_bytes(b"\xff" * 200)
    elif damage == "no config":
        (tmp_path / "config.json").unlink()
    kind = "freq" if damage == "other ranker" else "lt+freq"
    with pytest.raises(DataError):
        RANKERS[kind].load(tmp_path)


def test_an_unknown_ranker_names_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"lt\+freq"):
        make_ranker("gpt")


def test_different_seeds_of_random_differ(tiny_kitchen: Benchmark) -> None:
    split = tiny_kitchen.test
    one, two = (trained("random", tiny_kitchen, seed).score(split.source, split.context) for seed in (1, 2))
    assert not np.array_equal(one, two)
