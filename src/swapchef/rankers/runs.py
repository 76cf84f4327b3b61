"""From settings to a run folder: graph, training, figures on val, and the files that a run leaves.

A run folder holds `config.json`, `vocabulary.json`, `weights.safetensors`, `metrics.json`, `log.csv` and `curve.png`; while it trains
also a checkpoint to go on from.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from swapchef.benchmark import Benchmark, current_commit, evaluate, load_benchmark
from swapchef.errors import SwapchefError
from swapchef.graph import Graph, training_graph
from swapchef.rankers.base import Ranker
from swapchef.rankers.gismo import GISMo, recipes_of
from swapchef.sources import atomic_path

OnStep = Callable[[int, int], None]  # steps just done, steps in all
OnEpoch = Callable[[Any], None]


def train_run(
    kind: type[Ranker],
    settings: dict[str, Any],
    folder: Path,
    search: int = 0,
    on_step: OnStep = lambda *_: None,
    on_epoch: OnEpoch = lambda _: None,
) -> dict[str, Any]:
    """Train a ranker into a folder and return its figures on val; {} in all processes but the first."""
    if not kind.needs_training:
        raise SwapchefError(f"{kind.name} needs no training; run `swapchef benchmark {kind.name}`.")
    try:
        from swapchef.training import processes
    except ImportError:
        raise SwapchefError("Training needs torch; install swapchef[train] and try again.") from None
    benchmark = load_benchmark()
    with processes() as rank:
        graph = training_graph(recipes_of(benchmark.train), benchmark.vocabulary)
        if search:
            settings = search_settings(settings, benchmark, graph, search, folder / "search")
        return train_gismo(settings, benchmark, graph, folder, rank, on_step, on_epoch)


def train_gismo(
    settings: dict[str, Any],
    benchmark: Benchmark,
    graph: Graph,
    folder: Path,
    rank: int = 0,
    on_step: OnStep = lambda *_: None,
    on_epoch: OnEpoch = lambda _: None,
    **given: Any,
) -> dict[str, Any]:
    """Train GISMo on a graph into a folder."""
    from swapchef.training import Progress

    try:
        ranker = GISMo(**settings)
    except TypeError as error:
        raise SwapchefError(
            f"These are not settings of gismo ({str(error).split(') ')[-1]}); see docs/researchers.md."
        ) from None
    start = time.perf_counter()
    total = ranker.settings.epochs * max(1, len(benchmark.train) // ranker.settings.batch)
    progress = Progress(step=lambda done: on_step(done, total), epoch=on_epoch)
    ranker.fit(benchmark.train, benchmark.val, graph=graph, run=folder, progress=progress, **given)
    if rank != 0:
        return {}
    minutes = sum(epoch.seconds for epoch in ranker.history_) / 60
    result = evaluate(ranker, benchmark, "val", "paper", ranker=ranker.name, seed=ranker.settings.seed)
    figures = result.as_json() | {"seconds": round(time.perf_counter() - start, 1)}
    metrics = {
        **figures,
        "minutes": round(minutes, 2),
        "epochs": len(ranker.history_),
        "commit": current_commit(),
        "data": benchmark.data,
    }
    _write_run(folder, ranker, benchmark, metrics)
    return metrics


def _write_run(folder: Path, ranker: GISMo, benchmark: Benchmark, metrics: dict[str, Any]) -> None:
    from swapchef.plots import plot_curve
    from swapchef.training import CHECKPOINT

    benchmark.vocabulary.save(folder / "vocabulary.json")
    ranker.save(folder)
    with atomic_path(folder / "metrics.json") as temporary:
        temporary.write_text(json.dumps(metrics, indent=2) + "\n", encoding="utf-8")
    plot_curve([(epoch.epoch, epoch.loss, epoch.val) for epoch in ranker.history_], folder / "curve.png")
    (folder / CHECKPOINT).unlink(missing_ok=True)  # last: a run without it is finished


def search_settings(
    settings: dict[str, Any], benchmark: Benchmark, graph: Graph, trials: int, folder: Path
) -> dict[str, Any]:
    """Try settings with optuna and return the best on val; the trials are kept, so a search goes on where it stopped."""
    try:
        import optuna
    except ImportError:
        raise SwapchefError("Searching needs optuna; install swapchef[train] and try again.") from None
    folder.mkdir(parents=True, exist_ok=True)

    def objective(trial: optuna.Trial) -> float:
        tried = {
            "learning_rate": trial.suggest_float("learning_rate", 3e-4, 5e-3, log=True),
            "weight_decay": trial.suggest_float("weight_decay", 1e-7, 1e-3, log=True),
            "dropout": trial.suggest_float("dropout", 0.0, 0.5),
            "n_negatives": trial.suggest_int("n_negatives", 50, 600, log=True),
        }
        return float(train_gismo({**settings, **tried}, benchmark, graph, folder / f"trial-{trial.number}")["mrr"])

    study = optuna.create_study(
        direction="maximize",
        study_name="gismo",
        storage=f"sqlite:///{folder / 'trials.db'}",
        load_if_exists=True,
        sampler=optuna.samplers.TPESampler(seed=settings.get("seed", 0)),
    )
    study.optimize(objective, n_trials=max(0, trials - len(study.trials)))
    return {**settings, **study.best_params}
