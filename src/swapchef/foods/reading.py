"""A food's name, read: which foods, parts of animals and claims it has, and so what it contains.

A name is cut into parts at "and", "or", "with", commas and dashes. What one part claims ("vegan") holds in that part
alone; a part that only describes ("plain or gluten-free flour") takes the food of the next, never its claim. A part of
an animal is flesh unless it belongs to a plant that has one of that name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import Literal, NamedTuple

from swapchef.foods.contents import longest_names
from swapchef.foods.food_table import BREAKS, CONTAINS, MAY, SPOKEN, UNCLEAR, NameInText, Row, bound_cuts
from swapchef.foods.names import DASH, name_stem, name_words

_AMOUNT = re.compile(r"\d+(?:g|kg|ml|l|oz|lb|cm|mm|in|x|th)?")
_MANY = 1 << 14
_QUOTED = 5  # strange words in a rule
_FLESH = frozenset({"meat", "pork", "fish", "crustaceans", "molluscs"})
_BEFORE_ANOTHER = frozenset({"in", "with", "without", "on", "over"})  # what stands before is a food of its own
# Words that make a claim one that need not hold: "vegan if desired".
_CONDITIONAL = frozenset("if optional optionally preferably ideally possibly maybe option".split())

Joint = Literal["and", "or", "in", "end"]  # what stands between a part and the next


class Trace(NamedTuple):
    """That a food in a name contains something, and how surely."""

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


@dataclass(slots=True)
class Reading:
    """What a name was understood to be."""

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


class _Part(NamedTuple):
    """The names of one part, as words, and what joins it to the next part."""

    names: list[NameInText]
    words: list[str]  # all of the part
    joint: Joint

    @property
    def foods(self) -> list[NameInText]:
        return [name for name in self.names if name.row.role == "food"]

    @property
    def names_food(self) -> bool:
        return any(name.row.role in {"food", "cut"} for name in self.names)


@lru_cache(maxsize=_MANY)
def read_name(name: str) -> Reading:
    """Read a food's name."""
    words = name_words(name)
    stems = [name_stem(word) for word in words]
    names = list(_with_valid_claims(longest_names(stems), stems))
    reading = Reading()
    parts = _merged(list(_parts(names, stems)))
    has_flesh = False
    for number, part in enumerate(parts):
        inherited = _inherited_foods(parts, number)
        has_flesh |= _has_flesh([*part.foods, *inherited])
        _read_part(part, inherited, words, stems, has_flesh, reading)
    covered = {position for start, end, _ in names for position in range(start, end)}
    strange = [words[i] for i, stem in enumerate(stems) if i not in covered and not _says_nothing(stem)]
    if strange:
        reading.doubt = f"I do not know {' '.join(strange[:_QUOTED])!r}"
    elif not reading.foods or any(part.joint == "in" and not part.names_food for part in parts):
        reading.doubt = "this names no food that I know"
    return reading


def _says_nothing(stem: str) -> bool:
    return stem in BREAKS or stem == DASH or _AMOUNT.fullmatch(stem) is not None


def _parts(names: Sequence[NameInText], stems: Sequence[str]) -> Iterator[_Part]:
    """Cut a name where "and", "with", a comma or a dash stands outside a food's name."""
    part: list[NameInText] = []
    begin = reached = 0
    for each in names:
        between = stems[reached : each.start]
        if (DASH in between or not BREAKS.isdisjoint(between)) and each.start >= reached:
            yield _Part(part, list(stems[begin:reached]), _joint(between))
            part, begin = [], each.start
        part.append(each)
        reached = max(reached, each.end)
    yield _Part(part, list(stems[begin:]), "end")


def _joint(between: Sequence[str]) -> Joint:
    if DASH in between:
        return "end"
    if "or" in between:
        return "or"
    return "in" if not _BEFORE_ANOTHER.isdisjoint(between) else "and"


def _merged(parts: list[_Part]) -> list[_Part]:
    """Join a part that names no food to the next, where both are about one: "vegan and gluten-free flour"."""
    merged: list[_Part] = []
    for part in parts:
        if merged and merged[-1].joint == "and" and not merged[-1].names_food:
            before = merged.pop()
            part = _Part([*before.names, *part.names], [*before.words, *part.words], part.joint)
        merged.append(part)
    return merged


def _inherited_foods(parts: Sequence[_Part], number: int) -> list[NameInText]:
    """Return the foods that a part without one takes from the next: "plain", of "plain or gluten-free flour"."""
    part = parts[number]
    if part.names_food or part.joint != "or" or not part.names:
        return []
    return next((later.foods for later in parts[number + 1 :] if later.foods), [])


def _read_part(
    part: _Part,
    inherited: list[NameInText],
    words: Sequence[str],
    stems: Sequence[str],
    has_flesh: bool,
    reading: Reading,
) -> None:
    """Take in the foods of one part of a name, less what that part denies."""
    claims = {" ".join(words[name.start : name.end]): name.row for name in part.names if name.row.role == "claim"}
    denied = {content: claim for claim, row in claims.items() for content in row.denies}
    taken_back = False
    for position, name in enumerate([*part.names, *inherited]):
        if not _counts(name, position, part, stems, has_flesh):
            continue
        food = " ".join(words[name.start : name.end])
        if name.row.role != "quality":
            reading.foods[food] = name.row
        taken_back |= reading.add(food, name.row, denied)
    reading.denied |= denied
    if taken_back:  # something else is in its place
        for claim, row in claims.items():
            reading.add(f"what is {claim}", row, denied)


def _with_valid_claims(names: Sequence[NameInText], stems: Sequence[str]) -> Iterator[NameInText]:
    """Put the foods inside a claim in its place where it does not hold: "eggs free range", "egg free if you like"."""
    for name in names:
        is_cut = any(name.start < other.start < name.end for other in names)
        if name.row.role == "claim" and (is_cut or _is_conditional(name, stems)):
            inner = [each for each in longest_names(list(stems[name.start : name.end - 1])) if each.row.role == "food"]
            yield from (NameInText(name.start + each.start, name.start + each.end, each.row) for each in inner)
        else:
            yield name


def _is_conditional(claim: NameInText, stems: Sequence[str]) -> bool:
    """Say whether a claim need not hold: "vegan if desired cheese", "preferably vegan butter"."""
    after = takewhile(lambda stem: stem not in BREAKS and stem != DASH, stems[claim.end :])
    before = takewhile(lambda stem: stem not in BREAKS and stem != DASH, reversed(stems[: claim.start]))
    return not _CONDITIONAL.isdisjoint([*after, *before])


def _counts(name: NameInText, position: int, part: _Part, stems: Sequence[str], has_flesh: bool) -> bool:
    """Say whether a name adds what it contains: foods and qualities do, a cut that is flesh, a dish that is last."""
    role = name.row.role
    if role in {"food", "quality"}:
        return True
    if role == "head":
        return position == len(part.names) - 1 and bool(part.foods)
    return role == "cut" and not has_flesh and not _is_bound(name, part, stems)


def _is_bound(cut: NameInText, part: _Part, stems: Sequence[str]) -> bool:
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
