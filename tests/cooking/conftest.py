"""Photos are read in processes of their own, so that memory and time can be measured."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from swapchef.cooking.images import MAX_BYTES

READER = """
import json, os, sys, time
from pathlib import Path
from swapchef.cooking.images import read_photo
from swapchef.errors import SwapchefError

for line in sys.stdin:
    answering, asked = os.pipe()
    child = os.fork()  # each on its own, without what another has loaded or left
    if not child:
        start = time.process_time()
        try:
            pixels = read_photo(Path(line.strip()))
            answer = f"{len(pixels)} x {pixels.shape[1]}"
        except SwapchefError as error:
            answer = str(error)
        except BaseException as error:
            answer = repr(error)
        os.write(asked, json.dumps({"answer": answer, "seconds": time.process_time() - start}).encode())
        os._exit(0)
    os.close(asked)
    answer = json.loads(os.read(answering, 1 << 16) or "{}")
    _, status, usage = os.wait4(child, 0)
    print(json.dumps({**answer, "status": status, "peak": usage.ru_maxrss >> 10}), flush=True)
"""


@pytest.fixture(scope="module")
def outcome() -> Iterator[Callable[[Path], dict[str, Any]]]:
    """Read a photo in a process of its own, and return what it says and how much it took.

    A process that this one starts would be charged with our own memory, so the one that is started forks them.
    """
    with subprocess.Popen(
        [sys.executable, "-c", READER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as reader:
        assert reader.stdin
        assert reader.stdout

        def ask(path: Path) -> dict[str, Any]:
            print(path, file=reader.stdin, flush=True)
            answer: dict[str, Any] = json.loads(reader.stdout.readline())
            return answer

        yield ask
        reader.stdin.close()


@pytest.fixture
def read_apart(
    outcome: Callable[[Path], dict[str, Any]], tmp_path: Path
) -> Iterator[Callable[[bytes], dict[str, Any]]]:
    path = tmp_path / "soup.jpg"

    def read(data: bytes) -> dict[str, Any]:
        assert len(data) <= MAX_BYTES
        path.write_bytes(data)
        return outcome(path)

    yield read
    path.unlink(missing_ok=True)
