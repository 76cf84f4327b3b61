"""Food text, read: which foods it names, where, and what it says of each.

A text is cut into words once, the longest names of the table are found among them, and the grammar gives each food the
claims, alternatives and denials that stand around it. What is left over, a strange word or a part that names no food,
is kept as a doubt. A part of an animal is flesh unless it belongs to a plant that has one of that name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from swapchef.foods.doubts import doubt_of, is_only_a_tool, strange_in_running
from swapchef.foods.food_table import CONTAINS, MAY, SPOKEN, UNCLEAR, NameInText, Row, bound_cuts, food_table
from swapchef.foods.grammar import Part, denials, parts_of
from swapchef.foods.names import Piece, pieces_of
from swapchef.foods.roles import placed
from swapchef.foods.senses import is_general_name, words_meant

_MANY = 1 << 14
_FLESH = frozenset({"meat", "pork", "fish", "crustaceans", "molluscs"})


class Trace(NamedTuple):
    """That a food in a text contains something, and how surely."""

    level: int
    content: str
    food: str
    row: Row

    def sentence(self) -> str:
        """Say it to a cook."""
        if reason := self.row.reasons.get(self.content):
            return f"{self.food}{reason[2:]}" if reason.startswith("it ") else reason
        spoken = SPOKEN.get(self.content, self.content)
        if self.level == UNCLEAR:
            return f"the name {self.food} does not tell whether there is {spoken} in it"
        return f"{self.food} {'contains' if self.level == CONTAINS else 'may contain'} {spoken}"


class Span(NamedTuple):
    """A food in a text, and what is said of it."""

    start: int  # of its characters
    end: int
    food: str  # its words, lower case and without accents
    row: Row
    denied: Mapping[str, str]  # content -> the words that deny it


@dataclass(slots=True)
class Reading:
    """What a text was understood to be."""

    spans: list[Span] = field(default_factory=list)
    contents: dict[str, Trace] = field(default_factory=dict)
    foods: dict[str, Row] = field(default_factory=dict)
    denied: dict[str, str] = field(default_factory=dict)  # content -> the words that deny it
    doubt: str = ""  # why a name can never be called safe
    is_tool: bool = False  # a line that names no food but a tool
    strange: list[str] = field(default_factory=list)  # of a running text: what may be foods that nobody knows

    def add(self, food: str, row: Row, denied: Mapping[str, str]) -> bool:
        """Take in what a food contains, except what is denied; tell whether anything was denied."""
        taken_back = False
        for content, level in row.contents.items():
            if content in denied:
                taken_back |= level > UNCLEAR
            elif content not in self.contents or self.contents[content].level < level:
                self.contents[content] = Trace(level, content, food, row)
        return taken_back

    @property
    def names_cut(self) -> bool:
        """Say whether it names a part of an animal and no animal."""
        return any(row.role == "cut" for row in self.foods.values())

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
def read_name(text: str) -> Reading:
    """Read a food's name, or all that an ingredient line says."""
    reading, parts, pieces = _read(text, is_running=False)
    reading.doubt = doubt_of(parts, pieces, bool(reading.foods))
    reading.is_tool = bool(reading.doubt) and is_only_a_tool(parts, pieces)
    return reading


@lru_cache(maxsize=_MANY)
def read_text(text: str) -> Reading:
    """Read a step, a heading, a title or a note, in which most words are no food.

    >>> [span.food for span in read_text("Cream the sugar, then butter a cake tin.").spans]
    ['sugar', 'butter']
    """
    reading, parts, pieces = _read(text, is_running=True)
    reading.strange = list(strange_in_running(parts, pieces))
    return reading


def _read(text: str, is_running: bool) -> tuple[Reading, list[Part], tuple[Piece, ...]]:
    pieces = pieces_of(text)
    stems = [piece.stem for piece in pieces]
    table = food_table()
    names = list(placed(table.names_in(stems), pieces, table, is_running))
    parts = parts_of(names, stems, table)
    reading = Reading()
    has_flesh = False
    for part in parts:
        if not part.is_denied:
            has_flesh |= _has_flesh([*part.foods, *part.borrowed])
            _read_part(part, pieces, stems, has_flesh, reading)
    return reading, parts, pieces


