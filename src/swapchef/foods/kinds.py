"""What a food counts as: "unsalted butter" is butter, and butter is a fat.

`kinds.tsv` lists the kinds and their members, which may be other kinds, so that one ratio, density or piece weight
serves every food it is true of. A kind named like an ingredient holds what is the same food under other names; a kind
named "any ..." holds foods that only behave alike.

From the kinds follow how far two foods are apart, whether two names are one food, and whether they are varieties of it.
Where suggestions are merged ("salted butter" is "butter") less is asked than for amounts: whether a cook would do the
same with both.
"""

from functools import cache, lru_cache
from typing import NamedTuple

from swapchef.foods.lexicon import has, is_tool, without_amount_words, words_with
from swapchef.tables import read_table


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
    is_listed = food in kinds.by_name or food in kinds.names  # and so means what it says: "fresh yeast" is not yeast
    names = [food] if is_listed else list(dict.fromkeys((food, without_amount_words(food))))
    for name in names:  # grows while it is walked: kinds of kinds come last
        names += [kind for kind in _listed_under(name) if kind not in names]
    return tuple(names)


# Kinds so wide that two members need be neither handled alike nor near in taste.
WIDE = frozenset(
    {
        "any fat", "any liquid", "any raw protein", "any protein", "any liquid dairy", "any soft dairy", "any alcohol",
        "any vegetable", "any mix-in", "any fruit", "any herb", "any cooked meat", "any root", "any starchy side",
        "any cooked tomato", "any dry coating", "any fruit puree",
    }
)  # fmt: skip


@lru_cache(maxsize=50_000)
def kinds_apart(food: str, other: str, most: int = 2) -> int:
    """Count the kinds of a food that another one does not share until the first that it does, which must not be wide.

    >>> kinds_apart("butter", "margarine"), kinds_apart("butter", "olive oil"), kinds_apart("butter", "onion")
    (0, 1, 2)
    """
    shared, kinds = set(kinds_of(other)), kinds_of(food)
    if any(kind in shared for kind in kinds if not kind.startswith("any ")):
        return 0  # one food under two names
    own = [kind for kind in kinds if kind.startswith("any ")]
    if not own:  # of what the table does not know, a word in common tells
        return most - 1 if set(food.split()) & set(other.split()) - words_with("unrelated") else most
    return next((max(apart, kind in WIDE) for apart, kind in enumerate(own[:most]) if kind in shared), most)


def _listed_under(name: str) -> list[str]:
    kinds = _load()
    listed = list(kinds.by_name.get(name, ()))
    words = name.split()
    if not name.startswith("any "):
        for start in range(len(words)):
            listed += kinds.by_ending.get(" ".join(words[start:]), ())
    return [kind for kind in dict.fromkeys(listed) if not _is_exception(name, kinds.exceptions.get(kind, ()))]


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


# Names of the benchmark that are one food.
_OTHER_NAMES = {
    "yoghurt": "yogurt",
    "scallion": "green onion",
    "spring onion": "green onion",
    "soymilk": "soy milk",
    "half and half cream": "half and half",
    "half and half milk": "half and half",
    "cayenne": "cayenne pepper",
    "jalapeno": "jalapeno pepper",
    "agave": "agave nectar",
    "agave syrup": "agave nectar",
    "rotel": "rotel tomato",
    "real butter": "butter",
    "garlic clove": "garlic",
    "asparagus spear": "asparagus",
    "celery rib": "celery",
    "celery stalk": "celery",
    "bacon piece": "bacon bit",
    "arrowroot": "arrowroot powder",
    "confectioners' sugar": "powdered sugar",
    "icing sugar": "powdered sugar",
    "garbanzo bean": "chickpea",
    "bicarbonate of soda": "baking soda",
}


@lru_cache(maxsize=20_000)
def food_of(name: str) -> str:
    """Return a name without the words that make no difference.

    >>> food_of("fresh spring onion"), food_of("unsalted butter")
    ('green onion', 'butter')
    """
    rest = " ".join(word for word in name.split() if word not in words_with("same-food"))
    return _OTHER_NAMES.get(rest, rest) or name


def is_vague(name: str) -> bool:
    """Say whether a name leaves open which food is meant."""
    return has(food_of(name), "vague")


@lru_cache(maxsize=20_000)
def is_same_food(name: str, other: str) -> bool:
    """Say whether two names stand for one food as `kinds.tsv` has it.

    >>> is_same_food("merlot", "red wine"), is_same_food("butter", "margarine")
    (True, False)
    """
    own = {kind for kind in kinds_of(name) if not kind.startswith("any ")}
    return any(kind in own for kind in kinds_of(other))


def is_other_variety(name: str, other: str) -> bool:
    """Say whether two names are varieties of one fruit, vegetable, loaf or rice, which cooks do tell apart.

    >>> is_other_variety("green bell pepper", "red bell pepper"), is_other_variety("bell pepper", "red bell pepper")
    (True, False)
    """
    own, others = kinds_of(name), kinds_of(other)
    return not _VARIED.isdisjoint(own) and is_same_food(name, other) and name not in others and other not in own


_VARIED = frozenset({"any vegetable", "any fruit", "any onion", "any root", "any fresh chili", "any loaf", "any rice"})


@lru_cache(maxsize=20_000)
def is_ingredient(name: str) -> bool:
    """Say whether a cook could put it into a dish.

    >>> is_ingredient("rice paper"), is_ingredient("aluminum foil"), is_ingredient("fat")
    (True, False, False)
    """
    return not has(food_of(name), "not-sold") and not is_tool(name)


def is_part_of(name: str, food: str) -> bool:
    """Say whether a name is one of the foods that another names together: sea salt, of "salt & pepper".

    >>> is_part_of("sea salt", "salt & pepper"), is_part_of("seasoning salt", "salt & pepper")
    (True, False)
    """
    parts = food.replace(" & ", " and ").split(" and ")
    if len(parts) == 1:
        return False
    return any(name == part or is_same_food(name, part) or is_kind_of(name, part.split()[-1]) for part in parts)


def is_kind_of(name: str, food: str) -> bool:
    """Say whether a name is a food with words before it that only tell its kind.

    >>> is_kind_of("all purpose flour", "flour"), is_kind_of("peanut butter", "butter")
    (True, False)
    """
    return name.endswith(f" {food}") and words_with("variety").issuperset(name.removesuffix(food).split())
