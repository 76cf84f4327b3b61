"""Whether the shipped model's probabilities are calibrated: `python benchmarks/calibration.py [--split val]`.

Compares the probability of each query's best candidate with how often it is the reported target, in fifteen bins of
equal width; prints the expected calibration error (Guo et al., 2017) and draws `results/calibration.png`.
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
    probability, correct = np.empty(len(split)), np.empty(len(split), bool)
    for row in np.argsort(split.source, kind="stable"):
        context = ids_of(split.context, int(row))
        query = ranker.evidence_.query(int(split.source[row]), context)
        scores = ranker.candidate_scores(int(split.source[row]), context, query).astype(np.float64)
        probability[row] = 1.0 / np.exp(scores - scores.max()).sum()
        correct[row] = query.ids[scores.argmax()] == split.target[row]
    bins = np.minimum((probability * BINS).astype(int), BINS - 1)
    rows = []
    for number in np.unique(bins):
        in_bin = bins == number
        rows.append((probability[in_bin].mean(), correct[in_bin].mean(), int(in_bin.sum())))
    error = sum(abs(predicted - share) * count for predicted, share, count in rows) / len(split)
    for predicted, share, count in rows:
        print(f"said {100 * predicted:5.1f}%  was {100 * share:5.1f}%  {count:>6} queries")
    print(f"expected calibration error on {split.name}: {error:.4f}")
    plot_reliability(rows, RESULTS / "calibration.png", f"Best suggestion, {split.name} split (ECE {error:.3f})")


if __name__ == "__main__":
    main()
