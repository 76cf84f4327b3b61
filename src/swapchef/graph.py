"""The ingredient graph: FlavorGraph's nodes and edges, and co-occurrence counted from recipes, as one sparse matrix.

Nodes are in FlavorGraph's order with ingredients first, so an ingredient's node is its vocabulary id. All edge files
have FlavorGraph's four columns, and the file named first decides the weight of a pair. Normalisation is that of GISMo's
published code: symmetric by weighted degree, then the mean or the sum over neighbours.
"""

import csv
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.errors import DataError
from swapchef.foods.matching import Vocabulary, read_node_rows
from swapchef.mining.pairs import context_of, count_together, recipe_matrix
from swapchef.recipes.records import read_records
from swapchef.sources import atomic_path, cache_folder, data_file, data_folder, sha256_of

# Of an ingredient with an ingredient, a food-like compound and a drug-like compound.
EDGE_KINDS = ("ingr-ingr", "ingr-fcomp", "ingr-dcomp")
Aggregation = Literal["mean", "sum"]
Progress = Callable[[int], None]
_READING_VERSION = "1"  # raise it when reading changes, so that old cache files are not used
_COLUMNS = ("id_1", "id_2", "score", "edge_type")


@dataclass(frozen=True, eq=False)
class Nodes:
    """FlavorGraph's nodes in file order: ingredients, then compounds."""

    id: npt.NDArray[np.int64]  # FlavorGraph's own ids, which have gaps
    name: tuple[str, ...]
    n_ingredients: int

    def __len__(self) -> int:
        return len(self.name)


@dataclass(frozen=True, eq=False)
class Graph:
    """Undirected edges, each pair of nodes at most once, `first < second`."""

    nodes: Nodes
    first: npt.NDArray[np.int32]  # [e]
    second: npt.NDArray[np.int32]  # [e]
    weight: npt.NDArray[np.float32]  # [e], NPMI between ingredients, 1 to a compound
    kind: npt.NDArray[np.uint8]  # [e], index into EDGE_KINDS

    def __len__(self) -> int:
        return len(self.first)

    def adjacency(self) -> sparse.csr_array:
        """Return the symmetric weights: [N, N]."""
        rows, columns = np.concatenate([self.first, self.second]), np.concatenate([self.second, self.first])
        weights = np.concatenate([self.weight, self.weight])
        return sparse.coo_array((weights, (rows, columns)), shape=(len(self.nodes), len(self.nodes))).tocsr()

    def normalised(self, aggregation: Aggregation) -> sparse.csr_array:
        """Return what a GIN layer multiplies with: D^-1/2 A D^-1/2, summed or averaged over a node's neighbours."""
        weights = self.adjacency()
        degree = np.asarray(weights.sum(axis=1)).ravel()
        scale = sparse.diags_array(1.0 / np.sqrt(np.where(degree > 0, degree, 1.0)))
        matrix = scale @ weights @ scale
        if aggregation == "mean":
            neighbours = np.diff(weights.indptr)
            matrix = sparse.diags_array(1.0 / np.maximum(neighbours, 1)) @ matrix
        return matrix.tocsr().astype(np.float32)


def read_nodes(path: Path) -> Nodes:
    """Read FlavorGraph's node file."""
    rows = read_node_rows(path)
    ingredients = [row for row in rows if row[2] == "ingredient"]
    ordered = ingredients + [row for row in rows if row[2] != "ingredient"]
    return Nodes(np.array([row[0] for row in ordered]), tuple(row[1] for row in ordered), len(ingredients))


def read_graph(nodes: Nodes, paths: Sequence[Path]) -> Graph:
    """Read edge files into one graph; the first file that has a pair decides its weight."""
    position = {int(id): index for index, id in enumerate(nodes.id)}
    edges: dict[tuple[int, int], tuple[float, int]] = {}
    for path in paths:
        for id_1, id_2, score, kind in _read_edges(path):
            if id_1 not in position or id_2 not in position:
                raise DataError(
                    f"{path.name} has an edge between {id_1} and {id_2}, which are not both nodes of FlavorGraph."
                )
            first, second = sorted((position[id_1], position[id_2]))
            if first != second:
                edges.setdefault((first, second), (score, kind))
    return _graph(nodes, edges)


