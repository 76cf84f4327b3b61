"""Whether a name is a food where it stands, or a measure, a tool, a size, what something is for.

Each rule looks at the words right around one name; the words it looks for are listed in `senses.tsv`. A name that is no
food becomes one that only describes, so that nothing behind it needs to know.
"""

from collections.abc import Iterator, Sequence

from swapchef.foods.food_table import UNCLEAR, NameInText, Row
from swapchef.foods.names import CLOSE, OPEN
from swapchef.foods.senses import words_listed
from swapchef.recipes.units import ENGLISH, UNITS

_NO_FOOD = Row({}, "describing", group="no food")
_ARTICLES = frozenset({"a", "an", "the", "large", "small"})


def placed(names: Sequence[NameInText], stems: Sequence[str]) -> Iterator[NameInText]:
    """Yield names with those as describing words that are no food where they stand."""
    purposes = words_listed("before a purpose")
    for place, name in enumerate(names):
        following = names[place + 1] if place + 1 < len(names) else None
        if (
            _is_tool(name, stems)
            or is_size(name, stems)
            or _is_measure(name, following, stems)
            or (_is_vague(name) and not purposes.isdisjoint(_words_before(name, stems)))
        ):
            yield NameInText(name.start, name.end, _NO_FOOD)
        else:
            yield name


def _is_vague(name: NameInText) -> bool:
    """Say whether nothing is sure of a name: "square", "topping", "mix"."""
    return name.row.role == "food" and max(name.row.contents.values(), default=0) == UNCLEAR


def _is_tool(name: NameInText, stems: Sequence[str]) -> bool:
    """Tell "garlic press", "egg-shaped" and "parmesan-style" from the food."""
    if name.row.role not in {"food", "cut"} or name.end >= len(stems):
        return False
    return stems[name.end] in words_listed("after no food")


def is_size(name: NameInText, stems: Sequence[str]) -> bool:
    """Say whether a food only tells a size: "the size of an egg"."""
    before = [stem for stem in stems[max(0, name.start - 4) : name.start] if stem not in _ARTICLES]
    return before[-2:] == ["size", "of"]


def _is_measure(name: NameInText, following: NameInText | None, stems: Sequence[str]) -> bool:
    """Tell "2 squares chocolate" and "1 rib celery" from the food: a unit, and what it is of right behind it."""
    if name.end - name.start > 1 or following is None or stems[name.start] not in UNITS:
        return False
    is_unit = _is_vague(name) or name.row.role == "cut"
    if not is_unit or any(stem in {OPEN, ","} for stem in stems[name.end : following.start]):
        return False
    if following.row.role not in {"food", "describing"} or "of" in stems[name.end : following.end]:
        return False
    before = stems[name.start - 1] if name.start else ""
    return before[:1].isdigit() or before in {CLOSE, "a", "half", "one", "two"} or UNITS.get(before) in ENGLISH.measures


def _words_before(name: NameInText, stems: Sequence[str]) -> Sequence[str]:
    """Return the words before a name, back to a mark."""
    start = name.start
    while start and stems[start - 1] not in {",", OPEN, CLOSE, "-"}:
        start -= 1
    return stems[start : name.start]
