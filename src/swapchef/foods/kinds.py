"""What a food counts as: "unsalted butter" is butter, and butter is a fat.

`kinds.tsv` lists the kinds and their members, which may be other kinds, so that one ratio, density or piece weight
serves every food it is true of. A kind named like an ingredient holds what is the same food under other names; a kind
named "any ..." holds foods that only behave alike.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from swapchef.tables import read_table

# Words before a name that change neither how much of it is needed nor how it is measured.
_TELLS_NOTHING = re.compile(
    r"\b(?:(?:98% )?fat free|(?:low|reduced|full|1%|2%) fat|lowfat|non ?fat|part skim|1%|2%|\d+% lean|extra lean|lean|lite"
    r"|(?:low|reduced) (?:sodium|calorie)|sugar free|no (?:salt|sugar) added|salt free|gluten free(?= (?:soy|bread|pasta))"
    r"|unsalted|salted|unsweetened(?! (?:dark )?chocolate)|plain|natural|organic|pure|real|homemade|homogenized|vegan"
    r"|fresh(?:ly)?|frozen(?! (?:yogurt|orange|lemonade|limeade))|canned|bottled|prepared|store bought|imported|low moisture"
    r"|chopped|diced|sliced|slivered|minced|shredded|crumbled|cubed|toasted|roasted(?! garlic)|blanched|raw|ripe|firm|pitted"
    r"|creamy|crunchy|chunky|smooth|sharp|extra sharp|mild|aged|mature|seedless|boneless|skinless|bone in|flat leaf|lightly"
    r"|extra (?:large|firm|strong|virgin)|large|medium|small|jumbo|baby(?! (?:food|back))|mini|miniature|thick|thin"
    r"|boiling|warm|cold|iced|hot(?= (?:water|coffee|chicken|tea))|brewed|strong|quick cooking|old fashioned)\s+(?=\w)"
)


class _Kinds(NamedTuple):
    by_name: dict[str, list[str]]
    by_ending: dict[str, list[str]]  # "* vinegar": every name that ends so
    exceptions: dict[str, tuple[str, ...]]
    names: set[str]


@lru_cache(maxsize=20_000)
def kinds_of(food: str) -> tuple[str, ...]:
    """Return the names a food answers to, from itself to the widest kind.

    >>> kinds_of("unsalted butter")
    ('unsalted butter', 'butter', 'any butter', 'any fat')
    """
    kinds = _load()
    listed = food in kinds.by_name or food in kinds.names  # and so means what it says: "fresh yeast" is not yeast
    found = [food] if listed else list(dict.fromkeys((food, _TELLS_NOTHING.sub("", food))))
    for name in found:  # grows while it is walked: kinds of kinds come last
        found += [kind for kind in _listed_under(name) if kind not in found]
    return tuple(found)


# Kinds so wide that two members need be neither handled alike nor near in taste.
WIDE = frozenset(
    {
        "any fat", "any liquid", "any raw protein", "any protein", "any liquid dairy", "any soft dairy", "any alcohol", "any vegetable",
        "any mix-in", "any fruit", "any herb", "any cooked meat", "any root", "any starchy side", "any cooked tomato", "any dry coating", "any fruit puree",
    }
)  # fmt: skip


@lru_cache(maxsize=50_000)
def kinds_apart(food: str, other: str, most: int = 2) -> int:
    """Count the kinds of a food that another one does not share until the first that it does; a wide one brings nobody all near.

    >>> kinds_apart("butter", "margarine"), kinds_apart("butter", "olive oil"), kinds_apart("butter", "onion")
    (0, 1, 2)
    """
    shared, kinds = set(kinds_of(other)), kinds_of(food)
    if any(kind in shared for kind in kinds if not kind.startswith("any ")):
        return 0  # one food under two names
    own = [kind for kind in kinds if kind.startswith("any ")]
    if not own:  # of what the table does not know, a word in common tells
        return most - 1 if set(food.split()) & set(other.split()) - _NO_RELATION else most
    return next((max(apart, kind in WIDE) for apart, kind in enumerate(own[:most]) if kind in shared), most)


_NO_RELATION = frozenset(
    "fresh dried dry frozen ground whole sweet hot red green white black yellow brown light dark small large and & with of in powder sauce mix".split()
)


def _listed_under(name: str) -> list[str]:
    kinds = _load()
    found = list(kinds.by_name.get(name, ()))
    words = name.split()
    if not name.startswith("any "):
        for start in range(len(words)):
            found += kinds.by_ending.get(" ".join(words[start:]), ())
    return [kind for kind in dict.fromkeys(found) if not _is_exception(name, kinds.exceptions.get(kind, ()))]


def _is_exception(name: str, exceptions: tuple[str, ...]) -> bool:
    return any(name == exception or name.endswith(f" {exception}") for exception in exceptions)


@cache
def _load() -> _Kinds:
    kinds = _Kinds({}, {}, {}, set())
    for kind, members in read_table("foods/kinds.tsv"):
        kinds.names.add(kind)
        for member in members.split(", "):
            if member.startswith("* "):
                kinds.by_ending.setdefault(member[2:], []).append(kind)
            elif member.startswith("not "):
                kinds.exceptions[kind] = (*kinds.exceptions.get(kind, ()), member[4:])
            else:
                kinds.by_name.setdefault(member, []).append(kind)
    return kinds
