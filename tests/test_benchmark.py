"""Ranks, protocols and figures on a kitchen whose answers are known, and the published table on the real data."""

import csv
import pickle
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from swapchef.benchmark import (
    CSV_COLUMNS,
    Benchmark,
    Scores,
    TiePolicy,
    append_results,
    bootstrap_interval,
    evaluate,
    load_benchmark,
    rank_split,
    ranks_of,
    read_split,
    summarise,
)
from swapchef.errors import DataError, UnknownNameError
from swapchef.rankers import STATISTICS, make_ranker


@pytest.mark.parametrize(
    ("ties", "expected"),
    [("optimistic", [1.0, 2.0, 1.0]), ("realistic", [1.0, 2.5, 2.0]), ("pessimistic", [1.0, 3.0, 3.0])],
)
def test_tie_policies(ties: TiePolicy, expected: list[float]) -> None:
    scores = np.array([[3, 1, 0], [2, 1, 1], [0, 0, 0]], dtype=np.float32)
    assert ranks_of(scores, np.array([0, 1, 2], np.int32), ties).tolist() == expected


def test_excluded_candidates_do_not_count() -> None:
    scores = np.array([[5, 4, 3, 3]], dtype=np.float32)
    excluded = np.array([[True, False, False, True]])
    assert ranks_of(scores, np.array([2], np.int32), "pessimistic", excluded).tolist() == [2.0]


@pytest.mark.parametrize(
    ("protocol", "ranks"),
    [("paper", [1, 2, 2, 10]), ("filtered", [1, 1, 2, 10]), ("kitchen", [1, 1, 1, 8])],
)
def test_protocols_on_the_tiny_kitchen(tiny_kitchen: Benchmark, protocol: str, ranks: list[int]) -> None:
    ranker = make_ranker("lt+freq").fit(tiny_kitchen.train, tiny_kitchen.val)
    assert rank_split(ranker, tiny_kitchen, tiny_kitchen.test, protocol).tolist() == ranks


def test_figures_on_the_tiny_kitchen(tiny_kitchen: Benchmark) -> None:
    ranker = make_ranker("lt+freq").fit(tiny_kitchen.train, tiny_kitchen.val)
    result = evaluate(ranker, tiny_kitchen, "test", "paper", ranker="lt+freq")
    assert result.n == 4
    assert result.mrr == pytest.approx(100 * (1 + 1 / 2 + 1 / 2 + 1 / 10) / 4)
    assert (result.hit_1, result.hit_3, result.hit_10) == (25.0, 75.0, 100.0)
    assert result.mrr_id == pytest.approx(100 * (1 + 1 / 2 + 1 / 2) / 3)
    assert result.mrr_ood == pytest.approx(10.0)
    assert result.mrr_average == pytest.approx((result.mrr_id + result.mrr_ood) / 2)


class Constant:
    def __init__(self, value: float, width: int) -> None:
        self.value, self.width = value, width

    def score(self, sources: np.ndarray, contexts: sparse.csr_array, titles: object = None) -> Scores:
        return np.full((len(sources), self.width), self.value, dtype=np.float32)


def test_nan_scores_are_refused(tiny_kitchen: Benchmark) -> None:
    with pytest.raises(ValueError, match="NaN"):
        evaluate(Constant(float("nan"), 10), tiny_kitchen)


def test_scores_of_the_wrong_shape_are_refused(tiny_kitchen: Benchmark) -> None:
    with pytest.raises(ValueError, match="shape"):
        evaluate(Constant(1.0, 9), tiny_kitchen)


def test_a_model_that_scores_everything_alike_gains_nothing(tiny_kitchen: Benchmark) -> None:
    assert evaluate(Constant(1.0, 10), tiny_kitchen).mrr == pytest.approx(10.0)


def test_only_recipes_with_a_title_are_kept_when_titles_are_asked_for(tiny_kitchen: Benchmark) -> None:
    titled = tiny_kitchen.with_titles({"r1": "Pound cake", "t1": "Pie", "t3": "Flan"})
    assert len(titled.train) == 1
    assert titled.val.title is not None
    assert len(titled.val) == 0
    assert titled.test.title is not None
    assert titled.test.title.tolist() == ["Pie", "Pie", "Flan"]
    assert titled.test.recipe_id.tolist() == ["t1", "t1", "t3"]


def test_unknown_split_and_protocol_name_the_known_ones(tiny_kitchen: Benchmark) -> None:
    with pytest.raises(UnknownNameError, match="train, val or test"):
        tiny_kitchen.split("dev")
    with pytest.raises(UnknownNameError, match="paper, filtered or kitchen"):
        evaluate(Constant(1.0, 10), tiny_kitchen, protocol="home")


