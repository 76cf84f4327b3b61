"""The command line: parse, call, print. Each command imports what it needs, so `swapchef --help` answers at once.

Results go to standard output and everything else (progress, notices, errors) to standard error, so `--json` can be
piped. A `SwapchefError` becomes one sentence and exit code 2.
"""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swapchef import __version__
from swapchef.errors import SwapchefError

if TYPE_CHECKING:
    from rich.console import Console

    from swapchef.benchmark import Result
    from swapchef.rankers.table import Contestant
    from swapchef.recipes import IngredientLine, Recipe
    from swapchef.substituter import Suggestion, Suggestions, Wishes
    from swapchef.training import Epoch

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
data_app = typer.Typer(
    no_args_is_help=True, help="Find, check and download the data sets that benchmarks and training use."
)
graph_app = typer.Typer(no_args_is_help=True, help="Describe FlavorGraph, or build a graph from recipes.")
app.add_typer(data_app, name="data")
app.add_typer(graph_app, name="graph")
vocabulary_app = typer.Typer(no_args_is_help=True, help="Make a vocabulary of ingredients from recipes.")
app.add_typer(vocabulary_app, name="vocabulary")
feedback_app = typer.Typer(no_args_is_help=True, help="Use what cooks chose on the web page.")
app.add_typer(feedback_app, name="feedback")

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
RecipeFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A recipe file of any format, or - for standard input.")
]


Have = Annotated[
    str | None, typer.Option(metavar="A,B", help="Use only what is in your cupboard: names with commas between.")
]
Diet = Annotated[
    list[str] | None,
    typer.Option(metavar="D", help="Keep to a diet or without an allergen: vegan, gluten, nuts... May be repeated."),
]
Avoid = Annotated[
    list[str] | None, typer.Option(metavar="FOOD", help="Do without a food and what is made of it. May be repeated.")
]
Unknown = Annotated[
    bool, typer.Option("--unknown", help="Also offer foods whose name does not tell whether they suit, marked so.")
]


Servings = Annotated[int | None, typer.Option(metavar="N", help="Scale the recipe to so many servings.")]


Engine = Annotated[str, typer.Option(help="local: on this machine; spark: with PySpark, on a cluster if there is one.")]
Processes = Annotated[int, typer.Option(min=1, max=64, help="How many to run at once.")]
Master = Annotated[str, typer.Option(metavar="URL", help="The Spark cluster; by default this machine.")]


_MIXTURES = 3  # to print; --json has all
_HAND_OVER = 2  # requests under way at which one of several workers lets a connection go to another


