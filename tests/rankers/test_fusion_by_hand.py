"""The fusion ranker's arithmetic, one number at a time: network, sampled softmax, figures and knowledge."""

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
import torch
from scipy import sparse
from torch import Tensor, nn

from swapchef.benchmark import Benchmark, Split, ids_of
from swapchef.rankers import fusion_training
from swapchef.rankers.calibration import best_temperature
from swapchef.rankers.contexts import mean_rows
from swapchef.rankers.evidence import FEATURES, Evidence, Query
from swapchef.rankers.fusion import Fusion, FusionConfig
from swapchef.rankers.fusion_training import Examples, FusionNetwork, FusionTask, learn_completion
from tests.conftest import KITCHEN, make_split
from tests.rankers.kitchen import GROUPS, kitchen_graph

COUNT = len(FEATURES)
SMALL = FusionConfig(width=2, hidden=3, mlp=2)


# The network.


def small_network(n: int = 4, **settings: Any) -> FusionNetwork:
    torch.manual_seed(3)
    random = np.random.default_rng(3)
    known, mean = (random.normal(size=shape).astype(np.float32) for shape in ((n, 5), COUNT))
    deviation = random.uniform(0.5, 2.0, COUNT).astype(np.float32)
    network = FusionNetwork(FusionConfig(**{"width": 2, "hidden": 3, "mlp": 2, **settings}), known, mean, deviation)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_(torch.randn(parameter.shape) * 0.5)
    return network.eval()


def plain_score(
    network: FusionNetwork, source: int, context: list[int], replaced: float, features: list[float]
) -> float:
    """Score one candidate, one number at a time."""
    p = {name: tensor.detach().tolist() for name, tensor in network.named_parameters()}
    known, mean, deviation = (getattr(network, name).tolist() for name in ("known", "mean", "deviation"))

    def affine(name: str, inputs: Sequence[float]) -> list[float]:
        bias = p.get(f"{name}.bias") or [0.0] * len(p[f"{name}.weight"])
        rows = zip(p[f"{name}.weight"], bias, strict=True)
        return [b + sum(w * x for w, x in zip(row, inputs, strict=True)) for row, b in rows]

    def relu(numbers: list[float]) -> list[float]:
        return [max(number, 0.0) for number in numbers]

    vectors = [
        [a + b for a, b in zip(own, affine("project", known[id]), strict=True)] for id, own in enumerate(p["own"])
    ]
    around = [sum(vectors[id][unit] for id in context) / max(len(context), 1) for unit in range(2)]
    own = vectors[source]
    read = relu(affine("read", [*own, *around, own[0] * around[0], own[1] * around[1], replaced]))
    scaled = [(f - m) / d for f, m, d in zip(features, mean, deviation, strict=True)]
    linear = sum(w * f for w, f in zip(affine("weigh", read), scaled, strict=True))
    first = relu([a + b for a, b in zip(affine("first", scaled), affine("first_read", read), strict=True)])
    return linear + affine("third", relu(affine("second", first)))[0]


CASES = [(0, [1, 3]), (2, []), (3, [0])]


def test_the_network_scores_as_a_plain_loop_does() -> None:
    network = small_network()
    features = np.random.default_rng(0).normal(size=(3, 2, COUNT)).astype(np.float32)
    contexts = np.zeros((3, 4), np.float32)
    for row, (_, context) in enumerate(CASES):
        contexts[row, context] = 1 / max(len(context), 1)
    replaced = torch.tensor([0.0, 0.7, 2.0])
    sources = torch.tensor([source for source, _ in CASES])
    with torch.no_grad():
        scores = network(sources, torch.from_numpy(contexts), replaced, torch.from_numpy(features))
    expected = [
        [plain_score(network, source, context, float(replaced[row]), numbers) for numbers in features[row].tolist()]
        for row, (source, context) in enumerate(CASES)
    ]  # fmt: skip
    np.testing.assert_allclose(scores, expected, rtol=1e-4, atol=1e-5)


class Counted:
    """Stands in for evidence where only the numbers of replacements are asked for."""

    sources = np.array([0.0, 5.0, 2.0, 9.0], np.float32)
    n = 4


