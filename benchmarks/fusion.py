"""Train our best ranker and append what it reaches to `results/fusion.csv`.

    python benchmarks/fusion.py             # seeds 0, 1 and 2 on val
    python benchmarks/fusion.py --test      # and on test, once the settings are final

Each seed trains in `runs/fusion/fusion-SEED`; an interrupted run resumes, and a finished one is not trained again.
"""

import argparse
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from swapchef.benchmark import Benchmark, append_results, evaluate, load_benchmark
from swapchef.rankers.fusion import Fusion
from swapchef.rankers.runs import materials, train_ranker

RUNS = Path(__file__).parents[1] / "runs" / "fusion"
RESULTS = Path(__file__).parent / "results" / "fusion.csv"


@cache
def knowledge(benchmark: Benchmark) -> dict[str, Any]:
    return materials(Fusion, benchmark)


def trained_run(benchmark: Benchmark, seed: int) -> Path:
    """Return the folder of a finished run, training it first if there is none."""
    folder = RUNS / f"fusion-{seed}"
    if not (folder / "metrics.json").exists():
        train_ranker(Fusion, {"seed": seed}, benchmark, knowledge(benchmark), folder, on_epoch=print)
    return folder


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--test", action="store_true")
    arguments = parser.parse_args()
    benchmark = load_benchmark()
    rows = []
    for seed in range(arguments.seeds):
        folder = trained_run(benchmark, seed)
        minutes = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))["minutes"]
        ranker = Fusion.load(folder)
        for split in ("val", "test") if arguments.test else ("val",):
            result = evaluate(ranker, benchmark, split, "paper", ranker="fusion", seed=seed)
            append_results(RESULTS, [replace(result, seconds=60 * minutes)], benchmark.data)
            rows.append(result.as_json())
            print(result.as_json(), flush=True)
    for split in {row["split"] for row in rows}:
        for figure in ("mrr", "hit@1", "hit@3", "hit@10", "mrr_id", "mrr_ood"):
            values = [row[figure] for row in rows if row["split"] == split]
            print(f"{split} {figure}: {np.mean(values):.2f} +- {np.std(values):.2f}")


if __name__ == "__main__":
    main()
