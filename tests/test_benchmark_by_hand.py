"""The benchmark's reading, counting, intervals and tables, each against an answer worked out beside it."""

import hashlib
import json
import math
import pickle
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse, stats

from swapchef import benchmark
from swapchef.benchmark import (
    Benchmark,
    Result,
    Scores,
    Split,
    append_results,
    bootstrap_interval,
    check_results_file,
    count_pairs,
    current_commit,
    evaluate,
    ids_of,
    load_benchmark,
    rank_split,
    ranks_of,
    read_split,
    recipe_splits,
    summarise,
)
from swapchef.errors import DataError, SwapchefError
from tests.conftest import KITCHEN

BUTTER, MARGARINE, OLIVE_OIL, MILK, EGG = (
    KITCHEN.index(name) for name in ("butter", "margarine", "olive_oil", "milk", "egg")
)
HEADER = "ranker,split,protocol,seed,mrr,hit@1,hit@3,hit@10,mrr_id,mrr_ood,minutes,commit,data\n"


def record(recipe: str, source: str, target: str, others: list[str]) -> dict[str, object]:
    """Return a tuple as the published splits write it: each ingredient has a list of names."""
    return {
        "id": recipe,
        "subs": [source, target],
        "ingredients": [[name, "another name"] for name in [source, *others]],
    }


def write_lines(path: Path, records: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in records), encoding="utf-8")
    return path


# Splits.


def test_a_split_is_read_into_arrays(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    rows = [record("x" * 64, "egg", "yogurt", ["milk", "butter", "milk"]), record("b", "sugar", "honey", [])]
    path = write_lines(tmp_path / "more.jsonl", rows)
    split = read_split(path, "val", tiny_kitchen.vocabulary)
    assert (split.name, len(split)) == ("val", 2)
    assert [KITCHEN[id] for id in split.source] == ["egg", "sugar"]
    assert [KITCHEN[id] for id in split.target] == ["yogurt", "honey"]
    assert split.context.toarray().tolist() == [[float(id in (BUTTER, MILK)) for id in range(10)], [0.0] * 10]
    assert split.recipe_id.tolist() == ["x" * 64, "b"]
    assert (split.source.dtype, split.target.dtype, split.context.dtype) == (np.int32, np.int32, np.float32)
    assert ids_of(split.context, 0).tolist() == [BUTTER, MILK]
    assert ids_of(split.context, 1).tolist() == []
    (tmp_path / "more.pkl").write_bytes(pickle.dumps(rows))
    pickled = read_split(tmp_path / "more.pkl", "val", tiny_kitchen.vocabulary)
    assert pickled.context.toarray().tolist() == split.context.toarray().tolist()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (json.dumps(record("x" * 65, "egg", "milk", [])), "not a Recipe1MSubs split"),
        (json.dumps(record("x", "egg", "unheard of", [])), "do not know the ingredient 'unheard of'"),
        (json.dumps({**record("x", "egg", "milk", []), "ingredients": [[]]}), "not a Recipe1MSubs split"),
        ("{", "one JSON object a line"),
        ("[" * 100_000, "one JSON object a line"),
    ],
    ids=["long id", "unknown", "no name", "no JSON", "deep"],
)
def test_lines_that_are_no_tuples_are_refused(tiny_kitchen: Benchmark, tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "more.jsonl").write_text(text)
    with pytest.raises(SwapchefError, match=problem):
        read_split(tmp_path / "more.jsonl", "train", tiny_kitchen.vocabulary)


