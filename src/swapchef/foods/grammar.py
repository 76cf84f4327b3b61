"""What stands around the names in a text: parts, claims and how far they reach, alternatives and the head they share.

A text is cut into parts at marks and at words such as "or" and "with" outside its names. A part without a food belongs
to a food beside it: it describes it ("salted and soft butter"), is an alternative that shares its head ("low-fat or soy
milk"), or claims something of it ("butter (vegan)"). A claim binds one food: the one it stands before or behind.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile

from swapchef.foods.food_table import CONTAINS, FoodTable, NameInText, flavours
from swapchef.foods.names import CLOSE, DASH, OPEN
from swapchef.foods.senses import words_listed

# Words between the parts of a text, marks beside them. What one part claims does not hold in the next.
JOINTS = frozenset(
    "and with without or in plus on over but contain may no not dont wont never instead rather topped".split()
) | {",", DASH, OPEN, CLOSE}  # fmt: skip
_BESIDE = frozenset({"with", "in", "on", "over", "plus", "topped"})  # what stands behind is a food of its own
_LOOSE = frozenset({",", OPEN, CLOSE})
_DENYING = frozenset({"no", "not", "dont", "wont", "without", "never", "instead", "rather"})
# Words that make a claim one that need not hold: "vegan if desired".
_CONDITIONAL = frozenset("if optional optionally preferably ideally possibly maybe option unless".split())
# Words that tell a plain food from one that claims something: "regular and vegan butter" are two.
_PLAIN = frozenset("regular plain whole ordinary normal standard dairy real traditional conventional usual".split())
_BETWEEN = frozenset({"any", "the", "a", "an", "of", "than", "added", "extra", "more"})  # a denial and its food
_CERTAIN = frozenset("certified labelled labeled naturally is".split())  # beside a claim
_AMOUNT = re.compile(r"\d+(?:x\d+)*(?:g|kg|ml|l|oz|lb|cm|mm|in|inch|x|th|st|nd|rd|f|c|oc|of)?")
_APART = frozenset("to the a an for from until at by as your our my into about then if when off up out".split())
_MEASURING = frozenset({"packing and parts", "small words", "no food"})
_FRACTIONS = frozenset({"half", "quarter", "third"})


@dataclass(slots=True)
class Part:
    """A stretch of a text between two joints."""

    first: int  # of its words
    last: int  # behind its words
    joints: frozenset[str]  # that stand before it
    names: list[NameInText] = field(default_factory=list)
    borrowed: list[NameInText] = field(default_factory=list)  # foods that another part names for it
    claims_behind: list[NameInText] = field(default_factory=list)  # "butter (vegan)"
    is_denied: bool = False  # "instead of butter"
    is_merged: bool = False  # into the next part

    @property
    def foods(self) -> list[NameInText]:
        """Return its foods."""
        return [name for name in self.names if name.row.role == "food"]

    @property
    def claims(self) -> list[NameInText]:
        """Return what it claims: "vegan"."""
        return [name for name in self.names if name.row.role == "claim"]

    @property
    def names_food(self) -> bool:
        """Say whether it names a food or a part of an animal."""
        return any(name.row.role in {"food", "cut"} for name in self.names)

    def groups(self) -> set[str]:
        """Return of which groups its describing words are."""
        return {name.row.group for name in self.names if name.row.role == "describing"}


def is_amount(stem: str) -> bool:
    """Say whether a word counts or measures."""
    return _AMOUNT.fullmatch(stem) is not None


def parts_of(names: Sequence[NameInText], stems: Sequence[str], table: FoodTable) -> list[Part]:
    """Cut a text at the joints outside its names, and join what belongs together."""
    parts = list(_cut(_with_valid_claims(names, stems, table), stems))
    _deny(parts, stems)
    for number, part in enumerate(parts):
        if not part.names_food and part.names:
            _place(parts, number, stems, table)
    _add_flavoured(parts, stems, table)
    return parts


def _cut(names: Sequence[NameInText], stems: Sequence[str]) -> Iterator[Part]:
    covered = bytearray(len(stems))
    for name in names:
        covered[name.start : name.end] = b"\1" * (name.end - name.start)
    joints: set[str] = set()
    first, position, remaining = 0, 0, list(reversed(names))
    for position, stem in enumerate((*stems, DASH)):
        is_joint = position == len(stems) or (stem in JOINTS and not covered[position])
        if not is_joint:
            continue
        if position > first:
            part = Part(first, position, frozenset(joints))
            while remaining and remaining[-1].start < position:
                part.names.append(remaining.pop())
            yield part
            joints = set()
        joints.add(stem)
        first = position + 1


def _with_valid_claims(names: Sequence[NameInText], stems: Sequence[str], table: FoodTable) -> list[NameInText]:
    """Put the foods inside a claim in its place where it does not hold: "eggs free range", "egg free if you like"."""
    valid: list[NameInText] = []
    for name in names:
        if name.row.role == "claim" and (_is_cut(name, names) or _is_conditional(name, stems)):
            inner = table.names_in(stems[name.start : name.end - 1])
            foods = (each for each in inner if each.row.role == "food")
            valid += [NameInText(name.start + each.start, name.start + each.end, each.row) for each in foods]
        else:
            valid.append(name)
    return valid


def _is_cut(claim: NameInText, names: Sequence[NameInText]) -> bool:
    """Say whether another name begins inside a claim: "egg free" of "eggs free range"."""
    return any(claim.start < other.start < claim.end for other in names)


def _is_conditional(claim: NameInText, stems: Sequence[str]) -> bool:
    """Say whether a claim need not hold: "vegan if desired cheese", "preferably vegan", "cheese, vegan (optional)"."""
    if claim.start and stems[claim.start - 1] in {"not", "non", "never", "no"}:
        return True
    position, is_first = claim.end, True
    while position < len(stems):
        stem = stems[position]
        if stem in _CONDITIONAL:
            return True
        if stem in JOINTS:
            if not is_first or position > claim.end or stem not in _LOOSE:
                break
            is_first = False
        position += 1
    for stem in reversed(stems[: claim.start]):
        if stem in JOINTS:
            return False
        if stem in _CONDITIONAL:
            return True
    return False


# Denial


def _deny(parts: Sequence[Part], stems: Sequence[str]) -> None:
    """Mark the parts whose food is not in the dish: "instead of butter", "no eggs or nuts"."""
    for before, part in zip([None, *parts], parts, strict=False):
        begins_with_food = _begins_with_food(part, stems)
        is_denied = "instead" in part.joints or (begins_with_food and not part.joints.isdisjoint(_DENYING))
        goes_on = before is not None and before.is_denied and part.joints == {"or"} and begins_with_food
        part.is_denied = is_denied or goes_on


def _begins_with_food(part: Part, stems: Sequence[str]) -> bool:
    """Say whether a food stands right behind a "not", or behind "add", "need" and the like and before a mark."""
    reached = part.first
    for name in part.names:
        between = stems[reached : name.start]
        is_near = words_listed("not used").issuperset(between)
        if not is_near or name.row.role not in {"food", "describing"}:
            return False
        if name.row.role == "food":
            is_verb_between = any(stem not in _BETWEEN for stem in stems[part.first : name.start])
            return not is_verb_between or name.end == part.last  # not "do not use the butter straight from the fridge"
        reached = name.end
    return False


# Parts without a food


def _place(parts: list[Part], number: int, stems: Sequence[str], table: FoodTable) -> None:
    """Find the food that a part without one is about."""
    part = parts[number]
    before = _beside(parts, number, -1)
    after = _beside(parts, number, 1)
    joints = _joints_between(parts, number, after) if after is not None else frozenset[str]()
    if after is not None and (before is None or "or" in joints or "and" in joints):
        later = parts[after]
        if part.groups() <= _MEASURING and not part.claims:  # "(3 oz/80 g) vinegar"
            return
        if _is_own_product(part, later, joints, stems):
            part.borrowed = _shared(later, stems, table)
        else:
            later.names[:0] = part.names
            part.is_merged = True
    elif before is not None:
        earlier = parts[before]
        is_choice = "or" in part.joints or "or" in stems[part.last : part.last + 1]
        if part.claims and not is_choice and "and" not in part.joints and _only_claims(part, stems):
            earlier.claims_behind += part.claims
        elif "or" in part.joints and part.groups() != {"deeds"} and "makers" not in part.groups():
            part.borrowed = _last_compound(earlier, stems)


def _beside(parts: Sequence[Part], number: int, step: int) -> int | None:
    """Return the nearest part with a food on one side, with nothing but "and", "or" and marks between."""
    position = number + step
    while 0 <= position < len(parts):
        joints = parts[position].joints if step > 0 else parts[position + 1].joints
        if not joints <= _LOOSE | {"and", "or"} and not (step < 0 and joints == {DASH}):
            return None
        if parts[position].names_food:
            return position
        position += step
    return None


def _joints_between(parts: Sequence[Part], number: int, after: int) -> frozenset[str]:
    return frozenset(joint for part in parts[number + 1 : after + 1] for joint in part.joints)


def _is_own_product(part: Part, later: Part, joints: frozenset[str], stems: Sequence[str]) -> bool:
    """Say whether a part and the next are two products: "plain or vegan butter", but not "melted or soft butter"."""
    lead = [name for name in later.names if name.start < later.foods[0].start] if later.foods else []
    lead_groups = {name.row.group for name in lead}
    if "or" in joints:
        return not (part.groups() == {"deeds"} and not part.claims and "deeds" in lead_groups)
    if "and" in joints:
        words = {*stems[part.first : part.last], *stems[later.first : later.last]}
        return not lead or not words.isdisjoint(_PLAIN)
    return False


def _shared(later: Part, stems: Sequence[str], table: FoodTable) -> list[NameInText]:
    """Return what an alternative shares with the next: its whole food behind a word of its own, else the food's head.

    "Low-sodium or gluten-free soy sauce" are soy sauces; "low-fat or soy milk" are milks.
    """
    foods = later.foods
    if not foods:
        return [name for name in later.names if name.row.role == "cut"]
    first, *others = foods
    has_lead = any(name.end <= first.start for name in later.names)
    if has_lead or first.end - first.start == 1:
        return foods
    for start in range(first.start + 1, first.end):
        if (row := table.rows.get(" ".join(stems[start : first.end]))) and row.role == "food":
            return [NameInText(start, first.end, row), *others]
    return foods


def _only_claims(part: Part, stems: Sequence[str]) -> bool:
    """Say whether a part says nothing but what a food is: "(certified gluten-free)", not "(gluten-free ones work)"."""
    words = sum(name.end - name.start for name in part.names)
    others = sum(stem in _CERTAIN for stem in stems[part.first : part.last])
    is_whole = words + others >= part.last - part.first
    return (
        is_whole and not part.is_denied and part.groups() <= {"state", "size", "praise", "claims", "colour and place"}
    )


def _last_compound(part: Part, stems: Sequence[str]) -> list[NameInText]:
    compounds = list(compounds_of(part.names, stems))
    return [name for name in compounds[-1] if name.row.role in {"food", "cut"}] if compounds else []


def _add_flavoured(parts: Sequence[Part], stems: Sequence[str], table: FoodTable) -> None:
    """Read "strawberry or coconut yoghurt" as two yogurts: where a food may be the flavour of the next one's head."""
    for part, later in pairwise(parts):
        if later.joints != {"or"} or not part.foods or not later.foods or part.names[-1].row.role != "food":
            continue
        flavour, food = part.foods[-1], later.foods[0]
        if food.start != later.first or food.end - food.start < 2:
            continue
        head = " ".join(stems[food.start + 1 : food.end])
        row, name = table.rows.get(head), " ".join(stems[flavour.start : flavour.end])
        whole = table.rows.get(f"{name} {head}")
        if whole is not None and whole.role == "food":
            part.borrowed.append(NameInText(food.start + 1, food.end, whole))
        elif row is not None and row.role == "food" and name in flavours():
            part.borrowed.append(NameInText(food.start + 1, food.end, row))


