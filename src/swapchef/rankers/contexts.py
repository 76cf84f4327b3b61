"""Recipes as rows of a sparse matrix: the means that a network averages by, and what a split's own recipes tell."""

import numpy as np
from scipy import sparse

from swapchef.benchmark import Split
from swapchef.graph import Graph, Nodes, cooccurrence


def mean_rows(contexts: sparse.csr_array) -> sparse.csr_array:
    """Scale each row to sum to one, so that a product with it is a mean; empty rows stay empty."""
    counts = np.maximum(np.diff(contexts.indptr), 1)
    scaled = contexts.data / np.repeat(counts, np.diff(contexts.indptr)).astype(np.float32)
    return sparse.csr_array((scaled, contexts.indices, contexts.indptr), shape=contexts.shape)


def own_graph(train: Split) -> Graph:
    """Return the co-occurrence of a split's own recipes, for where no graph is given."""
    n = train.context.shape[1]
    nodes = Nodes(np.arange(n), tuple(map(str, range(n))), n)
    return cooccurrence(nodes, recipes_of(train), min_count=1, min_npmi=0.0)


def recipes_of(split: Split) -> sparse.csr_array:
    """Return the ingredient set of each recipe of a split once, sources included: [recipes, n]."""
    _, first_rows = np.unique(split.recipe_id, return_index=True)
    rows = sparse.csr_array(split.context[first_rows])
    sources = sparse.csr_array(
        (np.ones(len(first_rows), np.float32), (np.arange(len(first_rows)), split.source[first_rows])), shape=rows.shape
    )
    return (rows + sources).tocsr()
