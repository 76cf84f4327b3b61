"""Training PinSAGE (Ying et al., 2018): importance-sampled neighbours, network, and max-margin loss on swaps."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from scipy import sparse
from torch import Tensor, nn

from swapchef.benchmark import Split
from swapchef.graph import Graph
from swapchef.rankers.embeddings import ValSample
from swapchef.rankers.pinsage import PinSAGEConfig, inner_scores
from swapchef.rankers.sparse_product import SparseMatrix
from swapchef.rankers.walks import Neighbours
from swapchef.training import Epoch, Progress, Rows, TrainingSettings, train

Floats = npt.NDArray[np.float32]


def important_neighbours(
    adjacency: sparse.csr_array, walks: int, length: int, most: int, seed: tuple[int, int]
) -> sparse.csr_array:
    """Return the share of visits of each node's most visited neighbours on random walks: [N, N]."""
    random = np.random.default_rng(seed)
    neighbours, count = Neighbours(adjacency), adjacency.shape[0]
    starts = np.flatnonzero(np.asarray(adjacency.sum(axis=1)).ravel() > 0).astype(np.int64)
    visits = sparse.csr_array((count, count), dtype=np.float32)
    for _ in range(walks):
        node = starts
        for _ in range(length):
            node = neighbours.draw(node, random)
            left = node != starts
            ones = np.ones(int(left.sum()), np.float32)
            visits = visits + sparse.csr_array((ones, (starts[left], node[left])), shape=(count, count))
    top = _largest(visits, most)
    totals = np.maximum(np.asarray(top.sum(axis=1)).ravel(), 1.0)
    return sparse.csr_array(sparse.diags_array(1.0 / totals) @ top).astype(np.float32)


def _largest(matrix: sparse.csr_array, most: int) -> sparse.csr_array:
    """Keep the largest entries of each row; of equal ones the first."""
    coo = matrix.tocoo()
    order = np.lexsort((coo.col, -coo.data, coo.row))
    rows = coo.row[order]
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    top = order[rank < most]
    return sparse.csr_array((coo.data[top], (coo.row[top], coo.col[top])), shape=matrix.shape)


class Convolve(nn.Module):
    """One layer: n_v = sum_u alpha_vu relu(Q h_u + q), z_v = relu(W [h_v; n_v] + w), scaled to length one."""

    def __init__(self, inputs: int, width: int, dropout: float) -> None:
        super().__init__()
        self.neighbour, self.own = nn.Linear(inputs, width), nn.Linear(inputs, width)
        self.from_neighbours = nn.Linear(width, width, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, importance: SparseMatrix, h: Tensor) -> Tensor:
        """Update every node: [N, inputs] -> [N, width]."""
        gathered = importance @ torch.relu(self.neighbour(self.dropout(h)))
        z = torch.relu(self.own(h) + self.from_neighbours(gathered))
        return nn.functional.normalize(z, dim=1)


class PinSAGENetwork(nn.Module):
    """Features of nodes, convolved, then two dense layers."""

    def __init__(
        self, config: PinSAGEConfig, importance: SparseMatrix, n_nodes: int, n: int, features: Tensor | None
    ) -> None:
        super().__init__()
        self.importance, self.n = importance, n
        self.embedding = nn.Parameter(torch.randn(n_nodes, config.width) if features is None else features.clone())
        inputs = self.embedding.shape[1]
        self.layers = nn.ModuleList(
            Convolve(inputs if layer == 0 else config.width, config.width, config.dropout)
            for layer in range(config.layers)
        )
        self.first = nn.Linear(config.width if config.layers else inputs, config.width)
        self.second = nn.Linear(config.width, config.width, bias=False)

    def forward(self) -> Tensor:
        """Return the vectors of all ingredients: [n, width]."""
        h: Tensor = self.embedding
        for layer in self.layers:
            h = layer(self.importance, h)
        vectors: Tensor = self.second(torch.relu(self.first(h[: self.n])))
        return vectors


class PinSAGETask(nn.Module):
    """One batch's loss as a module's forward."""

    def __init__(self, config: PinSAGEConfig, network: PinSAGENetwork, train_split: Split, val: Split) -> None:
        super().__init__()
        self.config, self.model, self.split = config, network, train_split
        self.n_examples = len(train_split)
        self.sample = ValSample(val, config.val_queries)

    @property
    def network(self) -> nn.Module:
        """The loop trains this task, whose parameters are the network's."""
        return self

    def forward(self, rows: Rows, batch: Rows, seed: tuple[int, int, int]) -> Tensor:
        """Return max(0, margin + z_s . z_v - z_s . z_t), the mean over the v within the margin, then over swaps.

        Every ingredient v is a negative: PinSAGE draws some and picks hard ones, but there are few enough to take all.
        The mean leaves out those already below the margin, which would outweigh the hard ones.
        """
        source, target = (
            torch.from_numpy(ids[rows].astype(np.int64)) for ids in (self.split.source, self.split.target)
        )
        vectors = self.model()
        z_source = vectors[source]
        positive = (z_source * vectors[target]).sum(dim=1, keepdim=True)  # [B, 1]
        negative = z_source @ vectors.T  # [B, n]
        negative = negative.scatter(1, torch.stack([source, target], dim=1), -torch.inf)
        excess = torch.relu(self.config.margin + negative - positive)
        return (excess.sum(dim=1) / (excess > 0).sum(dim=1).clamp_min(1)).mean()

    def validate(self) -> float:
        """Return the MRR in percent on a fixed sample of val, protocol `paper`."""
        return self.sample.mrr(inner_scores(self.model().numpy(), self.sample.sources))


def train_vectors(
    config: PinSAGEConfig,
    train_split: Split,
    val: Split,
    graph: Graph,
    features: Floats | None = None,
    run: Path | None = None,
    progress: Progress | None = None,
) -> tuple[Floats, list[Epoch]]:
    """Train a network and return the vectors of all ingredients by its best weights: [n, width]."""
    torch.manual_seed(config.seed)
    importance = important_neighbours(
        graph.adjacency(), config.walks, config.length, config.neighbours, (config.seed, 4)
    )
    inputs = None if features is None else torch.from_numpy(np.ascontiguousarray(features, np.float32))
    network = PinSAGENetwork(config, SparseMatrix(importance), len(graph.nodes), train_split.context.shape[1], inputs)
    task = PinSAGETask(config, network, train_split, val)
    history = train(task, TrainingSettings.of(config, len(train_split)), run, progress)
    network.eval()
    with torch.no_grad():
        return network().numpy().copy(), history
