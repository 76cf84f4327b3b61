"""The mill: reviewed recipes in, substitution tuples out, in batches that are pure functions of their rows.

A batch is mined by `mine_batch` whether it runs here, in another process or on a cluster, so the tuples are the same. Each batch becomes one part
file in one move, and a run that was interrupted goes on after the parts it has; at the end the parts become one JSONL and one
Parquet file, sorted, and a report says what was read, skipped and found.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from swapchef.errors import DataError, UnknownNameError
from swapchef.mining import rules
from swapchef.mining.inputs import Review, ReviewedRecipe, read_reviewed
from swapchef.mining.sentences import Sentence, sentences_of
from swapchef.mining.spotting import Spot, Spotter, Word, words_of
from swapchef.recipes import parse_line
from swapchef.sources import atomic_path
from swapchef.vocabulary import Vocabulary

Mode = Literal["paper", "better"]
MODES = ("paper", "better")
_BATCH = 400  # recipes
_LONGEST_ID = 64  # characters, as the benchmark's reader takes them
_KEPT = frozenset({"done", "advice"})  # moods that tell of a swap that works; others are counted

Tuple = dict[str, Any]


def mine(
    recipes: Path | None,
    reviews: Path,
    mode: str,
    out: Path,
    processes: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> Counter[str]:
    """Mine a file into a folder and return what was read, skipped and found; a run that was interrupted goes on."""
    if mode not in MODES:
        raise UnknownNameError("mode", mode, MODES)
    run = _Run(out, {"reviews": _identity(reviews), "recipes": _identity(recipes) if recipes else "", "mode": mode})
    counts: Counter[str] = Counter()
    batches = _batches(read_reviewed(recipes, reviews, counts))
    for number, tuples, found in _mined(batches, mode, processes, run):
        run.write(number, tuples, found)
        counts += found
        progress(found["recipes"])
    return run.finish(counts)


def mine_batch(recipes: Sequence[ReviewedRecipe], mode: str) -> tuple[list[Tuple], Counter[str]]:
    """Mine some recipes' reviews."""
    tuples: list[Tuple] = []
    counts: Counter[str] = Counter(recipes=len(recipes))
    for recipe in recipes:
        if recipe.ingredients is None and mode == "paper":
            counts["recipes without ingredients"] += 1
            continue
        told = [(review, *found) for review in recipe.reviews for found in _telling(review)]
        known = _ingredients(recipe) if told else None  # reading the list takes longer than reading the reviews
        for review, sentence, words, spots in told:
            for swap in _swaps(sentence, words, spots, known, mode):
                if swap.mood in _KEPT:
                    place = sentence.start, sentence.start + len(sentence.text)
                    tuples.append(_tuple(recipe, known, review, swap, *place))
                    counts[f"rule {swap.rule}"] += 1
                else:
                    counts[f"left out: {swap.mood}"] += 1
    counts["tuples"] = len(tuples)
    return tuples, counts


def _telling(review: Review) -> Iterator[tuple[Sentence, list[Word], list[Spot]]]:
    """Yield the sentences of a review that may tell of a swap: two ingredients, and a word that hints at one."""
    if not rules.may_tell(review.text):
        return
    for sentence in sentences_of(review.text):
        if rules.may_tell(sentence.text):
            words = words_of(sentence.text)
            if len(spots := _spotter().spot(words)) > 1:
                yield sentence, words, spots


def _swaps(
    sentence: Sentence, words: list[Word], spots: list[Spot], recipe: dict[int, str] | None, mode: str
) -> Iterator[rules.Swap]:
    known = frozenset(recipe) if recipe is not None else None
    if mode == "paper":
        return rules.paper_swaps(sentence.text, words, spots, known or frozenset())
    return rules.stated_swaps(words, spots, sentence.is_question, known)


def _ingredients(recipe: ReviewedRecipe) -> dict[int, str] | None:
    """Return what a recipe has, as ids and names, in order; None where no list is known."""
    if recipe.ingredients is None:
        return None
    vocabulary = _spotter().vocabulary
    return {match.id: match.name for text in recipe.ingredients for match in vocabulary.match_all(parse_line(text))}


def _tuple(
    recipe: ReviewedRecipe, known: dict[int, str] | None, review: Review, swap: rules.Swap, start: int, end: int
) -> Tuple:
    """Write a swap in the benchmark's own fields, and where it was found."""
    names = _spotter().vocabulary.names
    return {
        "id": _short_id(recipe.id),
        "ingredients": [[_surface(name)] for name in (known or {}).values()],
        "subs": [_surface(names[swap.source]), _surface(names[swap.target])],
        "split": split_of(recipe.id),
        "review_id": review.id,
        "start": start,
        "end": end,
        "rule": swap.rule,
        "mood": swap.mood,
        "confidence": swap.confidence,
        "source_amount": swap.source_amount,
        "target_amount": swap.target_amount,
    }


