"""GISMo's plain training step, as it is published and as `rankers/gismo.py` has it, against ours in one run.

    python benchmarks/speed_gismo.py

The published step concatenates [h_s; h_v; c] for each of batch x (1 + 400) pairs before the first decoder layer; ours
splits that layer, so that hidden layers stay in the cache and no pair is written to memory. Without dropout the two are
the same mathematics (a test shows them equal to 1e-5), in float32 or, as we train, in bfloat16; with dropout ours drops
units for groups of examples. The last row is our default (shared corrected negatives). Each is compared with the
published step of the same dropout.

Then one query against all ingredients: in float32 with NumPy alone, as a run folder is served, and in bfloat16 with
torch, as training ranks val. The published code encodes the graph for every batch of queries, which a single query pays
in full and one of fifty hardly; so it is timed with the graph's encoding and without. Times are of a few steps, scaled
to an epoch; compare them as ratios. Peak memory is each variant's own, in a process of its own.
"""

import json
import resource
import subprocess
import sys
import time

import numpy as np
import torch

from swapchef.benchmark import Benchmark, load_benchmark
from swapchef.graph import flavorgraph_edge_files, flavorgraph_nodes, read_graph
from swapchef.rankers import gismo, gismo_training
from swapchef.rankers.contexts import mean_rows
from swapchef.rankers.gismo import GISMo
from swapchef.rankers.gismo_fast import QuickDecoder, SplitLayer, contrastive_loss
from swapchef.rankers.gismo_ranker import GISMoRanker
from swapchef.rankers.sparse_product import SparseMatrix

BATCH, NEGATIVES, STEPS, DROPOUT = 500, 400, 3, 0.25
# Which step, with which dropout, and which row it is compared with.
VARIANTS: dict[str, tuple[float, str]] = {
    "published, no dropout": (0.0, ""),
    "published": (DROPOUT, ""),
    "ours float32, no dropout": (0.0, "published, no dropout"),
    "ours bfloat16, no dropout": (0.0, "published, no dropout"),
    "ours float32": (DROPOUT, "published"),
    "ours bfloat16": (DROPOUT, "published"),
    "ours default": (DROPOUT, "published"),
}


def measure(variant: str) -> dict[str, float]:
    benchmark = load_benchmark()
    graph = SparseMatrix(read_graph(flavorgraph_nodes(), flavorgraph_edge_files()).normalised("mean"))
    n, train = len(benchmark.vocabulary), benchmark.train
    torch.manual_seed(0)
    dropout, _ = VARIANTS[variant]
    config = GISMoRanker(batch=BATCH, dropout=dropout).settings
    network = GISMo(config, graph, n)
    optimizer = torch.optim.Adam(network.parameters(), 1e-4)
    random, means = np.random.default_rng(0), mean_rows(train.context)
    task = gismo_training.GISMoTask(config, network, train, benchmark.val)
    network.train()
    times = []
    for step in range(STEPS + 1):
        start = time.perf_counter()
        rows = np.sort(random.choice(len(train), BATCH, replace=False))
        sources, contexts = torch.from_numpy(train.source[rows].astype(np.int64)), SparseMatrix(means[rows])
        drawn = random.integers(n, size=(BATCH, NEGATIVES))
        ids = torch.from_numpy(np.concatenate([train.target[rows][:, None], drawn], axis=1))
        first = torch.zeros(BATCH, dtype=torch.int64)
        if variant.startswith("published"):
            loss = gismo.contrastive_loss(network(sources, ids, contexts), first)
        elif variant == "ours default":
            loss = task(rows, rows, (0, 0, step))
        else:
            h, split = network.ingredient_encoder(), SplitLayer(network.decoder)
            queries = split.queries(h[sources], network.context_encoder(h, contexts))
            inputs = (queries, split.candidates(h[:n]), first, torch.zeros(()), torch.Generator(), ids)
            dtype = torch.float32 if "float32" in variant else torch.bfloat16
            loss = contrastive_loss(network.decoder, *inputs, dtype)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        times.append(time.perf_counter() - start)
    seconds = float(np.median(times[1:]))
    return {
        "step_seconds": seconds,
        "epoch_minutes": seconds * len(train) / BATCH / 60,
        "query_ms": query_time(network, benchmark, variant),
        "decoding_ms": query_time(network, benchmark, variant, with_encoder=False),
        "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2,
    }


@torch.inference_mode()
def query_time(network: GISMo, benchmark: Benchmark, variant: str, with_encoder: bool = True) -> float:
    """Time one query against all ingredients: published, with NumPy in float32, or with torch in bfloat16.

    Ours encodes the graph once and for all, and never for a query.
    """
    test, n = benchmark.test, network.n_ingredients
    network.eval()
    ranker = GISMoRanker()
    ranker.restore(gismo_training.exported(network))
    encoded, split = network.ingredient_encoder(), SplitLayer(network.decoder)
    decoder, ingredients = QuickDecoder(network, encoded), torch.arange(n)[None]
    times = []
    for row in range(60):
        start = time.perf_counter()
        source, context = test.source[row : row + 1], test.context[row : row + 1]
        if "float32" in variant:
            ranker.score(source, context)
            times.append(time.perf_counter() - start)
            continue
        sources, contexts = torch.from_numpy(source.astype(np.int64)), SparseMatrix(mean_rows(context))
        h = network.ingredient_encoder() if with_encoder and variant.startswith("published") else encoded
        read = network.context_encoder(h, contexts)
        if variant.startswith("published"):
            network.decoder(h[sources], h[ingredients], read)
        else:
            decoder.scores(split.queries(h[sources], read)[0])
        times.append(time.perf_counter() - start)
    return 1000 * float(np.median(times[3:]))


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(measure(sys.argv[1])))
        return
    results = {}
    for variant in VARIANTS:
        process = subprocess.run([sys.executable, __file__, variant], capture_output=True, text=True, check=True)
        results[variant] = json.loads(process.stdout.splitlines()[-1])
    print(
        f"{'':<26}{'s/step':>8}{'min/epoch':>11}{'faster':>8}{'ms/query':>10}{'faster':>8}"
        f"{'ms/decoding':>13}{'faster':>8}{'peak GB':>9}"
    )
    for variant, row in results.items():
        baseline = results[VARIANTS[variant][1] or variant]
        step, query, decoding = (baseline[key] / row[key] for key in ("step_seconds", "query_ms", "decoding_ms"))
        print(
            f"{variant:<26}{row['step_seconds']:>8.2f}{row['epoch_minutes']:>11.1f}{step:>7.1f}x"
            f"{row['query_ms']:>10.1f}{query:>7.1f}x{row['decoding_ms']:>13.1f}{decoding:>7.1f}x{row['peak_gb']:>9.1f}"
        )


if __name__ == "__main__":
    main()
