"""Diet and allergen verdicts: whether a cook may eat a food, judged by its name alone.

A name is cut into the foods and describing words of `foods.txt`, where a longer name hides the shorter ones inside it
("coconut milk" hides "milk"), and what those foods contain, may contain or do not tell decides each facet. It fails
closed: safe means that every word was recognised and nothing speaks against it; one strange word makes the answer
unknown, and one word that names an allergen makes it unsafe whatever stands around it. Only what a name itself denies
("egg free", "vegan") is taken back, and only in its own part of the name.
"""

import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from swapchef.en.nouns import singular
from swapchef.errors import UnknownNameError
from swapchef.foods.words import tokens_of

FACETS: Mapping[str, str] = MappingProxyType(
    {
        "vegan": "nothing from animals, honey included",
        "vegetarian": "no meat, fish, gelatin or calf rennet",
        "pescatarian": "no meat, but fish and shellfish",
        "gluten": "wheat, rye, barley, oats and what is made of them",
        "crustaceans": "shrimps, crabs, lobsters",
        "egg": "eggs of any bird",
        "fish": "fish, anchovies, fish sauce",
        "peanut": "peanuts and their oil",
        "soy": "soybeans, tofu, soy sauce, soybean oil",
        "milk": "milk of any animal, butter, cheese, whey, casein",
        "tree_nuts": "almonds, hazelnuts, walnuts, cashews, pecans, pistachios, pine nuts, chestnuts and other nuts",
        "celery": "celery, celeriac, celery seed and salt",
        "mustard": "mustard seed, leaf, oil and paste",
        "sesame": "sesame seed and oil, tahini",
        "sulphites": "sulphur dioxide and sulphites, as in wine and dried fruit",
        "lupin": "lupin beans and flour",
        "molluscs": "mussels, clams, oysters, squid, snails",
        "no_pork": "no pork, ham, bacon, lard or pork gelatin",
        "no_alcohol": "no alcoholic drinks, nor extracts made with alcohol",
    }
)

_FLESH = ("meat", "pork", "gelatin", "rennet", "insect")
_SEAFOOD = ("fish", "crustaceans", "molluscs")
_DIETS = {
    "vegan": (*_FLESH, *_SEAFOOD, "finings", "milk", "egg", "honey"),
    "vegetarian": (*_FLESH, *_SEAFOOD, "finings"),
    "pescatarian": _FLESH,
    "no_pork": ("pork",),
    "no_alcohol": ("alcohol",),
}
_AGAINST: dict[str, tuple[str, ...]] = {facet: _DIETS.get(facet, (facet,)) for facet in FACETS}  # contents it forbids
_SPOKEN = {
    "tree_nuts": "tree nuts", "peanut": "peanuts", "rennet": "calf rennet", "finings": "animal finings",
    "insect": "colours or glazes made of insects",
}  # fmt: skip

_BIG_NINE = ("milk", "egg", "fish", "crustaceans", "tree_nuts", "peanut", "gluten", "soy", "sesame")
_EU_FOURTEEN = (
    "gluten", "crustaceans", "egg", "fish", "peanut", "soy", "milk", "tree_nuts", "celery", "mustard", "sesame",
    "sulphites", "lupin", "molluscs",
)  # fmt: skip
# What cooks call the facets. Halal and kosher are not among them: they ask for more than a list of contents.
_OTHER_WORDS: dict[str, tuple[str, ...]] = {
    "nuts": ("tree_nuts", "peanut"), "treenuts": ("tree_nuts",), "groundnuts": ("peanut",), "shellfish": ("crustaceans", "molluscs"),
    "mollusks": ("molluscs",), "seafood": _SEAFOOD, "dairy": ("milk",), "lactose": ("milk",), "wheat": ("gluten",),
    "celiac": ("gluten",), "coeliac": ("gluten",), "soya": ("soy",), "soybeans": ("soy",), "sulfites": ("sulphites",),
    "sulphur dioxide": ("sulphites",), "lupine": ("lupin",), "pork": ("no_pork",), "alcohol": ("no_alcohol",),
    "meat": ("vegetarian",), "plant-based": ("vegan",), "veggie": ("vegetarian",), "big9": _BIG_NINE, "big-9": _BIG_NINE,
    "big-nine": _BIG_NINE, "eu14": _EU_FOURTEEN, "eu-14": _EU_FOURTEEN, "eu-fourteen": _EU_FOURTEEN,
}  # fmt: skip
_ADVICE = "name a diet or an allergen such as vegan, gluten or nuts"
_NOT_OURS = "swapchef cannot judge that; no_pork and no_alcohol are the nearest it has"

