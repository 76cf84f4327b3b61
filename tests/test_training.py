"""The training loop resumes after a kill as if nothing had happened, and many processes train like one."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from swapchef.errors import DataError, SwapchefError
from swapchef.training import CHECKPOINT, Progress, TrainingSettings, learning_rate, train

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


SLOW_RUN = """
import sys, time
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.test_training import Regression, SETTINGS, train, weights, Progress
task = Regression()
train(task, SETTINGS, Path({folder!r}), Progress(epoch=lambda e: (print(e.epoch, flush=True), time.sleep({pause}))))
print(*weights(task), flush=True)
"""


def test_a_killed_run_resumes_and_ends_equal(tmp_path: Path) -> None:
    whole = Regression()
    train(whole, SETTINGS)
    root = str(Path(__file__).parents[1])
    code = SLOW_RUN.format(root=root, folder=str(tmp_path), pause=0.3)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as victim:
        assert victim.stdout is not None
        while victim.stdout.readline().strip() != "2":
            pass
        time.sleep(0.1)
        victim.send_signal(signal.SIGKILL)
    assert (tmp_path / CHECKPOINT).exists()
    done = subprocess.run(
        [sys.executable, "-c", SLOW_RUN.format(root=root, folder=str(tmp_path), pause=0)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert [float(word) for word in done.stdout.splitlines()[-1].split()] == weights(whole)


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


SHARED_RUN = """
import json, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.test_training import Regression, TrainingSettings, train, weights
from swapchef.training import processes
with processes() as rank:
    task = Regression()
    history = train(task, TrainingSettings(epochs=4, batch={batch}, learning_rate=0.05, patience=9, seed=3))
    if rank == 0:
        print(json.dumps([[epoch.loss for epoch in history], weights(task)]))
left = [name for task in Path("/proc/self/task").glob("*/comm") if "gloo" in (name := task.read_text())]
assert not left, left  # whose threads would run on into the end of the interpreter
"""


GISMO_RUN = """
import json, sys
sys.path.insert(0, {root!r})
from pathlib import Path
import torch
from swapchef.rankers import gismo_training
from swapchef.rankers.gismo import GISMo
from swapchef.training import processes
from tests.conftest import kitchen_benchmark
gismo_training._PRECISION = torch.float32
kitchen = kitchen_benchmark()
with processes() as rank:
    ranker = GISMo(width=8, epochs=4, batch={batch}, dropout=0.0, learning_rate=0.02, patience=9, swap_probability=0.5)
    ranker.fit(kitchen.train, kitchen.train)
    if rank == 0:
        weights = [float(abs(array).sum()) for name, array in sorted(ranker.arrays().items())]
        print(json.dumps([[epoch.loss for epoch in ranker.history_], weights]))
left = [name for task in Path("/proc/self/task").glob("*/comm") if "gloo" in (name := task.read_text())]
assert not left, left
"""


@pytest.mark.parametrize(("code", "batch"), [(SHARED_RUN, 4), (GISMO_RUN, 2)], ids=["regression", "gismo"])
def test_two_processes_train_like_one_with_the_doubled_batch(code: str, batch: int) -> None:
    root = str(Path(__file__).parents[1])
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", "--no-python"]
    both = subprocess.run(
        [*launch, sys.executable, "-c", code.format(root=root, batch=batch)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=120,
    )
    assert both.returncode == 0, both.stderr  # all of it: why a process died stands at the front
    one = subprocess.run(
        [sys.executable, "-c", code.format(root=root, batch=2 * batch)],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    (losses2, weights2), (losses1, weights1) = (json.loads(done.stdout.splitlines()[-1]) for done in (both, one))
    np.testing.assert_allclose(losses2, losses1, rtol=1e-4)
    np.testing.assert_allclose(weights2, weights1, rtol=1e-4)
