"""benchmark in a fresh process, on the real data and on data that is missing or damaged."""

import json
from pathlib import Path

import pytest

from swapchef.rankers import RANKERS, STATISTICS
from swapchef.sources import data_folder
from tests.cli.command import copy_of_the_data, one_sentence, run


def test_the_help_of_benchmark_names_every_ranker_that_needs_no_training() -> None:
    words = run("benchmark", "--help").stdout.replace("\n", " ").replace(",", " ").split()
    assert set(STATISTICS) <= set(words)


def test_an_unknown_ranker() -> None:
    assert "lt+freq" in one_sentence(run("benchmark", "gpt"))


def test_an_unknown_split_and_protocol() -> None:
    assert "train, val or test" in one_sentence(run("benchmark", "--split", "dev"))
    assert "paper, filtered or kitchen" in one_sentence(run("benchmark", "--protocol", "home"))


def test_a_plot_that_is_no_picture() -> None:
    assert "ends in .png" in one_sentence(run("benchmark", "mode", "--plot", "x.docx"))


def test_missing_data_says_how_to_get_it(tmp_path: Path) -> None:
    assert "swapchef data fetch" in one_sentence(run("benchmark", "mode", env={"SWAPCHEF_DATA": str(tmp_path)}))


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("damage", "words"), [("cut", "cut short or altered"), ("system", "os.system"), ("folder", "not in")]
)
def test_a_damaged_benchmark_is_refused(tmp_path: Path, damage: str, words: str) -> None:
    folder = copy_of_the_data(tmp_path)
    victim = folder / "recipe1msubs" / "train_comments_subs.pkl"
    whole = victim.read_bytes()
    victim.unlink()
    if damage == "cut":
        victim.write_bytes(whole[:1_000_000])
    elif damage == "system":
        victim.write_bytes(b"cos\nsystem\n(S'touch swapchef-was-here'\ntR.")
    else:
        victim.mkdir()
    assert words in one_sentence(run("benchmark", "mode", env={"SWAPCHEF_DATA": str(folder)}, cwd=tmp_path))
    assert not (tmp_path / "swapchef-was-here").exists()


@pytest.mark.real_data
def test_benchmark_prints_the_promised_json_saves_and_plots(tmp_path: Path) -> None:
    data = {"SWAPCHEF_DATA": str(data_folder().resolve())}
    names = ["random", "mode", "lt", "freq", "freq-as-published", "lt+freq"]
    done = run("benchmark", *names, "--split", "test", "--protocol", "paper", "--json", "--save", tmp_path / "r.csv",
               "--plot", tmp_path / "r.png", env=data)  # fmt: skip
    results = json.loads(done.stdout)["results"]
    assert [result["ranker"] for result in results] == names
    promised = {
        "ranker",
        "split",
        "protocol",
        "n",
        "mrr",
        "hit@1",
        "hit@3",
        "hit@10",
        "mrr_id",
        "mrr_ood",
        "ci95_mrr",
        "seconds",
    }
    assert promised <= set(results[0])
    assert sum(result["seconds"] for result in results) < 30
    assert len((tmp_path / "r.csv").read_text().splitlines()) == 7
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.real_data
def test_benchmark_with_seeds_reports_mean_and_std() -> None:
    report = json.loads(run("benchmark", "random", "--seeds", "3", "--split", "val", "--json").stdout)
    assert [result["seed"] for result in report["results"]] == [0, 1, 2]
    assert report["summary"][0]["seeds"] == 3


def test_rankers_are_listed_with_what_they_are_and_reach(tmp_path: Path) -> None:
    listed = {row["name"]: row for row in json.loads(run("rankers", "--json").stdout)}
    assert set(listed) == set(RANKERS)
    assert {name for name, row in listed.items() if row["is_shipped"]} == {"fusion", "gismo", *STATISTICS}
    assert listed["fusion"]["mrr"] > listed["gismo"]["mrr"] > listed["lt+freq"]["mrr"]
    assert 1 < listed["gismo"]["megabytes"] <= 5
    assert all(row["what"].endswith(".") for row in listed.values())
    assert "train it first" in run("rankers").stdout


def test_importing_what_is_no_checkpoint(tmp_path: Path) -> None:
    assert "no file" in one_sentence(run("rankers", "import", tmp_path / "x.chkpnt", "--out", tmp_path / "run"))


@pytest.mark.real_data
def test_a_published_checkpoint_is_imported_and_asked(tmp_path: Path) -> None:
    import torch

    random = torch.Generator().manual_seed(0)
    shapes = {"ndata.weight": (8299, 4)}
    for layer in range(2):
        name = f"gin_layers.{layer}"
        shapes |= {f"{name}.eps": (1,), f"{name}.apply_func.weight": (4, 4), f"{name}.apply_func.bias": (4,)}
    for number, (inputs, outputs) in enumerate(((12, 4), (4, 2), (2, 1))):
        name = f"mlp_layers_context.{number}"
        shapes |= {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}
    state = {name: torch.randn(shape, generator=random) for name, shape in shapes.items()}
    torch.save({"checkpoint": state}, tmp_path / "best_model.chkpnt")
    data = {"SWAPCHEF_DATA": str(data_folder().resolve())}
    done = run("rankers", "import", tmp_path / "best_model.chkpnt", "--out", tmp_path / "run", env=data)
    assert f"--ranker {tmp_path / 'run'}" in done.stdout
    answer = json.loads(run("suggest", "butter", "--ranker", tmp_path / "run", "--json").stdout)
    assert answer["ranker"] == "gismo"
    assert len(answer["suggestions"]) == 5
