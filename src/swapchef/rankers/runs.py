"""From settings to a run folder: read the data, train, measure on val, write the files of the run.

A run folder holds `config.json`, `vocabulary.json`, `weights.safetensors`, `metrics.json`, `log.csv` and `curve.png`;
while it trains also a checkpoint to resume from.
"""

import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from swapchef.benchmark import Benchmark, current_commit, evaluate, load_benchmark
from swapchef.errors import SwapchefError
from swapchef.graph import training_graph, with_flavorgraph
from swapchef.rankers.base import Ranker, TrainedRanker
from swapchef.rankers.contexts import recipes_of
from swapchef.sources import atomic_path

OnStep = Callable[[int, int], None]  # steps since the last call, steps in all
OnEpoch = Callable[[Any], None]


def train_run(
    kind: type[Ranker],
    settings: dict[str, Any],
    folder: Path,
    search: int = 0,
    on_step: OnStep = lambda *_: None,
    on_epoch: OnEpoch = lambda _: None,
    more: Sequence[Path] = (),
    graph: Sequence[Path] = (),
) -> dict[str, Any]:
    """Train a ranker into a folder and return its figures on val; {} in all processes but the first.

    The tuples of `more` files join the train split; edges from `graph` files replace the default co-occurrence.
    """
    if not issubclass(kind, TrainedRanker):
        raise SwapchefError(f"{kind.name} needs no training; run `swapchef benchmark {kind.name}`.")
    try:
        from swapchef.training import processes, started_processes
    except ImportError:
        raise SwapchefError("Training needs torch; install swapchef[train] and try again.") from None
    if search and started_processes() > 1:
        raise SwapchefError("Search in one process; then spread the training with the best settings over several.")
    if graph and kind.learns_from != ("graph",):
        raise SwapchefError(f"{kind.name} learns from no graph.")
    kind(**settings)  # refuses wrong settings before any data is read
    benchmark = load_benchmark().with_more(more)
    with processes() as rank:
        inputs = {"graph": with_flavorgraph(graph)} if graph else materials(kind, benchmark)
        if search:
            settings = search_settings(kind, settings, benchmark, inputs, search, folder / "search", on_epoch)
        if rank > 0:  # only the first process reports progress
            return train_ranker(kind, settings, benchmark, inputs, folder, rank)
        return train_ranker(kind, settings, benchmark, inputs, folder, rank, on_step, on_epoch)


def materials(kind: type[TrainedRanker[Any]], benchmark: Benchmark) -> dict[str, Any]:
    """Return what a ranker learns from besides the splits, as arguments of its `fit`."""
    return {name: _MATERIALS[name](benchmark) for name in kind.learns_from}


def _text(benchmark: Benchmark) -> Any:
    from swapchef.rankers.cooking_text import collected_text

    return collected_text(benchmark.vocabulary)


def _reviews(benchmark: Benchmark) -> Any:
    from swapchef.rankers.review_text import collected_reviews

    return collected_reviews(benchmark)


def _knowledge(benchmark: Benchmark) -> Any:
    from swapchef.rankers.fusion_training import full_knowledge

    return full_knowledge(benchmark.vocabulary, benchmark.train)


_MATERIALS: dict[str, Callable[[Benchmark], Any]] = {
    "graph": lambda benchmark: training_graph(recipes_of(benchmark.train), benchmark.vocabulary),
    "text": _text,
    "names": lambda benchmark: benchmark.vocabulary.names,
    "reviews": _reviews,
    "knowledge": _knowledge,
}


def train_ranker(
    kind: type[Ranker],
    settings: dict[str, Any],
    benchmark: Benchmark,
    inputs: dict[str, Any],
    folder: Path,
    rank: int = 0,
    on_step: OnStep = lambda *_: None,
    on_epoch: OnEpoch = lambda _: None,
) -> dict[str, Any]:
    """Train a ranker into a folder; `inputs` are the arguments of its `fit` besides the splits."""
    from swapchef.training import CHECKPOINT, Progress

    ranker: Any = kind(**settings)
    start = time.perf_counter()
    progress = Progress(step=lambda done: on_step(done, _steps(ranker, benchmark)), epoch=on_epoch)
    ranker.fit(benchmark.train, benchmark.val, run=folder, progress=progress, **inputs)
    if rank != 0:
        return {}
    since_start, all_epochs = time.perf_counter() - start, sum(epoch.seconds for epoch in ranker.history_)
    minutes = max(since_start, all_epochs) / 60  # a run that was resumed took longer than since its last start
    result = evaluate(ranker, benchmark, "val", "paper", ranker=ranker.name, seed=ranker.settings.seed)
    figures = result.as_json() | {"seconds": round(time.perf_counter() - start, 1)}
    metrics = {
        **figures,
        "minutes": round(minutes, 2),
        "epochs": len(ranker.history_),
        "parameters": _parameters(folder / CHECKPOINT),
        **({"weights": ranker.settings.start} if hasattr(ranker.settings, "start") else {}),
        "commit": current_commit(),
        "data": benchmark.data,
    }
    _write_run(folder, ranker, benchmark, metrics)
    return metrics


