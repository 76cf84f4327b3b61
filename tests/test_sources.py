"""Downloads survive bad servers, and pickles cannot hurt."""

import errno
import hashlib
import os
import pickle
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from swapchef import sources
from swapchef.errors import DataError
from swapchef.sources import (
    FILES,
    RemoteFile,
    atomic_path,
    data_file,
    data_folder,
    fetch,
    read_pickle,
    sha256_of,
    status,
)

CONTENT = bytes(range(256)) * 2000  # half a megabyte


class Server(ThreadingHTTPServer):
    """Serves CONTENT and misbehaves on request."""

    cut_after: int | None = None  # close the connection after so many bytes, once
    ranges = True
    code = 200
    length: str | None = None  # what to send as Content-Length instead of the truth
    content = CONTENT
    requests: list[str | None]

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests = []

    def file(
        self, sha256: str | None = hashlib.sha256(CONTENT).hexdigest(), size: int | None = len(CONTENT)
    ) -> RemoteFile:
        return RemoteFile("set/file.bin", f"http://127.0.0.1:{self.server_port}/file.bin", "none", sha256, size)


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        server, wanted = self.server, self.headers.get("Range")
        server.requests.append(wanted)
        start = int(wanted.split("=")[1].rstrip("-")) if wanted and server.ranges else 0
        if server.code != 200:
            self.send_error(server.code)
            return
        body = server.content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)) if server.length is None else server.length)
        self.end_headers()
        cut, server.cut_after = server.cut_after, None
        self.wfile.write(body if cut is None else body[:cut])
        self.close_connection = True

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(sources.time, "sleep", lambda _: None)
    server = Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_file_is_downloaded_whole_and_then_left_alone(server: Server, tmp_path: Path) -> None:
    arrived: list[int] = []
    path = fetch(server.file(), tmp_path, progress=arrived.append)
    assert path.read_bytes() == CONTENT
    assert sum(arrived) == len(CONTENT)
    fetch(server.file(), tmp_path)
    assert len(server.requests) == 1
    assert [entry.name for entry in path.parent.iterdir()] == ["file.bin"]


def test_a_cut_connection_is_resumed_where_it_broke(server: Server, tmp_path: Path) -> None:
    server.cut_after = 100_000
    assert fetch(server.file(), tmp_path).read_bytes() == CONTENT
    assert server.requests == [None, "bytes=100000-"]


def test_a_later_run_resumes_what_an_earlier_left(server: Server, tmp_path: Path) -> None:
    server.cut_after = 100_000
    with pytest.raises(DataError, match="it will resume"):
        fetch(server.file(), tmp_path, tries=1)
    assert not (tmp_path / "set/file.bin").exists()
    assert fetch(server.file(), tmp_path).read_bytes() == CONTENT
    assert server.requests[-1] == "bytes=100000-"


def test_a_server_without_ranges_is_read_from_the_start(server: Server, tmp_path: Path) -> None:
    server.cut_after, server.ranges = 100_000, False
    assert fetch(server.file(), tmp_path).read_bytes() == CONTENT


def test_a_wrong_hash_leaves_nothing_behind(server: Server, tmp_path: Path) -> None:
    server.content = CONTENT[::-1]
    with pytest.raises(DataError, match="SHA-256 differs"):
        fetch(server.file(), tmp_path)
    assert list((tmp_path / "set").iterdir()) == []


