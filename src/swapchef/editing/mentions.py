"""Where a recipe's text speaks of an ingredient: by its full name, by part of it, as a verb or as an adjective.

Every ingredient of the recipe claims the names it may go by, a longer name claims its words before a shorter one, and
the names of the vocabulary that hold a claimed word ("peanut butter", "butter lettuce") claim theirs for nobody, so that they
are left alone. Where two ingredients claim the same words equally ("oil" beside olive oil and sesame oil) the mention
is reported as doubtful, and it is for the editor to leave it.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from swapchef.editing.matched_recipe import RecipeFood
from swapchef.en.nouns import singular
from swapchef.foods.kinds import is_same_food, kinds_of
from swapchef.foods.lexicon import words_with
from swapchef.foods.matching import Vocabulary
from swapchef.foods.senses import (
    follows_salt,
    is_deed,
    is_done_with_food,
    is_from_the_tap,
    is_meat_juice,
    is_pepper_vegetable,
    is_verb,
    only_tastes_of_it,
)
from swapchef.foods.words import Word, stems_in, words_of

_Words = tuple[str, ...]
_LONGEST = 7  # words in a name

# How strongly words stand for a food: its own name, another name of the same food, a part of a name.
_OWN, _KIND, _PART = 3, 2, 1

# A last word that alone may mean anything in a recipe, most often the dish itself.
_TOO_VAGUE = words_with("vague-alone")
_OF_VEGETABLES = frozenset({"rib", "spear"})
# The last word of a cut of meat: the words before it are what cooks say ("the chicken").
CUTS = words_with("cut")
# A last word that cooks leave out where the rest is no other food: "cheddar", "jalapeno", "worcestershire".
_LEFT_OUT = words_with("left-out")
_SAUCES = frozenset("worcestershire tabasco sriracha hoisin".split())
# After a food's name these say what is cut from it, ...
PIECES = words_with("piece")
# ... and these what is made with it.
_MADE_WITH = words_with("made-with")
_EGG_PARTS = frozenset({"white", "yolk"})
# Words before a name that leave it that food.
DESCRIBING = words_with("in-steps")
ADJECTIVES = {
    "buttered": "butter", "oiled": "oil", "floured": "flour", "salted": "salt", "sugared": "sugar", "peppered": "pepper",
}  # fmt: skip

Role = Literal["noun", "verb", "adjective", "derived"]


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a text that speak of an ingredient."""

    start: int
    end: int
    food: RecipeFood
    role: Role = "noun"
    is_many: bool = False
    is_part: bool = False  # by less than the food's own name
    others: tuple[str, ...] = ()  # what else of the recipe it may mean

    @property
    def is_doubtful(self) -> bool:
        """Say whether it may mean another ingredient just as well."""
        return bool(self.others)


def find_mentions(
    texts: Sequence[str], foods: Sequence[RecipeFood], sought: Collection[int], vocabulary: Vocabulary
) -> list[list[Mention]]:
    """Return, for each text of a recipe with these foods, the mentions of those that are sought, in order."""
    tokens = [words_of(text) for text in texts]
    said = frozenset(token.stem for each in tokens for token in each)
    finder = _Finder(foods, sought, _lexicon(vocabulary), said)
    return [list(finder.mentions(each)) for each in tokens]