_UNCLEAR, _MAY, _CONTAINS = 1, 2, 3  # how surely a food contains something
_MARKS = {"~": _UNCLEAR, "?": _MAY}
# Words between the parts of a name: what one part denies is not denied in the next.
_BREAKS = frozenset({",", "and", "with", "without", "or", "in", "plus", "on", "over", "but", "contain", "may"})
_PARTING = frozenset(",;:+/()[]")  # marks that part a name
_AMOUNT = re.compile(r"\d+(?:g|kg|ml|l|oz|lb|cm|mm|in|x|th)?")
_ENDS_IN_S = re.compile(r"\b[a-z]+s\b")
_NO_STEW = {"chilies": "chile"}  # which "chili" may be, but its plural never is
_MANY = 1 << 14


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a food may be eaten under a facet, and the rule that decided."""

    status: Literal["safe", "unsafe", "unknown"]
    rule: str  # one short sentence for people
    may_contain: bool = False  # unsafe because such foods usually or often contain it, not because this one must
    food: str = field(default="", repr=False, compare=False)  # the words of the name that made it unsafe


def verdict(name: str, facet: str) -> Verdict:
    """Judge a food by its name, canonical or free text, under one of `FACETS`.

    >>> verdict("almond milk", "milk").status
    'safe'
    >>> verdict("almond milk", "tree_nuts")
    Verdict(status='unsafe', rule='almond milk contains tree nuts', may_contain=False)
    """
    forbidden = _AGAINST.get(facet)
    if forbidden is None:
        raise UnknownNameError("diet or allergen", facet, _close_facets(facet), _ADVICE)
    reading = _read(name)
    found = [reading.contents[content] for content in forbidden if content in reading.contents]
    worst = max(found, key=lambda trace: trace.level, default=None)
    if worst and worst.level > _UNCLEAR:
        return Verdict("unsafe", worst.sentence(), worst.level == _MAY, worst.food)
    if reading.doubt:
        return Verdict("unknown", reading.doubt)
    if worst:
        return Verdict("unknown", worst.sentence())
    return Verdict("safe", reading.praise(facet, forbidden))


def facets_of(text: str) -> tuple[str, ...]:
    """Return the facets that a cook's words stand for.

    >>> facets_of("nuts")
    ('tree_nuts', 'peanut')
    >>> facets_of("vegan, gluten-free")
    ('vegan', 'gluten')
    """
    wishes = [wish for wish in re.split(r"[,;+&]|\band\b", text) if wish.strip()] or [text]
    facets: dict[str, None] = {}
    for wish in wishes:
        if not (meant := _facets_meant(wish)):
            if {"halal", "kosher"} & set(_stems(wish)):
                raise UnknownNameError("diet or allergen", wish.strip(), advice=_NOT_OURS)
            raise UnknownNameError("diet or allergen", wish.strip(), _close_facets(wish), _ADVICE)
        facets.update(dict.fromkeys(meant))
    return tuple(facets)


def foods_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield from where to where a running text names a food of the table, whatever else it says of it.

    >>> [("stir the ricotta into it, vegan or not"[start:end]) for start, end in foods_in("stir the ricotta into it, vegan or not")]
    ['ricotta']
    """
    tokens = tokens_of(text)
    stems = [_stem(token.text) if token.is_word else "," for token in tokens]
    for start, end, row in _longest_names(stems):
        if not (row.describes or row.denies):
            yield tokens[start].start, tokens[end - 1].end


