"""Every call in docs/api.md is run against a live server, and prints what the page says it prints.

To refresh the page after a change of output: `python tests/web/test_api_docs.py`.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from swapchef.substituter import Substituter
from tests.conftest import ROOT
from tests.web.conftest import Api, run

PAGE = ROOT / "docs" / "api.md"
BLOCK = re.compile(
    r"^```(?P<language>bash|python|javascript)\n(?P<code>(?:(?!```).*\n)*)^```\n\n```text\n(?P<output>(?:(?!```).*\n)*)^```$",
    re.MULTILINE,
)
BLOCKS = list(BLOCK.finditer(PAGE.read_text(encoding="utf-8")))
COMMANDS = {
    "bash": ["bash", "-euo", "pipefail", "-c"],
    "python": [sys.executable, "-c"],
    "javascript": ["node", "--input-type=module", "-e"],
}
NEEDS = {"bash": "curl", "python": sys.executable, "javascript": "node"}


def printed(language: str, code: str, port: int, folder: Path) -> str:
    """Run a call in a folder that has the examples."""
    shutil.copytree(ROOT / "examples", folder / "examples", dirs_exist_ok=True)
    code = code.replace("http://127.0.0.1:8000", f"http://127.0.0.1:{port}")
    done = subprocess.run([*COMMANDS[language], code], cwd=folder, text=True, capture_output=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("block", BLOCKS, ids=[f"{block['language']} {n}" for n, block in enumerate(BLOCKS)])
def test_a_call_prints_what_the_page_says(api: Api, block: re.Match[str], tmp_path: Path) -> None:
    if not shutil.which(NEEDS[block["language"]]):
        pytest.skip(f"{NEEDS[block['language']]} is not installed")
    assert printed(block["language"], block["code"], api.port, tmp_path).strip() == block["output"].strip()


def test_all_three_languages_are_shown_and_every_endpoint_is_named(api: Api) -> None:
    assert {block["language"] for block in BLOCKS} == {"bash", "python", "javascript"}
    page = PAGE.read_text(encoding="utf-8")
    for path in api.get("/openapi.json").json["paths"]:
        assert path in page or path.removeprefix("/api/v1") in page


def refresh(folder: Path) -> None:
    from swapchef.web.app import Settings

    with run.__wrapped__(Substituter.load())(Settings()) as api:  # type: ignore[attr-defined]

        def renewed(block: re.Match[str]) -> str:
            output = printed(block["language"], block["code"], api.port, folder).strip()
            return f"```{block['language']}\n{block['code']}```\n\n```text\n{output}\n```"

        text = BLOCK.sub(renewed, PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as temporary:
        refresh(Path(temporary))
