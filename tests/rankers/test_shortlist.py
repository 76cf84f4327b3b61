"""Any ranker answers one query at a time: the candidates it knows something of, and their chances."""

import math

import numpy as np
import pytest

from swapchef.benchmark import Benchmark
from swapchef.rankers import make_ranker
from swapchef.rankers.evidence import FEATURES
from swapchef.rankers.fusion import Fusion
from swapchef.rankers.shortlist import shortlister
from tests.conftest import KITCHEN
from tests.rankers.kitchen import trained

NO_IDS = np.zeros(0, np.int32)


def ids(*names: str) -> np.ndarray:
    return np.array([KITCHEN.index(name) for name in names], np.int32)


@pytest.fixture(scope="module")
def ours(tiny_kitchen: Benchmark) -> Fusion:
    ranker = trained("fusion", tiny_kitchen)
    assert isinstance(ranker, Fusion)
    return ranker


def test_a_score_that_is_no_chance_tells_the_order_alone() -> None:
    ranker = make_ranker("random")
    chances = np.exp(ranker.log_chances(np.array([0.1, 0.9, 0.5, 0.1], np.float32)))
    np.testing.assert_allclose(chances, [0.0, 1.0, 0.5, 0.0])  # the worst two tie: nothing is known of them
    assert not np.isfinite(ranker.log_chances(np.zeros(3, np.float32))).any()
    assert len(ranker.log_chances(np.zeros(0, np.float32))) == 0


@pytest.mark.parametrize("name", ["lt+freq", "freq", "mode"])
def test_counts_are_shares(name: str) -> None:
    log_chances = make_ranker(name).log_chances(np.array([2.0, 0.0, 6.0], np.float32))
    np.testing.assert_allclose(log_chances, [math.log(2), -math.inf, math.log(6)], rtol=1e-6)


def test_a_ranker_lists_what_it_knows_best_first_without_source_and_recipe(
    tiny_kitchen: Benchmark, ours: Fusion
) -> None:
    train = tiny_kitchen.train
    (butter, margarine) = ids("butter", "margarine")
    counts = np.bincount(train.target[train.source == butter], minlength=len(KITCHEN))
    assert counts[margarine] > 0
    lt = shortlister(make_ranker("lt+freq").fit(train, train), ours.evidence_)
    listed = lt.shortlist(int(butter), NO_IDS, NO_IDS)
    assert set(listed.ids.tolist()) == set(np.flatnonzero(counts).tolist())
    assert (np.diff(listed.log_chances) <= 0).all()
    np.testing.assert_allclose(np.exp(listed.log_chances), counts[listed.ids], rtol=1e-5)
    without = lt.shortlist(int(butter), np.array([margarine]), NO_IDS)
    assert set(without.ids.tolist()) == set(listed.ids.tolist()) - {margarine}


def test_what_is_asked_for_is_listed_only_where_the_ranker_knows_it(tiny_kitchen: Benchmark, ours: Fusion) -> None:
    lt = shortlister(make_ranker("lt+freq").fit(tiny_kitchen.train, tiny_kitchen.val), ours.evidence_)
    (butter, flour) = ids("butter", "flour")
    assert flour not in lt.shortlist(int(butter), NO_IDS, np.array([flour])).ids


def test_features_are_those_of_our_own_ranker_whoever_picked(tiny_kitchen: Benchmark, ours: Fusion) -> None:
    (butter, flour) = ids("butter", "flour")
    own = shortlister(ours, ours.evidence_).shortlist(int(butter), np.array([flour]), NO_IDS)
    gismo = shortlister(trained("gismo", tiny_kitchen), ours.evidence_)
    theirs = gismo.shortlist(int(butter), np.array([flour]), NO_IDS)
    assert sorted(theirs.ids.tolist()) == sorted(own.ids.tolist())  # all that is left of a small kitchen
    assert theirs.ids.tolist() != own.ids.tolist()
    by_id = dict(zip(own.ids.tolist(), own.features, strict=True))
    assert theirs.features.shape == (len(theirs.ids), len(FEATURES))
    for id, features in zip(theirs.ids.tolist(), theirs.features, strict=True):
        np.testing.assert_allclose(features, by_id[id], rtol=1e-6)


def test_a_query_at_a_temperature_of_two_is_half_as_sure(tiny_kitchen: Benchmark, ours: Fusion) -> None:
    ranker = trained("gismo", tiny_kitchen)
    arrays = dict(ranker.arrays())
    listed = []
    for temperature in (1.0, 2.0):
        ranker.restore({**arrays, "temperature": np.array([temperature], np.float32)})
        listed.append(shortlister(ranker, ours.evidence_).shortlist(0, NO_IDS, NO_IDS))
    np.testing.assert_array_equal(listed[0].ids, listed[1].ids)
    np.testing.assert_allclose(listed[0].log_chances, 2 * listed[1].log_chances, rtol=1e-5)