# Claims


def compounds_of(names: Sequence[NameInText], stems: Sequence[str]) -> Iterator[list[NameInText]]:
    """Cut the names of a part into those that name one thing, where an amount or other words stand between.

    "Half vegan butter half butter" are two foods, and so are those of "add the vegan butter to the ricotta".
    """
    compound: list[NameInText] = []
    for name in names:
        if compound and (_begins_amount(name, compound[-1], stems) or _is_apart(name, compound[-1], stems)):
            yield compound
            compound = []
        compound.append(name)
    if compound:
        yield compound


def _begins_amount(name: NameInText, before: NameInText, stems: Sequence[str]) -> bool:
    is_half = name.row.role == "describing" and stems[name.start] in _FRACTIONS
    return is_half or any(map(is_amount, stems[before.end : name.start]))


def _is_apart(name: NameInText, before: NameInText, stems: Sequence[str]) -> bool:
    """Say whether words stand between two names, or one of them is such a word, that no name of one thing has."""
    if stems[before.start] in _APART and before.row.role == "describing":
        return True
    return any(stem not in JOINTS and not is_amount(stem) for stem in stems[before.end : name.start])


def denials(part: Part, stems: Sequence[str]) -> Mapping[int, Mapping[str, NameInText]]:
    """Return for each name of a part, by its place among them, what a claim says that it does not contain."""
    if not part.claims and not part.claims_behind:
        return {}
    names = [*part.names, *part.borrowed]
    denied: dict[int, dict[str, NameInText]] = {}
    compounds = list(compounds_of(names, stems)) if not part.borrowed else [names]
    begin = 0
    waiting: list[NameInText] = []  # claims with no food in their own compound
    for number, compound in enumerate(compounds):
        places = range(begin, begin + len(compound))
        begin += len(compound)
        claims = [*waiting, *(name for name in compound if name.row.role == "claim")]
        has_food = any(name.row.role in {"food", "cut", "head"} for name in compound)
        is_last = number + 1 == len(compounds)
        is_over = has_food or is_last or _is_apart(compounds[number + 1][0], compound[-1], stems)
        waiting = [] if is_over else claims
        behind = part.claims_behind if is_last else []
        for claim in claims:
            bound = _bound(claim, compound, stems)
            _deny_in(compound, places, claim, bound, denied)
        for claim in behind:
            _deny_in(compound, places, claim, set(range(len(compound))), denied)
    return denied


