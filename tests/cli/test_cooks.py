"""suggest, swap, check and recipe in a fresh process, with real files and wrong input on purpose."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.command import PANCAKES, one_sentence, run


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
    ("words", "reason"),
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
def test_swap_and_check_refuse_in_one_sentence(words: list[str | Path], reason: str) -> None:
    assert reason in one_sentence(run(*words))


def test_an_unknown_format() -> None:
    assert "cooklang" in one_sentence(run("recipe", PANCAKES, "--format", "docx"))


@pytest.mark.parametrize("ranker", ["gismo", "lt+freq"])
def test_other_rankers_answer_with_the_same_amounts_diets_and_reasons(ranker: str) -> None:
    answer = json.loads(
        run("suggest", "buttermilk", "--recipe", PANCAKES, "--diet", "vegan", "--ranker", ranker, "--json").stdout
    )
    assert answer["ranker"] == ranker
    assert all(each["verdicts"]["vegan"] == "safe" for each in answer["suggestions"])
    assert any(each["amount"] and not each["amount"]["is_guess"] for each in answer["suggestions"])
    ours = json.loads(run("suggest", "buttermilk", "--recipe", PANCAKES, "--json").stdout)
    theirs = json.loads(run("suggest", "buttermilk", "--recipe", PANCAKES, "--ranker", ranker, "--json").stdout)
    reasons = {each["name"]: each["reasons"] for each in ours["suggestions"]}
    shared = [each for each in theirs["suggestions"] if each["name"] in reasons]
    assert shared
    assert all(each["reasons"] == reasons[each["name"]] for each in shared)


def test_a_ranker_that_has_nothing_to_say_says_so() -> None:
    done = run("suggest", "goji berry", "--ranker", "lt+freq")
    assert "lt+freq has nothing to say about goji berry." in done.stdout
    assert json.loads(run("suggest", "goji berry", "--ranker", "lt+freq", "--json").stdout)["is_silent"]


def test_a_ranker_that_is_not_there_is_told_in_one_sentence(tmp_path: Path) -> None:
    assert "gismo" in one_sentence(run("suggest", "butter", "--ranker", "gpt"))
    assert "swapchef train pinsage" in one_sentence(run("suggest", "butter", "--ranker", "pinsage"))
    assert "vocabulary" in one_sentence(run("suggest", "butter", "--ranker", tmp_path))


def test_swap_and_check_ask_the_ranker_that_is_named() -> None:
    swapped = run("swap", PANCAKES, "buttermilk", "--ranker", "mode")
    assert "milk + lemon juice for buttermilk" in swapped.stderr
    assert "applesauce" in run("check", PANCAKES, "--diet", "vegan", "--ranker", "gismo").stdout
