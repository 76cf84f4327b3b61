"""Fit the fixed weights by which `rankers/evidence.py` picks candidates: `python benchmarks/evidence_weights.py`.

A softmax regression over all ingredients on 1,500 examples of the train split, each left out of its own counts. Prints
the weights, which are then written into `FEATURES` by hand, and the share of val's targets among the candidates before
and after.
"""

import numpy as np
import torch

from swapchef.benchmark import Benchmark, Split, ids_of, load_benchmark
from swapchef.rankers.evidence import FEATURES, Evidence, Reports
from swapchef.rankers.fusion import Fusion
from swapchef.rankers.fusion_training import reported
from swapchef.rankers.runs import materials

EXAMPLES, SEED = 1500, 0
# The features that are computed for every ingredient.
FOR_ALL = [name for name in FEATURES if not name.startswith("twin")]


def rows_of(evidence: Evidence, split: Split, row: int, left_out: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the features of all ingredients [n, features], and the ids of the recipe with its source."""
    context = ids_of(split.context, int(row))
    rows = evidence.rows(int(split.source[row]), context, left_out)
    return np.stack([rows[name] for name in FOR_ALL], axis=1), np.append(context, split.source[row])


def fit(evidence: Evidence, benchmark: Benchmark) -> dict[str, float]:
    train, targets = benchmark.train, reported(benchmark.train)
    chosen = np.random.default_rng(SEED).choice(len(train), EXAMPLES, replace=False)
    features = torch.empty(EXAMPLES, evidence.n, len(FOR_ALL), dtype=torch.float16)
    excluded = torch.zeros(EXAMPLES, evidence.n, dtype=torch.bool)
    for position, row in enumerate(chosen):
        left_out = targets[str(train.recipe_id[row]), int(train.source[row])]
        values, in_recipe = rows_of(evidence, train, row, left_out)
        features[position] = torch.from_numpy(values).half()
        excluded[position, torch.from_numpy(in_recipe.astype(np.int64))] = True
    target = torch.from_numpy(train.target[chosen].astype(np.int64))
    weights = torch.tensor([FEATURES[name] for name in FOR_ALL], requires_grad=True)
    optimizer = torch.optim.Adam([weights], 0.03)
    for _ in range(12):
        for batch in torch.randperm(EXAMPLES, generator=torch.Generator().manual_seed(SEED)).split(125):
            scores = (features[batch].float() @ weights).masked_fill(excluded[batch], -1e9)
            loss = torch.nn.functional.cross_entropy(scores, target[batch]) + 1e-3 * weights.square().sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"loss {loss.item():.3f}", flush=True)
    return {name: round(float(weight), 2) for name, weight in zip(FOR_ALL, weights.detach(), strict=True)}


def recall(evidence: Evidence, val: Split, weights: dict[str, float], k: int = 256) -> float:
    vector = np.array([weights[name] for name in FOR_ALL], np.float32)
    is_candidate = []
    for row in range(0, len(val), 5):
        values, in_recipe = rows_of(evidence, val, row, [])
        scores = values @ vector
        scores[in_recipe] = -np.inf
        is_candidate.append((scores > scores[val.target[row]]).sum() < k)
    return float(np.mean(is_candidate))


def main() -> None:
    benchmark = load_benchmark()
    knowledge = materials(Fusion, benchmark)["knowledge"]
    evidence = Evidence(knowledge, Reports.of(benchmark.train, knowledge))
    print("recall now", recall(evidence, benchmark.val, FEATURES))
    weights = fit(evidence, benchmark)
    print(weights)
    print("recall fitted", recall(evidence, benchmark.val, weights))


if __name__ == "__main__":
    main()
