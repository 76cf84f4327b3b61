"""Commands that look after data: the groups data, graph, vocabulary and feedback."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from swapchef.cli.options import Engine, Json, Master, Processes
from swapchef.cli.printing import print_json, print_table, progress_bar
from swapchef.cli.serving import needs_web_extra

data_group = typer.Typer(
    no_args_is_help=True, help="Find, check and download the data sets that benchmarks and training use."
)
graph_group = typer.Typer(no_args_is_help=True, help="Describe FlavorGraph, or build a graph from recipes.")
vocabulary_group = typer.Typer(no_args_is_help=True, help="Make a vocabulary of ingredients from recipes.")
tables_group = typer.Typer(
    no_args_is_help=True, help="Check the tables of foods, kinds, amounts, tastes and techniques."
)
feedback_group = typer.Typer(no_args_is_help=True, help="Use what cooks chose on the web page.")


@graph_group.command("build")
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
    from swapchef.engines import EngineSettings
    from swapchef.mining.pairs import count_collection

    settings, nodes = EngineSettings(engine, processes, master), graph.flavorgraph_nodes()
    with progress_bar("Reading recipes", None) as advance:
        together, counts = count_collection(recipes, settings, advance)
    built = graph.counted_graph(nodes, together, counts["recipes"], min_count, min_npmi)
    graph.write_edges(built, out)
    skipped = counts["records"] - counts["recipes"]
    print(
        f"{len(built):,} edges from {counts['recipes']:,} recipes in {out} "
        f"({skipped:,} records without ingredients skipped)",
        file=sys.stderr,
    )


@graph_group.command("info")
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
        print_json(asdict(summary))
        return
    rows = [
        ("nodes", f"{summary.nodes:,} ({summary.ingredients:,} ingredients)"),
        *((f"edges {kind}", f"{count:,}") for kind, count in summary.edges.items()),
        ("degree", f"mean {summary.degree_mean:.1f}, median {summary.degree_median:.0f}, max {summary.degree_max:,}"),
        ("components", f"{summary.components:,} ({summary.isolated:,} single nodes)"),
        ("benchmark ingredients with an edge", f"{summary.connected_share:.1%}"),
    ]
    print_table(" + ".join(file.name for file in files), ["", ""], rows)


@vocabulary_group.command("build")
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
    from swapchef.engines import EngineSettings
    from swapchef.mining.names import build_vocabulary, write_report

    with progress_bar("Reading recipes", None, hidden=as_json) as advance:
        built, read_counts = build_vocabulary(recipes, min_count, EngineSettings(engine, processes, master), advance)
    built.vocabulary.save(out)
    if report:
        write_report(built, report)
    counts = {"ingredients": len(built.vocabulary), "names": len(built.merges), **read_counts, **built.fates()}
    if as_json:
        print_json(counts)
    else:
        rows = [(name, f"{count:,}") for name, count in counts.items()]
        print_table(f"{len(built.vocabulary):,} ingredients in {out}", ["", "count"], rows, 1)


@data_group.command("where")
def data_where() -> None:
    """Print the folder that data is read from and downloaded to."""
    from swapchef.sources import ENVIRONMENT_VARIABLE, data_folder

    print(data_folder())
    print(f"Set {ENVIRONMENT_VARIABLE} to use another folder.", file=sys.stderr)


@data_group.command("verify")
def data_verify(as_json: Json = False) -> None:
    """Check every data file against its known SHA-256."""
    from swapchef.sources import FILES, data_folder, status

    folder = data_folder()
    states = {file.path: status(file, folder) for file in FILES}
    if as_json:
        print_json({"folder": str(folder), "files": states})
    else:
        meaning = {
            "ok": "ok",
            "missing": "missing: run `swapchef data fetch`",
            "altered": "altered: delete it and run `swapchef data fetch`",
            "unpinned": "present; its publisher gives no hash to check",
        }
        print_table(f"Data in {folder}", ["file", "state"], [(path, meaning[state]) for path, state in states.items()])
    if "altered" in states.values() or any(states[file.path] == "missing" for file in FILES if file.sha256):
        raise typer.Exit(1)


@data_group.command("fetch")
def data_fetch(
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to put the files; by default where `data where` says.")
    ] = None,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for a silent server.")] = 30.0,
) -> None:
    """Download the official data files, resuming and verifying; what is already here is left alone."""
    from swapchef.sources import FILES, data_folder, fetch, status

    target = folder or data_folder()
    missing = [file for file in FILES if status(file, target) not in {"ok", "unpinned"}]
    with progress_bar("Downloading", sum(file.size or 0 for file in missing) or None) as advance:
        for file in missing:
            fetch(file, target, timeout=timeout, progress=advance)
    print(f"{len(missing)} files downloaded, {len(FILES) - len(missing)} already there, in {target}", file=sys.stderr)


@feedback_group.command("export")
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
    with needs_web_extra():
        from swapchef.web.feedback import Store, export

    exported = export(Store(store), out, accepted=not rejected)
    left_out = f" ({exported.mixtures:,} mixtures of several foods left out)" if exported.mixtures else ""
    print(f"{exported.written:,} tuples in {out}{left_out}", file=sys.stderr)


@tables_group.command("check")
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
