"""Perplexity by a language model in a folder, and one sentence where there is none."""

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from swapchef.cooking.language_model import LanguageModel
from swapchef.errors import SwapchefError
from tests.cooking.kitchen import RECIPES, small_tokenizer

LIBRARY: Any = transformers


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GPT-2 of two hundred weights that has learned nothing."""
    folder = tmp_path_factory.mktemp("gpt")
    tokenizer = LIBRARY.PreTrainedTokenizerFast(tokenizer_object=small_tokenizer().tokenizer)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = LIBRARY.GPT2Config(vocab_size=len(small_tokenizer()), n_positions=600, n_embd=8, n_layer=1, n_head=1)
    LIBRARY.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def test_an_untrained_model_finds_any_token_as_likely_as_another(folder: Path) -> None:
    texts = [" ".join(recipe.steps).lower() for recipe in RECIPES]
    assert LanguageModel(str(folder)).perplexity(texts) == pytest.approx(len(small_tokenizer()), rel=0.1)


def test_texts_without_words_count_for_nothing(folder: Path) -> None:
    model = LanguageModel(str(folder))
    assert model.perplexity([]) == 1.0
    assert model.perplexity(["chop the tomato", ""]) == model.perplexity(["chop the tomato"])


def test_a_model_that_is_not_there_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(SwapchefError) as error:
        LanguageModel("no-such-model/anywhere")
    assert "\n" not in str(error.value)
    monkeypatch.setattr("swapchef.cooking.language_model.find_spec", lambda _: None)
    with pytest.raises(SwapchefError, match="pip install"):
        LanguageModel()
