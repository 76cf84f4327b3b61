"""Data files: where they are, fetching them with a checked SHA-256, atomic writes, and reading untrusted pickles.

Data is looked for in `SWAPCHEF_DATA`, then beside the working directory, then in the user's cache folder. A download
goes to a `.part` file that can be resumed, and is renamed only after its hash was checked. The published benchmark is
pickled, so it is read by an unpickler that allows a single class.
"""

import contextlib
import errno
import hashlib
import http.client
import os
import pickle
import pickletools
import shutil
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swapchef import __version__
from swapchef.errors import DataError

ENVIRONMENT_VARIABLE = "SWAPCHEF_DATA"
_NEARBY = ("data", "../shared/data")  # of a checkout
_CHUNK = 1 << 16
_MAX_PICKLE = 64 << 20
_UNPINNED_LIMIT = 64 << 20  # bytes; what a file without a known size may grow to


@dataclass(frozen=True)
class RemoteFile:
    """One official file: where it goes, where it comes from, and what it must be."""

    path: str
    url: str
    licence: str
    sha256: str | None  # None: its publisher gives no hash and we hold no full copy to take one from
    size: int | None


_GISMO = "https://dl.fbaipublicfiles.com/gismo"
_FLAVORGRAPH = "https://raw.githubusercontent.com/lamypark/FlavorGraph/master/input"
FILES: tuple[RemoteFile, ...] = (
    RemoteFile(
        "recipe1msubs/train_comments_subs.pkl",
        f"{_GISMO}/train_comments_subs.pkl",
        "CC BY-NC 4.0",
        "b4d58e6c6c6747671e531812393397acf75c02d2a9ce00c2edcc7794bf567c81",
        3_914_545,
    ),
    RemoteFile(
        "recipe1msubs/val_comments_subs.pkl",
        f"{_GISMO}/val_comments_subs.pkl",
        "CC BY-NC 4.0",
        "4d7e96837c051fbec7464346638942cb66b7841cb998dd6abe1382e2f2ddb3dd",
        910_636,
    ),
    RemoteFile(
        "recipe1msubs/test_comments_subs.pkl",
        f"{_GISMO}/test_comments_subs.pkl",
        "CC BY-NC 4.0",
        "0758382cae59697958dd2a5e509c15f8d0417ea1a9e079fd75792779f1ce6174",
        919_937,
    ),
    RemoteFile(
        "recipe1msubs/vocab_ingrs.pkl",
        f"{_GISMO}/vocab_ingrs.pkl",
        "CC BY-NC 4.0",
        "ad8c62dee7d1314be6e173c3f3bbde473c2c79352bd6e3ccf656a6ac9a488ed4",
        318_134,
    ),
    RemoteFile(
        "flavorgraph/nodes_191120.csv",
        f"{_FLAVORGRAPH}/nodes_191120.csv",
        "Apache-2.0",
        "ea59d1858ae3a41de14aeabda32e6274693ea7897eb6ae1a3b7262bac5526d5a",
        343_416,
    ),
    RemoteFile("flavorgraph/edges_191120.csv", f"{_FLAVORGRAPH}/edges_191120.csv", "Apache-2.0", None, None),
)


def data_folder() -> Path:
    """Return the folder that data is read from and fetched into."""
    if folder := os.environ.get(ENVIRONMENT_VARIABLE):
        return Path(folder)
    for nearby in map(Path, _NEARBY):
        if (nearby / "recipe1msubs").is_dir():
            return nearby
    return cache_folder()


def cache_folder() -> Path:
    """Return the user's own cache folder for swapchef."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "swapchef"


def data_file(path: str) -> Path:
    """Return where a data file is, or say how to get it."""
    location = data_folder() / path
    if not location.is_file():
        is_published = any(file.path == path for file in FILES)
        advice = (
            "run `swapchef data fetch`" if is_published else f"set {ENVIRONMENT_VARIABLE} to the folder that holds it"
        )
        raise DataError(f"The data file {path} is not in {data_folder()}; {advice}.")
    return location


def sha256_of(path: Path) -> str:
    """Hash a file without reading it whole."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def status(file: RemoteFile, folder: Path) -> str:
    """Say how a file stands: "ok", "missing", "altered", or "unpinned" where there is no hash to check against."""
    path = folder / file.path
    if not path.is_file():
        return "missing"
    if file.sha256 is None:
        return "unpinned"
    try:
        return "ok" if sha256_of(path) == file.sha256 else "altered"
    except OSError:
        return "altered"


@contextlib.contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Give a temporary path to write to; it takes the real name only if the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


Progress = Callable[[int], None]  # called with the number of bytes that have just arrived


def fetch(
    file: RemoteFile, folder: Path, *, timeout: float = 30.0, tries: int = 4, progress: Progress = lambda _: None
) -> Path:
    """Download one file unless a good copy is there; resumes what an earlier try left behind."""
    target = folder / file.path
    if status(file, folder) in {"ok", "unpinned"}:
        return target
    part = target.with_name(target.name + ".part")
    if file.sha256 is None:  # nothing could tell whether two halves belong together
        part.unlink(missing_ok=True)
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        _check_space(file, folder)
        _download(file, part, timeout, tries, progress)
        _check_hash(file, part)
        part.replace(target)
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            part.unlink(missing_ok=True)
            raise DataError(
                f"The disk is full at {folder}; free some space or set {ENVIRONMENT_VARIABLE} elsewhere."
            ) from None
        raise DataError(f"Cannot write {target} ({error.strerror or error}); check the folder's permissions.") from None
    return target


