"""The command line as a user meets it: a fresh process, real files, wrong input on purpose."""

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from swapchef.rankers import STATISTICS
from swapchef.sources import data_folder

ROOT = Path(__file__).parents[1]
PANCAKES = ROOT / "examples" / "pancakes.md"


def run(
    *words: str | Path, env: dict[str, str] | None = None, input: str | None = None, cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from swapchef.cli import main; main()", *map(str, words)]
    environment = {**os.environ, **(env or {})}
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, input=input, cwd=cwd, check=False, timeout=120
    )


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """Check that a command failed the way users are promised, and return its sentence."""
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    (sentence,) = done.stderr.strip().splitlines()
    assert sentence.startswith("swapchef: ")
    return sentence


@pytest.mark.parametrize(
    "words", [["--help"], ["suggest", "--help"], ["recipe", "--help"], ["benchmark", "--help"], ["data", "--help"]]
)
def test_help_explains(words: list[str]) -> None:
    done = run(*words)
    assert done.returncode == 0
    assert "Usage" in done.stdout


def test_the_help_of_benchmark_names_every_ranker_that_needs_no_training() -> None:
    words = run("benchmark", "--help").stdout.replace("\n", " ").replace(",", " ").split()
    assert set(STATISTICS) <= set(words)


def test_version() -> None:
    assert run("--version").stdout.startswith("swapchef ")


def test_suggest_reads_a_recipe_and_answers_as_json() -> None:
    answer = json.loads(run("suggest", "buttermilk", "--recipe", PANCAKES, "--json", "--top", "3").stdout)
    assert answer["ingredient"] == "buttermilk"
    assert answer["recipe"] == "Buttermilk pancakes"
    assert [s["rank"] for s in answer["suggestions"]] == [1, 2, 3]
    assert set(answer["suggestions"][0]) == {
        *("name", "probability", "score", "rank", "reasons", "also", "amount", "verdicts", "changes", "notes"),
        *("mixture", "without_recipe"),
    }


def test_suggest_reads_standard_input_and_never_offers_what_is_in_the_recipe() -> None:
    answer = json.loads(
        run("suggest", "butter", "--recipe", "-", "--json", input="2 tbsp butter\n1 cup margarine\n").stdout
    )
    assert "margarine" not in [s["name"] for s in answer["suggestions"]]


def test_suggest_without_a_recipe_says_so() -> None:
    done = run("suggest", "buttermilk")
    assert "in any recipe" in done.stdout
    assert "yogurt" in done.stdout


def test_recipe_shows_what_was_understood() -> None:
    done = run("recipe", PANCAKES)
    assert "buttermilk" in done.stdout
    understood = json.loads(run("recipe", PANCAKES, "--json").stdout)
    assert understood["ingredients"][0]["matches"][0]["confidence"] > 0.9


@pytest.mark.parametrize("format", ["jsonld", "mealie", "cooklang", "markdown"])
def test_recipe_converts_and_reads_its_own_output(format: str, tmp_path: Path) -> None:
    path = tmp_path / "converted"
    path.write_text(run("recipe", PANCAKES, "--format", format).stdout, encoding="utf-8")
    assert run("recipe", path, "--format", "markdown").stdout == run("recipe", PANCAKES, "--format", "markdown").stdout


def test_markup_in_a_recipe_is_shown_not_obeyed() -> None:
    done = run("recipe", "-", input="[bold red]Soup[/]\n\n1 [link=x]egg[/link]\n2 cups milk\n")
    assert done.returncode == 0
    assert "[bold red]Soup[/]" in done.stdout


@pytest.mark.parametrize("words", [["suggest", "qqqqzz"], ["suggest", "📦"], ["suggest", ""]])
def test_an_unknown_ingredient(words: list[str]) -> None:
    assert "I do not know the ingredient" in one_sentence(run(*words))


def test_an_unknown_ingredient_close_to_a_known_one() -> None:
    assert "did you mean buttermilk" in one_sentence(run("suggest", "bttrmlk"))


def test_an_ingredient_that_is_not_in_the_recipe() -> None:
    assert "has no chocolate; it has" in one_sentence(run("suggest", "chocolate", "--recipe", PANCAKES))


def test_an_unknown_ranker() -> None:
    assert "lt+freq" in one_sentence(run("benchmark", "gpt"))


def test_an_unknown_split_and_protocol() -> None:
    assert "train, val or test" in one_sentence(run("benchmark", "--split", "dev"))
    assert "paper, filtered or kitchen" in one_sentence(run("benchmark", "--protocol", "home"))


def test_a_plot_that_is_no_picture() -> None:
    assert "ends in .png" in one_sentence(run("benchmark", "mode", "--plot", "x.docx"))


def test_missing_data_says_how_to_get_it(tmp_path: Path) -> None:
    assert "swapchef data fetch" in one_sentence(run("benchmark", "mode", env={"SWAPCHEF_DATA": str(tmp_path)}))


