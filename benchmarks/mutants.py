"""Mutation testing: plant small faults in a room's code and count how many of them its tests notice.

    python benchmarks/mutants.py                                  # all rooms, 600 mutants or more
    python benchmarks/mutants.py --rooms gismo --sample 200
    python benchmarks/mutants.py --list-survivors                 # of the last run, without a new one

A mutant is written into a copy of `src`, never into the source itself, and run against the tests of its own room: first
the fastest test file, of those that bear the module's name if any do, then the others with the doctests of the module.
Each run is a fork of a process that has already imported pytest and the heavy libraries. A mutant that hangs counts as
noticed. What a survivor tells is where a test is missing, or what the code could do without; some are equivalent.
"""

import argparse
import compileall
import contextlib
import csv
import importlib
import os
import py_compile
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from importlib.util import cache_from_source
from multiprocessing import get_context
from pathlib import Path
from typing import Literal

import pytest

from mutations import Mutation, mutations

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Room:
    """Globs of source files, and of the test files that must notice a fault in them."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS = {
    "foods": Room(("src/swapchef/foods/*.py",), ("tests/foods/test_*.py",)),
    "limits": Room(("src/swapchef/limits/*.py",), ("tests/limits/test_*.py", "tests/test_tables.py")),
    "amounts": Room(("src/swapchef/amounts/*.py",), ("tests/amounts/test_*.py",)),
    "swapping": Room(("src/swapchef/swapping/*.py",), ("tests/swapping/test_*.py",)),
    "benchmark": Room(("src/swapchef/benchmark.py",), ("tests/test_benchmark*.py",)),
    "gismo": Room(("src/swapchef/rankers/gismo*.py",), ("tests/rankers/test_gismo*.py",)),
    "fusion": Room(("src/swapchef/rankers/fusion*.py",), ("tests/rankers/test_fusion*.py",)),
}
SAMPLE, LEAST, SEED, WORKERS = 600, 60, 0, 2
PRELOADED = (
    "anyio.pytest_plugin", "hypothesis", "numpy", "rapidfuzz", "safetensors.torch", "schemathesis.pytest.plugin",
    "scipy.optimize", "scipy.sparse.linalg", "torch._dynamo", "torch.distributed.nn",
)  # fmt: skip
# Longer than this many times what the tests take on the sound code, and at least so many seconds: a mutant hangs.
PATIENCE, LEAST_PATIENCE = 5.0, 10.0
_NEVER_RAN = 70  # exit code of a fork that did not come to its tests, for want of space or memory
ROOM_COLUMNS = ("room", "mutants", "killed", "share", "commit", "seed", "minutes")
SURVIVOR_COLUMNS = ("room", "file", "line", "before", "after")


@dataclass(frozen=True)
class Mutant:
    """A fault in a file, whose path is relative to the root."""

    room: str
    file: str
    mutation: Mutation

    def row(self) -> dict[str, object]:
        """Return it as a row of the survivors' table."""
        before, after = (" ".join(text.split()) for text in (self.mutation.before, self.mutation.after))
        return {"room": self.room, "file": self.file, "line": self.mutation.line, "before": before, "after": after}


Verdict = Literal["survived", "failed", "hung"]


@dataclass(frozen=True)
class Outcome:
    """How many mutants of a room were tried, how many of them hung, and which of them no test noticed."""

    room: str
    mutants: int
    hung: int
    survivors: tuple[Mutant, ...]
    minutes: float

    @property
    def killed(self) -> int:
        """How many were noticed."""
        return self.mutants - len(self.survivors)


def files_of(root: Path, room: str, patterns: Iterable[str]) -> list[str]:
    """Return the files that a room's globs name, or end the program and say which glob names none."""
    files: list[str] = []
    for pattern in patterns:
        matches = sorted(str(path.relative_to(root)) for path in root.glob(pattern))
        if not matches:
            raise SystemExit(f"The room {room} has no files {pattern}; correct ROOMS or leave it out with --rooms.")
        files += matches
    return files


def mutants_of(root: Path, name: str, room: Room) -> list[Mutant]:
    """Return every mutant of a room."""
    files = files_of(root, name, room.sources)
    return [Mutant(name, file, fault) for file in files for fault in mutations((root / file).read_bytes())]


