"""What can be done to a food: "melted" to butter and not to oil, "peeled" to a carrot and not to celery.

`preparations.tsv` lists, for each such word, the foods and kinds it is true of. Beyond that table, what was done to one
food can be done to another that is handled like it.
"""

from functools import cache, lru_cache

from swapchef.foods.kinds import WIDE, kinds_of
from swapchef.foods.lexicon import words_with
from swapchef.tables import read_table

HOW = words_with("manner")
# Forms of one food that are not handled alike.
_FORMS = frozenset({"any ginger", "any garlic", "any part of egg", "any salt"})


def is_preparation(word: str) -> bool:
    """Say whether a word tells what was done to a food."""
    return _bare(word) in preparations()


def can_be(word: str, food: str, instead_of: str = "") -> bool:
    """Say whether a preparation suits a food: the table says so, or it takes the place of one that is handled alike.

    >>> can_be("melted", "margarine"), can_be("whipped", "margarine"), can_be("whipped", "margarine", "butter")
    (True, False, True)
    """
    foods, kinds = preparations()[_bare(word)], kinds_of(food)
    if any(f"not {kind}" in foods for kind in kinds):
        return False
    if food.startswith("fresh ") and _bare(word) in {"thawed", "frozen", "dried"}:
        return False
    if not foods.isdisjoint(kinds):
        return True
    # What is done to single foods alone ("deveined", "hulled") is done to no other, however like them.
    return any(name.startswith("any ") for name in foods) and are_alike(instead_of, food)


@lru_cache(maxsize=5_000)
def are_alike(food: str, other: str) -> bool:
    """Say whether two foods are handled alike."""
    return bool(set(kinds_of(food)) & set(kinds_of(other)) - WIDE - _FORMS)


@cache
def preparations() -> dict[str, frozenset[str]]:
    """Return, for each word that says what was done to a food, the foods and kinds it can be done to."""
    rows = [(words, listed.split(", ")) for words, listed in read_table("foods/preparations.tsv")]
    groups: dict[str, list[str]] = {}
    for words, members in rows:
        if words.startswith("@"):
            groups.setdefault(words, []).extend(members)
    foods: dict[str, dict[str, None]] = {}
    for words, members in rows:
        for word in words.split("/") if not words.startswith("@") else ():
            known = foods.setdefault(word, {})
            for name in (name for member in members for name in groups.get(member, (member,))):
                opposite = name[4:] if name.startswith("not ") else f"not {name}"
                if opposite not in known:  # of two rows, the first counts
                    known[name] = None
    return {word: frozenset(known) for word, known in foods.items()}


def _bare(word: str) -> str:
    return word.lower().strip(",")