def test_numpy_scores_as_a_plain_loop_does() -> None:
    network = small_network()
    ranker = Fusion()
    ranker.evidence_ = cast(Evidence, Counted())
    features = np.random.default_rng(0).normal(size=(2, COUNT)).astype(np.float32)
    query = Query(np.array([0, 1], np.int32), features, np.zeros(4, np.float32), 2)
    with torch.no_grad():
        ranker.weights_ = fusion_training._exported(network, temperature=2.5)
    for source, context in CASES:
        scores = ranker.candidate_scores(source, np.array(context, np.int32), query)
        replaced = math.log(1 + float(Counted.sources[source]))
        expected = [plain_score(network, source, context, replaced, list(map(float, row))) / 2.5 for row in features]
        np.testing.assert_allclose(scores, expected, rtol=5e-3, atol=5e-3)  # vectors are saved in half precision
        assert scores.dtype == np.float32


def test_an_untrained_network_adds_up_the_numbers_alike() -> None:
    torch.manual_seed(0)
    mean, deviation = np.full(COUNT, 2.0, np.float32), np.full(COUNT, 4.0, np.float32)
    network = FusionNetwork(FusionConfig(), np.ones((3, 5), np.float32), mean, deviation).eval()
    features = torch.full((1, 1, COUNT), 2.0)
    features[0, 0, :3] = torch.tensor([6.0, 10.0, -2.0])  # one and two deviations above the mean, one below
    with torch.no_grad():
        score = network(torch.tensor([0]), torch.zeros(1, 3), torch.zeros(1), features).item()
    assert score == pytest.approx(0.1 * (1 + 2 - 1), abs=1e-6)
    assert 0.04 < network.own.std().item() < 0.06  # so that what is known of an ingredient weighs more at first


def test_in_training_a_share_of_own_vectors_is_forgotten() -> None:
    network = small_network(n=1000, forget=0.25)
    with torch.no_grad():
        known_of = network.project(network.known)
        torch.testing.assert_close(network.vectors(), network.own + known_of)
        network.train()
        vectors = network.vectors()
        whole = (vectors == network.own + known_of).all(dim=1)
        torch.testing.assert_close(vectors[~whole], known_of[~whole])
        assert 700 < whole.sum() < 800


def test_dropout_is_for_training_alone() -> None:
    network = small_network(dropout=0.5, forget=0.0)
    inputs = torch.tensor([0]), torch.full((1, 4), 0.25), torch.ones(1), torch.ones(1, 3, COUNT)
    with torch.no_grad():
        assert torch.equal(network(*inputs), network(*inputs))
        network.train()
        assert not torch.equal(network(*inputs), network(*inputs))


# Which candidates an example has, and what each of them stands for.


class TwoBest:
    """Stands in for evidence: every source has two best candidates, and whatever else is asked for beside them."""

    n = 6
    best = ((5, 3), (0, 2), (1, 4))
    sources = np.array([2.0, 0.0, 1.0, 0.0, 0.0, 0.0], np.float32)

    def __init__(self) -> None:
        self.asked: dict[tuple[int, tuple[int, ...]], tuple[tuple[int, ...], list[int]]] = {}

    def query(self, source: int, context: np.ndarray, left_out: Sequence[int] = (), extra: Any = ()) -> Query:
        self.asked[source, tuple(context.tolist())] = tuple(left_out), list(extra)
        beside = [id for id in extra if id not in self.best[source] and id != source]
        ids = np.array([*self.best[source], *beside], np.int32)
        features = np.zeros((len(ids), COUNT), np.float32)
        features[:, 0], features[:, 1] = ids, source
        return Query(ids, features, np.zeros(self.n, np.float32), 2)


def six_ingredient_split(name: str) -> Split:
    """Recipe r reports 0 -> 1 and 0 -> 3, recipe s reports 2 -> 4, recipe t reports 0 -> 5."""
    contexts = np.zeros((4, 6), np.float32)
    contexts[0, 2] = contexts[1, 2] = contexts[2, 0] = contexts[3, 4] = 1.0
    return Split(
        name,
        np.array([0, 0, 2, 0], np.int32),
        np.array([1, 3, 4, 5], np.int32),
        sparse.csr_array(contexts),
        np.array(["r", "r", "s", "t"], np.str_),
    )


