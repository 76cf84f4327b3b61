"""GISMo on a graph of three nodes whose numbers were worked out on paper, and its losses against plain formulas."""

import itertools
import json
import math
from typing import Any

import numpy as np
import pytest
import torch
from scipy import sparse

from swapchef.benchmark import Split
from swapchef.errors import DataError
from swapchef.rankers import gismo, gismo_fast, gismo_ranker, gismo_training
from swapchef.rankers.contexts import mean_rows, own_graph, recipes_of
from swapchef.rankers.gismo import GINLayer, GISMo, SubstitutionDecoder
from swapchef.rankers.gismo_fast import QuickDecoder, SplitLayer, contrastive_loss
from swapchef.rankers.gismo_ranker import GISMoRanker
from swapchef.rankers.gismo_training import GISMoTask, exported, target_shares
from swapchef.rankers.sparse_product import SparseMatrix
from tests.conftest import ROOT

# Row v holds e_vu, how much node v hears from node u; it is not symmetric, so that a transposed one is noticed.
EDGES = np.array([[0.0, 1.0, 0.5], [1.0, 0.0, 0.0], [0.25, 0.0, 0.0]], np.float32)
FEATURES = [[1.0, 2.0], [3.0, -1.0], [0.0, 4.0]]

# First layer, eps = 0.5, f(x) = [x0 - x1 + 0.25, 2 x0 - 1]:
#   node 0: 1.5 [1, 2] + 1 [3, -1] + 0.5 [0, 4] = [4.5, 4]   -> [0.75, 8]
#   node 1: 1.5 [3, -1] + 1 [1, 2]              = [5.5, 0.5] -> [5.25, 10]
#   node 2: 1.5 [0, 4] + 0.25 [1, 2]            = [0.25, 6.5] -> [-6, -0.5]
AFTER_ONE = [[0.75, 8.0], [5.25, 10.0], [-6.0, -0.5]]
# Rectified, node 2 is [0, 0]. Second layer, eps = -1 (a node forgets itself), f(x) = [2 x0, -x1]:
#   node 0: 1 [5.25, 10] + 0.5 [0, 0] -> [10.5, -10]
#   node 1: 1 [0.75, 8] -> [1.5, -8]
#   node 2: 0.25 [0.75, 8] = [0.1875, 2] -> [0.375, -2]
AFTER_TWO = [[10.5, -10.0], [1.5, -8.0], [0.375, -2.0]]

# Decoder: W_s h + b = [h0 + h1, -h1 + 1], W_c c = [2 c0, 0.5 c1], W_v h = [-h0, h0 + h1],
# w2 x + b2 = 2 x0 - x1 + 7, w3 = -0.5.
#   candidates W_v h: [-10.5, 0.5], [-1.5, -6.5], [-0.375, -1.625]
#   query A, source 0 among 1 and 2: [0.5, 11] + W_c [0.9375, -5] = [2.375, 8.5]
#     0: relu [-8.125, 9] -> -9 + 7 < 0 -> 0;  1: [0.875, 2] -> 6.75 -> -3.375;  2: [2, 6.875] -> 4.125 -> -2.0625
#   query B, source 1 alone: [-6.5, 9]
#     0: relu [-17, 9.5] -> 0;  1: relu [-8, 2.5] -> 4.5 -> -2.25;  2: relu [-6.875, 7.375] -> -0.375 -> 0
SOURCES = np.array([0, 1], np.int32)
CONTEXTS = sparse.csr_array(np.array([[0, 1, 1], [0, 0, 0]], np.float32))
SCORES = [[0.0, -3.375, -2.0625], [0.0, -2.25, 0.0]]

# With a title [1, 2, -0.5] and W_t t = [t0 + 2 t2, -t1] = [0, -2], query A is [2.375, 6.5]:
#   0: relu [-8.125, 7] -> 0;  1: [0.875, 0] -> 8.75 -> -4.375;  2: [2, 4.875] -> 6.125 -> -3.0625
TITLE = [1.0, 2.0, -0.5]
SCORES_WITH_TITLE = [0.0, -4.375, -3.0625]


