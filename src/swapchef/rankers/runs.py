"""From settings to a run folder: graph, training, figures on val, and the files that a run leaves.

A run folder holds `config.json`, `vocabulary.json`, `weights.safetensors`, `metrics.json`, `log.csv` and `curve.png`; while it trains
also a checkpoint to go on from.
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
from swapchef.rankers.gismo import recipes_of
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
    more: Sequence[Path] = (),
    graph: Sequence[Path] = (),
) -> dict[str, Any]:
    """Train a ranker into a folder and return its figures on val; {} in all processes but the first.

    It also learns the tuples of more files, if there are any; edges from files take the place of the default co-occurrence.
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
    kind(**settings)  # which says what is wrong with them, before anything is read
    benchmark = load_benchmark().with_more(more)
    with processes() as rank:
        given = {"graph": with_flavorgraph(graph)} if graph else materials(kind, benchmark)
        if search:
            settings = search_settings(kind, settings, benchmark, given, search, folder / "search", on_epoch)
        if rank > 0:  # one process tells how it goes
            return train_ranker(kind, settings, benchmark, given, folder, rank)
        return train_ranker(kind, settings, benchmark, given, folder, rank, on_step, on_epoch)


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
    given: dict[str, Any],
    folder: Path,
    rank: int = 0,
    on_step: OnStep = lambda *_: None,
    on_epoch: OnEpoch = lambda _: None,
) -> dict[str, Any]:
    """Train a ranker into a folder with what was given for it."""
    from swapchef.training import CHECKPOINT, Progress

    ranker: Any = kind(**settings)
    start = time.perf_counter()
    progress = Progress(step=lambda done: on_step(done, _steps(ranker, benchmark)), epoch=on_epoch)
    ranker.fit(benchmark.train, benchmark.val, run=folder, progress=progress, **given)
    if rank != 0:
        return {}
    this_part, all_epochs = time.perf_counter() - start, sum(epoch.seconds for epoch in ranker.history_)
    minutes = max(this_part, all_epochs) / 60  # a run that was resumed took longer than this part of it
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
    """Return how many steps a ranker will take: what it says itself, or a pass over the train split for each epoch."""
    if hasattr(ranker, "steps_"):
        return int(ranker.steps_)
    from swapchef.training import started_processes

    a_step = ranker.settings.batch * started_processes()
    return int(ranker.settings.epochs * max(1, len(benchmark.train) // a_step))


def _parameters(checkpoint: Path) -> int:
    """Count what a run has trained, by the state it keeps to go on from."""
    from safetensors import safe_open

    with safe_open(checkpoint, framework="numpy") as file:
        trained = [name for name in file.keys() if not name.startswith(("best", "optimizer."))]  # noqa: SIM118 - not a dictionary
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


_SEARCHED = {"learning_rate": (3e-4, 5e-3), "weight_decay": (1e-7, 1e-3), "dropout": (0.0, 0.5)}  # from, to


def search_settings(
    kind: type[Ranker],
    settings: dict[str, Any],
    benchmark: Benchmark,
    given: dict[str, Any],
    trials: int,
    folder: Path,
    on_epoch: OnEpoch = lambda _: None,
) -> dict[str, Any]:
    """Try settings with optuna and return the best on val; the trials are kept, so a search goes on where it stopped.

    A trial that was interrupted is tried again with its settings, in its folder, where its training goes on.
    """
    try:
        import optuna
    except ImportError:
        raise SwapchefError("Searching needs optuna; install swapchef[train] and try again.") from None
    from swapchef.training import DivergedError

    State = optuna.trial.TrialState  # noqa: N806 - a class
    folder.mkdir(parents=True, exist_ok=True)
    known = kind(**settings).config()

    def first(trial: optuna.Trial | optuna.trial.FrozenTrial) -> int:
        """Return the number of the trial that these settings were first tried in."""
        return int(trial.user_attrs.get("first", trial.number))

    def objective(trial: optuna.Trial) -> float:
        tried = {
            name: trial.suggest_float(name, low, high, log=low > 0)
            for name, (low, high) in _SEARCHED.items()
            if name in known
        }
        try:
            made = train_ranker(
                kind, {**settings, **tried}, benchmark, given, folder / f"trial-{first(trial)}", on_epoch=on_epoch
            )
        except DivergedError:
            raise optuna.TrialPruned from None
        return float(made["mrr"])

    study = optuna.create_study(
        direction="maximize", study_name=kind.name, storage=f"sqlite:///{folder / 'trials.db'}", load_if_exists=True
    )
    # A sampler that starts anew must not draw again what was drawn before.
    study.sampler = optuna.samplers.TPESampler(seed=settings.get("seed", 0) + len(study.trials))
    done = study.get_trials(states=[State.COMPLETE, State.PRUNED])
    settled = {first(trial) for trial in [*done, *study.get_trials(states=[State.WAITING])]}
    for trial in study.get_trials(states=[State.RUNNING, State.FAIL]):  # killed, or stopped by hand
        if trial.state == State.RUNNING:
            study.tell(trial.number, state=State.FAIL)
        if first(trial) not in settled:
            study.enqueue_trial(trial.params, user_attrs={"first": trial.number})
            settled.add(first(trial))
    study.optimize(objective, n_trials=max(0, trials - len(done)))
    if not study.get_trials(states=[State.COMPLETE]):
        raise SwapchefError("None of the settings that were tried can be trained; try more.")
    return {**settings, **study.best_params}