@pytest.fixture
def two_candidates(monkeypatch: pytest.MonkeyPatch) -> TwoBest:
    monkeypatch.setattr(fusion_training, "CANDIDATES", 2)
    return TwoBest()


@pytest.mark.parametrize("sampled", [0, 1, 3, 6])
def test_drawn_ingredients_stand_for_those_that_were_not(two_candidates: TwoBest, sampled: int) -> None:
    """Two of six are candidates; those drawn stand for the other four, target and candidates for themselves."""
    split = six_ingredient_split("train")
    examples = Examples(split, cast(Evidence, two_candidates), np.array([3, 2, 0]), sampled, seed=1)
    assert examples.ids.shape == examples.weight.shape == (3, 2 + sampled)
    assert (len(examples), examples.source.tolist(), examples.target.tolist()) == (3, [0, 2, 0], [5, 4, 1])
    reported = {3: (5,), 2: (4,), 0: (1, 3)}
    for position, row in enumerate((3, 2, 0)):
        source, target = int(split.source[row]), int(split.target[row])
        left_out, drawn = two_candidates.asked[source, tuple(split.context[[row]].indices.tolist())]
        assert left_out == reported[row]
        assert len(drawn) == len(set(drawn)) == sampled
        assert target in drawn or not sampled
        best = list(two_candidates.best[source])
        beside = [id for id in drawn if id not in best and id != source]
        ids = best + beside
        assert examples.ids[position].tolist() == ids + [-1] * (2 + sampled - len(ids))
        weights = [0.0, 0.0] + [math.log(4 / len(beside)) for _ in beside] + [-math.inf] * (2 + sampled - len(ids))
        for place, id in enumerate(ids):
            if id in reported[row]:  # right answers too, not wrong ones
                weights[place] = 0.0 if id == target else -math.inf
        np.testing.assert_allclose(examples.weight[position], weights, rtol=1e-6)
        assert examples.features[position, : len(ids), 0].tolist() == ids
        assert (examples.features[position, : len(ids), 1] == source).all()
        assert not examples.features[position, len(ids) :].any()
        np.testing.assert_array_equal(
            examples.contexts[[position]].toarray(), mean_rows(split.context[[row]]).toarray()
        )


def test_outside_training_nothing_is_left_out(two_candidates: TwoBest) -> None:
    split = six_ingredient_split("val")
    examples = Examples(split, cast(Evidence, two_candidates), np.arange(4), 0, seed=1)
    assert all(asked == ((), []) for asked in two_candidates.asked.values())
    assert examples.ids.tolist() == [[5, 3], [5, 3], [1, 4], [5, 3]]
    assert not examples.weight.any()


def test_more_drawn_than_stood_for_do_not_count_less_than_one_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fusion_training, "CANDIDATES", 2)

    class Plenty(TwoBest):
        n = 3  # less than were drawn

    examples = Examples(six_ingredient_split("val"), cast(Evidence, Plenty()), np.array([2]), 6, seed=1)
    assert np.isin(examples.weight, [0.0, -np.inf]).all()


def test_the_target_is_always_drawn_in_training() -> None:
    with_target = [fusion_training._drawn(np.random.default_rng(seed), 10, 3, 7, True) for seed in range(50)]
    assert all(7 in drawn and len(set(drawn.tolist())) == 3 for drawn in with_target)
    without = [fusion_training._drawn(np.random.default_rng(seed), 10, 3, 7, False) for seed in range(50)]
    assert {len(set(drawn.tolist())) for drawn in without} == {3}
    assert 5 < sum(7 in drawn for drawn in without) < 25  # three in ten
    assert sorted(fusion_training._drawn(np.random.default_rng(0), 4, 9, 1, True)) == [0, 1, 2, 3]
    assert len(fusion_training._drawn(np.random.default_rng(0), 4, 0, 1, True)) == 0


def test_reports_of_a_recipe_and_source_go_together() -> None:
    told = fusion_training.reported(six_ingredient_split("train"))
    assert told == {("r", 0): [1, 3], ("s", 2): [4], ("t", 0): [5]}


