"""Recipe1MSubs ("Learning to Substitute Ingredients in Recipes"): its splits as arrays, and how scores become ranks.

A ranker scores every ingredient; the protocol decides which candidates count and how ties are broken. `paper`
reproduces the published table (all ingredients are candidates, ties count against the model), `filtered` removes the
other valid targets as the paper's text says, and `kitchen` also removes the source and the recipe's own ingredients.
"""

import csv
import hashlib
import io
import json
import os
import subprocess
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.errors import DataError, UnknownNameError
from swapchef.foods.matching import Vocabulary
from swapchef.sources import data_file, data_folder, read_pickle

Ids = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Scores = npt.NDArray[np.float32]
Titles = npt.NDArray[np.str_]

SPLITS = ("train", "val", "test")
TiePolicy = Literal["pessimistic", "optimistic", "realistic"]
PROTOCOLS = ("paper", "filtered", "kitchen")
HITS = (1, 3, 10)
_BATCH = 512


@dataclass(frozen=True, eq=False)
class Split:
    """Substitutions that cooks reported: in `recipe_id`, which also has `context`, `source` became `target`."""

    name: str
    source: Ids  # [m]
    target: Ids  # [m]
    context: sparse.csr_array  # [m, n], 1 for each ingredient of the recipe but the source
    recipe_id: npt.NDArray[np.str_]  # [m]
    title: npt.NDArray[np.str_] | None = None  # [m], where the recipes' titles are known

    def __len__(self) -> int:
        return len(self.source)


@dataclass(frozen=True, eq=False)
class Benchmark:
    """The three splits, the vocabulary they are written in, and a hash that names this data."""

    vocabulary: Vocabulary
    train: Split
    val: Split
    test: Split
    data: str = ""

    def split(self, name: str) -> Split:
        """Return a split by its name."""
        if name not in SPLITS:
            raise UnknownNameError("split", name, SPLITS)
        return {"train": self.train, "val": self.val, "test": self.test}[name]

    def with_titles(self, titles: Mapping[str, str]) -> "Benchmark":
        """Return the part of the benchmark whose recipes have a title, titles included."""
        train, val, test = (_titled(split, titles) for split in (self.train, self.val, self.test))
        return replace(self, train=train, val=val, test=test)

    def with_more(self, paths: Sequence[Path]) -> "Benchmark":
        """Add the tuples of more files to the train split; refuse recipes of val or test."""
        more = [read_split(path, "train", self.vocabulary) for path in paths]
        held_out = {*self.val.recipe_id.tolist(), *self.test.recipe_id.tolist()}
        for path, split in zip(paths, more, strict=True):
            if not held_out.isdisjoint(split.recipe_id.tolist()):
                raise DataError(
                    f"{path.name} has recipes of val or test, on which nothing may be trained; remove them."
                )
        return replace(self, train=_joined([self.train, *more]), data=self.data + "+more" * bool(more))

    def pairs_in_train(self) -> sparse.csr_array:
        """Count each (source, target) pair of the train split: [n, n]."""
        return count_pairs(self.train, len(self.vocabulary))

    def valid_targets(self) -> Mapping[tuple[str, int], Ids]:
        """Return every target that any split gives for a (recipe, source)."""
        valid: dict[tuple[str, int], set[int]] = defaultdict(set)
        for split in (self.train, self.val, self.test):
            for recipe, source, target in zip(split.recipe_id, split.source, split.target, strict=True):
                valid[str(recipe), int(source)].add(int(target))
        return {key: np.array(sorted(targets), dtype=np.int32) for key, targets in valid.items()}


def count_pairs(split: Split, n: int) -> sparse.csr_array:
    """Count (source, target) pairs of a split: [n, n]."""
    ones = np.ones(len(split), dtype=np.float32)
    return sparse.coo_array((ones, (split.source, split.target)), shape=(n, n)).tocsr()


def ids_of(contexts: sparse.csr_array, row: int) -> Ids:
    """Return the ingredients of one recipe of a context matrix."""
    ids: Ids = contexts.indices[contexts.indptr[row] : contexts.indptr[row + 1]]
    return ids