def _read_edges(path: Path) -> Iterator[tuple[int, int, float, int]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                kind = EDGE_KINDS.index(row["edge_type"])
                score = float(row["score"]) if kind == 0 else 1.0  # compounds weigh 1, as in GISMo's code
                if not np.isfinite(score) or score < 0:
                    raise ValueError(f"score {row['score']}")
                yield int(row["id_1"]), int(row["id_2"]), score, kind
    except (OSError, UnicodeDecodeError, KeyError, ValueError, TypeError, csv.Error) as error:
        raise DataError(
            f"Cannot read edges from {path} ({error}); it needs the columns {', '.join(_COLUMNS)}."
        ) from None


def _graph(nodes: Nodes, edges: dict[tuple[int, int], tuple[float, int]]) -> Graph:
    pairs = np.array(list(edges), dtype=np.int32).reshape(-1, 2)
    values = list(edges.values())
    weight = np.array([score for score, _ in values], np.float32)
    return Graph(nodes, pairs[:, 0], pairs[:, 1], weight, np.array([kind for _, kind in values], np.uint8))


def merge(graphs: Sequence[Graph]) -> Graph:
    """Unite graphs over the same nodes; where several have a pair, the first decides."""
    edges: dict[tuple[int, int], tuple[float, int]] = {}
    for graph in graphs:
        for pair, score, kind in zip(
            zip(graph.first.tolist(), graph.second.tolist(), strict=True),
            graph.weight.tolist(),
            graph.kind.tolist(),
            strict=True,
        ):
            edges.setdefault(pair, (score, kind))
    return _graph(graphs[0].nodes, edges)


def write_edges(graph: Graph, path: Path) -> None:
    """Write a graph in FlavorGraph's format."""
    with atomic_path(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(_COLUMNS)
        ids = graph.nodes.id
        for first, second, weight, kind in zip(graph.first, graph.second, graph.weight, graph.kind, strict=True):
            rows.writerow([ids[first], ids[second], f"{weight:.6f}", EDGE_KINDS[kind]])


def cooccurrence(nodes: Nodes, recipes: sparse.csr_array, min_count: int = 5, min_npmi: float = 0.1) -> Graph:
    """Connect ingredients that recipes put together more often than chance: edges weighted by NPMI.

    `recipes` is [recipes, ingredients]; a pair needs `min_count` recipes, and an NPMI of `min_npmi` (of at most 1).
    """
    return counted_graph(nodes, count_together(recipes), recipes.shape[0], min_count, min_npmi)


def counted_graph(nodes: Nodes, counts: sparse.csr_array, total: int, min_count: int, min_npmi: float) -> Graph:
    """Build the graph of `cooccurrence` from counts: recipes that have two ingredients, and on the diagonal one."""
    first, second, npmi = npmi_of(counts, total, min_count)
    strong = npmi >= min_npmi
    kind = np.zeros(int(strong.sum()), np.uint8)
    return Graph(
        nodes, first[strong].astype(np.int32), second[strong].astype(np.int32), npmi[strong].astype(np.float32), kind
    )


_Pairs = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.float64]]


def npmi_pairs(recipes: sparse.csr_array, min_count: int) -> _Pairs:
    """Return the pairs that share at least some recipes, the smaller id first, and the NPMI of each."""
    return npmi_of(count_together(recipes), recipes.shape[0], min_count)


def npmi_of(counts: sparse.csr_array, total: int, min_count: int) -> _Pairs:
    """Return what `npmi_pairs` does from the counts of `mining.pairs`: [n, n], upper triangle with the diagonal."""
    pair_counts = sparse.triu(counts, k=1).tocoo()
    enough = pair_counts.data >= max(min_count, 1)
    first, second, count = pair_counts.row[enough], pair_counts.col[enough], pair_counts.data[enough]
    single = counts.diagonal()
    joint = np.minimum(count / total, 1 - 1e-12)  # a pair in every recipe: its NPMI is 1 in the limit
    npmi = np.log(joint * total**2 / (single[first] * single[second])) / -np.log(joint)
    return first.astype(np.int32), second.astype(np.int32), npmi


@dataclass(frozen=True)
class GraphSummary:
    """What `graph info` prints."""

    nodes: int
    ingredients: int
    edges: dict[str, int]
    degree_mean: float
    degree_median: float
    degree_max: int
    components: int
    isolated: int
    connected_share: float  # of the given ingredients, those with at least one edge