def test_the_interval_covers_the_mean_and_widens_when_queries_go_together() -> None:
    generator = np.random.default_rng(1)
    values = np.repeat(generator.random(100), 10)
    alone = bootstrap_interval(values, np.arange(1000).astype(str))
    together = bootstrap_interval(values, np.repeat(np.arange(100), 10).astype(str))
    assert alone[0] < values.mean() < alone[1]
    assert together[1] - together[0] > 2 * (alone[1] - alone[0])


def test_seeds_are_summarised_with_mean_and_std(tiny_kitchen: Benchmark) -> None:
    results = [
        evaluate(
            make_ranker("random", seed=seed).fit(tiny_kitchen.train, tiny_kitchen.val),
            tiny_kitchen,
            ranker="random",
            seed=seed,
        )
        for seed in range(4)
    ]
    (row,) = summarise(results)
    mrrs = [result.mrr for result in results]
    assert row["seeds"] == 4
    assert row["mrr"] == pytest.approx(np.mean(mrrs), abs=0.01)
    assert row["mrr_std"] == pytest.approx(np.std(mrrs, ddof=1), abs=0.01)
    assert len(set(mrrs)) > 1


def test_results_are_appended_under_fixed_columns(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    result = evaluate(Constant(1.0, 10), tiny_kitchen, ranker="constant", seed=3)
    path = tmp_path / "new" / "results.csv"
    append_results(path, [result], "abc")
    append_results(path, [result], "abc")
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert tuple(rows[0]) == CSV_COLUMNS
    assert [(row["ranker"], row["seed"], row["mrr"], row["data"]) for row in rows] == [
        ("constant", "3", "10.0", "abc")
    ] * 2


def test_a_file_with_other_columns_is_not_appended_to(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="other columns"):
        append_results(path, [evaluate(Constant(1.0, 10), tiny_kitchen)], "abc")
    assert path.read_text() == "a,b\n1,2\n"


@pytest.mark.parametrize(
    "content", [[1, 2], {"a": 1}, [{"id": "x"}], [{"id": "x", "subs": ("butter",), "ingredients": []}], 7]
)
def test_a_pickle_that_is_no_split_is_one_sentence(tiny_kitchen: Benchmark, tmp_path: Path, content: object) -> None:
    path = tmp_path / "odd.pkl"
    path.write_bytes(pickle.dumps(content))
    with pytest.raises(DataError, match="not a Recipe1MSubs split"):
        read_split(path, "test", tiny_kitchen.vocabulary)


@pytest.fixture(scope="module")
def real() -> Benchmark:
    return load_benchmark()


@pytest.mark.real_data
def test_the_splits_have_the_published_sizes(real: Benchmark) -> None:
    assert (len(real.train), len(real.val), len(real.test)) == (49_044, 10_729, 10_747)
    assert len(real.vocabulary) == 6_653


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["train", "val", "test"])
def test_source_and_target_are_never_in_the_context(real: Benchmark, name: str) -> None:
    split = real.split(name)
    assert not split.context[np.arange(len(split)), split.source].any()
    assert not split.context[np.arange(len(split)), split.target].any()
    assert set(split.context.data) == {1.0}


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "protocol", "expected"),
    [
        (
            "lt+freq",
            "paper",
            {"mrr": 27.62, "hit_1": 18.00, "hit_3": 32.19, "hit_10": 47.71, "mrr_id": 42.82, "mrr_ood": 0.02},
        ),
        ("lt+freq", "filtered", {"mrr": 28.48}),
        ("lt", "paper", {"mrr": 2.55}),
        ("mode", "paper", {"mrr": 1.62}),
        ("freq", "paper", {"mrr": 5.20}),
        ("freq-as-published", "paper", {"mrr": 3.80}),
        ("random", "paper", {"mrr": 0.15}),
    ],
)
def test_the_published_table_is_reproduced(
    real: Benchmark, name: str, protocol: str, expected: dict[str, float]
) -> None:
    result = evaluate(make_ranker(name).fit(real.train, real.val), real, "test", protocol)
    for field, value in expected.items():
        assert getattr(result, field) == pytest.approx(value, abs=0.05)


@pytest.mark.real_data
def test_no_statistic_beats_the_best_one(real: Benchmark) -> None:
    val = {name: evaluate(make_ranker(name).fit(real.train, real.val), real, "val").mrr for name in STATISTICS}
    assert max(val, key=val.__getitem__) == "lt+freq"
