"""Food text, read: which foods it names, where, and what it says of each.

A text is cut into words once, the longest names of the table are found among them, and the grammar gives each food the
claims, alternatives and denials that stand around it. What is left over, a strange word or a part that names no food,
is kept as a doubt. A part of an animal is flesh unless it belongs to a plant that has one of that name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from swapchef.en.cooking import is_cooking_word, is_deed
from swapchef.foods.food_table import CONTAINS, MAY, SPOKEN, UNCLEAR, NameInText, Row, bound_cuts, food_table
from swapchef.foods.grammar import (
    JOINTS,
    Part,
    denials,
    is_amount,
    needs_a_food,
    parts_of,
    stands_before_another,
)
from swapchef.foods.names import CLOSE, OPEN, Piece, pieces_of
from swapchef.foods.roles import placed
from swapchef.foods.senses import is_general_name
from swapchef.recipes.units import ENGLISH, UNITS

MEASURES = frozenset(form for form, unit in UNITS.items() if unit in ENGLISH.measures)
_MANY = 1 << 14
_REACH = 8  # words behind "such as"
_QUOTED = 5  # strange words in a rule
# What follows tells what a food is for, where or when, and is no part of its name.
_BEFORE_A_PURPOSE = frozenset(
    "for to at until as from if when into by about so that you which while against through".split()
)
_BEFORE_A_NAME = frozenset(
    {"or", "with", "in", "on", "over", "plus", "-"}
)  # what stands behind is named like a first food
_DEGREES = frozenset({"f", "c", "degree", "degrees"})
_FLESH = frozenset({"meat", "pork", "fish", "crustaceans", "molluscs"})
NO_FOOD = "this names no food that I know"
ONLY_A_TOOL = "this names a tool and no food"


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
    doubt: str = ""  # why it can never be called safe

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
    pieces = pieces_of(text)
    stems = [piece.stem for piece in pieces]
    table = food_table()
    names = list(placed(table.names_in(stems), pieces, is_running=False))
    parts = parts_of(names, stems, table)
    reading = Reading()
    has_flesh = False
    for part in parts:
        if not part.is_denied:
            has_flesh |= _has_flesh([*part.foods, *part.borrowed])
            _read_part(part, pieces, stems, has_flesh, reading)
    reading.doubt = _doubt(parts, names, pieces, reading)
    return reading


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
        food = _words(name, pieces)
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


def _doubt(parts: Sequence[Part], names: Sequence[NameInText], pieces: Sequence[Piece], reading: Reading) -> str:
    """Say why a text can never be called safe: a strange word, a part that may hide a food, or no food at all."""
    covered = {position for name in names for position in range(name.start, name.end)}
    strange: list[str] = []
    has_name = False
    for part in parts:
        is_name = part.names_food and (not has_name or not part.joints.isdisjoint(_BEFORE_A_NAME))
        has_name |= part.names_food
        strange += (
            pieces[position].word
            for position in range(part.first, part.last)
            if position not in covered and not _says_nothing(position, part, pieces, is_name)
        )
    if strange:
        return f"I do not know {' '.join(strange[:_QUOTED])!r}"
    if not reading.foods:
        return ONLY_A_TOOL if any("tools" in part.groups() for part in parts) else NO_FOOD
    for number, part in enumerate(parts):
        if part.names_food or part.is_merged:
            continue
        if needs_a_food(part):
            return f"I do not know what {' '.join(piece.word for piece in pieces[part.first : part.last])!r} is"
        is_first = not any(earlier.names_food for earlier in parts[:number])
        if (
            is_first
            and number + 1 < len(parts)
            and stands_before_another(parts[number + 1])
            and part.names
            and parts[number + 1].names_food
        ):
            return NO_FOOD
    return ""


def _says_nothing(position: int, part: Part, pieces: Sequence[Piece], is_name: bool) -> bool:
    """Say whether a word that is in no name is no food either: an amount, a unit, a cooking word.

    A cooking word in the very name of a food makes it another: "Christmas cake", "salsa golf"; not behind "for" and the
    like, "butter for greasing".
    """
    word, before = pieces[position].word, pieces[position - 1].word if position else ""
    if pieces[position].stem in JOINTS or is_amount(word) or word in MEASURES:
        return True
    is_counted = is_amount(before) or before in _DEGREES or before == CLOSE
    if is_counted and (word in UNITS or word in _DEGREES or word in ENGLISH.letters):
        return True
    if pieces[position].is_maker or _is_example(position, pieces):
        return True
    if is_name:
        if word in _BEFORE_A_PURPOSE:
            return True
        if all(piece.word not in _BEFORE_A_PURPOSE for piece in pieces[part.first : position]):
            return False
    return is_cooking_word(word) or is_deed(word) or (before == "for" and word.endswith("ing"))


def _is_example(position: int, pieces: Sequence[Piece]) -> bool:
    """Say whether a word is the name of a maker or a sort of the food before: "butter (such as Kerrygold)"."""
    before = takewhile(lambda piece: piece.stem != OPEN, reversed(pieces[max(0, position - _REACH) : position]))
    return pieces[position].is_capital and any(piece.word in {"such", "eg", "like"} for piece in before)


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


def foods_in(text: str, with_qualities: bool = True) -> Iterator[tuple[int, int]]:
    """Yield from where to where a running text names a food of the table, whatever else it says of it.

    Qualities ("breaded", "cheesy") count as foods where nothing may be overlooked.

    >>> text = "stir the ricotta into it, vegan or not"
    >>> [text[start:end] for start, end in foods_in(text)]
    ['ricotta']
    """
    pieces = pieces_of(text)
    for start, end, row in food_table().names_in([piece.stem for piece in pieces]):
        if row.role in {"food", "cut"} or (with_qualities and row.role == "quality"):
            yield pieces[start].start, pieces[end - 1].end
