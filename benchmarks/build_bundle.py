"""Build the model that swapchef ships, from raw data: `python benchmarks/build_bundle.py`.

Trains the fusion ranker with seed 0, unless `runs/fusion/fusion-0` is finished, and writes the vocabulary, the weights,
the names of flavour compounds and a manifest with figures and the SHA-256 of each file into `src/swapchef/bundle/`.
"""

import json
import shutil
import time
from pathlib import Path

import swapchef
from fusion import trained_run
from swapchef.benchmark import current_commit, load_benchmark
from swapchef.effects.reasons import plain_name
from swapchef.graph import flavorgraph_nodes
from swapchef.sources import atomic_path, sha256_of

BUNDLE = Path(__file__).parents[1] / "src" / "swapchef" / "bundle"
FILES = ("config.json", "vocabulary.json", "weights.safetensors")
COMPOUNDS = "compounds.json"  # a name for each column of the ranker's compounds


def main() -> None:
    start, commit = time.perf_counter(), current_commit()  # before the files change
    benchmark = load_benchmark()
    run = trained_run(benchmark, seed=0)
    for name in FILES:
        with atomic_path(BUNDLE / name) as temporary:
            shutil.copyfile(run / name, temporary)
    with atomic_path(BUNDLE / COMPOUNDS) as temporary:
        names = [plain_name(name) for name in flavorgraph_nodes().name[len(benchmark.vocabulary) :]]
        temporary.write_text(json.dumps(names, indent=0) + "\n", encoding="utf-8")
    metrics = json.loads((run / "metrics.json").read_text(encoding="utf-8"))
    manifest = {
        "swapchef": swapchef.__version__,
        "ranker": "fusion",
        "trained_on": "Recipe1MSubs (train split), 73,071 recipes, FlavorGraph, MiniLM-L6 vectors of ingredient names",
        "val": {name: metrics[name] for name in ("mrr", "hit@1", "hit@3", "hit@10", "mrr_id", "mrr_ood")},
        "minutes": metrics["minutes"],
        "data": benchmark.data,
        "commit": commit,
        "licence": (
            "Apache-2.0 for the weights; learned from Recipe1MSubs (CC BY-NC 4.0), FlavorGraph (Apache-2.0), "
            "MiniLM-L6 (MIT)"
        ),
        "sha256": {name: sha256_of(BUNDLE / name) for name in (*FILES, COMPOUNDS)},
    }
    with atomic_path(BUNDLE / "manifest.json") as temporary:
        temporary.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    for name in [*FILES, COMPOUNDS, "manifest.json"]:
        print(f"{(BUNDLE / name).stat().st_size:>10,} {name}")
    print(f"{(time.perf_counter() - start) / 60:.1f} minutes")


if __name__ == "__main__":
    main()
