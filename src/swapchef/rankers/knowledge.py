"""Tables about ingredients that need no swaps: text and usage embeddings, co-occurrence, flavour compounds.

`Knowledge` is learned from recipes, names and FlavorGraph and never from substitutions, so no label can leak through
it. Dense tables are rounded to half precision when they are made, so a ranker scores the same before and after saving.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.graph import npmi_pairs
from swapchef.rankers.serial import Floats, serial_matmul

Arrays = Mapping[str, npt.NDArray[np.generic]]

_WIDTH = 128  # of text and usage vectors
_DENSE_LIMIT = 600  # ingredients up to which a full decomposition is quicker and more exact than an iterative one


@dataclass(frozen=True, eq=False)
class Completion:
    """A network that predicts a missing ingredient from the rest of a recipe."""

    inputs: Floats  # [n, d]
    outputs: Floats  # [n, d]
    bias: Floats  # [n]
    hidden_weight: Floats  # [d, h]
    hidden_bias: Floats  # [h]
    out_weight: Floats  # [h, d]
    out_bias: Floats  # [d]

    def log_probability(self, context: npt.NDArray[np.integer]) -> Floats:
        """Return the log-probability of each ingredient, given the context: [n]."""
        mean = mean_of(self.inputs, context)
        hidden = np.maximum(serial_matmul(self.hidden_weight.T, mean) + self.hidden_bias, 0.0)
        query = serial_matmul(self.out_weight.T, hidden) + self.out_bias + mean
        scores = serial_matmul(self.outputs, query) + self.bias
        scores -= scores.max()
        return np.asarray(scores - np.log(np.exp(scores).sum()), np.float32)


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Tables over all n ingredients."""

    text: Floats  # [n, d] unit vectors of names, by a sentence encoder
    usage: Floats  # [n, d] unit vectors; ingredients that share recipes with the same others are close
    words: sparse.csr_array  # [n, words] TF-IDF of the words of names, unit rows
    head: npt.NDArray[np.int32]  # [n] the last word of each name, its column in `words`
    npmi: sparse.csr_array  # [n, n] how much more often than chance two are in one recipe
    compounds: sparse.csr_array  # [n, compounds] weighted by rarity, unit rows
    popularity: Floats  # [n] log of one more than the recipes that have it
    completion: Completion

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return everything as arrays to save, dense tables and weights in half precision."""
        saved: dict[str, npt.NDArray[np.generic]] = {"head": self.head, "popularity": self.popularity}
        for name in ("text", "usage"):
            saved[name] = getattr(self, name).astype(np.float16)
        for name in ("words", "compounds"):
            saved |= csr_arrays(name, getattr(self, name))
        saved |= csr_arrays("npmi", sparse.triu(self.npmi, format="csr"))  # it is symmetric
        for field in fields(Completion):
            saved[f"completion.{field.name}"] = getattr(self.completion, field.name).astype(np.float16)
        return saved

    @classmethod
    def restore(cls, arrays: Arrays) -> "Knowledge":
        """Restore what `arrays` returned."""
        half = csr_restored("npmi", arrays)
        completion = {field.name: _floats(arrays[f"completion.{field.name}"]) for field in fields(Completion)}
        return cls(
            text=_floats(arrays["text"]),
            usage=_floats(arrays["usage"]),
            words=csr_restored("words", arrays),
            head=arrays["head"].astype(np.int32),
            npmi=(half + half.T).tocsr(),
            compounds=csr_restored("compounds", arrays),
            popularity=_floats(arrays["popularity"]),
            completion=Completion(**completion),
        )


def build_knowledge(
    names: Sequence[str], recipes: sparse.csr_array, compounds: sparse.csr_array, text: Floats, completion: Completion
) -> Knowledge:
    """Make knowledge of recipes [recipes, n], names, compounds [n, compounds] and name vectors [n, any]."""
    words, head = name_words(names)
    exact = Knowledge(
        text=unit_rows(_principal(text, _WIDTH)),
        usage=usage_vectors(recipes),
        words=words,
        head=head,
        npmi=npmi_matrix(recipes),
        compounds=unit_csr(_by_rarity(compounds)),
        popularity=np.log1p(np.asarray((recipes > 0).sum(axis=0)).ravel()).astype(np.float32),
        completion=completion,
    )
    return Knowledge.restore(exact.arrays())  # through half precision, as it will be after loading


def usage_vectors(recipes: sparse.csr_array) -> Floats:
    """Factor the positive pointwise mutual information of ingredients into unit vectors."""
    present = (recipes > 0).astype(np.float64)
    counts = (present.T @ present).tocoo()  # [n, n]
    off_diagonal = counts.row != counts.col
    row, col, count = counts.row[off_diagonal], counts.col[off_diagonal], counts.data[off_diagonal]
    n = recipes.shape[1]
    total = max(count.sum(), 1.0)
    single = np.maximum(np.bincount(row, count, minlength=n), 1.0)
    smooth = (
        single**0.75
    )  # context-distribution smoothing (Levy et al., 2015), against the bias of PMI to rare ingredients
    pmi = np.log(count * total / (single[row] * smooth[col] / smooth.sum() * total))
    positive = pmi > 0
    matrix = sparse.csr_array((pmi[positive], (row[positive], col[positive])), shape=(n, n))
    if n <= _DENSE_LIMIT:
        left, strength, _ = np.linalg.svd(matrix.toarray())
    else:
        from scipy.sparse.linalg import svds  # slow to import, and scoring needs none of it

        left, strength, _ = svds(matrix, k=_WIDTH, random_state=0)
    order = np.argsort(-strength, kind="stable")[:_WIDTH]
    return unit_rows((left[:, order] * np.sqrt(strength[order])).astype(np.float32))


def npmi_matrix(recipes: sparse.csr_array, min_count: int = 3) -> sparse.csr_array:
    """Return the normalised PMI of pairs that share at least `min_count` recipes: symmetric [n, n]."""
    first, second, npmi = npmi_pairs(recipes, min_count)
    half = sparse.csr_array((npmi.astype(np.float32), (first, second)), shape=(recipes.shape[1],) * 2)
    return (half + half.T).tocsr()


def name_words(names: Sequence[str]) -> tuple[sparse.csr_array, npt.NDArray[np.int32]]:
    """Return unit TF-IDF rows over the words of names, and which column is each name's last word."""
    columns: dict[str, int] = {}
    split = [[columns.setdefault(word, len(columns)) for word in _words(name)] for name in names]
    rows = np.repeat(np.arange(len(names)), [len(set(words)) for words in split])
    cols = np.array([word for words in split for word in sorted(set(words))], np.int32)
    counts = sparse.csr_array((np.ones(len(cols), np.float32), (rows, cols)), shape=(len(names), max(len(columns), 1)))
    head = np.array([words[-1] if words else -1 - row for row, words in enumerate(split)], np.int32)
    return unit_csr(_by_rarity(counts)), head