def sampled(everything: Mapping[str, list[Mutant]], sample: int, seed: int) -> dict[str, list[Mutant]]:
    """Draw from each room in proportion to its mutants, but at least `LEAST` where it has as many."""
    total = sum(map(len, everything.values()))
    drawn = {}
    for room, mutants in everything.items():
        share = -(-sample * len(mutants) // max(total, 1))  # rounded up
        shuffled = random.Random(f"{seed} {room}").sample(mutants, len(mutants))
        drawn[room] = shuffled[: max(share, LEAST)]
    return drawn


class Overlay:
    """A worker's own copy of `src`, in which mutants live for as long as their tests run."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        self.source = folder / "src"
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        # Tables and weights are linked, because only code is mutated.
        shutil.copytree(root / "src", self.source, ignore=ignored, copy_function=_copied_or_linked)
        # A compiled file that is never checked against its source is remade by hand when the source changes.
        compileall.compile_dir(self.source, quiet=1, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)

    def verdict(self, mutant: Mutant, stages: Sequence[tuple[Sequence[str], float]]) -> Verdict:
        """Say whether a test fails or crashes with the mutant in place, or takes longer than its stage's seconds."""
        path = self.folder / mutant.file
        original = path.read_bytes()
        compiled = Path(cache_from_source(str(path)))
        sound = compiled.read_bytes()
        try:
            compiled.unlink()
            path.write_bytes(mutant.mutation.applied(original))
            for stage, (tests, seconds) in enumerate(stages, 1):
                code = self.run([*tests, str(path)] if stage == len(stages) else tests, seconds)
                if code != 0:
                    return "hung" if code is None else "failed"
            return "survived"
        finally:
            path.write_bytes(original)
            compiled.write_bytes(sound)

    def run(self, tests: Sequence[str], seconds: float) -> int | None:
        """Run test files in a fork and return pytest's exit code; None if it was ended for taking too long."""
        child = os.fork()
        if child == 0:
            self._run_and_exit(tests)
        with contextlib.suppress(PermissionError, ProcessLookupError):  # the child has done so, or is gone already
            os.setpgid(child, child)
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                done, status = os.waitpid(child, os.WNOHANG)
                if done:
                    code = os.waitstatus_to_exitcode(status)
                    if code == _NEVER_RAN:
                        raise RuntimeError(f"The tests could not be started:\n{self.log()}")
                    return code
                time.sleep(0.005)
            return None
        finally:
            _end_group(child)

    def _run_and_exit(self, tests: Sequence[str]) -> None:
        code = _NEVER_RAN
        try:
            os.setpgid(0, 0)  # a group of its own, so that processes which tests leave behind can be ended with it
            with (self.folder / "log.txt").open("wb") as log:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
            os.chdir(self.root)
            sys.dont_write_bytecode = True
            os.environ |= {"PYTHONPATH": str(self.source), "PYTHONDONTWRITEBYTECODE": "1"}
            sys.path[:0] = [str(self.source)]
            settings = self.root / "pyproject.toml"
            # Hypothesis, a plugin, is loaded before pytest could rewrite the assertions in it.
            options = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
            options += ["-x", "-q", "-p", "no:cacheprovider", "--doctest-modules", f"--rootdir={self.root}"]
            options += [f"--basetemp={self.folder / 'pytest'}", *(["-c", str(settings)] if settings.exists() else [])]
            code = 1  # should a mutant bring pytest itself down
            code = int(pytest.main([*options, *tests]))
        except BaseException:  # a fork must never go on as if it were its parent
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def log(self) -> str:
        """Return what the last run printed."""
        return (self.folder / "log.txt").read_text(encoding="utf-8", errors="replace")


def _copied_or_linked(source: str, target: str) -> str:
    if source.endswith(".py"):
        return str(shutil.copyfile(source, target))
    Path(target).symlink_to(source)
    return target


def _end_group(leader: int) -> None:
    """End what is left of a fork and the processes that it started."""
    with contextlib.suppress(ProcessLookupError):  # nothing is left of its group
        os.killpg(leader, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):  # it was waited for already
        os.waitpid(leader, 0)


_overlay: Overlay  # of this worker process


def _start_worker(root: Path, folder: Path, preloaded: Sequence[str]) -> None:
    global _overlay  # the one way to give a pool's worker something of its own
    for name in preloaded:
        importlib.import_module(name)
    _overlay = Overlay(root, Path(tempfile.mkdtemp(dir=folder)))


def _seconds_of(test: str) -> float:
    """Return how long a test file takes on the sound code; its tests must pass there."""
    start = time.monotonic()
    code = _overlay.run([test], seconds=600)
    if code != 0:
        raise RuntimeError(f"{test} fails without any mutant, so it cannot notice one:\n{_overlay.log()[-3000:]}")
    return time.monotonic() - start


def _tried(mutant: Mutant, seconds: Mapping[str, float], least_patience: float) -> tuple[Verdict, float]:
    """Run a mutant against the tests of its room, and say how long that took."""
    own = f"test_{Path(mutant.file).stem}"
    first, *others = sorted(seconds, key=lambda test: (not Path(test).name.startswith(own), seconds[test]))
    stages = []
    for tests in ([first], others):
        patience = max(PATIENCE * sum(seconds[test] for test in tests), least_patience)
        stages += [(tests, patience)] if tests else []
    start = time.monotonic()
    return _overlay.verdict(mutant, stages), time.monotonic() - start


def try_rooms(
    root: Path,
    rooms: Mapping[str, Room],
    sample: int = SAMPLE,
    seed: int = SEED,
    workers: int = WORKERS,
    preloaded: Sequence[str] = PRELOADED,
    least_patience: float = LEAST_PATIENCE,
) -> list[Outcome]:
    """Try a sample of the mutants of some rooms."""
    tests = {name: files_of(root, name, room.tests) for name, room in rooms.items()}
    drawn = sampled({name: mutants_of(root, name, room) for name, room in rooms.items()}, sample, seed)
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # forks and threads do not mix
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        pool = ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (root, Path(folder), preloaded))
        with pool:
            every_test = sorted({test for files in tests.values() for test in files})
            seconds = dict(zip(every_test, pool.map(_seconds_of, every_test), strict=True))
            jobs: dict[Future[tuple[Verdict, float]], Mutant] = {}
            for name, mutants in drawn.items():
                times = {test: seconds[test] for test in tests[name]}
                jobs |= {pool.submit(_tried, mutant, times, least_patience): mutant for mutant in mutants}
            for count, _ in enumerate(as_completed(jobs), 1):
                if count % 20 == 0 or count == len(jobs):
                    print(f"{count} of {len(jobs)} mutants tried", file=sys.stderr)
    return [_outcome(name, {job: mutant for job, mutant in jobs.items() if mutant.room == name}) for name in rooms]


