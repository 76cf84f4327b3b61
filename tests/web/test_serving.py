"""`swapchef serve` as a process: it starts, takes several workers, replaces one that dies, and ends losing nothing."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from swapchef.cli import main
from swapchef.errors import DataError
from swapchef.substituter import Substituter
from swapchef.web import serving
from swapchef.web.app import Settings
from swapchef.web.feedback import Store
from tests.web.conftest import Api, Run

SWAPCHEF = [sys.executable, "-c", "from swapchef.cli import main; main()"]
SUGGEST = b'{"ingredients": ["butter"]}'


@dataclass(frozen=True)
class Running:
    process: subprocess.Popen[bytes]
    api: Api
    log: Path

    def workers(self) -> set[int]:
        """Return the processes that have answered so far."""
        whole = [line for line in self.log.read_text().splitlines() if line.startswith("{") and line.endswith("}")]
        lines = [json.loads(line) for line in whole]
        return {line["process"] for line in lines if line["event"] == "request"}


@contextlib.contextmanager
def serve(folder: Path, *options: str) -> Iterator[Running]:
    log = folder / "log"
    with log.open("wb") as file:
        process = subprocess.Popen([*SWAPCHEF, "serve", "--port", "0", *options], stderr=file, start_new_session=True)
    try:
        address = wait_for(lambda: re.search(r"http://127.0.0.1:(\d+)", log.read_text()), log)
        yield Running(process, Api(int(address[1])), log)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for(condition, log: Path, seconds: float = 60):  # type: ignore[no-untyped-def]
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.02)
    return value


class Connection:
    """A connection that stays open."""

    def __init__(self, api: Api) -> None:
        self.socket = socket.create_connection(("127.0.0.1", api.port), timeout=60)
        self.file = self.socket.makefile("rb")

    def send(self, body: bytes = SUGGEST, length: int | None = None) -> None:
        head = (
            "POST /api/v1/suggest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {length or len(body)}\r\n\r\n"
        )
        self.socket.sendall(head.encode() + body)

    def answer(self) -> tuple[int, dict[str, str]]:
        status = int(self.file.readline().split()[1])
        lines = iter(lambda: self.file.readline().decode().strip(), "")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        self.file.read(int(headers["content-length"]))
        return status, headers

    def is_closed(self) -> bool:
        return self.file.read() == b""

    def close(self) -> None:
        self.file.close()
        self.socket.close()


def test_the_end_loses_nothing_that_was_begun(tmp_path: Path) -> None:
    with (
        serve(tmp_path) as server,
        contextlib.closing(Connection(server.api)) as busy,
        contextlib.closing(Connection(server.api)) as idle,
    ):
        idle.send()
        assert idle.answer()[0] == 200
        busy.send(SUGGEST[:5], length=len(SUGGEST))
        assert server.api.get("/health").status == 200  # by now the server has read what was sent before
        server.process.send_signal(signal.SIGTERM)
        wait_for(lambda: is_refused(server.api), server.log)
        busy.socket.sendall(SUGGEST[5:])
        status, headers = busy.answer()
        assert (status, headers["connection"]) == (200, "close")
        idle.send()  # a client that did not know yet
        status, headers = idle.answer()
        assert (status, headers["connection"]) == (200, "close")
        assert busy.is_closed()
        assert idle.is_closed()
        assert server.process.wait(30) == 0
    assert "Traceback" not in server.log.read_text()


def test_a_client_that_dawdles_over_its_headers_is_let_go(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(serving, "_HEADERS_TIMEOUT", 0.2)
    monkeypatch.setattr(serving._Connection, "is_shutting_down", False)  # the end of this server sets it
    with run(Settings(), http=serving._Connection) as api, contextlib.closing(Connection(api)) as client:
        client.send()
        assert client.answer()[0] == 200
        client.socket.sendall(b"POST /api/v1/suggest HTTP/1.1\r\nHost:")
        assert client.is_closed()
        with contextlib.closing(Connection(api)) as silent:
            assert silent.is_closed()


def is_refused(api: Api) -> bool:
    try:
        socket.create_connection(("127.0.0.1", api.port), timeout=5).close()
    except ConnectionRefusedError:
        return True
    return False


def test_workers_share_the_work_and_one_that_dies_is_replaced(tmp_path: Path) -> None:
    with serve(tmp_path, "--workers", "2") as server:
        answered = ask_until(server, lambda: len(server.workers()) == 2)
        assert answered
        first = server.workers()
        os.kill(min(first), signal.SIGKILL)
        ask_until(server, lambda: len(server.workers() - first) == 1)
        os.killpg(server.process.pid, signal.SIGINT)  # Ctrl+C, which every process of the terminal gets
        assert server.process.wait(30) == 0
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "butter" not in log


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    with serve(tmp_path, "--workers", "2") as server:
        ask_until(server, lambda: server.workers())
        server.process.kill()
        wait_for(lambda: is_refused(server.api), server.log)


def ask_until(server: Running, condition) -> bool:  # type: ignore[no-untyped-def]
    """Ask over new connections until a condition holds; only the worker that is killed may leave one unanswered."""

    def asked() -> bool:
        with contextlib.suppress(ConnectionError, IndexError), contextlib.ExitStack() as opened:
            connections = [opened.enter_context(contextlib.closing(Connection(server.api))) for _ in range(4)]
            for connection in connections:
                connection.send()
            assert all(connection.answer()[0] == 200 for connection in connections)
        return bool(condition())

    return bool(wait_for(asked, server.log))


def test_feedback_that_was_acknowledged_outlives_kill_9(tmp_path: Path) -> None:
    store = tmp_path / "feedback.db"
    with serve(tmp_path, "--workers", "2", "--feedback", str(store)) as server:
        asked = {"recipe_ingredients": ["flour"], "source": "butter", "target": "margarine", "accepted": True}
        acknowledged = sum(server.api.post("/feedback", asked).status == 204 for _ in range(20))
        os.killpg(server.process.pid, signal.SIGKILL)
    assert acknowledged == 20
    assert len(list(Store(str(store)).choices())) == 20
    out = tmp_path / "more.jsonl"
    done = subprocess.run(
        [*SWAPCHEF, "feedback", "export", str(store), "--out", str(out)], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "20 tuples" in done.stderr
    record = json.loads(out.read_text().splitlines()[0])
    assert record == {"id": "feedback-1", "ingredients": [["butter"], ["flour"]], "subs": ["butter", "margarine"]}


def one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command that must fail the way users are promised, and return its sentence."""
    monkeypatch.setattr(sys, "argv", ["swapchef", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    (sentence,) = err.strip().splitlines()
    assert sentence.startswith("swapchef: ")
    return str(sentence)


def test_a_port_that_is_taken(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert "choose another --port" in one_sentence(monkeypatch, capsys, "serve", "--port", port)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--host", "no.such.host.invalid"], "Cannot listen on"),
        (["--allow-host", "http://x"], "is no host"),
        (["--deny-host", "a b"], "is no host"),
        (["--feedback", "mysql://x"], "no address of a feedback store"),
        (["--feedback", "/no/such/folder/feedback.db"], "does not answer"),
    ],
)
def test_wrong_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    assert sentence in one_sentence(monkeypatch, capsys, "serve", "--port", "0", *words)


def test_the_command_line_loads_nothing_of_it_until_it_is_asked() -> None:
    code = "import swapchef.cli, sys; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"fastapi", "starlette", "pydantic", "uvicorn", "sqlalchemy", "numpy"}.isdisjoint(loaded)


@pytest.mark.parametrize("words", [["serve"], ["feedback", "export", "x.db", "--out", "x.jsonl"]])
def test_without_the_extra_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("swapchef.web")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("fastapi", "sqlalchemy"):
        monkeypatch.setitem(sys.modules, name, None)
    assert "pip install 'swapchef[web]'" in one_sentence(monkeypatch, capsys, *words)


def test_a_worker_that_cannot_load_the_model_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load() -> None:
        raise DataError("The bundled model is missing.")

    monkeypatch.setattr(Substituter, "load", load)
    with pytest.raises(SystemExit) as ended, socket.create_server(("127.0.0.1", 0)) as listener:
        serving._run_worker(Settings(), listener, log=True)
    assert ended.value.code == serving._CANNOT_START  # so that nobody tries again
    assert capsys.readouterr().err == "swapchef: The bundled model is missing.\n"


@pytest.mark.parametrize(
    ("host", "more", "names"),
    [
        ("127.0.0.1", (), {"127.0.0.1", "localhost", "::1"}),
        ("localhost", ("soup.home",), {"127.0.0.1", "localhost", "::1", "soup.home"}),
        ("0.0.0.0", (), set()),
        ("192.168.1.5", (), set()),
        ("192.168.1.5", ("soup.home",), {"192.168.1.5", "soup.home"}),
    ],
)
def test_on_this_machine_only_its_own_names_count(host: str, more: tuple[str, ...], names: set[str]) -> None:
    assert set(serving.server_names(host, more)) == names
