"""Whether a word that names a food means that food where it stands: "butter the pan", "a pot of water", "roast it".

Each function looks at the words around one word of a running text; the words it looks for are listed in `senses.tsv`.
"""

import re
from collections.abc import Sequence
from functools import cache

from swapchef.foods.words import Token, Word, tokens_of
from swapchef.tables import read_table

_NEAR = 5  # words before "water" that still belong to it: "a large pot of lightly salted water"
_SALT_AND = 4  # words before "pepper" among which its salt stands
_REACH = 24  # characters before a food in which it is told to be a likeness
_ENDS_SENTENCE = frozenset(".!;:")


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


def baked_dishes() -> frozenset[str]:
    """Return what steps call a baked dish or its parts, each in the singular."""
    return _lists()["baked dish"]


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


def with_foods_only(text: str) -> str:
    """Write a text so that the names of foods in it mean foods.

    >>> with_foods_only("Cream the sugar. Pour it into a buttered dish.")
    'beat the sugar. Pour it into a butter on dish.'
    """
    tokens = tokens_of(text)
    pieces, reached = [], 0
    for position, token in enumerate(tokens):
        if token.text == "cream" and _is_creaming(tokens, position):
            meant = "beat"
        elif token.text in {"buttered", "floured"}:  # with butter, with flour
            meant = text[token.start : token.end - len("ed")] + " on"
        else:
            continue
        pieces += [text[reached : token.start], meant]
        reached = token.end
    return "".join([*pieces, text[reached:]])


def _is_creaming(tokens: Sequence[Token], position: int) -> bool:
    """Say whether a sentence, or "In a bowl,", begins with this "cream" and what is creamed follows.

    "Whisk eggs and cream together" is about cream.
    """
    if position:
        before = tokens[position - 1].text
        is_after_tool = before == "," and position > 1 and _listed(tokens[position - 2].text, "before cream as a verb")
        if before not in _ENDS_SENTENCE and not is_after_tool:
            return False
    after = [token.text for token in tokens[position + 1 : position + 4]]
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


def is_served_beside(before: str) -> bool:
    """Say whether what follows is served with the dish rather than made in it: "serve with gravy"."""
    preceding = _LAST_WORD.search(before)
    return preceding is not None and _listed(preceding[1].lower(), "served with")


def makes_dough(food: str) -> bool:
    """Say whether doughs and batters are made of a food, by the last word of its name."""
    return _listed(food.rpartition(" ")[2], "flour")


def preparations_of_dish() -> frozenset[str]:
    """Return what steps call parts of a dish that the recipe makes: "the filling"."""
    return _lists()["part of the dish"]


def is_tool_word(word: str, before: str, after: str) -> bool:
    """Say whether a food's name is a tool, a shape or a deed where it stands: "pastry brush", "wrap and rest".

    >>> is_tool_word("pizza", "in a hot ", " oven"), is_tool_word("pizza", "slice the ", "")
    (True, False)
    """
    following = _WORD.match(after.lstrip(" -"))
    next_word = following[0].lower() if following else ""
    bare = word.removesuffix("s")
    if (
        _listed(bare, "tool")
        or _listed(bare, "seldom a food")
        or (after[:1] in {" ", "-"} and _listed(next_word, "after no food"))
    ):
        return True
    if not _listed(word, "deed"):
        return False
    preceding = _LAST_WORD.search(before)
    names_it = ("before a cut", "before a name")
    return preceding is None or not any(_listed(preceding[1].lower(), words) for words in names_it)


def is_likeness(before: str, after: str) -> bool:
    """Say whether a food is only compared with: "the size of a walnut", "until salmon pink"."""
    following = _WORD.match(after.lstrip(" -"))
    if following and after[:1] in {" ", "-"} and _listed(following[0].lower(), "after a colour"):
        return True
    preceding = [word.lower() for word in _WORD.findall(before[-_REACH:])[-4:]]
    if preceding and _listed(preceding[-1], "right before no food"):
        return True
    return any(_listed(word, "before no food") for word in preceding)


_WORD = re.compile(r"[^\W\d_]+")
_LAST_WORD = re.compile(r"([^\W\d_]+)\s+$")
