"""Every command and every example in the documentation is run, and prints what the page says it prints.

To refresh the pages after a change of output: `python tests/test_docs.py`.
"""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from swapchef.sources import data_folder

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```console\n\$ (?P<command>.+)\n(?P<output>(?:(?!```).*\n)*)^```$", re.MULTILINE)
NEEDS_DATA = re.compile(r"\bbenchmark\b")


def run(command: str) -> str:
    """Run a command of the documentation with the swapchef of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "SWAPCHEF_DATA": str(data_folder().resolve())}
    done = subprocess.run(command, shell=True, cwd=ROOT, env=environment, text=True, stdout=-1, stderr=-2, check=False)
    return without_times("\n".join(line.rstrip() for line in done.stdout.splitlines()).strip("\n"))


def without_times(text: str) -> str:
    """Hide the last column of benchmark tables: seconds differ from run to run."""
    return re.sub(r"(?m)^(.*\d\.\d\d +)\d+\.\d$", r"\1...", text) if "seconds" in text else text


def cases() -> list[object]:
    found = []
    for page in PAGES:
        for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
            marks = [pytest.mark.real_data] if NEEDS_DATA.search(block["command"]) else []
            found.append(
                pytest.param(block["command"], block["output"], marks=marks, id=f"{page.name}: {block['command']}")
            )
    return found


@pytest.mark.parametrize(("command", "output"), cases())
def test_a_command_prints_what_the_page_says(command: str, output: str) -> None:
    assert run(command) == output.strip("\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    results = doctest.testfile(str(page), module_relative=False)
    assert results.failed == 0


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "benchmarks" / "README.md"], ids=lambda page: page.name
)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def refresh() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(
            BLOCK.sub(lambda b: f"```console\n$ {b['command']}\n{run(b['command'])}\n```", text), encoding="utf-8"
        )


if __name__ == "__main__":
    refresh()
