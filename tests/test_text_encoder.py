"""Text vectors from a package, a folder, or a clear sentence why not."""

import sys
from pathlib import Path

import numpy as np
import pytest

from swapchef.errors import DataError, SwapchefError
from swapchef.text_encoder import encode_texts

pytest.importorskip("sentence_transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # other people's deprecations are not ours to mend


def test_the_default_encoder_knows_what_is_alike() -> None:
    vectors = encode_texts(["sour cream", "creme fraiche", "ground beef", "sour cream"])
    assert vectors.shape == (4, 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    np.testing.assert_array_equal(vectors[0], vectors[3])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1


def test_a_folder_with_any_bert_is_an_encoder(tmp_path: Path) -> None:
    from transformers import BertConfig, BertModel, BertTokenizerFast

    (tmp_path / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "egg", "milk"]))
    BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    config = BertConfig(vocab_size=7, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8)
    BertModel(config).save_pretrained(tmp_path)
    assert encode_texts(["egg", "milk"], str(tmp_path)).shape == (2, 8)


def test_a_model_that_is_nowhere_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)  # the variable was read at its import
    with pytest.raises(DataError, match=r"^Cannot load the sentence encoder 'nobody/nothing' [^\n]*$"):
        encode_texts(["egg"], "nobody/nothing")


def test_without_the_library_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(SwapchefError, match=r"swapchef\[train\]"):
        encode_texts(["egg"])
