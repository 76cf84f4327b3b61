"""A vocabulary for a new corpus: the canonical ingredients of raw ingredient lines, and which names were merged.

Lines are reduced to the name of the food, and names that differ only in plural, spelling or a space are one. Names that
occur often enough stay; a rare one is merged into the closest that stays: the same name misspelt, the foods that it
lists, the food that it ends in ("organic vine tomato" in "vine tomato") or has in it, or else it is left out.
"""

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from swapchef.engines import LOCAL_ENGINE, BatchResult, EngineSettings
from swapchef.errors import DataError
from swapchef.foods.matching import (
    Vocabulary,
    before_preposition,
    is_food_line,
    names_food,
    normal,
    stems_of,
    undescribed,
)
from swapchef.mining.counting import counted_rows
from swapchef.mining.inputs import ingredients_of
from swapchef.recipes import parse_line
from swapchef.sources import atomic_path

MIN_COUNT = 10  # lines; what Recipe1M's vocabularies ask for
_MAX_WORDS = 6  # a name that is longer is a sentence
_LIST_WORD = re.compile(r"\s+(?:and|or|plus)\s+")
_MIN_SIMILARITY = 90.0  # percent of letters from which a rare name counts as misspelt
_MIN_LETTERS = 6  # of a misspelt name; shorter names resemble each other by chance
_FAR_MORE = 10  # times as common
_MEASURE = re.compile(r"\d|^(?:cup|tablespoon|teaspoon|ounce|pound|inch)s?\b")


@dataclass(frozen=True, slots=True)
class Merge:
    """What became of a name."""

    name: str
    count: int
    into: str  # "" if it was left out
    how: str


@dataclass(frozen=True)
class BuiltVocabulary:
    """A vocabulary, and what became of every name."""

    vocabulary: Vocabulary
    merges: tuple[Merge, ...]

    def fates(self) -> dict[str, int]:
        """Count the names by what became of them."""
        return {f"names {how}": count for how, count in Counter(merge.how for merge in self.merges).most_common()}

    def covered(self) -> float:
        """Return the share of named lines whose name stays or was merged."""
        named = sum(merge.count for merge in self.merges)
        return sum(merge.count for merge in self.merges if merge.into) / named


def build_vocabulary(
    paths: Sequence[Path],
    min_count: int = MIN_COUNT,
    settings: EngineSettings = LOCAL_ENGINE,
    progress: Callable[[int], None] = lambda _: None,
) -> tuple[BuiltVocabulary, Counter[str]]:
    """Build a vocabulary from collections of recipes; also returns what was read."""
    read: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for rows in counted_rows(paths, names_batch, {"name": str}, settings, read, progress):
        for row in rows:
            counts[row["name"]] += row["count"]
    if not counts:
        raise DataError(
            "There are no ingredient lines in these recipes; check that they have a list called ingredients."
        )
    return merge_names(counts, min_count), read


def names_batch(records: Sequence[Mapping[str, Any]]) -> BatchResult:
    """Count the names in some records' ingredient lines."""
    names: Counter[str] = Counter()
    read = Counter(records=len(records))
    for record in records:
        for text in ingredients_of(record):
            name = name_of(text)
            read["lines"] += 1
            if name:
                names[name] += 1
            else:
                read["lines without a name"] += 1
    return [{"name": name, "count": count} for name, count in sorted(names.items())], read


def name_of(line: str) -> str:
    """Return the name of the food of an ingredient line, or "" if it has none.

    >>> name_of("2 1/2 cups Tomatoes, peeled and diced")
    'tomatoes'
    """
    parsed = parse_line(line)
    name = normal(parsed.name)
    is_name = is_food_line(parsed) and len(name) > 1 and len(name.split()) <= _MAX_WORDS and not _MEASURE.search(name)
    return name if is_name else ""


def merge_names(counts: Mapping[str, int], min_count: int) -> BuiltVocabulary:
    """Merge names: first those that are the same, then the rare into the closest."""
    same = _same_names(counts)
    canonical = {stems: _canonical(group, counts) for stems, group in same.items()}
    total = {stems: sum(counts[name] for name in group) for stems, group in same.items()}
    often = {stems for stems, count in total.items() if count >= min_count and names_food(stems)}
    closest = _Closest({stems for stems in often if not _is_list(stems, often) and not _is_described(stems, total)})
    merges: list[Merge] = []
    for stems, group in same.items():
        into, how = ([stems], "same") if stems in closest.canonical_names else closest.find(stems)
        target = " + ".join(canonical[one] for one in into)
        merges += [Merge(name, counts[name], target, "kept" if name == target else how) for name in group]
    return _built(sorted(merges, key=lambda merge: (-merge.count, merge.name)))