def hand_network(context: str = "set", n_ingredients: int = 3, dropout: float = 0.0, **options: Any) -> GISMo:
    config = GISMoRanker(width=2, context=context, dropout=dropout, **options).settings
    features = torch.tensor(FEATURES) if options else None
    network = GISMo(config, SparseMatrix(sparse.csr_array(EDGES)), n_ingredients, features, title_width=3)
    from_source, from_candidate = [[1.0, 1.0], [0.0, -1.0]], [[-1.0, 0.0], [1.0, 1.0]]
    from_set, from_title = [[2.0, 0.0], [0.0, 0.5]], [[1.0, 0.0, 2.0], [0.0, -1.0, 0.0]]
    from_context = {"none": [], "set": [from_set], "title": [from_title], "both": [from_set, from_title]}[context]
    values = {
        "ingredient_encoder.features": FEATURES,
        "ingredient_encoder.layers.0.epsilon": 0.5,
        "ingredient_encoder.layers.0.f.weight": [[1.0, -1.0], [2.0, 0.0]],
        "ingredient_encoder.layers.0.f.bias": [0.25, -1.0],
        "ingredient_encoder.layers.1.epsilon": -1.0,
        "ingredient_encoder.layers.1.f.weight": [[2.0, 0.0], [0.0, -1.0]],
        "ingredient_encoder.layers.1.f.bias": [0.0, 0.0],
        "decoder.first.weight": np.concatenate([from_source, from_candidate, *from_context], axis=1),
        "decoder.first.bias": [0.0, 1.0],
        "decoder.second.weight": [[2.0, -1.0]],
        "decoder.second.bias": [7.0],
        "decoder.third.weight": [[-0.5]],
    }
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            parameter.copy_(torch.tensor(values[name]))
    return network


ALL = torch.arange(3)


def fast_queries(
    network: GISMo, sources: torch.Tensor, recipes: sparse.csr_array, titles: torch.Tensor | None = None
) -> torch.Tensor:
    h = network.ingredient_encoder()
    context = network.context_encoder(h, SparseMatrix(mean_rows(recipes)), titles)
    return SplitLayer(network.decoder).queries(h[sources], context)


def plain_scores(source: int, context: list[int], title: list[float] | None = None) -> list[float]:
    """Score the three ingredients with the hand network's decoder, one number at a time."""
    h = AFTER_TWO
    mean = [sum(h[id][unit] for id in context) / max(len(context), 1) for unit in range(2)]
    query = [h[source][0] + h[source][1] + 2 * mean[0], -h[source][1] + 1 + 0.5 * mean[1]]
    if title is not None:
        query = [query[0] + title[0] + 2 * title[2], query[1] - title[1]]
    scores = []
    for v in h:
        hidden = [max(query[0] - v[0], 0.0), max(query[1] + v[0] + v[1], 0.0)]
        scores.append(-0.5 * max(2 * hidden[0] - hidden[1] + 7, 0.0))
    return scores


def cross_entropy(scores: dict[int, float], target: int) -> float:
    return math.log(sum(math.exp(score) for score in scores.values())) - scores[target]


def test_a_gin_layer_adds_what_the_neighbours_say() -> None:
    layer = hand_network().ingredient_encoder.layers[0]
    assert isinstance(layer, GINLayer)
    updated = layer(SparseMatrix(sparse.csr_array(EDGES)), torch.tensor(FEATURES))
    assert updated.tolist() == AFTER_ONE


def test_a_new_gin_layer_neither_forgets_nor_favours_a_node() -> None:
    assert GINLayer(2, 2).epsilon.item() == 0.0


def test_two_layers_are_rectified_between_but_not_after() -> None:
    network = hand_network()
    assert network.ingredient_encoder().tolist() == AFTER_TWO
    np.testing.assert_allclose(plain_scores(0, [1, 2]), SCORES[0])
    np.testing.assert_allclose(plain_scores(1, []), SCORES[1])
    np.testing.assert_allclose(plain_scores(0, [1, 2], TITLE), SCORES_WITH_TITLE)


def test_dropout_is_between_layers_alone_and_only_in_training() -> None:
    encoder = hand_network(dropout=0.5).ingredient_encoder.train()
    torch.manual_seed(0)
    # Node 1 hears node 0 alone, so it becomes [2, -1] times that node's [0.75, 8], each doubled or left out.
    seen = {tuple(encoder()[1].tolist()) for _ in range(50)}
    assert seen == {(a, b) for a in (0.0, 3.0) for b in (-0.0, -16.0)}
    assert encoder.eval()().tolist() == AFTER_TWO


def test_the_model_scores_a_recipe_of_two_ingredients_as_worked_out_on_paper() -> None:
    sources, recipes = torch.from_numpy(SOURCES).long(), SparseMatrix(mean_rows(CONTEXTS))
    assert hand_network()(sources, ALL.expand(2, 3), recipes).tolist() == SCORES
    # Each query has candidates of its own, in their order.
    own = hand_network()(sources, torch.tensor([[2, 1], [1, 1]]), recipes)
    assert own.tolist() == [[-2.0625, -3.375], [-2.25, -2.25]]


