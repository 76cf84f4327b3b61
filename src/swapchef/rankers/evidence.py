"""What speaks for a candidate: some two dozen numbers about (source, recipe, candidate), and the candidates worth a look.

Everything is computed from compact tables, one query at a time, in a millisecond or two, with the same code in training
and in the kitchen. In training the swaps that the recipe itself reported are left out of the counts, so a number means the same
to the network as it will mean for a recipe it has never seen. A fixed weighted sum of the numbers picks the candidates.
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

# Name -> its weight in the sum that picks candidates, fitted by `benchmarks/evidence_weights.py`. Weight 0: not in that sum; "here",
# "near" and "among" came after the fit, and "twin" is computed for candidates alone.
FEATURES = {
    # Swaps that cooks reported.
    "count": 0.18,  # log of how often the source became the candidate
    "seen": 1.96,  # whether it ever did
    "reverse": 0.2,  # log of how often the candidate became the source
    "target": 0.62,  # log of how often the candidate replaced anything
    "replaced": -0.33,  # log of how often the candidate was replaced by anything
    "two_steps": 0.48,  # source - a - candidate, over swaps in either direction
    "three_steps": 0.69,  # source -> a <- b -> candidate
    # The same, borrowed from sources that are like this one.
    "like_text": -0.15,
    "like_usage": -0.29,
    "like_words": 0.46,
    "like_role": -0.03,
    # The same, where swaps reported in recipes like this one weigh more.
    "count_here": 0.0,
    "like_here": 0.0,
    "target_here": 0.0,
    "near": 0.0,  # the source's own swaps, each single report by how near its recipe is
    "nearest": 0.0,  # the same, counting hardly any but those in almost the same recipe
    # How much likelier than elsewhere the source became the candidate in recipes that have these ingredients.
    "among": 0.0,
    "among_few": 0.0,  # the same, believing few reports less
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
_KEPT = 64  # sources whose numbers are kept, half a megabyte each
_NEVER = np.float32(-1e9)
_NONE = np.zeros(0, np.int32)
_RECIPE_WIDTH = 48  # of the vectors that say what kind of recipe one is: the strongest parts of usage vectors
_NEARNESS = 6.0  # how quickly a report counts less, the less its recipe is like the one at hand
_NEAR = {"near": 12.0, "nearest": 24.0}  # the same for single reports
_PRIOR = {"among": 3.0, "among_few": 20.0}  # reports that a pair is given beforehand, with the source's usual company
_SOURCE_PRIOR = 10.0  # reports that a source is given beforehand, with the company that all ingredients keep
# How often a similarity is squared before it weighs a count.
_SHARPNESS = {"text": 3, "usage": 3, "words": 1, "role": 3}


@dataclass(frozen=True, eq=False)
class Reports:
    """Which swaps cooks reported, how often, and in what kind of recipe: one row for each (source, target)."""

    source: Ids  # [p], sorted
    target: Ids  # [p], sorted within a source
    count: Floats  # [p]
    recipes: npt.NDArray[np.int8]  # [reports, d] the recipe's vector in units of 1/127, the reports of a pair together
    company: (
        sparse.csr_array
    )  # [p, n] in how many of the reported recipes each ingredient was; nothing for a single report

    @classmethod
    def of(cls, split: Split, knowledge: Knowledge) -> "Reports":
        """Count the swaps of a split."""
        pairs, row, count = np.unique(
            np.stack([split.source, split.target], axis=1), axis=0, return_inverse=True, return_counts=True
        )
        together = np.argsort(row.ravel(), kind="stable")
        vectors = recipe_vectors(split.context, knowledge)[together]
        several = np.flatnonzero(count[row.ravel()] > 1)
        reported = np.ones(len(several), np.float32), (row.ravel()[several], several)
        present = (split.context > 0).astype(np.float32)
        company = (sparse.csr_array(reported, shape=(len(pairs), len(split))) @ present).tocsr()
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
        """Take them back."""
        source, target, count = (arrays[f"reports.{name}"] for name in ("source", "target", "count"))
        return cls(
            source.astype(np.int32),
            target.astype(np.int32),
            count.astype(np.float32),
            arrays["reports.recipes"].astype(np.int8),
            csr_restored("reports.company", arrays),
        )


def recipe_vectors(contexts: sparse.csr_array, knowledge: Knowledge) -> Floats:
    """Return unit vectors that say what kind of recipe each is: its usage vectors, the rare ingredients weighing more."""
    rarity = _rarity(knowledge)
    weighted = sparse.csr_array((rarity[contexts.indices], contexts.indices, contexts.indptr), shape=contexts.shape)
    return unit_rows(np.asarray(weighted @ knowledge.usage[:, :_RECIPE_WIDTH], np.float32))


@dataclass(frozen=True, eq=False)
class Query:
    """The candidates of one query and what speaks for each."""

    ids: Ids  # [k] best first by the weighted sum, then those asked for beside them
    features: Floats  # [k, len(FEATURES)]
    order: Floats  # [n] the weighted sum; the source and the recipe's own ingredients are far below everything
    chosen: int  # how many of `ids` were picked by the weighted sum


class _Block(NamedTuple):
    """Numbers about every ingredient that are computed together."""

    names: tuple[str, ...]
    values: Floats  # [len(names), n]
    order: Floats  # [n] their share of the weighted sum

    @classmethod
    def of(cls, rows: Mapping[str, Floats]) -> "_Block":
        values = np.stack(list(rows.values()), dtype=np.float32, casting="same_kind")  # np.array takes twice as long
        weights = np.array([FEATURES[name] for name in rows], np.float32)
        return cls(tuple(rows), values, serial_matmul(values.T, weights))


class Evidence:
    """Computes the numbers from what is known of ingredients and from reported swaps."""

    def __init__(self, knowledge: Knowledge, reports: Reports) -> None:
        self.knowledge, self.reports = knowledge, reports
        self.n = n = len(knowledge.popularity)
        self.counts = sparse.csr_array((reports.count, (reports.source, reports.target)), shape=(n, n))
        self.reverse = self.counts.T.tocsr()
        self._rarity, self._kinds = _rarity(knowledge), np.ascontiguousarray(knowledge.usage[:, :_RECIPE_WIDTH])
        self._recipes = reports.recipes.astype(np.float32) / 127.0
        self._first = np.concatenate([[0], np.cumsum(reports.count)]).astype(np.int64)  # report of each pair
        self._sums = _sums(self._recipes, self._first)
        total = max(float(reports.count[reports.count > 1].sum()), 1.0)
        self._usual = np.asarray(reports.company.sum(axis=0), np.float32).ravel() / total + 1e-5
        self.sources = np.asarray(self.counts.sum(axis=1)).ravel()  # how often each was replaced
        self.targets = np.asarray(self.counts.sum(axis=0)).ravel()  # how often each replaced something
        self._role = unit_rows(knowledge.completion.outputs)
        # Walks: swaps in either direction, and from sources to targets, both scaled by the degrees at their ends.
        either = (self.counts + self.reverse).tocsr()
        self._either_scale = _inverse_root(np.asarray(either.sum(axis=1)).ravel())
        self._either = _scaled(either, self._either_scale, self._either_scale)
        self._source_scale, self._target_scale = _inverse_root(self.sources), _inverse_root(self.targets)
        self._walk_back = _scaled(self.counts, self._source_scale, self._target_scale).T.tocsr()
        self._lent = _scaled(self.counts, self._source_scale, np.ones(self.n, np.float32)).T.tocsr()
        self._names_with = knowledge.words.T.tocsr()
        self._having = (self._names_with > 0).astype(np.float32).tocsr()
        self._word_counts = np.diff(knowledge.words.indptr).astype(np.float32)
        self._foods_with = knowledge.compounds.T.tocsr()
        self._pair_source, self._pair_target = (ids.astype(np.intp) for ids in (reports.source, reports.target))
        self._about = lru_cache(maxsize=_KEPT)(self._about_source)
        self._own_swaps = lru_cache(maxsize=_KEPT)(lambda source: _Block.of(self._counted(source)))

    def query(self, source: int, context: Ids, left_out: Sequence[int] = (), extra: Ids = _NONE) -> Query:
        """Gather candidates for a source in a recipe, and some `extra` ones that would not be picked.

        `left_out` are targets whose report is not to be counted, one each.
        """
        blocks = self._blocks(source, context, left_out)
        order = blocks[0].order + blocks[1].order + blocks[2].order
        order[source] = _NEVER
        order[context] = _NEVER
        best = _best(order, CANDIDATES)
        ids = np.concatenate([best, extra[(order[extra] > _NEVER) & ~np.isin(extra, best)]]) if len(extra) else best
        twins = self._twins(ids, context)
        numbers = np.concatenate([*(block.values.take(ids, axis=1) for block in blocks), list(twins.values())])
        place = {name: row for row, name in enumerate([*(name for block in blocks for name in block.names), *twins])}
        return Query(ids, np.ascontiguousarray(numbers[[place[name] for name in FEATURES]].T), order, len(best))

    def rows(self, source: int, context: Ids, left_out: Sequence[int] = ()) -> dict[str, Floats]:
        """Return the numbers that are cheap enough to have for every ingredient: [n] each, by name."""
        blocks = self._blocks(source, context, left_out)
        return {name: row for block in blocks for name, row in zip(block.names, block.values, strict=True)}

    def _blocks(self, source: int, context: Ids, left_out: Sequence[int]) -> tuple[_Block, _Block, _Block]:
        """Compute the numbers about the source, about its own swaps, and about the recipe; the last needs computing every time."""
        about, likeness = self._about(source)
        counted = _Block.of(self._counted(source, left_out)) if len(left_out) else self._own_swaps(source)
        here = self._counted_here(source, context, left_out, likeness)
        near, among = (count(source, context, left_out) for count in (self._counted_near, self._counted_among))
        return about, counted, _Block.of(here | near | among | self._in_recipe(context))

    def _about_source(self, source: int) -> tuple[_Block, Floats]:
        """Compute what holds in any recipe, and how much a report about another source counts for this one."""
        known = self.knowledge
        rows = {
            "text": np.maximum(serial_matmul(known.text, known.text[source]), 0.0),
            "usage": np.maximum(serial_matmul(known.usage, known.usage[source]), 0.0),
            "role": np.maximum(serial_matmul(self._role, self._role[source]), 0.0),
            "words": _sum_of_rows(self._names_with, *_row(known.words, source)),
        }
        rows |= self._borrowed(rows, source)
        own_words = _row(known.words, source)[0]
        shared = _sum_of_rows(self._having, own_words, np.ones(len(own_words), np.float32))
        rows["contains"] = (shared >= self._word_counts[source]).astype(np.float32)
        rows["contained"] = (shared >= self._word_counts).astype(np.float32)
        rows["same_head"] = (known.head == known.head[source]).astype(np.float32)
        rows["together"] = _dense_row(known.npmi, source)
        rows["compounds"] = _sum_of_rows(self._foods_with, *_row(known.compounds, source))
        rows["reverse"] = np.log1p(_dense_row(self.reverse, source))
        rows["popularity"] = known.popularity
        rows["replaced"] = np.log1p(self.sources)
        likeness = (0.5 * (rows["text"] + rows["usage"])) ** 2
        return _Block.of(rows), likeness * likeness * likeness

    def _borrowed(self, similarity: Mapping[str, Floats], source: int) -> dict[str, Floats]:
        """Add up the swaps of other sources, each weighted by how like this one it is, for each kind of likeness."""
        weights = np.empty((self.n, len(_SHARPNESS)), np.float32)
        for column, (kind, sharpness) in enumerate(_SHARPNESS.items()):
            weights[:, column] = similarity[kind]
            for _ in range(sharpness):
                weights[:, column] *= weights[:, column]
        weights[source] = 0.0
        lent = np.log1p(10.0 * (self._lent @ weights))
        return {f"like_{kind}": lent[:, column] for column, kind in enumerate(_SHARPNESS)}

    def _counted(self, source: int, left_out: Sequence[int] = ()) -> dict[str, Floats]:
        """Compute what the source's own swaps say, without those left out."""
        own, targets = _dense_row(self.counts, source), self.targets
        if len(left_out):
            targets = targets.copy()
            np.subtract.at(own, left_out, 1.0)
            np.subtract.at(targets, left_out, 1.0)
        steps = (own + _dense_row(self.reverse, source)) * self._either_scale * self._either_scale[source]
        next_to = np.flatnonzero(steps)
        targets_of = np.flatnonzero(own)
        leaving = (own * self._target_scale * self._source_scale[source])[targets_of]
        through = _sum_of_rows(self._walk_back, targets_of, leaving).astype(np.float32)
        through[source] = 0.0  # or its own swaps would come back
        return {
            "count": np.log1p(own),
            "seen": (own > 0).astype(np.float32),
            "target": np.log1p(targets),
            "two_steps": np.log1p(100.0 * _sum_of_rows(self._either, next_to, steps[next_to])),
            "three_steps": np.log1p(100.0 * (self._walk_back @ through)),
        }

    def _counted_here(self, source: int, context: Ids, left_out: Sequence[int], likeness: Floats) -> dict[str, Floats]:
        """Compute what the swaps reported in recipes like this one say."""
        reports = self.reports
        kind = self._kind_of_recipe(context)
        alike, count = serial_matmul(self._sums, kind), reports.count
        start, end = np.searchsorted(reports.source, [source, source + 1])
        if len(left_out):
            gone = start + np.flatnonzero(np.isin(reports.target[start:end], left_out))
            count = count.copy()
            alike[gone] -= 1.0  # the recipe itself, which is all like itself
            count[gone] -= 1.0
        alike /= np.maximum(count, 1.0)
        weight = count * np.exp(_NEARNESS * (alike - 1.0))
        like = weight * likeness[self._pair_source]
        like[start:end] = 0.0
        own = np.bincount(self._pair_target[start:end], weight[start:end], minlength=self.n)
        others, all_sources = (np.bincount(self._pair_target, w, minlength=self.n) for w in (like, weight))
        return {
            "count_here": np.log1p(20.0 * own),
            "like_here": np.log1p(20.0 * others),
            "target_here": np.log((0.01 + all_sources) / (1.0 + self.targets)),
        }

    def _counted_near(self, source: int, context: Ids, left_out: Sequence[int]) -> dict[str, Floats]:
        """Count the source's own swaps by how near each single report's recipe is to this one."""
        start, end = np.searchsorted(self.reports.source, [source, source + 1])
        first = self._first[start : end + 1] - self._first[start]
        recipes = self._recipes[self._first[start] : self._first[end]]
        near = serial_matmul(recipes, self._kind_of_recipe(context))
        targets, rows = self.reports.target[start:end], {}
        gone = np.searchsorted(targets, left_out) if len(left_out) else _NONE
        for name, nearness in _NEAR.items():
            weight = np.exp(nearness * (near - 1.0))
            own = _sums(weight, first)
            for pair in gone:  # the recipe itself is the nearest of all
                own[pair] -= weight[first[pair] : first[pair + 1]].max()
            rows[name] = np.zeros(self.n, np.float32)
            rows[name][targets] = np.log1p(20.0 * np.maximum(own, 0.0))
        return rows

    def _counted_among(self, source: int, context: Ids, left_out: Sequence[int]) -> dict[str, Floats]:
        """Compute, as naive Bayes does, how much this recipe's ingredients speak for each swap that cooks made of the source."""
        reports = self.reports
        start, end = np.searchsorted(reports.source, [source, source + 1])
        targets, count = reports.target[start:end], reports.count[start:end].copy()
        among = _columns(reports.company, int(start), int(end), context)
        if len(left_out):
            gone = np.searchsorted(targets, left_out)
            count[gone] -= 1.0
            among[gone] -= 1.0  # the recipe itself, which has all of these
        several = count > 1
        count, among = count * several, among * several[:, None]
        usual = (among.sum(axis=0) + _SOURCE_PRIOR * self._usual[context]) / (count.sum() + _SOURCE_PRIOR)
        rows = {}
        for name, prior in _PRIOR.items():
            rows[name] = np.zeros(self.n, np.float32)
            share = (among + prior * usual) / (count[:, None] + prior)
            rows[name][targets] = np.log(share / usual).sum(axis=1)
        return rows

    def _kind_of_recipe(self, context: Ids) -> Floats:
        """Return what `recipe_vectors` gives for one recipe."""
        weights = self._rarity[context]
        kind = serial_matmul(self._kinds[context].T, weights)
        return np.asarray(kind / max(float(np.linalg.norm(kind)), 1e-9), np.float32)

    def _in_recipe(self, context: Ids) -> dict[str, Floats]:
        """Compute how well each ingredient goes with a recipe."""
        known = self.knowledge
        fit = np.zeros(self.n, np.float32)
        for id in context:
            start, end = known.npmi.indptr[id : id + 2]
            fit[known.npmi.indices[start:end]] += known.npmi.data[start:end]
        return {
            "fit": np.asarray(fit / max(len(context), 1), np.float32),
            "company": serial_matmul(known.usage, mean_of(known.usage, context)),
            "expected": known.completion.log_probability(context),
        }

    def _twins(self, ids: Ids, context: Ids) -> dict[str, Floats]:
        """Find how like the recipe's most similar ingredient each candidate is: a recipe rarely gains a second of a kind."""
        found = {}
        for kind in ("text", "usage"):
            vectors: Floats = getattr(self.knowledge, kind)
            near = serial_matmul(vectors[ids], vectors[context].T)
            found[f"twin_{kind}"] = near.max(axis=1) if len(context) else np.zeros(len(ids), np.float32)
        return found


