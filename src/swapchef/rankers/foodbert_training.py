"""Training FoodBERT (Pellegrini et al., 2021): masked language modelling, then embedding ingredients in context."""

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
_INFERENCE_BATCH = 64  # blocks
_SEARCH_BATCH = 1024  # contexts whose neighbours are searched at a time


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
        """Return the mean loss of the masked pieces; every epoch continues in the text where the last one ended."""
        _, epoch, _ = seed
        numbers = self.order[(epoch * self.n_examples + rows) % len(self.blocks)]
        pieces, ingredient = self.blocks.pieces[numbers], self.blocks.ingredient[numbers]
        inputs, masked = self._masked(pieces, ingredient, np.random.default_rng((*seed, int(rows[0]))))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.model.base_model(input_ids=torch.from_numpy(inputs)).last_hidden_state
            logits = self.model.cls(hidden[torch.from_numpy(masked)])
        return nn.functional.cross_entropy(logits.float(), torch.from_numpy(pieces[masked]))

    def _masked(
        self, pieces: npt.NDArray[np.int64], ingredient: npt.NDArray[np.int32], random: np.random.Generator
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Mask pieces as BERT does: of those to predict, 80% become [MASK], 10% another piece, 10% stay."""
        share = np.where(ingredient >= 0, self.config.mask_ingredients, self.config.mask)
        share[:, 0] = 0.0
        masked = random.random(pieces.shape) < share
        masked[0, 1] |= not masked.any()  # the mean loss over no piece would be NaN
        draw = random.random(pieces.shape)
        inputs = np.where(masked & (draw < 0.8), self.mask_piece, pieces)
        inputs = np.where(masked & (draw >= 0.9), random.integers(self.n_pieces, size=pieces.shape), inputs)
        return inputs, masked

    def validate(self) -> float:
        """Return the MRR in percent on a fixed sample of val by the mean vectors of a few contexts."""
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
    ingredient_pieces = add_ingredients(model, tokenizer, names, text.counts() >= config.min_count)
    blocks = cut_blocks(text, names, ingredient_pieces, tokenizer, config.length)
    task = MaskedTask(config, model, blocks, int(tokenizer.mask_token_id), len(tokenizer), val, text.n)
    history = train(task, TrainingSettings.of(config, task.n_examples), run, progress)
    if run is not None:
        save_encoder(model, tokenizer, run / "encoder")
    model.eval()
    chosen = choose_contexts(blocks, config.contexts, text.n, (config.seed, 7))
    with torch.no_grad():
        owners, vectors = context_vectors(model.base_model, blocks, chosen)
    return neighbour_shares(owners, vectors, text.n, config.neighbours), mean_vectors(owners, vectors, text.n), history


def save_encoder(model: Any, tokenizer: Any, folder: Path) -> None:
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
    """Choose up to `most` random occurrences of each ingredient: blocks and positions, in the order of the text."""
    block, position = np.nonzero(blocks.ingredient >= 0)
    owner = blocks.ingredient[block, position]
    draw = np.random.default_rng(seed).random(len(owner))
    order = np.lexsort((draw, owner))
    first = np.searchsorted(owner[order], np.arange(n))
    rank = np.arange(len(order)) - first[owner[order]]
    chosen = np.sort(order[rank < most])
    return block[chosen], position[chosen]


def context_vectors(
    encoder: Any, blocks: Blocks, chosen: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
) -> tuple[npt.NDArray[np.int32], Floats]:
    """Embed the chosen occurrences in context: their ingredients [m] and unit vectors [m, d]."""
    block, position = chosen
    needed, row = np.unique(block, return_inverse=True)
    vectors: list[Floats] = []
    for start in range(0, len(needed), _INFERENCE_BATCH):
        part = needed[start : start + _INFERENCE_BATCH]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = encoder(input_ids=torch.from_numpy(blocks.pieces[part])).last_hidden_state.float()
        in_batch = (row >= start) & (row < start + _INFERENCE_BATCH)
        vectors.append(hidden[torch.from_numpy(row[in_batch] - start), torch.from_numpy(position[in_batch])].numpy())
    width = int(encoder.config.hidden_size)
    all_vectors = np.concatenate([np.zeros((0, width), np.float32), *vectors])
    return blocks.ingredient[block, position], unit_rows(all_vectors)


def mean_vectors(owners: npt.NDArray[np.int32], vectors: Floats, n: int) -> Floats:
    """Return each ingredient's mean vector, centred and of length one: [n, d], zeros for those without a vector."""
    gather = sparse.csr_array(
        (np.ones(len(owners), np.float32), (owners, np.arange(len(owners)))), shape=(n, len(owners))
    )
    counts = np.bincount(owners, minlength=n)
    means = np.asarray(gather @ vectors / np.maximum(counts, 1)[:, None], np.float32)
    has_vector = counts > 0
    if has_vector.sum() > 2:  # what all contexts have in common distinguishes none
        means[has_vector] -= means[has_vector].mean(axis=0)
    return unit_rows(means)


def neighbour_shares(owners: npt.NDArray[np.int32], vectors: Floats, n: int, k: int) -> sparse.csr_array:
    """Return, for each ingredient, the shares of others among the k nearest contexts of its own contexts: [n, n]."""
    total = sparse.csr_array((n, n), dtype=np.float32)
    owner, table = torch.from_numpy(owners.astype(np.int64)), torch.from_numpy(vectors)
    for start in range(0, len(vectors), _SEARCH_BATCH):
        part = slice(start, start + _SEARCH_BATCH)
        cosines = table[part] @ table.T  # [batch, m]
        cosines[owner[part, None] == owner[None]] = -2.0  # an ingredient is no neighbour of itself
        best = cosines.topk(min(k, len(vectors)), dim=1)
        real = best.values > -1.5
        rows = owner[part, None].expand_as(best.indices)[real].numpy()
        ones = np.ones(len(rows), np.float32)
        total = total + sparse.csr_array((ones, (rows, owner[best.indices[real]].numpy())), shape=(n, n))
    sums = np.maximum(np.asarray(total.sum(axis=1)).ravel(), 1.0)
    return sparse.csr_array(sparse.diags_array(1.0 / sums) @ total).astype(np.float32)