def _surface(name: str) -> str:
    return name.replace(" ", "_")


def _short_id(id: str) -> str:
    return id if len(id) <= _LONGEST_ID else hashlib.sha256(id.encode()).hexdigest()[:32]


def split_of(id: str) -> str:
    """Put a recipe into a split by its id alone, so that no run, machine or order changes it: 70, 15 and 15 percent."""
    share = int.from_bytes(hashlib.sha256(id.encode()).digest()[:4], "big") % 100
    return "train" if share < 70 else "val" if share < 85 else "test"


@cache
def _spotter() -> Spotter:
    """Return this process's spotter: the automaton is built once."""
    return Spotter(Vocabulary.load())


def _batches(recipes: Iterable[ReviewedRecipe]) -> Iterator[list[ReviewedRecipe]]:
    stream = iter(recipes)
    while batch := list(islice(stream, _BATCH)):
        yield batch


def _mined(
    batches: Iterator[list[ReviewedRecipe]], mode: str, processes: int, run: "_Run"
) -> Iterator[tuple[int, list[Tuple], Counter[str]]]:
    """Mine batches in order, except those whose part is there; a few at a time, so that memory stays flat."""
    waiting = ((number, batch) for number, batch in enumerate(batches))
    if processes == 1:
        for number, batch in waiting:
            yield (number, *(run.read(number) or mine_batch(batch, mode)))
        return
    with ProcessPoolExecutor(processes) as pool:
        while chunk := list(islice(waiting, 4 * processes)):
            jobs = [(n, run.read(n) or pool.submit(mine_batch, batch, mode)) for n, batch in chunk]
            for number, job in jobs:
                yield (number, *(job if isinstance(job, tuple) else job.result()))


def _identity(path: Path) -> str:
    try:
        return f"{path.name} {path.stat().st_size}"
    except OSError:
        raise DataError(f"There is no file {str(path)!r}; check the path.") from None


class _Run:
    """A folder with the parts of a run, and at the end its results."""

    def __init__(self, folder: Path, about: dict[str, str]) -> None:
        self._folder, self._parts = folder, folder / "parts"
        try:
            self._parts.mkdir(parents=True, exist_ok=True)
            note = folder / "run.json"
            if note.exists() and json.loads(note.read_text(encoding="utf-8")) != about:
                raise DataError(f"{folder} holds another run; name another folder, or delete it.")
            with atomic_path(note) as temporary:
                temporary.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
        except (OSError, ValueError) as error:
            raise DataError(f"Cannot write to {folder} ({error}); name another folder.") from None

    def _part(self, number: int) -> Path:
        return self._parts / f"{number:07d}.json"

    def read(self, number: int) -> tuple[list[Tuple], Counter[str]] | None:
        """Return a part that was finished, if it was."""
        try:
            part = json.loads(self._part(number).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return part["tuples"], Counter(part["counts"])

    def write(self, number: int, tuples: list[Tuple], counts: Counter[str]) -> None:
        with atomic_path(self._part(number)) as temporary:
            temporary.write_text(json.dumps({"tuples": tuples, "counts": counts}, ensure_ascii=False), encoding="utf-8")

    def finish(self, counts: Counter[str]) -> Counter[str]:
        """Put the parts together, sorted, and write the report."""
        tuples = [row for part in sorted(self._parts.glob("*.json")) for row in json.loads(part.read_text())["tuples"]]
        write_tuples(tuples, self._folder)
        with atomic_path(self._folder / "report.json") as temporary:
            temporary.write_text(json.dumps(dict(counts.most_common()), indent=2) + "\n", encoding="utf-8")
        return counts


def write_tuples(tuples: list[Tuple], folder: Path) -> None:
    """Write tuples as JSONL and Parquet, in an order that does not depend on how they were mined."""
    import pyarrow
    from pyarrow import parquet

    ordered = sorted(tuples, key=lambda row: (row["id"], row["review_id"], row["start"], row["subs"]))
    with atomic_path(folder / "tuples.jsonl") as temporary, temporary.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in ordered)
    with atomic_path(folder / "tuples.parquet") as temporary:
        parquet.write_table(pyarrow.Table.from_pylist(ordered), temporary)
