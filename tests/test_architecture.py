"""The house rules that a reader relies on: order, sizes, no decision read from prose, a cheap import, public names."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import swapchef

PACKAGE = Path(swapchef.__file__).parent

# Data flows down this list; a module imports only from itself and from those above it, in its own room too.
ORDER = {
    "errors": "",
    "sources": "",
    "bundles": "",
    "tables": "",
    "en": "dishes lines nouns cooking remarks steps",
    "engines": "local spark",
    "recipes": "model records durations units lines building jsonld mealie recipe1m tandoor cooklang plain webpage"
    " formats",
    "foods": "lexicon words names food_table senses roles grammar doubts reading kinds matching preparations",
    "text_encoder": "",
    "mining": "pages sentences spotting verdicts inputs rules counting pipeline names pairs",
    "graph": "",
    "benchmark": "",
    "plots": "",
    "training": "",
    "rankers": "serial settings base knowledge evidence skipgram walks cooking_text review_text bert"
    " statistics contexts calibration sparse_product gismo_ranker gismo gismo_fast gismo_training gismo_published"
    " embeddings fusion fusion_training pinsage pinsage_training foodbert"
    " foodbert_training relation relation_training runs table shortlist shipped",
    "limits": "facets diets promises hazards wishes checking",
    "amounts": "measures uses ratios portions strength servings",
    "effects": "tastes techniques reasons",
    "editing": "matched_recipe mentions plan text usage concerns lines editor",
    "swapping": "standbys candidates dangers facts choosing decisions answers writing",
    "tables_check": "",
    "substituter": "",
    "cooking": "corpus tokenizer language_model images naming encoders metrics ingredients recipe_decoder"
    " generation safety"
    " decoder_training export photo_bundle pipeline training_runs",
    "web": "docs_page feedback fetching reading schema answers guards photos workers routes app serving",
    "cli": "options printing serving cooks researchers data app",
}
ROOMS = list(ORDER)
MOST_LINES, MOST_LINES_OF_FUNCTION, LONGEST_PATTERN = 450, 60, 80
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem != "__init__")


def place_of(path: Path) -> tuple[str, str]:
    """Return the room of a file, and its name in it."""
    room, *rest = path.relative_to(PACKAGE).parts
    return room.removesuffix(".py"), rest[0].removesuffix(".py") if rest else ""


def imports(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Yield what of swapchef a file imports, and whether it does so when it is itself imported."""
    at_once = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from ((name, id(node) in at_once) for name in names if name.startswith("swapchef."))


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


each_source = pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))


@each_source
def test_a_module_imports_only_from_those_above_it(path: Path) -> None:
    room, module = place_of(path)
    in_room = ORDER[room].split()
    for name, at_once in imports(parsed(path)):
        other, _, rest = name.removeprefix("swapchef.").partition(".")
        if other == "__version__":
            continue
        assert ROOMS.index(other) <= ROOMS.index(room), name
        inner = rest.partition(".")[0]
        # A module loads what needs torch, or only serves one command, when it is called for.
        if other == room and at_once and module not in {"", "__init__"} and inner in in_room:
            assert in_room.index(inner) < in_room.index(module), name


def test_every_module_of_a_room_is_in_the_order() -> None:
    for room, modules in ORDER.items():
        files = {path.stem for path in (PACKAGE / room).glob("*.py")} - {"__init__", "__main__"}
        assert files == set(modules.split()), room


@each_source
def test_modules_and_functions_fit_a_reader(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < MOST_LINES_OF_FUNCTION, node.name


@each_source
def test_a_long_pattern_is_verbose(path: Path) -> None:
    for node in ast.walk(parsed(path)):
        if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"):
            continue
        pattern, *flags = node.args
        if isinstance(pattern, ast.Constant) and len(str(pattern.value)) > LONGEST_PATTERN:
            is_verbose = any(re.search(r"VERBOSE|\bX\b", ast.unparse(flag)) for flag in flags)
            assert is_verbose or str(pattern.value).startswith("(?x"), pattern.value


# Rooms that decide, and the attributes that hold sentences, amounts in words or names joined for people.
DECIDING = ("swapping/candidates.py", "swapping/facts.py", "swapping/choosing.py", "swapping/decisions.py")
PROSE = {
    "note",
    "notes",
    "baking_note",
    "method",
    "baking_method",
    "text",
    "rule",
    "rules",
    "template",
    "detail",
    "reasons",
}


@pytest.mark.parametrize("name", DECIDING)
def test_no_decision_reads_prose(name: str) -> None:
    tree = parsed(PACKAGE / name)
    read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & PROSE
    assert read == set(), "a decision reads facts; what it needs of a sentence is a column or a flag"


def test_names_are_joined_and_parted_with_a_plus_only_where_people_read_or_write_them() -> None:
    edges = {
        "editing/plan.py",
        "swapping/writing.py",
        "amounts/ratios.py",
        "tables.py",
        "web/answers.py",
        "web/feedback.py",
    }
    joining = {
        str(path.relative_to(PACKAGE))
        for path in SOURCES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant) and node.value == " + "
    }
    foods = {name for name in joining if not name.startswith(("cooking/encoders", "cli/", "mining/", "tables_check"))}
    assert foods <= edges


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