def _read_part(part: Part, pieces: Sequence[Piece], stems: Sequence[str], has_flesh: bool, reading: Reading) -> None:
    """Take in the foods of one part of a text, less what its claims deny."""
    if part.is_merged:
        return
    denied = denials(part, stems)
    replacing: dict[int, tuple[NameInText, dict[str, str]]] = {}  # by where the claim stands
    names = [*part.names, *part.borrowed]
    for place, name in enumerate(names):
        if not _counts(name, place, part, stems, has_flesh) or _is_of_earlier(name, part, stems, reading):
            continue
        claims = denied.get(place, {})
        food = _meaning(name, pieces)
        said = {content: _words(claim, pieces) for content, claim in claims.items()}
        if name.row.role != "quality":
            reading.foods[food] = name.row
        reading.spans.append(Span(pieces[name.start].start, pieces[name.end - 1].end, food, name.row, said))
        if reading.add(food, name.row, said):  # something else is in its place
            for content, claim in claims.items():
                if name.row.contents.get(content, 0) > UNCLEAR:
                    replacing.setdefault(claim.start, (claim, {}))[1].update(said)
    for claim in (*part.claims, *part.claims_behind):
        reading.denied |= dict.fromkeys(claim.row.denies, _words(claim, pieces))
    for claim, said in replacing.values():
        reading.add(f"what is {_words(claim, pieces)}", claim.row, said)


def _is_of_earlier(name: NameInText, part: Part, stems: Sequence[str], reading: Reading) -> bool:
    """Say whether a general name means the food named before: "1 chicken, meat shredded"."""
    is_note = bool(part.joints) and part.joints <= {",", "(", ")", "and", "with"} and bool(reading.foods)
    if not is_note or name.end - name.start > 1 or not is_general_name(stems[name.start]):
        return False
    sure = {content: level for content, level in name.row.contents.items() if level > UNCLEAR}
    return bool(sure or stems[name.start] == "fat") and all(
        content in reading.contents and reading.contents[content].level >= level for content, level in sure.items()
    )


def _words(name: NameInText, pieces: Sequence[Piece]) -> str:
    return " ".join(piece.word for piece in pieces[name.start : name.end])


def _meaning(name: NameInText, pieces: Sequence[Piece]) -> str:
    """Return a food's words, or what they stand for: "butter", of "a buttered dish"."""
    words = _words(name, pieces)
    return words_meant().get(words, words) if name.row.role == "food" else words


def _counts(name: NameInText, place: int, part: Part, stems: Sequence[str], has_flesh: bool) -> bool:
    """Say whether a name adds what it contains: foods and qualities do, a cut that is flesh, a dish that is last."""
    role = name.row.role
    if role in {"food", "quality"}:
        return True
    if role == "head":
        return place == len(part.names) - 1 and bool(part.foods)
    return role == "cut" and not has_flesh and not _is_bound(name, part, stems)


def _is_bound(cut: NameInText, part: Part, stems: Sequence[str]) -> bool:
    """Say whether a cut belongs to a plant: "artichoke heart", "hearts of palm", "cauliflower wings"."""
    word = stems[cut.end - 1]
    plants, stand_ins = bound_cuts().get(word, frozenset()), bound_cuts()["any"]
    for food in part.foods:
        name = " ".join(stems[food.start : food.end])
        names = {name, stems[food.end - 1]}
        follows = food.end <= cut.start and not any(food.end <= other.start < cut.start for other in part.foods)
        is_of = food.start > cut.end and "of" in stems[cut.end : food.start]
        if (follows or is_of) and (not names.isdisjoint(plants) or not names.isdisjoint(stand_ins)):
            return True
    return False


def _has_flesh(foods: Sequence[NameInText]) -> bool:
    return any(food.row.contents.get(content, 0) >= MAY for food in foods for content in _FLESH)