def test_the_model_reads_a_title_beside_the_ingredients_where_there_is_one() -> None:
    network, recipe = hand_network("both"), SparseMatrix(mean_rows(CONTEXTS[[0]]))
    assert network(SOURCES[:1], ALL[None], recipe, torch.tensor([TITLE])).tolist() == [SCORES_WITH_TITLE]
    assert network(SOURCES[:1], ALL[None], recipe).tolist() == [SCORES[0]]


def test_the_decoder_drops_units_of_both_hidden_layers_in_training() -> None:
    network = hand_network(dropout=0.5).train()
    decoder, h = network.decoder, torch.tensor(AFTER_TWO)
    torch.manual_seed(0)
    inputs = (h[[0]], h[None, [1]], torch.tensor([[0.9375, -5.0]]))
    # [0.875, 2], each doubled or left out, gives 2 x0 - x1 + 7 = 7, 10.5, 3 or 6.5, doubled or left out, by -0.5.
    seen = {round(decoder(*inputs).item(), 4) for _ in range(200)}
    assert seen == {0.0, -7.0, -10.5, -3.0, -6.5}
    assert decoder.eval()(*inputs).item() == -3.375


def test_the_loss_is_how_unlikely_the_target_is_among_the_candidates() -> None:
    """Scores log 1, log 2 and log 5: the target's share is 2 of 8, and 5 of 8 for the other example."""
    scores = torch.log(torch.tensor([[1.0, 2.0, 5.0], [1.0, 2.0, 5.0]]))
    loss = gismo.contrastive_loss(scores, torch.tensor([1, 2]))
    assert loss.item() == pytest.approx((math.log(8 / 2) + math.log(8 / 5)) / 2, rel=1e-6)
    # A candidate that is drawn half as often stands for two of its kind: shares 4 of 10 and 5 of 10.
    halved = gismo.contrastive_loss(scores, torch.tensor([1, 2]), torch.log(torch.tensor([1.0, 0.5, 1.0])))
    assert halved.item() == pytest.approx((math.log(10 / 4) + math.log(10 / 5)) / 2, rel=1e-6)


def test_the_split_layer_projects_as_worked_out_on_paper() -> None:
    network = hand_network()
    assert fast_queries(network, torch.from_numpy(SOURCES).long(), CONTEXTS).tolist() == [[2.375, 8.5], [-6.5, 9.0]]
    projected = SplitLayer(network.decoder).candidates(torch.tensor(AFTER_TWO))
    assert projected.tolist() == [[-10.5, 0.5], [-1.5, -6.5], [-0.375, -1.625]]
    without_recipe = fast_queries(hand_network("none"), torch.tensor([0]), CONTEXTS[[0]])
    assert without_recipe.tolist() == [[0.5, 11.0]]


def test_the_quick_decoder_scores_as_worked_out_on_paper() -> None:
    network = hand_network()
    with torch.no_grad():
        decoder = QuickDecoder(network, network.ingredient_encoder())  # the numbers are exact in half precision too
        queries = fast_queries(network, torch.from_numpy(SOURCES).long(), CONTEXTS)
        assert [decoder.scores(query).tolist() for query in queries] == SCORES


