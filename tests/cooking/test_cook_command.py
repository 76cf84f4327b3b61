"""`swapchef cook`: what is printed, what is JSON, and what is refused in a sentence."""

import json
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from swapchef.cli.app import app, main
from swapchef.cooking.pipeline import PhotoCook
from swapchef.substituter import Substituter
from tests.cooking.fake_bundles import CAKE, FixedBundle
from tests.cooking.kitchen import RED, coloured


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(PhotoCook, "load", lambda: PhotoCook(FixedBundle(CAKE), Substituter.load()))
    path = tmp_path / "cake.jpg"
    Image.fromarray(coloured(RED)).save(path)
    return path


def test_both_recipes_and_the_diff_are_printed(photo: Path) -> None:
    result = CliRunner().invoke(app, ["cook", str(photo), "--swap", "butter", "--with", "margarine"])
    assert result.exit_code == 0
    assert "all purpose flour" in result.stdout
    assert result.stdout.index("As in the photo:") < result.stdout.index("With margarine for butter:")
    assert result.stdout.count("# Simple Cake") == 2
    assert "+" in result.stdout


def test_json_has_every_step(photo: Path) -> None:
    result = CliRunner().invoke(app, ["cook", str(photo), "--diet", "vegan", "--json"])
    answer = json.loads(result.stdout)
    assert answer["ingredients"][0] == {"name": "butter", "confidence": pytest.approx(0.9)}
    assert answer["swapped_recipe"]["title"] == "Simple Cake"
    assert answer["collapsed"] is False
    assert answer["diff"]


def test_notes_go_to_standard_error(photo: Path) -> None:
    result = CliRunner().invoke(app, ["cook", str(photo), "--diet", "vegan"])
    assert "allergies" in result.stderr
    assert "allergies" not in result.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["missing.jpg"],
        ["text.jpg"],
        ["cake.jpg", "--swap", "xyzzy"],
        ["cake.jpg", "--diet", "moonlight"],
        ["cake.jpg", "--with", "milk"],
    ],
)
def test_bad_input_gets_one_sentence(
    photo: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(photo.parent)
    Path("text.jpg").write_text("not a photo")
    monkeypatch.setattr("sys.argv", ["swapchef", "cook", *words])
    with pytest.raises(SystemExit) as end:
        main()
    result = capsys.readouterr()
    assert end.value.code == 2
    assert result.out == ""
    assert len(result.err.strip().splitlines()) == 1
