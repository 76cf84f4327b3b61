"""The door answers for the ingredient that was asked about, or says that it is not there."""

import shutil
from pathlib import Path

import pytest

import swapchef
from swapchef import DataError, Substituter, SwapchefError, parse_recipe
from swapchef.benchmark import load_benchmark
from swapchef.rankers.statistics import LTFreq
from swapchef.substituter import _verify

RECIPE = parse_recipe(
    "Odds and ends\n\n1 green bell pepper\n2 tbsp peanut butter\n1 cup milk\n1 cup whipped cream\n1 tsp garlic powder\n"
    "2 cups all-purpose flour\n1/2 cup unsalted butter\n"
)


@pytest.fixture(scope="module")
def substituter() -> Substituter:
    return Substituter.load()


@pytest.mark.parametrize("asked", ["black pepper", "coconut milk", "sour cream", "chili powder", "butter bean"])
def test_it_never_answers_for_another_ingredient(substituter: Substituter, asked: str) -> None:
    with pytest.raises(SwapchefError, match=r"has no .*; (did you mean|it has)"):
        substituter.suggest(asked, RECIPE)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("flour", "all purpose flour"),
        ("milk", "milk"),
        ("butter", "unsalted butter"),
        ("peanut butter", "peanut butter"),
    ],
)
def test_it_finds_the_kind_that_the_recipe_has(substituter: Substituter, asked: str, meant: str) -> None:
    assert substituter.suggest(asked, RECIPE).ingredient == meant


def test_what_is_on_the_table_is_not_suggested(substituter: Substituter) -> None:
    names = {suggestion.name for suggestion in substituter.suggest("unsalted butter", RECIPE, top=50).suggestions}
    assert names.isdisjoint({"peanut butter", "milk", "unsalted butter"})


def test_five_hundred_ingredients_are_no_problem(substituter: Substituter) -> None:
    recipe = parse_recipe("Stew\n\n1 cup milk\n" + "\n".join(f"{i} cups flour" for i in range(1, 500)))
    assert len(substituter.suggest("milk", recipe).suggestions) == 5


@pytest.mark.parametrize("damage", ["altered", "missing", "truncated", "no manifest"])
def test_a_damaged_bundle_is_refused(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "bundle"
    shutil.copytree(Path(swapchef.__file__).parent / "bundle", folder)
    _verify(folder)
    weights = folder / "weights.safetensors"
    data = bytearray(weights.read_bytes())
    if damage == "altered":
        data[-1] ^= 1
        weights.write_bytes(data)
    elif damage == "truncated":
        weights.write_bytes(data[:-10])
    else:
        (weights if damage == "missing" else folder / "manifest.json").unlink()
    with pytest.raises(DataError, match="reinstall swapchef"):
        _verify(folder)


@pytest.mark.real_data
def test_the_shipped_weights_are_those_of_a_refit(substituter: Substituter) -> None:
    benchmark = load_benchmark()
    refit = LTFreq().fit(benchmark.train, benchmark.val)
    assert (refit.counts_ != substituter.ranker.counts_).nnz == 0