@pytest.mark.parametrize("block", [1, 2, 3, 4])
def test_numpy_scores_as_worked_out_on_paper(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(gismo_ranker, "_BLOCK", block)
    ranker = GISMoRanker(width=2)
    ranker.restore(exported(hand_network()))
    scores = ranker.score(SOURCES, CONTEXTS)
    assert scores.dtype == np.float32
    assert scores.tolist() == SCORES
    assert ranker.arrays()["encoded"].tolist() == AFTER_TWO


def test_numpy_reads_titles_where_there_are_some(monkeypatch: pytest.MonkeyPatch) -> None:
    ranker = GISMoRanker(width=2, context="both", title_encoder="some encoder")
    ranker.restore(exported(hand_network("both")))
    encoded: list[tuple[list[str], str]] = []
    vectors = np.array([TITLE], np.float32)
    monkeypatch.setattr(gismo_ranker, "encode_texts", lambda *asked: encoded.append(asked) or vectors)
    assert ranker.score(SOURCES[:1], CONTEXTS[[0]], np.array(["Pie"])).tolist() == [SCORES_WITH_TITLE]
    assert encoded == [(["Pie"], "some encoder")]
    assert ranker.score(SOURCES[:1], CONTEXTS[[0]]).tolist() == [SCORES[0]]
    assert len(encoded) == 1


def test_without_context_only_the_source_asks() -> None:
    network = hand_network("none")
    ranker = GISMoRanker(width=2, context="none")
    ranker.restore(exported(network))
    # Source 0 asks with [0.5, 11]: relu [-10, 11.5] -> 0; relu [-1, 4.5] -> 2.5; [0.125, 9.375] -> 0.25 - 9.375 + 7 < 0
    assert ranker.score(SOURCES[:1], CONTEXTS[[0]]).tolist() == [[0.0, -1.25, 0.0]]
    assert network(SOURCES[:1], ALL[None], SparseMatrix(mean_rows(CONTEXTS[[0]]))).tolist() == [[0.0, -1.25, 0.0]]


def test_compounds_are_encoded_but_are_no_candidates() -> None:
    network = hand_network(n_ingredients=2)  # the third node is a compound
    context = sparse.csr_array(np.array([[0, 1]], np.float32))
    ranker = GISMoRanker(width=2)
    ranker.restore(exported(network))
    expected = plain_scores(0, [1])[:2]
    np.testing.assert_allclose(ranker.score(SOURCES[:1], context)[0], expected)
    with torch.no_grad():
        decoder = QuickDecoder(network, network.ingredient_encoder(), torch.float32)
        np.testing.assert_allclose(decoder.scores(fast_queries(network, torch.tensor([0]), context)[0]), expected)


def test_the_gradient_of_a_sparse_product_goes_back_along_the_edges() -> None:
    dense = torch.tensor(FEATURES, requires_grad=True)
    weights = torch.tensor([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]])
    ((SparseMatrix(sparse.csr_array(EDGES)) @ dense) * weights).sum().backward()
    assert dense.grad is not None
    # Node 0 is heard by nodes 1 and 2, node 1 by node 0, node 2 by node 0.
    assert dense.grad.tolist() == [[2 + 0.25 * 4, 20 + 0.25 * 40], [1.0, 10.0], [0.5, 5.0]]


def test_given_features_set_the_width_of_the_first_layer_and_move_only_if_asked() -> None:
    features = torch.arange(12.0).reshape(3, 4)
    graph = SparseMatrix(sparse.csr_array(EDGES))
    for fine_tune in (False, True):
        config = GISMoRanker(width=6, fine_tune=fine_tune).settings
        encoder = GISMo(config, graph, 3, features).ingredient_encoder
        assert [(layer.f.in_features, layer.f.out_features) for layer in encoder.layers] == [(4, 6), (6, 6)]
        assert encoder.features.requires_grad is fine_tune
        assert encoder.pull().item() == 0.0
        with torch.no_grad():
            encoder.features[1, 2] += 3.0
            encoder.features[0, 0] -= 4.0
        assert encoder.pull().item() == 25.0
    assert features[1, 2] == 6.0  # what was given stays as it is


def test_without_layers_the_decoder_sees_the_features_themselves() -> None:
    network = GISMo(GISMoRanker(width=6, layers=0).settings, SparseMatrix(sparse.csr_array(EDGES)), 3, torch.ones(3, 4))
    assert network.ingredient_encoder().tolist() == [[1.0] * 4] * 3
    assert (network.decoder.first.in_features, network.decoder.first.out_features) == (3 * 4, 6)


# Training. Four examples, so that the shares of the targets are 0, 3/4 and 1/4.
TRAIN = Split(
    "train",
    np.array([0, 0, 2, 0], np.int32),
    np.array([1, 1, 1, 2], np.int32),
    sparse.csr_array(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)),
    np.array(["a", "b", "c", "d"], np.str_),
)
CONTEXT_IDS = [[2], [], [0], [1]]
EVERY = np.arange(4)


def hand_task(titles: bool = False, network: GISMo | None = None, **settings: Any) -> GISMoTask:
    config = GISMoRanker(**{"width": 2, "dropout": 0.0, "precision": "float32", **settings}).settings
    vectors = torch.tensor([TITLE, [0.0, 0.0, 0.0], TITLE, [1.0, 1.0, 1.0]]) if titles else None
    network = network or hand_network("both" if titles else "set")
    return GISMoTask(config, network, TRAIN, TRAIN, vectors, vectors)


def losses(task: GISMoTask, rows: np.ndarray, batch: np.ndarray, seeds: int) -> list[float]:
    with torch.no_grad():
        return [float(task(rows, batch, (0, 0, seed))) for seed in range(seeds)]


def test_with_all_ingredients_as_candidates_the_loss_is_the_full_softmax() -> None:
    expected = np.mean(
        [
            cross_entropy(dict(enumerate(plain_scores(source, context))), target)
            for source, target, context in zip(TRAIN.source, TRAIN.target, CONTEXT_IDS, strict=True)
        ]
    )
    for seed_loss in losses(hand_task(n_negatives=99), EVERY, EVERY, seeds=3):
        assert seed_loss == pytest.approx(expected, rel=1e-5)


