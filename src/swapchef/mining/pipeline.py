"""Mine reviewed recipes for substitution tuples, in batches that are pure functions of their rows.

A batch is mined by `mine_batch` whether it runs here, in another process or on Spark, so the tuples are the same. What
is finished is stored in parts, and a run that was interrupted goes on after them; at the end the parts become one JSONL
and one Parquet file, sorted, and a report counts what was read, skipped and mined.
"""

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from swapchef.engines import LOCAL_ENGINE, EngineSettings, Parts, run_local
from swapchef.errors import DataError, UnknownNameError
from swapchef.foods.matching import Vocabulary
from swapchef.mining import rules
from swapchef.mining.inputs import (
    INPUT_FIELDS,
    Review,
    ReviewedRecipe,
    ingredients_by_id,
    is_parquet,
    read_reviewed,
    read_rows,
    reviewed,
)
from swapchef.mining.sentences import Sentence, sentences_of
from swapchef.mining.spotting import Spot, Spotter, Word, words_of
from swapchef.recipes import parse_line
from swapchef.sources import atomic_path

if TYPE_CHECKING:
    import pyarrow

Mode = Literal["paper", "better"]
MODES = ("paper", "better")
_BATCH = 400  # recipes
_MAX_ID_LENGTH = 64  # characters, as the benchmark's reader takes them

Tuple = dict[str, Any]
FIELDS = (
    "id", "ingredients", "subs", "split", "review_id", "start", "end", "rule", "mood", "confidence", "source_amount",
    "target_amount", "verdict", "verdict_words",
)  # fmt: skip