def _rarity(knowledge: Knowledge) -> Floats:
    return np.asarray(knowledge.popularity.max(initial=0.0) - knowledge.popularity, np.float32)


def _best(order: Floats, k: int) -> Ids:
    """Return the k best that are possible at all, best first; ties go to the smaller id."""
    k = min(k, int((order > _NEVER).sum()))
    if k == 0:
        return np.zeros(0, np.int32)
    limit = np.partition(order, len(order) - k)[len(order) - k]
    ids = np.flatnonzero(order >= limit)
    return ids[np.argsort(-order[ids], kind="stable")][:k].astype(np.int32)


def _sums(values: Floats, first: npt.NDArray[np.int64]) -> Floats:
    """Add up neighbouring rows: those from each first one to the next."""
    if len(first) < 2:
        return np.zeros((0, *values.shape[1:]), np.float32)
    return np.asarray(np.add.reduceat(values, first[:-1], axis=0), np.float32)


def _columns(matrix: sparse.csr_array, start: int, end: int, columns: Ids) -> Floats:
    """Return some columns of some neighbouring rows: [end - start, len(columns)]."""
    where = np.full(matrix.shape[1], -1, np.int32)
    where[columns] = np.arange(len(columns))
    first, last = matrix.indptr[start], matrix.indptr[end]
    column = where[matrix.indices[first:last]]
    kept = column >= 0
    row = np.repeat(np.arange(end - start), np.diff(matrix.indptr[start : end + 1]))[kept]
    dense = np.zeros((end - start, len(columns)), np.float32)
    dense[row, column[kept]] = matrix.data[first:last][kept]
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
