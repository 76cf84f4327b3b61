"""The house rules that a reader relies on: import order, a cheap import, public names that exist."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import swapchef

PACKAGE = Path(swapchef.__file__).parent

# Data flows down this list; a module imports only from itself and from those above it.
ORDER = [
    "errors",
    "sources",
    "bundles",
    "tables",
    "en",
    "engines",
    "recipes",
    "foods",
    "text_encoder",
    "mining",
    "graph",
    "benchmark",
    "plots",
    "training",
    "rankers",
    "limits",
    "amounts",
    "effects",
    "editing",
    "swapping",
    "tables_check",
    "substituter",
    "cooking",
    "web",
    "cli",
]


def module_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    """Return the rooms of swapchef that a file imports, wherever in the file."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} uses a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        rooms |= {
            name.split(".")[1] for name in names if name.startswith("swapchef.") and name.split(".")[1] != "__version__"
        }
    return rooms


@pytest.mark.parametrize(
    "path",
    sorted(path for path in PACKAGE.rglob("*.py") if module_of(path) != "__init__"),
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_a_module_imports_only_from_those_above_it(path: Path) -> None:
    room = module_of(path)
    allowed = set(ORDER[: ORDER.index(room) + 1])
    assert imported_rooms(path) <= allowed


def test_every_public_name_exists_and_is_listed() -> None:
    for name in swapchef.__all__:
        assert getattr(swapchef, name) is not None
    assert dir(swapchef) == sorted(swapchef.__all__)
    with pytest.raises(AttributeError):
        swapchef.nothing  # noqa: B018


def run_python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_importing_swapchef_is_cheap_and_pulls_in_nothing_heavy() -> None:
    heavy = {"torch", "numpy", "scipy", "typer", "rich", "matplotlib"}
    loaded = run_python("import swapchef, sys; print(*{name.split('.')[0] for name in sys.modules})").split()
    assert heavy.isdisjoint(loaded)
    best = min(
        float(run_python("import time; t = time.perf_counter(); import swapchef; print(time.perf_counter() - t)"))
        for _ in range(3)
    )
    assert best < 0.2


def test_suggesting_needs_no_torch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None; from swapchef import Substituter; "
        "print(Substituter.load().suggest('butter').suggestions[0].name)"
    )
    assert run_python(code)