def _steps(ranker: Any, benchmark: Benchmark) -> int:
    """Return how many steps a ranker will take: its own count, or a pass over the train split for each epoch."""
    if hasattr(ranker, "steps_"):
        return int(ranker.steps_)
    from swapchef.training import started_processes

    examples_per_step = ranker.settings.batch * started_processes()
    return int(ranker.settings.epochs * max(1, len(benchmark.train) // examples_per_step))


def _parameters(checkpoint: Path) -> int:
    """Count the trained parameters of a run in its checkpoint."""
    from safetensors import safe_open

    with safe_open(checkpoint, framework="numpy") as file:
        names = file.keys()
        trained = [name for name in names if not name.startswith(("best", "optimizer."))]
        return sum(math.prod(file.get_slice(name).get_shape()) for name in trained)


def _write_run(folder: Path, ranker: Any, benchmark: Benchmark, metrics: dict[str, Any]) -> None:
    from swapchef.plots import plot_curve
    from swapchef.training import CHECKPOINT

    benchmark.vocabulary.save(folder / "vocabulary.json")
    ranker.save(folder)
    with atomic_path(folder / "metrics.json") as temporary:
        temporary.write_text(json.dumps(metrics, indent=2) + "\n", encoding="utf-8")
    epochs = [(epoch.epoch, epoch.loss, epoch.val) for epoch in ranker.history_]
    plot_curve(epochs, folder / "curve.png", ranker.figure_on_val)
    (folder / CHECKPOINT).unlink(missing_ok=True)  # last: a run without it is finished


# Setting -> the range that is searched.
_SEARCHED = {"learning_rate": (3e-4, 5e-3), "weight_decay": (1e-7, 1e-3), "dropout": (0.0, 0.5)}


def search_settings(
    kind: type[Ranker],
    settings: dict[str, Any],
    benchmark: Benchmark,
    inputs: dict[str, Any],
    trials: int,
    folder: Path,
    on_epoch: OnEpoch = lambda _: None,
) -> dict[str, Any]:
    """Search settings with optuna and return the best on val; the trials are stored, so a search can be resumed.

    A trial that was interrupted is tried again with its settings, in its folder, where its training resumes.
    """
    try:
        import optuna
    except ImportError:
        raise SwapchefError("Searching needs optuna; install swapchef[train] and try again.") from None
    from swapchef.training import DivergedError

    folder.mkdir(parents=True, exist_ok=True)
    allowed = kind(**settings).config()

    def objective(trial: optuna.Trial) -> float:
        sampled = {
            name: trial.suggest_float(name, low, high, log=low > 0)
            for name, (low, high) in _SEARCHED.items()
            if name in allowed
        }
        run = folder / f"trial-{_first_number(trial)}"
        try:
            metrics = train_ranker(kind, {**settings, **sampled}, benchmark, inputs, run, on_epoch=on_epoch)
        except DivergedError:
            raise optuna.TrialPruned from None
        return float(metrics["mrr"])

    study = optuna.create_study(
        direction="maximize", study_name=kind.name, storage=f"sqlite:///{folder / 'trials.db'}", load_if_exists=True
    )
    # A sampler that starts anew must not draw again what was drawn before.
    study.sampler = optuna.samplers.TPESampler(seed=settings.get("seed", 0) + len(study.trials))
    finished = _resume_search(study)
    study.optimize(objective, n_trials=max(0, trials - finished))
    if not study.get_trials(states=[optuna.trial.TrialState.COMPLETE]):
        raise SwapchefError("None of the settings that were tried can be trained; try more.")
    return {**settings, **study.best_params}


def _first_number(trial: Any) -> int:
    """Return the number of the trial that these settings were first tried in."""
    return int(trial.user_attrs.get("first", trial.number))


def _resume_search(study: Any) -> int:
    """Queue the trials that were killed or stopped by hand, and return how many are finished."""
    from optuna.trial import TrialState

    finished = study.get_trials(states=[TrialState.COMPLETE, TrialState.PRUNED])
    settled = {_first_number(trial) for trial in [*finished, *study.get_trials(states=[TrialState.WAITING])]}
    for trial in study.get_trials(states=[TrialState.RUNNING, TrialState.FAIL]):
        if trial.state == TrialState.RUNNING:
            study.tell(trial.number, state=TrialState.FAIL)
        if _first_number(trial) not in settled:
            study.enqueue_trial(trial.params, user_attrs={"first": trial.number})
            settled.add(_first_number(trial))
    return len(finished)
