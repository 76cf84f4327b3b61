"""Large pages are read in a child process: with the same result, and a timeout that holds nobody up."""

import contextlib
import os
import signal
from collections.abc import Iterator

import pytest

from swapchef.errors import RecipeError
from swapchef.recipes import read_recipe, write_recipe
from swapchef.web import reading
from swapchef.web.reading import Reader
from tests.conftest import ROOT
from tests.web.conftest import Api

PANCAKES = read_recipe(ROOT / "examples" / "pancakes.md")
LARGE = write_recipe(PANCAKES, "html").replace("<body>", "<body>" + "<p>And then my aunt said.</p>" * 5_000).encode()


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with contextlib.closing(Reader()) as reader:
        yield reader


def test_a_large_page_reads_like_a_small_one(reader: Reader) -> None:
    assert len(LARGE) > reading._MAX_IN_THREAD
    assert reader.read(LARGE, format="html") == PANCAKES
    assert reader.read(LARGE, "page.html").title == PANCAKES.title
    assert reader.read(b"2 eggs\n1 cup milk\n", "eggs.txt").title == "eggs"


def test_what_is_wrong_with_it_is_told_as_ever(reader: Reader) -> None:
    with pytest.raises(RecipeError, match=r"noise\.bin: This is not a text file"):
        reader.read(bytes(range(256)) * 1000, "noise.bin")


def test_what_takes_too_long_is_ended_and_the_next_is_read(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    reader.read(LARGE)
    with monkeypatch.context() as impatient:
        impatient.setattr(reading, "_TIMEOUT", 0.05)
        with pytest.raises(RecipeError, match="takes too long to read"):
            reader.read(b"@salt{1%cup} " * 300_000)
    assert reader.read(LARGE) == PANCAKES


def test_a_child_process_that_dies_is_replaced(reader: Reader) -> None:
    reader.read(LARGE)
    assert reader._process
    os.kill(reader._process.pid or 0, signal.SIGKILL)
    reader._process.join()
    assert reader.read(LARGE) == PANCAKES


def test_through_the_api(api: Api) -> None:
    answer = api.send("POST", "/api/v1/recipes/parse?filename=page.html", LARGE, content_type="text/html")
    assert answer.json["recipe"]["name"] == PANCAKES.title
