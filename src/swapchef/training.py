"""One training loop for every torch network: seeded, early-stopped, resumable, and distributed under `torchrun`.

A `Task` gives the loss of a batch and the figure on val. Everything random derives from (seed, epoch, step) and each
epoch ends in one atomic checkpoint, so a run that was killed resumes and ends bit-equal to one that was not. Under
`torchrun` each process takes its share of a batch through DistributedDataParallel.
"""

import csv
import io
import json
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
import torch.distributed as dist
import torch.distributed.nn  # before there is a group: its default arguments would keep that alive past its end
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from swapchef.errors import DataError, SwapchefError
from swapchef.sources import atomic_path

Rows = npt.NDArray[np.int64]
CHECKPOINT = "checkpoint.safetensors"


class DivergedError(SwapchefError):
    """No epoch had a finite loss and val figure."""


@dataclass(frozen=True)
class TrainingSettings:
    """How to train, whatever the network."""

    epochs: int = 20
    batch: int = 512  # per process
    learning_rate: float = 2e-3
    weight_decay: float = 1e-4
    warmup: float = 0.1  # share of all steps in which the rate rises linearly, before a cosine
    patience: int = 6  # looks at val without a better figure before stopping
    seed: int = 0
    schedule: str = "cosine"  # to zero, or "constant", without a rise
    val_every: int = 1  # epochs from one look at val to the next; those between repeat its figure
    about: str = ""  # the network and its data: a run is resumed only with the same

    @classmethod
    def of(cls, config: Any, n_examples: int, data: str = "") -> "TrainingSettings":
        """Take these settings from those of a ranker; a batch has at most all examples."""
        settings = {field.name: getattr(config, field.name) for field in fields(cls) if hasattr(config, field.name)}
        about = json.dumps([asdict(config), n_examples, data], sort_keys=True)
        return cls(**settings | {"batch": min(settings["batch"], n_examples), "about": about})


@dataclass(frozen=True)
class Epoch:
    """The figures of one epoch."""

    epoch: int
    loss: float
    val: float
    seconds: float


class Task(Protocol):
    """What the loop needs of a network and its data."""

    n_examples: int

    @property
    def network(self) -> nn.Module:
        """What to train: its forward(rows, batch_rows, seed) returns the mean loss of `rows`."""

    def validate(self) -> float:
        """Return the figure to maximise on val."""


@dataclass(frozen=True)
class Progress:
    """Callbacks after each step and epoch; by default none."""

    step: Callable[[int], None] = lambda _: None
    epoch: Callable[[Epoch], None] = lambda _: None


def train(
    task: Task, settings: TrainingSettings, run: Path | None = None, progress: Progress | None = None
) -> list[Epoch]:
    """Train until the epochs or the patience are used up, and leave the best weights in the network.

    With a `run` folder a checkpoint is written there after every epoch, and an interrupted run resumes from it.
    """
    progress = progress or Progress()
    network = task.network
    optimizer = torch.optim.Adam(
        [p for p in network.parameters() if p.requires_grad], settings.learning_rate, weight_decay=settings.weight_decay
    )
    world, rank = _world()
    model = DistributedDataParallel(network) if world > 1 else network
    history: list[Epoch] = []
    best = {name: tensor.detach().clone() for name, tensor in network.state_dict().items()}
    if run is not None and (run / CHECKPOINT).exists():
        history, best = _resume(run / CHECKPOINT, network, optimizer, settings)
        progress.step(len(history) * _steps_per_epoch(task, settings, world))
    _agree_on_start(len(history))
    while len(history) < settings.epochs and not _is_over(history, settings):
        epoch = _train_epoch(model, optimizer, task, settings, history, progress)
        is_best = epoch.val > max((earlier.val for earlier in history), default=-math.inf)
        history.append(epoch)
        if is_best:
            best = {name: tensor.detach().clone() for name, tensor in network.state_dict().items()}
        if run is not None and rank == 0:
            _checkpoint(run / CHECKPOINT, network, best, optimizer, history, settings)
            write_log(run / "log.csv", history)
        progress.epoch(epoch)
    if not any(map(math.isfinite, (epoch.val for epoch in history))):
        raise DivergedError("Training went astray from the start (the loss is no number); lower the learning rate.")
    network.load_state_dict(best)
    return history


def _train_epoch(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    task: Task,
    settings: TrainingSettings,
    history: Sequence[Epoch],
    progress: Progress,
) -> Epoch:
    start, epoch = time.perf_counter(), len(history)
    world, rank = _world()
    steps = _steps_per_epoch(task, settings, world)
    order = np.random.default_rng((settings.seed, epoch)).permutation(task.n_examples)
    model.train()
    total = 0.0
    for step in range(steps):
        rate = learning_rate(settings, epoch * steps + step, settings.epochs * steps)
        for group in optimizer.param_groups:
            group["lr"] = rate
        batch = np.sort(order[step * settings.batch * world :][: settings.batch * world])
        share = batch[rank::world]
        optimizer.zero_grad(set_to_none=True)
        torch.manual_seed(int(np.random.SeedSequence((settings.seed, epoch, step, rank)).generate_state(1)[0]))
        loss: Tensor = model(share, batch, (settings.seed, epoch, step))
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        total += float(_mean_over_processes(loss.detach()))
        progress.step(1)
    model.eval()
    val = history[-1].val if history else 0.0
    if (epoch + 1) % settings.val_every == 0 or epoch + 1 == settings.epochs:
        with torch.no_grad():
            val = _of_first_process(task.validate())
    is_finite = math.isfinite(val) and math.isfinite(total)
    return Epoch(epoch + 1, total / steps, val if is_finite else -math.inf, time.perf_counter() - start)