def test_shared_candidates_are_corrected_by_how_likely_they_were_drawn() -> None:
    """Of three ingredients the batch's targets 1 and 2 are always candidates, 0 only where it is drawn."""
    task = hand_task(n_negatives=1)
    # Drawn neither as one of four targets nor as the one of three that are drawn beside them: (1 - share)^4 * 2/3.
    chance = {0: 1 / 3, 1: 1 - 0.25**4 * 2 / 3, 2: 1 - 0.75**4 * 2 / 3}
    expected = {}
    for candidates in ((1, 2), (0, 1, 2)):
        example_losses = []
        for source, target, context in zip(TRAIN.source, TRAIN.target, CONTEXT_IDS, strict=True):
            scores = plain_scores(source, context)
            corrected = {id: scores[id] - math.log(chance[id]) for id in candidates}
            example_losses.append(cross_entropy(corrected, int(target)))
        expected[candidates] = float(np.mean(example_losses))
    measured = np.array(losses(task, EVERY, EVERY, seeds=60))
    with_all = np.isclose(measured, expected[0, 1, 2], rtol=1e-5)
    assert (with_all | np.isclose(measured, expected[1, 2], rtol=1e-5)).all()
    assert 10 <= with_all.sum() <= 30  # a third of 60


def test_the_sampled_softmax_expects_the_full_one() -> None:
    """Enumerate every batch of two targets and every draw: the corrected sum of exponentials is right on average."""

    class Draw:
        """Stands in for a random generator: draws what it was made with."""

        def __init__(self, id: int) -> None:
            self.id = id

        def choice(self, n: int, size: int, replace: bool) -> np.ndarray:
            assert (n, size, replace) == (3, 1, False)
            return np.array([self.id])

    task = hand_task(n_negatives=1)
    shares, exponentials = [0.0, 0.75, 0.25], [2.0, 3.0, 7.0]
    expectation = 0.0
    for first, second, drawn in itertools.product(range(3), repeat=3):
        ids, correction = task._shared_candidates(np.array([first, second]), Draw(drawn))  # type: ignore[arg-type]
        assert ids.tolist() == sorted({first, second, drawn})
        estimate = sum(exponentials[id] / math.exp(c) for id, c in zip(ids, correction.tolist(), strict=True))
        expectation += shares[first] * shares[second] / 3 * estimate
    assert expectation == pytest.approx(sum(exponentials), rel=1e-6)


def test_uniform_negatives_are_each_examples_own_and_not_corrected() -> None:
    scores = plain_scores(0, [2])
    possible = [cross_entropy({0: scores[1], 1: scores[drawn]}, 0) for drawn in range(3)]
    measured = losses(hand_task(negatives="uniform", n_negatives=1), EVERY[:1], EVERY[:1], seeds=40)
    nearest = [int(np.argmin([abs(loss - option) for option in possible])) for loss in measured]
    np.testing.assert_allclose(measured, [possible[option] for option in nearest], rtol=1e-5)
    assert set(nearest) == {0, 1, 2}  # the target itself may be drawn too, as in the published code
    drawn_twice = losses(hand_task(negatives="uniform", n_negatives=2), EVERY[:1], EVERY[:1], seeds=40)
    pairs = [
        cross_entropy({0: scores[1], 1: scores[one], 2: scores[two]}, 0)
        for one, two in itertools.combinations_with_replacement(range(3), 2)
    ]
    assert all(min(abs(loss - pair) for pair in pairs) < 1e-4 for loss in drawn_twice)


def test_processes_of_one_batch_draw_uniform_negatives_of_their_own() -> None:
    task = hand_task(negatives="uniform", n_negatives=2)
    task.split = Split("train", *(np.zeros(4, np.int32) + id for id in (0, 1)), TRAIN.context[[0] * 4], TRAIN.recipe_id)
    task.means = mean_rows(task.split.context)
    shares = [losses(task, np.array([row]), EVERY, seeds=20) for row in EVERY]  # all four examples are the same
    assert len({tuple(share) for share in shares}) == 4


def test_the_title_of_each_example_is_read() -> None:
    titles = [TITLE, [0.0, 0.0, 0.0], TITLE, [1.0, 1.0, 1.0]]
    rows = np.array([2, 3])
    expected = np.mean(
        [
            cross_entropy(dict(enumerate(plain_scores(source, CONTEXT_IDS[row], titles[row]))), target)
            for row, source, target in zip(rows, TRAIN.source[rows], TRAIN.target[rows], strict=True)
        ]
    )
    (loss,) = losses(hand_task(titles=True, n_negatives=3), rows, EVERY, seeds=1)
    assert loss == pytest.approx(expected, rel=1e-5)


