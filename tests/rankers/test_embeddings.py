"""Vectors from text and walks put foods that are used alike near each other, and training them can be cut short."""

import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from swapchef.benchmark import Benchmark
from swapchef.errors import DataError, SwapchefError
from swapchef.foods.matching import Vocabulary
from swapchef.graph import Nodes
from swapchef.mining.spotting import Spotter
from swapchef.rankers import make_ranker
from swapchef.rankers.cooking_text import spotted_text
from swapchef.rankers.embeddings import (
    NearestNeighbours,
    PublishedMetapath2Vec,
    features_of,
    neighbour_scores,
    published_vectors,
)
from swapchef.training import CHECKPOINT, Epoch, Progress
from tests.conftest import KITCHEN, make_split
from tests.killing import LAST_WAIT, kill_at
from tests.rankers.kitchen import GROUPS, given, group_vectors, kitchen_graph, kitchen_text, nearest, trained

LONG = {"epochs": 25, "patience": 25, "width": 16}
LEARNERS = {
    "food2vec": {**LONG, "sample": 0.0, "learning_rate": 0.1, "min_count": 1},
    "node2vec": {**LONG, "walks": 40, "length": 12, "window": 2},
    "metapath2vec": {**LONG, "walks": 40, "length": 12, "window": 2},
}


def test_ingredients_of_a_step_are_single_words_whatever_their_number() -> None:
    vocabulary = Vocabulary(KITCHEN, {name: id for id, name in enumerate(KITCHEN)})
    text = spotted_text(["Whisk the eggs with Olive Oil.", "Preheat the oven.", "Add egg"], Spotter(vocabulary))
    assert list(text.written(KITCHEN)) == ["whisk the egg with olive_oil .", "add egg"]
    assert text.counts()[KITCHEN.index("egg")] == 2


def test_the_source_and_foods_without_vectors_come_last() -> None:
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 0], [-1, 0]], np.float32)
    scores = neighbour_scores(vectors, np.array([0, 2], np.int32))
    np.testing.assert_allclose(scores, [[-2, 0.6, -2, -1], [-2, -2, -2, -2]], atol=1e-6)


@pytest.mark.parametrize("name", LEARNERS)
def test_foods_that_are_used_alike_are_neighbours(name: str, tiny_kitchen: Benchmark) -> None:
    ranker = trained(name, tiny_kitchen, **LEARNERS[name])
    for foods in GROUPS:
        first, *others = (food.replace(" ", "_") for food in foods)
        assert set(nearest(ranker, tiny_kitchen, first)[: len(others)]) == set(others)


def test_published_vectors_rank_by_cosine(tiny_kitchen: Benchmark) -> None:
    ranker = PublishedMetapath2Vec().fit(tiny_kitchen.train, tiny_kitchen.val, vectors=group_vectors())
    assert nearest(ranker, tiny_kitchen, "sugar")[0] == "honey"
    with pytest.raises(DataError, match="3 nodes"):
        PublishedMetapath2Vec().fit(tiny_kitchen.train, tiny_kitchen.val, vectors=group_vectors()[:3])


def test_published_vectors_are_read_by_node_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "flavorgraph").mkdir()
    path = tmp_path / "flavorgraph" / "metapath2vec_pubchem_100d.npz"
    np.savez(path, node_id=np.array([7, 5]), vec=np.array([[1.0, 2.0], [3.0, 4.0]]))
    monkeypatch.setenv("SWAPCHEF_DATA", str(tmp_path))
    nodes = Nodes(np.array([5, 6, 7]), ("a", "b", "c"), 3)
    np.testing.assert_array_equal(published_vectors(nodes), [[3, 4], [0, 0], [1, 2]])
    path.write_bytes(b"noise")
    with pytest.raises(DataError, match="fetch it again"):
        published_vectors(nodes)


class StopError(Exception):
    """What a test throws to end a training."""


def stop_after(epochs: int) -> Progress:
    def stop(epoch: Any) -> None:
        if epoch.epoch == epochs:
            raise StopError

    return Progress(epoch=stop)


