"""Features of (source, recipe, candidate) for the fusion ranker, and the candidates that are worth ranking.

Everything is computed from compact tables, one query at a time, by the same code in training and in serving. In
training the swaps that the recipe itself reported are left out of the counts, so that a feature has the distribution it
will have for a new recipe. A fixed weighted sum of the features picks the candidates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.benchmark import Split
from swapchef.rankers.knowledge import Arrays, Knowledge, csr_arrays, csr_restored, mean_of, unit_rows
from swapchef.rankers.serial import Floats, serial_matmul

Ids = npt.NDArray[np.int32]

# Name -> its weight in the sum that picks candidates, fitted by `benchmarks/evidence_weights.py`. Weight 0: not in that
# sum; "here", "near" and "among" were added after the fit, and "twin" is computed for candidates alone.
FEATURES = {
    # Swaps that cooks reported.
    "count": 0.18,  # log of how often the source became the candidate
    "seen": 1.96,  # whether it ever did
    "reverse": 0.2,  # log of how often the candidate became the source
    "target": 0.62,  # log of how often the candidate replaced anything
    "replaced": -0.33,  # log of how often the candidate was replaced by anything
    "two_steps": 0.48,  # source - a - candidate, over swaps in either direction
    "three_steps": 0.69,  # source -> a <- b -> candidate
    # The same for sources similar to this one, weighted by the similarity.
    "like_text": -0.15,
    "like_usage": -0.29,
    "like_words": 0.46,
    "like_role": -0.03,
    # The same, where swaps reported in similar recipes weigh more.
    "count_here": 0.0,
    "like_here": 0.0,
    "target_here": 0.0,
    "near": 0.0,  # the source's own swaps, each report weighted by the similarity of its recipe
    "nearest": 0.0,  # the same with a steeper weight: almost only near-identical recipes count
    # Naive Bayes: log-likelihood ratio of the recipe's ingredients, given that the source became the candidate.
    "among": 0.0,
    "among_few": 0.0,  # the same with a stronger prior
    # Source and candidate themselves.
    "text": 2.08,
    "usage": 1.24,
    "words": 0.28,
    "role": -0.94,
    "together": 0.52,
    "compounds": 0.25,
    "contains": -1.11,  # all words of the source are in the candidate's name
    "contained": -1.29,
    "same_head": 0.08,
    "popularity": -0.21,
    # Candidate and the rest of the recipe.
    "fit": 1.34,  # mean NPMI
    "company": 1.65,  # closeness to the recipe's mean usage vector
    "expected": 0.39,  # log-probability that a recipe with these has the candidate
    "twin_text": 0.0,  # closeness to the ingredient of the recipe that is most like it
    "twin_usage": 0.0,
}
CANDIDATES = 256
_CACHED_SOURCES = 64  # whose features are cached, half a megabyte each
_EXCLUDED = np.float32(-1e9)  # in the weighted sum: the source and the recipe's own ingredients
_NO_IDS = np.zeros(0, np.int32)
_RECIPE_WIDTH = 48  # of recipe vectors: the strongest components of usage vectors
_PAIR_SHARPNESS = 6.0  # a pair's reports weigh exp(sharpness * (cosine - 1)), by their mean cosine to the recipe
_REPORT_SHARPNESS = {"near": 12.0, "nearest": 24.0}  # the same for single reports
_PRIOR = {"among": 3.0, "among_few": 20.0}  # pseudo-reports of a pair, with the ingredients usual for the source
_SOURCE_PRIOR = 10.0  # pseudo-reports of a source, with the ingredients usual for all swaps
# How often a similarity is squared before it weighs a count.
_SHARPNESS = {"text": 3, "usage": 3, "words": 1, "role": 3}


@dataclass(frozen=True, eq=False)
class Reports:
    """The swaps that cooks reported, their counts and their recipes: p pairs (source, target)."""

    source: Ids  # [p], sorted
    target: Ids  # [p], sorted within a source
    count: Floats  # [p]
    recipes: npt.NDArray[np.int8]  # [reports, d] the recipe's vector in units of 1/127, in the order of the pairs
    company: sparse.csr_array  # [p, n] how many of the pair's recipes have each ingredient; empty for a single report

    @classmethod
    def of(cls, split: Split, knowledge: Knowledge) -> "Reports":
        """Count the swaps of a split."""
        pairs, row, count = np.unique(
            np.stack([split.source, split.target], axis=1), axis=0, return_inverse=True, return_counts=True
        )
        by_pair = np.argsort(row.ravel(), kind="stable")
        vectors = recipe_vectors(split.context, knowledge)[by_pair]
        repeated = np.flatnonzero(count[row.ravel()] > 1)
        membership = np.ones(len(repeated), np.float32), (row.ravel()[repeated], repeated)
        present = (split.context > 0).astype(np.float32)
        company = (sparse.csr_array(membership, shape=(len(pairs), len(split))) @ present).tocsr()
        company.sort_indices()
        source, target = pairs.T.astype(np.int32)
        return cls(source, target, count.astype(np.float32), np.rint(127 * vectors).astype(np.int8), company)

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return everything as arrays to save."""
        return {
            "reports.source": self.source.astype(np.int32),
            "reports.target": self.target.astype(np.int32),
            "reports.count": self.count.astype(np.int32),
            "reports.recipes": self.recipes,
            **csr_arrays("reports.company", self.company),
        }

    @classmethod
    def restore(cls, arrays: Arrays) -> "Reports":
        """Restore what `arrays` returned."""
        source, target, count = (arrays[f"reports.{name}"] for name in ("source", "target", "count"))
        return cls(
            source.astype(np.int32),
            target.astype(np.int32),
            count.astype(np.float32),
            arrays["reports.recipes"].astype(np.int8),
            csr_restored("reports.company", arrays),
        )


