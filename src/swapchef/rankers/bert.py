"""BERTs by hub name, folder or installed package, and cooking text as their word pieces with ingredients as words.

Word pieces are looked up once for every different word, so cutting millions of words is one NumPy call; the text then
becomes blocks of equal length, which leaves no padding to compute. Downloads are the hub library's business; what is
missing is said in one sentence.
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
    """Load a BERT and its tokenizer; `masked` gives it the head that guesses words."""
    try:
        import transformers
    except ImportError:
        raise SwapchefError("BERTs need transformers; install swapchef[train] and try again.") from None
    library: Any = transformers
    library.logging.set_verbosity_error()  # that a head is new is no news here
    library.logging.disable_progress_bar()
    kind = library.AutoModelForMaskedLM if masked else library.AutoModel
    with loading("BERT", start) as place:
        tokenizer = library.AutoTokenizer.from_pretrained(place)
        return kind.from_pretrained(place, torch_dtype="float32"), tokenizer


def add_ingredients(model: Any, tokenizer: Any, names: Sequence[str], kept: npt.NDArray[np.bool_]) -> Pieces:
    """Make the kept ingredients words of the vocabulary, each starting as the mean of its pieces; return their pieces, -1 for others: [n]."""
    import torch

    written = [name.replace(" ", "_") for name in names]
    chosen = np.flatnonzero(kept).tolist()
    unknown = [id for id in chosen if tokenizer.convert_tokens_to_ids(written[id]) in {None, tokenizer.unk_token_id}]
    before = [tokenizer(names[id].replace("_", " "), add_special_tokens=False)["input_ids"] for id in unknown]
    tokenizer.add_tokens([written[id] for id in unknown])
    model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    table = model.get_input_embeddings().weight
    with torch.no_grad():
        for id, pieces in zip(unknown, before, strict=True):
            table[tokenizer.convert_tokens_to_ids(written[id])] = table[pieces].mean(dim=0)
    found = np.full(len(names), -1, np.int64)
    found[chosen] = tokenizer.convert_tokens_to_ids([written[id] for id in chosen])
    return found


@dataclass(frozen=True, eq=False)
class Blocks:
    """A text cut into blocks of equal length, the first piece of each the one that starts every text."""

    pieces: Pieces  # [blocks, length]
    ingredient: npt.NDArray[np.int32]  # [blocks, length] which ingredient a piece is, or -1

    def __len__(self) -> int:
        return len(self.pieces)


def cut_blocks(
    text: CookingText,
    names: Sequence[str],
    own: Pieces,
    tokenizer: Any,
    length: int,
) -> Blocks:
    """Write a text in word pieces, ingredients as the pieces that are their `own` where they have one."""
    words = [*(name.replace("_", " ") for name in names), *text.words]
    listed: list[list[int]] = tokenizer(words, add_special_tokens=False)["input_ids"]
    for id in np.flatnonzero(own >= 0):
        listed[id] = [int(own[id])]
    listed.append([tokenizer.sep_token_id])
    counts = np.array([len(pieces) for pieces in listed])
    flat = np.array([piece for pieces in listed for piece in pieces], np.int64)
    firsts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    tokens = np.insert(text.tokens, text.starts[1:], len(listed) - 1)  # each step ends in a separator
    lengths = counts[tokens]
    place = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    stream = flat[np.repeat(firsts[tokens], lengths) + place]
    whose = np.where(tokens < text.n, tokens, -1)
    whose[whose >= 0] = np.where(own[whose[whose >= 0]] >= 0, whose[whose >= 0], -1)
    owner = np.repeat(whose, lengths).astype(np.int32)
    blocks = len(stream) // (length - 1)
    if blocks == 0:
        raise DataError("The text is shorter than what the network reads at once; lower length.")
    pieces = np.full((blocks, length), tokenizer.cls_token_id, np.int64)
    ingredient = np.full((blocks, length), -1, np.int32)
    pieces[:, 1:] = stream[: blocks * (length - 1)].reshape(blocks, -1)
    ingredient[:, 1:] = owner[: blocks * (length - 1)].reshape(blocks, -1)
    return Blocks(pieces, ingredient)
