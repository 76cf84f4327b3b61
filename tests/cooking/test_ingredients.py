"""Heads that name ingredients learn what colours mean, and thresholds are the best there are."""

import numpy as np
import pytest
import torch

from swapchef.cooking.ingredients import (
    Examples,
    HeadSettings,
    HeadTask,
    Kind,
    SetTransformerHead,
    best_selection,
    best_threshold,
    new_head,
    probabilities,
    start_vectors,
)
from swapchef.cooking.metrics import Selection
from swapchef.training import TrainingSettings, train

KNOWN = 6


def examples(n: int, seed: int) -> Examples:
    """Red means 0, 2 and 4; green means 1, 2, 3 and 4."""
    random = np.random.default_rng(seed)
    colour = random.integers(2, size=n)
    features = np.stack([np.where(colour == 0, 1.0, -1.0), np.where(colour == 0, -1.0, 1.0)], axis=1)[:, None]
    sets = np.where(colour[:, None] == 0, [1, 0, 1, 0, 1, 0], [0, 1, 1, 1, 1, 0]).astype(np.float32)
    noise = 0.2 * random.standard_normal((n, 2, 2))
    return Examples((features + noise).astype(np.float32), sets)


@pytest.mark.parametrize("kind", ["feed-forward", "set-transformer"])
def test_a_head_learns(kind: Kind) -> None:
    settings = HeadSettings(
        kind=kind, width=32, rank=8, dropout=0.1, epochs=25, batch=32, learning_rate=1e-2, patience=25
    )
    head = new_head(settings, 2, np.zeros((KNOWN, 8), np.float32) + 0.1, np.full(KNOWN, 0.5, np.float32))
    train_set, val = examples(160, 0), examples(40, 1)
    task = HeadTask(head, train_set, val)
    train(task, TrainingSettings.of(settings, 160))
    assert best_threshold(probabilities(head.eval(), val.features), val.sets)[1] > 97


def test_a_named_set_has_nothing_twice_and_ends() -> None:
    torch.manual_seed(0)
    head = SetTransformerHead(HeadSettings(width=16), 2, KNOWN).eval()
    generated = head.generate(torch.randn(9, 2))
    assert generated.shape == (9, KNOWN)
    assert bool(((generated >= 0) & (generated <= 1)).all())


def test_the_threshold_is_the_best_one() -> None:
    random = np.random.default_rng(0)
    sets = (random.random((30, 12)) < 0.3).astype(np.float32)
    scores = (0.4 * sets + 0.6 * random.random(sets.shape)).astype(np.float32)
    threshold, best_f1 = best_threshold(scores, sets, missed=5)

    def f1(least: float) -> float:
        selected = scores >= least
        return float(200 * (sets * selected).sum() / (selected.sum() + sets.sum() + 5))

    assert best_f1 == pytest.approx(f1(threshold))
    assert best_f1 >= max(f1(least) for least in np.linspace(0, 1, 101)) - 1e-9


def test_a_selection_is_no_worse_than_its_threshold() -> None:
    random = np.random.default_rng(1)
    sets = (random.random((60, 30)) < 0.4).astype(np.float32)
    scores = (0.3 * sets + 0.7 * random.random(sets.shape)).astype(np.float32)
    scores[:10] /= 10  # photos of which little is sure

    def f1(selection: Selection) -> float:
        selected = np.zeros_like(sets)
        for row, indices in enumerate(map(selection.select, scores)):
            selected[row, indices] = 1
        return float(200 * (sets * selected).sum() / (selected.sum() + sets.sum()))

    selection = best_selection(scores, sets)
    assert f1(selection) > f1(Selection(selection.threshold, 0, 30))
    assert selection.min_count > 0
    assert all(selection.min_count <= len(selection.select(row)) <= selection.max_count for row in scores)
    assert selection.select(np.array([0.1, 0.3, 0.2] + [0.0] * 27, np.float32))[:3].tolist() == [1, 2, 0]


def test_start_vectors_have_the_known_rows_at_one_scale() -> None:
    usage = np.random.default_rng(0).standard_normal((10, 40)).astype(np.float32)
    vectors = start_vectors(usage, np.array([3, 7]), 16)
    assert vectors.shape == (2, 16)
    assert vectors.std() == pytest.approx(16**-0.5, rel=0.01)
    np.testing.assert_allclose(vectors / vectors[0, 0], usage[[3, 7], :16] / usage[3, 0], rtol=1e-4)
