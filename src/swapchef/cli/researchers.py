"""Commands for researchers: benchmark, train, mine and rankers."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swapchef.cli.options import Engine, Json, Master, Processes
from swapchef.cli.printing import print_json, print_table, progress_bar, training_bar
from swapchef.errors import SwapchefError

if TYPE_CHECKING:
    from swapchef.benchmark import Result
    from swapchef.rankers.table import Contestant

rankers_group = typer.Typer(help="List the rankers that can be asked, or import GISMo's published checkpoint.")


def benchmark(
    rankers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RANKER]...",
            help="random, mode, lt, freq, freq-as-published, lt+freq (all of these by default), "
            "metapath2vec-published, names or folders of rankers that were trained, "
            "or bundle, our own as it is shipped; so is gismo where no run of it is there.",
        ),
    ] = None,
    split: Annotated[str, typer.Option(help="val to tune, test to report: train, val or test.")] = "test",
    protocol: Annotated[str, typer.Option(help="Which candidates count: paper, filtered or kitchen.")] = "paper",
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Run rankers that use chance with this many seeds.")] = 1,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Print the whole table, the published figures beside ours; nothing is trained."),
    ] = False,
    runs: Annotated[
        Path, typer.Option(metavar="DIR", help="Where trained rankers are: DIR/NAME, or DIR/NAME/NAME-SEED.")
    ] = Path("runs"),
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw the comparison as bars with 95% intervals.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv", help="Append the measured rows to a results file; with --all, write the table."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure rankers on Recipe1MSubs: MRR and Hit@k in percent, in and out of distribution."""
    from swapchef.benchmark import append_results, check_results_file, load_benchmark, summarise
    from swapchef.rankers import STATISTICS

    _check_names(split, protocol, plot)
    if everything:
        if rankers:
            raise SwapchefError("--all measures every ranker; name rankers or say --all, not both.")
        _whole_table(split, protocol, seeds, runs, plot, save, as_json)
        return
    contestants = [contestant for name in rankers or STATISTICS for contestant in _contestants(name, seeds, runs)]
    if save:
        check_results_file(save)  # before minutes are spent on what cannot be kept
    data = load_benchmark()
    results: list[Result] = []
    with progress_bar("Ranking", len(data.split(split)) * len(contestants), hidden=as_json) as advance:
        for contestant in contestants:
            results.append(contestant.measure(data, split, protocol, advance))
    if save:
        append_results(save, results, data.data)
    if plot:
        from swapchef.plots import plot_results

        plot_results(summarise(results), plot, split, protocol)
    _print_results(results, as_json)


def _check_names(split: str, protocol: str, plot: Path | None) -> None:
    """Refuse an unknown split, protocol or picture format before any work is done."""
    from swapchef.benchmark import PROTOCOLS, SPLITS
    from swapchef.errors import UnknownNameError

    if split not in SPLITS:
        raise UnknownNameError("split", split, SPLITS)
    if protocol not in PROTOCOLS:
        raise UnknownNameError("protocol", protocol, PROTOCOLS)
    if plot and plot.suffix.lower() not in {".png", ".svg", ".pdf"}:
        raise SwapchefError(f"{plot.name} is no picture file; name one that ends in .png, .svg or .pdf.")


def _contestants(name: str, seeds: int, runs: Path) -> "list[Contestant]":
    from swapchef.rankers.shipped import OURS, WITH_WEIGHTS, load_weights
    from swapchef.rankers.table import Contestant, contestants, finished_runs

    if name == "bundle":
        return [Contestant(load_weights(OURS), trained=True)]
    if name in WITH_WEIGHTS and not finished_runs(runs, name):
        return [Contestant(load_weights(name), trained=True)]
    return contestants(name, seeds, runs)