_Stems = tuple[str, ...]


def _same_names(counts: Mapping[str, int]) -> dict[_Stems, list[str]]:
    """Group names that are one but for plural, spelling and spaces, under the stems of the most frequent."""
    by_letters: dict[str, _Stems] = {}
    groups: dict[_Stems, list[str]] = defaultdict(list)
    for name in sorted(counts, key=lambda name: (-counts[name], name)):
        stems = stems_of(name)
        if stems:
            groups[by_letters.setdefault("".join(stems), stems)].append(name)
    return dict(groups)


def _canonical(group: Sequence[str], counts: Mapping[str, int]) -> str:
    """Choose the singular, unless hardly anybody writes it."""
    often = max(counts[name] for name in group)
    return min(
        (name for name in group if counts[name] >= often / 20), key=lambda name: (len(name), -counts[name], name)
    )


def _parts(stems: _Stems) -> list[_Stems]:
    return [tuple(part.split()) for part in _LIST_WORD.split(" ".join(stems))]


def _is_list(stems: _Stems, often: set[_Stems]) -> bool:
    """Say whether a name only lists foods: "salt and pepper"."""
    parts = _parts(stems)
    return len(parts) > 1 and often.issuperset(parts)


def _is_described(stems: _Stems, total: Mapping[_Stems, int]) -> bool:
    """Say whether a name only describes one that is far more common: "chilled butter"; "fresh parsley" is a name."""
    return any(total.get(rest, 0) >= _FAR_MORE * total[stems] for rest in _less_described(stems))


def _less_described(stems: _Stems) -> list[_Stems]:
    return [stems[start:] for start in range(1, len(stems) - len(undescribed(stems)) + 1)]


class _Closest:
    """Finds for a rare name the names that it is merged into."""

    def __init__(self, canonical_names: set[_Stems]) -> None:
        self.canonical_names = canonical_names
        self._words = frozenset(word for stems in canonical_names for word in stems)
        self._by_letter: dict[str, list[str]] = defaultdict(list)
        for stems in sorted(canonical_names):
            self._by_letter[stems[0][0]].append(" ".join(stems))

    def find(self, stems: _Stems) -> tuple[list[_Stems], str]:
        """Return the names, and by what they are close."""
        if misspelt := self._misspelt(stems):
            return [misspelt], "spelling"
        if len(parts := _parts(stems)) > 1 and self.canonical_names.issuperset(parts):
            return parts, "list"
        described = [rest for rest in _less_described(stems) if rest in self.canonical_names]
        if described:
            return described[:1], "described"
        for how, spans in (("ends in it", _endings(before_preposition(stems))), ("has it inside", _inner_spans(stems))):
            if close := next((span for span in spans if span in self.canonical_names), None):
                return [close], how
        return [], "left out"

    def _misspelt(self, stems: _Stems) -> _Stems | None:
        """Find the name of which one word was mistyped; a word that other names have too is no mistake."""
        from rapidfuzz import fuzz, process

        text = " ".join(stems)
        near = process.extractOne(
            text, self._by_letter.get(text[0], []), scorer=fuzz.ratio, score_cutoff=_MIN_SIMILARITY
        )
        other = tuple(near[0].split()) if near and len(text) >= _MIN_LETTERS else ()
        differing = [ours for ours, theirs in zip(stems, other, strict=False) if ours != theirs]
        is_slip = len(other) == len(stems) and len(differing) == 1 and differing[0] not in self._words
        return other if is_slip else None


def _endings(stems: _Stems) -> Iterator[_Stems]:
    return (stems[start:] for start in range(len(stems)))


def _inner_spans(stems: _Stems) -> Iterator[_Stems]:
    """Yield runs of words that do not reach the end, longest and last first."""
    for length in range(len(stems) - 1, 0, -1):
        for start in range(len(stems) - length - 1, -1, -1):
            yield stems[start : start + length]


def _built(merges: Sequence[Merge]) -> BuiltVocabulary:
    names = [merge.name for merge in merges if merge.how == "kept"]
    ids = {name: id for id, name in enumerate(names)}
    return BuiltVocabulary(Vocabulary(names, {m.name: ids[m.into] for m in merges if m.into in ids}), tuple(merges))


def write_report(built: BuiltVocabulary, path: Path) -> None:
    """Write what became of every name, the most frequent first."""
    with atomic_path(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(field.name for field in fields(Merge))
        rows.writerows(astuple(merge) for merge in built.merges)
