"""The training loop resumes after a kill as if nothing had happened, and many processes train like one."""

import json
import math
import os
import subprocess
import sys
import time
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from swapchef.errors import DataError, SwapchefError
from swapchef.rankers.gismo_ranker import GISMoRanker
from swapchef.training import CHECKPOINT, Epoch, Progress, TrainingSettings, learning_rate, train
from tests.conftest import kitchen_benchmark
from tests.killing import LAST_WAIT, kill_at

Trained = tuple[list[float], list[float]]  # the loss of each epoch, and the sums of the weights

SETTINGS = TrainingSettings(epochs=6, batch=8, learning_rate=0.05, weight_decay=0.0, patience=6, seed=3)


class Regression(nn.Module):
    """Learns y = 2x - 1, with dropout-like noise that must be the same on every resume."""

    n_examples = 64

    def __init__(self, val: list[float] | None = None) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.line = nn.Linear(1, 1)
        self.val = val

    @property
    def network(self) -> nn.Module:
        return self

    def forward(self, rows: np.ndarray, batch: np.ndarray, seed: tuple[int, int, int]) -> Tensor:
        noise = torch.from_numpy(np.random.default_rng(seed).standard_normal(64)[rows]).float()[:, None]
        x = torch.from_numpy(rows).float()[:, None] / 64
        return (self.line(x) - (2 * x - 1 + 0.1 * noise)).square().mean()

    def validate(self) -> float:
        if self.val is not None:
            return self.val.pop(0)
        x = torch.linspace(0, 1, 11)[:, None]
        return -float((self.line(x) - (2 * x - 1)).square().mean())


def weights(task: nn.Module) -> list[float]:
    return [float(p.detach().sum()) for p in task.parameters()]


def test_training_learns_and_reports_every_epoch() -> None:
    task, seen = Regression(), []
    history = train(task, SETTINGS, progress=Progress(epoch=seen.append))
    assert seen == history
    assert len(history) == 6
    assert history[-1].loss < 0.6 * history[0].loss


def test_the_best_epoch_is_kept_and_patience_ends_the_run() -> None:
    task = Regression(val=[1.0, 5.0, 2.0, 3.0, 4.0, 9.0])
    kept: list[list[float]] = []
    history = train(
        task,
        TrainingSettings(epochs=6, batch=8, patience=3, seed=3),
        progress=Progress(epoch=lambda _: kept.append(weights(task))),
    )
    assert [epoch.val for epoch in history] == [1.0, 5.0, 2.0, 3.0, 4.0]
    assert weights(task) == kept[1]


def test_the_learning_rate_rises_then_falls_to_nothing() -> None:
    settings = TrainingSettings(learning_rate=1.0, warmup=0.1)
    rates = [learning_rate(settings, step, 100) for step in range(100)]
    assert rates[9] == 1.0
    assert rates == sorted(rates[:10]) + sorted(rates[10:], reverse=True)
    assert rates[-1] < 0.01


def test_a_constant_learning_rate_is_one_from_the_start() -> None:
    settings = TrainingSettings(learning_rate=0.5, schedule="constant")
    assert {learning_rate(settings, step, 100) for step in range(100)} == {0.5}


def test_val_is_looked_at_every_few_epochs_and_at_the_end() -> None:
    task = Regression(val=[3.0, 5.0, 4.0, 9.0])
    kept: list[list[float]] = []
    settings = TrainingSettings(epochs=7, batch=8, patience=2, seed=3, val_every=2)
    history = train(task, settings, progress=Progress(epoch=lambda _: kept.append(weights(task))))
    assert [epoch.val for epoch in history] == [0.0, 3.0, 3.0, 5.0, 5.0, 4.0, 9.0]
    assert weights(task) == kept[6]
    impatient = Regression(val=[3.0, 2.0, 9.0])
    # Two looks, four epochs, without a better figure than that of the second epoch.
    assert len(train(impatient, replace(settings, patience=1))) == 4


def test_an_interrupted_run_goes_on_bit_equal(tmp_path: Path) -> None:
    whole = Regression()
    train(whole, SETTINGS, tmp_path / "whole")

    class StopError(Exception): ...

    def stop(epoch: object) -> None:
        if epoch.epoch == 3:  # type: ignore[attr-defined]
            raise StopError

    with pytest.raises(StopError):
        train(Regression(), SETTINGS, tmp_path / "cut", Progress(epoch=stop))
    resumed = Regression()
    history = train(resumed, SETTINGS, tmp_path / "cut")
    assert [epoch.epoch for epoch in history] == [1, 2, 3, 4, 5, 6]
    assert weights(resumed) == weights(whole)
    assert (tmp_path / "cut/log.csv").read_text().count("\n") == 7


