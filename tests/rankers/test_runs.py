"""A run refuses settings that cannot be before it begins, and a search goes on where it was killed."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from swapchef.benchmark import Benchmark
from swapchef.errors import DataError, SwapchefError
from swapchef.foods.matching import Vocabulary
from swapchef.graph import Graph, Nodes
from swapchef.rankers import runs
from swapchef.rankers.embeddings import Food2Vec
from swapchef.rankers.foodbert import FoodBERT
from swapchef.rankers.gismo_ranker import GISMoRanker
from swapchef.rankers.runs import search_settings, train_run
from swapchef.rankers.statistics import LT
from swapchef.training import DivergedError
from tests.conftest import KITCHEN
from tests.rankers.kitchen import kitchen_graph


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"context": "titel"}, "'context' must be one of none, set, title, both, not 'titel'"),
        ({"negatives": "paper"}, "one of batch, uniform"),
        ({"aggregation": "max"}, "one of"),
        ({"epochs": 0}, "a whole number from 1 on"),
        ({"epochs": "2"}, "a whole number from 1 on, not '2'"),
        ({"epochs": True}, "a whole number"),
        ({"batch": 0}, "a whole number from 1 on"),
        ({"width": 1}, "a whole number from 2 on"),
        ({"layers": -1}, "a whole number from 0 on"),
        ({"dropout": 1.0}, "from 0 to just below 1"),
        ({"swap_probability": 1.5}, "from 0 to 1"),
        ({"learning_rate": 0}, "above 0"),
        ({"learning_rate": float("nan")}, "above 0"),
        ({"pull": -1e-4}, "from 0 on"),
        ({"fine_tune": "yes"}, "true or false"),
        ({"title_encoder": 7}, "a text"),
        ({"colour": "red"}, "'colour' is not a setting of gismo; these are: width"),
    ],
    ids=str,
)
def test_settings_that_cannot_be_are_refused_in_a_sentence(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(SwapchefError, match=r"^[^\n]+$") as error:
        GISMoRanker(**settings)
    assert problem in str(error.value)


def test_settings_at_the_edge_of_what_can_be_are_taken() -> None:
    edge = {"layers": 0, "dropout": 0, "swap_probability": 1.0, "seed": 0, "pull": 0.0, "patience": 0}
    assert GISMoRanker(**edge).config() == GISMoRanker().config() | edge


def test_a_run_says_what_is_wrong_before_it_reads_anything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def read() -> Benchmark:
        raise AssertionError("the benchmark was read")

    monkeypatch.setattr(runs, "load_benchmark", read)
    with pytest.raises(SwapchefError, match="'epochs' must be"):
        train_run(GISMoRanker, {"epochs": 0}, tmp_path)
    with pytest.raises(SwapchefError, match="needs no training"):
        train_run(LT, {}, tmp_path)
    with pytest.raises(SwapchefError, match="learns from no graph"):
        train_run(Food2Vec, {}, tmp_path, graph=[tmp_path / "edges.csv"])
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(SwapchefError, match="Search in one process"):
        train_run(GISMoRanker, {}, tmp_path, search=2)
    assert list(tmp_path.iterdir()) == []


def test_edges_of_ones_own_are_trained_on(
    tiny_kitchen: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[object] = []
    monkeypatch.setattr(runs, "load_benchmark", lambda: tiny_kitchen)
    monkeypatch.setattr(runs, "with_flavorgraph", lambda files: given.extend(files) or kitchen_graph())
    small = {"width": 8, "epochs": 1, "batch": 4}
    metrics = train_run(GISMoRanker, small, tmp_path / "run", graph=[tmp_path / "edges.csv"])
    assert given == [tmp_path / "edges.csv"]
    assert metrics["n"] == len(tiny_kitchen.val)
    assert (tmp_path / "run" / "weights.safetensors").exists()


def test_a_graph_without_edges_is_not_replaced(tiny_kitchen: Benchmark) -> None:
    n, no_ids = len(KITCHEN), np.zeros(0, np.int32)
    empty = Graph(
        Nodes(np.arange(n), tuple(KITCHEN), n), no_ids, no_ids, np.zeros(0, np.float32), np.zeros(0, np.uint8)
    )
    settings = {"width": 8, "epochs": 1, "batch": 4, "seed": 1}
    alone = GISMoRanker(**settings).fit(tiny_kitchen.train, tiny_kitchen.val, graph=empty)
    own = GISMoRanker(**settings).fit(tiny_kitchen.train, tiny_kitchen.val)
    assert not np.allclose(alone.arrays_["encoded"], own.arrays_["encoded"])


def test_a_run_does_not_go_on_as_another_model(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    def fit(run: str, graph: Graph | None = None, **settings: Any) -> None:
        kind = GISMoRanker(**{"width": 8, "epochs": 2, "batch": 4, **settings})
        kind.fit(tiny_kitchen.train, tiny_kitchen.val, run=tmp_path / run, graph=graph)

    fit("a")
    fit("a")  # the same goes on
    for other in ({"dropout": 0.5}, {"negatives": "uniform"}, {"aggregation": "sum"}, {"swap_probability": 0.5}):
        with pytest.raises(DataError, match="other settings"):
            fit("a", **other)
    nodes = kitchen_graph().nodes
    fit("b", kitchen_graph())
    with pytest.raises(DataError, match="other settings"):
        whole = kitchen_graph()
        fit("b", Graph(nodes, *(part[:2] for part in (whole.first, whole.second, whole.weight, whole.kind))))


def test_a_training_that_diverges_ends_in_a_sentence(tiny_kitchen: Benchmark) -> None:
    ranker = GISMoRanker(width=8, epochs=3, batch=4, learning_rate=1e30)
    with pytest.raises(SwapchefError, match="lower the learning rate"):
        ranker.fit(tiny_kitchen.train, tiny_kitchen.val)


class Search:
    """Stands in for training: notes what is tried, and may be killed in the middle of a trial."""

    def __init__(self, killed_in: int | None = None) -> None:
        self.tried: list[dict[str, Any]] = []
        self.folders: list[str] = []
        self.killed_in = killed_in

    def __call__(
        self, kind: object, settings: dict[str, Any], benchmark: object, given: object, folder: Path, **_: object
    ) -> dict[str, float]:
        self.tried.append(settings)
        self.folders.append(folder.name)
        if self.killed_in is not None and len(self.tried) > self.killed_in:
            raise KeyboardInterrupt
        return {"mrr": -abs(settings["learning_rate"] - 1e-3)}


def test_a_search_that_was_killed_goes_on(
    tiny_kitchen: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, again, second, third = Search(killed_in=1), Search(killed_in=0), Search(), Search()
    for training in (first, again, second, third):
        monkeypatch.setattr(runs, "train_ranker", training)
        try:
            best = search_settings(GISMoRanker, {"seed": 4}, tiny_kitchen, {}, 4, tmp_path)
        except KeyboardInterrupt:
            assert training in (first, again)
    assert len(first.tried) == 2
    assert second.tried[0] == again.tried[0] == first.tried[1]  # tried again, in its folder, where it can go on
    assert second.folders[0] == again.folders[0] == first.folders[1] == "trial-1"
    assert len(second.tried) == 3
    assert third.tried == []  # four are done
    rates = [tried["learning_rate"] for tried in [first.tried[0], *second.tried]]
    assert len(set(rates)) == 4
    assert best["learning_rate"] == min(rates, key=lambda rate: abs(rate - 1e-3))
    assert best["seed"] == 4


def test_a_search_of_one_that_was_killed_goes_on(
    tiny_kitchen: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "train_ranker", Search(killed_in=0))
    with pytest.raises(KeyboardInterrupt):
        search_settings(GISMoRanker, {}, tiny_kitchen, {}, 1, tmp_path)
    monkeypatch.setattr(runs, "train_ranker", Search())
    assert "learning_rate" in search_settings(GISMoRanker, {}, tiny_kitchen, {}, 1, tmp_path)


def test_settings_that_lead_astray_do_not_end_a_search(
    tiny_kitchen: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Search()

    def train(*arguments: Any, **options: Any) -> dict[str, float]:
        made = search(*arguments, **options)
        if len(search.tried) == 1:
            raise DivergedError("astray")
        return made

    monkeypatch.setattr(runs, "train_ranker", train)
    best = search_settings(GISMoRanker, {}, tiny_kitchen, {}, 2, tmp_path)
    assert best["learning_rate"] == search.tried[1]["learning_rate"]
    assert len(search.tried) == 2
    search.tried.clear()
    with pytest.raises(SwapchefError, match="None of the settings"):
        search_settings(GISMoRanker, {}, tiny_kitchen, {}, 1, tmp_path / "other")


@pytest.mark.parametrize(
    ("kind", "searched"),
    [(Food2Vec, {"learning_rate"}), (FoodBERT, {"learning_rate", "weight_decay"})],
)
def test_only_settings_that_a_ranker_has_are_searched(
    kind: Any, searched: set[str], tiny_kitchen: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "train_ranker", Search())
    assert search_settings(kind, {}, tiny_kitchen, {}, 1, tmp_path).keys() == searched


def test_the_command_line_refuses_bad_settings_and_keeps_a_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from swapchef.cli import main

    def train(settings: object, *words: str) -> str:
        (tmp_path / "settings.json").write_text(json.dumps(settings))
        command = ["swapchef", "train", "gismo", "--out", str(tmp_path / "run")]
        monkeypatch.setattr(sys, "argv", [*command, "--config", str(tmp_path / "settings.json"), *words])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 2
        return capsys.readouterr().err

    assert train({"dropout": 2}) == "swapchef: 'dropout' must be a number from 0 to just below 1, not 2.\n"
    assert train([1]).endswith("must be a JSON object of settings.\n")
    assert train({"seed": "x"}, "--seeds", "2") == "swapchef: 'seed' must be a whole number from 0 on, not 'x'.\n"
    assert train({"seed": -1}) == "swapchef: 'seed' must be a whole number from 0 on, not -1.\n"


def test_several_seeds_are_trained_and_summed_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from swapchef.cli.app import app

    trained: list[tuple[str, int]] = []

    def train(kind: object, settings: dict[str, Any], folder: Path, *_: object) -> dict[str, float]:
        trained.append((folder.name, settings["seed"]))
        return {"mrr": 30.0 + len(trained), "hit@1": 20.0, "minutes": 1.0}

    monkeypatch.setattr(runs, "train_run", train)
    run = CliRunner().invoke
    said = run(app, ["train", "gismo", "--out", str(tmp_path), "--seeds", "3", "--seed", "5"])
    assert trained == [("gismo-5", 5), ("gismo-6", 6), ("gismo-7", 7)]
    assert json.loads(said.stdout)["mean and standard deviation"] == {"mrr": [32.0, 1.0], "hit@1": [20.0, 0.0]}
    assert len(json.loads(said.stdout)["runs"]) == 3
    assert run(app, ["train", "gismo", "--out", str(tmp_path), "--seeds", "2", "--search", "2"]).exit_code != 0


@pytest.mark.real_data
def test_a_graph_is_built_described_and_united(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from swapchef.cli.app import app
    from swapchef.graph import flavorgraph_edge_files, flavorgraph_nodes, read_graph, with_flavorgraph

    lists = ["butter sugar flour", "butter sugar egg", "garlic onion oil", "garlic onion salt"]
    rows = [json.dumps({"title": "x", "ingredients": each.split(), "instructions": ["Mix."]}) for each in lists]
    (tmp_path / "recipes.jsonl").write_text("\n".join(rows))
    edges = tmp_path / "edges.csv"
    run = CliRunner().invoke
    recipes = str(tmp_path / "recipes.jsonl")
    built = run(app, ["graph", "build", "--recipes", recipes, "--out", str(edges), "--min-count", "1"])
    assert built.exit_code == 0, built.output
    said = json.loads(run(app, ["graph", "info", str(edges), "--json"]).stdout)
    assert said["edges"]["ingr-ingr"] == 10
    assert run(app, ["graph", "build", "--recipes", "x", "--out", str(edges), "--min-npmi", "-1"]).exit_code == 2
    nodes, vocabulary = flavorgraph_nodes(), Vocabulary.load()
    alone, united = read_graph(nodes, flavorgraph_edge_files()), with_flavorgraph([edges])
    assert len(alone) < len(united) <= len(alone) + 10
    assert united.adjacency()[vocabulary.id_of("garlic"), vocabulary.id_of("onion")] > 0
