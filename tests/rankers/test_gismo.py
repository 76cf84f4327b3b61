"""GISMo's fast paths equal the plain ones, and training does what it says."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy import sparse

from swapchef.benchmark import Benchmark, evaluate
from swapchef.errors import DataError
from swapchef.rankers import gismo
from swapchef.rankers.contexts import mean_rows, own_graph
from swapchef.rankers.gismo import GISMo
from swapchef.rankers.gismo_fast import QuickDecoder, SplitLayer, contrastive_loss
from swapchef.rankers.gismo_ranker import GISMoRanker
from swapchef.rankers.gismo_training import exported, train_network
from swapchef.rankers.sparse_product import SparseMatrix
from tests.conftest import make_split

NODES, INGREDIENTS, WIDTH = 40, 30, 16


def small_network(context: str = "set", layers: int = 2, dropout: float = 0.0) -> GISMo:
    torch.manual_seed(0)
    graph = sparse.random_array(
        (NODES, NODES), density=0.1, rng=np.random.default_rng(0), format="csr", dtype=np.float32
    )
    config = GISMoRanker(width=WIDTH, layers=layers, context=context, dropout=dropout).settings
    return GISMo(config, SparseMatrix(graph), INGREDIENTS)


def small_batch() -> tuple[torch.Tensor, SparseMatrix, torch.Tensor]:
    random = np.random.default_rng(1)
    contexts = sparse.random_array((20, INGREDIENTS), density=0.2, rng=random, format="csr", dtype=np.float32)
    contexts.data[:] = 1.0
    sources = torch.from_numpy(random.integers(INGREDIENTS, size=20))
    targets = torch.from_numpy(random.integers(INGREDIENTS, size=20))
    return sources, SparseMatrix(mean_rows(contexts)), targets


def all_ingredients(examples: int) -> torch.Tensor:
    return torch.arange(INGREDIENTS).expand(examples, -1)


def projected(network: GISMo) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the small batch's queries and all candidates, projected by the split layer."""
    sources, contexts, _ = small_batch()
    h = network.ingredient_encoder()
    first = SplitLayer(network.decoder)
    queries = first.queries(h[sources], network.context_encoder(h, contexts))
    return queries, first.candidates(h[:INGREDIENTS])


def gradients(network: GISMo, loss: torch.Tensor) -> dict[str, torch.Tensor]:
    network.zero_grad()
    loss.backward()
    return {name: p.grad.clone() for name, p in network.named_parameters() if p.grad is not None}


@pytest.mark.parametrize("context", ["none", "set"])
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.bfloat16, 0.02)])
def test_the_quick_decoder_scores_as_the_model_does(context: str, dtype: torch.dtype, tolerance: float) -> None:
    network = small_network(context)
    sources, contexts, _ = small_batch()
    with torch.no_grad():
        decoder = QuickDecoder(network, network.ingredient_encoder(), dtype)
        quick = torch.stack([decoder.scores(query) for query in projected(network)[0]])
        plain = network(sources, all_ingredients(20), contexts)
    torch.testing.assert_close(quick, plain, atol=tolerance * float(plain.std()) * 5, rtol=0)


def test_in_half_precision_hardly_any_scores_tie() -> None:
    network = small_network()
    with torch.no_grad():
        decoder = QuickDecoder(network, network.ingredient_encoder())
        scores = torch.stack([decoder.scores(query) for query in projected(network)[0]])
    assert len(scores.unique()) > 0.98 * scores.numel()