def _words(name: str) -> list[str]:
    words = re.findall(r"[a-z0-9%]+", name.lower())
    return [word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words]


def _by_rarity(matrix: sparse.csr_array) -> sparse.csr_array:
    """Weight each column of a 0/1 matrix by the log of how few rows have it."""
    present = (matrix > 0).astype(np.float32).tocsr()
    rows_with = np.maximum(np.asarray(present.sum(axis=0)).ravel(), 1.0)
    present.data = np.log((present.shape[0] + 1) / rows_with)[present.indices].astype(np.float32)
    return present


def _principal(vectors: Floats, width: int) -> Floats:
    """Centre vectors and keep their first principal components."""
    centred = vectors - vectors.mean(axis=0)
    if vectors.shape[1] <= width:
        return np.asarray(centred, np.float32)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    return np.asarray(centred @ axes[:width].T, np.float32)


def mean_of(vectors: Floats, ids: npt.NDArray[np.integer]) -> Floats:
    """Return the mean of some rows; zeros for none."""
    if len(ids) == 0:
        return np.zeros(vectors.shape[1], np.float32)
    return np.asarray(vectors[ids].mean(axis=0), np.float32)


def unit_rows(vectors: Floats) -> Floats:
    """Scale rows to length one; zero rows stay zero."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), np.float32)


def unit_csr(matrix: sparse.csr_array) -> sparse.csr_array:
    """Scale sparse rows to length one; empty rows stay empty."""
    squares = np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel()
    lengths = np.repeat(np.sqrt(np.maximum(squares, 1e-18)), np.diff(matrix.indptr))
    return sparse.csr_array(((matrix.data / lengths).astype(np.float32), matrix.indices, matrix.indptr), matrix.shape)


def csr_arrays(name: str, matrix: sparse.csr_array) -> dict[str, npt.NDArray[np.generic]]:
    """Return a sparse matrix as arrays to save: half precision, and short column numbers where they fit."""
    columns = np.int16 if matrix.shape[1] <= np.iinfo(np.int16).max else np.int32
    return {
        f"{name}.data": matrix.data.astype(np.float16),
        f"{name}.indices": matrix.indices.astype(columns),
        f"{name}.indptr": matrix.indptr.astype(np.int32),
        f"{name}.columns": np.array([matrix.shape[1]], np.int32),
    }


def csr_restored(name: str, arrays: Arrays) -> sparse.csr_array:
    """Restore a sparse matrix from what `csr_arrays` returned."""
    indptr = arrays[f"{name}.indptr"].astype(np.int32)
    parts = (_floats(arrays[f"{name}.data"]), arrays[f"{name}.indices"].astype(np.int32), indptr)
    return sparse.csr_array(parts, shape=(len(indptr) - 1, int(arrays[f"{name}.columns"][0])))


def _floats(array: npt.NDArray[np.generic]) -> Floats:
    return np.ascontiguousarray(array, np.float32)  # one memory layout, so that sums round alike
