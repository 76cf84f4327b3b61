"""How many of the swaps that cooks reported get an amount we know, and what an answer costs.

    python benchmarks/ratio_coverage.py [--guesses 40]    # also list the most frequent swaps that stay a guess

Every substitution of the train split counts once, so frequent pairs weigh more. Many that stay a guess are not swaps
of foods at all but slips of the mining ("butter" for "stick", "garlic" for "clove").
"""

import argparse
import time
from collections import Counter
from fractions import Fraction

from swapchef.amounts.ratios import Ratio, find_ratio, how_much
from swapchef.benchmark import load_benchmark
from swapchef.recipes import Amount


def how_known(row: Ratio | None) -> str:
    if row is None:
        return "guess: the same amount"
    if not row.source:
        return "same food, another name"
    kinds = [name for name in (row.source, row.target) if name.startswith("any ")]
    return "ratio for kinds of food" if kinds else "ratio for these foods"


def microseconds(pairs: list[tuple[str, str]]) -> float:
    amount = Amount(Fraction(3, 2))
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        for source, target in pairs:
            how_much(source, target, amount, "cup")
        best = min(best, time.perf_counter() - start)
    return 1e6 * best / len(pairs)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--guesses", type=int, default=0, help="how many of the most frequent guesses to list")
    arguments = parser.parse_args()
    benchmark = load_benchmark()
    names, train = benchmark.vocabulary.names, benchmark.train
    swaps = Counter((names[s], names[t]) for s, t in zip(train.source.tolist(), train.target.tolist(), strict=True))
    origin = {pair: how_known(find_ratio(*pair)) for pair in swaps}
    total = sum(swaps.values())
    print(f"{total:,} substitutions of the train split, {len(swaps):,} pairs")
    for how in sorted(set(origin.values())):
        pairs = [pair for pair in swaps if origin[pair] == how]
        share = sum(swaps[pair] for pair in pairs) / total
        print(f"  {how:<26}{100 * share:5.1f}% of substitutions  {100 * len(pairs) / len(swaps):5.1f}% of pairs")
    frequent = [pair for pair, _ in swaps.most_common(300)]
    covered = sum(not origin[pair].startswith("guess") for pair in frequent)
    print(f"  {covered} of the 300 most frequent pairs are known; {microseconds(frequent):.0f} µs an answer")
    guesses = [(pair, count) for pair, count in swaps.most_common() if origin[pair].startswith("guess")]
    for (source, target), count in guesses[: arguments.guesses]:
        print(f"  {count:4} {source} -> {target}")


if __name__ == "__main__":
    main()
