"""How near a vocabulary built from raw ingredient lines comes to the published one of 6,653 names.

    python benchmarks/vocabulary_building.py    # prints, and writes results/vocabulary_building.csv

The published names come from a million recipes; the collection at hand has 73,071. A published name is found if it is a
canonical name of ours up to plural and spelling, and known if it is any name of ours. Weighted by how often the
benchmark's swaps name it, because many of the published names are in no recipe at hand.
"""

import csv
from collections import Counter
from pathlib import Path

import numpy as np

from swapchef.benchmark import load_benchmark
from swapchef.engines import LOCAL_ENGINE
from swapchef.foods.matching import stems_of
from swapchef.mining.counting import counted_rows
from swapchef.mining.names import merge_names, names_batch
from swapchef.sources import data_file

RESULTS = Path(__file__).parent / "results" / "vocabulary_building.csv"
COLUMNS = ("min_count", "names", "lines_covered", "published_found", "published_known", "published", "found_weighted")


def main() -> None:
    benchmark = load_benchmark()
    published = {stems_of(name) for name in benchmark.vocabulary.names}
    splits = (benchmark.train, benchmark.val, benchmark.test)
    used = np.bincount(np.concatenate([ids for split in splits for ids in (split.source, split.target)]))
    uses: Counter[tuple[str, ...]] = Counter()
    for id, count in enumerate(used):
        uses[stems_of(benchmark.vocabulary.names[id])] += int(count)
    names: Counter[str] = Counter()
    for rows in counted_rows(
        [data_file("recipes/recipes.jsonl.gz")], names_batch, {"name": str}, LOCAL_ENGINE, Counter()
    ):
        names.update({row["name"]: row["count"] for row in rows})
    results = []
    for min_count in (2, 3, 4, 5, 10):
        built = merge_names(names, min_count)
        ours = {stems_of(name) for name in built.vocabulary.names}
        known = {stems_of(merge.name) for merge in built.merges if merge.into}
        weighted = sum(count for stems, count in uses.items() if stems in ours) / uses.total()
        row = (
            min_count,
            len(built.vocabulary),
            round(built.covered(), 4),
            len(published & ours),
            len(published & known),
            len(published),
            round(weighted, 4),
        )
        results.append(row)
        print(dict(zip(COLUMNS, row, strict=True)), built.fates())
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *results])


if __name__ == "__main__":
    main()