def avoids(name: str, food: str) -> bool:
    """Tell whether a cook who avoids a food of their own must leave out what a name stands for; in doubt, yes.

    >>> avoids("gingersnaps", "ginger"), avoids("cornstarch", "corn"), avoids("corned beef", "corn")
    (True, True, False)
    """
    if facets := _facets_meant(food):
        return any(verdict(name, facet).status != "safe" for facet in facets)
    words, wanted = set(_stems(name)), _stems(food)
    if words.issuperset(wanted) and wanted:
        return True
    if len(wanted) == 1 and any(_compounds(word, wanted[0]) for word in words):
        return True
    return any(words.issuperset(member) for member in _kin().families.get(" ".join(wanted), ()))


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table: what its foods contain, or what its words deny and what may take its place."""

    contents: Mapping[str, int]
    denies: frozenset[str] = frozenset()
    describes: bool = False
    reasons: Mapping[str, str] = field(default_factory=dict)  # content or facet -> sentence


class _Trace(NamedTuple):
    """That a food in a name contains something, and how surely."""

    level: int
    content: str
    food: str
    row: _Row

    def sentence(self) -> str:
        if reason := self.row.reasons.get(self.content):
            return f"{self.food}{reason[2:]}" if reason.startswith("it ") else reason
        spoken = _SPOKEN.get(self.content, self.content)
        if self.level == _UNCLEAR:
            return f"the name {self.food} does not tell whether there is {spoken} in it"
        return f"{self.food} {'contains' if self.level == _CONTAINS else 'may contain'} {spoken}"


@dataclass(slots=True)
class _Reading:
    """What a name was understood to be."""

    contents: dict[str, _Trace] = field(default_factory=dict)
    foods: dict[str, _Row] = field(default_factory=dict)
    denied: dict[str, str] = field(default_factory=dict)  # content -> the words that deny it
    doubt: str = ""  # why it can never be called safe

    def add(self, food: str, row: _Row, denied: Mapping[str, str]) -> bool:
        """Take in what a food contains, except what is denied; tell whether anything was denied."""
        taken_back = False
        for content, level in row.contents.items():
            if content in denied:
                taken_back |= level > _UNCLEAR
            elif content not in self.contents or self.contents[content].level < level:
                self.contents[content] = _Trace(level, content, food, row)
        return taken_back

    def praise(self, facet: str, forbidden: tuple[str, ...]) -> str:
        """Say why a food is safe."""
        for content in forbidden:
            if content in self.denied:
                return f"it says {self.denied[content]}"
        for row in self.foods.values():
            if facet in row.reasons and facet not in row.contents:
                return row.reasons[facet]
        foods = " and ".join(self.foods)
        if len(forbidden) > 1:
            return f"{foods} suits a {facet} diet"
        return f"{foods} contains no {_SPOKEN.get(forbidden[0], forbidden[0])}"


@dataclass(frozen=True, slots=True)
class _Table:
    """The rows of `foods.txt` by name."""

    rows: dict[str, _Row]
    longest: dict[str, int]  # first word -> how many words the longest name has that begins with it


@dataclass(frozen=True, slots=True)
class _Kin:
    """What `avoids` needs of `foods.txt`."""

    families: dict[str, list[set[str]]]
    lookalikes: dict[str, set[str]]
    words: set[str]


class _Found(NamedTuple):
    """A name of the table, found in a text."""

    start: int
    end: int
    row: _Row


@lru_cache(maxsize=_MANY)
def _read(name: str) -> _Reading:
    words = _words(name)
    stems = [_stem(word) for word in words]
    found = _longest_names(stems)
    reading = _Reading()
    for part in _parts(found, stems):
        _read_part(part, words, reading)
    covered = {position for start, end, _ in found for position in range(start, end)}
    strange = [words[i] for i, stem in enumerate(stems) if i not in covered and not _tells_nothing(stem)]
    if strange:
        reading.doubt = f"I do not know {' '.join(strange[:5])!r}"
    elif not reading.foods:
        reading.doubt = "this names no food that I know"
    return reading


def _read_part(part: list[_Found], words: list[str], reading: _Reading) -> None:
    """Take in the foods of one part of a name, less what that part denies."""
    claims = {" ".join(words[start:end]): row for start, end, row in part if row.denies}
    denied = {content: claim for claim, row in claims.items() for content in row.denies}
    taken_back = False
    for start, end, row in part:
        if not (row.denies or row.describes):
            food = " ".join(words[start:end])
            reading.foods[food] = row
            taken_back |= reading.add(food, row, denied)
    reading.denied |= denied
    if taken_back:  # something else is in its place
        for claim, row in claims.items():
            reading.add(f"what is {claim}", row, denied)


def _longest_names(stems: list[str]) -> list[_Found]:
    """Find every name of the table that no longer one contains; they may overlap, and then all of them count."""
    table = _table()
    found: list[_Found] = []
    reached = 0
    for start, stem in enumerate(stems):
        for end in range(min(len(stems), start + table.longest.get(stem, 0)), max(start, reached), -1):
            row = table.rows.get(stem if end == start + 1 else " ".join(stems[start:end]))
            if row is not None:
                found.append(_Found(start, end, row))
                reached = end
                break
    return found


def _parts(found: list[_Found], stems: list[str]) -> Iterator[list[_Found]]:
    """Cut a name where "and", "with" or a comma stands outside a food's name."""
    part: list[_Found] = []
    reached = 0
    for each in found:
        if not _BREAKS.isdisjoint(stems[reached : each.start]):
            yield part
            part = []
        part.append(each)
        reached = each.end
    yield part


def _tells_nothing(stem: str) -> bool:
    return stem in _BREAKS or _AMOUNT.fullmatch(stem) is not None


def _facets_meant(wish: str) -> tuple[str, ...]:
    stems = _stems(wish)
    words = _facet_words()
    for said in (stems, stems[:-1] if stems[-1:] == ("free",) else (), stems[1:] if stems[:1] == ("no",) else ()):
        if meant := words.get(" ".join(said)):
            return meant
    return ()