def learning_rate(settings: TrainingSettings, step: int, steps: int) -> float:
    """Return the rate of a step: constant, or a linear rise during the warm-up and a cosine to zero."""
    if settings.schedule == "constant":
        return settings.learning_rate
    warm = max(1, round(settings.warmup * steps))
    if step < warm:
        return settings.learning_rate * (step + 1) / warm
    return settings.learning_rate * 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm)))


def _steps_per_epoch(task: Task, settings: TrainingSettings, world: int) -> int:
    return max(1, task.n_examples // (settings.batch * world))  # what is left over comes up in another epoch's order


def _is_over(history: list[Epoch], settings: TrainingSettings) -> bool:
    """Say whether the patience is used up, or the loss is no longer finite, from which Adam does not recover."""
    if not history:
        return False
    best = max(history, key=lambda epoch: epoch.val)
    is_out_of_patience = len(history) - best.epoch >= settings.patience * settings.val_every
    return is_out_of_patience or not math.isfinite(history[-1].loss)


def _world() -> tuple[int, int]:
    return (dist.get_world_size(), dist.get_rank()) if dist.is_initialized() else (1, 0)


def _mean_over_processes(value: Tensor) -> Tensor:
    if dist.is_initialized():
        dist.all_reduce(value)
        value = value / dist.get_world_size()
    return value


def _of_first_process(value: float) -> float:
    """Return the first process's value, so that all stop at the same epoch although processors round differently."""
    if not dist.is_initialized():
        return value
    shared = torch.tensor([value], dtype=torch.float64)
    dist.broadcast(shared, 0)
    return float(shared)


def _agree_on_start(epochs: int) -> None:
    """Refuse to start where only some processes see a checkpoint: they would wait for each other forever."""
    if _of_first_process(epochs) != epochs:
        raise DataError("The run folder must be on a disk that all processes share.")


def started_processes() -> int:
    """Return how many processes `torchrun` started; 1 without it."""
    return int(os.environ.get("WORLD_SIZE", "1")) if "RANK" in os.environ else 1


@contextmanager
def processes() -> Iterator[int]:
    """Join the other processes if `torchrun` started this one; give this process's rank."""
    if started_processes() == 1:
        yield 0
        return
    dist.init_process_group("gloo")  # everything is computed on processors, also where there is a GPU
    try:
        yield dist.get_rank()
    finally:
        dist.destroy_process_group()


def write_log(path: Path, history: list[Epoch]) -> None:
    """Write one line an epoch."""
    text = io.StringIO()
    rows = csv.DictWriter(text, list(asdict(Epoch(0, 0, 0, 0))), lineterminator="\n")
    rows.writeheader()
    for epoch in history:
        rows.writerow(
            asdict(replace(epoch, loss=round(epoch.loss, 5), val=round(epoch.val, 4), seconds=round(epoch.seconds, 1)))
        )
    with atomic_path(path) as temporary:
        temporary.write_text(text.getvalue(), encoding="utf-8")


def _checkpoint(
    path: Path,
    network: nn.Module,
    best: dict[str, Tensor],
    optimizer: torch.optim.Optimizer,
    history: list[Epoch],
    settings: TrainingSettings,
) -> None:
    tensors = {f"network.{name}": tensor for name, tensor in network.state_dict().items()}
    tensors |= {f"best.{name}": tensor for name, tensor in best.items()}
    for index, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{index}.{key}": torch.as_tensor(value) for key, value in state.items()}
    metadata = {"settings": json.dumps(asdict(settings)), "history": json.dumps([asdict(epoch) for epoch in history])}
    with atomic_path(path) as temporary:
        save_file(
            {name: tensor.detach().clone().contiguous() for name, tensor in tensors.items()},
            temporary,
            metadata=metadata,
        )
        with temporary.open("rb") as file:
            os.fsync(file.fileno())


def _resume(
    path: Path, network: nn.Module, optimizer: torch.optim.Optimizer, settings: TrainingSettings
) -> tuple[list[Epoch], dict[str, Tensor]]:
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata()
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dictionary
        if json.loads(metadata["settings"]) != asdict(settings):
            raise DataError(f"{path.parent} holds a run with other settings; name another folder or remove it.")
        history = [Epoch(**epoch) for epoch in json.loads(metadata["history"])]
        network.load_state_dict(_with_prefix(tensors, "network."))
        state: dict[int, dict[str, Any]] = {}
        for name, tensor in _with_prefix(tensors, "optimizer.").items():
            index, key = name.split(".", 1)
            state.setdefault(int(index), {})[key] = tensor
        optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError):
        raise DataError(f"{path} is damaged or belongs to another network; remove it to start again.") from None
    return history, _with_prefix(tensors, "best.")


def _with_prefix(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
