"""An exported bundle sees and writes without torch, and a damaged one is refused."""

from pathlib import Path

import pytest

from swapchef.cooking.photo_bundle import PhotoBundle
from swapchef.cooking.pipeline import PhotoCook
from swapchef.errors import DataError, SwapchefError
from swapchef.substituter import Substituter
from tests.cooking.kitchen import GREEN, RED, coloured, write_small_bundle


@pytest.fixture(scope="module")
def substituter() -> Substituter:
    return Substituter.load()


@pytest.fixture(scope="module")
def small_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    with pytest.warns():  # torch warns of each constant that it takes from a shape
        write_small_bundle(folder)
    return folder


def test_an_exported_bundle_sees_and_writes(small_bundle: Path, substituter: Substituter) -> None:
    bundle = PhotoBundle(small_bundle)
    cook = PhotoCook(bundle, substituter)
    assert {"tomato", "garlic", "salt"} == {seen.name for seen in cook.see(coloured(RED))}
    assert {"basil", "garlic", "olive oil", "salt"} == {seen.name for seen in cook.see(coloured(GREEN))}
    cooked = cook.cook(coloured(GREEN), swap=["basil"])  # an untrained decoder collapses
    assert cooked.collapsed
    assert cooked.swapped_recipe is not None


@pytest.mark.parametrize(
    "name", ["encoder.onnx", "head.onnx", "prefill.onnx", "step.onnx", "config.json", "manifest.json"]
)
def test_a_bundle_that_was_altered_or_is_incomplete_is_refused(small_bundle: Path, tmp_path: Path, name: str) -> None:
    for file in small_bundle.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / name).write_bytes(b"{}" if name.endswith("json") else b"")
    with pytest.raises(DataError, match="reinstall"):
        PhotoBundle(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(DataError, match="reinstall"):
        PhotoBundle(tmp_path)


def test_a_missing_extra_is_told(small_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    with pytest.raises(SwapchefError, match=r"swapchef\[photo\]"):
        PhotoBundle(small_bundle)
