"""What holds for every command: help, the version, and a reader that stops early."""

import subprocess
import sys

import pytest

from tests.cli.command import PANCAKES, run


@pytest.mark.parametrize(
    "words", [["--help"], ["suggest", "--help"], ["recipe", "--help"], ["benchmark", "--help"], ["data", "--help"]]
)
def test_help_explains(words: list[str]) -> None:
    done = run(*words)
    assert done.returncode == 0
    assert "Usage" in done.stdout


def test_version() -> None:
    assert run("--version").stdout.startswith("swapchef ")


def test_a_reader_that_stops_early_is_no_error() -> None:
    code = f"{sys.executable} -c 'from swapchef.cli import main; main()' recipe {PANCAKES} --format jsonld | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "{\n"
    assert done.stderr == ""
