"""Train every row of the paper's table that needs training, and write the whole table.

    python benchmarks/baselines.py                # train what has no finished run in runs/NAME, one after another
    python benchmarks/baselines.py node2vec ...   # only these
    python benchmarks/baselines.py --seeds 3      # seeds 0, 1 and 2, in runs/NAME/NAME-SEED
    python benchmarks/baselines.py --table        # train nothing; write results/table.csv and table.png on test
    python benchmarks/baselines.py --ship         # write the figures that `swapchef rankers` shows

An interrupted run resumes, and a finished one is not trained again. R-FoodBERT starts from FoodBERT's network, so
FoodBERT comes first. GISMo and our ranker have scripts of their own, whose runs the table reads as well. Only --table
reads the test split.
"""

import argparse
import csv
import sys
from pathlib import Path
from statistics import mean
from typing import Any

from swapchef.benchmark import Benchmark, load_benchmark
from swapchef.cli.app import app
from swapchef.errors import SwapchefError
from swapchef.rankers import ranker_class
from swapchef.rankers.runs import materials, train_ranker
from swapchef.rankers.table import finished_runs
from swapchef.sources import atomic_path

ROOT = Path(__file__).parents[1]
RUNS = ROOT / "runs"
TABLE = Path(__file__).parent / "results" / "table"
SHIPPED = ROOT / "src" / "swapchef" / "rankers" / "figures.csv"
NAMES = ("food2vec", "node2vec", "metapath2vec", "pinsage", "foodbert", "r-foodbert")


def settings_of(name: str, seed: int) -> dict[str, Any]:
    if name != "r-foodbert":
        return {"seed": seed}
    (foodbert, *_) = finished_runs(RUNS, "foodbert") or [None]
    if foodbert is None:
        raise SystemExit("R-FoodBERT starts from FoodBERT, which has no finished run; train foodbert first.")
    return {"seed": seed, "start": str((foodbert / "encoder").relative_to(ROOT))}


def train_row(name: str, seed: int, seeds: int, benchmark: Benchmark) -> None:
    folder = RUNS / name if seeds == 1 else RUNS / name / f"{name}-{seed}"
    if folder in finished_runs(RUNS, name):
        print(f"{name}, seed {seed}: finished before, in {folder}", flush=True)
        return
    kind = ranker_class(name)
    print(f"{name}, seed {seed}: into {folder}", flush=True)
    metrics = train_ranker(kind, settings_of(name, seed), benchmark, materials(kind, benchmark), folder, on_epoch=print)
    print(metrics, flush=True)


def ship_figures() -> None:
    """Write what `swapchef rankers` says of each: from the table, and of GISMo and ours from their own scripts."""
    rows = {row["ranker"]: row for row in read_csv(TABLE.with_suffix(".csv"))}
    for name in ("gismo", "fusion"):
        runs = [
            row for row in read_csv(TABLE.with_name(f"{name}.csv")) if (row["ranker"], row["split"]) == (name, "test")
        ]
        means = {figure: round(mean(float(row[figure]) for row in runs), 2) for figure in ("mrr", "hit@1", "hit@10")}
        rows[name] = {"ranker": name, "seeds": str(len(runs)), **means}
    with atomic_path(SHIPPED) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        columns = ("ranker", "seeds", "mrr", "hit@1", "hit@10")
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows.values())


def read_csv(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--ship", action="store_true")
    arguments = parser.parse_args()
    if arguments.table:
        options = ["--all", "--split", "test", "--protocol", "paper", "--seeds", "5", "--runs", str(RUNS)]
        files = ["--save", str(TABLE.with_suffix(".csv")), "--plot", str(TABLE.with_suffix(".png"))]
        app(["benchmark", *options, *files], standalone_mode=False)
    if arguments.table or arguments.ship:
        ship_figures()
        return
    benchmark = load_benchmark()
    for name in arguments.names or NAMES:
        for seed in range(arguments.seeds):
            train_row(name, seed, arguments.seeds, benchmark)


if __name__ == "__main__":
    try:
        main()
    except SwapchefError as error:
        sys.exit(str(error))