def test_a_recipe_file_that_is_none(tmp_path: Path) -> None:
    noise, huge, bare = tmp_path / "noise.bin", tmp_path / "huge.txt", tmp_path / "bare.json"
    noise.write_bytes(os.urandom(50_000))
    bare.write_text('{"@type": "Recipe", "name": "Air"}')
    with huge.open("wb") as file:
        file.truncate(200 << 20)
    for path, words in (
        (noise, "not a text file"),
        (huge, "200 MB"),
        (bare, "no ingredients"),
        (tmp_path, "a folder"),
        (tmp_path / "x", "no file"),
    ):
        assert words in one_sentence(run("recipe", path))
        assert words in one_sentence(run("suggest", "egg", "--recipe", path))


def test_swap_prints_the_recipe_and_nothing_else_and_reads_it_again(tmp_path: Path) -> None:
    for format in ("jsonld", "mealie", "tandoor", "cooklang", "markdown", "text"):
        done = run("swap", PANCAKES, "buttermilk", "--with", "kefir", "--format", format)
        assert done.returncode == 0
        assert "kefir for buttermilk" in done.stderr
        again = run("recipe", "-", "--json", input=done.stdout)
        assert "2 cups kefir" in [line["text"] for line in json.loads(again.stdout)["ingredients"]]


def test_swap_shows_what_changes() -> None:
    done = run("swap", PANCAKES, "buttermilk", "egg", "--with", "kefir", "--with", "applesauce", "--diff")
    assert done.stdout.startswith("--- Buttermilk pancakes\n+++ Kefir pancakes\n")
    assert "+- 1/2 cup applesauce" in done.stdout
    assert "-- 2 large eggs" in done.stdout


def test_swap_keeps_to_a_diet_and_check_agrees() -> None:
    first = run("check", PANCAKES, "--diet", "vegan", "--json")
    assert first.returncode == 1
    report = json.loads(first.stdout)
    assert [problem["number"] for problem in report["problems"]] == [6, 7, 8]
    assert all(problem["swap"]["verdicts"]["vegan"] == "safe" for problem in report["problems"])
    vegan = run("swap", PANCAKES, "--diet", "vegan", "--format", "text").stdout
    second = run("check", "-", "--diet", "vegan", input=vegan)
    assert (second.returncode, second.stdout) == (0, f"{vegan.splitlines()[0]}: nothing against vegan.\n")


def test_swap_fills_the_fields_that_recipe_managers_have_for_it() -> None:
    mealie = json.loads(run("swap", PANCAKES, "buttermilk", "--format", "mealie").stdout)
    (listed,) = [item["substitutions"] for item in mealie["recipeIngredient"] if "substitutions" in item]
    assert listed[0] == {"substituteFood": {"name": "buttermilk"}, "note": "buttermilk"}
    tandoor = json.loads(run("swap", PANCAKES, "buttermilk", "--format", "tandoor").stdout)
    foods = [item["food"] for item in tandoor["steps"][0]["ingredients"]]
    assert [food["substitute"][0] for food in foods if "substitute" in food] == [{"name": "buttermilk"}]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["swap", PANCAKES, "egg", "--with", "egg"], "no swap"),
        (["swap", PANCAKES, "egg", "--with", "honey", "--diet", "vegan"], "against what you asked for"),
        (["swap", PANCAKES], "Name the ingredient to replace"),
        (["swap", PANCAKES, "egg", "--format", "pdf"], "pdf"),
        (["swap", PANCAKES, "anchovy"], "has no anchovy"),
        (["check", PANCAKES], "Say what to check for"),
        (["check", PANCAKES, "--diet", "vegn"], "vegan"),
        (["check", "missing.md", "--diet", "vegan"], "no file"),
    ],
)
def test_swap_and_check_refuse_in_one_sentence(words: list[str | Path], said: str) -> None:
    assert said in one_sentence(run(*words))


def test_an_unknown_format() -> None:
    assert "cooklang" in one_sentence(run("recipe", PANCAKES, "--format", "docx"))


def test_a_reader_that_stops_early_is_no_error() -> None:
    code = f"{sys.executable} -c 'from swapchef.cli import main; main()' recipe {PANCAKES} --format jsonld | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "{\n"
    assert done.stderr == ""


def copy_of_the_data(tmp_path: Path) -> Path:
    for folder in ("recipe1msubs", "flavorgraph"):
        shutil.copytree(data_folder().resolve() / folder, tmp_path / folder, copy_function=os.symlink)
    return tmp_path


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


@pytest.mark.real_data
def test_data_verify_tells_good_from_altered(tmp_path: Path) -> None:
    folder = copy_of_the_data(tmp_path)
    env = {"SWAPCHEF_DATA": str(folder)}
    assert run("data", "verify", env=env).returncode == 0
    victim = folder / "recipe1msubs" / "val_comments_subs.pkl"
    victim.unlink()
    victim.write_bytes(pickle.dumps([]))
    done = run("data", "verify", "--json", env=env)
    assert done.returncode == 1
    assert json.loads(done.stdout)["files"]["recipe1msubs/val_comments_subs.pkl"] == "altered"
    assert run("data", "where", env=env).stdout.strip() == str(folder)
