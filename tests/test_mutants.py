"""The mutation runner plants the faults it says, and knows a noticed one from one that survives or hangs."""

import csv
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

sys.path.append(str(ROOT / "benchmarks"))  # scripts, not a package; the runner's workers import them by name
import mutants
from mutations import mutations


def changes(source: str) -> set[str]:
    """Return the mutants of one line of code, each as a whole."""
    code = source.encode()
    return {fault.applied(code).decode() for fault in mutations(code)}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a < b", {"(a <= b)", "(a >= b)"}),
        ("a == b", {"(a != b)"}),
        ("x = a * (b + c)", {"x = (a / (b + c))", "x = a * ((b - c))"}),
        ("x = a and not b", {"x = (a or not b)", "x = a and (b)"}),
        ("x = [a for a in b if a]", {"x = [a for a in b if (not a)]"}),
        ("x = y[a:b]", {"x = y[(a + 1):b]", "x = y[a:(b + 1)]"}),
        ("x = y[1]", {"x = y[(2)]"}),
        ("x = True", {"x = (False)"}),
        ("x = 'é' + 'b'", {"x = ('é' - 'b')", "x = ('') + 'b'", "x = 'é' + ('')"}),
        ("x = max(a, b)", {"x = (min(a, b))", "x = (max(a))"}),
        ("x = f(a, b, key=c)", {"x = (f(b, a, key=c))", "x = (f(a, key=c))", "x = (f(a, b))"}),
        ("x = sorted(a)", {"x = (sorted(a, reverse=True))"}),
        ("x = sorted(a, reverse=b)", {"x = (sorted(a))"}),
        ("while a:\n    break", {"while (not a):\n    break", "while a:\n    continue"}),
        ("def f():\n    return a", {"def f():\n    return None"}),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_each_kind_of_fault(code: str, expected: set[str]) -> None:
    assert changes(code) == expected


@pytest.mark.parametrize(
    "code",
    [
        '"""A docstring with 3 words."""',
        "def f(a: 'int' = b) -> 'list[int]':\n    pass",
        "raise ValueError('no ' + name, 3)",
        "problem = DataError('no such file', 3)",
        "__all__ = ['a', 'b']",
        "if TYPE_CHECKING:\n    x = 1",
        "@lru_cache(maxsize=64)\ndef f():\n    pass",
        "x = f'{a + 1} cups'",
        "Kind = Literal['a', 'b']",
        "x = 'Take another one of these.'",
        "class ToyConfig:\n    width: int = 300",
        "return None",
    ],
)
def test_what_no_test_should_pin_is_left_alone(code: str) -> None:
    assert changes(code) == set()


TOY = """
def is_large(amount):
    return amount > 10


def count_down(number):
    while number:
        number = number - 1
    return number
"""
TOY_TESTS = """
from toy.sizes import count_down, is_large


def test_a_hundred_is_large_and_one_is_not():
    assert is_large(100) is True
    assert is_large(1) is False


def test_counting_down_ends():
    assert count_down(2) == 0
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    for path, text in {
        "src/toy/__init__.py": "",
        "src/toy/sizes.py": TOY,
        "tests/test_sizes.py": TOY_TESTS,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


ROOM = mutants.Room(("src/toy/*.py",), ("tests/test_*.py",))


def test_noticed_surviving_and_hanging_mutants_are_told_apart(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # quicker: the toy needs none of them
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    everything = mutants.mutants_of(toy, "toy", ROOM)
    assert "(number + 1)" in {mutant.mutation.after for mutant in everything}  # which counts for ever
    (outcome,) = mutants.try_rooms(toy, {"toy": ROOM}, workers=2, preloaded=(), least_patience=3.0)
    survivors = {(mutant.mutation.line, mutant.mutation.after) for mutant in outcome.survivors}
    # From 2, a step of 2 ends too; nothing is tested between 1 and 100.
    assert survivors == {(3, "(amount >= 10)"), (3, "(11)"), (8, "(2)")}
    assert (outcome.mutants, outcome.killed) == (len(everything), len(everything) - 3)
    assert outcome.hung == 1
    assert (toy / "src/toy/sizes.py").read_text() == TOY


def test_tests_that_fail_on_the_sound_code_are_an_error(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    (toy / "tests/test_sizes.py").write_text("def test_nothing():\n    assert 1 == 2\n")
    with pytest.raises(RuntimeError, match=r"test_sizes\.py fails without any mutant"):
        mutants.try_rooms(toy, {"toy": ROOM}, workers=1, preloaded=())


def test_a_room_without_files_says_so(toy: Path) -> None:
    with pytest.raises(SystemExit, match=r"The room toy has no files src/tay/\*\.py"):
        mutants.mutants_of(toy, "toy", mutants.Room(("src/tay/*.py",), ROOM.tests))


def test_the_sample_is_spread_over_rooms_and_the_same_for_a_seed() -> None:
    def room(name: str, size: int) -> list[mutants.Mutant]:
        return [mutants.Mutant(name, f"{name}.py", fault) for fault in mutations(b"f(1)\n" * size)]

    everything = {"small": room("small", 30), "middle": room("middle", 100), "large": room("large", 870)}
    drawn = mutants.sampled(everything, 500, seed=1)
    assert {name: len(part) for name, part in drawn.items()} == {"small": 30, "middle": 60, "large": 435}
    assert all(set(part) <= set(everything[name]) for name, part in drawn.items())
    assert mutants.sampled(everything, 500, seed=1) == drawn
    assert mutants.sampled(everything, 500, seed=2)["large"] != drawn["large"]


def test_results_replace_those_of_the_same_room(tmp_path: Path) -> None:
    faults = [mutants.Mutant(room, f"{room}.py", mutations(b"\n\nx = 1\n")[0]) for room in ("a", "b")]
    for room, fault in zip("ab", faults, strict=True):
        mutants.write_results(tmp_path, [mutants.Outcome(room, 4, 0, (fault,), 0.25)], 7, "abc")
    mutants.write_results(tmp_path, [mutants.Outcome("a", 8, 1, (), 0.5)], 7, "abc")
    rows = list(csv.reader((tmp_path / "mutants.csv").read_text().splitlines()))
    assert rows == [
        ["room", "mutants", "killed", "share", "commit", "seed", "minutes"],
        ["b", "4", "3", "75.0", "abc", "7", "0.2"],
        ["a", "8", "8", "100.0", "abc", "7", "0.5"],
    ]
    survivors = mutants.read_rows(tmp_path / "mutants_survivors.csv")
    assert survivors == [{"room": "b", "file": "b.py", "line": "3", "before": "1", "after": "(2)"}]