def summarise(graph: Graph, ingredients: npt.NDArray[np.integer] | None = None) -> GraphSummary:
    """Describe a graph, and how many of some ingredients (all of them by default) it connects."""
    from scipy.sparse.csgraph import connected_components  # slow to import, and suggestions need none of it

    matrix = graph.adjacency()
    degree = np.diff(matrix.indptr)
    selected = np.arange(graph.nodes.n_ingredients) if ingredients is None else np.unique(ingredients)
    counts = np.bincount(graph.kind, minlength=len(EDGE_KINDS))
    components, labels = connected_components(matrix, directed=False)
    return GraphSummary(
        nodes=len(graph.nodes),
        ingredients=graph.nodes.n_ingredients,
        edges={kind: int(count) for kind, count in zip(EDGE_KINDS, counts, strict=True)},
        degree_mean=float(degree.mean()),
        degree_median=float(np.median(degree)),
        degree_max=int(degree.max(initial=0)),
        components=int(components),
        isolated=int((np.bincount(labels) == 1).sum()),
        connected_share=float((degree[selected] > 0).mean()) if len(selected) else 0.0,
    )


def flavorgraph_nodes() -> Nodes:
    """Read the nodes in the data folder."""
    return read_nodes(data_file("flavorgraph/nodes_191120.csv"))


def flavorgraph_edge_files() -> list[Path]:
    """Return the edge files in the data folder: the full official one, or the parts of it that are there."""
    full = data_folder() / "flavorgraph" / "edges_191120.csv"
    if full.is_file():
        return [full]
    parts = [
        data_folder() / "flavorgraph" / name
        for name in ("edges_official_part_191120.csv", "edges_top7_reconstructed.csv")
    ]
    present = [part for part in parts if part.is_file()]
    return present or [data_file("flavorgraph/edges_191120.csv")]  # which says how to get it


def read_contexts(path: Path, vocabulary: Vocabulary, progress: Progress = lambda _: None) -> Iterator[list[int]]:
    """Yield the ingredient ids of each recipe of a JSON or JSONL file; none for a record that is no recipe."""
    for record in read_records(path):
        progress(1)
        yield context_of(record, vocabulary)


def collected_recipes(vocabulary: Vocabulary, progress: Progress = lambda _: None) -> sparse.csr_array:
    """Return the recipe collection of the data folder as [recipes, n]; no rows where there is no collection.

    Reading 73,000 recipes takes a minute or two, so the matrix is stored in the user's cache folder.
    """
    collection = data_folder() / "recipes" / "recipes.jsonl.gz"
    if not collection.is_file():
        return recipe_matrix([], len(vocabulary))
    key = hashlib.sha256((sha256_of(collection) + _READING_VERSION + "".join(vocabulary.names)).encode()).hexdigest()
    cached = cache_folder() / f"recipes-{key[:12]}.npz"
    if not cached.is_file():
        matrix = recipe_matrix(read_contexts(collection, vocabulary, progress), len(vocabulary))
        with atomic_path(cached) as temporary, temporary.open("wb") as file:
            np.savez_compressed(file, indices=matrix.indices, indptr=matrix.indptr)
    with np.load(cached, allow_pickle=False) as stored:
        indices, indptr = stored["indices"], stored["indptr"]
    ones = np.ones(len(indices), np.float32)
    return sparse.csr_array((ones, indices, indptr), shape=(len(indptr) - 1, len(vocabulary)))


def training_graph(
    train_recipes: sparse.csr_array, vocabulary: Vocabulary, progress: Progress = lambda _: None
) -> Graph:
    """Return the default training graph: FlavorGraph, and co-occurrence in the train split and the collection."""
    nodes = flavorgraph_nodes()
    recipes = with_collected(train_recipes, vocabulary, progress)
    return merge([read_graph(nodes, flavorgraph_edge_files()), cooccurrence(nodes, recipes)])


def with_flavorgraph(files: Sequence[Path]) -> Graph:
    """Unite FlavorGraph with edge files such as `graph build` writes; where both have a pair, FlavorGraph decides."""
    nodes = flavorgraph_nodes()
    return read_graph(nodes, [*flavorgraph_edge_files(), *files])


def with_collected(
    recipes: sparse.csr_array, vocabulary: Vocabulary, progress: Progress = lambda _: None
) -> sparse.csr_array:
    """Add the recipe collection to some recipes."""
    return sparse.vstack([recipes, collected_recipes(vocabulary, progress)], format="csr")