def main() -> None:
    """Run the command line; the console script calls this."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(
            stream, io.TextIOWrapper
        ):  # recipes are full of fractions and accents, whatever the terminal says
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        app()
        sys.stdout.flush()
    except SwapchefError as error:
        print(f"swapchef: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        _forget_output()
        sys.exit(0)
    except OSError as error:
        _forget_output()
        print(f"swapchef: Cannot write the answer ({error.strerror or error}); check the disk.", file=sys.stderr)
        sys.exit(2)


def _forget_output() -> None:
    """Let the interpreter end without trying to write again what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
    ingredients: Annotated[
        list[str],
        typer.Argument(
            metavar="INGREDIENT...",
            help="What you lack, cannot eat or do not like: by name, by part of its name, or by the number of its line.",
        ),
    ],
    recipe: Annotated[
        str | None, typer.Option(metavar="FILE", help="The recipe, in any format; - reads standard input.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, max=100, help="How many suggestions.")] = 5,
    have: Have = None,
    diet: Diet = None,
    avoid: Avoid = None,
    unknown: Unknown = False,
    counterfactual: Annotated[
        bool, typer.Option("--counterfactual", help="Also say where each suggestion would stand without the recipe.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Suggest what to use instead of an ingredient, or of several at once."""
    from swapchef.recipes import read_recipe
    from swapchef.substituter import Substituter

    read = read_recipe(recipe) if recipe else None
    wishes = _wishes(have, diet, avoid, unknown)
    answers = Substituter.load().suggest_together(ingredients, read, top, wishes, counterfactual)
    if as_json:
        _print_json(answers[0].as_json() if len(answers) == 1 else [answer.as_json() for answer in answers])
        return
    for asked, answer in zip(ingredients, answers, strict=True):
        _print_suggestions(asked.strip(), answer)


def _wishes(have: str | None, diet: list[str] | None, avoid: list[str] | None, unknown: bool = False) -> "Wishes":
    from swapchef.substituter import Wishes

    return Wishes(have.split(",") if have is not None else None, diet or (), avoid or (), unknown)


def _print_suggestions(asked: str, answer: "Suggestions") -> None:
    said = "" if asked.lower() == answer.ingredient else f" (you said {asked})"
    where = f"in {answer.recipe}" if answer.recipe else "in any recipe (give --recipe for suggestions that fit yours)"
    compared = any(s.without_recipe for s in answer.suggestions)
    columns = ["", "use", "how much", "chance", *(["without the recipe"] if compared else []), "why"]
    rows = [_suggestion_row(suggestion, compared) for suggestion in answer.suggestions]
    if rows:
        _print_table(f"Instead of {answer.ingredient}{said} {where}", columns, rows)
    elif not answer.mixtures:
        print(f"I know nothing to use instead of {answer.ingredient}{said} {where}.")
    for suggestion in answer.suggestions:
        if suggestion.amount and (said := f"{suggestion.amount.note} {suggestion.amount.method}".strip()):
            print(f"  {suggestion.name}: {said}")
    told = [suggestion.mixture for suggestion in answer.suggestions]
    for mixture in [mixture for mixture in answer.mixtures if mixture not in told][:_MIXTURES]:
        print(f"  or mix {' + '.join(mixture.parts)}{f': {mixture.note}' if mixture.note else ''}")


def _suggestion_row(suggestion: "Suggestion", compared: bool) -> tuple[str, ...]:
    name = suggestion.name + (f" (or {suggestion.also[0]})" if suggestion.also else "")
    stands = suggestion.without_recipe
    return (
        str(suggestion.rank),
        name,
        _amount_words(suggestion),
        _percent(suggestion.probability),
        *([f"{stands.rank}. ({_percent(stands.probability)})" if stands else "not among the candidates"] * compared),
        "; ".join(suggestion.reasons),
    )


def _amount_words(suggestion: "Suggestion") -> str:
    amount = suggestion.amount
    if amount is None:
        return ""
    if amount.is_guess:
        return f"{amount.text} (a guess)" if amount.text else "start with the same amount"
    return amount.text or amount.rule


def _line_words(suggestion: "Suggestion") -> str:
    """Write a swap as an ingredient line."""
    if suggestion.mixture:
        return " + ".join(suggestion.mixture.parts)
    amount = suggestion.amount.text if suggestion.amount else ""
    return f"{amount} {suggestion.name}".strip()


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%" if share >= 0.01 else "<1%"


@app.command()
def swap(
    recipe: RecipeFile,
    ingredients: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[INGREDIENT]...", help="What to replace; with a diet and nothing here, all that is against it."
        ),
    ] = None,
    targets: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="X",
            help="What to use instead, as often as there are ingredients; by default what suits best.",
        ),
    ] = None,
    diet: Diet = None,
    avoid: Avoid = None,
    have: Have = None,
    format: Annotated[
        str, typer.Option(help="jsonld, mealie, tandoor, cooklang, markdown, text, html or recipe1m.")
    ] = "markdown",
    diff: Annotated[bool, typer.Option("--diff", help="Print what changes instead of the whole recipe.")] = False,
    servings: Servings = None,
) -> None:
    """Rewrite a recipe with ingredients replaced; what to mind is told on standard error."""
    from swapchef.recipes import write_recipe
    from swapchef.substituter import Substituter

    read = _read_for(recipe, servings)
    write_recipe(read, format)  # refuses a wrong format before any work is done
    done = Substituter.load().swap(read, ingredients or (), targets or (), _wishes(have, diet, avoid))
    print(done.edit.diff() if diff else write_recipe(done.recipe, format), end="\n" if diff else "")
    for made in done.swaps:
        print(f"{made.target} for {made.source}", file=sys.stderr)
    for text in dict.fromkeys(f"{note.text}{' (a guess)' * note.is_guess}" for note in done.edit.notes):
        print(f"- {text}", file=sys.stderr)
    for problem in done.problems:
        doubt = "Still against your wishes" if problem.status == "unsafe" else "Check the label"
        print(f"{doubt}: {problem.where} {problem.number}, {problem.text} ({problem.rule})", file=sys.stderr)