def _whole_table(
    split: str, protocol: str, seeds: int, runs: Path, plot: Path | None, save: Path | None, as_json: bool
) -> None:
    """Measure every ranker that can be measured and say of the others what they lack."""
    from swapchef.benchmark import load_benchmark
    from swapchef.rankers.table import measure_table, table_size, write_table

    data = load_benchmark()
    size = len(data.split(split)) * table_size(runs, seeds)
    with progress_bar("Ranking", size, hidden=as_json) as advance:
        rows = list(measure_table(data, split, protocol, runs, seeds, advance))
    if save:
        write_table(rows, save, split, protocol, data.data)
    json_rows = [row.as_json() for row in rows]
    if plot:
        from swapchef.plots import plot_results

        plot_results([row for row in json_rows if "mrr" in row], plot, split, protocol)
    if as_json:
        print_json({"split": split, "protocol": protocol, "data": data.data, "rows": json_rows})
        return
    columns = ["ranker", "MRR", "published", "Hit@1", "Hit@3", "Hit@10", "ID", "published", "OOD", "published"]
    title = f"Recipe1MSubs {split} ({len(data.split(split)):,} queries), protocol {protocol}, percent"
    print_table(title, [*columns, "minutes", "parameters"], [_table_row(row) for row in json_rows], numbers_from=1)
    for row in rows:
        if row.weights:
            print(f"{row.ranker} started from the weights {row.weights}.")
    for row in rows:
        if row.missing:
            print(row.missing)


def _table_row(row: dict[str, Any]) -> tuple[str, ...]:
    def figure(key: str) -> str:
        return f"{row[key]:.2f}" if key in row else "-"

    spread = f" ± {row['mrr_std']:.2f}" if row.get("seeds", 1) > 1 else ""
    beside = ("published_mrr", "hit@1", "hit@3", "hit@10", "mrr_id", "published_id", "mrr_ood", "published_ood")
    cost = (f"{row['minutes']:.1f}", f"{row['parameters']:,}") if "mrr" in row else ("-", "-")
    return (row["ranker"], figure("mrr") + spread, *map(figure, beside), *cost)


def _print_results(results: "list[Result]", as_json: bool) -> None:
    from swapchef.benchmark import summarise

    summaries = summarise(results)
    if as_json:
        report: dict[str, Any] = {"results": [result.as_json() for result in results]}
        if len(summaries) < len(results):
            report["summary"] = summaries
        print_json(report)
        return
    first = results[0]
    rows = []
    for row in summaries:
        spread = f" ± {row['mrr_std']:.2f}" if row["seeds"] > 1 else ""
        low, high = row["ci95_mrr"]
        figures = [f"{row[key]:.2f}" for key in ("hit@1", "hit@3", "hit@10", "mrr_id", "mrr_ood")]
        rows.append(
            (
                str(row["ranker"]),
                f"{row['mrr']:.2f}{spread}",
                f"{low:.2f}-{high:.2f}",
                *figures,
                f"{row['seconds']:.1f}",
            )
        )
    title = f"Recipe1MSubs {first.split} ({first.n:,} queries), protocol {first.protocol}, percent"
    columns = ["ranker", "MRR", "95% interval", "Hit@1", "Hit@3", "Hit@10", "MRR ID", "MRR OOD", "seconds"]
    print_table(title, columns, rows, numbers_from=1)


def train(
    ranker: Annotated[
        str,
        typer.Argument(
            help="Which ranker to train: "
            "food2vec, foodbert, r-foodbert, node2vec, metapath2vec, pinsage, gismo or fusion."
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The run folder; an interrupted run in it goes on.")],
    config: Annotated[
        Path | None, typer.Option(metavar="FILE.json", help="Settings that differ from the defaults, as a JSON object.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Where chance starts; 0 if no settings say.")] = None,
    seeds: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="Train N times, from this seed on, in DIR/RANKER-SEED; tell mean and spread."
        ),
    ] = 1,
    search: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="First try N settings with optuna (in DIR/search) and train with the best on val."
        ),
    ] = 0,
    more: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE.jsonl", help="Also learn from these tuples, such as exported feedback. May be repeated."
        ),
    ] = None,
    graph: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE.csv",
            help="Edges to unite with FlavorGraph's, as `graph build` writes them, in place of the default. "
            "May be repeated.",
        ),
    ] = None,
) -> None:
    """Train a ranker on Recipe1MSubs and keep it in a run folder; `torchrun` spreads it over processes and machines."""
    from swapchef.rankers import ranker_class
    from swapchef.rankers.runs import train_run

    kind = ranker_class(ranker)
    settings = _read_settings(config) | ({} if seed is None else {"seed": seed})
    if seeds > 1 and search:
        raise SwapchefError("Search with one seed; then train with the best settings and several.")
    runs = [(out, settings)]
    if seeds > 1 and kind.needs_training:
        first = kind(**settings).config()["seed"]
        runs = [(out / f"{kind.name}-{number}", {**settings, "seed": number}) for number in range(first, first + seeds)]
    metrics = []
    for folder, run_settings in runs:
        with training_bar() as (step, epoch):
            metrics.append(train_run(kind, run_settings, folder, search, step, epoch, more or (), graph or ()))
    if metrics[0]:
        print_json(metrics[0] if seeds == 1 else _over_seeds(metrics))


