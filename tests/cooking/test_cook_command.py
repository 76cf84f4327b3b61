"""`swapchef cook`: what is printed, what is JSON, and what is refused in a sentence."""

import json
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from swapchef.cli.app import app, main
from swapchef.cooking.pipeline import PhotoCook
from swapchef.substituter import Substituter
from tests.cooking.kitchen import RED, coloured
from tests.cooking.test_pipeline import CAKE, Fixed


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(PhotoCook, "load", lambda: PhotoCook(Fixed(CAKE), Substituter.load()))
    path = tmp_path / "cake.jpg"
    Image.fromarray(coloured(RED)).save(path)
    return path


def test_both_recipes_and_the_diff_are_printed(photo: Path) -> None:
    said = CliRunner().invoke(app, ["cook", str(photo), "--swap", "butter", "--with", "margarine"])
    assert said.exit_code == 0
    assert "all purpose flour" in said.stdout
    assert said.stdout.index("As in the photo:") < said.stdout.index("With margarine for butter:")
    assert said.stdout.count("# Simple Cake") == 2
    assert "+" in said.stdout


def test_json_has_every_step(photo: Path) -> None:
    said = CliRunner().invoke(app, ["cook", str(photo), "--diet", "vegan", "--json"])
    answer = json.loads(said.stdout)
    assert answer["ingredients"][0] == {"name": "butter", "confidence": pytest.approx(0.9)}
    assert answer["swapped_recipe"]["title"] == "Simple Cake"
    assert answer["collapsed"] is False
    assert answer["diff"]


def test_notes_go_to_standard_error(photo: Path) -> None:
    said = CliRunner().invoke(app, ["cook", str(photo), "--diet", "vegan"])
    assert "allergies" in said.stderr
    assert "allergies" not in said.stdout


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
    said = capsys.readouterr()
    assert end.value.code == 2
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