@app.command()
def cook(
    photo: Annotated[
        Path, typer.Argument(metavar="PHOTO", help="A photo of a dish: JPEG, PNG, WebP, GIF, BMP or TIFF.")
    ],
    swap: Annotated[
        list[str] | None, typer.Option(metavar="INGREDIENT", help="An ingredient to replace. May be repeated.")
    ] = None,
    targets: Annotated[
        list[str] | None,
        typer.Option(
            "--with", metavar="X", help="What to use instead, as often as --swap; by default what suits best."
        ),
    ] = None,
    add: Annotated[
        list[str] | None, typer.Option(metavar="FOOD", help="An ingredient that was not seen. May be repeated.")
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option(metavar="FOOD", help="An ingredient that was seen by mistake. May be repeated.")
    ] = None,
    diet: Diet = None,
    avoid: Avoid = None,
    as_json: Json = False,
) -> None:
    """Name the ingredients in a photo, replace what you ask for, and write the recipe with and without the swap."""
    from swapchef.cooking.images import read_photo
    from swapchef.cooking.pipeline import PhotoCook
    from swapchef.recipes import write_recipe

    pixels = read_photo(photo)  # a file that is no photo is refused before the networks are loaded
    cooked = PhotoCook.load().cook(
        pixels, swap or (), targets or (), _wishes(None, diet, avoid), add or (), remove or ()
    )
    if as_json:
        return _print_json(cooked.as_json())
    rows = [(seen.name, _percent(seen.confidence)) for seen in cooked.ingredients]
    _print_table(f"Seen in {photo.name}", ["ingredient", "sure"], rows, numbers_from=1)
    if cooked.swapped_recipe:
        print(f"\nAs in the photo{', not kept to your wishes' if cooked.keeps_to_wishes is False else ''}:")
    print(f"\n{write_recipe(cooked.recipe, 'markdown')}")
    if cooked.swapped_recipe:
        print(f"With {_joined([f'{made.target} for {made.source}' for made in cooked.swaps])}:")
        print(f"\n{write_recipe(cooked.swapped_recipe, 'markdown')}\n{cooked.diff}")
    for which, why in (cooked.collapses or {}).items():
        name = "The recipe" if which == "recipe" else "The recipe after the swap"
        print(
            f"- {name} is the nearest of our own collection, for what was written is no use: {_joined(why)}.",
            file=sys.stderr,
        )
    for note in cooked.notes:
        print(f"- {note}", file=sys.stderr)
    return None


def _read_for(file: str, servings: int | None) -> "Recipe":
    """Read a recipe, for as many as were asked for; what to mind then is told on standard error."""
    from swapchef.recipes import read_recipe

    read = read_recipe(file)
    if servings is None:
        return read
    from swapchef.amounts.servings import for_servings

    read, notes = for_servings(read, servings)
    for note in notes:
        print(f"- {note}", file=sys.stderr)
    return read