class Given(nn.Module):
    """Stands in for the network: a score is a tenth of the candidate's first number; what it is asked is kept."""

    def forward(self, sources: Tensor, contexts: Tensor, replaced: Tensor, features: Tensor) -> Tensor:
        self.asked = sources.tolist(), contexts.tolist(), replaced.tolist()
        return 0.1 * features[:, :, 0]


def given_task(evidence: TwoBest, train: Split, val: Split, sampled: int) -> FusionTask:
    examples = Examples(train, cast(Evidence, evidence), np.arange(len(train)), sampled, seed=1)
    val_examples = Examples(val, cast(Evidence, evidence), np.arange(len(val)), 0, seed=1)
    return FusionTask(cast(FusionNetwork, Given()), cast(Evidence, evidence), examples, val_examples)


def test_the_loss_is_a_softmax_over_candidates_and_what_drawn_ones_stand_for(two_candidates: TwoBest) -> None:
    task = given_task(two_candidates, six_ingredient_split("train"), six_ingredient_split("val"), 6)
    assert task.n_examples == 4
    # All six are drawn. The candidates of source 0 are 5 and 3; 1, 2 and 4 stand for the four others, 4/3 each.
    # Recipe r: 1 and 3 are both right, so for target 1 the other is left out. Recipe s: the target 4 is a candidate.
    e = [math.exp(0.1 * id) for id in range(6)]
    target_1 = math.log((e[5] + e[1] + 4 / 3 * (e[2] + e[4])) / e[1])
    target_3 = math.log((e[5] + e[3] + 4 / 3 * (e[2] + e[4])) / e[3])
    target_4 = math.log((e[0] * 4 / 3 + e[1] + e[4] + 4 / 3 * (e[3] + e[5])) / e[4])
    rows = np.arange(3)
    assert task(rows, rows, (0, 0, 0)).item() == pytest.approx((target_1 + target_3 + target_4) / 3, rel=1e-5)
    assert task(rows[1:2], rows, (0, 0, 0)).item() == pytest.approx(target_3, rel=1e-5)


def test_the_network_is_told_source_recipe_and_other_replacements(two_candidates: TwoBest) -> None:
    task = given_task(two_candidates, six_ingredient_split("train"), six_ingredient_split("val"), 1)
    model = cast(Given, task.model)
    task.scores(task.examples, np.array([2, 0]), counted=1)
    sources, contexts, replaced = model.asked
    assert sources == [2, 0]
    assert contexts == [[1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]]
    assert replaced == pytest.approx([0.0, math.log(2)])  # replaced once and twice, without the example itself
    task.scores(task.val, np.array([2, 0]), counted=0)
    assert model.asked[2] == pytest.approx([math.log(2), math.log(3)])


def test_validation_is_the_mean_reciprocal_rank_in_percent(two_candidates: TwoBest) -> None:
    task = given_task(two_candidates, six_ingredient_split("train"), six_ingredient_split("val"), 1)
    with torch.no_grad():
        # Targets 1 (no candidate), 3 (behind 5), 4 (before 1) and 5 (before 3).
        assert task.validate() == pytest.approx((0 + 100 / 2 + 100 + 100) / 4)


def test_ties_count_against_the_target(two_candidates: TwoBest) -> None:
    task = given_task(two_candidates, six_ingredient_split("train"), six_ingredient_split("val"), 1)
    task.val.features[:] = 0.0
    with torch.no_grad():
        assert task.validate() == pytest.approx((0 + 50 + 50 + 50) / 4)


def test_val_is_scored_in_parts_that_cover_all_of_it(two_candidates: TwoBest) -> None:
    once = six_ingredient_split("val")
    times = 260  # 1,040 rows: two parts of 512 and a rest
    many = Split(
        "val", np.tile(once.source, times), np.tile(once.target, times),
        sparse.vstack([once.context] * times, format="csr"), np.tile(once.recipe_id, times),
    )  # fmt: skip
    task = given_task(two_candidates, once, many, 1)
    with torch.no_grad():
        scores = task.val_scores()
    model = cast(Given, task.model)
    assert model.asked[2] == pytest.approx(np.log1p(np.tile(two_candidates.sources[once.source], 4)))  # the last 16
    np.testing.assert_allclose(scores, 0.1 * np.tile([[5, 3], [5, 3], [1, 4], [5, 3]], (times, 1)), rtol=1e-5)