def _check_space(file: RemoteFile, folder: Path) -> None:
    needed = file.size or 0
    if shutil.disk_usage(folder).free < needed + (1 << 20):
        raise OSError(errno.ENOSPC, "no space left")


def _download(file: RemoteFile, part: Path, timeout: float, tries: int, progress: Progress) -> None:
    """Append to the part file until it is complete, starting again where a connection broke."""
    problem = ""
    for attempt in range(tries):
        if attempt:
            time.sleep(min(0.2 * 2**attempt, 5.0))
        try:
            if _receive(file, part, timeout, progress):
                return
            problem = "the connection was cut"
        except urllib.error.HTTPError as error:
            if error.code == 416:  # the part is not a beginning of this file
                part.unlink(missing_ok=True)
                problem = "the server could not resume"
            elif 400 <= error.code < 500:
                raise DataError(
                    f"{file.url} answered {error.code} {error.reason}; check for a newer version of swapchef."
                ) from None
            else:
                problem = f"the server answered {error.code}"
        except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
            problem = str(getattr(error, "reason", None) or error or type(error).__name__)
    raise DataError(
        f"Could not download {file.url} ({problem}); check the connection and run the command again, it will resume."
    )


def _receive(file: RemoteFile, part: Path, timeout: float, progress: Progress) -> bool:
    """Receive once into the part file; return whether the server sent all it promised."""
    already = part.stat().st_size if part.exists() else 0
    limit = file.size if file.size is not None else _UNPINNED_LIMIT
    if file.size is not None and already == file.size:
        return True
    headers = {"User-Agent": f"swapchef/{__version__}", "Accept-Encoding": "identity"}
    if already:
        headers["Range"] = f"bytes={already}-"
    request = urllib.request.Request(file.url, headers=headers)  # noqa: S310 - only the addresses of FILES
    with urllib.request.urlopen(request, timeout=timeout) as response:  # noqa: S310
        if response.status != 206:
            already = 0
        expected = response.headers.get("Content-Length")
        with part.open("ab" if already else "wb") as out:
            received = 0
            while chunk := _read_chunk(response):
                received += len(chunk)
                if already + received > limit:
                    break
                out.write(chunk)
                progress(len(chunk))
    if already + received > limit:
        part.unlink()
        raise DataError(
            f"{file.url} sends more than the {limit:,} bytes this file has; it is not the file we know, nothing was"
            " kept."
        )
    if expected and expected.isascii() and expected.isdigit():
        return received == int(expected)
    return file.size in {None, already + received}


def _read_chunk(response: http.client.HTTPResponse) -> bytes:
    try:
        return response.read(_CHUNK)
    except OSError as error:  # of the network, not of the disk
        raise ConnectionError(str(error) or type(error).__name__) from None


def _check_hash(file: RemoteFile, part: Path) -> None:
    if file.sha256 is not None and sha256_of(part) != file.sha256:
        part.unlink()
        raise DataError(
            f"{file.url} is not the file we know (its SHA-256 differs), so it was deleted; try again later."
        )


class PublishedVocabulary:
    """Stands in for the one class that the published pickles name; holds its two fields and does nothing."""

    word2idx: dict[str, int]
    idx2word: dict[int, list[str]]

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the two fields and nothing else."""
        self.word2idx, self.idx2word = dict(state["word2idx"]), dict(state["idx2word"])


class _AllowListUnpickler(pickle.Unpickler):
    """Builds plain values and `PublishedVocabulary`, and refuses every other name."""

    def find_class(self, module: str, name: str) -> type:
        if (module, name) == ("inv_cooking.datasets.vocabulary", "Vocabulary"):
            return PublishedVocabulary
        raise DataError(f"names {module}.{name}, which a data file has no business with")

    def persistent_load(self, pid: object) -> object:
        raise DataError("refers to outside objects, which a data file has no business with")


def _check_memo(path: Path) -> None:
    """Refuse a file whose few bytes would make the unpickler reserve gigabytes."""
    with path.open("rb") as file:
        for operation, argument, position in pickletools.genops(file):
            if operation.name in {"PUT", "BINPUT", "LONG_BINPUT"} and int(argument or 0) > (position or 0):
                raise DataError("asks for more memory than it has reason to")


def read_pickle(path: Path) -> Any:
    """Read one of the benchmark's published pickles; whatever else the file tries is refused."""
    try:
        if path.stat().st_size > _MAX_PICKLE:
            raise DataError("is far larger than any published file")
        if sha256_of(path) not in {file.sha256 for file in FILES}:
            _check_memo(path)
        with path.open("rb") as file:
            return _AllowListUnpickler(file).load()
    except DataError as error:
        problem = str(error)
    except OSError as error:
        raise DataError(
            f"Cannot read {path} ({error.strerror or error}); check the path and its permissions."
        ) from None
    except Exception:  # broken pickles raise nearly anything: EOFError, KeyError, MemoryError, UnicodeDecodeError...
        problem = "is cut short or altered"
    raise DataError(f"Refusing {path.name}: it {problem}; run `swapchef data verify`, then `swapchef data fetch`.")