@app.command()
def check(recipe: RecipeFile, diet: Diet = None, avoid: Avoid = None, as_json: Json = False) -> None:
    """List what in a recipe is against a diet, an allergy or a dislike, and what to use instead; exit code 1 if anything is."""
    from swapchef.recipes import read_recipe
    from swapchef.substituter import Substituter

    report = Substituter.load().check(read_recipe(recipe), _wishes(None, diet, avoid))
    if as_json:
        _print_json(report.as_json())
    elif report.is_fine:
        print(f"{report.recipe}: nothing against {_joined(report.limits)}.")
    else:
        rows = [
            (
                f"{problem.where} {problem.number}",
                problem.text,
                problem.rule if problem.status == "unsafe" else f"cannot tell: {problem.rule}",
                _line_words(problem.swap) if problem.swap else "",
            )
            for problem in report.problems
        ]
        _print_table(f"{report.recipe}, {_joined(report.limits)}", ["where", "it says", "but", "use instead"], rows)
    if not report.is_fine:
        raise typer.Exit(1)


def _joined(words: Sequence[str]) -> str:
    return ", ".join(words)


@app.command()
def recipe(
    file: RecipeFile,
    format: Annotated[
        str | None,
        typer.Option(
            help="Write the recipe in this format: jsonld, mealie, tandoor, cooklang, markdown, text, html or recipe1m."
        ),
    ] = None,
    servings: Servings = None,
    as_json: Json = False,
) -> None:
    """Show how swapchef understands a recipe, convert it to another format, or scale it."""
    from swapchef.foods.matching import Vocabulary
    from swapchef.recipes import write_recipe

    if format and as_json:
        raise SwapchefError("Choose one of --format and --json: a format is already what is printed.")
    read = _read_for(file, servings)
    if format:
        print(write_recipe(read, format), end="")
        return
    vocabulary = Vocabulary.load()
    understood = [(line, vocabulary.match_all(line)) for line in read.ingredients]
    if as_json:
        ingredients = [
            {**_line_json(line), "matches": [asdict(match) for match in found]} for line, found in understood
        ]
        _print_json({**asdict(read), "ingredients": ingredients})
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


def _line_json(line: "IngredientLine") -> dict[str, Any]:
    pack = {"amount": str(line.pack.amount), "unit": line.pack.unit} if line.pack else None
    return {**asdict(line), "amount": str(line.amount) if line.amount else None, "pack": pack}


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes a free one.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="How many processes answer.")] = 1,
    imports: Annotated[
        bool, typer.Option("--import/--no-import", help="Whether recipes may be read from web addresses.")
    ] = True,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST[:PORT]", help="Also import from this host of your own network. May be repeated."),
    ] = None,
    deny_host: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="Never import from this host, whatever else allows it. May be repeated."),
    ] = None,
    feedback: Annotated[
        str,
        typer.Option(
            metavar="URL", help="Keep which swaps cooks take: a SQLite file, or postgresql://user@host/database."
        ),
    ] = "",
    cors: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="Let pages of this origin call the API. May be repeated."),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name that browsers reach this server by. May be repeated."),
    ] = None,
    at_once: Annotated[
        int, typer.Option(min=1, max=1000, help="How many requests a worker takes on at once; more are told to wait.")
    ] = 16,
    timeout: Annotated[float, typer.Option(min=1, max=300, help="Seconds that a request may take.")] = 15.0,
    log: Annotated[bool, typer.Option("--log/--no-log", help="Whether to log requests, as JSON lines.")] = True,
) -> None:
    """Serve the web page and the HTTP API."""
    os.environ.setdefault(
        "OMP_NUM_THREADS", "1"
    )  # before NumPy loads: workers are there to share the cores, not threads
    with _web_extra():
        from swapchef.web.app import Settings
        from swapchef.web.fetching import Rules
        from swapchef.web.guards import Limits
        from swapchef.web.serving import names_of
        from swapchef.web.serving import serve as run

    settings = Settings(
        Limits(at_once, _HAND_OVER if workers > 1 else 0, timeout, hosts=names_of(host, tuple(name or ()))),
        Rules(tuple(allow_host or ()), tuple(deny_host or ())) if imports else None,
        feedback,
        tuple(cors or ()),
    )
    run(host, port, workers, settings, log)


