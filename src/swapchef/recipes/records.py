"""Collections of recipes: one JSON object after another from JSONL or from one huge JSON array, plain or gzipped.

Reads in constant memory, so Recipe1M's 1.3 GB `layer1.json` streams like any JSONL file.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from swapchef.errors import DataError

_CHUNK = 1 << 20
_MAX_RECORD = 32 << 20  # characters; a record longer than this is not a recipe


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield each object of a `.jsonl`, `.json`, `.jsonl.gz` or `.json.gz` file."""
    try:
        with _open(path) as file:
            first = file.read(1)
            file.seek(0)
            yield from _array(file, path) if first == "[" else _lines(file, path)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise DataError(f"Cannot read {path.name}: {error}; check the file and fetch it again.") from None


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def _lines(file: IO[str], path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise DataError(f"Line {number} of {path.name} is not JSON; mend or remove that line.") from None
        yield _checked(record, path)


def _array(file: IO[str], path: Path) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    buffer, position = file.read(_CHUNK), 1
    while True:
        while position < len(buffer) and buffer[position] in " \t\r\n,":
            position += 1
        if position < len(buffer) and buffer[position] == "]":
            return
        try:
            record, position = decoder.raw_decode(buffer, position)
        except (ValueError, RecursionError):
            more = file.read(_CHUNK)
            if not more or len(buffer) - position > _MAX_RECORD:
                raise DataError(
                    f"{path.name} ends in the middle of a record or holds broken JSON; fetch it again."
                ) from None
            buffer, position = buffer[position:] + more, 0
            continue
        yield _checked(record, path)


def _checked(record: object, path: Path) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise DataError(f"{path.name} holds something else than recipe objects; pass JSON objects, one per recipe.")
    return record
