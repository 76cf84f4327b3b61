"""Whether suggestions keep to every diet and allergen, and whether enough remain: `python benchmarks/diet_queries.py`.

For each facet and each of 10,000 test queries: the five best suggestions under it. Everything that is shown is judged
again (names and other names, parts of mixtures, the amounts' notes), and a query counts as served with three
suggestions or more. Queries are counted only where one of the 20 best suggestions without a diet is safe. Takes about a
quarter of an hour on two cores.
"""

import argparse
import csv
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np

from latency import as_recipe
from swapchef import Substituter, Suggestions, SwapchefError, Wishes
from swapchef.benchmark import Split, current_commit, load_benchmark
from swapchef.limits.diets import FACETS, verdict

RESULTS = Path(__file__).parent / "results" / "diet_queries.csv"
QUERIES, SEED, TOP, ENOUGH, FREE = 10_000, 0, 5, 3, 20


@cache
def substituter() -> Substituter:
    return Substituter.load()


@cache
def test_split() -> Split:
    return load_benchmark().test


def shown(answer: Suggestions) -> list[str]:
    """Return every text of an answer that names something to eat."""
    texts = [name for each in answer.suggestions for name in (each.name, *each.also)]
    mixtures = [*answer.mixtures, *(each.mixture for each in answer.suggestions if each.mixture)]
    texts += [part for mixture in mixtures for part in mixture.name.split(" + ")]
    texts += [mixture.note for mixture in mixtures]
    texts += [text for each in answer.suggestions if each.amount for text in (each.amount.note, each.amount.method)]
    return [text for text in texts if text]


def ask(row: int) -> tuple[Counter[str], list[str]]:
    """Count for one query, by facet: whether it could be served, was served, and showed anything unsafe."""
    source, recipe = as_recipe(test_split(), row, list(substituter().vocabulary.names))
    counts: Counter[str] = Counter()
    unsafe = []
    try:
        free = substituter().suggest(source, recipe, top=FREE)
    except SwapchefError:  # a name of the benchmark that its own reader takes for another food
        return Counter(unanswered=1), []
    for facet in FACETS:
        answer = substituter().suggest(source, recipe, top=TOP, wishes=Wishes(diet=[facet]))
        counts[f"{facet} suggestions"] += len(answer.suggestions)
        wrong = [text for text in shown(answer) if verdict(text, facet).status == "unsafe"]
        unsafe += [f"{facet}: {text}" for text in wrong]
        if any(each.verdicts[facet] == "safe" for each in free.suggestions):
            counts[f"{facet} possible"] += 1
            counts[f"{facet} served"] += len(answer.suggestions) >= ENOUGH
    return counts, unsafe


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--queries", type=int, default=QUERIES)
    queries = parser.parse_args().queries
    rows = np.random.default_rng(SEED).choice(len(test_split()), queries, replace=False).tolist()
    total: Counter[str] = Counter()
    unsafe: list[str] = []
    with ProcessPoolExecutor(2) as pool:
        for counts, wrong in pool.map(ask, rows, chunksize=50):
            total += counts
            unsafe += wrong
    print(f"{queries:,} queries, {total['unanswered']} not answered, {len(unsafe)} unsafe texts {unsafe[:5]}")
    commit = current_commit()
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["facet", "queries", "possible", "at_least_3_percent", "unsafe", "seed", "commit"])
        for facet in FACETS:
            possible = total[f"{facet} possible"]
            served = 100 * total[f"{facet} served"] / max(possible, 1)
            wrong = sum(text.startswith(f"{facet}:") for text in unsafe)
            writer.writerow([facet, queries, possible, round(served, 2), wrong, SEED, commit])
            print(f"{facet:<13}{possible:>7} queries with a safe suggestion, {served:6.2f}% with {ENOUGH} or more")


if __name__ == "__main__":
    main()
