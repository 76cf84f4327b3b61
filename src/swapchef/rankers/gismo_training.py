"""Training GISMo: the candidates that each batch is scored against, its loss, and the val figure for early stopping.

Negatives are the batch's own targets and some uniform ones, shared by the batch and corrected by how likely each was
drawn, so that the best scores are those of the full softmax; or, with `negatives="uniform"`, the paper's, for each
example its own, which may be the target or the source.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from swapchef.benchmark import Split, ranks_of
from swapchef.errors import DataError
from swapchef.graph import Graph
from swapchef.rankers.base import Arrays
from swapchef.rankers.calibration import best_temperature
from swapchef.rankers.contexts import mean_rows
from swapchef.rankers.gismo import GISMo
from swapchef.rankers.gismo_fast import QuickDecoder, SplitLayer, contrastive_loss
from swapchef.rankers.gismo_ranker import GISMoConfig
from swapchef.rankers.sparse_product import SparseMatrix
from swapchef.text_encoder import encode_texts
from swapchef.training import Epoch, Progress, Rows, TrainingSettings, train

_Ids = npt.NDArray[np.int64]
_CALIBRATION_QUERIES = 1000
_PRECISIONS = {"bfloat16": torch.bfloat16, "float32": torch.float32}


def train_network(
    config: GISMoConfig,
    train_split: Split,
    val: Split,
    graph: Graph,
    features: npt.NDArray[np.float32] | None = None,
    run: Path | None = None,
    progress: Progress | None = None,
) -> tuple[GISMo, float, list[Epoch]]:
    """Train a network and return it with its best weights, and the temperature at which its scores are chances."""
    torch.manual_seed(config.seed)
    titles = {id(split): _title_vectors(config, split) for split in (train_split, val)}
    title_width = 0 if (vectors := titles[id(train_split)]) is None else vectors.shape[1]
    if features is None and config.fine_tune:
        raise DataError("There are no given features to fine-tune; an embedding layer is learned as it is.")
    inputs = None if features is None else torch.from_numpy(_as_large_as_random(features))
    neighbours = SparseMatrix(graph.normalised(config.aggregation))
    network = GISMo(config, neighbours, train_split.context.shape[1], inputs, title_width)
    task = GISMoTask(config, network, train_split, val, titles[id(train_split)], titles[id(val)])
    data = f"{len(graph)} edges that weigh {graph.weight.sum():.3f}; {'random' if features is None else features.shape}"
    history = train(task, TrainingSettings.of(config, len(train_split), data), run, progress)
    return network, task.temperature(), history


def _as_large_as_random(features: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Scale features to the deviation of random ones; vectors of length one train far more slowly."""
    nonzero = features[features.any(axis=1)]
    deviation = float(nonzero.std()) if len(nonzero) else 1.0
    return np.ascontiguousarray(features / max(deviation, 1e-9), np.float32)


def _title_vectors(config: GISMoConfig, split: Split) -> Tensor | None:
    if config.context not in {"title", "both"}:
        return None
    if split.title is None:
        raise DataError('This model reads titles and the recipes have none; use context "set" or "none".')
    return torch.from_numpy(encode_texts(list(split.title), config.title_encoder))


def target_shares(split: Split, swap_probability: float) -> npt.NDArray[np.float64]:
    """Return each ingredient's probability of being a target, where some are exchanged with their sources: [n]."""
    n = split.context.shape[1]
    targets, sources = (np.bincount(ids, minlength=n) for ids in (split.target, split.source))
    shares: npt.NDArray[np.float64] = ((1 - swap_probability) * targets + swap_probability * sources) / len(split)
    return shares