def recipe_vectors(contexts: sparse.csr_array, knowledge: Knowledge) -> Floats:
    """Return a unit vector for each recipe: the sum of its usage vectors, weighted by rarity: [recipes, d]."""
    rarity = _rarity(knowledge)
    weighted = sparse.csr_array((rarity[contexts.indices], contexts.indices, contexts.indptr), shape=contexts.shape)
    return unit_rows(np.asarray(weighted @ knowledge.usage[:, :_RECIPE_WIDTH], np.float32))


@dataclass(frozen=True, eq=False)
class Query:
    """The candidates of one query and their features."""

    ids: Ids  # [k] best first by the weighted sum, then those asked for beside them
    features: Floats  # [k, len(FEATURES)]
    order: Floats  # [n] the weighted sum; _EXCLUDED for the source and the recipe's own ingredients
    chosen: int  # how many of `ids` were picked by the weighted sum


class _Block(NamedTuple):
    """Features of every ingredient that are computed together."""

    names: tuple[str, ...]
    values: Floats  # [len(names), n]
    order: Floats  # [n] their share of the weighted sum

    @classmethod
    def of(cls, rows: Mapping[str, Floats]) -> "_Block":
        values = np.stack(list(rows.values()), dtype=np.float32, casting="same_kind")  # np.array takes twice as long
        weights = np.array([FEATURES[name] for name in rows], np.float32)
        return cls(tuple(rows), values, serial_matmul(values.T, weights))


