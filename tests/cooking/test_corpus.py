"""Pairs and texts are read alike, and nothing of val or test is learned from."""

from pathlib import Path

import pytest

from swapchef.cooking.corpus import HeldOut, Pairs, TrainingRecipe, ingredient_sets, read_pairs, read_texts
from swapchef.foods.matching import Vocabulary
from tests.cooking.kitchen import data_folder

KITCHEN = Vocabulary(["tomato", "basil", "garlic", "olive oil", "salt", "butter"], {})


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three pairs and five texts, of which two are pairs of test in disguise."""
    steps = [
        "Pound the [basil](x.md) with garlic until it is a paste and add the oil drop by drop.",
        "!!! tip",
        "2. Serve.",
    ]
    pairs = [
        {
            "image": "a.jpg",
            "title": "Tomato Soup",
            "ingredients": ["2 tomatoes", "salt"],
            "directions": ["Boil."],
            "split": "train",
        },
        {"image": "b.jpg", "title": "Pesto!", "ingredients": ["basil", "garlic"], "directions": steps, "split": "test"},
        {
            "image": "c.jpg",
            "title": "Butter",
            "ingredients": ["butter"],
            "directions": "Churn.",
            "split": "val",
            "url": "https://www.a.org/b/",
        },
    ]
    texts = [
        {
            "title": "Garlic oil",
            "ingredients": ["garlic", "olive oil"],
            "directions": ["Warm."],
            "url": "https://x.org/1",
        },
        {"title": "  pesto ", "ingredients": ["basil"], "directions": ["Buy it."], "url": "https://x.org/2"},
        {
            "title": "Green sauce",
            "ingredients": ["basil"],
            "directions": [steps[0].replace("[basil](x.md)", "Basil"), "Serve."],
            "url": "",
        },
        {"title": "Spread", "ingredients": ["butter"], "directions": ["Shake."], "url": "http://a.org/b"},
        {"title": "", "ingredients": ["butter"], "directions": ["Shake."], "url": ""},
    ]
    data_folder(tmp_path, monkeypatch, pairs, texts)
    return tmp_path


def test_pairs_are_read_with_clean_steps(data: Path) -> None:
    pairs = read_pairs(KITCHEN)
    assert pairs.split == ("train", "test", "val")
    assert pairs.photos[0] == data / "data" / "images" / "a.jpg"
    assert pairs.recipes[1].steps == (
        "Pound the basil with garlic until it is a paste and add the oil drop by drop.",
        "Serve.",
    )
    assert pairs.recipes[2] == TrainingRecipe("Butter", ("Churn.",), (5,))


def test_texts_of_test_are_held_out_by_title_steps_or_address(data: Path) -> None:
    pairs = read_pairs(KITCHEN)
    assert [recipe.title for recipe in read_texts(pairs, KITCHEN)] == ["Garlic oil"]
    assert read_texts(pairs, KITCHEN) == read_texts(pairs, KITCHEN)  # the second from the cache


def test_train_is_not_held_out() -> None:
    soup = TrainingRecipe("Tomato soup", ("Boil.",), (0,))
    assert not HeldOut(Pairs((Path("a"),), (soup,), ("train",), ("",))).has(soup)
    assert HeldOut(Pairs((Path("a"),), (soup,), ("test",), ("",))).has(TrainingRecipe("TOMATO  soup", ("Fry.",), ()))


def test_sets_are_rows_of_ones() -> None:
    rows = ingredient_sets([TrainingRecipe("", (), (2, 0)), TrainingRecipe("", (), ())], 4)
    assert rows.toarray().tolist() == [[1, 0, 1, 0], [0, 0, 0, 0]]


@pytest.mark.real_data
def test_the_fixed_splits_are_as_published() -> None:
    pairs = read_pairs(Vocabulary.load())
    assert [len(pairs.rows(split)) for split in ("train", "val", "test")] == [1621, 198, 209]
    assert all(photo.is_file() for photo in pairs.photos)
