"""PinSAGE averages over the neighbours that walks visit most, learns the swaps it is taught, and can be cut short."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy import sparse

from swapchef.benchmark import Benchmark, evaluate
from swapchef.rankers import make_ranker
from swapchef.rankers.pinsage import PinSAGEConfig, inner_scores
from swapchef.rankers.pinsage_training import Convolve, PinSAGENetwork, PinSAGETask, important_neighbours
from swapchef.rankers.sparse_product import SparseMatrix
from tests.conftest import KITCHEN
from tests.rankers.kitchen import given, kitchen_graph, trained
from tests.rankers.test_embeddings import StopError, stop_after


def test_importance_is_how_often_walks_come_by() -> None:
    """A star: from a leaf every walk passes the centre, the other leaves by their weight."""
    star = sparse.csr_array(np.array([[0, 6, 3, 1], [6, 0, 0, 0], [3, 0, 0, 0], [1, 0, 0, 0]], np.float32))
    importance = important_neighbours(star, 4000, 2, 10, (0, 0)).toarray()
    np.testing.assert_allclose(importance[0], [0, 0.6, 0.3, 0.1], atol=0.02)
    np.testing.assert_allclose(importance[3], [1 / 1.9, 0.6 / 1.9, 0.3 / 1.9, 0], atol=0.02)
    few = important_neighbours(star, 4000, 2, 2, (0, 0)).toarray()
    assert (few > 0).sum(axis=1).tolist() == [2, 2, 2, 2]
    np.testing.assert_allclose(few.sum(axis=1), 1, rtol=1e-6)


def test_a_layer_is_the_papers_equation() -> None:
    torch.manual_seed(0)
    layer, h = Convolve(3, 4, 0.0), torch.randn(2, 3)
    importance = sparse.csr_array(np.array([[0, 1], [0.25, 0]], np.float32))
    gathered = torch.stack([torch.relu(layer.neighbour(h[1])), 0.25 * torch.relu(layer.neighbour(h[0]))])
    weight = torch.cat([layer.own.weight, layer.from_neighbours.weight], dim=1)
    z = torch.relu(torch.cat([h, gathered], dim=1) @ weight.T + layer.own.bias)
    torch.testing.assert_close(layer(SparseMatrix(importance), h), z / z.norm(dim=1, keepdim=True))


def test_the_loss_is_the_mean_excess_over_the_margin(tiny_kitchen: Benchmark) -> None:
    torch.manual_seed(0)
    config = PinSAGEConfig(width=6, margin=0.3, dropout=0.0)
    graph = kitchen_graph()
    importance = SparseMatrix(important_neighbours(graph.adjacency(), 10, 2, 5, (0, 0)))
    network = PinSAGENetwork(config, importance, len(graph.nodes), len(KITCHEN), None)
    task = PinSAGETask(config, network, tiny_kitchen.train, tiny_kitchen.val)
    rows = np.array([1, 4])
    scores = (network() @ network().T).detach().numpy()
    losses = []
    for source, target in zip(tiny_kitchen.train.source[rows], tiny_kitchen.train.target[rows], strict=True):
        others = [id for id in range(len(KITCHEN)) if id not in (source, target)]
        excess = np.maximum(0, 0.3 + scores[source, others] - scores[source, target])
        losses.append(excess[excess > 0].mean())
    assert float(task(rows, rows, (0, 0, 0)).detach()) == pytest.approx(np.mean(losses), rel=1e-4)


def test_it_learns_what_it_is_taught(tiny_kitchen: Benchmark) -> None:
    taught = replace(tiny_kitchen, val=tiny_kitchen.train)
    settings = {"width": 16, "epochs": 40, "patience": 40, "learning_rate": 0.01, "dropout": 0.0}
    assert evaluate(trained("pinsage", taught, **settings), tiny_kitchen, "train").mrr > 60


def test_the_source_is_no_neighbour_of_itself() -> None:
    scores = inner_scores(np.array([[2, 0], [1, 1], [-3, 0]], np.float32), np.array([0], np.int32))
    assert scores.tolist() == [[-7, 2, -6]]


def test_given_features_are_where_it_starts(tiny_kitchen: Benchmark) -> None:
    features = np.random.default_rng(0).standard_normal((len(kitchen_graph().nodes), 5)).astype(np.float32)
    ranker: Any = make_ranker("pinsage", width=6, epochs=1, batch=8)
    ranker.fit(tiny_kitchen.train, tiny_kitchen.val, graph=kitchen_graph(), features=features)
    assert ranker.arrays()["vectors"].shape == (len(KITCHEN), 6)


def test_an_interrupted_training_ends_like_one_that_was_not(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    settings = {"width": 8, "epochs": 4, "batch": 4, "seed": 3, "patience": 9}
    splits = tiny_kitchen.train, tiny_kitchen.val
    whole = trained("pinsage", tiny_kitchen, **settings)
    cut: Any = make_ranker("pinsage", **settings)
    with pytest.raises(StopError):
        cut.fit(*splits, run=tmp_path, progress=stop_after(2), **given("pinsage"))
    resumed: Any = make_ranker("pinsage", **settings)
    resumed.fit(*splits, run=tmp_path, **given("pinsage"))
    assert len(resumed.history_) == 4
    np.testing.assert_array_equal(resumed.arrays()["vectors"], whole.arrays()["vectors"])