def test_moments_are_of_candidates_that_are_there(two_candidates: TwoBest) -> None:
    examples = Examples(six_ingredient_split("val"), cast(Evidence, two_candidates), np.array([0, 2]), 3, seed=1)
    examples.ids[:] = 0
    examples.weight[:] = -np.inf
    examples.weight[0, :2] = examples.weight[1, 0] = 0.0
    examples.features[:, :, 5] = [[1, 3, 9, 9, 9], [8, 9, 9, 9, 9]]
    mean, deviation = fusion_training._moments(examples)
    assert mean[5] == pytest.approx(4.0)
    assert deviation[5] == pytest.approx(math.sqrt((9 + 1 + 16) / 3) + 1e-3)
    assert deviation[9] == pytest.approx(1e-3)  # never zero: it is divided by


def test_the_best_temperature_makes_two_candidates_as_likely_as_they_are() -> None:
    """The first is right three times in four: sigmoid(2 / T) = 3/4 at T = 2 / log 3."""
    scores = np.tile(np.array([[2.0, 0.0]], np.float32), (5, 1))
    ids = np.tile(np.array([[7, 8]], np.int32), (5, 1))
    targets = np.array([7, 7, 8, 7, 1])  # the last is no candidate and says nothing
    assert best_temperature(scores, ids, targets) == pytest.approx(2 / math.log(3), abs=1e-3)
    assert best_temperature(scores + 1000, ids, targets) == pytest.approx(2 / math.log(3), abs=1e-3)
    assert best_temperature(scores, ids, np.full(5, 1)) == 1.0
    # One that is always right would be divided by nothing; the range ends at 0.3, and at 3 for one that never is.
    assert best_temperature(scores, ids, np.full(5, 7)) == pytest.approx(0.3, abs=0.01)
    assert best_temperature(scores, ids, np.full(5, 8)) == pytest.approx(3.0, abs=0.01)


# What scoring makes of candidates.


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        # 1 and 3 are candidates; 2 and 5 are one and 1.5 behind the last of them; 0 and 4 are not possible.
        ([-2.0, 5.0], [-1002.0, -2.0, -13.0, 5.0, -1002.0, -13.5]),
        ([3.0, 5.0], [-1000.0, 3.0, -11.0, 5.0, -1000.0, -11.5]),
    ],
)
def test_other_ingredients_come_after_the_candidates(scores: list[float], expected: list[float]) -> None:
    order = np.array([-1e9, 3.0, 1.0, 2.0, -1e9, 0.5], np.float32)
    query = Query(np.array([1, 3], np.int32), np.zeros((2, COUNT), np.float32), order, 2)
    assert Fusion()._all_scores(query, np.array(scores, np.float32)).tolist() == expected
    order[5] = -900.0
    assert Fusion()._all_scores(query, np.array(scores, np.float32))[5] == min(scores[0], 0.0) - 10 - 500


def test_a_query_without_candidates_finds_all_alike() -> None:
    query = Query(np.zeros(0, np.int32), np.zeros((0, COUNT), np.float32), np.full(3, -1e9, np.float32), 0)
    assert Fusion()._all_scores(query, np.zeros(0, np.float32)).tolist() == [-1000.0] * 3