def mine(
    recipes: Path | None,
    reviews: Path,
    mode: str,
    out: Path,
    settings: EngineSettings = LOCAL_ENGINE,
    splits: Mapping[str, str] | None = None,
    vocabulary: Path | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Counter[str]:
    """Mine a file into a folder and return what was read, skipped and mined; a run that was interrupted goes on.

    `splits` names the split of recipes that must stay where they are, such as the benchmark's; others go by their id.
    `vocabulary` has the ingredients to look for, by default those that swapchef ships.
    """
    if mode not in MODES:
        raise UnknownNameError("mode", mode, MODES)
    spotter_of(vocabulary)  # raises before any work is done if the file is wrong
    sources = {"reviews": reviews, "recipes": recipes, "vocabulary": vocabulary}
    _claim(out, {"mode": mode, **{name: _identity(path) if path else "" for name, path in sources.items()}})
    if settings.engine == "spark":
        tuples, counts = _on_spark(recipes, reviews, _SparkWork(mode, splits or {}, vocabulary), out, settings)
    else:
        work = partial(mine_batch, mode=mode, splits=splits, vocabulary=vocabulary)
        tuples, counts = _here(recipes, reviews, work, out, settings, progress)
    write_tuples(tuples, out)
    with atomic_path(out / "report.json") as temporary:
        temporary.write_text(json.dumps(dict(counts.most_common()), indent=2) + "\n", encoding="utf-8")
    return counts


def _here(
    recipes: Path | None,
    reviews: Path,
    work: Callable[[list[ReviewedRecipe]], tuple[list[Tuple], Counter[str]]],
    out: Path,
    settings: EngineSettings,
    progress: Callable[[int], None],
) -> tuple[Iterable[Tuple], Counter[str]]:
    counts: Counter[str] = Counter()
    parts = Parts(out / "parts")
    for _, batch_counts in run_local(read_reviewed(recipes, reviews, counts), work, _BATCH, settings.processes, parts):
        counts += batch_counts
        progress(batch_counts["recipes"])
    return parts.rows(), counts


@dataclass(frozen=True)
class _SparkWork:
    """Rows to tuples on a worker of Spark; `known` are the ingredients of all recipes that are in another file."""

    mode: str
    splits: Mapping[str, str]
    vocabulary: Path | None
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __call__(self, rows: list[dict[str, Any]]) -> tuple[list[Tuple], Counter[str]]:
        counts: Counter[str] = Counter()
        recipes = list(reviewed(rows, self.known, counts))
        tuples, batch_counts = mine_batch(recipes, self.mode, self.splits, self.vocabulary)
        return tuples, counts + batch_counts


def _on_spark(
    recipes: Path | None, reviews: Path, work: _SparkWork, out: Path, settings: EngineSettings
) -> tuple[Iterable[Tuple], Counter[str]]:
    from swapchef.engines import spark

    counts: Counter[str] = Counter()
    parts, staged = out / "tuples_by_split", out / "rows"
    with spark.spark_session(settings.master, settings.processes, out / "spark.log") as session:
        if recipes and recipes != reviews:
            work = replace(work, known=ingredients_by_id(recipes, counts))
        if is_parquet(reviews):
            rows = spark.parquet_rows(session, reviews, INPUT_FIELDS)
        else:
            rows = spark.staged_rows(session, read_rows(reviews, counts), staged)
        counts += spark.run_spark(session, rows, work, tuple_schema(), parts, "split")
    shutil.rmtree(staged, ignore_errors=True)
    return _spark_tuples(parts), counts


def _spark_tuples(folder: Path) -> Iterator[Tuple]:
    """Read back what Spark wrote, fields in their order."""
    from pyarrow import dataset

    names = tuple_schema().names
    stored = dataset.dataset(folder, format="parquet", partitioning="hive")
    for batch in stored.to_batches(columns=names, filter=dataset.field("split") != "report"):
        yield from batch.to_pylist()


def mine_batch(
    recipes: Sequence[ReviewedRecipe],
    mode: str,
    splits: Mapping[str, str] | None = None,
    vocabulary: Path | None = None,
) -> tuple[list[Tuple], Counter[str]]:
    """Mine some recipes' reviews."""
    spotter = spotter_of(vocabulary)
    tuples: list[Tuple] = []
    counts: Counter[str] = Counter(recipes=len(recipes))
    for recipe in recipes:
        if recipe.ingredients is None and mode == "paper":
            counts["recipes without ingredients"] += 1
            continue
        candidates = [(review, one) for review in recipe.reviews for one in _candidates(review, spotter)]
        split = (splits or {}).get(recipe.id) or split_of(recipe.id)
        # Parsing the ingredient list takes longer than reading the reviews.
        known = _ingredients(recipe, spotter.vocabulary) if candidates else None
        for review, candidate in candidates:
            for swap in _swaps(candidate, known, mode):
                if swap.mood in rules.POSITIVE_MOODS:
                    start = candidate.sentence.start
                    span = start, start + len(candidate.sentence.text)
                    tuples.append(_tuple(recipe, split, known, review, swap, spotter.vocabulary, *span))
                    counts[f"rule {swap.rule}"] += 1
                    counts["tuples with a verdict"] += swap.verdict != ""
                else:
                    counts[f"left out: {swap.mood}"] += 1
    counts["tuples"] = len(tuples)
    return tuples, counts


class _Candidate(NamedTuple):
    """A sentence that may tell of a swap, and the text of the one after it."""

    sentence: Sentence
    words: list[Word]
    spots: list[Spot]
    next_sentence: str


def _candidates(review: Review, spotter: Spotter) -> Iterator[_Candidate]:
    """Yield the sentences of a review that may tell of a swap: two ingredients, and a word that hints at one."""
    if not rules.may_tell_of_swap(review.text):
        return
    sentences = list(sentences_of(review.text))
    for sentence, following in zip_longest(sentences, sentences[1:]):
        if rules.may_tell_of_swap(sentence.text):
            words = words_of(sentence.text)
            if len(spots := spotter.spot(words)) > 1:
                yield _Candidate(sentence, words, spots, following.text if following else "")


def _swaps(candidate: _Candidate, recipe: dict[int, str] | None, mode: str) -> Iterator[rules.Swap]:
    known = frozenset(recipe) if recipe is not None else None
    sentence, words, spots, next_sentence = candidate
    if mode == "paper":
        return rules.paper_swaps(sentence.text, words, spots, known or frozenset())
    return rules.stated_swaps(words, spots, sentence.is_question, known, next_sentence)


def _ingredients(recipe: ReviewedRecipe, vocabulary: Vocabulary) -> dict[int, str] | None:
    """Return what a recipe has, as ids and names, in order; None where no list is known."""
    if recipe.ingredients is None:
        return None
    return {match.id: match.name for text in recipe.ingredients for match in vocabulary.match_all(parse_line(text))}


def _tuple(
    recipe: ReviewedRecipe,
    split: str,
    known: dict[int, str] | None,
    review: Review,
    swap: rules.Swap,
    vocabulary: Vocabulary,
    start: int,
    end: int,
) -> Tuple:
    """Write a swap in the benchmark's own fields, and where it was found."""
    names = vocabulary.names
    return {
        "id": _short_id(recipe.id),
        "ingredients": [[_surface(name)] for name in (known or {}).values()],
        "subs": [_surface(names[swap.source]), _surface(names[swap.target])],
        "split": split,
        "review_id": review.id,
        "start": start,
        "end": end,
        "rule": swap.rule,
        "mood": swap.mood,
        "confidence": swap.confidence,
        "source_amount": swap.source_amount,
        "target_amount": swap.target_amount,
        "verdict": swap.verdict,
        "verdict_words": swap.verdict_words,
    }


def _surface(name: str) -> str:
    return name.replace(" ", "_")


def _short_id(id: str) -> str:
    return id if len(id) <= _MAX_ID_LENGTH else hashlib.sha256(id.encode()).hexdigest()[:32]


def split_of(id: str) -> str:
    """Put a recipe into a split by its id alone, so that no run, machine or order changes it: 70, 15 and 15 percent."""
    share = int.from_bytes(hashlib.sha256(id.encode()).digest()[:4], "big") % 100
    return "train" if share < 70 else "val" if share < 85 else "test"


@cache
def spotter_of(vocabulary: Path | None) -> Spotter:
    """Return this process's spotter: the automaton is built once."""
    return Spotter(Vocabulary.load(vocabulary))


def tuple_schema() -> "pyarrow.Schema":
    """Return the columns of tuples."""
    import pyarrow

    text, names, offset = pyarrow.string(), pyarrow.list_(pyarrow.string()), pyarrow.int64()
    types = {"ingredients": pyarrow.list_(names), "subs": names, "start": offset, "end": offset}
    types["confidence"] = pyarrow.float64()
    return pyarrow.schema([(name, types.get(name, text)) for name in FIELDS])


def _identity(path: Path) -> str:
    """Name what is mined, so that a folder never mixes the parts of two runs."""
    try:
        files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
        return f"{path.name} {sum(file.stat().st_size for file in files)}"
    except OSError:
        raise DataError(f"There is no file {str(path)!r}; check the path.") from None


def _claim(folder: Path, about: dict[str, str]) -> None:
    """Mark a folder as this run's; raise if it is another's."""
    run_file = folder / "run.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if run_file.exists() and json.loads(run_file.read_text(encoding="utf-8")) != about:
            raise DataError(f"{folder} holds another run; name another folder, or delete it.")
        with atomic_path(run_file) as temporary:
            temporary.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DataError(f"Cannot write to {folder} ({error}); name another folder.") from None


def write_tuples(tuples: Iterable[Tuple], folder: Path) -> None:
    """Write tuples as JSONL and Parquet, in an order that does not depend on how they were mined."""
    import pyarrow
    from pyarrow import parquet

    ordered = sorted(tuples, key=lambda row: (row["id"], row["review_id"], row["start"], row["subs"]))
    with atomic_path(folder / "tuples.jsonl") as temporary, temporary.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in ordered)
    with atomic_path(folder / "tuples.parquet") as temporary:
        parquet.write_table(pyarrow.Table.from_pylist(ordered, tuple_schema()), temporary)