def _bound(claim: NameInText, compound: Sequence[NameInText], stems: Sequence[str]) -> set[int]:
    """Return the places of the foods that a claim stands right before; else of the one right behind which it stands."""
    foods = [place for place, name in enumerate(compound) if name.row.role in {"food", "cut", "head"}]
    after = [place for place in foods if compound[place].start >= claim.end or claim not in compound]
    if not after:
        return set(foods[-1:])
    flavouring = takewhile(lambda place: _only_flavours(compound[place], claim, stems), after[:-1])
    reach = compound[after[len(list(flavouring))]].end
    return {place for place in after if compound[place].start < reach}


def _only_flavours(food: NameInText, claim: NameInText, stems: Sequence[str]) -> bool:
    """Say whether a food only flavours what a claim is about: "dairy-free coconut ice cream"."""
    is_free = all(food.row.contents.get(content, 0) < CONTAINS for content in claim.row.denies)
    return is_free and " ".join(stems[food.start : food.end]) in flavours()


def _deny_in(
    compound: Sequence[NameInText],
    places: range,
    claim: NameInText,
    bound: set[int],
    denied: dict[int, dict[str, NameInText]],
) -> None:
    foods = [place for place, name in enumerate(compound) if name.row.role in {"food", "cut", "head"}]
    for place, name in enumerate(compound):
        is_last = bool(foods) and place == foods[-1] and bool(claim.row.contents)
        is_whole = place in bound or is_last or name.row.role == "quality"
        for content in claim.row.denies:
            if is_whole or name.row.contents.get(content, 0) < CONTAINS:
                denied.setdefault(places[place], {}).setdefault(content, claim)


# Parts that may hide a food


def needs_a_food(part: Part) -> bool:
    """Say whether a part without a food may hide one: "in crumb", "with Carnation", "or Kraft"."""
    groups = part.groups()
    if part.joints.isdisjoint(_BESIDE | {"or", "and"}):
        return False
    if "makers" in groups or ("a food by itself" in groups and not part.joints.isdisjoint(_BESIDE)):
        return True
    return "colour and place" in groups and not part.joints.isdisjoint(_BESIDE)


def stands_before_another(part: Part) -> bool:
    """Say whether what stands before must be a food of its own: "chunk light" of "chunk light in water"."""
    return not part.joints.isdisjoint({"in", "with", "without", "on", "over"})