def test_no_other_temperature_makes_the_answers_on_val_likelier(tiny_kitchen: Benchmark) -> None:
    # In train, cooks took olive oil once in four times and milk once in three.
    answers = (
        [("butter", "margarine")] * 3
        + [("butter", "olive_oil")] * 2
        + [("buttermilk", "yogurt"), ("buttermilk", "milk")]
    )
    val = make_split("val", [(f"v{row}", source, target, ["flour"]) for row, (source, target) in enumerate(answers)])
    ranker = Fusion(epochs=10, batch=4, width=4, hidden=4, mlp=4, patience=10).fit(tiny_kitchen.train, val)
    own = float(ranker.weights_["temperature"][0])

    def unlikelihood(temperature: float) -> float:
        ranker.weights_["temperature"] = np.array([temperature], np.float32)
        losses = []
        for row, (source, target) in enumerate(zip(val.source.tolist(), val.target.tolist(), strict=True)):
            query = ranker.evidence_.query(source, ids_of(val.context, row))
            scores = ranker.candidate_scores(source, ids_of(val.context, row), query).tolist()
            exponentials = dict(zip(query.ids.tolist(), map(math.exp, scores), strict=True))
            losses.append(math.log(sum(exponentials.values()) / exponentials[target]))
        return float(np.mean(losses))

    assert 0.31 < own < 2.99
    assert unlikelihood(own) < min(unlikelihood(0.9 * own), unlikelihood(1.1 * own))


def test_what_was_learned_survives_saving(tiny_kitchen: Benchmark) -> None:
    ranker = Fusion(epochs=1, batch=4, width=4, hidden=4, mlp=4).fit(tiny_kitchen.train, tiny_kitchen.val)
    arrays = ranker.arrays()
    assert arrays["weights.vectors"].dtype == np.float16
    again = Fusion(**ranker.config())
    again.restore(arrays)
    assert again.weights_.keys() == ranker.weights_.keys()
    for name, array in ranker.weights_.items():
        np.testing.assert_array_equal(again.weights_[name], array)
        assert again.weights_[name].dtype == np.float32
    split = tiny_kitchen.test
    np.testing.assert_array_equal(again.score(split.source, split.context), ranker.score(split.source, split.context))
    assert (Fusion.name, Fusion.learns_from) == ("fusion", ("knowledge",))


# What is learned from recipes.


def test_the_completion_network_guesses_as_a_plain_loop_does() -> None:
    torch.manual_seed(0)
    network = fusion_training._CompletionNetwork(5, 3, 4).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_(torch.randn(parameter.shape))
        scores = network(torch.tensor([[0.5, 0.0, 0.5, 0.0, 0.0]]))[0].tolist()
    p = {name: tensor.tolist() for name, tensor in network.named_parameters()}
    mean = [(p["inputs"][0][unit] + p["inputs"][2][unit]) / 2 for unit in range(3)]
    hidden = [
        max(bias + sum(w * x for w, x in zip(row, mean, strict=True)), 0.0)
        for row, bias in zip(p["hidden.weight"], p["hidden.bias"], strict=True)
    ]
    query = [
        x + bias + sum(w * h for w, h in zip(row, hidden, strict=True))
        for row, bias, x in zip(p["out.weight"], p["out.bias"], mean, strict=True)
    ]
    expected = [
        bias + sum(q * x for q, x in zip(query, row, strict=True))
        for row, bias in zip(p["outputs"], p["bias"], strict=True)
    ]
    assert scores == pytest.approx(expected, rel=1e-4, abs=1e-5)


def test_one_ingredient_of_each_recipe_is_hidden() -> None:
    recipe, other = np.array([[1, 1, 0, 1, 0, 1], [0, 0, 0, 0, 1, 1]], np.float32)
    both, random = sparse.csr_array(np.array([other, recipe])), np.random.default_rng(0)
    assert {tuple(fusion_training._with_one_hidden(both, random)[1].tolist()) for _ in range(200)} == {
        (one, two) for one in (4, 5) for two in (0, 1, 3, 5)
    }
    recipes = sparse.csr_array(np.tile(recipe, (4000, 1)))
    contexts, target, present = fusion_training._with_one_hidden(recipes, np.random.default_rng(0))
    rows = np.arange(4000)
    assert np.bincount(target, minlength=6) == pytest.approx([1000, 1000, 0, 1000, 0, 1000], abs=120)  # each alike
    others = np.tile(recipe > 0, (4000, 1))
    others[rows, target] = False
    np.testing.assert_array_equal(present, others)
    assert not contexts[~others].any()
    sizes = (contexts > 0).sum(axis=1)
    np.testing.assert_allclose(contexts.sum(axis=1), (sizes > 0).astype(float), rtol=1e-6)
    np.testing.assert_allclose(contexts.max(axis=1)[sizes > 0], 1 / sizes[sizes > 0], rtol=1e-6)
    assert sizes.mean() == pytest.approx(3 * 0.85, abs=0.05)  # about one in seven of the rest is dropped