def test_the_pull_back_to_given_features_is_part_of_the_loss() -> None:
    def loss(pull: float, fine_tune: bool) -> float:
        network = hand_network(fine_tune=fine_tune)
        network.ingredient_encoder.given += 1.0  # six numbers, each one away from where it is
        task = hand_task(network=network, n_negatives=3, pull=pull, fine_tune=fine_tune)
        return losses(task, EVERY, EVERY, seeds=1)[0]

    assert loss(0.5, True) == pytest.approx(loss(0.0, True) + 0.5 * 6, rel=1e-6)
    assert loss(0.5, False) == loss(0.0, False)


@pytest.mark.parametrize("probability", [0.0, 1.0])
def test_source_and_target_are_exchanged_as_often_as_asked(probability: float) -> None:
    task = hand_task(swap_probability=probability)
    source, target, all_targets = task._pairs(np.array([1, 3]), np.array([0, 1, 3]), np.random.default_rng(0))
    straight = [[0, 0], [1, 2], [1, 1, 2]]
    exchanged = [[1, 2], [0, 0], [0, 0, 0]]
    assert [source.tolist(), target.tolist(), all_targets.tolist()] == (exchanged if probability else straight)
    assert {source.dtype, target.dtype} == {np.dtype(np.int64)}


def test_half_of_many_pairs_are_exchanged_at_a_probability_of_one_half() -> None:
    task = hand_task(swap_probability=0.25)
    task.split = Split("train", *(np.full(4000, id, np.int32) for id in (0, 1)), TRAIN.context, TRAIN.recipe_id)
    source, target, _ = task._pairs(np.arange(4000), np.arange(4000), np.random.default_rng(0))
    assert (source + target == 1).all()
    assert 900 < source.sum() < 1100


def test_the_share_of_each_target_counts_exchanged_examples() -> None:
    np.testing.assert_allclose(target_shares(TRAIN, 0.0), [0, 3 / 4, 1 / 4])
    # Sources are 0 (three times) and 2: 0.75 [0, 3, 1] / 4 + 0.25 [3, 0, 1] / 4
    np.testing.assert_allclose(target_shares(TRAIN, 0.25), [0.1875, 0.5625, 0.25])


def test_validation_is_the_mean_reciprocal_rank_in_percent() -> None:
    val = Split("val", SOURCES, np.array([2, 1], np.int32), CONTEXTS, np.array(["a", "b"], np.str_))
    config = GISMoRanker(width=2).settings
    with torch.no_grad():
        # Query A: 0 is better than the target -2.0625. Query B: both others are better than -2.25.
        assert GISMoTask(config, hand_network(), TRAIN, val).validate() == pytest.approx((100 / 2 + 100 / 3) / 2)
        one = GISMoTask(GISMoRanker(width=2, val_queries=1).settings, hand_network(), TRAIN, val)
        (row,) = one.val_rows
        assert one.validate() == pytest.approx([100 / 2, 100 / 3][row])
        # A title moves query A to [2.375, 28.5], where w2 x + b2 < 0 for all three: they tie, against the target.
        titles = torch.tensor([[0.0, -20.0, 0.0], [0.0, 0.0, 0.0]])
        titled = GISMoTask(config, hand_network("both"), TRAIN, val, None, titles)
        assert titled.validate() == pytest.approx(100 / 3)


def test_the_temperature_makes_chances_of_scores_among_what_a_cook_lacks() -> None:
    """Queries of source 0 in no recipe leave candidates 1 and 2, whose scores differ by a known gap."""
    n = 40
    rows = Split(
        "val",
        np.zeros(n, np.int32),
        np.array([2] * 30 + [1] * 10, np.int32),  # three of four cooks took 2
        sparse.csr_array((n, 3), dtype=np.float32),
        np.arange(n).astype(np.str_),
    )
    _, one, two = plain_scores(0, [])
    assert two > one
    with torch.no_grad():
        temperature = GISMoTask(GISMoRanker(width=2).settings, hand_network(), TRAIN, rows).temperature()
    assert temperature == pytest.approx((two - one) / math.log(3), rel=1e-2)  # then the odds are 3 to 1
    # In a recipe with 1 the only candidate left is 2, at any temperature: nothing to learn from.
    assert 1 / (1 + math.exp((one - two) / temperature)) == pytest.approx(0.75, abs=0.01)


def test_every_val_query_is_measured_once() -> None:
    task = hand_task(val_queries=3)
    assert len(task.val_rows) == 3
    assert (np.diff(task.val_rows) > 0).all()
    assert hand_task(val_queries=99).val_rows.tolist() == [0, 1, 2, 3]
    assert hand_task(val_queries=0).val_rows.tolist() == [0, 1, 2, 3]