class Evidence:
    """Computes features from `Knowledge` of ingredients and from reported swaps."""

    def __init__(self, knowledge: Knowledge, reports: Reports) -> None:
        self.knowledge, self.reports = knowledge, reports
        self.n = n = len(knowledge.popularity)
        self.counts = sparse.csr_array((reports.count, (reports.source, reports.target)), shape=(n, n))
        self.reverse = self.counts.T.tocsr()
        self._rarity, self._usage = _rarity(knowledge), np.ascontiguousarray(knowledge.usage[:, :_RECIPE_WIDTH])
        self._recipes = reports.recipes.astype(np.float32) / 127.0  # [reports, d]
        self._first = np.concatenate([[0], np.cumsum(reports.count)]).astype(np.int64)  # [p + 1] report of each pair
        self._recipe_sums = _segment_sums(self._recipes, self._first)  # [p, d]
        total = max(float(reports.count[reports.count > 1].sum()), 1.0)
        self._base_rate = np.asarray(reports.company.sum(axis=0), np.float32).ravel() / total + 1e-5  # [n]
        self.sources = np.asarray(self.counts.sum(axis=1)).ravel()  # [n] how often each was replaced
        self.targets = np.asarray(self.counts.sum(axis=0)).ravel()  # [n] how often each replaced something
        self._role = unit_rows(knowledge.completion.outputs)  # [n, d]
        # Walks: swaps in either direction, and from sources to targets, both scaled by the degrees at their ends.
        undirected = (self.counts + self.reverse).tocsr()
        self._undirected_scale = _inverse_root(np.asarray(undirected.sum(axis=1)).ravel())
        self._undirected = _scaled(undirected, self._undirected_scale, self._undirected_scale)
        self._source_scale, self._target_scale = _inverse_root(self.sources), _inverse_root(self.targets)
        self._walk_back = _scaled(self.counts, self._source_scale, self._target_scale).T.tocsr()
        self._counts_by_target = _scaled(self.counts, self._source_scale, np.ones(self.n, np.float32)).T.tocsr()
        self._names_by_word = knowledge.words.T.tocsr()  # [words, n]
        self._word_presence = (self._names_by_word > 0).astype(np.float32).tocsr()
        self._word_counts = np.diff(knowledge.words.indptr).astype(np.float32)  # [n]
        self._foods_by_compound = knowledge.compounds.T.tocsr()  # [compounds, n]
        self._pair_source, self._pair_target = (ids.astype(np.intp) for ids in (reports.source, reports.target))
        self._cached_source = lru_cache(maxsize=_CACHED_SOURCES)(self._source_features)
        self._cached_counts = lru_cache(maxsize=_CACHED_SOURCES)(lambda source: _Block.of(self._count_features(source)))

    def query(self, source: int, context: Ids, left_out: Sequence[int] = (), extra: Ids = _NO_IDS) -> Query:
        """Gather candidates for a source in a recipe, and some `extra` ones that would not be picked.

        One report of each target in `left_out` is not counted.
        """
        blocks = self._blocks(source, context, left_out)
        order: Floats = blocks[0].order + blocks[1].order + blocks[2].order  # [n]
        order[source] = _EXCLUDED
        order[context] = _EXCLUDED
        best = _best(order, CANDIDATES)
        ids = np.concatenate([best, extra[(order[extra] > _EXCLUDED) & ~np.isin(extra, best)]]) if len(extra) else best
        return Query(ids, self._features_of(ids, blocks, context), order, len(best))

    def features(self, source: int, context: Ids, ids: Ids) -> Floats:
        """Return the features of given candidates, whoever picked them: [k, len(FEATURES)]."""
        return self._features_of(ids, self._blocks(source, context, ()), context)

    def _features_of(self, ids: Ids, blocks: Sequence[_Block], context: Ids) -> Floats:
        twins = self._twins(ids, context)
        values = np.concatenate([*(block.values.take(ids, axis=1) for block in blocks), list(twins.values())])
        row_of = {name: row for row, name in enumerate([*(name for block in blocks for name in block.names), *twins])}
        return np.ascontiguousarray(values[[row_of[name] for name in FEATURES]].T)

    def rows(self, source: int, context: Ids, left_out: Sequence[int] = ()) -> dict[str, Floats]:
        """Return the features that are computed for every ingredient, by name: [n] each."""
        blocks = self._blocks(source, context, left_out)
        return {name: row for block in blocks for name, row in zip(block.names, block.values, strict=True)}

    def _blocks(self, source: int, context: Ids, left_out: Sequence[int]) -> tuple[_Block, _Block, _Block]:
        """Compute the features of the source, of its own swaps, and of the recipe; the first two are cached."""
        source_block, similarity = self._cached_source(source)
        counts = _Block.of(self._count_features(source, left_out)) if len(left_out) else self._cached_counts(source)
        recipe_block = _Block.of(
            self._counts_in_similar_recipes(source, context, left_out, similarity)
            | self._counts_by_report(source, context, left_out)
            | self._naive_bayes(source, context, left_out)
            | self._recipe_features(context)
        )
        return source_block, counts, recipe_block

    def _source_features(self, source: int) -> tuple[_Block, Floats]:
        """Compute the features that no recipe changes, and how much each other source's reports count: [n]."""
        knowledge = self.knowledge
        rows = {
            "text": np.maximum(serial_matmul(knowledge.text, knowledge.text[source]), 0.0),
            "usage": np.maximum(serial_matmul(knowledge.usage, knowledge.usage[source]), 0.0),
            "role": np.maximum(serial_matmul(self._role, self._role[source]), 0.0),
            "words": _sum_of_rows(self._names_by_word, *_row(knowledge.words, source)),
        }
        rows |= self._counts_of_similar_sources(rows, source)
        own_words = _row(knowledge.words, source)[0]
        shared = _sum_of_rows(self._word_presence, own_words, np.ones(len(own_words), np.float32))
        rows["contains"] = (shared >= self._word_counts[source]).astype(np.float32)
        rows["contained"] = (shared >= self._word_counts).astype(np.float32)
        rows["same_head"] = (knowledge.head == knowledge.head[source]).astype(np.float32)
        rows["together"] = _dense_row(knowledge.npmi, source)
        rows["compounds"] = _sum_of_rows(self._foods_by_compound, *_row(knowledge.compounds, source))
        rows["reverse"] = np.log1p(_dense_row(self.reverse, source))
        rows["popularity"] = knowledge.popularity
        rows["replaced"] = np.log1p(self.sources)
        similarity = (0.5 * (rows["text"] + rows["usage"])) ** 2
        return _Block.of(rows), similarity * similarity * similarity

    def _counts_of_similar_sources(self, similarity: Mapping[str, Floats], source: int) -> dict[str, Floats]:
        """Add up the swaps of other sources, weighted by each kind of similarity to this one."""
        weights = np.empty((self.n, len(_SHARPNESS)), np.float32)
        for column, (kind, sharpness) in enumerate(_SHARPNESS.items()):
            weights[:, column] = similarity[kind]
            for _ in range(sharpness):
                weights[:, column] *= weights[:, column]
        weights[source] = 0.0
        counts = np.log1p(10.0 * (self._counts_by_target @ weights))  # [n, kinds]
        return {f"like_{kind}": counts[:, column] for column, kind in enumerate(_SHARPNESS)}

    def _count_features(self, source: int, left_out: Sequence[int] = ()) -> dict[str, Floats]:
        """Compute the features of the source's own swaps, without those left out."""
        counts, targets = _dense_row(self.counts, source), self.targets  # [n] each
        if len(left_out):
            targets = targets.copy()
            np.subtract.at(counts, left_out, 1.0)
            np.subtract.at(targets, left_out, 1.0)
        steps = (counts + _dense_row(self.reverse, source)) * self._undirected_scale * self._undirected_scale[source]
        neighbours, targets_of = np.flatnonzero(steps), np.flatnonzero(counts)
        to_targets = (counts * self._target_scale * self._source_scale[source])[targets_of]
        back_to_sources = _sum_of_rows(self._walk_back, targets_of, to_targets).astype(np.float32)  # [n]
        back_to_sources[source] = 0.0  # or its own swaps would be counted again
        return {
            "count": np.log1p(counts),
            "seen": (counts > 0).astype(np.float32),
            "target": np.log1p(targets),
            "two_steps": np.log1p(100.0 * _sum_of_rows(self._undirected, neighbours, steps[neighbours])),
            "three_steps": np.log1p(100.0 * (self._walk_back @ back_to_sources)),
        }

    def _counts_in_similar_recipes(
        self, source: int, context: Ids, left_out: Sequence[int], source_similarity: Floats
    ) -> dict[str, Floats]:
        """Count swaps, each pair weighted by the mean similarity of its recipes to this one."""
        reports = self.reports
        cosine, count = serial_matmul(self._recipe_sums, self._recipe_vector(context)), reports.count  # [p] each
        start, end = np.searchsorted(reports.source, [source, source + 1])
        if len(left_out):
            pairs = start + np.flatnonzero(np.isin(reports.target[start:end], left_out))
            count = count.copy()
            cosine[pairs] -= 1.0  # of the recipe with itself
            count[pairs] -= 1.0
        cosine /= np.maximum(count, 1.0)  # the mean over a pair's reports
        weight = count * np.exp(_PAIR_SHARPNESS * (cosine - 1.0))
        of_similar = weight * source_similarity[self._pair_source]
        of_similar[start:end] = 0.0
        own = np.bincount(self._pair_target[start:end], weight[start:end], minlength=self.n)
        others, all_sources = (np.bincount(self._pair_target, w, minlength=self.n) for w in (of_similar, weight))
        return {
            "count_here": np.log1p(20.0 * own),
            "like_here": np.log1p(20.0 * others),
            "target_here": np.log((0.01 + all_sources) / (1.0 + self.targets)),
        }

    def _counts_by_report(self, source: int, context: Ids, left_out: Sequence[int]) -> dict[str, Floats]:
        """Count the source's own swaps, each report weighted by the similarity of its recipe to this one."""
        start, end = np.searchsorted(self.reports.source, [source, source + 1])
        first = self._first[start : end + 1] - self._first[start]
        recipes = self._recipes[self._first[start] : self._first[end]]
        cosine = serial_matmul(recipes, self._recipe_vector(context))  # [reports of the source]
        targets, rows = self.reports.target[start:end], {}
        pairs_left_out = np.searchsorted(targets, left_out) if len(left_out) else _NO_IDS
        for name, sharpness in _REPORT_SHARPNESS.items():
            weight = np.exp(sharpness * (cosine - 1.0))
            counts = _segment_sums(weight, first)
            for pair in pairs_left_out:  # its most similar recipe is the recipe itself
                counts[pair] -= weight[first[pair] : first[pair + 1]].max()
            rows[name] = np.zeros(self.n, np.float32)
            rows[name][targets] = np.log1p(20.0 * np.maximum(counts, 0.0))
        return rows

    def _naive_bayes(self, source: int, context: Ids, left_out: Sequence[int]) -> dict[str, Floats]:
        """Compute naive Bayes' log-likelihood ratio of the recipe's ingredients for each of the source's swaps."""
        reports = self.reports
        start, end = np.searchsorted(reports.source, [source, source + 1])
        targets, count = reports.target[start:end], reports.count[start:end].copy()
        present = _columns(reports.company, int(start), int(end), context)  # [pairs, context]
        if len(left_out):
            pairs = np.searchsorted(targets, left_out)
            count[pairs] -= 1.0
            present[pairs] -= 1.0  # the recipe itself has all of these
        repeated = count > 1
        count, present = count * repeated, present * repeated[:, None]
        prior_count = _SOURCE_PRIOR * self._base_rate[context]
        usual = (present.sum(axis=0) + prior_count) / (count.sum() + _SOURCE_PRIOR)  # [context]
        rows = {}
        for name, prior in _PRIOR.items():
            rows[name] = np.zeros(self.n, np.float32)
            share = (present + prior * usual) / (count[:, None] + prior)
            rows[name][targets] = np.log(share / usual).sum(axis=1)
        return rows

    def _recipe_vector(self, context: Ids) -> Floats:
        """Return what `recipe_vectors` gives for one recipe: [d]."""
        vector = serial_matmul(self._usage[context].T, self._rarity[context])
        return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9), np.float32)

    def _recipe_features(self, context: Ids) -> dict[str, Floats]:
        """Compute how well each ingredient goes with a recipe."""
        knowledge = self.knowledge
        fit = np.zeros(self.n, np.float32)
        for id in context:
            start, end = knowledge.npmi.indptr[id : id + 2]
            fit[knowledge.npmi.indices[start:end]] += knowledge.npmi.data[start:end]
        return {
            "fit": np.asarray(fit / max(len(context), 1), np.float32),
            "company": serial_matmul(knowledge.usage, mean_of(knowledge.usage, context)),
            "expected": knowledge.completion.log_probability(context),
        }

    def _twins(self, ids: Ids, context: Ids) -> dict[str, Floats]:
        """Return each candidate's similarity to the recipe's most similar ingredient; few recipes have two alike."""
        rows = {}
        for kind in ("text", "usage"):
            vectors: Floats = getattr(self.knowledge, kind)
            cosine = serial_matmul(vectors[ids], vectors[context].T)  # [k, context]
            rows[f"twin_{kind}"] = cosine.max(axis=1) if len(context) else np.zeros(len(ids), np.float32)
        return rows


