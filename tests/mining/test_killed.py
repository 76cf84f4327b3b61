"""A run of several processes survives the death of a worker, and its own."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from swapchef.mining.pipeline import mine

SWAPS = ["I used honey instead of sugar.", "Didn't have eggs so I used applesauce!", "Nice.", "Can I use oil instead?"]


@pytest.fixture(scope="module")
def reviews(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("killed") / "reviews.jsonl"
    lines = ["1 cup sugar", "2 eggs", "1/2 cup butter"]
    rows = ({"id": f"r{n}", "ingredients": lines, "comments": [SWAPS[n % 4], SWAPS[n % 3]]} for n in range(10_000))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def whole(reviews: Path) -> Path:
    """Mine without interruption, in one process."""
    mine(None, reviews, "better", reviews.parent / "whole")
    return reviews.parent / "whole"


def start(reviews: Path, out: Path) -> subprocess.Popen[bytes]:
    code = "from swapchef.cli import main; main()"
    words = ["mine", "--reviews", reviews, "--out", out, "--processes", "2"]
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def workers_of(pid: int) -> list[int]:
    """Return the workers among a process's children: those that were started as multiprocessing starts them."""
    children = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return [child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def wait_until(true: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.002)


def is_alive(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def same(one: Path, other: Path) -> bool:
    return all(
        (one / name).read_bytes() == (other / name).read_bytes()
        for name in ("tuples.jsonl", "tuples.parquet", "report.json")
    )


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are found through /proc, which is not here")
class TestKilled:
    def test_a_killed_worker_loses_nothing(self, reviews: Path, whole: Path, tmp_path: Path) -> None:
        run = start(reviews, tmp_path / "out")
        wait_until(lambda: list(tmp_path.glob("out/parts/0*.json")))
        os.kill(workers_of(run.pid)[0], signal.SIGKILL)
        assert not (tmp_path / "out" / "tuples.jsonl").exists(), "it was over before the worker was killed"
        _, errors = run.communicate(timeout=100)
        assert run.returncode == 0, errors
        assert same(tmp_path / "out", whole)

    def test_a_killed_run_leaves_no_workers_and_goes_on(self, reviews: Path, whole: Path, tmp_path: Path) -> None:
        run = start(reviews, tmp_path / "out")
        wait_until(lambda: list(tmp_path.glob("out/parts/0*.json")))
        workers = workers_of(run.pid)
        run.kill()
        run.communicate(timeout=10)
        assert workers
        assert not (tmp_path / "out" / "tuples.jsonl").exists()
        wait_until(lambda: not any(map(is_alive, workers)), seconds=20)
        again = start(reviews, tmp_path / "out")
        _, errors = again.communicate(timeout=100)
        assert again.returncode == 0, errors
        assert same(tmp_path / "out", whole)
