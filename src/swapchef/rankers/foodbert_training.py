"""Training FoodBERT: guessing masked words, then collecting what ingredients look like in context."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from scipy import sparse
from torch import Tensor, nn

from swapchef.benchmark import Split
from swapchef.rankers.bert import Blocks, add_ingredients, cut_blocks, load_bert
from swapchef.rankers.cooking_text import CookingText
from swapchef.rankers.embeddings import ValSample
from swapchef.rankers.foodbert import FoodBERTConfig
from swapchef.rankers.knowledge import unit_rows
from swapchef.training import Epoch, Progress, Rows, TrainingSettings, train

Floats = npt.NDArray[np.float32]
_READ = 64  # blocks at a time when nothing is learned
_SEARCH = 1024  # contexts at a time whose neighbours are looked for


class MaskedTask(nn.Module):
    """One batch's loss as a module's forward: -log p of the masked pieces."""

    def __init__(
        self, config: FoodBERTConfig, model: Any, blocks: Blocks, mask_piece: int, n_pieces: int, val: Split, n: int
    ) -> None:
        super().__init__()
        self.config, self.model, self.blocks, self.n = config, model, blocks, n
        self.mask_piece, self.n_pieces = mask_piece, n_pieces
        self.n_examples = min(config.examples, len(blocks))
        self.order = np.random.default_rng((config.seed, 5)).permutation(len(blocks))
        self.sample = ValSample(val, config.val_queries)
        self.val_contexts = choose_contexts(blocks, config.val_contexts, n, (config.seed, 6))

    @property
    def network(self) -> nn.Module:
        """The loop trains this task, whose parameters are the network's."""
        return self

    def forward(self, rows: Rows, batch: Rows, seed: tuple[int, int, int]) -> Tensor:
        """Return the mean loss of the masked pieces; every epoch reads on in the text where the last one ended."""
        _, epoch, _ = seed
        numbers = self.order[(epoch * self.n_examples + rows) % len(self.blocks)]
        pieces, ingredient = self.blocks.pieces[numbers], self.blocks.ingredient[numbers]
        shown, guessed = self._masked(pieces, ingredient, np.random.default_rng((*seed, int(rows[0]))))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.model.base_model(input_ids=torch.from_numpy(shown)).last_hidden_state
            scores = self.model.cls(hidden[torch.from_numpy(guessed)])
        return nn.functional.cross_entropy(scores.float(), torch.from_numpy(pieces[guessed]))

    def _masked(
        self, pieces: npt.NDArray[np.int64], ingredient: npt.NDArray[np.int32], random: np.random.Generator
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Choose pieces to guess and hide them as BERT does: 80% masked, 10% another piece, 10% left as they are."""
        share = np.where(ingredient >= 0, self.config.mask_ingredients, self.config.mask)
        share[:, 0] = 0.0
        guessed = random.random(pieces.shape) < share
        guessed[0, 1] |= not guessed.any()  # a loss over nothing is no loss
        how = random.random(pieces.shape)
        shown = np.where(guessed & (how < 0.8), self.mask_piece, pieces)
        shown = np.where(guessed & (how >= 0.9), random.integers(self.n_pieces, size=pieces.shape), shown)
        return shown, guessed

    def validate(self) -> float:
        """Return the MRR in percent on a fixed part of val by the mean vectors of a few contexts."""
        owners, vectors = context_vectors(self.model.base_model, self.blocks, self.val_contexts)
        return self.sample(mean_vectors(owners, vectors, self.n))


def train_contexts(
    config: FoodBERTConfig,
    text: CookingText,
    names: tuple[str, ...],
    val: Split,
    run: Path | None = None,
    progress: Progress | None = None,
) -> tuple[sparse.csr_array, Floats, list[Epoch]]:
    """Fine-tune, and return each ingredient's shares of neighbours [n, n] and mean vectors [n, d]."""
    torch.manual_seed(config.seed)
    model, tokenizer = load_bert(config.start, masked=True)
    own = add_ingredients(model, tokenizer, names, text.counts() >= config.min_count)
    blocks = cut_blocks(text, names, own, tokenizer, config.length)
    task = MaskedTask(config, model, blocks, int(tokenizer.mask_token_id), len(tokenizer), val, text.n)
    history = train(task, TrainingSettings.of(config, task.n_examples), run, progress)
    if run is not None:
        keep_encoder(model, tokenizer, run / "encoder")
    model.eval()
    chosen = choose_contexts(blocks, config.contexts, text.n, (config.seed, 7))
    with torch.no_grad():
        owners, vectors = context_vectors(model.base_model, blocks, chosen)
    return neighbour_shares(owners, vectors, text.n, config.neighbours), mean_vectors(owners, vectors, text.n), history


def keep_encoder(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write a network and its tokenizer, in the hub's own form, so that other models can start from them."""
    temporary = folder.with_name(folder.name + ".part")
    shutil.rmtree(temporary, ignore_errors=True)
    model.save_pretrained(temporary)
    tokenizer.save_pretrained(temporary)
    shutil.rmtree(folder, ignore_errors=True)
    temporary.rename(folder)


def choose_contexts(
    blocks: Blocks, most: int, n: int, seed: tuple[int, int]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Choose up to `most` occurrences of each ingredient at random: which blocks, and where in them; in the order of the text."""
    block, place = np.nonzero(blocks.ingredient >= 0)
    owner = blocks.ingredient[block, place]
    chance = np.random.default_rng(seed).random(len(owner))
    order = np.lexsort((chance, owner))
    first = np.searchsorted(owner[order], np.arange(n))
    rank = np.arange(len(order)) - first[owner[order]]
    chosen = np.sort(order[rank < most])
    return block[chosen], place[chosen]


def context_vectors(
    encoder: Any, blocks: Blocks, chosen: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
) -> tuple[npt.NDArray[np.int32], Floats]:
    """Read the chosen occurrences in context: whose they are [m], and unit vectors [m, d]."""
    block, place = chosen
    needed, row = np.unique(block, return_inverse=True)
    vectors: list[Floats] = []
    for start in range(0, len(needed), _READ):
        part = needed[start : start + _READ]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = encoder(input_ids=torch.from_numpy(blocks.pieces[part])).last_hidden_state.float()
        mine = (row >= start) & (row < start + _READ)
        vectors.append(hidden[torch.from_numpy(row[mine] - start), torch.from_numpy(place[mine])].numpy())
    width = int(encoder.config.hidden_size)
    found = np.concatenate([np.zeros((0, width), np.float32), *vectors])
    return blocks.ingredient[block, place], unit_rows(found)


def mean_vectors(owners: npt.NDArray[np.int32], vectors: Floats, n: int) -> Floats:
    """Return the direction of each ingredient's mean vector, seen from the mean of all ingredients: [n, d], zeros for unknown ones."""
    gather = sparse.csr_array(
        (np.ones(len(owners), np.float32), (owners, np.arange(len(owners)))), shape=(n, len(owners))
    )
    counts = np.bincount(owners, minlength=n)
    means = np.asarray(gather @ vectors / np.maximum(counts, 1)[:, None], np.float32)
    known = counts > 0
    if known.sum() > 2:  # what all contexts have in common tells nothing
        means[known] -= means[known].mean(axis=0)
    return unit_rows(means)


def neighbour_shares(owners: npt.NDArray[np.int32], vectors: Floats, n: int, k: int) -> sparse.csr_array:
    """Return, for each ingredient, the shares of others among the k nearest contexts of its own contexts: [n, n]."""
    total = sparse.csr_array((n, n), dtype=np.float32)
    whose, table = torch.from_numpy(owners.astype(np.int64)), torch.from_numpy(vectors)
    for start in range(0, len(vectors), _SEARCH):
        part = slice(start, start + _SEARCH)
        cosines = table[part] @ table.T
        cosines[whose[part, None] == whose[None]] = -2.0  # an ingredient is no neighbour of itself
        best = cosines.topk(min(k, len(vectors)), dim=1)
        real = best.values > -1.5
        rows = whose[part, None].expand_as(best.indices)[real].numpy()
        ones = np.ones(len(rows), np.float32)
        total = total + sparse.csr_array((ones, (rows, whose[best.indices[real]].numpy())), shape=(n, n))
    sums = np.maximum(np.asarray(total.sum(axis=1)).ravel(), 1.0)
    return sparse.csr_array(sparse.diags_array(1.0 / sums) @ total).astype(np.float32)
