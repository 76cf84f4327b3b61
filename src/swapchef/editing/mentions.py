"""Where a recipe's text speaks of an ingredient: by its full name, by part of it, as a verb or as an adjective.

Every ingredient of the recipe has names that it may go by; a longer name is looked for before a shorter one, and a
name of the vocabulary around one of them ("peanut butter", "butter lettuce") is another food and no mention. Where the
same words may mean two ingredients equally well ("oil" beside olive oil and sesame oil), the mention is doubtful.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from swapchef.editing.matched_recipe import RecipeFood
from swapchef.en import steps
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
# The last word of a cut of meat: the words before it are what cooks say ("the chicken").
CUTS = words_with("cut")
# A last word that cooks leave out where the rest is no other food: "cheddar", "jalapeno", "worcestershire".
_LEFT_OUT = words_with("left-out")
# After a food's name these say what is cut from it, ...
PIECES = words_with("piece")
# ... and these what is made with it.
_MADE_WITH = words_with("made-with")
# Words before a name that leave it that food.
DESCRIBING = words_with("in-steps")
NEXT_WORD = re.compile(r"[ -]([^\W\d_]+)")
_NEAR = 12  # words on either side of one by which its sense is known
_SHORTEST_ALONE = 4  # letters of a word that may stand for a longer name

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
    texts_in_words = [words_of(text) for text in texts]
    stems = frozenset(word.stem for words in texts_in_words for word in words)
    finder = _Finder(foods, sought, _lexicon(vocabulary), stems)
    return [list(finder.mentions(words)) for words in texts_in_words]


class _Finder:
    """Knows what each name may mean in texts of which all words are known beforehand, by their stems."""

    def __init__(
        self, foods: Sequence[RecipeFood], sought: Collection[int], lexicon: "_Lexicon", stems: frozenset[str]
    ) -> None:
        self._foods = {food.id: food for food in foods}
        self._sought = frozenset(sought)
        # What each name may mean: foods by their ids, and how strongly it stands for each; empty for other foods.
        self._meanings: dict[_Words, dict[int, int]] = {}
        for food in foods:
            for words, strength in _names(food.name, tuple(food.written), lexicon.names):
                meanings = self._meanings.setdefault(words, {})
                meanings[food.id] = max(strength, meanings.get(food.id, 0))
        for id in self._sought:
            self._set_others_apart(self._foods[id], lexicon, stems)
        self._longest: dict[str, int] = {}
        for words in self._meanings:
            self._longest[words[0]] = max(len(words), self._longest.get(words[0], 0))

    def mentions(self, tokens: list[Word]) -> Iterator[Mention]:
        """Yield the mentions of the foods that are sought."""
        tap_water = _tap_water(tokens) if ("water",) in self._meanings else frozenset()
        position = 0
        while position < len(tokens):
            token = tokens[position]
            if root := steps.FOOD_IN_ADJECTIVE.get(token.text):
                if food := self._meant((root,)):
                    yield Mention(token.start, token.end, food, "adjective")
                position += 1
                continue
            length = self._length_of_name_at(tokens, position)
            is_tap_water = length == 1 and position in tap_water
            if length and not is_tap_water and (mention := self._mention(tokens, position, length)):
                yield mention
            position += max(length, 1)

    def _length_of_name_at(self, tokens: list[Word], position: int) -> int:
        """Return how many words from here on are the longest name that is known."""
        most = self._longest.get(tokens[position].stem, 0)
        run = 1
        while run < most and position + run < len(tokens) and tokens[position + run - 1].is_joined:
            run += 1
        for length in range(run, 0, -1):
            if tuple(token.stem for token in tokens[position : position + length]) in self._meanings:
                return length
        return 0

    def _mention(self, tokens: list[Word], position: int, length: int) -> Mention | None:
        """Return what the words from here on mention, unless they have another sense here."""
        named = tokens[position : position + length]
        words = tuple(token.stem for token in named)
        start, end, is_many = named[0].start, named[-1].end, named[-1].is_many
        if not self._meanings[words]:
            whole = self._meant(words[:1]) if words[-1] in steps.PARTS_OF_EGG else None
            return Mention(start, end, whole, "derived", is_many) if whole else None
        if words == ("pepper",) and follows_salt(tokens, position) and (seasoning := self._seasoning()):
            return Mention(start, end, seasoning) if seasoning.id in self._sought else None
        best = self._best(words)
        food = next((food for food in best if food.id in self._sought), None)
        if food is None or _has_other_sense(tokens, position, length, food):
            return None
        if length == 1 and is_verb(*_near(tokens, position)):
            is_food_too = is_done_with_food(named[0].text) and len(best) == 1
            return Mention(start, end, food, "verb") if is_food_too else None
        others = tuple(other.name for other in best if other.id != food.id)
        return Mention(start, end, food, "noun", is_many, self._meanings[words][food.id] < _OWN, others)

    def _best(self, words: _Words) -> list[RecipeFood]:
        meanings = self._meanings.get(words, {})
        strongest = max(meanings.values(), default=0)
        return [self._foods[id] for id, strength in meanings.items() if strength == strongest]

    def _meant(self, words: _Words) -> RecipeFood | None:
        best = self._best(words)
        return best[0] if len(best) == 1 and best[0].id in self._sought else None

    def _seasoning(self) -> RecipeFood | None:
        """Return the pepper that goes with salt, if the recipe has one."""
        return next((food for food in self._foods.values() if "black pepper" in kinds_of(food.name)), None)

    def _set_others_apart(self, food: RecipeFood, lexicon: "_Lexicon", stems: frozenset[str]) -> None:
        """Enter the vocabulary's longer names around a food's own: other foods, or the same one named more exactly."""
        own = [words for words, meanings in self._meanings.items() if food.id in meanings]
        for last in {words[-1] for words in own} & stems:
            for words, name in lexicon.names_with.get(last, ()):
                if not stems.issuperset(words) or words in self._meanings:  # the texts cannot say it
                    continue
                if food.name in kinds_of(name) and DESCRIBING.isdisjoint(words):
                    self._meanings[words] = {food.id: _KIND}
                elif not self._is_about(words, food.id):
                    self._meanings[words] = {}

    def _is_about(self, words: _Words, id: int) -> bool:
        """Say whether a longer name is only a food described, a piece of it or something made with it."""
        start = 0
        while start < len(words) - 1 and words[start] in DESCRIBING:
            start += 1
        for end in range(len(words), start, -1):
            if id in self._meanings.get(words[start:end], ()):
                return all(word in PIECES or word in _MADE_WITH for word in words[end:])
        return False


def _has_other_sense(tokens: list[Word], position: int, length: int, food: RecipeFood) -> bool:
    """Say whether words that may name a food mean another thing here: "until the juices run clear", "roast it"."""
    if only_tastes_of_it(tokens, position + length - 1):
        return True
    if length > 1:
        return False
    is_black_pepper = tokens[position].stem == "pepper" and "black pepper" in kinds_of(food.name)
    return (
        is_meat_juice(tokens, position)
        or is_deed(tokens, position)
        or (is_black_pepper and is_pepper_vegetable(tokens, position))
    )


def _tap_water(tokens: list[Word]) -> frozenset[int]:
    """Return where "water" is not that of the ingredient list: "a pot of water", and "the water" after it.

    `is_from_the_tap` looks back at all earlier water of a text; here it is asked about nearby words alone, in order.
    """
    places: set[int] = set()
    is_last_from_tap = False
    for position, token in enumerate(tokens):
        if token.stem == "water":
            is_same = position > 0 and tokens[position - 1].text == "the" and tokens[position - 1].is_joined
            is_from_tap = is_from_the_tap(*_near(tokens, position)) or (is_same and is_last_from_tap)
            if is_from_tap:
                places.add(position)
            if token.text == "water":
                is_last_from_tap = is_from_tap
    return frozenset(places)


def _near(tokens: list[Word], position: int) -> tuple[list[Word], int]:
    """Return the words around one, and its place among them."""
    start = max(0, position - _NEAR)
    words = tokens[start : position + _NEAR]
    return [*words[:-1], words[-1]._replace(is_joined=False)], position - start


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
    own = [words for text in (name, *written) if (words := stems_in(text)[-_LONGEST:])]
    if not own:  # a line without letters
        return ()
    names = [(words, _OWN) for words in own]
    names += [(stems_in(kind), _KIND) for kind in kinds_of(name) if not kind.startswith("any ")]
    for words in own:
        for part in _parts(words, name, known):
            names.append((part, _KIND if is_same_food(" ".join(part), name) else _PART))
    return tuple(names)


def _parts(words: _Words, food: str, known: frozenset[_Words]) -> Iterator[_Words]:
    """Yield what cooks shorten a name to: "beef" for ground beef, "chicken" for chicken breast, "cheddar"."""
    if not steps.JOINING_WORDS.isdisjoint(words):
        return
    is_vegetable = "any vegetable" in kinds_of(food)  # its ribs and spears are those of another just as well
    for start in range(len(words)):
        rest = words[start:]
        is_vague = rest[-1] in _TOO_VAGUE or (is_vegetable and rest[-1] in steps.PARTS_OF_VEGETABLES)
        if not is_vague or (len(rest) > 1 and not (start and rest[0] == "roll")):  # "roll dough around the filling"
            yield rest
        head = rest[:-1]
        while head and rest[len(head)] in CUTS:
            if head[-1] not in DESCRIBING:
                yield head
            head = head[:-1]
        if _may_leave_out_last(rest, food, known):
            yield rest[:-1]


def _may_leave_out_last(words: _Words, food: str, known: frozenset[_Words]) -> bool:
    """Say whether cooks leave out the last word of a name and still mean the food: "cheddar", "worcestershire"."""
    shorter, last = words[:-1], words[-1]
    if not shorter or DESCRIBING.issuperset(shorter):
        return False
    if last not in _LEFT_OUT and not (last == "sauce" and shorter[-1] in steps.NAMED_SAUCES):
        return False
    if is_same_food(" ".join(shorter), food):
        return True
    is_short_for_it = shorter[-1] not in words_with("never-short") and len(shorter[-1]) >= _SHORTEST_ALONE
    return shorter not in known and is_short_for_it


def is_attributive(text: str, end: int, in_title: bool) -> bool:
    """Say whether a name describes the noun after it: "flour mixture", "Banana Bread"."""
    following = NEXT_WORD.match(text, end)
    if not following:
        return False
    word = singular(following[1].lower())
    return (word not in steps.NOT_DESCRIBED) if in_title else word in _MADE_WITH
