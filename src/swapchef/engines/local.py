"""The local engine: batches in order, in this process or in a pool of worker processes, with finished parts on disk.

A worker that is killed (by the system for want of memory, say) takes its batch with it: the pool is built anew and the
batch is done again. When the whole run is killed its workers notice and end, and the next run goes on after the parts
that are there.
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
BatchResult = tuple[list[dict[str, Any]], Counter[str]]  # rows, and how often what happened
_NumberedBatch = tuple[int, list[Item]]
_NumberedResult = tuple[int, BatchResult, bool]  # the number of a batch, its result, and whether that is new
_MAX_POOL_FAILURES = 3  # times in a row that workers may die before anything more is finished
_BATCHES_A_PROCESS = 4  # in memory at once


class Parts:
    """A folder with the result of each finished batch, one file each; a file is there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:07d}.json"

    def read(self, number: int) -> BatchResult | None:
        """Return the result of a batch, if it was finished."""
        try:
            part = json.loads(self._path(number).read_text(encoding="utf-8"))
            return part["rows"], Counter(part["counts"])
        except (OSError, ValueError, KeyError):
            return None

    def write(self, number: int, result: BatchResult) -> None:
        """Write the result of a batch."""
        rows, counts = result
        with atomic_path(self._path(number)) as temporary:
            temporary.write_text(json.dumps({"rows": rows, "counts": counts}, ensure_ascii=False), encoding="utf-8")

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of all parts."""
        for part in sorted(self.folder.glob("[0-9]*.json")):
            yield from json.loads(part.read_text(encoding="utf-8"))["rows"]


def run_local(
    items: Iterable[Item],
    work: Callable[[list[Item]], BatchResult],
    batch: int,
    processes: int = 1,
    parts: Parts | None = None,
) -> Iterator[BatchResult]:
    """Run `work` on batches of items and yield each result, in order; only a few batches are in memory at once."""
    batches = enumerate(_batches(items, batch))
    results = _in_this_process(batches, work, parts) if processes == 1 else _in_pool(batches, work, processes, parts)
    for number, result, is_new in results:
        if parts and is_new:
            parts.write(number, result)
        yield result


def _batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


def _in_this_process(
    batches: Iterable[_NumberedBatch[Item]], work: Callable[[list[Item]], BatchResult], parts: Parts | None
) -> Iterator[_NumberedResult]:
    for number, batch in batches:
        finished = parts.read(number) if parts else None
        yield number, finished or work(batch), finished is None


def _in_pool(
    batches: Iterator[_NumberedBatch[Item]],
    work: Callable[[list[Item]], BatchResult],
    processes: int,
    parts: Parts | None,
) -> Iterator[_NumberedResult]:
    pool, failures = _start_pool(processes, work), 0
    try:
        while chunk := list(islice(batches, _BATCHES_A_PROCESS * processes)):
            results = {number: result for number, _ in chunk if parts and (result := parts.read(number))}
            on_disk = set(results)
            while missing := [(number, batch) for number, batch in chunk if number not in results]:
                finished_before = len(results)
                if _run_batches(pool, missing, results):
                    continue
                failures = 1 if len(results) > finished_before else failures + 1
                pool.shutdown(wait=False, cancel_futures=True)
                if failures >= _MAX_POOL_FAILURES:
                    raise DataError(
                        "A worker process was killed again and again, perhaps for want of memory; "
                        "run it again with fewer processes: what is finished is kept."
                    )
                pool = _start_pool(processes, work)
            for number, _ in chunk:
                yield number, results[number], number not in on_disk
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _run_batches(
    pool: ProcessPoolExecutor, missing: list[_NumberedBatch[Item]], results: dict[int, BatchResult]
) -> bool:
    """Add the results of the batches that finish to `results`, and return whether no worker died."""
    futures: list[tuple[int, Future[BatchResult]]] = []
    is_alive = True
    try:
        futures = [(number, pool.submit(_run_in_worker, batch)) for number, batch in missing]
    except BrokenProcessPool:
        is_alive = False
    for number, future in futures:
        try:
            results[number] = future.result()
        except BrokenProcessPool:
            is_alive = False
    return is_alive


def _start_pool(processes: int, work: Callable[[list[Item]], BatchResult]) -> ProcessPoolExecutor:
    """Start workers, each of which is sent the function once; spawned, because this process may have threads."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, context, initializer=_start_worker, initargs=(work,))


_worker_function: Callable[[list[Any]], BatchResult] | None = None  # set in worker processes only


def _start_worker(work: Callable[[list[Any]], BatchResult]) -> None:
    global _worker_function
    _worker_function = work
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """End this worker when the process that started it is gone; a pool does not do so by itself."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _run_in_worker(batch: list[Any]) -> BatchResult:
    if _worker_function is None:
        raise RuntimeError("A worker got a batch before the function to run on it.")
    return _worker_function(batch)
