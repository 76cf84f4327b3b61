"""Build the models that swapchef ships, from raw data: `python benchmarks/build_bundle.py [fusion|gismo]`.

The first is our ranker, with the vocabulary and the names of flavour compounds, in `src/swapchef/bundle/`; the second
is GISMo, in `rankers/gismo_bundle/`. Each is trained with seed 0, unless its run is finished, and gets a manifest with
its figures and the SHA-256 of each file. GISMo's other seeds are the run folders of `gismo.py main`.
"""

import argparse
import json
import shutil
import time
from pathlib import Path
from typing import Any

import fusion
import gismo
import swapchef
from swapchef.benchmark import Benchmark, load_benchmark
from swapchef.effects.reasons import plain_name
from swapchef.graph import flavorgraph_nodes
from swapchef.sources import atomic_path, sha256_of

BUNDLE = Path(__file__).parents[1] / "src" / "swapchef" / "bundle"
COMPOUNDS = "compounds.json"  # a name for each column of the ranker's compounds
GISMO = BUNDLE.parent / "rankers" / "gismo_bundle"
RUN_FILES = ("config.json", "weights.safetensors")
FIGURES = ("mrr", "hit@1", "hit@3", "hit@10", "mrr_id", "mrr_ood")
SOURCES = {
    "fusion": "Recipe1MSubs (train split), 73,071 recipes, FlavorGraph, MiniLM-L6 vectors of ingredient names",
    "gismo": "Recipe1MSubs (train split), FlavorGraph, co-occurrence in the train split and 73,071 recipes",
}
LICENCES = {
    "fusion": "Apache-2.0 for the weights; learned from Recipe1MSubs (CC BY-NC 4.0), FlavorGraph (Apache-2.0), "
    "MiniLM-L6 (MIT)",
    "gismo": "Apache-2.0 for the weights; learned from Recipe1MSubs (CC BY-NC 4.0), FlavorGraph (Apache-2.0)",
}


def build_fusion(benchmark: Benchmark) -> None:
    run = fusion.trained_run(benchmark, seed=0)
    benchmark.vocabulary.save(BUNDLE / "vocabulary.json")
    with atomic_path(BUNDLE / COMPOUNDS) as temporary:
        names = [plain_name(name) for name in flavorgraph_nodes().name[len(benchmark.vocabulary) :]]
        temporary.write_text(json.dumps(names, indent=0) + "\n", encoding="utf-8")
    copy("fusion", run, BUNDLE, RUN_FILES, ("vocabulary.json", COMPOUNDS), benchmark)


def build_gismo(benchmark: Benchmark) -> None:
    copy("gismo", gismo.trained_run(benchmark, seed=0), GISMO, RUN_FILES, (), benchmark)


def copy(
    name: str, run: Path, out: Path, files: tuple[str, ...], others: tuple[str, ...], benchmark: Benchmark
) -> None:
    """Copy the files of a run and write the manifest of all."""
    out.mkdir(parents=True, exist_ok=True)
    for file in files:
        with atomic_path(out / file) as temporary:
            shutil.copyfile(run / file, temporary)
    metrics = json.loads((run / "metrics.json").read_text(encoding="utf-8"))
    manifest: dict[str, Any] = {
        "swapchef": swapchef.__version__,
        "ranker": name,
        "trained_on": SOURCES[name],
        "val": {figure: metrics[figure] for figure in FIGURES},
        "minutes": metrics["minutes"],
        "data": benchmark.data,
        "commit": metrics["commit"],
        "licence": LICENCES[name],
        "sha256": {file: sha256_of(out / file) for file in (*files, *others)},
    }
    with atomic_path(out / "manifest.json") as temporary:
        temporary.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    for file in (*files, *others, "manifest.json"):
        print(f"{(out / file).stat().st_size:>10,} {file}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("ranker", choices=sorted(SOURCES), nargs="?", default="fusion")
    arguments = parser.parse_args()
    start, benchmark = time.perf_counter(), load_benchmark()
    {"fusion": build_fusion, "gismo": build_gismo}[arguments.ranker](benchmark)
    print(f"{(time.perf_counter() - start) / 60:.1f} minutes")


if __name__ == "__main__":
    main()
