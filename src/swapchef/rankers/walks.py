"""Random walks over the graph, all at once: every walk takes its next step in the same few NumPy calls.

A neighbour is drawn by its weight from one running sum over all edges. node2vec's second-order walks draw like that and
then keep or redraw, by where the walk came from, which gives the same walks as its tables of transitions in none of the
memory; metapath2vec's walks draw from the neighbours of the kind that is next on the path.
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
_TRIES = 30  # draws after which a second-order step is taken as it comes


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Weighted neighbours to draw from."""

    adjacency: sparse.csr_array  # [N, N]

    @cached_property
    def _running(self) -> npt.NDArray[np.float64]:
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
        low, high = self._running[first], self._running[after]
        position = np.searchsorted(self._running, low + random.random(len(nodes)) * (high - low), side="right") - 1
        position = np.clip(
            position, first, np.maximum(after - 1, first)
        )  # rounding must not lead to a neighbour's neighbours
        possible = high > low
        drawn = self.adjacency.indices[np.where(possible, position, 0)] if self.adjacency.nnz else position
        return np.where(possible, drawn, -1).astype(np.int64)

    def joined(self, one: Steps, other: Steps) -> npt.NDArray[np.bool_]:
        """Tell which pairs of nodes have an edge."""
        wanted = one * self.adjacency.shape[0] + other
        place = np.minimum(np.searchsorted(self._pairs, wanted), max(len(self._pairs) - 1, 0))
        return self._pairs[place] == wanted if len(self._pairs) else np.zeros(len(one), bool)


def node2vec_walks(
    adjacency: sparse.csr_array, walks: int, length: int, back: float, away: float, seed: Sequence[int]
) -> Walks:
    """Walk from every node that has neighbours, some times each: p is how rarely a walk turns back, q how rarely it leaves.

    The weight of going from `previous` over `node` on to x is that of the edge, times 1/p if x is `previous`, 1 if x is joined
    to it, 1/q otherwise (Grover and Leskovec, 2016).
    """
    random = np.random.default_rng(seed)
    neighbours = Neighbours(adjacency)
    starts = np.flatnonzero(np.asarray(adjacency.sum(axis=1)).ravel() > 0)
    paths = np.full((walks * len(starts), length), -1, np.int32)
    node = random.permuted(np.tile(starts, (walks, 1)), axis=1).ravel().astype(np.int64)
    paths[:, 0], previous = node, node
    for step in range(1, length):
        following = (
            neighbours.draw(node, random) if step == 1 else _second(neighbours, previous, node, back, away, random)
        )
        previous, node = node, following
        paths[:, step] = node
    return paths


def _second(
    neighbours: Neighbours, previous: Steps, node: Steps, back: float, away: float, random: np.random.Generator
) -> Steps:
    """Draw by weight and redraw what node2vec's factors refuse; for the undirected graph there is always a way back."""
    chosen = neighbours.draw(node, random)
    if back == away == 1.0:
        return chosen
    most = max(1.0 / back, 1.0, 1.0 / away)
    waiting = np.arange(len(node))
    for _ in range(_TRIES):
        came, drawn = previous[waiting], chosen[waiting]
        factor = np.where(drawn == came, 1.0 / back, np.where(neighbours.joined(came, drawn), 1.0, 1.0 / away))
        waiting = waiting[random.random(len(waiting)) * most > factor]
        if not len(waiting):
            break
        chosen[waiting] = neighbours.draw(node[waiting], random)
    return chosen


NODE_KINDS = ("hub", "other", "compound")  # ingredients that have compounds, those that have none, compounds
METAPATHS = (
    ("compound", "hub"),  # and round again: foods that share what gives them their flavour
    ("hub", "hub"),
    ("other", "hub"),
    ("other", "hub", "compound", "hub"),
    ("compound", "hub", "other", "hub"),
    ("other", "other"),
)


def node_kinds(graph: Graph) -> npt.NDArray[np.int8]:
    """Return each node's kind, as FlavorGraph tells them apart: [N]."""
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
    """Walk along each metapath, over and over, from every node of its first kind; a walk ends where the next kind is not at hand."""
    random = np.random.default_rng(seed)
    towards = [Neighbours(_only(adjacency, kinds == kind)) for kind in range(len(NODE_KINDS))]
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
    together = np.concatenate(paths)
    return together[random.permutation(len(together))]


def _only(adjacency: sparse.csr_array, columns: npt.NDArray[np.bool_]) -> sparse.csr_array:
    """Keep the edges that lead to some nodes."""
    only = sparse.csr_array(adjacency @ sparse.diags_array(columns.astype(np.float64)))
    only.eliminate_zeros()
    only.sort_indices()
    return only