def train_until_killed(connection: Connection, folder: Path) -> None:
    """Train, tell of each epoch, and wait after the second one."""

    def tell(epoch: Epoch) -> None:
        connection.send(epoch.epoch)
        time.sleep(LAST_WAIT if epoch.epoch == 2 else 0)

    train(Regression(), SETTINGS, folder, Progress(epoch=tell))


def test_a_killed_run_resumes_and_ends_equal(tmp_path: Path) -> None:
    whole, resumed = Regression(), Regression()
    train(whole, SETTINGS)
    kill_at(2, train_until_killed, tmp_path)
    assert (tmp_path / CHECKPOINT).exists()
    epochs: list[Epoch] = []
    train(resumed, SETTINGS, tmp_path, Progress(epoch=epochs.append))
    assert [epoch.epoch for epoch in epochs] == [3, 4, 5, 6]  # it did not start again
    assert weights(resumed) == weights(whole)


def test_another_runs_folder_is_refused(tmp_path: Path) -> None:
    train(Regression(), SETTINGS, tmp_path)
    with pytest.raises(DataError, match="other settings"):
        train(Regression(), TrainingSettings(seed=9), tmp_path)


@pytest.mark.parametrize("damage", [b"", b"noise" * 100])
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / CHECKPOINT).write_bytes(damage)
    with pytest.raises(DataError, match="damaged"):
        train(Regression(), SETTINGS, tmp_path)


@pytest.mark.parametrize("astray", [math.nan, math.inf, -math.inf])
def test_an_epoch_that_went_astray_is_not_the_best(astray: float) -> None:
    task = Regression([0.2, astray, 0.1])
    history = train(task, replace(SETTINGS, epochs=3))
    best = Regression([0.2])
    train(best, replace(SETTINGS, epochs=3, patience=0))  # one epoch of the same schedule
    assert weights(task) == weights(best)
    assert history[1].val == -math.inf


class Astray(Regression):
    """Loses its way in the second epoch."""

    def forward(self, rows: np.ndarray, batch: np.ndarray, seed: tuple[int, int, int]) -> Tensor:
        return super().forward(rows, batch, seed) * (math.nan if seed[1] == 1 else 1.0)


def test_a_loss_that_is_no_number_ends_training_with_what_was_good() -> None:
    task = Astray()
    history = train(task, SETTINGS)
    assert len(history) == 2
    assert all(map(math.isfinite, weights(task)))
    with pytest.raises(SwapchefError, match="lower the learning rate"):
        train(Regression([math.nan] * 6), SETTINGS)


def shared_regression(batch: int) -> Trained:
    task = Regression()
    history = train(task, TrainingSettings(epochs=4, batch=batch, learning_rate=0.05, patience=9, seed=3))
    return [epoch.loss for epoch in history], weights(task)


def shared_gismo(batch: int) -> Trained:
    kitchen = kitchen_benchmark()
    settings = {"width": 8, "epochs": 4, "dropout": 0.0, "learning_rate": 0.02, "patience": 9, "swap_probability": 0.5}
    settings |= {"precision": "float32"}
    ranker = GISMoRanker(batch=batch, **settings).fit(kitchen.train, kitchen.train)
    learned = [float(abs(array).sum()) for name, array in sorted(ranker.arrays().items())]
    return [epoch.loss for epoch in ranker.history_], learned


SHARED = {"regression": (shared_regression, 4), "gismo": (shared_gismo, 2)}  # each with its batch
SHARED_RUN = """
import json, sys
sys.path.insert(0, {root!r})
from pathlib import Path
import torch
from swapchef.training import processes
from tests.test_training import SHARED
with processes() as rank:
    trained = {{name: train(batch) for name, (train, batch) in SHARED.items()}}
    if rank == 0:
        print(json.dumps(trained))
left = [name for task in Path("/proc/self/task").glob("*/comm") if "gloo" in (name := task.read_text())]
assert not left, left  # whose threads would run on into the end of the interpreter
"""


@pytest.fixture(scope="module")
def trained_by_two() -> dict[str, Trained]:
    """Train both tasks in two processes, as torchrun starts them."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", "--no-python"]
    code = SHARED_RUN.format(root=str(Path(__file__).parents[1]))
    command = [*launch, sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=120)
    assert done.returncode == 0, done.stderr  # all of it: why a process died stands at the front
    trained: dict[str, Trained] = json.loads(done.stdout.splitlines()[-1])
    return trained


@pytest.mark.parametrize("name", SHARED)
def test_two_processes_train_like_one_with_the_doubled_batch(
    name: str, trained_by_two: dict[str, Trained], monkeypatch: pytest.MonkeyPatch
) -> None:
    train_alone, batch = SHARED[name]
    losses, learned = train_alone(2 * batch)
    np.testing.assert_allclose(trained_by_two[name][0], losses, rtol=1e-4)
    np.testing.assert_allclose(trained_by_two[name][1], learned, rtol=1e-4)
