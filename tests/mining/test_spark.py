"""Spark mines what the local engine mines, byte for byte, from every kind of file; a missing part is an error."""

import csv
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pyarrow
import pyarrow.compute
import pytest
from pyarrow import parquet
from scipy.sparse import load_npz

from swapchef.engines import EngineSettings
from swapchef.mining.names import build_vocabulary, write_report
from swapchef.mining.pairs import count_collection
from swapchef.mining.pipeline import mine

LACKING = [
    name
    for name, available in {
        "pyspark": find_spec("pyspark"),
        "pandas": find_spec("pandas"),
        "Java": shutil.which("java") or os.environ.get("JAVA_HOME"),
    }.items()
    if not available
]
needs_spark = pytest.mark.skipif(
    bool(LACKING), reason=f"the spark engine needs {' and '.join(LACKING)}, which is not installed here"
)

# Java that lives for seconds should not spend them on compiling well.
QUICK_JAVA = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
COMMENTS = [
    "I used honey instead of sugar, and it came out dry.",
    "Can I use oil instead of butter?",
    "Didn't have eggs so I used 1/2 cup applesauce. I replaced the butter with <b>margarine</b> &amp; it was great!",
    "Nice.",
]
ROWS = [
    {"id": f"r{n}", "ingredients": ["1 cup sugar", "2 eggs", "1/2 cup butter"], "comments": COMMENTS[n % 3 :]}
    for n in range(1_000)
]
COUNTED = ("pairs.jsonl", "parts")
BROKEN = ["{not json", "[1]", {"comments": ["x"]}, {"id": "half \ud83d", "comments": [None, "", COMMENTS[0]]}]
SCRIPT = """
import json, os, signal, sys
from collections import Counter
from pathlib import Path
import pyarrow
from swapchef.engines import EngineSettings
from swapchef.engines.spark import run_spark, spark_session, staged_rows
from swapchef.mining.names import build_vocabulary, write_report
from swapchef.mining.pairs import count_collection
from swapchef.mining.pipeline import mine
from scipy.sparse import save_npz
def on_spark(recipes, reviews, mode, out):
    settings = EngineSettings("spark", processes=2)
    mine(recipes and Path(recipes), Path(reviews), mode, Path(out), settings, {"r1": "test"})
def killed_once(rows):
    if not Path("killed").exists():
        Path("killed").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return [{"kind": "row", "n": row["n"]} for row in rows], Counter(rows=len(rows))
first, *others = json.loads(sys.argv[1])
on_spark(*first)
# The other jobs share this session, because starting workers takes long.
with spark_session("", 2, Path(first[-1]) / "spark.log") as session:
    for job in others:
        on_spark(*job)
    for source in sys.argv[2:]:
        counted, counts = count_collection([Path(source)], EngineSettings("spark", processes=2))
        save_npz(f"{source}.npz", counted)
        Path(f"{source}.counts").write_text(json.dumps(counts))
    built, _ = build_vocabulary([Path(sys.argv[2])], 5, EngineSettings("spark", processes=2))
    write_report(built, Path("names.csv"))
    rows = staged_rows(session, ({"n": n} for n in range(1000)), Path("killed_in"))
    schema = pyarrow.schema([("kind", pyarrow.string()), ("n", pyarrow.int64())])
    counts = run_spark(session, rows, killed_once, schema, Path("killed_out"), "kind")
    Path("killed").write_text(json.dumps(counts))
"""


