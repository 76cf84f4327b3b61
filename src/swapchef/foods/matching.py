"""Free text <-> canonical ingredient <-> id; the only owner of ids.

Ids are FlavorGraph's ingredient order, 0..n-1, with no padding. A name is found by the first of a few ways that
succeeds, from certain to guess: as written, by plural and spelling, without describing words, by its head noun, by a
word mended; each `Match` says which and how sure it is. The benchmark's aliases include merged rare foods ("duck egg"
is "egg" there), so `Match.words` keeps the cook's own words: safety must be judged by those, not by the canonical name.
"""

import csv
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

from swapchef.en.nouns import singular
from swapchef.errors import DataError, UnknownNameError
from swapchef.foods.lexicon import words_with
from swapchef.foods.words import stem, tokens_of
from swapchef.recipes import IngredientLine, Recipe
from swapchef.sources import PublishedVocabulary, atomic_path, read_pickle
from swapchef.tables import read_table

_NOT_FOOD = re.compile(
    r"""
    [\s*]*(?:special[ ])?equipment\b                       # "Special equipment: a wok"
    | [\s*]*(?:test.kitchen|cook'?s?|chef'?s?)[ ](?:tip|note)
    | [\s*]*available[ ]                                   # "*Available at Asian markets"
    | [\s*]*ingredient[ ]info
    | \*+\s*(?!\d).{40}                                    # a footnote
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MAX_TEXT = 300  # characters; an ingredient's name is shorter
_REMEMBERED = 50_000  # texts
_SURE = 0.8  # confidence by which the parts of a line are taken for ingredients of their own
_DOUBTFUL = 0.4  # confidence in a match that leaves out a denial
_CERTAIN = frozenset({"exact", "alias", "spelling"})  # ways to match that leave nothing out

_DESCRIBING = words_with("describing")
_DENIED = "\0"  # stands for a word that is denied
_UNTELLING = _DESCRIBING | words_with("shape")
# What may be missing at the end of a name, the likeliest first: "ricotta" for "ricotta cheese".
_ENDINGS = tuple(
    "cheese sauce wine seed root bean nut liqueur pepper powder mix bread oil mushroom seaweed lettuce flake cereal"
    " pasta cracker sausage".split()
)
_KINDS = words_with("kind-only")
_PREPOSITIONS = frozenset({"in", "with", "for", "from", "on"})
# Words that stand for another in every name: the one that the vocabulary uses.
_OTHER_WORDS = {
    "courgette": "zucchini", "aubergine": "eggplant", "rocket": "arugula", "prawn": "shrimp", "caster": "superfine",
    "confectioner": "powdered", "icing": "powdered", "scallion": "green onion", "cornflour": "cornstarch",
    "mangetout": "snow pea", "parmigiano": "parmesan", "bicarbonate": "baking", "percent": "%", "veggie": "vegetable",
}  # fmt: skip

# Names that the published vocabulary gives to another food: fresh mushrooms are no parsley flakes, chives no chips.
_MISTAKEN = frozenset({"fresh mushrooms", "chives", "sweet bread", "hawaiian sweet bread", "roma"})


@dataclass(frozen=True, slots=True)
class Food:
    """A food by its name; `id` is None where the vocabulary does not have it."""

    id: int | None
    name: str


@dataclass(frozen=True, slots=True)
class Match:
    """An ingredient that free text means."""

    id: int
    name: str  # canonical, for people: "baking soda"
    confidence: float  # the share of such matches that are right, roughly
    how: str  # "exact", "alias", "spelling", "described", "head noun", "part", "completed", "mended", "similar"
    words: str  # the whole text, normalised: what safety must be judged by


_CONFIDENCE = {
    "exact": 1.0, "alias": 0.97, "spelling": 0.97, "described": 0.95, "head noun": 0.8, "part": 0.6,
    "completed": 0.9, "mended": 0.85, "similar": 0.7,
}  # fmt: skip


class Vocabulary:
    """The ingredients we know and every name they go by.

    >>> vocabulary = Vocabulary(["butter", "peanut_butter"], {"unsalted_butter": 0})
    >>> match = vocabulary.match("melted Butter")
    >>> match.id, match.name
    (0, 'butter')
    """

    def __init__(self, names: Iterable[str], aliases: Mapping[str, int]) -> None:
        self.names: tuple[str, ...] = tuple(name.replace("_", " ") for name in names)
        own = {name: id for id, name in enumerate(self.names)}
        self._aliases = own | {surface.replace("_", " "): id for surface, id in aliases.items()}
        self._recent: dict[str, Match | None] = {}

    def __len__(self) -> int:
        return len(self.names)

    @classmethod
    def from_published(cls, vocabulary: Path, nodes: Path) -> "Vocabulary":
        """Build from the benchmark's `vocab_ingrs.pkl` and FlavorGraph's node file."""
        names = [name for _, name, kind in read_node_rows(nodes) if kind == "ingredient"]
        published = read_pickle(vocabulary)
        ids = {name: id for id, name in enumerate(names)}
        try:
            aliases = {
                surface: ids[published.idx2word[index][0]]
                for surface, index in published.word2idx.items()
                if not surface.startswith("<")
            }
        except (AttributeError, KeyError, IndexError, TypeError):
            known = isinstance(published, PublishedVocabulary)
            problem = "does not fit FlavorGraph's nodes" if known else "holds no vocabulary"
            raise DataError(f"{vocabulary.name} {problem}; run `swapchef data verify`.") from None
        plain = {name.replace("_", " "): id for name, id in ids.items()}
        others = {surface: plain[name] for surface, name in read_table("foods/other_names.tsv") if name in plain}
        return cls(
            names, {**others, **ids, **aliases}
        )  # where they differ the benchmark decides: "pimiento" is "pimento"

    @classmethod
    def load(cls, path: Path | None = None) -> "Vocabulary":
        """Load a stored vocabulary, by default the one that swapchef ships."""
        source = path or files("swapchef") / "bundle" / "vocabulary.json"
        try:
            stored = json.loads(source.read_text(encoding="utf-8"))
            return cls(stored["names"], stored["aliases"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise DataError(f"{source} is not a swapchef vocabulary; reinstall swapchef or rebuild the file.") from None

    def save(self, path: Path) -> None:
        """Store as JSON."""
        with atomic_path(path) as temporary:
            stored = {"names": self.names, "aliases": {k: id for k, id in self._aliases.items() if self.names[id] != k}}
            temporary.write_text(json.dumps(stored, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")

    def id_of(self, surface: str) -> int:
        """Return the id of a name as the benchmark writes it ("all_purpose_flour")."""
        try:
            return self._aliases[surface.replace("_", " ")]
        except KeyError:
            raise UnknownNameError("ingredient", surface, self.close(surface)) from None

    def surfaces(self) -> Iterator[tuple[str, int]]:
        """Yield every name that stands for an ingredient, canonical names first."""
        yield from sorted(
            ((surface, id) for surface, id in self._aliases.items() if surface not in _MISTAKEN),
            key=lambda item: item[0] != self.names[item[1]],
        )

    def match(self, text: str | IngredientLine) -> Match | None:
        """Find the ingredient that a name or an ingredient line means, the first if there are several, or None."""
        if isinstance(text, IngredientLine):
            return next(iter(self.match_all(text)), None)
        return self._match(_normal(text))

    def match_all(self, line: IngredientLine) -> list[Match]:
        """Find every ingredient of a line: "salt and pepper" has two, "special equipment: a wok" has none."""
        if _NOT_FOOD.match(line.text):
            return []
        if listed := self._listed(line):
            return listed
        whole = self._product(line) or self._match(_normal(line.name)) or self._match(_normal(line.text))
        if whole and whole.how in _CERTAIN:
            return [whole]
        if line.note.startswith("or ") and (shared := self._with_shared_noun(line)):
            return [shared]
        parts = re.split(r"\s*,\s*(?:and\s+)?|\s+(?:and|&|plus|\+)\s+|/", line.name)
        matches = [match for part in parts if (match := self._match(_normal(part))) and match.confidence >= _SURE]
        if len(parts) > 1 and len(matches) == len(parts):
            return list({match.id: match for match in matches}.values())
        return [whole] if whole else []

    def _listed(self, line: IngredientLine) -> list[Match]:
        """Find the foods of a line that only lists some: "salt, pepper, paprika"."""
        if line.amount is not None or "," not in line.text:
            return []
        parts = [_normal(part) for part in re.split(r",\s*(?:and\s+)?|\s+and\s+", line.text)]
        matches = [match for part in parts if (match := self._named(part))]
        return list({match.id: match for match in matches}.values()) if len(matches) == len(parts) else []

    def _product(self, line: IngredientLine) -> Match | None:
        """Find what is sold prepared: "1 cup shredded coconut", but not "1 coconut, shredded"."""
        described = _normal(f"{line.note.split(',')[0]} {line.name}")
        return self._named(described) if described in _normal(line.text) else None

    def _with_shared_noun(self, line: IngredientLine) -> Match | None:
        """Complete "creamy", noted "or chunky peanut butter", to a name we know."""
        other = line.note.split(",")[0].split()[1:]
        for start in range(1, len(other)):
            words = _normal(f"{line.name} {' '.join(other[start:])}")
            if match := self._named(words) or self._described(_stems(words)):
                return match
        return None

    def require(self, text: str) -> Match:
        """Find an ingredient or say what the cook may have meant."""
        if match := self.match(text):
            return match
        raise UnknownNameError("ingredient", text, self.close(text))

    def close(self, text: str, top: int = 3) -> list[str]:
        """Return the names most like a text, for "did you mean"."""
        from rapidfuzz import fuzz, process

        near = process.extract(_normal(text), self._by_words.keys(), scorer=fuzz.WRatio, limit=4 * top, score_cutoff=77)
        return list(dict.fromkeys(self.names[self._by_words[words]] for words, _, _ in near))[:top]

    def context_of(self, recipe: Recipe) -> list[int]:
        """Return the ids of a recipe's ingredients, each once, in order."""
        return list(dict.fromkeys(match.id for line in recipe.ingredients for match in self.match_all(line)))

    def _match(self, words: str) -> Match | None:
        if words not in self._recent:
            if len(self._recent) > _REMEMBERED:
                self._recent.clear()
            match = self._find(words)
            self._recent[words] = match and self._with_all_words(match, words)
        return self._recent[words]

    def _with_all_words(self, match: Match, words: str) -> Match:
        """Keep the whole text, and doubt a match that leaves out a word like "vegan", "imitation" or "free"."""
        leaves_out = match.how not in _CERTAIN and not words_with("denial").isdisjoint(words.split())
        confidence = min(match.confidence, _DOUBTFUL) if leaves_out else match.confidence
        return replace(match, words=words, confidence=confidence)

    def _find(self, words: str) -> Match | None:
        stems = _mark_denied(_stems(words))
        if not stems:
            return None
        return (
            self._named(words)
            or self._described(stems)
            or self._completed(stems)
            or self._by_head(before_preposition(stems))
            or self._mended(stems)
            or self._part(stems)
            or self._similar(words)
        )

    def _named(self, words: str) -> Match | None:
        """The text is a name we know, as written or up to plural and spelling."""
        if (id := self._by_words.get(words)) is not None:
            return self._matched(id, "exact" if _normal(self.names[id]) == words else "alias", words)
        id = self._lookup(_stems(words))
        return None if id is None else self._matched(id, "spelling", words)

    def _described(self, stems: tuple[str, ...]) -> Match | None:
        """The text is a name we know among words that only describe it; the longest such name wins."""
        for start, end, span in _spans(stems):
            around = _DESCRIBING.issuperset(stems[:start]) and _UNTELLING.issuperset(stems[end:])
            if around and not _UNTELLING.issuperset(span) and (id := self._lookup(span)) is not None:
                return self._matched(id, "described", " ".join(span))
        return None

    def _completed(self, stems: tuple[str, ...]) -> Match | None:
        """The text leaves out the last word of a name we know: "ricotta" for "ricotta cheese"."""
        bare = tuple(stem for stem in stems if stem not in _DESCRIBING)
        for ending in _ENDINGS:
            if not _KINDS.issuperset(bare) and (id := self._by_stems.get((*bare, ending))) is not None:
                return self._matched(id, "completed", " ".join(bare))
        return None

    def _by_head(self, stems: tuple[str, ...]) -> Match | None:
        """The text ends in a name we know: "Hidden Farms crunchy peanut butter"."""
        for end in range(len(stems), 0, -1):
            for start in range(end):
                span = stems[start:end]
                if not _UNTELLING.issuperset(span) and (id := self._lookup(span)) is not None:
                    return self._matched(id, "head noun", " ".join(span))
            if stems[end - 1] not in _UNTELLING:
                break
        return None

    def _mended(self, stems: tuple[str, ...]) -> Match | None:
        """A word is misspelt: "cinammon"."""
        mended = tuple(self._mend(stem) for stem in stems)
        if mended == stems:
            return None
        match = self._named(" ".join(mended)) or self._described(mended) or self._by_head(mended)
        return match and self._matched(match.id, "mended", match.words)

    def _part(self, stems: tuple[str, ...]) -> Match | None:
        """Some words of the text are a name we know; the longest and last wins."""
        for _, _, span in _spans(stems):
            id = self._lookup(span)
            if id is not None and not _UNTELLING.issuperset(span) and sum(map(len, span)) > 2:
                return self._matched(id, "part", " ".join(span))
        return None

    def _lookup(self, stems: tuple[str, ...]) -> int | None:
        """Look words up as they are, or written together or apart: "bread crumbs", "breadcrumbs"."""
        if _DENIED in stems:
            return None
        id = self._by_stems.get(stems)
        return self._by_letters.get("".join(stems)) if id is None else id

    def _similar(self, words: str) -> Match | None:
        from rapidfuzz import fuzz, process

        if len(words) < 5:
            return None
        near = process.extractOne(words, self._by_words.keys(), scorer=fuzz.ratio, score_cutoff=92)
        return None if near is None else self._matched(self._by_words[near[0]], "similar", near[0])

    def _mend(self, stem: str) -> str:
        from rapidfuzz import fuzz, process

        if len(stem) < 6 or stem in self._known_stems or stem in _DESCRIBING:
            return stem
        same_letter = self._stems_by_letter.get(stem[0], [])
        near = process.extractOne(stem, same_letter, scorer=fuzz.ratio, score_cutoff=85)
        return stem if near is None else near[0]

    def _matched(self, id: int, how: str, words: str) -> Match:
        return Match(id, self.names[id], _CONFIDENCE[how], how, words)

    @cached_property
    def _by_words(self) -> dict[str, int]:
        index: dict[str, int] = {}
        for surface, id in self.surfaces():
            index.setdefault(_normal(surface), id)
        return index

    @cached_property
    def _by_stems(self) -> dict[tuple[str, ...], int]:
        index: dict[tuple[str, ...], int] = {}
        own_spelling = {words: _stems(words) == tuple(map(singular, words.split())) for words in self._by_words}
        for words in sorted(self._by_words, key=lambda words: not own_spelling[words]):  # "zucchini" before "courgette"
            index.setdefault(_stems(words), self._by_words[words])
        index.pop((), None)
        return index

    @cached_property
    def _by_letters(self) -> dict[str, int]:
        return {"".join(stems): id for stems, id in reversed(self._by_stems.items())}

    @cached_property
    def _known_stems(self) -> frozenset[str]:
        return frozenset(stem for stems in self._by_stems for stem in stems)

    @cached_property
    def _stems_by_letter(self) -> dict[str, list[str]]:
        grouped: dict[str, list[str]] = {}
        for known in sorted(self._known_stems):
            if len(known) >= 4:
                grouped.setdefault(known[0], []).append(known)
        return grouped


def read_node_rows(path: Path) -> list[tuple[int, str, str]]:
    """Read (id, name, type) of every FlavorGraph node, in file order."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [(int(row["node_id"]), row["name"], row["node_type"]) for row in csv.DictReader(file)]
    except (OSError, UnicodeDecodeError, KeyError, ValueError, TypeError, csv.Error) as error:
        raise DataError(f"Cannot read FlavorGraph's nodes from {path} ({error}); run `swapchef data verify`.") from None


@lru_cache(maxsize=20_000)
def _normal(text: str) -> str:
    """Lower case, ASCII letters, single spaces: "Crème  Fraîche" -> "creme fraiche"."""
    tokens = tokens_of(text[:_MAX_TEXT].replace("&", " and "))
    return " ".join(token.text for token in tokens if token.is_word or token.text == "%")


def normal(text: str) -> str:
    """Write a name as names are compared: lower case, ASCII letters, single spaces."""
    return _normal(text)


def stems_of(name: str) -> tuple[str, ...]:
    """Return the words of a name in the form by which names are the same, whatever their plural and spelling.

    >>> stems_of("Chilli flakes") == stems_of("chili flake")
    True
    """
    return _stems(_normal(name))


def names_food(stems: tuple[str, ...]) -> bool:
    """Say whether words name a food rather than only describe one: "thinly sliced", "green"."""
    return not _DESCRIBING.union(_KINDS).issuperset(stems)


def undescribed(stems: tuple[str, ...]) -> tuple[str, ...]:
    """Drop the describing words that a name begins with.

    >>> undescribed(("cold", "unsalted", "butter"))
    ('butter',)
    """
    start = next((i for i, stem in enumerate(stems[:-1]) if stem not in _DESCRIBING), len(stems) - 1)
    return stems[start:]


def is_food_line(line: IngredientLine) -> bool:
    """Say whether a line is of food rather than of equipment or a tip."""
    return not _NOT_FOOD.match(line.text)


@lru_cache(maxsize=50_000)
def _stems(words: str) -> tuple[str, ...]:
    return tuple(part for word in words.split() for part in compared_as(word).split())


def compared_as(word: str) -> str:
    """Return what a word is compared as in names: its stem, or the vocabulary's word for it; a few words become two.

    >>> compared_as("courgettes"), compared_as("scallions")
    ('zucchini', 'green onion')
    """
    return _OTHER_WORDS.get(stem(word), stem(word))


def _mark_denied(stems: tuple[str, ...]) -> tuple[str, ...]:
    """Take what is said to be absent out of sight: "egg free mayo" is no egg."""
    return tuple(
        _DENIED if following == "free" and stem not in words_with("free-of") else stem
        for stem, following in itertools.zip_longest(stems, stems[1:])
    )


_Span = tuple[int, int, tuple[str, ...]]


def _spans(stems: tuple[str, ...]) -> Iterator[_Span]:
    """Yield every run of words, longest first, later ones first among equals."""
    count = min(len(stems), 12)
    stems = stems[:count]
    for length in range(count, 0, -1):
        for start in range(count - length, -1, -1):
            yield start, start + length, stems[start : start + length]


def before_preposition(stems: tuple[str, ...]) -> tuple[str, ...]:
    """Cut "lychee in syrup" to "lychee"."""
    cut = next(
        (i for i, stem in enumerate(stems) if i and stem in _PREPOSITIONS and stems[i - 1] not in {"bone", "skin"}),
        len(stems),
    )
    return stems[:cut]
