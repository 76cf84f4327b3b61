"""Work on this machine: batches in order, in this process or in several, with finished parts kept.

A worker that is killed (by the system for want of memory, say) takes its batch with it: the pool is built anew and the batch is
done again. When the whole run is killed its workers notice and end, and the next run goes on after the parts that are there.
"""

import json
import multiprocessing
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, TypeVar

from swapchef.errors import DataError
from swapchef.sources import atomic_path

Item = TypeVar("Item")
Found = tuple[list[dict[str, Any]], Counter[str]]
_Numbered = tuple[int, list[Item]]
_TRIES = 3  # times in a row that workers may die before anything more is finished


class Parts:
    """A folder with what each finished batch gave; a part is there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:07d}.json"

    def read(self, number: int) -> Found | None:
        """Return a part that was finished, if it was."""
        try:
            part = json.loads(self._path(number).read_text(encoding="utf-8"))
            return part["rows"], Counter(part["counts"])
        except (OSError, ValueError, KeyError):
            return None

    def write(self, number: int, found: Found) -> None:
        """Keep a part."""
        with atomic_path(self._path(number)) as temporary:
            temporary.write_text(
                json.dumps({"rows": found[0], "counts": found[1]}, ensure_ascii=False), encoding="utf-8"
            )

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of all parts."""
        for part in sorted(self.folder.glob("[0-9]*.json")):
            yield from json.loads(part.read_text(encoding="utf-8"))["rows"]


def run_local(
    items: Iterable[Item],
    work: Callable[[list[Item]], Found],
    batch: int,
    processes: int = 1,
    parts: Parts | None = None,
) -> Iterator[Found]:
    """Do some work on batches of items and yield what each gives, in order; a few at a time, so that memory stays flat."""
    batches = enumerate(_batches(items, batch))
    do = _in_this_process(batches, work, parts) if processes == 1 else _in_several(batches, work, processes, parts)
    for number, found, is_new in do:
        if parts and is_new:
            parts.write(number, found)
        yield found


def _batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


def _in_this_process(
    batches: Iterable[_Numbered[Item]], work: Callable[[list[Item]], Found], parts: Parts | None
) -> Iterator[tuple[int, Found, bool]]:
    for number, batch in batches:
        done = parts.read(number) if parts else None
        yield number, done or work(batch), done is None


def _in_several(
    batches: Iterator[_Numbered[Item]], work: Callable[[list[Item]], Found], processes: int, parts: Parts | None
) -> Iterator[tuple[int, Found, bool]]:
    pool, deaths = _pool(processes, work), 0
    try:
        while chunk := list(islice(batches, 4 * processes)):
            done = {number: found for number, _ in chunk if parts and (found := parts.read(number))}
            known = set(done)
            while missing := [(number, batch) for number, batch in chunk if number not in done]:
                before = len(done)
                if _finish(pool, missing, done):
                    continue
                deaths = 1 if len(done) > before else deaths + 1
                pool.shutdown(wait=False, cancel_futures=True)
                if deaths >= _TRIES:
                    raise DataError(
                        "A worker process was killed again and again, perhaps for want of memory; "
                        "run it again with fewer processes: what is finished is kept."
                    )
                pool = _pool(processes, work)
            for number, _ in chunk:
                yield number, done[number], number not in known
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _finish(pool: ProcessPoolExecutor, missing: list[_Numbered[Item]], done: dict[int, Found]) -> bool:
    """Put into `done` what the workers finish, and say whether all of them lived to do so."""
    jobs: list[tuple[int, Future[Found]]] = []
    alive = True
    try:
        jobs = [(number, pool.submit(_work_here, batch)) for number, batch in missing]
    except BrokenProcessPool:
        alive = False
    for number, job in jobs:
        try:
            done[number] = job.result()
        except BrokenProcessPool:
            alive = False
    return alive


def _pool(processes: int, work: Callable[[list[Item]], Found]) -> ProcessPoolExecutor:
    """Start workers, each of which is handed the work once; spawned, because this process may have threads."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, context, initializer=_take, initargs=(work,))


_taken: Callable[[list[Any]], Found] | None = None  # a worker's work


def _take(work: Callable[[list[Any]], Found]) -> None:
    global _taken
    _taken = work
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this worker when the process that started it is gone: nobody else would tell it to."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _work_here(batch: list[Any]) -> Found:
    if _taken is None:
        raise RuntimeError("A worker was asked to work before it was told what to do.")
    return _taken(batch)
