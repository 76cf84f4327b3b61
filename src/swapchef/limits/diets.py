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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from swapchef.errors import UnknownNameError
from swapchef.limits.foods_table import BREAKS, CONTAINS, MAY, UNCLEAR, FoundName, Row, food_table, kin, stem

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

_TOKEN = re.compile(r"[^\W_]+|[^\x00-\x7f]|[,;:+/()\[\]]")
_IN_TEXT = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]")
_PLAIN_LETTERS = str.maketrans("àâäãåáçéèêëíìîïñóòôöõúùûüý", "aaaaaaceeeeiiiinooooouuuuy")
_AMOUNT = re.compile(r"\d+(?:g|kg|ml|l|oz|lb|cm|mm|in|x|th)?")
_IGNORED = str.maketrans("", "", "'’‘`´®™©")
_MANY = 1 << 14


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a food may be eaten under a facet, and the rule that decided."""

    status: Literal["safe", "unsafe", "unknown"]
    rule: str  # one short sentence for people
    may_contain: bool = False  # unsafe because such foods usually or often contain it, not because this one must
    food: str = field(default="", repr=False, compare=False)  # the words of the name that made it unsafe


@lru_cache(maxsize=_MANY)
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
    if worst and worst.level > UNCLEAR:
        return Verdict("unsafe", worst.sentence(), worst.level == MAY, worst.food)
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
    lowered = text.lower().translate(_PLAIN_LETTERS)
    if len(lowered) != len(text):  # a letter that changes its length in lower case
        lowered = text
    tokens = list(_IN_TEXT.finditer(lowered))
    words = [token.group().translate(_IGNORED) for token in tokens]
    for start, end, row in food_table().names_in([stem(word) if word.isalnum() else "," for word in words]):
        if not (row.describes or row.denies):
            yield tokens[start].start(), tokens[end - 1].end()


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
    return any(words.issuperset(member) for member in kin().families.get(" ".join(wanted), ()))


class _Trace(NamedTuple):
    """That a food in a name contains something, and how surely."""

    level: int
    content: str
    food: str
    row: Row

    def sentence(self) -> str:
        if reason := self.row.reasons.get(self.content):
            return f"{self.food}{reason[2:]}" if reason.startswith("it ") else reason
        spoken = _SPOKEN.get(self.content, self.content)
        if self.level == UNCLEAR:
            return f"the name {self.food} does not tell whether there is {spoken} in it"
        return f"{self.food} {'contains' if self.level == CONTAINS else 'may contain'} {spoken}"


@dataclass(slots=True)
class _Reading:
    """What a name was understood to be."""

    contents: dict[str, _Trace] = field(default_factory=dict)
    foods: dict[str, Row] = field(default_factory=dict)
    denied: dict[str, str] = field(default_factory=dict)  # content -> the words that deny it
    doubt: str = ""  # why it can never be called safe

    def add(self, food: str, row: Row, denied: Mapping[str, str]) -> bool:
        """Take in what a food contains, except what is denied; tell whether anything was denied."""
        taken_back = False
        for content, level in row.contents.items():
            if content in denied:
                taken_back |= level > UNCLEAR
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


@lru_cache(maxsize=_MANY)
def _read(name: str) -> _Reading:
    words = _words(name)
    stems = [stem(word) for word in words]
    found = food_table().names_in(stems)
    reading = _Reading()
    for part in _parts(found, stems):
        _read_part(part, words, reading)
    covered = {position for start, end, _ in found for position in range(start, end)}
    strange = [words[i] for i, each in enumerate(stems) if i not in covered and not _tells_nothing(each)]
    if strange:
        reading.doubt = f"I do not know {' '.join(strange[:5])!r}"
    elif not reading.foods:
        reading.doubt = "this names no food that I know"
    return reading


def _read_part(part: list[FoundName], words: list[str], reading: _Reading) -> None:
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


def _parts(found: list[FoundName], stems: list[str]) -> Iterator[list[FoundName]]:
    """Cut a name where "and", "with" or a comma stands outside a food's name."""
    part: list[FoundName] = []
    reached = 0
    for each in found:
        if not BREAKS.isdisjoint(stems[reached : each.start]):
            yield part
            part = []
        part.append(each)
        reached = each.end
    yield part


def _tells_nothing(word: str) -> bool:
    return word in BREAKS or _AMOUNT.fullmatch(word) is not None


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
    if word == food or word in kin().lookalikes.get(food, ()):
        return False
    if word.startswith(food) and (len(food) > 4 or word[len(food) :] in kin().words):
        return True
    return len(food) > 3 and word.endswith(food)


def _words(text: str) -> list[str]:
    """Cut a text into words, lower case and without accents; every mark that parts it becomes a comma.

    A sign that is neither a letter nor punctuation stays a word of its own, so that an emoji is never overlooked.
    """
    text = text.translate(_IGNORED).lower().replace("&", " and ")
    if not text.isascii():
        text = "".join(map(_plain, unicodedata.normalize("NFKD", text)))
    return [word if word.isalnum() or not word.isascii() else "," for word in _TOKEN.findall(text)]


def _plain(character: str) -> str:
    kind = unicodedata.category(character)
    if kind[0] == "M":
        return ""
    return " " if kind[0] in "PZC" or character == "⁄" else character


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in _words(text))