def _rarity(knowledge: Knowledge) -> Floats:
    return np.asarray(knowledge.popularity.max(initial=0.0) - knowledge.popularity, np.float32)


def _best(order: Floats, k: int) -> Ids:
    """Return the ids of the k best that are not excluded, best first; ties go to the smaller id."""
    k = min(k, int((order > _EXCLUDED).sum()))
    if k == 0:
        return np.zeros(0, np.int32)
    limit = np.partition(order, len(order) - k)[len(order) - k]
    ids = np.flatnonzero(order >= limit)
    return ids[np.argsort(-order[ids], kind="stable")][:k].astype(np.int32)


def _segment_sums(values: Floats, first: npt.NDArray[np.int64]) -> Floats:
    """Add up the rows of each segment, from each entry of `first` to the next."""
    if len(first) < 2:
        return np.zeros((0, *values.shape[1:]), np.float32)
    return np.asarray(np.add.reduceat(values, first[:-1], axis=0), np.float32)


def _columns(matrix: sparse.csr_array, start: int, end: int, columns: Ids) -> Floats:
    """Return some columns of some neighbouring rows: [end - start, len(columns)]."""
    new_column = np.full(matrix.shape[1], -1, np.int32)
    new_column[columns] = np.arange(len(columns))
    first, last = matrix.indptr[start], matrix.indptr[end]
    column = new_column[matrix.indices[first:last]]
    selected = column >= 0
    row = np.repeat(np.arange(end - start), np.diff(matrix.indptr[start : end + 1]))[selected]
    dense = np.zeros((end - start, len(columns)), np.float32)
    dense[row, column[selected]] = matrix.data[first:last][selected]
    return dense


