"""Batches come back in order and complete, whoever dies on the way."""

import os
import signal
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from swapchef.engines import BatchResult, EngineSettings, Parts, run_local
from swapchef.errors import DataError, UnknownNameError


def doubled(numbers: list[int]) -> BatchResult:
    return [{"double": 2 * number} for number in numbers], Counter(numbers=len(numbers))


def doubled_but_killed_once(folder: Path, numbers: list[int]) -> BatchResult:
    """Work like `doubled`, but the worker that meets 7 first is killed over it."""
    marker = folder / "killed"
    if 7 in numbers and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return doubled(numbers)


def killed(_: list[int]) -> BatchResult:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("not reached")


def refused(_: list[int]) -> BatchResult:
    raise ValueError("bad batch")


def doubles(results: list[BatchResult]) -> list[int]:
    return [row["double"] for rows, _ in results for row in rows]


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_order(processes: int) -> None:
    results = list(run_local(range(25), doubled, batch=3, processes=processes))
    assert doubles(results) == [2 * n for n in range(25)]
    assert sum((counts for _, counts in results), Counter()) == {"numbers": 25}


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    work = partial(doubled_but_killed_once, tmp_path)
    parts = Parts(tmp_path / "parts")
    results = list(run_local(range(40), work, batch=2, processes=2, parts=parts))
    assert (tmp_path / "killed").exists()
    assert doubles(results) == [2 * n for n in range(40)]
    assert [row["double"] for row in parts.rows()] == [2 * n for n in range(40)]


def test_workers_that_are_always_killed_end_in_one_sentence() -> None:
    with pytest.raises(DataError, match="fewer processes"):
        list(run_local(range(4), killed, batch=2, processes=2))


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_of_the_work_is_not_swallowed(processes: int) -> None:
    with pytest.raises(ValueError, match="bad batch"):
        list(run_local(range(4), refused, batch=2, processes=processes))


def test_finished_parts_are_not_done_again_and_half_parts_are(tmp_path: Path) -> None:
    parts = Parts(tmp_path)
    list(run_local(range(6), doubled, batch=2, parts=parts))
    (tmp_path / "0000001.json").write_text('{"rows": [')  # as a full disk leaves it
    done: list[list[int]] = []
    again = list(run_local(range(6), lambda batch: done.append(batch) or doubled(batch), batch=2, parts=parts))
    assert done == [[2, 3]]
    assert doubles(again) == [0, 2, 4, 6, 8, 10]


def test_an_engine_that_does_not_exist_is_one_sentence() -> None:
    with pytest.raises(UnknownNameError, match="did you mean local or spark"):
        EngineSettings("sparc")