class _Finder:
    """Knows what each name may mean in texts of which all words are known beforehand."""

    def __init__(
        self, foods: Sequence[RecipeFood], sought: Collection[int], lexicon: "_Lexicon", said: frozenset[str]
    ) -> None:
        self._foods = {food.id: food for food in foods}
        self._sought = frozenset(sought)
        self._claims: dict[_Words, dict[int, int]] = {}
        for food in foods:
            for words, strength in _names(food.name, tuple(food.written), lexicon.names):
                claims = self._claims.setdefault(words, {})
                claims[food.id] = max(strength, claims.get(food.id, 0))
        for id in self._sought:
            self._set_others_apart(self._foods[id], lexicon, said)
        self._longest: dict[str, int] = {}
        for words in self._claims:
            self._longest[words[0]] = max(len(words), self._longest.get(words[0], 0))

    def mentions(self, tokens: list[Word]) -> Iterator[Mention]:
        """Yield the mentions of the foods that are sought."""
        position = 0
        while position < len(tokens):
            token = tokens[position]
            if root := ADJECTIVES.get(token.text):
                if food := self._meant((root,)):
                    yield Mention(token.start, token.end, food, "adjective")
                position += 1
                continue
            length = self._claimed_at(tokens, position)
            if length:
                if mention := self._mention(tokens, position, length):
                    yield mention
                position += length
            else:
                position += 1

    def _claimed_at(self, tokens: list[Word], position: int) -> int:
        """Return how many words from here on are the longest name that anyone claims."""
        most = self._longest.get(tokens[position].stem, 0)
        run = 1
        while run < most and position + run < len(tokens) and tokens[position + run - 1].is_joined:
            run += 1
        for length in range(run, 0, -1):
            if tuple(token.stem for token in tokens[position : position + length]) in self._claims:
                return length
        return 0

    def _mention(self, tokens: list[Word], position: int, length: int) -> Mention | None:
        said = tokens[position : position + length]
        words = tuple(token.stem for token in said)
        start, end, is_many = said[0].start, said[-1].end, said[-1].is_many
        if not self._claims[words]:
            whole = self._meant(words[:1]) if words[-1] in _EGG_PARTS else None
            return Mention(start, end, whole, "derived", is_many) if whole else None
        if words == ("pepper",) and follows_salt(tokens, position) and (seasoning := self._seasoning()):
            return Mention(start, end, seasoning) if seasoning.id in self._sought else None
        best = self._best(words)
        food = next((food for food in best if food.id in self._sought), None)
        if food is None or (length == 1 and is_meat_juice(tokens, position)):
            return None
        if words == ("water",) and is_from_the_tap(tokens, position):
            return None
        if words == ("pepper",) and "black pepper" in kinds_of(food.name) and is_pepper_vegetable(tokens, position):
            return None
        if only_tastes_of_it(tokens, position + length - 1) or (length == 1 and is_deed(tokens, position)):
            return None
        if length == 1 and is_verb(tokens, position):
            return Mention(start, end, food, "verb") if is_done_with_food(said[0].text) and len(best) == 1 else None
        others = tuple(other.name for other in best if other.id != food.id)
        return Mention(start, end, food, "noun", is_many, self._claims[words][food.id] < _OWN, others)

    def _best(self, words: _Words) -> list[RecipeFood]:
        claims = self._claims.get(words, {})
        strongest = max(claims.values(), default=0)
        return [self._foods[id] for id, strength in claims.items() if strength == strongest]

    def _meant(self, words: _Words) -> RecipeFood | None:
        best = self._best(words)
        return best[0] if len(best) == 1 and best[0].id in self._sought else None

    def _seasoning(self) -> RecipeFood | None:
        """Return the pepper that goes with salt, if the recipe has one."""
        return next((food for food in self._foods.values() if "black pepper" in kinds_of(food.name)), None)

    def _set_others_apart(self, food: RecipeFood, lexicon: "_Lexicon", said: frozenset[str]) -> None:
        """Enter the vocabulary's longer names around a food's own: other foods, or the same one told more closely."""
        own = [words for words, claims in self._claims.items() if food.id in claims]
        for last in {words[-1] for words in own} & said:
            for words, name in lexicon.names_with.get(last, ()):
                if not said.issuperset(words):  # the texts cannot say it
                    continue
                if words in self._claims:
                    continue
                if food.name in kinds_of(name) and DESCRIBING.isdisjoint(words):
                    self._claims[words] = {food.id: _KIND}
                elif not self._is_about(words, food.id):
                    self._claims[words] = {}

    def _is_about(self, words: _Words, id: int) -> bool:
        """Say whether a longer name is only a food described, a piece of it or something made with it."""
        start = 0
        while start < len(words) - 1 and words[start] in DESCRIBING:
            start += 1
        for end in range(len(words), start, -1):
            if id in self._claims.get(words[start:end], ()):
                return all(word in PIECES or word in _MADE_WITH for word in words[end:])
        return False


class _Lexicon(NamedTuple):
    """The vocabulary's names by the words in them."""

    names: frozenset[_Words]
    names_with: dict[str, list[tuple[_Words, str]]]


@lru_cache(maxsize=4)
def _lexicon(vocabulary: Vocabulary) -> _Lexicon:
    names_with: dict[str, list[tuple[_Words, str]]] = {}
    names = set()
    for name in vocabulary.names:
        words = stems_in(name)
        names.add(words)
        if 1 < len(words) <= _LONGEST:
            for word in dict.fromkeys(words):
                names_with.setdefault(word, []).append((words, name))
    return _Lexicon(frozenset(names), names_with)


@lru_cache(maxsize=10_000)
def _names(name: str, written: tuple[str, ...], known: frozenset[_Words]) -> tuple[tuple[_Words, int], ...]:
    """Return every name a food may go by in a recipe that writes it so, and how strongly that stands for it."""
    own = [words for said in (name, *written) if (words := stems_in(said)[-_LONGEST:])]
    if not own:  # a line without letters
        return ()
    found = [(words, _OWN) for words in own]
    found += [(stems_in(kind), _KIND) for kind in kinds_of(name) if not kind.startswith("any ")]
    for words in own:
        for part in _parts(words, name, known):
            found.append((part, _KIND if is_same_food(" ".join(part), name) else _PART))
    return tuple(found)


def _parts(words: _Words, food: str, known: frozenset[_Words]) -> Iterator[_Words]:
    """Yield what cooks shorten a name to: "beef" for ground beef, "chicken" for chicken breast, "cheddar"."""
    if {"and", "or", "with", "in", "to", "for", "as"} & set(words):
        return
    is_vegetable = "any vegetable" in kinds_of(food)  # its ribs and spears are those of another just as well
    for start in range(len(words)):
        rest = words[start:]
        is_vague = rest[-1] in _TOO_VAGUE or (is_vegetable and rest[-1] in _OF_VEGETABLES)
        if not is_vague or (len(rest) > 1 and not (start and rest[0] == "roll")):  # "roll dough around the filling"
            yield rest
        head = rest[:-1]
        while head and rest[len(head)] in CUTS:
            if head[-1] not in DESCRIBING:
                yield head
            head = head[:-1]
        shorter = rest[:-1]
        is_left_out = rest[-1] in _LEFT_OUT or (rest[-1] == "sauce" and shorter[-1:] and shorter[-1] in _SAUCES)
        if shorter and is_left_out and not DESCRIBING.issuperset(shorter):
            same = is_same_food(" ".join(shorter), food)
            if same or (shorter not in known and shorter[-1] not in words_with("never-short") and len(shorter[-1]) > 3):
                yield shorter


def is_attributive(text: str, end: int, in_title: bool) -> bool:
    """Say whether a name describes the noun after it: "flour mixture", "Banana Bread"."""
    found = re.match(r"[ -]([^\W\d_]+)", text[end:])
    if not found:
        return False
    word = singular(found[1].lower())
    return (word not in _NO_NOUNS) if in_title else word in _MADE_WITH


_NO_NOUNS = frozenset(
    "and with in or on for of the a an to from ii iii iv i over without recipe by style stuffed baked topped wrapped crusted au la".split()
)