@pytest.mark.parametrize("name", LEARNERS)
def test_an_interrupted_training_ends_like_one_that_was_not(name: str, tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    settings = {**LEARNERS[name], "epochs": 5, "seed": 4}
    if name == "food2vec":
        settings["sample"] = 0.05  # chance decides which words are read, and must go on as if nothing had been
    whole = trained(name, tiny_kitchen, **settings)
    ranker: Any = make_ranker(name, **settings)
    splits = tiny_kitchen.train, tiny_kitchen.val
    with pytest.raises(StopError):
        ranker.fit(*splits, run=tmp_path, progress=stop_after(2), **given(name))
    assert (tmp_path / CHECKPOINT).exists()
    resumed: Any = make_ranker(name, **settings).fit(*splits, run=tmp_path, **given(name))
    assert len(resumed.history_) == 5
    assert (tmp_path / "log.csv").read_text().count("\n") == 6
    for key, array in whole.arrays().items():
        np.testing.assert_array_equal(resumed.arrays()[key], array, err_msg=key)


def test_another_run_or_noise_in_the_folder_is_refused(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    splits = tiny_kitchen.train, tiny_kitchen.val
    first: Any = make_ranker("food2vec", min_count=1, epochs=3)
    with pytest.raises(StopError):
        first.fit(*splits, run=tmp_path, progress=stop_after(1), text=kitchen_text())
    other: Any = make_ranker("food2vec", min_count=1, epochs=4)
    with pytest.raises(DataError, match="other settings"):
        other.fit(*splits, run=tmp_path, text=kitchen_text())
    (tmp_path / CHECKPOINT).write_bytes(b"noise" * 50)
    with pytest.raises(DataError, match="damaged"):
        other.fit(*splits, run=tmp_path, text=kitchen_text())


def test_seeds_matter(tiny_kitchen: Benchmark) -> None:
    for name in LEARNERS:
        one, two = (trained(name, tiny_kitchen, seed).arrays()["vectors"] for seed in (1, 2))
        assert not np.array_equal(one, two), name


def test_walks_also_give_vectors_of_compounds(tiny_kitchen: Benchmark) -> None:
    features = features_of(trained("node2vec", tiny_kitchen), len(kitchen_graph().nodes))
    assert features.shape == (len(kitchen_graph().nodes), 12)
    assert features[len(KITCHEN) :].any(axis=1).all()


@pytest.mark.parametrize(
    "name", ["food2vec", "foodbert", "r-foodbert", "node2vec", "pinsage", "metapath2vec-published"]
)
def test_vectors_feed_gismo(name: str, tiny_kitchen: Benchmark) -> None:
    graph = kitchen_graph()
    features = features_of(trained(name, tiny_kitchen), len(graph.nodes))
    assert features[: len(KITCHEN)].any()
    gismo: Any = make_ranker("gismo", width=8, epochs=1, batch=8)
    gismo.fit(tiny_kitchen.train, tiny_kitchen.val, graph=graph, features=features)
    assert gismo.arrays()["encoded"].shape == (len(KITCHEN), 8)


def test_a_ranker_without_vectors_feeds_nobody(tiny_kitchen: Benchmark) -> None:
    with pytest.raises(DataError, match="no vectors"):
        features_of(trained("lt+freq", tiny_kitchen), 13)


def test_what_is_missing_is_said_in_a_sentence(tiny_kitchen: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    splits = tiny_kitchen.train, tiny_kitchen.val
    with pytest.raises(DataError, match="cooking steps"):
        make_ranker("food2vec").fit(*splits)
    rare: Any = make_ranker("food2vec", min_count=10_000)
    with pytest.raises(DataError, match="min_count"):
        rare.fit(*splits, text=kitchen_text())
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(SwapchefError, match=r"swapchef\[train\]"):
        rare.fit(*splits, text=kitchen_text())


def test_only_neighbours_are_kept(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    ranker = trained("food2vec", tiny_kitchen)
    assert isinstance(ranker, NearestNeighbours)
    np.testing.assert_allclose(np.linalg.norm(ranker.arrays()["vectors"], axis=1)[0], 1, atol=1e-5)


def fit_food2vec(folder: Path | None, progress: Progress | None = None) -> bytes:
    split = make_split("train", [("r1", "butter", "margarine", ["egg"])])
    ranker: Any = make_ranker("food2vec", min_count=1, width=8, epochs=4)
    ranker.fit(split, split, text=kitchen_text(), run=folder, progress=progress)
    vectors: bytes = ranker.arrays()["vectors"].tobytes()
    return vectors


def fit_until_killed(connection: Connection, folder: Path) -> None:
    """Train, tell of each epoch, and wait after the second one."""

    def tell(epoch: Epoch) -> None:
        connection.send(epoch.epoch)
        time.sleep(LAST_WAIT if epoch.epoch == 2 else 0)

    fit_food2vec(folder, Progress(epoch=tell))


def test_a_killed_training_goes_on_and_ends_equal(tmp_path: Path) -> None:
    kill_at(2, fit_until_killed, tmp_path)
    assert (tmp_path / CHECKPOINT).exists()
    epochs: list[Epoch] = []
    resumed = fit_food2vec(tmp_path, Progress(epoch=epochs.append))
    assert [epoch.epoch for epoch in epochs] == [3, 4]  # it did not start again
    assert resumed == fit_food2vec(None)