@feedback_app.command("export")
def feedback_export(
    store: Annotated[
        str, typer.Argument(metavar="URL", help="Where `serve --feedback` keeps them: a SQLite file or a URL.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="Where to write the tuples.")],
    rejected: Annotated[
        bool, typer.Option("--rejected", help="Write the swaps that cooks turned down instead.")
    ] = False,
) -> None:
    """Write the swaps that cooks took as tuples in Recipe1MSubs' fields, one JSON object a line."""
    with _web_extra():
        from swapchef.web.feedback import Store, export

    done = export(Store(store), out, accepted=not rejected)
    left_out = f" ({done.mixtures:,} mixtures of several foods left out)" if done.mixtures else ""
    print(f"{done.written:,} tuples in {out}{left_out}", file=sys.stderr)


@contextmanager
def _web_extra() -> Iterator[None]:
    """Say which extra is missing, where one is."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "swapchef":
            raise
        raise SwapchefError(
            f"This needs {error.name}, which the core install leaves out; run `pip install 'swapchef[web]'`."
        ) from None


@app.command()
def benchmark(
    rankers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RANKER]...",
            help="random, mode, lt, freq, freq-as-published, lt+freq (all of these by default), metapath2vec-published, names or folders of rankers that were trained, or bundle, the one that swapchef ships.",
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
    wanted = [one for name in rankers or STATISTICS for one in _contestants(name, seeds, runs)]
    if save:
        check_results_file(save)  # before minutes are spent on what cannot be kept
    data = load_benchmark()
    results: list[Result] = []
    with _progress("Ranking", len(data.split(split)) * len(wanted), hidden=as_json) as advance:
        for ranker in wanted:
            results.append(ranker.measure(data, split, protocol, advance))
    if save:
        append_results(save, results, data.data)
    if plot:
        from swapchef.plots import plot_results

        plot_results(summarise(results), plot, split, protocol)
    _report(results, as_json)


def _check_names(split: str, protocol: str, plot: Path | None) -> None:
    """Refuse wrong words before any work is done."""
    from swapchef.benchmark import PROTOCOLS, SPLITS
    from swapchef.errors import UnknownNameError

    if split not in SPLITS:
        raise UnknownNameError("split", split, SPLITS)
    if protocol not in PROTOCOLS:
        raise UnknownNameError("protocol", protocol, PROTOCOLS)
    if plot and plot.suffix.lower() not in {".png", ".svg", ".pdf"}:
        raise SwapchefError(f"{plot.name} is no picture file; name one that ends in .png, .svg or .pdf.")


def _contestants(name: str, seeds: int, runs: Path) -> "list[Contestant]":
    from swapchef.rankers.table import Contestant, contestants

    if name == "bundle":
        from swapchef.substituter import Substituter

        return [Contestant(Substituter.load().ranker, trained=True)]
    return contestants(name, seeds, runs)


def _whole_table(
    split: str, protocol: str, seeds: int, runs: Path, plot: Path | None, save: Path | None, as_json: bool
) -> None:
    """Measure every ranker that can be measured and say of the others what they lack."""
    from swapchef.benchmark import load_benchmark
    from swapchef.rankers.table import measure_table, table_size, write_table

    data = load_benchmark()
    size = len(data.split(split)) * table_size(runs, seeds)
    with _progress("Ranking", size, hidden=as_json) as advance:
        rows = list(measure_table(data, split, protocol, runs, seeds, advance))
    if save:
        write_table(rows, save, split, protocol, data.data)
    told = [row.as_json() for row in rows]
    if plot:
        from swapchef.plots import plot_results

        plot_results([row for row in told if "mrr" in row], plot, split, protocol)
    if as_json:
        _print_json({"split": split, "protocol": protocol, "data": data.data, "rows": told})
        return
    columns = ["ranker", "MRR", "published", "Hit@1", "Hit@3", "Hit@10", "ID", "published", "OOD", "published"]
    title = f"Recipe1MSubs {split} ({len(data.split(split)):,} queries), protocol {protocol}, percent"
    _print_table(title, [*columns, "minutes", "parameters"], [_table_row(row) for row in told], numbers_from=1)
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


@app.command()
def train(
    ranker: Annotated[
        str,
        typer.Argument(
            help="Which ranker to train: food2vec, foodbert, r-foodbert, node2vec, metapath2vec, pinsage, gismo or fusion."
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
            help="Edges to unite with FlavorGraph's, as `graph build` writes them, in place of the default. May be repeated.",
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
    made = []
    for folder, again in runs:
        with _training_bar() as (step, epoch):
            made.append(train_run(kind, again, folder, search, step, epoch, more or (), graph or ()))
    if made[0]:
        _print_json(made[0] if seeds == 1 else _over_seeds(made))


def _over_seeds(made: list[dict[str, Any]]) -> dict[str, Any]:
    """Tell the mean and the standard deviation of the figures of several runs, and the runs themselves."""
    from statistics import mean, stdev

    names = [name for name in made[0] if name.startswith(("mrr", "hit@"))]
    figures = {name: [run[name] for run in made] for name in names}
    spread = {name: [round(mean(values), 2), round(stdev(values), 2)] for name, values in figures.items()}
    return {"mean and standard deviation": spread, "runs": made}


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


@app.command()
def mine(
    reviews: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="Reviews, or recipes with their reviews: JSONL, CSV or Parquet, or a folder of Parquet files or web pages.",
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
    from swapchef.engines import Where

    where = Where(engine, processes, master)
    try:
        from swapchef.mining.pipeline import mine as run_mill
    except ModuleNotFoundError:
        raise SwapchefError(
            "Mining needs a few more packages; install them with `pip install swapchef[mine]`."
        ) from None

    with _progress("Mining recipes", None, hidden=as_json) as advance:
        counts = run_mill(recipes, reviews, mode, out, where, recipe_splits(), vocabulary, advance)
    if as_json:
        _print_json(dict(counts.most_common()))
        return
    _print_table(
        f"{counts['tuples']:,} tuples in {out}", ["", "count"], [(k, f"{n:,}") for k, n in counts.most_common()], 1
    )


@graph_app.command("build")
def graph_build(
    recipes: Annotated[
        list[Path],
        typer.Option(metavar="FILE", help="Recipes as JSONL, JSON, CSV or Parquet, plain or gzipped; may be repeated."),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.csv", help="Where to write the edges, in FlavorGraph's format.")],
    min_count: Annotated[int, typer.Option(min=1, help="How many recipes must have both ingredients.")] = 5,
    min_npmi: Annotated[
        float, typer.Option(min=0, max=1, help="How much more often than chance, from 0 (chance) to 1 (always).")
    ] = 0.1,
    engine: Engine = "local",
    processes: Processes = 1,
    master: Master = "",
) -> None:
    """Connect ingredients that recipes put together more often than chance (NPMI)."""
    from swapchef import graph
    from swapchef.engines import Where
    from swapchef.mining.pairs import count_collection

    where, nodes = Where(engine, processes, master), graph.flavorgraph_nodes()
    with _progress("Reading recipes", None) as advance:
        together, counts = count_collection(recipes, where, advance)
    built = graph.counted_graph(nodes, together, counts["recipes"], min_count, min_npmi)
    graph.write_edges(built, out)
    skipped = counts["records"] - counts["recipes"]
    print(
        f"{len(built):,} edges from {counts['recipes']:,} recipes in {out} ({skipped:,} records without ingredients skipped)",
        file=sys.stderr,
    )


@graph_app.command("info")
def graph_info(
    edges: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE.csv]...", help="Edge files; where several have a pair, the first counts."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Describe a graph: nodes, edges by type, degrees, components, coverage of the benchmark's ingredients."""
    import numpy as np

    from swapchef import graph
    from swapchef.benchmark import load_benchmark

    files = edges or graph.flavorgraph_edge_files()
    data = load_benchmark()
    used = np.concatenate([ids for split in (data.train, data.val, data.test) for ids in (split.source, split.target)])
    summary = graph.summarise(graph.read_graph(graph.flavorgraph_nodes(), files), used)
    if as_json:
        _print_json(asdict(summary))
        return
    rows = [
        ("nodes", f"{summary.nodes:,} ({summary.ingredients:,} ingredients)"),
        *((f"edges {kind}", f"{count:,}") for kind, count in summary.edges.items()),
        ("degree", f"mean {summary.degree_mean:.1f}, median {summary.degree_median:.0f}, max {summary.degree_max:,}"),
        ("components", f"{summary.components:,} ({summary.isolated:,} single nodes)"),
        ("benchmark ingredients with an edge", f"{summary.connected_share:.1%}"),
    ]
    _print_table(" + ".join(file.name for file in files), ["", ""], rows)


@vocabulary_app.command("build")
def vocabulary_build(
    recipes: Annotated[
        list[Path],
        typer.Option(metavar="FILE", help="Recipes as JSONL, JSON, CSV or Parquet, plain or gzipped; may be repeated."),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.json", help="Where to write the vocabulary.")],
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Where to write what became of every name.")
    ] = None,
    min_count: Annotated[
        int, typer.Option(min=1, help="How many lines must have a name for it to stay; others go to the closest.")
    ] = 10,
    engine: Engine = "local",
    processes: Processes = 1,
    master: Master = "",
    as_json: Json = False,
) -> None:
    """Find the canonical ingredients of recipes: plurals, spellings and rare names are merged."""
    from swapchef.engines import Where
    from swapchef.mining.names import build_vocabulary, write_report

    with _progress("Reading recipes", None, hidden=as_json) as advance:
        built, read = build_vocabulary(recipes, min_count, Where(engine, processes, master), advance)
    built.vocabulary.save(out)
    if report:
        write_report(built, report)
    found = {"ingredients": len(built.vocabulary), "names": len(built.merges), **read, **built.fates()}
    if as_json:
        _print_json(found)
    else:
        rows = [(name, f"{count:,}") for name, count in found.items()]
        _print_table(f"{len(built.vocabulary):,} ingredients in {out}", ["", "count"], rows, 1)


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


@contextmanager
def _training_bar() -> "Iterator[tuple[Callable[[int, int], None], Callable[[Epoch], None]]]":
    """Show steps, time left and the latest val figure on standard error, if a person is looking; else a line an epoch."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    watched = sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), disable=not watched) as bar:
        task = bar.add_task("Training", total=None)

        def step(done: int, total: int) -> None:
            bar.update(task, advance=done, total=total)

        def epoch(report: "Epoch") -> None:
            bar.update(task, description=f"Training, val {report.val:.2f}")
            if not watched:
                words = f"epoch {report.epoch}: loss {report.loss:.4f}, val {report.val:.2f}, {report.seconds:.0f} s"
                print(words, file=sys.stderr, flush=True)

        yield step, epoch


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


tables_app = typer.Typer(no_args_is_help=True, help="Check the tables of foods, kinds, amounts, tastes and techniques.")
app.add_typer(tables_app, name="tables")


@tables_app.command("check")
def tables_check(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Your own tables; without it, swapchef's.")
    ] = None,
) -> None:
    """Say what is wrong with swapchef's tables, or with a folder of your own (see SWAPCHEF_TABLES)."""
    from swapchef.tables_check import check_tables

    report = check_tables(folder)
    print(report)
    if report.problems:
        raise typer.Exit(1)
