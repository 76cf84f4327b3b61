"""Loading BERTs by hub name, folder or installed package, and cooking text as blocks of their tokens.

The tokens of each different word are looked up once, so a text of millions of words is tokenized in a few NumPy calls.
It is cut into blocks of equal length, which need no padding.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from swapchef.errors import DataError, SwapchefError
from swapchef.rankers.cooking_text import CookingText
from swapchef.text_encoder import loading

Pieces = npt.NDArray[np.int64]


def load_bert(start: str, masked: bool) -> tuple[Any, Any]:
    """Load a BERT and its tokenizer; `masked` adds the masked-language-model head."""
    try:
        import transformers
    except ImportError:
        raise SwapchefError("BERTs need transformers; install swapchef[train] and try again.") from None
    library: Any = transformers
    library.logging.set_verbosity_error()  # a new head is expected here, so no warning about it
    library.logging.disable_progress_bar()
    kind = library.AutoModelForMaskedLM if masked else library.AutoModel
    with loading("BERT", start) as location:
        tokenizer = library.AutoTokenizer.from_pretrained(location)
        return kind.from_pretrained(location, torch_dtype="float32"), tokenizer


def add_ingredients(model: Any, tokenizer: Any, names: Sequence[str], selected: npt.NDArray[np.bool_]) -> Pieces:
    """Add the selected ingredients to the vocabulary and return their tokens: [n], -1 for the others.

    The embedding of a new token starts as the mean of those of its name's word pieces.
    """
    import torch

    words = [name.replace(" ", "_") for name in names]
    chosen = np.flatnonzero(selected).tolist()
    new = [id for id in chosen if tokenizer.convert_tokens_to_ids(words[id]) in {None, tokenizer.unk_token_id}]
    pieces_of_new = [tokenizer(names[id].replace("_", " "), add_special_tokens=False)["input_ids"] for id in new]
    tokenizer.add_tokens([words[id] for id in new])
    model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    table = model.get_input_embeddings().weight
    with torch.no_grad():
        for id, pieces in zip(new, pieces_of_new, strict=True):
            table[tokenizer.convert_tokens_to_ids(words[id])] = table[pieces].mean(dim=0)
    tokens = np.full(len(names), -1, np.int64)
    tokens[chosen] = tokenizer.convert_tokens_to_ids([words[id] for id in chosen])
    return tokens


@dataclass(frozen=True, eq=False)
class Blocks:
    """A text cut into blocks of equal length, each of which begins with the [CLS] token."""

    pieces: Pieces  # [blocks, length]
    ingredient: npt.NDArray[np.int32]  # [blocks, length] which ingredient a piece is, or -1

    def __len__(self) -> int:
        return len(self.pieces)


def cut_blocks(
    text: CookingText,
    names: Sequence[str],
    ingredient_pieces: Pieces,
    tokenizer: Any,
    length: int,
) -> Blocks:
    """Tokenize a text, an ingredient as its own piece where it has one (not -1), and cut it into blocks."""
    words = [*(name.replace("_", " ") for name in names), *text.words]
    pieces_of: list[list[int]] = tokenizer(words, add_special_tokens=False)["input_ids"]
    for id in np.flatnonzero(ingredient_pieces >= 0):
        pieces_of[id] = [int(ingredient_pieces[id])]
    pieces_of.append([tokenizer.sep_token_id])
    counts = np.array([len(pieces) for pieces in pieces_of])
    flat = np.array([piece for pieces in pieces_of for piece in pieces], np.int64)
    first = np.concatenate([[0], np.cumsum(counts)[:-1]])  # of each word's pieces in `flat`
    tokens = np.insert(text.tokens, text.starts[1:], len(pieces_of) - 1)  # each step ends in a separator
    lengths = counts[tokens]
    offset = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)  # of a piece in its word
    stream = flat[np.repeat(first[tokens], lengths) + offset]
    owner = np.where(tokens < text.n, tokens, -1)
    owner[owner >= 0] = np.where(ingredient_pieces[owner[owner >= 0]] >= 0, owner[owner >= 0], -1)
    owners = np.repeat(owner, lengths).astype(np.int32)
    blocks = len(stream) // (length - 1)
    if blocks == 0:
        raise DataError("The text is shorter than what the network reads at once; lower length.")
    pieces = np.full((blocks, length), tokenizer.cls_token_id, np.int64)
    ingredient = np.full((blocks, length), -1, np.int32)
    pieces[:, 1:] = stream[: blocks * (length - 1)].reshape(blocks, -1)
    ingredient[:, 1:] = owners[: blocks * (length - 1)].reshape(blocks, -1)
    return Blocks(pieces, ingredient)
