"""The photo bundle that swapchef ships: small, whole, without torch, and as good as its manifest says."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from PIL import Image

import swapchef
from swapchef.cooking.corpus import read_pairs
from swapchef.cooking.images import read_photo
from swapchef.cooking.metrics import set_scores
from swapchef.cooking.photo_bundle import PhotoBundle
from swapchef.foods.matching import Vocabulary

BUNDLE = Path(swapchef.__file__).parent / "cooking" / "bundle"


def test_it_has_at_most_forty_megabytes() -> None:
    assert sum(file.stat().st_size for file in BUNDLE.iterdir()) <= 40_000_000


def other_packages() -> list[str]:
    """Return what is installed here and neither needed by swapchef nor by its extra for photos."""
    needed, waiting = set(), ["swapchef[photo]"]
    while waiting:
        requirement = Requirement(waiting.pop())
        name = canonicalize_name(requirement.name)
        if name not in needed:
            needed.add(name)
            extras = requirement.extras or {""}
            waiting += [
                line
                for line in distribution(name).requires or ()
                if any(
                    (marker := Requirement(line).marker) is None or marker.evaluate({"extra": extra})
                    for extra in extras
                )
            ]
    modules = packages_distributions().items()
    return sorted(module for module, names in modules if needed.isdisjoint(map(canonicalize_name, names)))


def test_it_cooks_from_any_picture_with_its_own_extra_alone(tmp_path: Path) -> None:
    absent = other_packages()
    assert {"torch", "pyarrow", "fastapi"} <= set(absent)
    assert "onnxruntime" not in absent
    rows = np.linspace(0, 255, 200).astype(np.uint8)
    Image.fromarray(
        np.stack([np.tile(rows, (150, 1)), np.tile(rows[::-1], (150, 1)), np.full((150, 200), 60, np.uint8)], axis=2)
    ).save(tmp_path / "dish.png")
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({absent}));"
        "sys.argv = ['swapchef', 'cook', 'dish.png', '--swap', 'butter', '--json'];"
        "from swapchef.cli import main; main()"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    answer = json.loads(result.stdout)
    assert len(answer["ingredients"]) >= 3
    assert answer["swaps"][0]["source"] == "butter"
    assert answer["recipe"]["steps"]
    assert answer["swapped_recipe"]["steps"]


@pytest.mark.real_data
def test_it_sees_as_well_on_val_as_it_says() -> None:
    vocabulary, bundle = Vocabulary.load(), PhotoBundle.load()
    ids = [vocabulary.id_of(name) for name in bundle.known]
    pairs = read_pairs(vocabulary)
    rows = pairs.rows("val")
    with ThreadPoolExecutor(2) as threads:  # two at a time use two cores better than one after the other
        encoded = list(threads.map(lambda row: bundle.encode(read_photo(pairs.photos[row])), rows))
    predicted = [[ids[index] for index in bundle.selection.select(each.probabilities)] for each in encoded]
    scores = set_scores(predicted, [pairs.recipes[row].ingredients for row in rows])
    stated = json.loads((BUNDLE / "manifest.json").read_text())["val"]["micro_f1"]
    assert scores.micro_f1 == pytest.approx(stated, abs=0.3)
