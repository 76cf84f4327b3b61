"""Whether a name is a food where it stands, or a tool, a measure, a size, a likeness, a deed, what something is for.

Each rule looks at the words right around one name; the words it looks for are listed in `senses.tsv`. A name that is no
food becomes one that only describes, so that nothing behind it needs to know.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from swapchef.foods.food_table import UNCLEAR, FoodTable, NameInText, Row
from swapchef.foods.names import CLOSE, DASH, OPEN, Piece
from swapchef.foods.senses import is_creaming, is_done_with_food, is_general_name, is_verb, words_listed, words_meant
from swapchef.foods.words import Word
from swapchef.recipes.units import ENGLISH, UNITS

NO_FOOD = Row({}, "describing", group="no food")
_MARKS = frozenset({",", OPEN, CLOSE, DASH})
_SKIPPED = frozenset({"a", "an", "the", "large", "small", "hen", "hens"})  # between a comparison and its food
_NO_COMPARISON = frozenset("well much many other rather soon far long".split())  # "oil as well as butter"
_REACH = 5  # words before a food in which it is told to be a likeness
_BEFORE_A_UNIT = frozenset({CLOSE, "a", "an", "half", "one", "two", "three", "four", "size", "sized"})


def placed(
    names: Sequence[NameInText], pieces: Sequence[Piece], table: FoodTable, is_running: bool
) -> Iterator[NameInText]:
    """Yield names, those that are no food where they stand as describing words.

    A running text (a step, a note) has deeds and likenesses that no ingredient line has.
    """
    reached = 0  # behind the last food
    for place, name in enumerate(names):
        following = names[place + 1] if place + 1 < len(names) else None
        if is_running and (meant := words_meant().get(pieces[name.start].word)) and name.end - name.start == 1:
            yield name._replace(row=table.rows[meant])  # "the whites", "a buttered dish"
            continue
        is_food = name.row.role in {"food", "cut"}
        is_other = is_food and (_is_no_food(name, following, pieces) or _is_compared(name, pieces, reached))
        if is_other or (is_food and is_running and _is_deed_or_likeness(name, pieces)):
            yield NameInText(name.start, name.end, NO_FOOD)
        else:
            yield name
        reached = name.end if is_food else reached


def _is_no_food(name: NameInText, following: NameInText | None, pieces: Sequence[Piece]) -> bool:
    if _is_tool_or_likeness(name, pieces) or _is_measure(name, following, pieces):
        return True
    words = {piece.word for piece in _clause_before(name, pieces)}
    return _is_vague(name) and not words.isdisjoint(words_listed("before a purpose"))


def _is_vague(name: NameInText) -> bool:
    """Say whether nothing is sure of a name: "square", "topping", "mix"."""
    return name.row.role == "food" and max(name.row.contents.values(), default=0) == UNCLEAR


def _is_tool_or_likeness(name: NameInText, pieces: Sequence[Piece]) -> bool:
    """Tell "garlic press", "egg-shaped", "milk-white" and "cheese-like" from the food."""
    if name.end >= len(pieces):
        return False
    after = pieces[name.end]
    return after.stem in words_listed("after no food") or (
        after.is_joined and after.stem in words_listed("joined to no food")
    )


def _is_compared(name: NameInText, pieces: Sequence[Piece], reached: int) -> bool:
    """Say whether a food is only compared with: "the size of an egg", "bigger than a walnut", "as soft as butter".

    What stands before another food does not: "butter the size of an egg of chocolate" is chocolate.
    """
    clause = [piece for piece in _clause_before(name, pieces) if piece.start >= pieces[reached].start]
    before = [piece.stem for piece in clause if piece.stem not in _SKIPPED]
    match before[-3:]:
        case [*_, quality, "than"]:
            return quality.endswith("er") and quality not in _NO_COMPARISON
        case ["as", quality, "as"]:
            return quality not in _NO_COMPARISON
    likeness = [word for word, after in pairwise(before[-_REACH:]) if after == "of"][-1:]
    return bool(likeness) and likeness[0] in words_listed("likeness of")


def _is_measure(name: NameInText, following: NameInText | None, pieces: Sequence[Piece]) -> bool:
    """Tell "2 squares chocolate", "1 ball of dough" and "1 rib celery" from the food: a unit, then what it is of."""
    unit = pieces[name.start]
    if name.end - name.start > 1 or following is None or not (unit.word in UNITS or unit.stem in UNITS):
        return False
    if following.row.role not in {"food", "describing"} or not (_is_vague(name) or name.row.role == "cut"):
        return False
    between = {piece.stem for piece in pieces[name.end : following.start]}
    if not between.isdisjoint(_MARKS) or (name.row.role == "cut" and "of" in _stems(following, pieces)):
        return False
    before = pieces[name.start - 1].stem if name.start else ""
    return (
        before[:1].isdigit()
        or before in _BEFORE_A_UNIT
        or before in words_listed("joined to no food")
        or (UNITS.get(before) in ENGLISH.measures)
    )


def _stems(name: NameInText, pieces: Sequence[Piece]) -> list[str]:
    return [piece.stem for piece in pieces[name.start : name.end]]


def _clause_before(name: NameInText, pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Return the words before a name, back to a mark."""
    start = name.start
    while start and pieces[start - 1].stem not in _MARKS:
        start -= 1
    return pieces[start : name.start]