def write_inputs(folder: Path) -> dict[str, tuple[Path | None, Path]]:
    """Write the same reviews in every way they may come, and return recipes and reviews of each."""
    jsonl = folder / "in.jsonl"
    jsonl.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in [*BROKEN, *ROWS]))
    (folder / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    table = pyarrow.Table.from_pylist(ROWS)
    parquet.write_table(table, folder / "in.parquet")
    parquet.write_to_dataset(
        table.append_column("site", [[f"s{n % 3}" for n in range(len(ROWS))]]), folder / "parts", ["site"]
    )
    with (folder / "recipes.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "ingredients"], *([row["id"], row["ingredients"]] for row in ROWS)])
    with (folder / "reviews.csv").open("w", newline="") as file:
        reviews = ([row["id"], number, text] for row in ROWS for number, text in enumerate(row["comments"]))
        csv.writer(file).writerows([["recipe_id", "review_id", "review"], *reviews])
    return {
        "jsonl": (None, jsonl),
        "parquet": (None, folder / "in.parquet"),
        "parts": (None, folder / "parts"),
        "csv": (folder / "recipes.csv", folder / "reviews.csv"),
    }


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Mine every input in both modes with both engines; Spark in a process of its own, as it starts Java once."""
    folder = tmp_path_factory.mktemp("spark")
    jobs = [
        (recipes, reviews, mode, f"{kind}-{mode}")
        for kind, (recipes, reviews) in write_inputs(folder).items()
        for mode in ("paper", "better")
    ]
    for recipes, reviews, mode, name in jobs:
        mine(recipes, reviews, mode, folder / "local" / name, splits={"r1": "test"})
    on_spark = [(recipes, reviews, mode, folder / "spark" / name) for recipes, reviews, mode, name in jobs]
    (scratch := folder / "scratch").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(on_spark, default=str), *(str(folder / name) for name in COUNTED)],
        cwd=folder, env={**os.environ, **QUICK_JAVA, "TMPDIR": str(scratch)},
        capture_output=True, text=True, check=False, timeout=280,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stderr == "", "Spark is not quiet"
    return folder


@needs_spark
@pytest.mark.slow
@pytest.mark.parametrize("mode", ["paper", "better"])
@pytest.mark.parametrize("kind", ["jsonl", "parquet", "parts", "csv"])
def test_both_engines_give_the_same_bytes(mined: Path, kind: str, mode: str) -> None:
    local, spark = (mined / engine / f"{kind}-{mode}" for engine in ("local", "spark"))
    assert len((local / "tuples.jsonl").read_text().splitlines()) > 500
    for name in ("tuples.jsonl", "tuples.parquet"):
        assert (spark / name).read_bytes() == (local / name).read_bytes()
    assert json.loads((spark / "report.json").read_text()) == json.loads((local / "report.json").read_text())


@needs_spark
@pytest.mark.slow
def test_spark_leaves_a_folder_for_each_split_and_nothing_else(mined: Path) -> None:
    out = mined / "spark" / "jsonl-better"
    table = parquet.read_table(out / "tuples_by_split")
    assert set(table["split"].to_pylist()) == {"train", "val", "test", "report"}
    assert not (out / "rows").exists()
    assert not list((mined / "scratch").glob("swapchef-*"))
    assert {path.name for path in mined.iterdir()} == {
        "in.jsonl", "in.parquet", "pairs.jsonl", "parts", "recipes.csv", "reviews.csv", "local", "spark", "scratch",
        "names.csv", "killed", "killed_in", "killed_out",
        *(f"{name}.{end}" for name in COUNTED for end in ("npz", "counts")),
    }  # fmt: skip


@needs_spark
@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTED)
def test_pairs_are_counted_the_same(mined: Path, name: str) -> None:
    counted, counts = count_collection([mined / name], EngineSettings())
    assert counted.nnz == 6  # three ingredients, and their pairs
    assert (counted != load_npz(mined / f"{name}.npz")).nnz == 0
    assert json.loads((mined / f"{name}.counts").read_text()) == counts


@needs_spark
@pytest.mark.slow
def test_names_are_counted_the_same(mined: Path, tmp_path: Path) -> None:
    built, _ = build_vocabulary([mined / COUNTED[0]], 5)
    assert built.vocabulary.names == ("butter", "eggs", "sugar")
    write_report(built, tmp_path / "names.csv")
    assert (mined / "names.csv").read_bytes() == (tmp_path / "names.csv").read_bytes()


@needs_spark
@pytest.mark.slow
def test_a_killed_worker_loses_nothing(mined: Path) -> None:
    assert json.loads((mined / "killed").read_text()) == {"rows": 1000}
    stored = parquet.read_table(mined / "killed_out").filter(pyarrow.compute.field("kind") == "row")
    assert sorted(stored["n"].to_pylist()) == list(range(1000))
    assert "Python worker exited unexpectedly" in (mined / "spark" / "jsonl-paper" / "spark.log").read_text()


def run(*words: str, env: dict[str, str] | None = None, code: str = "") -> str:
    """Run the command line, which must fail in one sentence, and return it."""
    command = [sys.executable, "-c", f"{code}\nfrom swapchef.cli import main; main()", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **QUICK_JAVA, **(env or {})}, check=False
    )
    assert done.returncode == 2, done.stderr
    (sentence,) = done.stderr.strip().splitlines()
    return sentence


def test_what_spark_lacks_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps(ROWS[0]))
    words = ["mine", "--reviews", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "out"), "--engine"]
    assert "did you mean local or spark" in run(*words, "sparc")
    assert not (tmp_path / "out").exists()
    assert "swapchef[spark]" in run(*words, "spark", code="import sys; sys.modules['pyspark'] = None")


@pytest.mark.skipif(find_spec("pyspark") is None, reason="PySpark is not installed here")
def test_missing_java_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps(ROWS[0]))
    words = ["mine", "--reviews", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "out"), "--engine", "spark"]
    assert "Java 17" in run(*words, env={"PATH": str(tmp_path), "JAVA_HOME": ""})
    assert "Java 17" in run(*words, env={"JAVA_HOME": str(tmp_path)})


@needs_spark
@pytest.mark.slow
def test_a_master_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps(ROWS[0]))
    words = ["mine", "--reviews", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "out"), "--engine", "spark"]
    assert "Spark could not start" in run(*words, "--master", "nonsense://nowhere")
