"""What a reading leaves over: words that nobody knows, and parts of a name that may hide a food.

In a name and an ingredient line every word counts. In a running text, which is full of other words, only one counts
that stands where a food would: behind an article, a preposition or a verb of the kitchen, and before a mark or "and".
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from swapchef.en.cooking import is_cooking_word, is_deed
from swapchef.foods.grammar import JOINTS, Part, is_amount, needs_a_food, stands_before_another
from swapchef.foods.names import CLOSE, DASH, OPEN, Piece
from swapchef.foods.senses import words_listed
from swapchef.recipes.units import ENGLISH, UNITS

_NO_FOOD = "this names no food that I know"
_MEASURES = frozenset(form for form, unit in UNITS.items() if unit in ENGLISH.measures)
_REACH = 8  # words behind "such as"
_QUOTED = 5  # strange words in a rule
# What follows tells what a food is for, where or when, and is no part of its name.
_BEFORE_A_PURPOSE = frozenset(
    "for to at until as from if when into by about so that you which while against through".split()
)
_BEFORE_A_NAME = frozenset({"or", "with", "in", "on", "over", "plus", "-"})  # what stands behind is a name again
_DEGREES = frozenset({"f", "c", "degree", "degrees"})


def _strange_pieces(parts: Sequence[Part], pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the words of a name or a line that are neither food nor known to be none."""
    has_name = False
    for part in parts:
        is_name = part.names_food and (not has_name or not part.joints.isdisjoint(_BEFORE_A_NAME))
        has_name |= part.names_food
        covered = {position for name in part.names for position in range(name.start, name.end)}
        for position in range(part.first, part.last):
            if position not in covered and not _says_nothing(position, part, pieces, is_name):
                yield pieces[position]


def strange_in_running(parts: Sequence[Part], pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield what a running text says where a food would stand, and nobody knows: "jeotgal", "lap cheong", a maker."""
    for part in parts:
        covered = {position for name in part.names for position in range(name.start, name.end)}
        foods = {name.start for name in part.names if name.row.role in {"food", "cut"}}
        begin = part.first
        for position in range(part.first, part.last + 1):
            is_strange = (
                position < part.last
                and len(pieces[position].word) > 1
                and position not in covered
                and not _says_nothing(position, part, pieces, is_name=False)
            )
            if is_strange:
                continue
            if begin < position and _is_place_of_food(begin, position, pieces, foods):
                yield " ".join(piece.word for piece in pieces[begin:position])
            begin = position + 1
        makers = [name for name in part.names if name.row.group == "makers" and not _is_example(name.start, pieces)]
        if makers and not part.names_food:
            yield " ".join(piece.word for piece in pieces[makers[0].start : makers[0].end])


def _is_place_of_food(begin: int, end: int, pieces: Sequence[Piece], foods: set[int]) -> bool:
    before = pieces[begin - 1].word if begin else ""
    after = pieces[end].word if end < len(pieces) else DASH
    is_behind = before in words_listed("before a food") or before in JOINTS or is_amount(before) or before in UNITS
    return is_behind and (after in words_listed("behind a food") or after in JOINTS or end in foods)


def doubt_of(parts: Sequence[Part], pieces: Sequence[Piece], names_food: bool) -> str:
    """Say why a name can never be called safe: a strange word, a part that may hide a food, or no food at all."""
    strange = [piece.word for piece in _strange_pieces(parts, pieces)]
    if strange:
        return f"I do not know {' '.join(strange[:_QUOTED])!r}"
    if not names_food:
        return _NO_FOOD
    for number, part in enumerate(parts):
        if part.names_food or part.is_merged:
            continue
        if needs_a_food(part):
            return f"I do not know what {' '.join(piece.word for piece in pieces[part.first : part.last])!r} is"
        if _is_bare_before_another(parts, number):
            return _NO_FOOD
    return ""


def is_only_a_tool(parts: Sequence[Part], pieces: Sequence[Piece]) -> bool:
    """Say whether a text names a tool, and nothing that may be eaten: "a butter dish", "12 paper muffin cases"."""
    has_food = any(name.row.contents for part in parts for name in part.names) or any(part.names_food for part in parts)
    is_known = next(_strange_pieces(parts, pieces), None) is None
    return is_known and not has_food and any("tools" in part.groups() for part in parts)


def _is_bare_before_another(parts: Sequence[Part], number: int) -> bool:
    """Say whether a first part names no food where one must stand: "chunk light", of "chunk light in water"."""
    part = parts[number]
    if not part.names or "tools" in part.groups() or number + 1 == len(parts):
        return False
    following = parts[number + 1]
    is_first = not any(earlier.names_food for earlier in parts[:number])
    return is_first and following.names_food and stands_before_another(following)


def _says_nothing(position: int, part: Part, pieces: Sequence[Piece], is_name: bool) -> bool:
    """Say whether a word that is in no name is no food either: an amount, a unit, a cooking word.

    A cooking word in the very name of a food makes it another: "Christmas cake", "salsa golf"; not behind "for" and the
    like, "butter for greasing".
    """
    word, before = pieces[position].word, pieces[position - 1].word if position else ""
    if pieces[position].stem in JOINTS or is_amount(word) or word in _MEASURES:
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