@pytest.mark.parametrize("context", ["none", "set"])
@pytest.mark.parametrize("own_candidates", [False, True])
def test_the_fused_loss_and_its_gradient_are_the_models(own_candidates: bool, context: str) -> None:
    network = small_network(context)
    sources, contexts, targets = small_batch()
    correction = torch.linspace(-1, 1, INGREDIENTS)
    ids = all_ingredients(20).flip(1).contiguous() if own_candidates else None
    positions = INGREDIENTS - 1 - targets if own_candidates else targets
    shift = correction.flip(0) if own_candidates else correction
    fast = contrastive_loss(
        network.decoder, *projected(network), positions, shift, torch.Generator(), ids, torch.float32
    )
    fast_gradients = gradients(network, fast)
    plain = gismo.contrastive_loss(network(sources, all_ingredients(20), contexts), targets, correction)
    plain_gradients = gradients(network, plain)
    torch.testing.assert_close(fast, plain, atol=1e-5, rtol=0)
    assert fast_gradients.keys() == plain_gradients.keys()
    assert {name.split(".")[0] for name in plain_gradients} == {"ingredient_encoder", "decoder"}
    for name, gradient in plain_gradients.items():
        torch.testing.assert_close(fast_gradients[name], gradient, atol=1e-5, rtol=0, msg=name)


def small_loss(network: GISMo, dtype: torch.dtype = torch.float32, seed: int = 0) -> float:
    queries, candidates = projected(network)
    generator, targets = torch.Generator().manual_seed(seed), small_batch()[2]
    loss = contrastive_loss(network.decoder, queries, candidates, targets, torch.zeros(()), generator, None, dtype)
    return loss.item()


def test_half_precision_stays_close() -> None:
    network = small_network()
    assert small_loss(network, torch.bfloat16) == pytest.approx(small_loss(network), abs=0.02)


def test_dropout_keeps_the_expected_loss_close_and_varies_with_the_generator() -> None:
    network = small_network(dropout=0.25)
    network.ingredient_encoder.eval()
    noisy = [small_loss(network, seed=seed) for seed in range(30)]
    assert small_loss(network, seed=3) == noisy[3]
    assert len(set(noisy)) > 20
    network.eval()
    assert np.mean(noisy) == pytest.approx(small_loss(network), rel=0.15)


def tiny(**config: object) -> GISMoRanker:
    return GISMoRanker(
        **{
            "width": 16,
            "epochs": 30,
            "batch": 8,
            "learning_rate": 0.01,
            "weight_decay": 0.0,
            "dropout": 0.0,
            "patience": 30,
            **config,
        }
    )


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"context": "none"},
        {"layers": 0},
        {"layers": 0, "context": "none"},
        {"aggregation": "sum"},
        {"negatives": "uniform", "n_negatives": 5},
        {"dropout": 0.25},
    ],
    ids=str,
)
def test_every_variant_learns_the_tiny_kitchen(tiny_kitchen: Benchmark, config: dict[str, object]) -> None:
    ranker = tiny(**config).fit(
        tiny_kitchen.train, tiny_kitchen.train
    )  # stopped by how well it knows what it was taught
    assert ranker.history_[-1].loss < ranker.history_[0].loss
    assert evaluate(ranker, tiny_kitchen, "train").mrr > 50  # an untrained one has 19


def test_numpy_scores_equal_the_models() -> None:
    network = small_network()
    with torch.no_grad():  # as training ends: rounded to half precision
        for parameter in network.decoder.parameters():
            parameter.copy_(parameter.half().float())
    ranker = tiny()
    ranker.restore(exported(network))
    random = np.random.default_rng(2)
    contexts = (sparse.random_array((9, INGREDIENTS), density=0.2, rng=random, format="csr") > 0).astype(np.float32)
    sources = random.integers(INGREDIENTS, size=9).astype(np.int32)
    with torch.no_grad():
        encoded = network.ingredient_encoder().half().float()
        network.ingredient_encoder.forward = lambda: encoded
        recipes = SparseMatrix(mean_rows(contexts))
        expected = network(torch.from_numpy(sources).long(), all_ingredients(9), recipes)
    np.testing.assert_allclose(ranker.score(sources, contexts), expected.numpy(), atol=1e-5)


def test_swapping_source_and_target_leaves_the_data_alone(tiny_kitchen: Benchmark) -> None:
    before = tiny_kitchen.train.source.copy(), tiny_kitchen.train.target.copy()
    tiny(swap_probability=0.5, epochs=3).fit(tiny_kitchen.train, tiny_kitchen.val)
    np.testing.assert_array_equal(tiny_kitchen.train.source, before[0])
    np.testing.assert_array_equal(tiny_kitchen.train.target, before[1])


