"""Train GISMo and its ablations, and append what they reach to `results/gismo.csv`.

    python benchmarks/gismo.py main              # the paper's main row, seeds 0, 1 and 2, on val and test
    python benchmarks/gismo.py paper             # the published schedule, which takes a day or more; on val
    python benchmarks/gismo.py modules           # ISD, IE+ISD, CE+ISD, IE+CE+ISD on val
    python benchmarks/gismo.py features          # random, metapath2vec, node2vec, Food2Vec, FoodBERT, text; on val
    python benchmarks/gismo.py titles            # the context ablation on the recipes whose title is known, on val
    python benchmarks/gismo.py direction         # source and target exchanged with probability 0.5, on val
    python benchmarks/gismo.py graph             # what each part of the graph adds, on val
    python benchmarks/gismo.py main --seeds 1    # fewer seeds
    python benchmarks/gismo.py paper             # the published schedule, which takes a day or more; on val
    python benchmarks/gismo.py modules --epochs 8   # a shorter schedule for every row, named in the results

Each row trains in `runs/gismo/NAME-SEED`; an interrupted run resumes, and a row that the results have is not trained
again. Test is read once, for the main row.
"""

import argparse
import csv
import json
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from swapchef import graph as graphs
from swapchef.benchmark import Benchmark, Result, append_results, evaluate, load_benchmark
from swapchef.rankers.contexts import recipes_of
from swapchef.rankers.embeddings import features_of, published_vectors
from swapchef.rankers.gismo_ranker import GISMoRanker
from swapchef.rankers.runs import train_ranker
from swapchef.rankers.table import contestants
from swapchef.recipes.records import read_records
from swapchef.sources import data_file
from swapchef.text_encoder import encode_texts

ROOT = Path(__file__).parents[1]
RUNS = ROOT / "runs" / "gismo"
PUBLISHED = ROOT / "configs" / "gismo_paper.json"
RESULTS = Path(__file__).parent / "results" / "gismo.csv"

Row = tuple[dict[str, Any], str, str]  # settings, which graph, which features
Rows = dict[str, Row]
TABLES: dict[str, Rows] = {
    "main": {"gismo": ({}, "all", "random")},
    "paper": {"gismo published schedule": (json.loads(PUBLISHED.read_text()), "flavorgraph", "random")},
    "modules": {
        "gismo ISD": ({"layers": 0, "context": "none"}, "all", "random"),
        "gismo IE+ISD": ({"context": "none"}, "all", "random"),
        "gismo CE+ISD": ({"layers": 0}, "all", "random"),
        "gismo": ({}, "all", "random"),
    },
    "features": {
        "gismo": ({}, "all", "random"),
        "gismo metapath2vec": ({}, "all", "metapath2vec"),
        "gismo node2vec": ({}, "all", "node2vec"),
        "gismo text": ({}, "all", "text"),
        "gismo text fine-tuned": ({"fine_tune": True, "pull": 1e-4}, "all", "text"),
        "gismo food2vec": ({}, "all", "food2vec"),
        "gismo foodbert": ({}, "all", "foodbert"),
        "gismo foodbert fine-tuned": ({"fine_tune": True, "pull": 1e-4}, "all", "foodbert"),
    },
    "titles": {  # on the recipes that have a title
        f"gismo titled {name}": ({"layers": layers, "context": context, "batch": 128}, "all", "random")
        for name, layers, context in (
            ("ISD", 0, "none"),
            ("IE+ISD", 2, "none"),
            ("CE_I+ISD", 0, "set"),
            ("CE_t+ISD", 0, "title"),
            ("CE_I,t+ISD", 0, "both"),
            ("IE+CE_I+ISD", 2, "set"),
            ("IE+CE_t+ISD", 2, "title"),
            ("IE+CE_I,t+ISD", 2, "both"),
        )
    },
    "direction": {"gismo": ({}, "all", "random"), "gismo swapped": ({"swap_probability": 0.5}, "all", "random")},
    "graph": {
        "gismo": ({}, "all", "random"),
        "gismo official part": ({}, "official", "random"),
        "gismo FlavorGraph": ({}, "flavorgraph", "random"),
        "gismo co-occurrence": ({}, "cooccurrence", "random"),
        "gismo co-occurrence in train": ({}, "cooccurrence in train", "random"),
        "gismo sum": ({"aggregation": "sum"}, "all", "random"),
    },
}