class GISMoTask(nn.Module):
    """One batch's loss as a module's forward, which is what DistributedDataParallel wraps."""

    def __init__(
        self,
        config: GISMoConfig,
        network: GISMo,
        train_split: Split,
        val: Split,
        titles: Tensor | None = None,
        val_titles: Tensor | None = None,
    ) -> None:
        super().__init__()
        self.titles, self.val_titles = titles, val_titles
        self.config, self.model, self.split, self.val = config, network, train_split, val
        self.n_examples = len(train_split)
        self.n = train_split.context.shape[1]
        self.means = mean_rows(train_split.context)
        self.frequency = target_shares(train_split, config.swap_probability)
        self.val_rows = np.sort(np.random.default_rng(0).permutation(len(val))[: config.val_queries or len(val)])
        self.precision = _PRECISIONS[config.precision]

    @property
    def network(self) -> nn.Module:
        """The loop trains this task, whose parameters are the network's."""
        return self

    def forward(self, rows: Rows, batch: Rows, seed: tuple[int, int, int]) -> Tensor:
        """Return the loss of `rows`, scored against candidates drawn for the whole batch."""
        random = np.random.default_rng(seed)
        source, target, all_targets = self._pairs(rows, batch, random)
        generator = torch.Generator().manual_seed(int(random.integers(2**62)) + int(rows[0]))
        titles = None if self.titles is None else self.titles[torch.from_numpy(rows)]
        h = self.model.ingredient_encoder()
        context = self.model.context_encoder(h, SparseMatrix(self.means[rows]), titles)
        first = SplitLayer(self.model.decoder)
        queries = first.queries(h[torch.from_numpy(source)], context)
        if self.config.negatives == "uniform":  # the paper's: each example has its own
            own = np.random.default_rng((*seed, int(rows[0])))
            drawn = own.integers(self.n, size=(len(rows), self.config.n_negatives))
            ids = torch.from_numpy(np.concatenate([target[:, None], drawn], axis=1))
            projected, positions = first.candidates(h[: self.n]), torch.zeros(len(rows), dtype=torch.int64)
            correction = torch.zeros(())
        else:
            candidates, correction = self._shared_candidates(all_targets, random)
            ids, positions = None, torch.from_numpy(np.searchsorted(candidates, target))
            projected = first.candidates(h[torch.from_numpy(candidates)])
        loss = contrastive_loss(
            self.model.decoder, queries, projected, positions, correction, generator, ids, self.precision
        )
        if self.config.pull > 0 and self.config.fine_tune:  # of features that were given
            loss = loss + self.config.pull * self.model.ingredient_encoder.pull()
        return loss

    def _pairs(self, rows: Rows, batch: Rows, random: np.random.Generator) -> tuple[_Ids, _Ids, _Ids]:
        """Return sources and targets of `rows` and the batch's targets, some exchanged; the split is not changed."""
        source, target = self.split.source[batch].astype(np.int64), self.split.target[batch].astype(np.int64)
        swapped = random.random(len(batch)) < self.config.swap_probability
        source, target = np.where(swapped, target, source), np.where(swapped, source, target)
        in_rows = np.isin(batch, rows)
        return source[in_rows], target[in_rows], target

    def _shared_candidates(self, targets: _Ids, random: np.random.Generator) -> tuple[_Ids, Tensor]:
        """Draw the batch's candidates [K], sorted, and the log-probability of each being drawn."""
        extra = min(self.config.n_negatives, self.n)
        candidates = np.union1d(targets, random.choice(self.n, extra, replace=False))
        not_drawn = (1.0 - self.frequency[candidates]) ** len(targets) * (1.0 - extra / self.n)
        return candidates, torch.from_numpy(np.log(np.maximum(1.0 - not_drawn, 1e-12)).astype(np.float32))

    def validate(self) -> float:
        """Return the MRR in percent on a fixed sample of val, protocol `paper`."""
        targets, ranks = self.val.target[self.val_rows], np.empty(len(self.val_rows))
        for row, scores in enumerate(self._val_scores(self.val_rows)):
            ranks[row] = ranks_of(scores[None], targets[row : row + 1])[0]
        return float(np.mean(100.0 / ranks))

    @torch.no_grad()
    def temperature(self) -> float:
        """Return what to divide scores by, so that their softmax over what a cook lacks is a chance."""
        rows = np.random.default_rng(1).permutation(self.val_rows)[:_CALIBRATION_QUERIES]
        scores = np.array(list(self._val_scores(rows)))
        scores[np.arange(len(rows)), self.val.source[rows]] = -np.inf
        scores[self.val.context[rows].nonzero()] = -np.inf
        everything = np.broadcast_to(np.arange(self.n, dtype=np.int32), scores.shape)
        return best_temperature(scores, everything, self.val.target[rows].astype(np.int64))

    def _val_scores(self, rows: _Ids) -> Iterator[npt.NDArray[np.float32]]:
        """Yield the scores of all ingredients for queries of val."""
        titles = None if self.val_titles is None else self.val_titles[torch.from_numpy(rows)]
        h = self.model.ingredient_encoder()
        context = self.model.context_encoder(h, SparseMatrix(mean_rows(self.val.context[rows])), titles)
        source = torch.from_numpy(self.val.source[rows].astype(np.int64))
        queries = SplitLayer(self.model.decoder).queries(h[source], context)
        decoder = QuickDecoder(self.model, h, self.precision)
        yield from (decoder.scores(query).numpy() for query in queries)


def exported(network: GISMo, temperature: float = 1.0) -> Arrays:
    """Return what scoring needs: the encoded ingredients and the decoder, matrices as [inputs, outputs]."""
    network.eval()
    with torch.no_grad():
        arrays = {"encoded": network.ingredient_encoder()[: network.n_ingredients].numpy()}
        for name, tensor in network.decoder.named_parameters():
            arrays[name] = tensor.numpy().T
    arrays["third.weight"] = arrays["third.weight"][:, 0]
    rounded = {name: np.ascontiguousarray(array, np.float16) for name, array in arrays.items()}
    return {**rounded, "temperature": np.array([temperature], np.float32)}
