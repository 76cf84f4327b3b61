"""Features leave out the example itself, the NumPy network equals the torch one, and probabilities are calibrated."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy import sparse

from swapchef.benchmark import Benchmark, Split, ids_of
from swapchef.rankers.calibration import best_temperature
from swapchef.rankers.contexts import mean_rows
from swapchef.rankers.evidence import FEATURES, Evidence, Reports
from swapchef.rankers.fusion import Fusion, FusionConfig
from swapchef.rankers.fusion_training import (
    Examples,
    FusionNetwork,
    _exported,
    _moments,
    learn_completion,
    own_knowledge,
)
from swapchef.rankers.knowledge import Knowledge, csr_arrays, csr_restored, name_words, npmi_matrix
from tests.conftest import KITCHEN

BUTTER, MARGARINE, OLIVE_OIL, BUTTERMILK, EGG = (
    KITCHEN.index(name) for name in ("butter", "margarine", "olive_oil", "buttermilk", "egg")
)
NAMES = list(FEATURES)


@pytest.fixture(scope="module")
def evidence(tiny_kitchen: Benchmark) -> Evidence:
    knowledge = own_knowledge(tiny_kitchen.train)
    return Evidence(knowledge, Reports.of(tiny_kitchen.train, knowledge))


@pytest.fixture(scope="module")
def fusion(tiny_kitchen: Benchmark) -> Fusion:
    """Train on the tiny kitchen ten times over: it takes more than eight reports to learn how to weigh them."""
    once = tiny_kitchen.train
    train = Split(
        "train",
        np.tile(once.source, 10),
        np.tile(once.target, 10),
        sparse.vstack([once.context] * 10, format="csr"),
        np.array([f"r{row}" for row in range(10 * len(once))], np.str_),
    )
    val = replace(once, name="val")  # the kitchen's own has too few to tell a trained network from another
    return Fusion(epochs=20, batch=16, width=8, hidden=16, mlp=8, patience=20).fit(train, val)


def number(evidence: Evidence, name: str, candidate: int, left_out: tuple[int, ...] = ()) -> float:
    query = evidence.query(BUTTER, np.array([EGG], np.int32), left_out)
    return float(query.features[query.ids.tolist().index(candidate), NAMES.index(name)])


def test_a_report_that_is_left_out_is_not_counted(evidence: Evidence) -> None:
    assert number(evidence, "count", MARGARINE) == pytest.approx(np.log1p(3))
    assert number(evidence, "count", MARGARINE, (MARGARINE,)) == pytest.approx(np.log1p(2))
    assert number(evidence, "seen", OLIVE_OIL) == 1.0
    assert number(evidence, "seen", OLIVE_OIL, (OLIVE_OIL,)) == 0.0
    assert number(evidence, "target", OLIVE_OIL, (OLIVE_OIL,)) == 0.0


def test_what_is_in_the_recipe_speaks_for_the_swaps_made_with_it(evidence: Evidence) -> None:
    flour_and_sugar, egg = (
        np.array([KITCHEN.index(name) for name in names], np.int32) for names in (("flour", "sugar"), ("egg",))
    )
    for name in ("among", "near"):
        with_both = evidence.rows(BUTTER, flour_and_sugar)[name]
        with_egg = evidence.rows(BUTTER, egg)[name]
        assert with_both[MARGARINE] != with_egg[MARGARINE], name
    assert evidence.rows(BUTTER, egg)["near"][OLIVE_OIL] > evidence.rows(BUTTER, flour_and_sugar)["near"][OLIVE_OIL]
    assert evidence.rows(BUTTER, egg)["among"][OLIVE_OIL] == 0.0  # one report is no company


def test_company_is_kept_only_of_pairs_that_were_reported_twice(evidence: Evidence) -> None:
    told = evidence.reports
    assert np.diff(told.company.indptr)[told.count == 1].sum() == 0
    assert told.company.sum() > 0
    assert len(told.recipes) == told.count.sum()


@pytest.mark.parametrize("name", NAMES)
def test_no_number_betrays_the_only_report_of_a_pair(evidence: Evidence, name: str) -> None:
    """What is known of butter -> olive oil without its one report must be what a kitchen without it would know."""
    told = evidence.reports
    kept = (told.source != BUTTER) | (told.target != OLIVE_OIL)
    of_kept = np.repeat(kept, told.count.astype(int))
    fewer = Reports(
        told.source[kept],
        told.target[kept],
        told.count[kept],
        told.recipes[of_kept],
        told.company[np.flatnonzero(kept)],
    )
    never = Evidence(evidence.knowledge, fewer)
    # Degrees at the ends of walks still count the report, which can only make a number smaller.
    assert number(evidence, name, OLIVE_OIL, (OLIVE_OIL,)) <= number(never, name, OLIVE_OIL) + 1e-6


def test_source_and_recipe_are_no_candidates(evidence: Evidence, fusion: Fusion) -> None:
    context = np.array([EGG, MARGARINE], np.int32)
    assert {BUTTER, EGG, MARGARINE}.isdisjoint(evidence.query(BUTTER, context).ids.tolist())
    rows = sparse.csr_array((np.ones(2, np.float32), context, np.array([0, 2])), shape=(1, len(KITCHEN)))
    order = np.argsort(-fusion.score(np.array([BUTTER], np.int32), rows)[0], kind="stable")
    assert {BUTTER, EGG, MARGARINE} == set(order[-3:].tolist())


def test_a_recipe_of_everything_leaves_no_candidate(fusion: Fusion) -> None:
    everything = sparse.csr_array(np.ones((1, len(KITCHEN)), np.float32))
    assert np.isfinite(fusion.score(np.array([BUTTER], np.int32), everything)).all()


def test_it_learns_the_kitchen(tiny_kitchen: Benchmark, fusion: Fusion) -> None:
    flour_and_sugar, egg_and_flour = 0, 4
    contexts = tiny_kitchen.train.context[[flour_and_sugar, egg_and_flour]]
    best = fusion.score(np.array([BUTTER, BUTTERMILK], np.int32), contexts).argmax(axis=1)
    assert [KITCHEN[id] for id in best] == ["margarine", "yogurt"]


def test_numpy_scores_equal_those_of_the_network(tiny_kitchen: Benchmark, evidence: Evidence) -> None:
    torch.manual_seed(1)
    split = tiny_kitchen.test
    known = np.concatenate([evidence.knowledge.text, evidence.knowledge.usage], axis=1)
    examples = Examples(split, evidence, np.arange(len(split)), 0, 0)
    network = FusionNetwork(FusionConfig(width=8, hidden=16, mlp=8), known, *_moments(examples)).eval()
    torch.nn.init.normal_(network.third.weight)
    torch.nn.init.normal_(network.weigh.weight)
    ranker = Fusion()
    ranker.evidence_ = evidence
    with torch.no_grad():
        ranker.weights_ = _exported(network, temperature=1.0)
        network.own.copy_(torch.from_numpy(ranker.weights_["vectors"]) - network.project(network.known))  # as rounded
        for row in range(len(split)):
            source, context = int(split.source[row]), ids_of(split.context, row)
            query = evidence.query(source, context)
            replaced = torch.log1p(torch.tensor([evidence.sources[source]]))
            mean = torch.from_numpy(mean_rows(split.context[row : row + 1]).toarray())
            expected = network(torch.tensor([source]), mean, replaced, torch.from_numpy(query.features)[None])[0]
            np.testing.assert_allclose(ranker.candidate_scores(source, context, query), expected.numpy(), atol=1e-4)


def test_the_temperature_undoes_overconfidence() -> None:
    random = np.random.default_rng(0)
    logits = random.normal(size=(4000, 20)).astype(np.float32) * 2
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    targets = np.array([random.choice(20, p=row / row.sum()) for row in chances.astype(np.float64)])
    ids = np.tile(np.arange(20, dtype=np.int32), (4000, 1))
    assert best_temperature(logits * 1.7, ids, targets) == pytest.approx(1.7, rel=0.05)


def test_knowledge_survives_saving(evidence: Evidence) -> None:
    again = Knowledge.restore(evidence.knowledge.arrays())
    np.testing.assert_array_equal(again.usage, evidence.knowledge.usage)
    np.testing.assert_array_equal(again.npmi.toarray(), evidence.knowledge.npmi.toarray())
    np.testing.assert_array_equal(again.completion.outputs, evidence.knowledge.completion.outputs)


def test_a_sparse_matrix_survives_saving() -> None:
    matrix = sparse.random_array((7, 40000), density=0.001, rng=np.random.default_rng(0), format="csr")
    again = csr_restored("m", csr_arrays("m", matrix))
    np.testing.assert_allclose(again.toarray(), matrix.toarray(), atol=1e-3)


def test_words_of_names_know_plurals_and_heads() -> None:
    words, head = name_words(["red onions", "onion", "onion powder"])
    alike = (words @ words.T).toarray()
    assert alike[0, 1] > alike[0, 2] > 0
    assert head[0] == head[1] != head[2]


def test_npmi_is_symmetric_and_one_for_inseparable_pairs() -> None:
    recipes = sparse.csr_array(np.array([[1, 1, 0]] * 3 + [[0, 0, 1]] * 3, np.float32))
    npmi = npmi_matrix(recipes).toarray()
    assert npmi[0, 1] == npmi[1, 0] == pytest.approx(1.0)
    assert npmi[0, 2] == 0.0


def test_completion_learns_which_ingredients_go_together() -> None:
    recipes = sparse.csr_array(np.array([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]] * 20, np.float32))
    completion = learn_completion(recipes, epochs=60, batch=10, width=8, hidden=8)
    guess = completion.log_probability(np.array([0, 1]))
    assert guess[2] > max(guess[3:]) + 1
    assert np.exp(guess).sum() == pytest.approx(1.0, abs=1e-5)
