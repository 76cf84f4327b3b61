"""Whether a word that names a food means that food where it stands: "butter the pan", "a pot of water", "roast it".

Each function looks at the words around one word of a running text; the words it looks for are listed in `senses.tsv`.
"""

from collections.abc import Sequence
from functools import cache

from swapchef.foods.words import Word
from swapchef.tables import read_table

_NEAR = 5  # words before "water" that still belong to it: "a large pot of lightly salted water"
_SALT_AND = 4  # words before "pepper" among which its salt stands


@cache
def _lists() -> dict[str, frozenset[str]]:
    lists: dict[str, set[str]] = {}
    for name, words in read_table("foods/senses.tsv"):
        lists.setdefault(name, set()).update(words.split())
    return {name: frozenset(words) for name, words in lists.items()}


def _listed(text: str, name: str) -> bool:
    return text in _lists()[name]


def words_listed(name: str) -> frozenset[str]:
    """Return the words of a list."""
    return _lists()[name]


@cache
def words_meant() -> dict[str, str]:
    """Return what some words of a running text stand for: "whites" for egg, "buttered" for butter."""
    return dict(pair.split("=") for pair in words_listed("stands for"))


def is_verb(words: Sequence[Word], position: int) -> bool:
    """Tell "Butter the pan" and "grease and flour a dish" from the food."""
    word, before = words[position], words[position - 1] if position else None
    if not _listed(word.text, "verb"):
        return False
    is_joined = before is not None and before.is_joined
    if (is_joined and not _listed(before.text if before else "", "before a verb")) or not word.is_joined:
        return False
    after = words[position + 1].text
    if after == "and" and position + 2 < len(words) and _listed(words[position + 2].text, "verb"):
        return is_verb(words, position + 2)
    if word.text == "cream" and _listed(after, "creamed"):
        return True
    follows_and = is_joined and before is not None and before.text in {"and", "or"}
    return _listed(after, "after a joined verb" if follows_and else "after a verb")


def is_done_with_food(word: str) -> bool:
    """Say whether a verb is done with the food it is named after: to butter, but not to juice.

    >>> is_done_with_food("butter"), is_done_with_food("juice")
    (True, False)
    """
    return _listed(word, "verb with the food")


def is_deed(words: Sequence[Word], position: int) -> bool:
    """Tell "roast it for an hour" and "until tender" from "slice the roast"."""
    if not _listed(words[position].text, "cut or deed"):
        return False
    is_named = position > 0 and words[position - 1].is_joined and _listed(words[position - 1].text, "before a cut")
    return not is_named


def is_from_the_tap(words: Sequence[Word], position: int) -> bool:
    """Tell "a pot of salted water" and "a water bath" from the water of the ingredient list."""
    start = position
    while start and position - start < _NEAR and words[start - 1].is_joined:
        start -= 1
    before = [word.text for word in words[start:position]]
    is_in_vessel = "of" in before and any(_listed(word, "vessel") for word in before[: before.index("of")])
    is_tap_water = any(_listed(word, "from the tap") for word in before[-2:])
    if is_in_vessel or is_tap_water or any(_listed(word, "filled") for word in before):
        return True
    if words[position].is_joined and words[position + 1].text == "bath":
        return True
    earlier = [place for place in range(position) if words[place].text == "water"]
    return (
        before[-1:] == ["the"] and bool(earlier) and is_from_the_tap(words, earlier[-1])
    )  # what a pot was filled with


def follows_salt(words: Sequence[Word], position: int) -> bool:
    """Say whether salt stands shortly before a word: "salt and freshly ground pepper"."""
    return any(word.text == "salt" for word in words[max(0, position - _SALT_AND) : position])


def is_pepper_vegetable(words: Sequence[Word], position: int) -> bool:
    """Tell "cut the tops off the peppers" and "top each pepper" from the seasoning."""
    before = words[position - 1].text if position and words[position - 1].is_joined else ""
    return words[position].text == "peppers" or _listed(before, "before a vegetable")


def only_tastes_of_it(words: Sequence[Word], position: int) -> bool:
    """Say whether what follows a name makes it the taste of something else: "butter extract"."""
    return words[position].is_joined and _listed(words[position + 1].text, "tastes of it")


def is_meat_juice(words: Sequence[Word], position: int) -> bool:
    """Tell "until the juices run clear" from the juice of the ingredient list."""
    return words[position].text == "juices"


def is_creaming(words: Sequence[str], position: int) -> bool:
    """Say whether a sentence, or "In a bowl,", begins with this "cream" and what is creamed follows.

    Marks are words here; "-" stands for the end of a sentence. "Whisk eggs and cream together" is about cream.
    """
    if position:
        before = words[position - 1]
        is_after_tool = before == "," and position > 1 and _listed(words[position - 2], "before cream as a verb")
        if before != "-" and not is_after_tool:
            return False
    after = words[position + 1 : position + 4]
    if after[:1] == ["the"]:
        return True
    if after[:1] == ["together"]:
        return after[1:2] != ["with"]
    for word in after:  # at most two words before the fat: "cream softened unsalted butter"
        if _listed(word, "fat to be creamed"):
            return True
        if not word.isalpha() or _listed(word, "not creamed"):
            return False
    return False


def is_general_name(food: str) -> bool:
    """Say whether a name stands for many foods: "meat", of beef."""
    return _listed(food.rpartition(" ")[2], "general name")


def makes_dough(food: str) -> bool:
    """Say whether doughs and batters are made of a food, by the last word of its name."""
    return _listed(food.rpartition(" ")[2], "flour")
