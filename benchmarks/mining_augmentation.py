"""Whether swaps mined from more reviews help a ranker: trained with and without them, measured on val.

    python benchmarks/mining_augmentation.py                    # LT+Freq, seconds
    python benchmarks/mining_augmentation.py --ranker fusion    # our ranker, minutes for each row

Three trainings: the benchmark's train split, the same with tuples of recipes whose ingredients are known, and with all
tuples. Nothing of a val or test recipe is learned from: not by its id, not by the Food.com id that titles_part gives
it, and not if four fifths of the ingredients are the same. That last check needs ingredients, so only the second row is
surely clean. Whether a pair is in or out of distribution is always decided by the benchmark's own train split. Appends
to `results/mining_augmentation.csv`.
"""

import argparse
import csv
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from swapchef.benchmark import Benchmark, Split, current_commit, evaluate, load_benchmark, read_split
from swapchef.mining.inputs import read_reviewed, read_rows
from swapchef.mining.pipeline import mine_batch
from swapchef.rankers import Ranker, ranker_class
from swapchef.rankers.runs import materials, train_ranker
from swapchef.sources import data_file

FILES = ("pages_with_comments", "foodcom_reviews", "tasteofhome_reviews")
RESULTS = Path(__file__).parent / "results" / "mining_augmentation.csv"
COLUMNS = (
    "ranker", "seed", "train", "mined", "split", "mrr", "ci95_low", "ci95_high", "hit@1", "hit@10", "mrr_id", "mrr_ood",
    "minutes", "commit", "data",
)  # fmt: skip
SAME_RECIPE = 0.8  # Jaccard similarity of ingredients


def mined_tuples() -> Iterator[dict[str, Any]]:
    """Mine all reviews at hand in better mode; a recipe that titles_part links goes by the benchmark's id."""
    counts: Counter[str] = Counter()
    linked = {
        str(row["foodcom_id"]): row["recipe1m_id"]
        for row in read_rows(data_file("recipe1msubs/titles_part.jsonl.gz"), counts)
        if row.get("foodcom_id")
    }
    for file in FILES:
        recipes = read_reviewed(None, data_file(f"reviews/{file}.jsonl.gz"), counts)
        with_benchmark_ids = [replace(recipe, id=linked.get(recipe.id, recipe.id)) for recipe in recipes]
        yield from mine_batch(with_benchmark_ids, "better")[0]


def whole_recipes(split: Split) -> sparse.csr_array:
    """Return the recipes of a split with their sources: [m, n]."""
    rows = np.arange(len(split))
    sources = sparse.coo_array((np.ones(len(split), np.float32), (rows, split.source)), shape=split.context.shape)
    return ((split.context + sources.tocsr()) > 0).astype(np.float32)


def is_like_held_out(mined: Split, benchmark: Benchmark) -> np.ndarray:
    """Say which tuples are of a recipe that has nearly the ingredients of one of val or test: [m]."""
    recipes = whole_recipes(mined)
    nearest = np.zeros(len(mined))
    for split in (benchmark.val, benchmark.test):
        held_out = whole_recipes(split)
        shared = (recipes @ held_out.T).toarray()  # [mined, held out]
        union = np.diff(recipes.indptr)[:, None] + np.diff(held_out.indptr)[None, :] - shared
        nearest = np.maximum(nearest, (shared / np.maximum(union, 1)).max(axis=1))
    return nearest >= SAME_RECIPE


def write_tuples(tuples: list[dict[str, Any]], path: Path) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in tuples), encoding="utf-8")
    return path


def training_sets(benchmark: Benchmark, folder: Path) -> Iterator[tuple[str, int, Benchmark]]:
    """Yield the benchmark, and with the tuples that may be added to its train split."""
    held_out = {*benchmark.val.recipe_id.tolist(), *benchmark.test.recipe_id.tolist()}
    tuples = [row for row in mined_tuples() if row["id"] not in held_out]
    mined = read_split(write_tuples(tuples, folder / "mined.jsonl"), "train", benchmark.vocabulary)
    leaks = is_like_held_out(mined, benchmark)
    clean = [row for row, leak in zip(tuples, leaks, strict=True) if not leak]
    with_ingredients = [row for row in clean if row["ingredients"]]
    print(f"{len(tuples)} tuples of no recipe in val or test; {int(leaks.sum())} of one very like them left out")
    yield "benchmark", 0, benchmark
    for name, added in (("with mined, ingredients known", with_ingredients), ("with all mined", clean)):
        yield name, len(added), benchmark.with_more([write_tuples(added, folder / f"{len(added)}.jsonl")])


def trained(kind: type[Ranker], seed: int, benchmark: Benchmark, folder: Path) -> Ranker:
    if not kind.needs_training:
        return kind().fit(benchmark.train, benchmark.val)
    train_ranker(kind, {"seed": seed}, benchmark, materials(kind, benchmark), folder, on_epoch=print)
    return kind.load(folder)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranker", default="lt+freq")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    kind, benchmark = ranker_class(arguments.ranker), load_benchmark()
    with tempfile.TemporaryDirectory() as name:
        for train, added, data in training_sets(benchmark, Path(name)):
            start = time.perf_counter()
            ranker = trained(kind, arguments.seed, data, Path(name) / f"run-{added}")
            result = evaluate(ranker, benchmark, "val", "paper", ranker=kind.name, seed=arguments.seed)
            low, high = result.as_json()["ci95_mrr"]
            row = {
                **result.as_json(),
                "train": train,
                "mined": added,
                "ci95_low": low,
                "ci95_high": high,
                "minutes": round((time.perf_counter() - start) / 60, 2),
                "commit": current_commit(),
                "data": benchmark.data,
            }
            with RESULTS.open("a", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
                if file.tell() == 0:
                    writer.writeheader()
                writer.writerow(row)
            print({column: row[column] for column in COLUMNS}, flush=True)


if __name__ == "__main__":
    main()
