"""Whether the shipped model's probabilities mean what they say: `python benchmarks/calibration.py [--split val]`.

For each query of the split the probability of the best candidate is held against how often it is the reported target, in fifteen
bins of equal width; prints the expected calibration error and draws `results/calibration.png`.
"""

import argparse
from pathlib import Path

import numpy as np

from swapchef import Substituter
from swapchef.benchmark import ids_of, load_benchmark
from swapchef.plots import plot_reliability

RESULTS = Path(__file__).parent / "results"
BINS = 15


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--split", default="test", choices=("val", "test"))
    split = load_benchmark().split(parser.parse_args().split)
    ranker = Substituter.load().ranker
    chance, right = np.empty(len(split)), np.empty(len(split), bool)
    for row in np.argsort(split.source, kind="stable"):
        context = ids_of(split.context, int(row))
        query = ranker.evidence_.query(int(split.source[row]), context)
        scores = ranker.candidate_scores(int(split.source[row]), context, query).astype(np.float64)
        chance[row] = 1.0 / np.exp(scores - scores.max()).sum()
        right[row] = query.ids[scores.argmax()] == split.target[row]
    bins = np.minimum((chance * BINS).astype(int), BINS - 1)
    rows = [(chance[bins == b].mean(), right[bins == b].mean(), int((bins == b).sum())) for b in np.unique(bins)]
    error = sum(abs(said - was) * count for said, was, count in rows) / len(split)
    for said, was, count in rows:
        print(f"said {100 * said:5.1f}%  was {100 * was:5.1f}%  {count:>6} queries")
    print(f"expected calibration error on {split.name}: {error:.4f}")
    plot_reliability(rows, RESULTS / "calibration.png", f"Best suggestion, {split.name} split (ECE {error:.3f})")


if __name__ == "__main__":
    main()