def build_graph(name: str, benchmark: Benchmark) -> graphs.Graph:
    nodes, recipes = graphs.flavorgraph_nodes(), recipes_of(benchmark.train)
    if name == "official":
        return graphs.read_graph(nodes, graphs.flavorgraph_edge_files()[:1])
    if name == "flavorgraph":
        return graphs.read_graph(nodes, graphs.flavorgraph_edge_files())
    if name == "cooccurrence":
        return graphs.cooccurrence(nodes, graphs.with_collected(recipes, benchmark.vocabulary))
    if name == "cooccurrence in train":
        return graphs.cooccurrence(nodes, recipes)
    return graphs.training_graph(recipes, benchmark.vocabulary)


def read_features(name: str, nodes: graphs.Nodes) -> np.ndarray | None:
    """Return a vector for each node, published or of a ranker that was trained before; nodes without one get zeros."""
    if name == "random":
        return None
    if name == "text":
        return encode_texts([node.replace("_", " ") for node in nodes.name])
    if name == "metapath2vec":
        return published_vectors(nodes)
    (trained, *_) = contestants(name, 1, ROOT / "runs")  # which says how to train it where there is none
    return features_of(trained.ranker, len(nodes))


def read_titles() -> dict[str, str]:
    """Return the titles that are known, by recipe id."""
    return {row["recipe1m_id"]: row["title"] for row in read_records(data_file("recipe1msubs/titles_part.jsonl.gz"))}


def run_row(name: str, row: Row, seed: int, epochs: int | None, benchmark: Benchmark, on_test: bool) -> None:
    settings, graph_name, features = row
    if epochs:
        name, settings = f"{name} ({epochs} epochs)", {**settings, "epochs": epochs}
    splits = [split for split in (("val", "test") if on_test else ("val",)) if not is_measured(name, split, seed)]
    if not splits:
        return
    folder = trained_run(benchmark, seed, name, (settings, graph_name, features))
    for split in splits:
        metrics = json.loads((folder / "metrics.json").read_text())
        if split == "val":  # measured when the training ended
            result = Result(**{field.name: metrics[field.name.replace("hit_", "hit@")] for field in fields(Result)})
        else:
            result = evaluate(GISMoRanker.load(folder), benchmark, split, "paper", seed=seed)
        result = replace(result, ranker=name, seconds=60 * metrics["minutes"])
        append_results(RESULTS, [result], benchmark.data)
        print(result.as_json(), flush=True)


def trained_run(benchmark: Benchmark, seed: int, name: str = "gismo", row: Row = ({}, "all", "random")) -> Path:
    """Return the run folder of a row, by default the main one; it is trained unless that is done."""
    settings, graph_name, features = row
    folder = RUNS / f"{re.sub('[^a-z0-9+,_]+', '-', name.lower()).strip('-')}-{seed}"
    if not (folder / "metrics.json").exists():
        graph = build_graph(graph_name, benchmark)
        inputs: dict[str, Any] = {"graph": graph}
        if (vectors := read_features(features, graph.nodes)) is not None:
            inputs["features"] = vectors
        train_ranker(GISMoRanker, {**settings, "seed": seed}, benchmark, inputs, folder, on_epoch=print)
    return folder


def is_measured(name: str, split: str, seed: int) -> bool:
    """Say whether the results have this row, so that going on with a table measures nothing twice."""
    if not RESULTS.exists():
        return False
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return any(
            (row["ranker"], row["split"], row["seed"]) == (name, split, str(seed)) for row in csv.DictReader(file)
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("table", choices=sorted(TABLES))
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--epochs", type=int)
    arguments = parser.parse_args()
    benchmark = load_benchmark()
    if arguments.table == "titles":
        benchmark = benchmark.with_titles(read_titles())
    seeds = arguments.seeds or (3 if arguments.table == "main" else 1)
    for name, row in TABLES[arguments.table].items():
        for seed in range(seeds):
            run_row(name, row, seed, arguments.epochs, benchmark, on_test=arguments.table == "main")


if __name__ == "__main__":
    main()