def _joined(splits: Sequence[Split]) -> Split:
    return Split(
        splits[0].name,
        np.concatenate([split.source for split in splits]),
        np.concatenate([split.target for split in splits]),
        sparse.vstack([split.context for split in splits], format="csr"),
        np.concatenate([split.recipe_id for split in splits]),
    )


def _titled(split: Split, titles: Mapping[str, str]) -> Split:
    rows = np.array([row for row, recipe in enumerate(split.recipe_id) if str(recipe) in titles], np.int64)
    return Split(
        split.name,
        split.source[rows],
        split.target[rows],
        split.context[rows],
        split.recipe_id[rows],
        np.array([titles[str(recipe)] for recipe in split.recipe_id[rows]], np.str_),
    )


def load_benchmark() -> Benchmark:
    """Load Recipe1MSubs from the data folder."""
    paths = {name: data_file(f"recipe1msubs/{name}_comments_subs.pkl") for name in SPLITS}
    vocabulary_path, nodes_path = data_file("recipe1msubs/vocab_ingrs.pkl"), data_file("flavorgraph/nodes_191120.csv")
    vocabulary = Vocabulary.from_published(vocabulary_path, nodes_path)
    train, val, test = (read_split(path, name, vocabulary) for name, path in paths.items())
    return Benchmark(vocabulary, train, val, test, _short_hash([*paths.values(), vocabulary_path, nodes_path]))


def recipe_splits() -> dict[str, str]:
    """Return the split of every recipe of Recipe1MSubs; none where the benchmark is not in the data folder."""
    paths = {name: data_folder() / "recipe1msubs" / f"{name}_comments_subs.pkl" for name in SPLITS}
    return {str(row["id"]): name for name, path in paths.items() if path.is_file() for row in read_pickle(path)}


def read_split(path: Path, name: str, vocabulary: Vocabulary) -> Split:
    """Read a published split, or tuples of the same fields as JSON lines, into arrays."""
    records = _read_lines(path) if path.suffix == ".jsonl" else read_pickle(path)
    sources, targets, recipe_ids = [], [], []
    indices: list[int] = []
    indptr = [0]
    try:
        for record in records:
            source, target = (vocabulary.id_of(surface) for surface in record["subs"])
            context = {vocabulary.id_of(names[0]) for names in record["ingredients"]} - {source}
            sources.append(source)
            targets.append(target)
            recipe_ids.append(record["id"])
            indices += sorted(context)
            indptr.append(len(indices))
            if len(record["id"]) > 64:
                raise ValueError("no recipe id is so long")
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise DataError(f"{path.name} is not a Recipe1MSubs split; run `swapchef data verify`.") from None
    ones = np.ones(len(indices), dtype=np.float32)
    shape = (len(sources), len(vocabulary))
    context_rows = sparse.csr_array((ones, np.array(indices, np.int32), np.array(indptr, np.int32)), shape=shape)
    return Split(
        name, np.array(sources, np.int32), np.array(targets, np.int32), context_rows, np.array(recipe_ids, np.str_)
    )


