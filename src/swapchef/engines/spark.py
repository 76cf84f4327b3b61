"""The Spark engine: partitioned Parquet in, `mapInPandas` over the same pure functions, partitioned Parquet out.

Rows travel as JSON text, one column, so that a row is the same dictionary here as in the other engine. What a batch
counted leaves it as one row more, under the partition `report`: counts then are as exact as the results when a task has
to be done twice, which accumulators are not. Everything that Java prints goes to a file.
"""

import atexit
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swapchef.engines.local import BatchResult
from swapchef.errors import DataError, SwapchefError
from swapchef.sources import atomic_path

if TYPE_CHECKING:
    import pyarrow
    from pandas import DataFrame as PandasFrame
    from pyspark.sql import DataFrame, SparkSession

Row = dict[str, Any]
Work = Callable[[list[Row]], BatchResult]
REPORT = "report"  # the partition of counts
_ROWS_A_PART = 5_000
_READABLE_TYPES = ("string", "int", "bigint", "smallint", "tinyint", "array", "struct")  # as JSON, by any reader


@contextmanager
def spark_session(master: str, processes: int, log: Path) -> Iterator["SparkSession"]:
    """Give a Spark session: the active one, or one of our own on this machine or at the address of a master."""
    _check_installed()
    from pyspark.sql import SparkSession

    if active := SparkSession.getActiveSession():
        yield active
        return
    folder = _local_folder()
    settings: dict[str, bool | float | int | str | None] = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": folder,
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "400",
        "spark.sql.session.timeZone": "UTC",
    }
    if not master:  # a task whose worker was killed is tried again, as on a cluster
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        settings["spark.sql.shuffle.partitions"] = str(2 * processes)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("swapchef").master(master or f"local[{processes},4]")
    with _readable_errors("start", log), _stderr_to(log):  # Java inherits where standard error goes
        session = builder.config(map=settings).getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.stop()


@cache
def _local_folder() -> str:
    """Return this process's folder for Spark's files; one for all sessions, for Spark keeps its first one."""
    folder = tempfile.mkdtemp(prefix="swapchef-spark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _check_installed() -> None:
    if not (find_spec("pandas") and find_spec("pyspark")):
        raise SwapchefError(
            "The spark engine needs PySpark; install it with `pip install swapchef[spark]`, or use --engine local."
        )
    home = os.environ.get("JAVA_HOME")
    if not shutil.which("java", path=f"{home}/bin" if home else None):
        raise SwapchefError(
            "The spark engine needs Java 17 or newer; install it "
            "(on Debian `apt-get install default-jre-headless`), or use --engine local."
        )


@contextmanager
def _stderr_to(log: Path) -> Iterator[None]:
    log.parent.mkdir(parents=True, exist_ok=True)
    sys.stderr.flush()
    original = os.dup(2)
    try:
        with log.open("ab") as file:
            os.dup2(file.fileno(), 2)
        yield
    finally:
        sys.stderr.flush()
        os.dup2(original, 2)
        os.close(original)


def run_spark(
    session: "SparkSession",
    rows: "DataFrame",
    work: Work,
    schema: "pyarrow.Schema",
    out: Path,
    partition: str,
) -> Counter[str]:
    """Run `work` on rows, write its rows as Parquet with a folder for each value of a column, and return the counts."""
    results = rows.mapInPandas(_over_frames(work, [*schema.names, "counts"], partition), _spark_schema(schema))
    with _readable_errors(f"write {out}"):
        results.write.mode("overwrite").partitionBy(partition).parquet(str(out))
        reports = session.read.parquet(str(out)).where(f"{partition} = '{REPORT}'").select("counts").collect()
    return sum((Counter(json.loads(report[0])) for report in reports), Counter())


def _spark_schema(schema: "pyarrow.Schema") -> Any:
    import pyarrow
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(schema.append(pyarrow.field("counts", pyarrow.string())))


def _over_frames(
    work: Work, columns: list[str], partition: str
) -> "Callable[[Iterable[PandasFrame]], Iterator[PandasFrame]]":
    def over_frames(frames: "Iterable[PandasFrame]") -> "Iterator[PandasFrame]":
        from pandas import DataFrame

        for frame in frames:
            results, counts = work([json.loads(text) for text in frame["row"]])
            report = {partition: REPORT, "counts": json.dumps(counts)}
            cells = [[row.get(column) for column in columns] for row in (*results, report)]
            yield DataFrame(cells, columns=columns, dtype=object)

    return over_frames


def summed(
    session: "SparkSession", folders: Sequence[Path], where: str, by: Sequence[str], count: str
) -> "pyarrow.Table":
    """Add up a column of what `run_spark` wrote, for each value of others."""
    from pyspark.sql import functions

    with _readable_errors(f"read {folders[0]}"):
        frame = session.read.parquet(*map(str, folders)).where(where)
        return frame.groupBy(*by).agg(functions.sum(count).alias(count)).toArrow()


def parquet_rows(session: "SparkSession", path: Path, columns: Sequence[str]) -> "DataFrame":
    """Read columns of a Parquet file or folder as JSON text, one row a line; Spark reads in parallel."""
    from pyspark.sql import functions

    with _readable_errors(f"read {path}"):
        frame = session.read.parquet(str(path))
    types = {name: type.split("<")[0] for name, type in frame.dtypes}
    readable = [name for name in columns if types.get(name) in _READABLE_TYPES]
    row = functions.to_json(functions.struct(*readable)) if readable else functions.lit("{}")
    return frame.select(row.alias("row"))


def staged_rows(session: "SparkSession", rows: Iterable[Row], folder: Path) -> "DataFrame":
    """Write rows that Spark cannot read by itself (loose CSV, web pages) to Parquet parts, and read those."""
    import pyarrow
    from pyarrow import parquet

    stream = iter(rows)
    shutil.rmtree(folder, ignore_errors=True)
    schema = pyarrow.schema([("row", pyarrow.string())])
    number = 0
    while (texts := [json.dumps(row) for row in islice(stream, _ROWS_A_PART)]) or number == 0:
        with atomic_path(folder / f"part-{number:05d}.parquet") as temporary:
            parquet.write_table(pyarrow.table({"row": texts}, schema), temporary)
        number += 1
    return session.read.parquet(str(folder))


@contextmanager
def _readable_errors(action: str, log: Path | None = None) -> Iterator[None]:
    """Turn an exception of Spark into one sentence that says which action failed."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        reason = next(iter(str(error).splitlines()), "") or type(error).__name__
        raise DataError(f"Spark could not {action} ({reason[:200]}); {log or 'spark.log'} tells more.") from None