def test_features_are_divided_by_their_deviation() -> None:
    features = np.array([[3, -3], [0, 0], [1, -1]], np.float32)  # the deviation of 3, -3, 1 and -1 is the root of 5
    np.testing.assert_allclose(gismo_training._as_large_as_random(features), features / math.sqrt(5), rtol=1e-6)
    partly = np.array([[3, 0], [0, 0], [0, -3]], np.float32)  # only the row without any number says nothing
    np.testing.assert_allclose(gismo_training._as_large_as_random(partly), partly / math.sqrt(18 / 4), rtol=1e-6)
    assert not gismo_training._as_large_as_random(np.zeros((3, 2), np.float32)).any()


def test_only_models_that_read_titles_encode_them(monkeypatch: pytest.MonkeyPatch) -> None:
    titled = Split(
        *(getattr(TRAIN, name) for name in ("name", "source", "target", "context", "recipe_id")), np.array(["Pie"] * 4)
    )
    asked: list[tuple[list[str], str]] = []
    monkeypatch.setattr(
        gismo_training, "encode_texts", lambda *texts: asked.append(texts) or np.ones((4, 3), np.float32)
    )
    for context, reads in (("none", False), ("set", False), ("title", True), ("both", True)):
        config = GISMoRanker(context=context, title_encoder="some encoder").settings
        vectors = gismo_training._title_vectors(config, titled)
        assert (vectors is not None) == reads
        if reads:
            with pytest.raises(DataError, match="have none"):
                gismo_training._title_vectors(config, TRAIN)
    assert asked == [(["Pie"] * 4, "some encoder")] * 2


# The fused loss against plain ones.


def small_decoder(width: int, dropout: float) -> SubstitutionDecoder:
    config = GISMoRanker(width=width, layers=0, context="none", dropout=dropout).settings
    return SubstitutionDecoder(config, width, 0).train()