def test_an_altered_file_is_replaced(server: Server, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set/file.bin").write_bytes(b"altered")
    assert status(server.file(), tmp_path) == "altered"
    assert fetch(server.file(), tmp_path).read_bytes() == CONTENT


def test_a_404_is_final(server: Server, tmp_path: Path) -> None:
    server.code = 404
    with pytest.raises(DataError, match="answered 404"):
        fetch(server.file(), tmp_path)
    assert len(server.requests) == 1


def test_a_500_is_tried_again_then_reported(server: Server, tmp_path: Path) -> None:
    server.code = 500
    with pytest.raises(DataError, match="answered 500"):
        fetch(server.file(), tmp_path, tries=3)
    assert len(server.requests) == 3


@pytest.mark.parametrize("length", ["abc", "-5", ""])
def test_a_nonsense_length_is_ignored(server: Server, tmp_path: Path, length: str) -> None:
    server.length = length
    assert fetch(server.file(), tmp_path).read_bytes() == CONTENT


def test_halves_of_an_unpinned_file_are_never_joined(server: Server, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set/file.bin.part").write_bytes(b"OLD")
    assert fetch(server.file(sha256=None, size=None), tmp_path).read_bytes() == CONTENT


def test_a_server_that_sends_too_much_is_cut_off(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="sends more than"):
        fetch(server.file(size=1000), tmp_path)
    assert list((tmp_path / "set").iterdir()) == []


def test_no_server_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources.time, "sleep", lambda _: None)
    with pytest.raises(DataError, match="check the connection"):
        fetch(RemoteFile("x", "http://127.0.0.1:9/x", "none", None, 1), tmp_path, tries=2, timeout=2)


def test_a_silent_server_times_out(tmp_path: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/x"
        with pytest.raises(DataError, match="timed out"):
            fetch(RemoteFile("x", url, "none", None, 1), tmp_path, tries=1, timeout=0.2)


def test_a_full_disk_is_noticed_beforehand(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources.shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(100, 100, 0))
    with pytest.raises(DataError, match="disk is full"):
        fetch(server.file(), tmp_path)
    assert server.requests == []


def test_a_disk_that_fills_up_leaves_nothing_behind(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(DataError, match="disk is full"):
        fetch(server.file(), tmp_path, progress=full)
    assert list((tmp_path / "set").iterdir()) == []


def test_an_atomic_write_that_fails_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic_path(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_environment_variable_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWAPCHEF_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    with pytest.raises(DataError, match="swapchef data fetch"):
        data_file("recipe1msubs/vocab_ingrs.pkl")
    with pytest.raises(DataError, match="SWAPCHEF_DATA"):
        data_file("recipes/recipes.jsonl.gz")


@pytest.mark.real_data
@pytest.mark.parametrize("file", [file for file in FILES if file.sha256], ids=lambda file: file.path)
def test_the_known_hashes_are_those_of_the_real_files(file: RemoteFile) -> None:
    path = data_file(file.path)
    assert (sha256_of(path), path.stat().st_size) == (file.sha256, file.size)


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (os.system, ("touch swapchef-was-here",))


class Sneaky:
    """Calls a builtin through an attribute of an allowed module."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (eval, ("1",))


def refused(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        read_pickle(path)
    return str(caught.value)


@pytest.mark.parametrize(
    "bait", [Evil(), Sneaky(), [Evil()], {"subs": Sneaky()}], ids=["system", "eval", "in a list", "in a dict"]
)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_that_names_anything_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bait: object, protocol: int
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bait.pkl"
    path.write_bytes(pickle.dumps(bait, protocol))
    assert "no business" in refused(path)
    assert not Path("swapchef-was-here").exists()


VOCABULARY_CLASS = b"cinv_cooking.datasets.vocabulary\nVocabulary\n"


def test_the_vocabulary_class_is_allowed_and_takes_its_two_fields(tmp_path: Path) -> None:
    path = tmp_path / "vocab.pkl"
    path.write_bytes(
        VOCABULARY_CLASS + b")\x81}(X\x08\x00\x00\x00word2idx}X\x08\x00\x00\x00idx2word}X\x01\x00\x00\x00xK\x01ub."
    )
    assert vars(read_pickle(path)) == {"word2idx": {}, "idx2word": {}}


def test_a_pickle_cannot_change_the_class_itself(tmp_path: Path) -> None:
    path = tmp_path / "poison.pkl"
    path.write_bytes(VOCABULARY_CLASS + b"N}X\x08\x00\x00\x00word2idxX\x06\x00\x00\x00poisons\x86b.")
    refused(path)
    assert not hasattr(sources.PublishedVocabulary, "word2idx")


def test_nine_bytes_cannot_ask_for_gigabytes(tmp_path: Path) -> None:
    path = tmp_path / "bomb.pkl"
    path.write_bytes(b"\x80\x04Nr" + (100_000_000).to_bytes(4, "little") + b".")
    assert "memory" in refused(path)


@pytest.mark.parametrize("cut", [0, 1, 10, 50])
def test_a_truncated_pickle_is_refused(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "cut.pkl"
    path.write_bytes(pickle.dumps([{"id": "a", "subs": ("b", "c"), "ingredients": [["d"]]}] * 3)[:cut])
    assert "cut short or altered" in refused(path)


@pytest.mark.parametrize(
    "data",
    [
        b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\x80\x05\x96\xff\xff\xff\xff\xff\xff\xff\x7f",
        os.urandom(500),
        b"P1\n.",
    ],
    ids=["huge bytes", "huge bytearray", "noise", "persistent id"],
)
def test_a_malformed_pickle_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.pkl"
    path.write_bytes(data)
    refused(path)


def test_a_pickle_far_too_large_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.pkl"
    with path.open("wb") as file:
        file.truncate(100 << 20)
    assert "far larger" in refused(path)


def test_a_missing_pickle_is_one_sentence(tmp_path: Path) -> None:
    assert "Cannot read" in refused(tmp_path / "gone.pkl")