def _read_lines(path: Path) -> list[Any]:
    try:
        with path.open(encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    except (OSError, ValueError, RecursionError):
        raise DataError(f"Cannot read {path}; it must be a file with one JSON object a line.") from None


class Scorer(Protocol):
    """What the benchmark needs of a ranker."""

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Score every ingredient as a substitute, higher is better: [B, n]."""


@dataclass(frozen=True)
class Result:
    """The figures of one ranker on one split, in percent and unrounded."""

    ranker: str
    split: str
    protocol: str
    seed: int
    n: int
    mrr: float
    hit_1: float
    hit_3: float
    hit_10: float
    mrr_id: float
    mrr_ood: float
    mrr_average: float  # of ID and OOD, as the paper's second table
    ci95_mrr: tuple[float, float]
    seconds: float = 0.0  # fitting and scoring

    def as_json(self) -> dict[str, Any]:
        """Return the result under the names that reports use ("hit@1"), rounded to hundredths."""
        figures = {key.replace("hit_", "hit@"): value for key, value in asdict(self).items()}
        figures["ci95_mrr"] = [round(bound, 2) for bound in self.ci95_mrr]
        return {key: round(value, 2) if isinstance(value, float) else value for key, value in figures.items()}


def evaluate(
    scorer: Scorer,
    benchmark: Benchmark,
    split_name: str = "test",
    protocol: str = "paper",
    *,
    ranker: str = "",
    seed: int = 0,
    ties: TiePolicy = "pessimistic",
    progress: Callable[[int], None] = lambda _: None,
) -> Result:
    """Score a whole split and report it under a protocol."""
    split = benchmark.split(split_name)
    ranks = rank_split(scorer, benchmark, split, protocol, ties, progress)
    pairs = benchmark.pairs_in_train()
    seen = np.asarray(pairs[split.source, split.target]).ravel() > 0
    reciprocal = 100.0 / ranks
    in_distribution, out_of_distribution = _mean(reciprocal[seen]), _mean(reciprocal[~seen])
    hit_1, hit_3, hit_10 = (_mean(100.0 * (ranks <= k)) for k in HITS)
    return Result(
        ranker=ranker,
        split=split.name,
        protocol=protocol,
        seed=seed,
        n=len(split),
        mrr=_mean(reciprocal),
        hit_1=hit_1,
        hit_3=hit_3,
        hit_10=hit_10,
        mrr_id=in_distribution,
        mrr_ood=out_of_distribution,
        mrr_average=(in_distribution + out_of_distribution) / 2,
        ci95_mrr=bootstrap_interval(reciprocal, split.recipe_id),
    )


def rank_split(
    scorer: Scorer,
    benchmark: Benchmark,
    split: Split,
    protocol: str,
    ties: TiePolicy = "pessimistic",
    progress: Callable[[int], None] = lambda _: None,
) -> Floats:
    """Return the rank of every target of a split."""
    if protocol not in PROTOCOLS:
        raise UnknownNameError("protocol", protocol, PROTOCOLS)
    valid = benchmark.valid_targets() if protocol != "paper" else {}
    ranks = np.empty(len(split))
    for start in range(0, len(split), _BATCH):
        rows = slice(start, min(start + _BATCH, len(split)))
        sources, targets, contexts = split.source[rows], split.target[rows], split.context[rows]
        titles = None if split.title is None else split.title[rows]
        scores = _checked(scorer.score(sources, contexts, titles), (len(sources), len(benchmark.vocabulary)))
        excluded = _excluded(protocol, valid, split.recipe_id[rows], sources, targets, contexts)
        ranks[rows] = ranks_of(scores, targets, ties, excluded)
        progress(len(sources))
    return ranks


def ranks_of(
    scores: Scores, targets: Ids, ties: TiePolicy = "pessimistic", excluded: npt.NDArray[np.bool_] | None = None
) -> Floats:
    """Rank each row's target among the row's candidates, best 1; `excluded` candidates do not count.

    >>> scores = np.array([[0.5, 0.9, 0.5]], dtype=np.float32)
    >>> target = np.array([0], np.int32)
    >>> [float(ranks_of(scores, target, ties)[0]) for ties in ("optimistic", "realistic", "pessimistic")]
    [2.0, 2.5, 3.0]
    """
    gold = scores[np.arange(len(scores)), targets][:, None]  # [B, 1]
    better = scores > gold
    not_worse = ~(scores < gold)  # counts the target itself, and NaN against the model
    if excluded is not None:
        better &= ~excluded
        not_worse &= ~excluded
    optimistic: Floats = better.sum(axis=1) + 1.0
    pessimistic: Floats = not_worse.sum(axis=1) + 0.0
    return {"optimistic": optimistic, "pessimistic": pessimistic, "realistic": (optimistic + pessimistic) / 2.0}[ties]


def bootstrap_interval(
    values: Floats, groups: npt.NDArray[np.str_], samples: int = 1000, seed: int = 0
) -> tuple[float, float]:
    """Return a 95% interval of the mean, resampling whole recipes because queries of one recipe go together."""
    if len(values) == 0:
        return (0.0, 0.0)
    _, group = np.unique(groups, return_inverse=True)
    sums, counts = np.bincount(group, weights=values), np.bincount(group)
    generator = np.random.default_rng(seed)
    means = np.empty(samples)
    for i in range(samples):
        drawn = generator.integers(0, len(sums), len(sums))
        means[i] = sums[drawn].sum() / counts[drawn].sum()
    low, high = np.percentile(means, [2.5, 97.5])
    return (float(low), float(high))


def summarise(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Average the seeds of each ranker: one row a ranker, with the sample standard deviation of its MRR."""
    rows = []
    for key in dict.fromkeys((result.ranker, result.split, result.protocol) for result in results):
        runs = [result for result in results if (result.ranker, result.split, result.protocol) == key]
        fields = ("mrr", "hit_1", "hit_3", "hit_10", "mrr_id", "mrr_ood", "seconds")
        means = {
            field.replace("hit_", "hit@"): round(float(np.mean([getattr(run, field) for run in runs])), 2)
            for field in fields
        }
        spread = float(np.std([run.mrr for run in runs], ddof=1)) if len(runs) > 1 else 0.0
        interval = [round(float(np.mean([run.ci95_mrr[end] for run in runs])), 2) for end in (0, 1)]
        rows.append({"ranker": key[0], "seeds": len(runs), **means, "mrr_std": round(spread, 2), "ci95_mrr": interval})
    return rows


CSV_COLUMNS = (
    "ranker", "split", "protocol", "seed", "mrr", "hit@1", "hit@3", "hit@10", "mrr_id", "mrr_ood", "minutes", "commit",
    "data",
)  # fmt: skip


def check_results_file(path: Path) -> str:
    """Refuse a file that results cannot be appended to, and return what must be written before them."""
    header = ",".join(CSV_COLUMNS) + "\n"
    if path.exists() and not path.is_file():
        raise DataError(f"Cannot append results to {path} (it is no file); name another file.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+", encoding="utf-8") as file:
            file.seek(0)
            text = file.read()
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not text"
        raise DataError(f"Cannot append results to {path} ({reason}); name another file.") from None
    if text and not text.startswith(header):
        raise DataError(f"{path} has other columns than a results file; name a new file.")
    return header if not text else "" if text.endswith("\n") else "\n"


def append_results(path: Path, results: Sequence[Result], data: str) -> None:
    """Append measured rows to a results file, with the commit and the data that produced them."""
    text = io.StringIO()
    text.write(check_results_file(path))
    rows = csv.DictWriter(text, CSV_COLUMNS, extrasaction="ignore", lineterminator="\n")
    for result in results:
        rows.writerow(
            {**result.as_json(), "minutes": round(result.seconds / 60, 2), "commit": current_commit(), "data": data}
        )
    with path.open("ab") as file:  # one write, so that two runs at once do not mix their lines
        file.write(text.getvalue().encode())


def current_commit() -> str:
    """Return the commit of the checkout this code runs from, with "+" for uncommitted changes; "" elsewhere."""

    def git(*words: str) -> str:
        run = subprocess.run(["git", *words], cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
        return run.stdout.strip() if run.returncode == 0 else ""

    try:
        commit = git("rev-parse", "--short=10", "HEAD")
        changes = git("status", "--porcelain", "--untracked-files=no", "--", os.curdir)
        return f"{commit}+" if commit and changes else commit
    except OSError:  # no git on this machine
        return ""


def _excluded(
    protocol: str,
    valid: Mapping[tuple[str, int], Ids],
    recipe_ids: npt.NDArray[np.str_],
    sources: Ids,
    targets: Ids,
    contexts: sparse.csr_array,
) -> npt.NDArray[np.bool_] | None:
    """Mark the candidates that a protocol does not count: [B, n]; a row's own target always counts."""
    if protocol == "paper":
        return None
    excluded = np.zeros(contexts.shape, dtype=bool)
    for row, (recipe, source) in enumerate(zip(recipe_ids, sources, strict=True)):
        excluded[row, valid[str(recipe), int(source)]] = True
    rows = np.arange(len(sources))
    if protocol == "kitchen":
        excluded |= contexts.toarray() > 0
        excluded[rows, sources] = True
    excluded[rows, targets] = False
    return excluded


def _checked(scores: Scores, shape: tuple[int, int]) -> Scores:
    if scores.shape != shape:
        raise ValueError(f"A ranker returned scores of shape {scores.shape} where {shape} was expected.")
    if np.isnan(scores).any():
        raise ValueError("A ranker returned NaN scores; a rank among NaNs means nothing.")
    return scores


def _mean(values: npt.NDArray[np.floating]) -> float:
    return float(values.mean()) if len(values) else 0.0


def _short_hash(paths: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