def test_recipes_of_one_or_two_ingredients_teach_nothing() -> None:
    whole = sparse.csr_array(np.array([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]] * 5, np.float32))
    short = sparse.csr_array(np.array([[1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0]] * 5, np.float32))
    settings = {"epochs": 2, "batch": 5, "width": 4, "hidden": 4}
    alone = learn_completion(whole, **settings)
    both = learn_completion(sparse.vstack([short, whole, short], format="csr"), **settings)
    np.testing.assert_array_equal(both.inputs, alone.inputs)
    np.testing.assert_array_equal(both.out_weight, alone.out_weight)
    other = learn_completion(whole, **settings, seed=1)
    assert not np.array_equal(other.inputs, alone.inputs)


def test_a_completion_guesses_the_third_of_three_that_are_always_together() -> None:
    recipes = sparse.csr_array(np.array([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]] * 20, np.float32))
    completion = learn_completion(recipes, epochs=60, batch=10, width=8, hidden=8)
    # It has never had to guess what is on the table, so only the others are compared.
    for group in ([0, 1, 2], [3, 4, 5]):
        for missing in group:
            guess = completion.log_probability(np.array([id for id in group if id != missing]))
            strangers = [id for id in range(6) if id not in group]
            assert guess[missing] > guess[strangers].max() + 1


def test_own_knowledge_is_of_recipes_alone(tiny_kitchen: Benchmark) -> None:
    knowledge = fusion_training.own_knowledge(tiny_kitchen.train)
    # Eight recipes: butter is in r1 to r4 and r8, flour in all but r3 and r4.
    popularity = dict(zip(KITCHEN, np.exp(knowledge.popularity) - 1, strict=True))
    assert popularity["butter"] == pytest.approx(5, abs=0.01)
    assert popularity["flour"] == pytest.approx(6, abs=0.01)
    assert popularity["honey"] == 0.0
    assert not knowledge.text.any()
    assert knowledge.compounds.nnz == 0
    assert len(set(knowledge.head.tolist())) == len(KITCHEN)


def test_full_knowledge_adds_collected_recipes_names_and_compounds(
    tiny_kitchen: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph, n = kitchen_graph(), len(KITCHEN)
    collected = sparse.csr_array(np.eye(n, dtype=np.float32)[[KITCHEN.index("honey")] * 3])
    monkeypatch.setattr(fusion_training.graphs, "collected_recipes", lambda _: collected)
    monkeypatch.setattr(fusion_training.graphs, "flavorgraph_nodes", lambda: graph.nodes)
    monkeypatch.setattr(fusion_training.graphs, "flavorgraph_edge_files", lambda: ["edges"])
    monkeypatch.setattr(
        fusion_training.graphs,
        "read_graph",
        lambda nodes, files: {(id(graph.nodes), "edges"): graph}[id(nodes), *files],
    )
    monkeypatch.setattr(fusion_training, "encode_texts", lambda names: np.eye(len(names), dtype=np.float32))
    learned: list[int] = []
    own = fusion_training.own_knowledge(tiny_kitchen.train).completion
    monkeypatch.setattr(fusion_training, "learn_completion", lambda recipes: learned.append(recipes.shape[0]) or own)
    knowledge = fusion_training.full_knowledge(tiny_kitchen.vocabulary, tiny_kitchen.train)
    assert learned == [8 + 3]
    popularity = dict(zip(KITCHEN, np.exp(knowledge.popularity) - 1, strict=True))
    assert (popularity["honey"], popularity["butter"]) == pytest.approx((3, 5), abs=0.01)
    shared = (knowledge.compounds @ knowledge.compounds.T).toarray() > 0
    groups = [{KITCHEN.index(food.replace(" ", "_")) for food in foods} for foods in GROUPS]
    for one in range(n):
        for other in range(n):
            assert shared[one, other] == any({one, other} <= group for group in groups)
    assert np.linalg.norm(knowledge.text, axis=1) == pytest.approx(np.ones(n), abs=1e-2)