def _outcome(room: str, jobs: Mapping[Future[tuple[Verdict, float]], Mutant]) -> Outcome:
    verdicts = {mutant: job.result()[0] for job, mutant in jobs.items()}
    survivors = [mutant for mutant, verdict in verdicts.items() if verdict == "survived"]
    survivors.sort(key=lambda mutant: (mutant.file, mutant.mutation.line))
    hung = list(verdicts.values()).count("hung")
    return Outcome(room, len(jobs), hung, tuple(survivors), sum(job.result()[1] for job in jobs) / 60)


def write_results(folder: Path, outcomes: Sequence[Outcome], seed: int, commit: str) -> None:
    """Replace the rows of these rooms in the two tables, and leave those of other rooms."""
    rows = [
        {
            "room": outcome.room,
            "mutants": outcome.mutants,
            "killed": outcome.killed,
            "share": f"{100 * outcome.killed / max(outcome.mutants, 1):.1f}",
            "commit": commit,
            "seed": seed,
            "minutes": f"{outcome.minutes:.1f}",
        }
        for outcome in outcomes
    ]
    survivors = [mutant.row() for outcome in outcomes for mutant in outcome.survivors]
    tried = {outcome.room for outcome in outcomes}
    _replace_rows(folder / "mutants.csv", ROOM_COLUMNS, tried, rows)
    _replace_rows(folder / "mutants_survivors.csv", SURVIVOR_COLUMNS, tried, survivors)


def _replace_rows(path: Path, columns: Sequence[str], rooms: set[str], rows: Iterable[Mapping[str, object]]) -> None:
    others = [row for row in read_rows(path) if row["room"] not in rooms]
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows([*others, *rows])


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table; none if there is no such file yet."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def print_survivors(rows: Iterable[Mapping[str, object]]) -> None:
    for row in rows:
        print(f"{row['file']}:{row['line']}  {row['before']} -> {row['after']}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=list(ROOMS), metavar="ROOM", help=", ".join(ROOMS))
    parser.add_argument("--sample", type=int, default=SAMPLE, help=f"mutants in all; a room has at least {LEAST}")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=WORKERS)
    parser.add_argument("--list-survivors", action="store_true", help="print those of the last run and try nothing")
    arguments = parser.parse_args()
    if arguments.list_survivors:
        rows = read_rows(RESULTS / "mutants_survivors.csv")
        print_survivors(row for row in rows if row["room"] in arguments.rooms)
        return
    from swapchef.benchmark import current_commit

    rooms = {name: ROOMS[name] for name in arguments.rooms}
    commit = current_commit()  # now: another may be made while the mutants are tried
    outcomes = try_rooms(ROOT, rooms, arguments.sample, arguments.seed, arguments.workers)
    write_results(RESULTS, outcomes, arguments.seed, commit)
    for outcome in outcomes:
        print_survivors(mutant.row() for mutant in outcome.survivors)
        share = 100 * outcome.killed / max(outcome.mutants, 1)
        counts = (
            f"{outcome.killed} of {outcome.mutants} mutants noticed ({share:.1f}%), {outcome.hung} because they hung"
        )
        print(f"{outcome.room}: {counts}\n")


if __name__ == "__main__":
    main()
