"""Runs swapchef as a user does: in a fresh process, with real files."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from swapchef.sources import data_folder

ROOT = Path(__file__).parents[2]
PANCAKES = ROOT / "examples" / "pancakes.md"


def run(
    *words: str | Path, env: dict[str, str] | None = None, input: str | None = None, cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from swapchef.cli import main; main()", *map(str, words)]
    environment = {**os.environ, **(env or {})}
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, input=input, cwd=cwd, check=False, timeout=120
    )


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """Check that a command failed the way users are promised, and return its sentence."""
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    (sentence,) = done.stderr.strip().splitlines()
    assert sentence.startswith("swapchef: ")
    return sentence


def copy_of_the_data(tmp_path: Path) -> Path:
    for folder in ("recipe1msubs", "flavorgraph"):
        shutil.copytree(data_folder().resolve() / folder, tmp_path / folder, copy_function=os.symlink)
    return tmp_path
