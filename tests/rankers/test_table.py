"""The whole table: every ranker has a row, with figures or with what it lacks."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file
from typer.testing import CliRunner

from swapchef.benchmark import Benchmark
from swapchef.cli.app import app
from swapchef.errors import DataError
from swapchef.plots import plot_results
from swapchef.rankers import RANKERS, STATISTICS
from swapchef.rankers.runs import train_ranker
from swapchef.rankers.table import PUBLISHED, contestants, finished_runs, measure_table, write_table
from swapchef.training import CHECKPOINT
from tests.conftest import KITCHEN
from tests.rankers.kitchen import given, small_settings

TRAINED = ("food2vec", "foodbert", "r-foodbert", "node2vec", "pinsage", "gismo")


@pytest.fixture(scope="module")
def runs(tiny_kitchen: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of each of some rankers, two of node2vec, and an unfinished one."""
    folder: Path = tmp_path_factory.mktemp("runs")
    for name in TRAINED:
        seeds = (0, 1) if name == "node2vec" else (0,)
        for seed in seeds:
            run = folder / name / f"{name}-{seed}" if len(seeds) > 1 else folder / name
            train_ranker(RANKERS[name], small_settings(name, seed), tiny_kitchen, given(name), run)
    (folder / "fusion").mkdir()
    (folder / "fusion" / CHECKPOINT).write_bytes(b"half way")
    return folder


@pytest.fixture(autouse=True)
def no_published_vectors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SWAPCHEF_DATA", str(tmp_path / "empty"))


def test_the_table_has_the_fifteen_rows_and_every_published_figure_belongs_to_one() -> None:
    assert len(RANKERS) == 15
    assert PUBLISHED.keys() <= RANKERS.keys()


def test_a_run_leaves_all_its_files_and_what_it_cost(runs: Path) -> None:
    for name in TRAINED:
        (first, *_) = finished_runs(runs, name)
        files = {"config.json", "weights.safetensors", "metrics.json", "log.csv", "curve.png", "vocabulary.json"}
        assert files <= {path.name for path in first.iterdir()}, name
        assert not (first / CHECKPOINT).exists()
        metrics = json.loads((first / "metrics.json").read_text())
        assert metrics["parameters"] > 0
        assert ("weights" in metrics) == (name in {"foodbert", "r-foodbert"})


def test_parameters_are_what_was_trained(runs: Path) -> None:
    stored = json.loads((runs / "node2vec/node2vec-0/metrics.json").read_text())["parameters"]
    arrays = load_file(runs / "node2vec/node2vec-0/weights.safetensors")
    nodes = len(arrays["vectors"]) + len(arrays["compounds"])
    assert stored == 2 * nodes * arrays["vectors"].shape[1]  # vectors, and those of neighbours


def test_every_ranker_has_figures_or_a_sentence(runs: Path, tiny_kitchen: Benchmark) -> None:
    rows = {row.ranker: row for row in measure_table(tiny_kitchen, "val", "paper", runs, seeds=3)}
    assert list(rows) == list(RANKERS)
    lacking = {name for name, row in rows.items() if row.missing}
    assert lacking == set(RANKERS) - set(STATISTICS) - set(TRAINED)
    assert f"swapchef train fusion --out {runs / 'fusion'}" in rows["fusion"].missing
    assert (
        "metapath2vec" in rows["metapath2vec-published"].missing
        or "data fetch" in rows["metapath2vec-published"].missing
    )
    assert [len(rows[name].results) for name in ("random", "lt", "node2vec")] == [3, 1, 2]
    assert rows["foodbert"].results[0].ranker == f"foodbert ({rows['foodbert'].weights})"
    told = rows["lt+freq"].as_json()
    assert told["mrr"] == 100 * 1.0
    assert told["published_mrr"] == PUBLISHED["lt+freq"].mrr
    assert "published_mrr" not in rows["node2vec"].as_json()


def test_the_table_is_written_and_drawn(runs: Path, tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    rows = list(measure_table(tiny_kitchen, "val", "paper", runs))
    write_table(rows, tmp_path / "table.csv", "val", "paper", "tiny")
    plot_results([row.as_json() for row in rows if row.results], tmp_path / "table.png", "val", "paper")
    with (tmp_path / "table.csv").open(encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    assert [row["ranker"] for row in read] == list(RANKERS)
    assert {row["mrr"] == "" for row in read if row["missing"]} == {True}
    assert (tmp_path / "table.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(DataError, match="name another file"):
        write_table(rows, Path("/proc/nowhere/table.csv"), "val", "paper", "tiny")


def test_a_run_with_other_settings_is_no_seed(runs: Path, tmp_path: Path) -> None:
    ours = tmp_path / "node2vec"
    shutil.copytree(runs / "node2vec" / "node2vec-1", ours / "node2vec-1")
    shutil.copytree(runs / "node2vec" / "node2vec-1", ours / "node2vec-3-epochs-0")
    assert finished_runs(tmp_path, "node2vec") == [ours / "node2vec-1"]


def test_a_name_stands_for_its_finished_runs_and_a_folder_for_what_it_holds(runs: Path) -> None:
    assert [one.seed for one in contestants("node2vec", 1, runs)] == [0, 1]
    (single,) = contestants(str(runs / "node2vec" / "node2vec-1"), 1, runs)
    assert (single.seed, single.trained) == (1, True)
    assert [one.seed for one in contestants(str(runs / "node2vec"), 1, runs)] == [0, 1]  # as `train --seeds` leaves it
    with pytest.raises(DataError, match="swapchef train fusion"):
        contestants("fusion", 1, runs)


def invoke(kitchen: Benchmark, monkeypatch: pytest.MonkeyPatch, *words: str) -> Any:
    monkeypatch.setattr("swapchef.benchmark.load_benchmark", lambda: kitchen)
    return CliRunner().invoke(app, ["benchmark", *words])


def test_the_command_prints_the_table_and_what_is_missing(
    runs: Path, tiny_kitchen: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = invoke(tiny_kitchen, monkeypatch, "--all", "--split", "val", "--runs", str(runs))
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert (
        next(line for line in lines if line.strip().startswith("pinsage")).split()[2]
        == f"{PUBLISHED['pinsage'].mrr:.2f}"
    )
    assert sum("has no finished run" in line for line in done.stdout.replace("\n", " ").split(". ")) >= 1
    assert "foodbert started from the weights" in done.stdout


def test_the_command_prints_json_and_measures_runs_by_name(
    runs: Path, tiny_kitchen: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = invoke(tiny_kitchen, monkeypatch, "--all", "--split", "val", "--runs", str(runs), "--json")
    assert [row["ranker"] for row in json.loads(done.stdout)["rows"]] == list(RANKERS)
    done = invoke(tiny_kitchen, monkeypatch, "node2vec", "--split", "val", "--runs", str(runs), "--json")
    results = json.loads(done.stdout)["results"]
    assert [result["seed"] for result in results] == [0, 1]
    assert np.mean([result["mrr"] for result in results]) > 100 / len(KITCHEN)
    both = invoke(tiny_kitchen, monkeypatch, "lt", "--all")
    assert "not both" in str(both.exception)
