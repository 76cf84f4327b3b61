"""Count pairs of ingredients, names or anything else over collections of recipes, on any engine.

The work gives rows of keys and a `count`; rows of the same keys add up. Spark adds them up itself; elsewhere they come
batch by batch.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from swapchef.engines import BatchResult, EngineSettings, run_local
from swapchef.mining.inputs import INGREDIENTS, is_parquet, read_rows
from swapchef.recipes.records import read_records

Row = dict[str, Any]
_BATCH = 1_000  # recipes


def counted_rows(
    paths: Sequence[Path],
    work: Callable[[list[Row]], BatchResult],
    keys: dict[str, type],
    settings: EngineSettings,
    counts: Counter[str],
    progress: Callable[[int], None] = lambda _: None,
) -> Iterator[list[Row]]:
    """Yield rows of keys and counts for collections (JSONL, JSON, CSV or Parquet).

    What else the work counted is added to `counts`.
    """
    if settings.engine == "spark":
        yield _on_spark(paths, work, keys, settings, counts)
        return
    for rows, batch_counts in run_local(_records(paths, counts), work, _BATCH, settings.processes):
        counts += batch_counts
        progress(batch_counts["records"])
        yield rows


def _on_spark(
    paths: Sequence[Path],
    work: Callable[[list[Row]], BatchResult],
    keys: dict[str, type],
    settings: EngineSettings,
    counts: Counter[str],
) -> list[Row]:
    import pyarrow

    from swapchef.engines import spark

    columns = {"kind": str, **keys, "count": int}
    schema = pyarrow.schema(
        [(name, pyarrow.string() if type is str else pyarrow.int64()) for name, type in columns.items()]
    )
    folder = Path(tempfile.mkdtemp(prefix="swapchef-counts-"))
    try:
        with spark.spark_session(settings.master, settings.processes, folder / "spark.log") as session:
            frames = [spark.parquet_rows(session, path, INGREDIENTS) for path in paths if is_parquet(path)]
            others = [path for path in paths if not is_parquet(path)]
            if others:
                frames.append(spark.staged_rows(session, _records(others, counts), folder / "rows"))
            parts = [folder / "counts" / str(number) for number in range(len(frames))]
            for frame, part in zip(frames, parts, strict=True):
                counts += spark.run_spark(session, frame, _WithKind(work), schema, part, "kind")
            rows: list[Row] = spark.summed(session, parts, "kind = 'row'", list(keys), "count").to_pylist()
            return rows
    finally:
        shutil.rmtree(folder)


class _WithKind:
    """Work whose rows have a kind, by which Spark tells them from its reports."""

    def __init__(self, work: Callable[[list[Row]], BatchResult]) -> None:
        self._work = work

    def __call__(self, rows: list[Row]) -> BatchResult:
        results, counts = self._work(rows)
        return [{"kind": "row", **row} for row in results], counts


def _records(paths: Sequence[Path], counts: Counter[str]) -> Iterator[Row]:
    for path in paths:
        is_table = is_parquet(path) or ".csv" in path.suffixes
        yield from read_rows(path, counts) if is_table else read_records(path)