@cache
def _facet_words() -> dict[str, tuple[str, ...]]:
    words = _OTHER_WORDS | {facet: (facet,) for facet in FACETS}
    return {" ".join(_stems(word)): facets for word, facets in words.items()}


def _close_facets(text: str) -> list[str]:
    if meant := _facets_meant(text):
        return list(meant)
    return difflib.get_close_matches(text.strip().lower(), [*FACETS, *_OTHER_WORDS], n=3)


def _compounds(word: str, food: str) -> bool:
    """Tell whether a food is the beginning or the end of a word: "gingersnap", "popcorn"; not "corned"."""
    if word == food or word in _kin().lookalikes.get(food, ()):
        return False
    if word.startswith(food) and (len(food) > 4 or word[len(food) :] in _kin().words):
        return True
    return len(food) > 3 and word.endswith(food)


def _words(text: str) -> list[str]:
    """Cut a text into words, lower case and without accents; every mark that parts it becomes a comma.

    A sign that is neither a letter nor punctuation stays a word of its own, so that an emoji is never overlooked.
    """
    words = []
    for token in tokens_of(text):
        if token.is_word:
            words.append(token.text.rstrip("%"))
        elif token.text in _PARTING:
            words.append(",")
        elif token.text == "&":
            words.append("and")
        elif not token.text.isascii() and not _says_nothing(token.text):
            words.append(token.text)
    return words


def _says_nothing(sign: str) -> bool:
    """Say whether a sign is punctuation, a control or a format mark; one that Python does not know may be an emoji."""
    return unicodedata.category(sign)[0] == "P" or unicodedata.category(sign) in {"Cc", "Cf"}


def _stems(text: str) -> tuple[str, ...]:
    return tuple(_stem(word) for word in _words(text))


def _stem(word: str) -> str:
    return _NO_STEW.get(word) or singular(word)


@cache
def _table() -> _Table:
    sections = _sections()
    groups = {row.head: row.names.replace(",", "").split() for row in sections["groups"]}
    describing = _Row({}, describes=True)
    rows = {name: describing for written in sections["describing"] for name in _names(written.names)}
    for written in sections["foods"]:
        row = _Row(_contents(written.head, groups), reasons=written.reasons)
        rows.update(dict.fromkeys(_names(written.names), row))
    for written in sections["claims"]:
        denied, _, instead = written.head.partition("->")
        row = _Row(_contents(instead, groups), frozenset(_contents(denied, groups)))
        rows.update(dict.fromkeys(_names(written.names), row))
    longest: dict[str, int] = {}
    for name in rows:
        first, length = name.partition(" ")[0], name.count(" ") + 1
        if longest.get(first, 0) < length:
            longest[first] = length
    return _Table(rows, longest)


@cache
def _kin() -> _Kin:
    sections = _sections()
    return _Kin(
        families={row.head: [set(name.split()) for name in _names(row.names)] for row in sections["families"]},
        lookalikes={row.head: set(_names(row.names)) for row in sections["lookalikes"]},
        words={word for name in _table().rows for word in name.split()},
    )


@dataclass(slots=True)
class _Written:
    """A row as it is written in `foods.txt`."""

    head: str
    names: str
    reasons: dict[str, str] = field(default_factory=dict)


@cache
def _sections() -> dict[str, list[_Written]]:
    sections: dict[str, list[_Written]] = {}
    rows: list[_Written] = []
    for line in Path(__file__).with_name("foods.txt").read_text(encoding="utf-8").splitlines():
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            rows = sections.setdefault(line.strip("[]"), [])
        elif line[0] == ">":
            content, _, reason = line[1:].partition(":")
            rows[-1].reasons[content.strip()] = reason.strip()
        elif line[0] == " ":
            rows[-1].names += line
        else:
            head, _, names = line.partition(":")
            rows.append(_Written(head, names))
    return sections


def _names(text: str) -> list[str]:
    """Read "olives, soy/soya milk" into "olive", "soy milk", "soya milk"."""
    names = _ENDS_IN_S.sub(lambda word: _stem(word[0]), " ".join(text.split())).split(", ")
    if "/" not in text:
        return names
    return [" ".join(words) for name in names for words in product(*(choice.split("/") for choice in name.split()))]


def _contents(text: str, groups: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Read "anything~ milk egg?" into levels; what comes later overrules."""
    contents: dict[str, int] = {}
    for word in text.split():
        if word != "nothing":
            name = word.rstrip("~?")
            contents.update(dict.fromkeys(groups.get(name, (name,)), _MARKS.get(word[-1], _CONTAINS)))
    return contents