def test_given_features_stay_frozen_move_or_are_pulled_back(tiny_kitchen: Benchmark) -> None:
    features = np.random.default_rng(3).standard_normal((10, 6)).astype(np.float32)
    moved = []
    for fine_tune, pull in ((False, 0.0), (True, 0.0), (True, 10.0)):
        config = tiny(fine_tune=fine_tune, pull=pull).settings
        network, *_ = train_network(
            config, tiny_kitchen.train, tiny_kitchen.train, own_graph(tiny_kitchen.train), features
        )
        moved.append(float(network.ingredient_encoder.pull().detach()))
    assert moved[0] == 0
    assert 0 < moved[2] < moved[1] / 5


def test_given_features_are_as_large_as_random_ones_whatever_their_own_scale(tiny_kitchen: Benchmark) -> None:
    features = np.random.default_rng(3).standard_normal((10, 6)).astype(np.float32)
    features[4] = 0.0  # a node without any
    given = []
    for scale in (1.0, 0.01):
        splits = tiny_kitchen.train, tiny_kitchen.train
        network, *_ = train_network(tiny(epochs=1).settings, *splits, own_graph(tiny_kitchen.train), scale * features)
        given.append(network.ingredient_encoder.given.numpy())
    np.testing.assert_allclose(given[0], given[1], rtol=1e-5)
    assert given[0][given[0].any(axis=1)].std() == pytest.approx(1.0)
    assert not given[0][4].any()


def test_only_given_features_can_be_fine_tuned(tiny_kitchen: Benchmark) -> None:
    with pytest.raises(DataError, match="no given features"):
        tiny(fine_tune=True, pull=1.0).fit(tiny_kitchen.train, tiny_kitchen.val)


def test_an_interrupted_training_ends_like_one_that_was_not(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    from swapchef.training import Progress

    class StopError(Exception): ...

    def stop(epoch: object) -> None:
        if epoch.epoch == 2:  # type: ignore[attr-defined]
            raise StopError

    config = {"dropout": 0.25, "epochs": 5, "batch": 4}
    whole = tiny(**config).fit(tiny_kitchen.train, tiny_kitchen.train)
    with pytest.raises(StopError):
        tiny(**config).fit(tiny_kitchen.train, tiny_kitchen.train, run=tmp_path, progress=Progress(epoch=stop))
    resumed = tiny(**config).fit(tiny_kitchen.train, tiny_kitchen.train, run=tmp_path)
    assert len(resumed.history_) == len(whole.history_)
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(resumed.arrays()[name], array, err_msg=name)


def test_titles_are_context_too(tiny_kitchen: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two dishes replace butter differently and only their titles tell which."""
    from swapchef.rankers import gismo_ranker, gismo_training

    def encode(texts: list[str], _: str) -> np.ndarray:
        return np.array([[1.0, 0.0] if text == "Cake" else [0.0, 1.0] for text in texts], np.float32)

    monkeypatch.setattr(gismo_ranker, "encode_texts", encode)
    monkeypatch.setattr(gismo_training, "encode_texts", encode)
    rows = [(f"r{i}", "butter", "margarine" if i % 2 else "olive_oil", ["egg"]) for i in range(16)]
    titles = np.array(["Cake" if i % 2 else "Pasta" for i in range(16)])
    split = replace(make_split("train", rows), title=titles)
    ranker = tiny(context="title", epochs=60, patience=60).fit(split, split)
    best = ranker.score(split.source[:2], split.context[:2], titles[:2]).argmax(axis=1)
    assert best.tolist() == split.target[:2].tolist()
    without = ranker.score(split.source[:2], split.context[:2])
    np.testing.assert_allclose(without[0], without[1])


def test_a_model_that_reads_titles_needs_them(tiny_kitchen: Benchmark) -> None:
    with pytest.raises(DataError, match="titles"):
        tiny(context="both").fit(tiny_kitchen.train, tiny_kitchen.val)