def _over_seeds(metrics: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the mean and the standard deviation of the figures of several runs, and the runs themselves."""
    from statistics import mean, stdev

    names = [name for name in metrics[0] if name.startswith(("mrr", "hit@"))]
    figures = {name: [run[name] for run in metrics] for name in names}
    spread = {name: [round(mean(values), 2), round(stdev(values), 2)] for name, values in figures.items()}
    return {"mean and standard deviation": spread, "runs": metrics}


def _read_settings(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise SwapchefError(f"Cannot read settings from {path}; it must be a JSON object.") from None
    if not isinstance(settings, dict):
        raise SwapchefError(f"{path} must be a JSON object of settings.")
    return settings


def mine(
    reviews: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="Reviews, or recipes with their reviews: JSONL, CSV or Parquet, "
            "or a folder of Parquet files or web pages.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where to write the tuples; an interrupted run goes on.")],
    recipes: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The recipes that the reviews are about, if in a file of their own."),
    ] = None,
    mode: Annotated[
        str, typer.Option(help="paper: the published rules; better: direction, amounts, several swaps.")
    ] = "better",
    vocabulary: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="The ingredients to look for, as `vocabulary build` writes them."),
    ] = None,
    engine: Engine = "local",
    processes: Processes = 1,
    master: Master = "",
    as_json: Json = False,
) -> None:
    """Mine substitutions from reviews, in the benchmark's own format."""
    from swapchef.benchmark import recipe_splits
    from swapchef.engines import EngineSettings

    settings = EngineSettings(engine, processes, master)
    try:
        from swapchef.mining.pipeline import mine as mine_reviews
    except ModuleNotFoundError:
        raise SwapchefError(
            "Mining needs a few more packages; install them with `pip install swapchef[mine]`."
        ) from None

    with progress_bar("Mining recipes", None, hidden=as_json) as advance:
        counts = mine_reviews(recipes, reviews, mode, out, settings, recipe_splits(), vocabulary, advance)
    if as_json:
        print_json(dict(counts.most_common()))
        return
    print_table(
        f"{counts['tuples']:,} tuples in {out}", ["", "count"], [(k, f"{n:,}") for k, n in counts.most_common()], 1
    )


@rankers_group.callback(invoke_without_command=True)
def rankers_list(context: typer.Context, as_json: Json = False) -> None:
    """List the rankers: what each is, its figures on test, and whether `--ranker NAME` can ask it as it is."""
    if context.invoked_subcommand:
        return
    from dataclasses import asdict

    from swapchef.rankers.shipped import about_rankers

    rankers = list(about_rankers())
    if as_json:
        print_json([asdict(each) for each in rankers])
        return
    rows = []
    for each in rankers:
        figures = ["-" if figure is None else f"{figure:.2f}" for figure in (each.mrr, each.hit_1, each.hit_10)]
        asked = "by name" if each.is_shipped else "train it first"
        rows.append((each.name, *figures, f"{each.megabytes} MB" if each.megabytes else "-", asked, each.what))
    title = "Rankers: figures on Recipe1MSubs test, protocol paper, percent"
    print_table(title, ["ranker", "MRR", "Hit@1", "Hit@10", "weights", "asked", "what it does"], rows)


@rankers_group.command("import")
def rankers_import(
    checkpoint: Annotated[
        Path, typer.Argument(metavar="FILE", help="The checkpoint that GISMo's authors publish: best_model.chkpnt.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The run folder to write.")],
) -> None:
    """Import the checkpoint that GISMo's authors publish; `--ranker DIR` and `benchmark DIR` take the folder."""
    try:
        from swapchef.rankers.gismo_published import import_checkpoint
    except ImportError:
        raise SwapchefError("Reading a checkpoint needs torch; install swapchef[train] and try again.") from None
    from swapchef.foods.matching import Vocabulary
    from swapchef.graph import with_flavorgraph

    if not checkpoint.is_file():
        raise SwapchefError(f"There is no file {checkpoint}.")
    ranker = import_checkpoint(checkpoint, with_flavorgraph(()))
    Vocabulary.load().save(out / "vocabulary.json")
    ranker.save(out)
    print(f"{out}: ask it with --ranker {out}, measure it with `swapchef benchmark {out}`.")