# Running text


def _is_deed_or_likeness(name: NameInText, pieces: Sequence[Piece]) -> bool:
    words = [piece.word for piece in _clause_before(name, pieces)]
    before = [word for word in words if word not in _SKIPPED][-_REACH:]
    if any(word in words_listed("before no food") for word in before) or _is_like(before) or _is_replaced(before):
        return True
    if before and before[-1] in words_listed("right before no food"):
        return True
    after = pieces[name.end] if name.end < len(pieces) else None
    if after and (after.word in words_listed("after a colour") or (after.is_joined and after.word == "style")):
        return True
    if pieces[name.end - 1].word in words_listed("tool"):  # "the steamer", "a large stock pot"
        return True
    return _is_shape(name, pieces, words) or (name.end - name.start == 1 and _is_deed(name.start, pieces))


def _is_replaced(before: Sequence[str]) -> bool:
    """Say whether something takes a food's place: "take the place of bacon", "stands in for soy sauce"."""
    if before[-1:] and before[-1] in words_listed("in place of"):
        return True
    return before[-2:] == ["place", "of"] or (before[-2:] == ["in", "for"] and before[-3:-2] in (["stand"], ["stands"]))


def _is_shape(name: NameInText, pieces: Sequence[Piece], before: Sequence[str]) -> bool:
    """Tell "slice it into thick steaks" from "stir it into the meat"."""
    word = pieces[name.start]
    is_many = name.end - name.start == 1 and word.word != word.stem
    is_shape = is_many and (name.row.role == "cut" or is_general_name(word.stem)) and "the" not in before
    return is_shape and "into" in before and not words_listed("shaping").isdisjoint(before)


def _is_like(before: Sequence[str]) -> bool:
    """Say whether what follows is only a likeness: "soft as butter", "looks like eggs"; not "a cheese like feta"."""
    if before[-1:] == ["as"] and before[-2:-1] and before[-2] in words_listed("before like"):
        return True
    if "would" in before and before[max(0, before.index("would") - 2) : before.index("would")] == ["as", "you"]:
        return True
    place = len(before) - 1 - list(reversed(before)).index("like") if "like" in before else 0
    return place > 0 and before[place - 1] in words_listed("before like")


def _is_deed(position: int, pieces: Sequence[Piece]) -> bool:
    """Tell "wrap it", "cream the sugar", "the steamer" and "on a rack" from the food; "butter the pan" uses butter."""
    word = pieces[position].word
    if word.removesuffix("s") in words_listed("tool") | words_listed("seldom a food"):
        return True
    if word == "cream" and is_creaming([piece.word for piece in pieces], position):
        return True
    if word != "cream" and word in words_listed("verb") and _is_verb(position, pieces):
        return not is_done_with_food(word) and word not in words_listed("verb that coats")
    if word not in words_listed("deed"):
        return False
    before = pieces[position - 1].word if position else ""
    return before not in words_listed("before a cut") and before not in words_listed("before a name")


def _is_verb(position: int, pieces: Sequence[Piece]) -> bool:
    first = max(0, position - 1)
    return is_verb(_as_words(pieces[first : position + _REACH]), position - first)


def _as_words(pieces: Sequence[Piece]) -> list[Word]:
    words = []
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        is_joined = following is not None and _MARKS.isdisjoint((piece.stem, following.stem))
        words.append(Word(piece.word, piece.stem, piece.start, piece.end, is_joined))
    return words
