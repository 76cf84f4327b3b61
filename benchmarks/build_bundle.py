"""Build the model that swapchef ships, from raw data: `python benchmarks/build_bundle.py`.

Writes the vocabulary, the ranker's weights and a manifest with the SHA-256 of each into `src/swapchef/bundle/`.
"""

import json
from pathlib import Path

import swapchef
from swapchef.benchmark import current_commit, load_benchmark
from swapchef.rankers.statistics import LTFreq
from swapchef.sources import atomic_path, sha256_of

BUNDLE = Path(__file__).parents[1] / "src" / "swapchef" / "bundle"


def main() -> None:
    benchmark = load_benchmark()
    benchmark.vocabulary.save(BUNDLE / "vocabulary.json")
    LTFreq().fit(benchmark.train, benchmark.val).save(BUNDLE)
    names = ["config.json", "vocabulary.json", "weights.safetensors"]
    manifest = {
        "swapchef": swapchef.__version__,
        "ranker": LTFreq.name,
        "trained_on": "Recipe1MSubs, train split",
        "data": benchmark.data,
        "commit": current_commit(),
        "licence": "Apache-2.0; learned from Recipe1MSubs (CC BY-NC 4.0) and FlavorGraph's node names (Apache-2.0)",
        "sha256": {name: sha256_of(BUNDLE / name) for name in names},
    }
    with atomic_path(BUNDLE / "manifest.json") as temporary:
        temporary.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    for name in [*names, "manifest.json"]:
        print(f"{(BUNDLE / name).stat().st_size:>9,} {name}")


if __name__ == "__main__":
    main()