@pytest.mark.parametrize("own_candidates", [False, True])
@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_the_gradient_of_the_fused_loss_is_its_slope(
    own_candidates: bool, dropout: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same units are dropped at every point, so the loss has a slope that torch can measure."""
    monkeypatch.setattr(gismo_fast, "_EXAMPLES_IN_CACHE", 2)  # five examples: two groups and a rest
    torch.manual_seed(1)
    decoder = small_decoder(8, dropout).double()
    queries, candidates = torch.randn(5, 8).double() + 1.0, torch.randn(3, 8).double()
    correction = torch.tensor([0.5, -1.0, 0.25]).double()
    targets = torch.tensor([0, 2, 1, 1, 0])
    ids = torch.tensor([[0, 1, 2], [2, 2, 1], [1, 0, 0], [0, 2, 1], [1, 2, 2]]) if own_candidates else None

    def loss(queries: torch.Tensor, candidates: torch.Tensor, *_: torch.Tensor) -> torch.Tensor:
        generator = torch.Generator().manual_seed(7)
        return 3.0 * contrastive_loss(
            decoder, queries, candidates, targets, correction, generator, ids, torch.float64
        )  # fmt: skip

    weights = [*decoder.second.parameters(), decoder.third.weight]
    assert torch.autograd.gradcheck(loss, [queries.requires_grad_(), candidates.requires_grad_(), *weights])
    loss(queries, candidates).backward()  # type: ignore[no-untyped-call]
    assert all(tensor.grad.abs().max() > 1e-3 for tensor in (queries, candidates, *weights))  # type: ignore[union-attr]


def test_dropped_units_are_made_up_for_by_those_that_stay() -> None:
    """Where all units say the same, leaving half of them out and counting the others double changes nothing."""
    network = small_decoder(8, 0.5)
    with torch.no_grad():
        network.second.weight.fill_(0.25)
        network.second.bias.fill_(-0.5)
        network.third.weight.fill_(0.75)
    levels, query = [0.1, 0.5, 0.9], 0.3
    queries = torch.full((3, 8), query)
    candidates = torch.tensor(levels)[:, None].expand(3, 8).contiguous()
    correction = torch.tensor([0.0, 0.5, -0.5])
    targets = torch.tensor([0, 1, 1])
    loss = contrastive_loss(network, queries, candidates, targets, correction, torch.Generator(), None, torch.float32)
    # Eight units of the first layer, four of the second.
    scores = [4 * 0.75 * max(8 * 0.25 * (query + level) - 0.5, 0.0) for level in levels]
    corrected = {id: score - shift for id, (score, shift) in enumerate(zip(scores, [0.0, 0.5, -0.5], strict=True))}
    expected = np.mean([cross_entropy(corrected, target) for target in (0, 1, 1)])
    assert loss.item() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("layer", ["first", "second"])
def test_every_unit_of_a_layer_is_dropped_at_times(layer: str) -> None:
    """Where one unit decides alone, the loss is that of equal scores whenever it is left out."""
    candidates = torch.tensor([[0.0] * 4, [1.0] * 4, [2.0] * 4])
    for unit in range(4 if layer == "first" else 2):
        network = small_decoder(4, 0.5)
        with torch.no_grad():
            network.second.weight.fill_(0.0)
            network.second.bias.fill_(0.0)
            network.third.weight.fill_(0.0)
            if layer == "first":
                network.second.weight[:, unit] = 1.0
                network.third.weight.fill_(1.0)
            else:
                network.second.weight.fill_(1.0)
                network.third.weight[0, unit] = 1.0
            measured = [
                contrastive_loss(
                    network, torch.ones(1, 4), candidates, torch.tensor([0]), torch.zeros(()),
                    torch.Generator().manual_seed(seed), None, torch.float32,
                ).item()
                for seed in range(60)
            ]  # fmt: skip
        is_left_out = np.isclose(measured, math.log(3))
        assert 15 <= is_left_out.sum() <= 45  # half of the time


# What a split's own recipes tell.

RECIPES = Split(
    "train",
    np.array([0, 0, 3, 1], np.int32),
    np.array([2, 1, 2, 0], np.int32),
    sparse.csr_array(np.array([[0, 1, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0]], np.float32)),
    np.array(["z", "z", "m", "a"], np.str_),
)


def test_each_recipe_counts_once_with_its_source() -> None:
    assert recipes_of(RECIPES).toarray().tolist() == [[0, 1, 1, 0], [1, 1, 0, 1], [1, 1, 0, 0]]  # a, m and z


def test_the_own_graph_weighs_pairs_by_npmi() -> None:
    graph = own_graph(RECIPES)
    edges = {
        (a, b): w for a, b, w in zip(graph.first.tolist(), graph.second.tolist(), graph.weight.tolist(), strict=True)
    }

    def npmi(together: int, one: int, other: int, recipes: int = 3) -> float:
        p = together / recipes
        return math.log(p / (one / recipes * other / recipes)) / -math.log(p)

    expected = {(0, 1): npmi(2, 2, 3), (0, 3): npmi(1, 2, 1), (1, 2): npmi(1, 3, 1), (1, 3): npmi(1, 3, 1)}
    assert edges.keys() == expected.keys()
    for pair, weight in expected.items():
        assert edges[pair] == pytest.approx(weight, abs=1e-6)
    assert len(graph.nodes) == graph.nodes.n_ingredients == 4
    assert graph.nodes.id.tolist() == [0, 1, 2, 3]
    assert graph.nodes.name == ("0", "1", "2", "3")


def test_rows_are_scaled_to_means_and_empty_ones_stay_empty() -> None:
    rows = sparse.csr_array(np.array([[1, 1, 0], [0, 0, 0], [0, 0, 1], [1, 1, 1]], np.float32))
    np.testing.assert_allclose(
        mean_rows(rows).toarray(), [[0.5, 0.5, 0], [0, 0, 0], [0, 0, 1], [1 / 3, 1 / 3, 1 / 3]], rtol=1e-6
    )
    assert rows.toarray().max() == 1.0  # what was given stays as it is


def test_the_published_schedule_is_one_that_training_takes() -> None:
    """As the authors' repository gives it: lr=0.00005 w_decay=0.0001 hidden=300 dropout=0.25 nlayers=2 nr=400."""
    settings = json.loads((ROOT / "configs" / "gismo_paper.json").read_text(encoding="utf-8"))
    paper = GISMoRanker(**settings).settings
    assert (paper.learning_rate, paper.weight_decay, paper.n_negatives, paper.batch) == (5e-5, 1e-4, 400, 500)
    assert (paper.negatives, paper.schedule, paper.precision, paper.val_queries) == (
        "uniform",
        "constant",
        "float32",
        0,
    )
    assert (paper.width, paper.layers, paper.dropout, paper.epochs) == (300, 2, 0.25, 1000)


def test_gismo_asks_for_a_graph_and_uses_the_papers_shape() -> None:
    """The paper: "two GIN layers", F = d = 300, "a dropout rate of 0.25"; its main row reads the ingredient set."""
    assert (GISMoRanker.name, GISMoRanker.learns_from) == ("gismo", ("graph",))
    settings = GISMoRanker().settings
    assert (settings.width, settings.layers, settings.dropout, settings.context) == (300, 2, 0.25, "set")
