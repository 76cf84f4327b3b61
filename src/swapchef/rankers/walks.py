"""Random walks over the graph for node2vec (Grover and Leskovec, 2016) and metapath2vec (Dong et al., 2017).

All walks take a step at once: a neighbour is drawn by its weight from the cumulative sum of all edge weights. The
second-order steps of node2vec are drawn in the same way and then accepted or rejected, which needs no transition table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.graph import EDGE_KINDS, Graph

Walks = npt.NDArray[np.int32]  # [walks, length], -1 after a walk's end
Steps = npt.NDArray[np.int64]
_TRIES = 30  # draws after which a second-order step is accepted as it is


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Weighted neighbours to draw from."""

    adjacency: sparse.csr_array  # [N, N]

    @cached_property
    def _cumulative(self) -> npt.NDArray[np.float64]:
        return np.concatenate([[0.0], np.cumsum(self.adjacency.data, dtype=np.float64)])

    @cached_property
    def _pairs(self) -> npt.NDArray[np.int64]:
        """Every edge as one number, sorted."""
        count = self.adjacency.shape[0]
        rows = np.repeat(np.arange(count, dtype=np.int64), np.diff(self.adjacency.indptr))
        return np.sort(rows * count + self.adjacency.indices)

    def draw(self, nodes: Steps, random: np.random.Generator) -> Steps:
        """Draw one neighbour of each node by weight; -1 for a node without any."""
        first, after = self.adjacency.indptr[nodes], self.adjacency.indptr[nodes + 1]
        low, high = self._cumulative[first], self._cumulative[after]
        position = np.searchsorted(self._cumulative, low + random.random(len(nodes)) * (high - low), side="right") - 1
        # Rounding must not lead into the next node's edges.
        position = np.clip(position, first, np.maximum(after - 1, first))
        possible = high > low
        drawn = self.adjacency.indices[np.where(possible, position, 0)] if self.adjacency.nnz else position
        return np.where(possible, drawn, -1).astype(np.int64)

    def joined(self, one: Steps, other: Steps) -> npt.NDArray[np.bool_]:
        """Return which pairs of nodes have an edge."""
        pairs = one * self.adjacency.shape[0] + other
        position = np.minimum(np.searchsorted(self._pairs, pairs), max(len(self._pairs) - 1, 0))
        return self._pairs[position] == pairs if len(self._pairs) else np.zeros(len(one), bool)


def node2vec_walks(
    adjacency: sparse.csr_array, walks: int, length: int, back: float, away: float, seed: Sequence[int]
) -> Walks:
    """Walk `walks` times from every node that has neighbours; `back` is the paper's p and `away` its q.

    The weight of a step from `previous` over `node` to x is that of the edge, times 1/p if x is `previous`, 1 if x is
    joined to it, 1/q otherwise (Grover and Leskovec, 2016).
    """
    random = np.random.default_rng(seed)
    neighbours = Neighbours(adjacency)
    starts = np.flatnonzero(np.asarray(adjacency.sum(axis=1)).ravel() > 0)
    paths = np.full((walks * len(starts), length), -1, np.int32)  # [walks, length]
    node = random.permuted(np.tile(starts, (walks, 1)), axis=1).ravel().astype(np.int64)
    paths[:, 0], previous = node, node
    for step in range(1, length):
        if step == 1:
            following = neighbours.draw(node, random)
        else:
            following = _second_order_step(neighbours, previous, node, back, away, random)
        previous, node = node, following
        paths[:, step] = node
    return paths


def _second_order_step(
    neighbours: Neighbours, previous: Steps, node: Steps, back: float, away: float, random: np.random.Generator
) -> Steps:
    """Draw by weight and redraw what node2vec's factors reject; an undirected graph always has a way back."""
    chosen = neighbours.draw(node, random)
    if back == away == 1.0:
        return chosen
    largest = max(1.0 / back, 1.0, 1.0 / away)
    rejected = np.arange(len(node))  # walks whose draw is to be tested
    for _ in range(_TRIES):
        came, drawn = previous[rejected], chosen[rejected]
        factor = np.where(drawn == came, 1.0 / back, np.where(neighbours.joined(came, drawn), 1.0, 1.0 / away))
        rejected = rejected[random.random(len(rejected)) * largest > factor]
        if not len(rejected):
            break
        chosen[rejected] = neighbours.draw(node[rejected], random)
    return chosen


NODE_KINDS = ("hub", "other", "compound")  # ingredients that have compounds, those that have none, compounds
METAPATHS = (
    ("compound", "hub"),  # and round again: foods that share flavour compounds
    ("hub", "hub"),
    ("other", "hub"),
    ("other", "hub", "compound", "hub"),
    ("compound", "hub", "other", "hub"),
    ("other", "other"),
)


def node_kinds(graph: Graph) -> npt.NDArray[np.int8]:
    """Return each node's kind, as FlavorGraph distinguishes them: [N]."""
    kinds = np.ones(len(graph.nodes), np.int8)
    kinds[graph.nodes.n_ingredients :] = NODE_KINDS.index("compound")
    flavour = graph.kind != EDGE_KINDS.index("ingr-ingr")
    ends = np.concatenate([graph.first[flavour], graph.second[flavour]])
    kinds[ends[ends < graph.nodes.n_ingredients]] = NODE_KINDS.index("hub")
    return kinds


def metapath_walks(
    adjacency: sparse.csr_array,
    kinds: npt.NDArray[np.int8],
    walks: int,
    length: int,
    seed: Sequence[int],
    metapaths: Sequence[Sequence[str]] = METAPATHS,
) -> Walks:
    """Walk along each metapath, repeated, from every node of its first kind, until no neighbour has the next kind."""
    random = np.random.default_rng(seed)
    towards = [Neighbours(_edges_to(adjacency, kinds == kind)) for kind in range(len(NODE_KINDS))]
    paths = []
    for metapath in metapaths:
        cycle = [NODE_KINDS.index(kind) for kind in metapath]
        starts = np.flatnonzero(kinds == cycle[0])
        path = np.full((walks * len(starts), length), -1, np.int32)
        path[:, 0] = random.permuted(np.tile(starts, (walks, 1)), axis=1).ravel()
        alive = np.arange(len(path))
        for step in range(1, length):
            following = towards[cycle[step % len(cycle)]].draw(path[alive, step - 1].astype(np.int64), random)
            path[alive, step] = following
            alive = alive[following >= 0]
        paths.append(path[path[:, 1] >= 0])
    all_paths = np.concatenate(paths)
    return all_paths[random.permutation(len(all_paths))]


def _edges_to(adjacency: sparse.csr_array, columns: npt.NDArray[np.bool_]) -> sparse.csr_array:
    """Keep the edges that lead to some nodes."""
    edges = sparse.csr_array(adjacency @ sparse.diags_array(columns.astype(np.float64)))
    edges.eliminate_zeros()
    edges.sort_indices()
    return edges