def _row(matrix: sparse.csr_array, row: int) -> tuple[Ids, Floats]:
    start, end = matrix.indptr[row : row + 2]
    return matrix.indices[start:end], matrix.data[start:end]


def _sum_of_rows(matrix: sparse.csr_array, rows: npt.NDArray[np.integer], weights: Floats) -> npt.NDArray[np.float64]:
    """Add up a few weighted rows; quicker than a product with the whole matrix."""
    first, last = matrix.indptr[rows], matrix.indptr[rows + 1]
    lengths = last - first
    entries = np.arange(lengths.sum()) + np.repeat(first - np.cumsum(lengths) + lengths, lengths)
    values = matrix.data[entries] * np.repeat(weights, lengths)
    return np.asarray(np.bincount(matrix.indices[entries], values, minlength=matrix.shape[1]), np.float64)


def _dense_row(matrix: sparse.csr_array, row: int) -> Floats:
    dense = np.zeros(matrix.shape[1], np.float32)
    columns, values = _row(matrix, row)
    dense[columns] = values
    return dense


def _scaled(matrix: sparse.csr_array, rows: Floats, columns: Floats) -> sparse.csr_array:
    data = matrix.data * np.repeat(rows, np.diff(matrix.indptr)) * columns[matrix.indices]
    return sparse.csr_array((data.astype(np.float32), matrix.indices, matrix.indptr), shape=matrix.shape)


def _inverse_root(degrees: Floats) -> Floats:
    return np.asarray(1.0 / np.sqrt(np.maximum(degrees, 1.0)), np.float32)
