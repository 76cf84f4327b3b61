"""FoodBERT knows ingredients as words, reads them in context, and can be cut short while it learns."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from swapchef.benchmark import Benchmark
from swapchef.errors import DataError, SwapchefError
from swapchef.rankers import make_ranker
from swapchef.rankers.bert import Blocks, add_ingredients, cut_blocks, load_bert
from swapchef.rankers.foodbert_training import choose_contexts, mean_vectors, neighbour_shares
from tests.conftest import KITCHEN
from tests.rankers.kitchen import GROUPS, TINY_BERT, given, kitchen_text, nearest, tiny_bert, trained
from tests.rankers.test_embeddings import StopError, stop_after

EVERY = np.ones(len(KITCHEN), bool)


def test_ingredients_become_words_that_start_as_the_mean_of_their_pieces() -> None:
    model, tokenizer = load_bert(tiny_bert(), masked=True)
    before = model.get_input_embeddings().weight.detach().clone()
    pieces = tokenizer("olive oil", add_special_tokens=False)["input_ids"]
    kept = EVERY.copy()
    kept[KITCHEN.index("egg")] = False
    own = add_ingredients(model, tokenizer, KITCHEN, kept)
    assert own[KITCHEN.index("egg")] == -1
    table = model.get_input_embeddings().weight
    torch.testing.assert_close(table[own[KITCHEN.index("olive_oil")]], before[pieces].mean(dim=0))
    assert tokenizer.tokenize("melt olive_oil")[-1] == "olive_oil"
    assert model.cls.predictions.decoder.weight.shape[0] == len(tokenizer)  # so that it can guess them


def test_a_word_that_bert_has_keeps_its_vector() -> None:
    model, tokenizer = load_bert(tiny_bert(), masked=True)
    own = add_ingredients(model, tokenizer, ["skillet", "olive oil"], np.array([True, True]))
    assert own[0] == tokenizer.convert_tokens_to_ids("skillet") < own[1]


def test_blocks_hold_the_text_with_ingredients_as_one_piece() -> None:
    model, tokenizer = load_bert(tiny_bert(), masked=True)
    own = add_ingredients(model, tokenizer, KITCHEN, EVERY)
    blocks = cut_blocks(kitchen_text(), KITCHEN, own, tokenizer, 16)
    assert (blocks.pieces[:, 0] == tokenizer.cls_token_id).all()
    first, second, *_ = kitchen_text().written(KITCHEN)
    stream = tokenizer.convert_ids_to_tokens(blocks.pieces[:, 1:].ravel().tolist())
    assert stream[:25] == [*first.split(), "[SEP]", *second.split()][:25]
    known = blocks.ingredient >= 0
    np.testing.assert_array_equal(own[blocks.ingredient[known]], blocks.pieces[known])
    assert KITCHEN[blocks.ingredient[0].max()] in first


def test_a_few_contexts_of_each_ingredient_are_chosen() -> None:
    ingredient = np.array([[-1, 0, 1, 0], [-1, 0, -1, 2]], np.int32)
    blocks = Blocks(np.zeros((2, 4), np.int64), ingredient)
    block, place = choose_contexts(blocks, 2, 4, (0, 0))
    assert np.bincount(ingredient[block, place], minlength=4).tolist() == [2, 1, 1, 0]


def test_shares_count_the_nearest_contexts_of_others() -> None:
    angles = np.array([0.0, 0.1, 0.15, 0.2, 3.0])  # two contexts of 0, two of 1, one of 2
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    owners = np.array([0, 0, 1, 1, 2], np.int32)
    shares = neighbour_shares(owners, vectors, 4, 2).toarray()
    assert shares[0].tolist() == [0, 1, 0, 0]
    assert shares[2].tolist() == [0, 1, 0, 0]  # at 3.0 the nearest are 0.2 and 0.15
    all_of_them = neighbour_shares(owners, vectors, 4, 100).toarray()
    np.testing.assert_allclose(all_of_them[0], [0, 2 / 3, 1 / 3, 0], rtol=1e-6)


def test_mean_vectors_leave_out_what_all_have_in_common() -> None:
    owners = np.array([0, 0, 1, 2], np.int32)
    vectors = np.array([[1, 5], [3, 5], [0, 5], [-2, 5]], np.float32)
    np.testing.assert_allclose(mean_vectors(owners, vectors, 4), [[1, 0], [0, 0], [-1, 0], [0, 0]], atol=1e-6)


def test_foods_that_are_used_alike_are_neighbours(tiny_kitchen: Benchmark) -> None:
    settings: dict[str, Any] = {"epochs": 12, "examples": 256, "learning_rate": 0.01, "patience": 12}
    settings |= {"mask": 0.0, "mask_ingredients": 0.8}
    settings |= {"val_contexts": 20, "contexts": 20}
    taught = replace(tiny_kitchen, val=tiny_kitchen.train)  # val's two queries are soon answered by chance
    ranker = trained("foodbert", taught, **settings)
    assert ranker.history_[-1].loss < 0.7 * ranker.history_[0].loss
    for foods in GROUPS:
        first, *others = (food.replace(" ", "_") for food in foods)
        assert set(nearest(ranker, tiny_kitchen, first)[: len(others)]) == set(others)


def test_an_interrupted_training_ends_like_one_that_was_not(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    settings = {**TINY_BERT, "start": tiny_bert(), "epochs": 4, "seed": 2}
    splits = tiny_kitchen.train, tiny_kitchen.val
    whole = trained("foodbert", tiny_kitchen, **settings)
    cut: Any = make_ranker("foodbert", **settings)
    with pytest.raises(StopError):
        cut.fit(*splits, run=tmp_path, progress=stop_after(2), **given("foodbert"))
    resumed: Any = make_ranker("foodbert", **settings)
    resumed.fit(*splits, run=tmp_path, **given("foodbert"))
    assert len(resumed.history_) == 4
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(resumed.arrays()[name], array, err_msg=name)
    _, tokenizer = load_bert(str(tmp_path / "encoder"), masked=False)
    assert "olive_oil" in tokenizer.tokenize("olive_oil")
    assert not list(tmp_path.rglob("*.bin")) + list(tmp_path.rglob("*.pt"))  # nothing that could be a pickle


def test_what_is_missing_is_said_in_a_sentence(tiny_kitchen: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    splits = tiny_kitchen.train, tiny_kitchen.val
    with pytest.raises(DataError, match="cooking steps"):
        make_ranker("foodbert").fit(*splits)
    with pytest.raises(DataError, match="Cannot load the BERT '/nowhere/at/all'"):
        load_bert("/nowhere/at/all", masked=True)
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(SwapchefError, match=r"swapchef\[train\]"):
        load_bert(tiny_bert(), masked=True)