def test_more_tuples_are_trained_on_and_nothing_else_changes(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    one = write_lines(tmp_path / "one.jsonl", [record("n1", "egg", "yogurt", ["milk"])])
    two = write_lines(tmp_path / "two.jsonl", [record("n2", "milk", "yogurt", []), record("r1", "egg", "milk", [])])
    more = tiny_kitchen.with_more([one, two])
    assert (len(more.train), more.train.name, more.data) == (11, "train", "tiny+more")
    assert more.train.recipe_id.tolist() == [*tiny_kitchen.train.recipe_id, "n1", "n2", "r1"]
    assert [KITCHEN[id] for id in more.train.source[8:]] == ["egg", "milk", "egg"]
    assert [KITCHEN[id] for id in more.train.target[8:]] == ["yogurt", "yogurt", "milk"]
    assert more.train.source[:8].tolist() == tiny_kitchen.train.source.tolist()
    assert more.train.context[8:].toarray().sum() == more.train.context[8, MILK] == 1.0
    assert (more.val, more.test) == (tiny_kitchen.val, tiny_kitchen.test)
    assert tiny_kitchen.with_more([]).data == "tiny"


@pytest.mark.parametrize("recipe", ["v2", "t1"])
def test_recipes_of_val_or_test_are_never_trained_on(tiny_kitchen: Benchmark, tmp_path: Path, recipe: str) -> None:
    good = write_lines(tmp_path / "good.jsonl", [record("n1", "egg", "milk", [])])
    bad = write_lines(tmp_path / "bad.jsonl", [record("n2", "egg", "milk", []), record(recipe, "egg", "milk", [])])
    with pytest.raises(DataError, match=r"^bad\.jsonl has recipes of val or test"):
        tiny_kitchen.with_more([good, bad])


def test_each_split_has_its_name(tiny_kitchen: Benchmark) -> None:
    for name in ("train", "val", "test"):
        assert tiny_kitchen.split(name) is getattr(tiny_kitchen, name)
        assert tiny_kitchen.split(name).name == name


def test_pairs_are_counted_from_source_to_target(tiny_kitchen: Benchmark) -> None:
    pairs = tiny_kitchen.pairs_in_train()
    assert pairs.shape == (10, 10)
    assert (pairs[BUTTER, MARGARINE], pairs[BUTTER, OLIVE_OIL], pairs[MARGARINE, BUTTER]) == (3, 1, 0)
    assert pairs.sum() == 8
    assert count_pairs(tiny_kitchen.val, 10).sum() == 2


def test_right_answers_are_those_of_any_split(tiny_kitchen: Benchmark) -> None:
    valid = tiny_kitchen.valid_targets()
    assert valid["t1", BUTTER].tolist() == [MARGARINE, OLIVE_OIL]
    assert valid["r1", BUTTER].tolist() == valid["v1", BUTTER].tolist() == [MARGARINE]
    assert len(valid) == 8 + 2 + 3


def test_rows_with_a_title_keep_all_that_is_theirs(tiny_kitchen: Benchmark) -> None:
    titled = tiny_kitchen.with_titles({"r3": "Omelette", "r7": "Scones"}).train
    assert (titled.name, titled.recipe_id.tolist()) == ("train", ["r3", "r7"])
    assert [KITCHEN[id] for id in titled.source] == ["butter", "buttermilk"]
    assert [KITCHEN[id] for id in titled.target] == ["margarine", "milk"]
    assert [[KITCHEN[id] for id in ids_of(titled.context, row)] for row in (0, 1)] == [["egg"], ["flour"]]
    assert titled.title is not None
    assert titled.title.tolist() == ["Omelette", "Scones"]


@pytest.fixture
def published(tiny_kitchen: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out a data folder with a tuple in train, two in val and three in test."""
    folder = tmp_path / "data"
    for path, content in {
        "recipe1msubs/train_comments_subs.pkl": [record("a", "butter", "margarine", [])],
        "recipe1msubs/val_comments_subs.pkl": [record(id, "egg", "milk", []) for id in ("b", "c")],
        "recipe1msubs/test_comments_subs.pkl": [record(id, "milk", "yogurt", []) for id in ("d", "e", "f")],
        "recipe1msubs/vocab_ingrs.pkl": "words",
        "flavorgraph/nodes_191120.csv": "nodes",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(pickle.dumps(content))
    monkeypatch.setattr(benchmark, "data_folder", lambda: folder)
    monkeypatch.setattr(benchmark, "data_file", lambda name: folder / name)

    def vocabulary(words: Path, nodes: Path) -> object:
        assert [pickle.loads(path.read_bytes()) for path in (words, nodes)] == ["words", "nodes"]
        return tiny_kitchen.vocabulary

    monkeypatch.setattr(benchmark.Vocabulary, "from_published", vocabulary)
    return folder


def test_the_benchmark_is_loaded_with_a_hash_of_its_files(published: Path) -> None:
    loaded = load_benchmark()
    assert [(split.name, len(split)) for split in (loaded.train, loaded.val, loaded.test)] == [
        ("train", 1),
        ("val", 2),
        ("test", 3),
    ]
    assert loaded.val.recipe_id.tolist() == ["b", "c"]
    names = ["train_comments_subs", "val_comments_subs", "test_comments_subs", "vocab_ingrs"]
    files = [published / f"recipe1msubs/{name}.pkl" for name in names] + [published / "flavorgraph/nodes_191120.csv"]
    assert loaded.data == hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


def test_every_recipe_has_the_split_that_it_is_in(published: Path) -> None:
    assert recipe_splits() == {"a": "train", "b": "val", "c": "val", "d": "test", "e": "test", "f": "test"}
    (published / "recipe1msubs/val_comments_subs.pkl").unlink()
    assert set(recipe_splits().values()) == {"train", "test"}


# Ranks.


def test_what_is_excluded_counts_under_no_policy() -> None:
    scores = np.array([[5, 4, 3, 3, 1]], dtype=np.float32)
    excluded = np.array([[True, False, False, True, False]])
    target = np.array([2], np.int32)
    assert ranks_of(scores, target, "optimistic").tolist() == [3.0]
    assert ranks_of(scores, target, "pessimistic").tolist() == [4.0]
    assert ranks_of(scores, target, "realistic").tolist() == [3.5]
    for policy in ("optimistic", "pessimistic", "realistic"):
        assert ranks_of(scores, target, policy, excluded).tolist() == [2.0]  # only 4 is left before it


def test_a_candidate_without_a_number_counts_against_the_target() -> None:
    scores = np.array([[np.nan, 4, 3]], dtype=np.float32)
    assert ranks_of(scores, np.array([1], np.int32)).tolist() == [2.0]


class InOrder:
    """Prefers smaller ids, so that the rank of a target is its id and one; keeps the titles it is shown."""

    def __init__(self, gap: tuple[int, int] | None = None) -> None:
        self.gap, self.titles = gap, []

    def score(self, sources: np.ndarray, contexts: sparse.csr_array, titles: object = None) -> Scores:
        self.titles.append(titles)
        scores = np.tile(-np.arange(10, dtype=np.float32), (len(sources), 1))
        if self.gap is not None:
            scores[self.gap] = np.nan
        return scores


def long_split(rows: int) -> Split:
    target = np.arange(rows, dtype=np.int32) % 10
    context = sparse.csr_array((rows, 10), dtype=np.float32)
    ids = np.array([f"r{row}" for row in range(rows)])
    return Split("test", np.full(rows, EGG, np.int32), target, context, ids, title=np.char.add("dish ", ids))


def test_a_long_split_is_ranked_in_batches(tiny_kitchen: Benchmark) -> None:
    split = long_split(1100)
    scorer, done = InOrder(), []
    ranks = rank_split(scorer, tiny_kitchen, split, "paper", progress=done.append)
    assert ranks.tolist() == (split.target + 1.0).tolist()
    assert done == [512, 512, 76]
    shown = np.concatenate(scorer.titles)
    assert split.title is not None
    assert shown.tolist() == split.title.tolist()
    untitled = InOrder()
    rank_split(untitled, tiny_kitchen, replace(split, title=None), "paper")
    assert untitled.titles == [None] * 3


def test_the_kitchen_does_not_offer_what_is_on_the_table(tiny_kitchen: Benchmark) -> None:
    """By id: butter 0 and margarine 1 stand before olive oil 2, milk 3 before yogurt 5, and so on."""
    ranks = {
        name: rank_split(InOrder(), tiny_kitchen, tiny_kitchen.test, name).tolist() for name in benchmark.PROTOCOLS
    }
    # Targets: margarine, olive oil, milk (for buttermilk, beside yogurt and flour), yogurt (for milk, beside egg).
    assert ranks["paper"] == [2, 3, 4, 6]
    assert ranks["filtered"] == [2, 2, 4, 6]  # margarine is right for the same recipe
    assert ranks["kitchen"] == [1, 1, 4, 5]  # butter is the source, milk is the source


def test_a_single_missing_number_is_refused(tiny_kitchen: Benchmark) -> None:
    with pytest.raises(ValueError, match="NaN"):
        evaluate(InOrder(gap=(2, 3)), tiny_kitchen)


def test_a_report_names_what_was_measured(tiny_kitchen: Benchmark) -> None:
    done: list[int] = []
    result = evaluate(
        InOrder(), tiny_kitchen, "val", "kitchen", ranker="in order", seed=7, ties="optimistic", progress=done.append
    )
    assert (result.ranker, result.split, result.protocol, result.seed, result.n) == ("in order", "val", "kitchen", 7, 2)
    # Margarine without butter is first; of honey 9, sugar (source) and milk are left out: 8th. Both were seen in train.
    assert result.mrr == result.mrr_id == pytest.approx(100 * (1 + 1 / 8) / 2)
    assert (result.hit_1, result.hit_3, result.hit_10) == (50.0, 50.0, 100.0)
    assert (result.mrr_ood, result.mrr_average) == (0.0, pytest.approx(result.mrr / 2))
    assert result.ci95_mrr == pytest.approx((12.5, 100.0))  # each of two recipes twice is likelier than one in forty
    assert done == [2]


def test_ties_are_broken_as_asked(tiny_kitchen: Benchmark) -> None:
    class Alike:
        def score(self, sources: np.ndarray, contexts: sparse.csr_array, titles: object = None) -> Scores:
            return np.zeros((len(sources), 10), np.float32)

    figures = [evaluate(Alike(), tiny_kitchen, ties=ties).mrr for ties in ("optimistic", "realistic", "pessimistic")]
    assert figures == pytest.approx([100.0, 100 / 5.5, 10.0])
    assert evaluate(Alike(), tiny_kitchen).mrr == pytest.approx(10.0)


# Intervals and summaries.


def test_the_interval_of_a_fair_coin_is_that_of_the_binomial() -> None:
    """A resampled mean of a hundred zeros and ones is a binomial variable over a hundred."""
    values, recipes = np.tile([0.0, 1.0], 50), np.arange(100).astype(str)
    low, high = stats.binom.ppf([0.025, 0.975], 100, 0.5) / 100
    assert (low, high) == (0.40, 0.60)
    assert bootstrap_interval(values, recipes, samples=5000) == pytest.approx((low, high))
    assert bootstrap_interval(values, recipes, samples=5000, seed=1) == pytest.approx((low, high))


def test_recipes_are_resampled_whole() -> None:
    values, recipes = np.array([1.0, 0.0, 1.0, 1.0]), np.array(["a", "b", "a", "a"])
    single = {bootstrap_interval(values, recipes, samples=1, seed=seed) for seed in range(40)}
    assert single == {(mean, mean) for mean in (0.0, 0.75, 1.0)}  # b twice, each once, a twice


def test_the_interval_of_nothing_is_nothing() -> None:
    assert bootstrap_interval(np.zeros(0), np.zeros(0, np.str_)) == (0.0, 0.0)


def test_the_same_seed_gives_the_same_interval() -> None:
    values, recipes = np.random.default_rng(0).random(50), np.arange(50).astype(str)
    assert bootstrap_interval(values, recipes) == bootstrap_interval(values, recipes, samples=1000, seed=0)
    assert bootstrap_interval(values, recipes) != bootstrap_interval(values, recipes, seed=1)


RESULT = Result(
    ranker="a", split="test", protocol="paper", seed=1, n=4, mrr=10.004, hit_1=1.006, hit_3=2.0, hit_10=3.0, mrr_id=4.0,
    mrr_ood=5.0, mrr_average=4.5, ci95_mrr=(9.128, 11.0), seconds=90.0,
)  # fmt: skip


def test_a_result_is_reported_in_hundredths() -> None:
    assert RESULT.as_json() == {
        "ranker": "a",
        "split": "test",
        "protocol": "paper",
        "seed": 1,
        "n": 4,
        "mrr": 10.0,
        "hit@1": 1.01,
        "hit@3": 2.0,
        "hit@10": 3.0,
        "mrr_id": 4.0,
        "mrr_ood": 5.0,
        "mrr_average": 4.5,
        "ci95_mrr": [9.13, 11.0],
        "seconds": 90.0,
    }


def test_seeds_of_a_ranker_are_averaged_and_kept_apart_from_others() -> None:
    results = [
        RESULT,
        replace(RESULT, ranker="b", mrr=50.0),
        replace(RESULT, seed=2, mrr=12.0, hit_1=2.0, ci95_mrr=(10.0, 13.0), seconds=30.0),
        replace(RESULT, seed=3, mrr=14.002, hit_1=4.0, ci95_mrr=(11.0, 16.01), seconds=30.0),
        replace(RESULT, split="val", mrr=70.0),
        replace(RESULT, protocol="kitchen", mrr=80.0),
    ]
    first, *others = summarise(results)
    assert first == {
        "ranker": "a",
        "seeds": 3,
        "mrr": 12.0,  # of 10.004, 12 and 14.002
        "hit@1": 2.34,
        "hit@3": 2.0,
        "hit@10": 3.0,
        "mrr_id": 4.0,
        "mrr_ood": 5.0,
        "seconds": 50.0,
        "mrr_std": 2.0,
        "ci95_mrr": [10.04, 13.34],
    }
    assert [(row["ranker"], row["seeds"], row["mrr"], row["mrr_std"]) for row in others] == [
        ("b", 1, 50.0, 0.0),
        ("a", 1, 70.0, 0.0),
        ("a", 1, 80.0, 0.0),
    ]
    assert math.isclose(summarise(results[:3:2])[0]["mrr_std"], 1.41)  # 1.996 over the root of 2


# Tables.


def test_a_results_file_has_the_columns_it_always_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "current_commit", lambda: "c0ffee")
    path = tmp_path / "new" / "results.csv"
    append_results(path, [RESULT], "abc")
    assert path.read_text() == HEADER + "a,test,paper,1,10.0,1.01,2.0,3.0,4.0,5.0,1.5,c0ffee,abc\n"
    append_results(path, [replace(RESULT, seed=2), replace(RESULT, seed=3, seconds=100.0)], "abc")
    assert [line.split(",")[3] for line in path.read_text().splitlines()] == ["seed", "1", "2", "3"]
    assert path.read_text().splitlines()[3].split(",")[10] == "1.67"


@pytest.mark.parametrize(
    ("text", "first"), [("", HEADER), (HEADER, ""), (HEADER + "a,b", "\n"), (HEADER + "a,b\n", "")], ids=repr
)
def test_a_new_row_begins_on_a_line_of_its_own(tmp_path: Path, text: str, first: str) -> None:
    (tmp_path / "results.csv").write_text(text)
    assert check_results_file(tmp_path / "results.csv") == first
    assert (tmp_path / "results.csv").read_text() == text
    assert check_results_file(tmp_path / "no" / "such" / "results.csv") == HEADER


def test_what_cannot_be_appended_to_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="it is no file"):
        check_results_file(tmp_path)
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match=r"\(not text\)"):
        check_results_file(tmp_path / "bytes.csv")
    with pytest.raises(DataError, match=r"\(Not a directory\)|\(File exists\)"):
        check_results_file(tmp_path / "bytes.csv" / "results.csv")


def test_a_commit_says_whether_the_code_was_changed_since(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*words: str) -> str:
        author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        command = ["git", "-C", str(tmp_path), *author, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    package = tmp_path / "src"
    package.mkdir()
    monkeypatch.setattr(benchmark, "__file__", str(package / "benchmark.py"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert current_commit() == ""  # no repository
    git("init", "--quiet")
    assert current_commit() == ""  # no commit
    (package / "benchmark.py").write_text("1\n")
    (tmp_path / "notes.txt").write_text("1\n")
    git("add", ".")
    git("commit", "--quiet", "--message", "one")
    commit = git("rev-parse", "HEAD")[:10]
    assert current_commit() == commit
    (tmp_path / "notes.txt").write_text("2\n")
    (package / "untracked.py").write_text("1\n")
    assert current_commit() == commit  # notes and new files do not change what ran
    (package / "benchmark.py").write_text("2\n")
    assert current_commit() == commit + "+"
    monkeypatch.setenv("PATH", "")
    assert current_commit() == ""  # no git on this machine
