"""The command line: parse, call, print. Each command imports what it needs, so `swapchef --help` answers at once.

Results go to standard output and everything else (progress, notices, errors) to standard error, so `--json` can be
piped. A `SwapchefError` becomes one sentence and exit code 2.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swapchef import __version__
from swapchef.errors import SwapchefError

if TYPE_CHECKING:
    from rich.console import Console

    from swapchef.benchmark import Benchmark, ProtocolName, Result

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
data_app = typer.Typer(
    no_args_is_help=True, help="Find, check and download the data sets that benchmarks and training use."
)
app.add_typer(data_app, name="data")

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
RecipeFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A recipe file of any format, or - for standard input.")
]


def main() -> None:
    """Run the command line; the console script calls this."""
    try:
        app()
    except SwapchefError as error:
        print(f"swapchef: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"swapchef {__version__}")
        raise typer.Exit


@app.callback()
def swapchef(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Ingredient substitution that reads the whole recipe."""


@app.command()
def suggest(
    ingredient: Annotated[str, typer.Argument(help="What you lack, cannot eat or do not like.")],
    recipe: Annotated[
        str | None, typer.Option(metavar="FILE", help="The recipe, in any format; - reads standard input.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, max=100, help="How many suggestions.")] = 5,
    as_json: Json = False,
) -> None:
    """Suggest what to use instead of an ingredient."""
    from swapchef.recipes import read_recipe
    from swapchef.substituter import Substituter

    answer = Substituter.load().suggest(ingredient, read_recipe(recipe) if recipe else None, top)
    if as_json:
        _print_json(answer.as_json())
        return
    where = f"in {answer.recipe}" if answer.recipe else "in any recipe (give --recipe for suggestions that fit yours)"
    rows = [(str(s.rank), s.name, f"{100 * s.probability:.0f}%", "; ".join(s.reasons)) for s in answer.suggestions]
    if rows:
        _print_table(f"Instead of {answer.ingredient} {where}", ["", "use", "share", "why"], rows)
    else:
        print(f"No cook in our data has replaced {answer.ingredient} {where}.")


@app.command()
def recipe(
    file: RecipeFile,
    format: Annotated[
        str | None,
        typer.Option(
            help="Write the recipe in this format: jsonld, mealie, cooklang, markdown, text, html or recipe1m."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show how swapchef understands a recipe, or convert it to another format."""
    from swapchef.recipes import read_recipe, write_recipe
    from swapchef.vocabulary import Vocabulary

    read = read_recipe(file)
    if format:
        print(write_recipe(read, format), end="")
        return
    vocabulary = Vocabulary.load()
    understood = [(line, vocabulary.match_all(line)) for line in read.ingredients]
    if as_json:
        _print_json(
            {
                "title": read.title,
                "ingredients": [
                    {
                        "text": line.text,
                        "amount": str(line.amount) if line.amount else None,
                        "unit": line.unit or None,
                        "name": line.name,
                        "note": line.note or None,
                        "matches": [{"name": m.name, "confidence": m.confidence, "how": m.how} for m in matches],
                    }
                    for line, matches in understood
                ],
                "steps": [step.text for step in read.steps],
            }
        )
        return
    rows = [
        (
            str(line.amount or ""),
            line.unit,
            line.name,
            ", ".join(match.name for match in matches) or "?",
            ", ".join(f"{match.how} {match.confidence:.0%}" for match in matches),
        )
        for line, matches in understood
    ]
    _print_table(
        f"{read.title}: {len(rows)} ingredients, {len(read.steps)} steps",
        ["amount", "unit", "name", "ingredient", "found by"],
        rows,
    )


@app.command()
def benchmark(
    rankers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RANKER]...", help="random, mode, lt, freq, freq-as-published, lt+freq; all of them by default."
        ),
    ] = None,
    split: Annotated[str, typer.Option(help="val to tune, test to report: train, val or test.")] = "test",
    protocol: Annotated[str, typer.Option(help="Which candidates count: paper, filtered or kitchen.")] = "paper",
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Run rankers that use chance with this many seeds.")] = 1,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw the comparison as bars with 95% intervals.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Append the measured rows to a results file.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure rankers on Recipe1MSubs: MRR and Hit@k in percent, in and out of distribution."""
    from swapchef.benchmark import PROTOCOLS, SPLITS, append_results, load_benchmark
    from swapchef.errors import UnknownNameError
    from swapchef.rankers import RANKERS, make_ranker

    names = [make_ranker(name).name for name in rankers or RANKERS]
    if split not in SPLITS:
        raise UnknownNameError("split", split, SPLITS)
    if protocol not in PROTOCOLS:
        raise UnknownNameError("protocol", protocol, PROTOCOLS)
    if plot and plot.suffix.lower() not in {".png", ".svg", ".pdf"}:
        raise SwapchefError(f"{plot.name} is no picture file; name one that ends in .png, .svg or .pdf.")
    data = load_benchmark()
    total = len(data.split(split)) * sum(seeds if name == "random" else 1 for name in names)
    results: list[Result] = []
    with _progress("Ranking", total, hidden=as_json) as advance:
        for name in names:
            for seed in range(seeds if name == "random" else 1):
                results.append(_measure(name, seed, data, split, protocol, advance))
    if save:
        append_results(save, results, data.data)
    if plot:
        from swapchef.plots import plot_results

        plot_results(results, plot)
    _report(results, as_json)


def _measure(
    name: str, seed: int, data: "Benchmark", split: str, protocol: "ProtocolName", advance: Callable[[int], None]
) -> "Result":
    from dataclasses import replace

    from swapchef.benchmark import evaluate
    from swapchef.rankers import make_ranker

    start = time.perf_counter()
    ranker = make_ranker(name, seed).fit(data.train, data.val)
    result = evaluate(ranker, data, split, protocol, ranker=name, seed=seed, progress=advance)
    return replace(result, seconds=time.perf_counter() - start)


def _report(results: "list[Result]", as_json: bool) -> None:
    from swapchef.benchmark import summarise

    summaries = summarise(results)
    if as_json:
        report: dict[str, Any] = {"results": [result.as_json() for result in results]}
        if len(summaries) < len(results):
            report["summary"] = summaries
        _print_json(report)
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
    _print_table(title, columns, rows, numbers_from=1)


@data_app.command("where")
def data_where() -> None:
    """Print the folder that data is read from and downloaded to."""
    from swapchef.sources import ENVIRONMENT_VARIABLE, data_folder

    print(data_folder())
    print(f"Set {ENVIRONMENT_VARIABLE} to use another folder.", file=sys.stderr)


@data_app.command("verify")
def data_verify(as_json: Json = False) -> None:
    """Check every data file against its known SHA-256."""
    from swapchef.sources import FILES, data_folder, status

    folder = data_folder()
    found = {file.path: status(file, folder) for file in FILES}
    if as_json:
        _print_json({"folder": str(folder), "files": found})
    else:
        meaning = {
            "ok": "ok",
            "missing": "missing: run `swapchef data fetch`",
            "altered": "altered: delete it and run `swapchef data fetch`",
            "unpinned": "present; its publisher gives no hash to check",
        }
        _print_table(f"Data in {folder}", ["file", "state"], [(path, meaning[state]) for path, state in found.items()])
    if "altered" in found.values() or any(found[file.path] == "missing" for file in FILES if file.sha256):
        raise typer.Exit(1)


@data_app.command("fetch")
def data_fetch(
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to put the files; by default where `data where` says.")
    ] = None,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for a silent server.")] = 30.0,
) -> None:
    """Download the official data files, resuming and verifying; what is already here is left alone."""
    from swapchef.sources import FILES, data_folder, fetch, status

    target = folder or data_folder()
    wanted = [file for file in FILES if status(file, target) not in {"ok", "unpinned"}]
    with _progress("Downloading", sum(file.size or 0 for file in wanted) or None) as advance:
        for file in wanted:
            fetch(file, target, timeout=timeout, progress=advance)
    print(f"{len(wanted)} files downloaded, {len(FILES) - len(wanted)} already there, in {target}", file=sys.stderr)


def _print_json(value: object) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


def _console() -> "Console":
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 160)


def _print_table(title: str, columns: list[str], rows: Sequence[tuple[str, ...]], numbers_from: int = 99) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), box=box.SIMPLE, title_justify="left")
    for position, column in enumerate(columns):
        table.add_column(column, justify="right" if position >= numbers_from else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))  # Text: what stands in a recipe is never taken as markup
    _console().print(table)


@contextmanager
def _progress(label: str, total: int | None, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error, if a person is looking."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=hidden or not sys.stderr.isatty()
    ) as bar:
        task = bar.add_task(label, total=total)
        yield lambda amount: bar.advance(task, amount)
