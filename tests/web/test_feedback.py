"""The feedback store, on SQLite and PostgreSQL: what was acknowledged is there, and can be exported and trained on."""

import contextlib
import json
import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from swapchef.benchmark import Benchmark, read_split
from swapchef.errors import DataError, SwapchefError
from swapchef.foods.matching import Vocabulary
from swapchef.web.app import Settings
from swapchef.web.feedback import Choice, Store, StoreError, export
from tests.web.conftest import Run

CHOICE = Choice("butter", "margarine", True, ("butter", "flour"))
# Keeps choices until it is killed, or `count` of them, and says the number of each as soon as it is acknowledged.
WRITER = """
import sys
from swapchef.web.feedback import Choice, Store
address, name, count = sys.argv[1:]
store = Store(address)
store.create()
for number in range(int(count)):
    store.add(Choice(name, str(number), True, ("flour",)))
    print(number, flush=True)
"""


def write_in_background(address: str, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, address, name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """A PostgreSQL server of our own, reached through a socket in its folder; it does not run as root."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[4]))
    pg_ctl = shutil.which("pg_ctl") or (str(installed[-1]) if installed else None)
    if not pg_ctl:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    user = _someone() if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="pg") as folder:  # a short path: that of a socket has few characters
        if user:
            shutil.chown(folder, user)

        def run(*words: str) -> None:
            done = subprocess.run(words, user=user, cwd=folder, text=True, capture_output=True, check=False)
            assert done.returncode == 0, done.stderr

        data = f"{folder}/data"
        run(str(Path(pg_ctl).with_name("initdb")), "-D", data, "-U", "cook", "-A", "trust", "--no-sync", "-E", "UTF8")
        options = f"-k {folder} -c listen_addresses=''"
        run(pg_ctl, "-D", data, "-o", options, "-l", f"{folder}/log", "-w", "start")
        try:
            yield f"postgresql://cook@/postgres?host={folder}"
        finally:
            run(pg_ctl, "-D", data, "-m", "immediate", "stop")


def _someone() -> str:
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty store."""
    if request.param == "sqlite":
        yield str(tmp_path / "feedback.db")
        return
    import psycopg

    yield request.getfixturevalue("postgres")
    with psycopg.connect(request.getfixturevalue("postgres")) as connection:
        connection.execute("DROP TABLE IF EXISTS swapchef_feedback")


def stored_swaps(address: str) -> list[tuple[str, str]]:
    with contextlib.closing(Store(address)) as store:
        return [(choice.source, choice.target) for _, choice in store.choices()]


def test_what_is_kept_comes_back(address: str) -> None:
    with contextlib.closing(Store(address)) as store:
        store.create()
        store.create()  # as every start does
        store.add(CHOICE)
        store.add(Choice("egg", "flax seed + water", False, ()))
        assert [choice for _, choice in store.choices()] == [CHOICE]
        assert [choice.target for _, choice in store.choices(accepted=False)] == ["flax seed + water"]


def test_nothing_acknowledged_is_lost_by_kill_9(address: str) -> None:
    with write_in_background(address, "butter", 10**9) as writer:
        assert writer.stdout
        acknowledged = [next(writer.stdout).strip() for _ in range(40)]
        writer.send_signal(signal.SIGKILL)
        acknowledged += [line.strip() for line in writer.stdout if line.endswith("\n")]
    assert writer.returncode == -signal.SIGKILL
    stored = [target for _, target in stored_swaps(address)]
    assert set(acknowledged) <= set(stored)
    assert len(stored) <= len(acknowledged) + 1  # one may have been kept and not yet acknowledged
    with contextlib.closing(Store(address)) as store:
        store.add(CHOICE)  # and the store goes on


def test_two_processes_that_write_at_once_lose_nothing(address: str) -> None:
    with write_in_background(address, "butter", 100) as first, write_in_background(address, "milk", 100) as second:
        first.communicate()
        second.communicate()
    assert (first.returncode, second.returncode) == (0, 0)
    assert sorted(stored_swaps(address)) == sorted(
        (name, str(number)) for name in ("butter", "milk") for number in range(100)
    )


def test_feedback_through_the_api_keeps_names_the_choice_and_the_time_only(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "feedback.db"
    Store(str(path)).create()
    lines = ["2 cups of my aunt Zelda's flour", "qzxv", "1/4 cup butter, melted"]
    with run(Settings(feedback=str(path))) as api:
        assert api.get("/api/v1/settings").json["feedback"] is True
        asked = {"recipe_ingredients": lines, "source": "Butter", "target": "milk + lemon juice", "accepted": True}
        answer = api.post("/feedback", asked)
        assert (answer.status, answer.body) == (204, b"")
        assert "do not know" in api.post("/feedback", {**asked, "target": "qzxv"}).problem()
    with contextlib.closing(sqlite3.connect(path)) as database:
        (row,) = database.execute("SELECT source, target, accepted, ingredients FROM swapchef_feedback").fetchall()
        columns = [column[1] for column in database.execute("PRAGMA table_info(swapchef_feedback)")]
    assert row == ("butter", "milk + lemon juice", 1, '["flour", "butter"]')
    assert columns == ["id", "time", "source", "target", "accepted", "ingredients"]


def test_without_a_store_there_is_no_feedback(run: Run) -> None:
    with run(Settings()) as api:
        answer = api.post("/feedback", {"recipe_ingredients": [], "source": "egg", "target": "tofu", "accepted": True})
        assert answer.status == 404
        assert "keeps no feedback" in answer.problem()


def test_a_store_that_is_gone_is_told_and_suggestions_go_on(run: Run, tmp_path: Path) -> None:
    with run(Settings(feedback=str(tmp_path / "none" / "feedback.db"))) as api:
        answer = api.post("/feedback", {"recipe_ingredients": [], "source": "egg", "target": "tofu", "accepted": True})
        assert answer.status == 503
        assert answer.headers["retry-after"]
        assert "does not answer" in answer.problem()
        assert api.post("/suggest", {"ingredients": ["egg"]}).status == 200


@pytest.mark.parametrize("address", ["sqlite://", "sqlite:///:memory:", "mysql://cook@host/database", "://", ""])
def test_an_address_that_is_no_store_is_refused(address: str) -> None:
    with pytest.raises(SwapchefError, match="no address of a feedback store"):
        Store(address)


def test_a_password_is_never_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as raised:
        Store(f"postgresql://cook:hunter2@/postgres?host={tmp_path}").create()
    assert "hunter2" not in str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__


def test_what_is_exported_reads_as_a_split_of_the_benchmark(address: str, tmp_path: Path) -> None:
    vocabulary = Vocabulary.load()
    with contextlib.closing(Store(address)) as store:
        store.create()
        store.add(Choice("all purpose flour", "almond flour", True, ("butter", "all purpose flour", "egg")))
        store.add(Choice("butter", "olive oil", True, ()))
        store.add(Choice("buttermilk", "milk + lemon juice", True, ("egg",)))
        store.add(Choice("egg", "tofu", False, ("egg",)))
        done = export(store, tmp_path / "accepted.jsonl")
        assert (done.written, done.mixtures) == (2, 1)
        assert export(store, tmp_path / "rejected.jsonl", accepted=False).written == 1
    split = read_split(tmp_path / "accepted.jsonl", "train", vocabulary)
    names: Any = vocabulary.names
    assert [(names[s], names[t]) for s, t in zip(split.source, split.target, strict=True)] == [
        ("all purpose flour", "almond flour"),
        ("butter", "olive oil"),
    ]
    assert {names[id] for id in split.context[[0]].indices} == {"butter", "egg"}
    assert list(split.recipe_id) == ["feedback-1", "feedback-2"]


def test_what_is_exported_can_be_trained_on(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    with contextlib.closing(Store(str(tmp_path / "feedback.db"))) as store:
        store.create()
        store.add(Choice("olive oil", "butter", True, ("olive oil", "egg")))
        export(store, tmp_path / "more.jsonl")
    grown = tiny_kitchen.with_more([tmp_path / "more.jsonl"])
    assert len(grown.train) == len(tiny_kitchen.train) + 1
    pairs = grown.pairs_in_train()
    assert pairs[grown.vocabulary.id_of("olive_oil"), grown.vocabulary.id_of("butter")] == 1
    assert (grown.val, grown.test) == (tiny_kitchen.val, tiny_kitchen.test)


def test_tuples_of_held_out_recipes_are_not_trained_on(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    path = tmp_path / "leak.jsonl"
    path.write_text(json.dumps({"id": "t1", "ingredients": [["butter"]], "subs": ["butter", "milk"]}) + "\n")
    with pytest.raises(DataError, match="recipes of val or test"):
        tiny_kitchen.with_more([path])
