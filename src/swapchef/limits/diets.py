"""Diet and allergen verdicts: whether a cook may eat a food, judged by its name alone.

A name is cut into the foods and describing words of `foods.txt`, where a longer name hides the shorter ones inside it
("coconut milk" hides "milk"), and what those foods contain, may contain or do not tell decides each facet. It fails
closed: safe means that every word was recognised and nothing speaks against it; one strange word makes the answer
unknown, and one word that names an allergen makes it unsafe whatever stands around it. Only what a name itself denies
("egg free", "vegan") is taken back, and only in its own part of the name.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from swapchef.errors import UnknownNameError
from swapchef.limits.contents import foods_in, longest_names
from swapchef.limits.facets import ADVICE, FACETS, FORBIDDEN, SPOKEN, close_facets, facets_meant, facets_of
from swapchef.limits.foods_table import BREAKS, CONTAINS, MAY, UNCLEAR, NameInText, Row, relatives
from swapchef.limits.names import name_stem, name_stems, name_words

__all__ = ["FACETS", "Verdict", "avoids", "facets_of", "foods_in", "verdict"]

_AMOUNT = re.compile(r"\d+(?:g|kg|ml|l|oz|lb|cm|mm|in|x|th)?")
_MANY = 1 << 14
_QUOTED = 5  # strange words in a rule


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
    forbidden = FORBIDDEN.get(facet)
    if forbidden is None:
        raise UnknownNameError("diet or allergen", facet, close_facets(facet), ADVICE)
    reading = _read(name)
    traces = [reading.contents[content] for content in forbidden if content in reading.contents]
    worst = max(traces, key=lambda trace: trace.level, default=None)
    if worst and worst.level > UNCLEAR:
        return Verdict("unsafe", worst.sentence(), worst.level == MAY, worst.food)
    if reading.doubt:
        return Verdict("unknown", reading.doubt)
    if worst:
        return Verdict("unknown", worst.sentence())
    return Verdict("safe", reading.reason_it_is_safe(facet, forbidden))


def avoids(name: str, food: str) -> bool:
    """Tell whether a cook who avoids a food of their own must leave out what a name stands for; in doubt, yes.

    >>> avoids("gingersnaps", "ginger"), avoids("cornstarch", "corn"), avoids("corned beef", "corn")
    (True, True, False)
    """
    if facets := facets_meant(food):
        return any(verdict(name, facet).status != "safe" for facet in facets)
    words, wanted = set(name_stems(name)), name_stems(food)
    if words.issuperset(wanted) and wanted:
        return True
    if len(wanted) == 1 and any(_compounds(word, wanted[0]) for word in words):
        return True
    return any(words.issuperset(member) for member in relatives().families.get(" ".join(wanted), ()))


class _Trace(NamedTuple):
    """That a food in a name contains something, and how surely."""

    level: int
    content: str
    food: str
    row: Row

    def sentence(self) -> str:
        if reason := self.row.reasons.get(self.content):
            return f"{self.food}{reason[2:]}" if reason.startswith("it ") else reason
        spoken = SPOKEN.get(self.content, self.content)
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

    def reason_it_is_safe(self, facet: str, forbidden: tuple[str, ...]) -> str:
        """Say why a food is safe."""
        for content in forbidden:
            if content in self.denied:
                return f"it says {self.denied[content]}"
        for row in self.foods.values():
            if facet in row.reasons:
                return row.reasons[facet]
        foods = " and ".join(self.foods)
        if len(forbidden) > 1:
            return f"{foods} suits a {facet} diet"
        return f"{foods} contains no {SPOKEN.get(forbidden[0], forbidden[0])}"


@lru_cache(maxsize=_MANY)
def _read(name: str) -> _Reading:
    words = name_words(name)
    stems = [name_stem(word) for word in words]
    names = longest_names(stems)
    reading = _Reading()
    for part in _parts(names, stems):
        _read_part(part, words, reading)
    covered = {position for start, end, _ in names for position in range(start, end)}
    strange = [
        words[i] for i, stem in enumerate(stems) if i not in covered and not (stem in BREAKS or _AMOUNT.fullmatch(stem))
    ]
    if strange:
        reading.doubt = f"I do not know {' '.join(strange[:_QUOTED])!r}"
    elif not reading.foods:
        reading.doubt = "this names no food that I know"
    return reading


def _read_part(part: list[NameInText], words: list[str], reading: _Reading) -> None:
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


def _parts(names: list[NameInText], stems: list[str]) -> Iterator[list[NameInText]]:
    """Cut a name where "and", "with" or a comma stands outside a food's name."""
    part: list[NameInText] = []
    reached = 0
    for each in names:
        if not BREAKS.isdisjoint(stems[reached : each.start]):
            yield part
            part = []
        part.append(each)
        reached = each.end
    yield part


def _compounds(word: str, food: str) -> bool:
    """Tell whether a food is the beginning or the end of a word: "gingersnap", "popcorn"; not "corned"."""
    if word == food or word in relatives().lookalikes.get(food, ()):
        return False
    if word.startswith(food) and (len(food) > 4 or word[len(food) :] in relatives().words):
        return True
    return len(food) > 3 and word.endswith(food)
