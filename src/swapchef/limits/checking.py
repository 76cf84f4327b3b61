"""One judge for a whole recipe: its title, its lines with all their alternatives, and every food that its steps name.

A food in a step or the title is excused only by a line that lists it under a name of the same food ("the milk" of
coconut milk, but no butter of peanut butter), or because the recipe itself makes it ("roll out the dough"). What such
foods may contain counts as what they do contain.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from swapchef.foods.food_table import bound_cuts
from swapchef.foods.kinds import WIDE, kinds_of
from swapchef.foods.reading import ONLY_A_TOOL, foods_in, read_name
from swapchef.foods.senses import (
    baked_dishes,
    is_general_name,
    is_likeness,
    is_served_beside,
    is_tool_word,
    makes_dough,
    preparations_of_dish,
    with_foods_only,
)
from swapchef.foods.words import stems_in
from swapchef.limits.wishes import Judgement, Limits
from swapchef.recipes import IngredientLine, Recipe


@dataclass(frozen=True, slots=True)
class Breach:
    """A title, a line or a step that is against the limits, or that cannot be judged."""

    where: Literal["title", "ingredient", "step"]
    number: int  # from 1; 0 for the title
    text: str
    status: Literal["unsafe", "unknown"]
    rule: str


def problems_in(recipe: Recipe, limits: Limits, is_baking: bool) -> list[Breach]:
    """Judge every line by all that it says, and title and steps by the foods that no line lists."""
    breaches = []
    for number, line in enumerate(recipe.ingredients, start=1):
        judgement = judged_line(line, limits)
        if judgement.status != "safe":
            breaches.append(Breach("ingredient", number, line.text, judgement.status, judgement.rule))
    listed = _Listed(recipe, is_baking)
    if (unsafe := listed.unlisted(recipe.title, limits, is_title=True)) is not None:
        breaches.insert(0, Breach("title", 0, recipe.title, "unsafe", unsafe.rule))
    for number, step in enumerate(recipe.steps, start=1):
        if (unsafe := listed.unlisted(step.text, limits)) is not None:
            breaches.append(Breach("step", number, step.text, "unsafe", unsafe.rule))
    return breaches


def judged_line(line: IngredientLine, limits: Limits) -> Judgement:
    """Judge a line by all that it says: its alternatives, brackets and remarks count, and a strange word anywhere."""
    judgement = limits.judge(line.text)
    return Judgement("safe") if judgement.rule == ONLY_A_TOOL else judgement


class _Listed:
    """What a recipe lists and makes, so that a food in its texts can be told to be one of those."""

    def __init__(self, recipe: Recipe, is_baking: bool) -> None:
        self._texts = [line.text for line in recipe.ingredients]
        self._lines = [read_name(text) for text in self._texts]
        self._foods = {tuple(stems_in(food)) for line in self._lines for food in line.foods}
        self._names = {tuple(stems_in(line.name)) for line in recipe.ingredients}
        has_flour = any(makes_dough(" ".join(name)) for name in (*self._names, *self._foods))
        self._baked = baked_dishes() if is_baking or has_flour else frozenset()
        self._title = set(stems_in(recipe.title))

    def unlisted(self, text: str, limits: Limits, is_title: bool = False) -> Judgement | None:
        """Return the judgement on the first food of a text that is against the limits and that no line lists."""
        text = with_foods_only(text)
        for start, end in foods_in(text, with_qualities=False):
            judgement = limits.judge(text[start:end])
            if judgement.status != "unsafe" or (is_title and judgement.may_contain):
                continue
            words = tuple(stems_in(text[start:end]))
            if self._is_no_food(text, start, end) or self._is_listed(words):
                continue
            if self._is_in_unsafe_line(words, judgement, limits):
                continue
            if not self._is_made_here(words, text[:start], judgement, limits if is_title else None):
                return judgement
        return None

    def _is_no_food(self, text: str, start: int, end: int) -> bool:
        return is_tool_word(text[start:end].lower(), text[:start], text[end:]) or is_likeness(text[:start], text[end:])

    def _is_listed(self, words: Sequence[str]) -> bool:
        """Say whether a line lists a food: under that name, or under a longer one of the same kind of food."""
        if tuple(words) in self._foods or tuple(words) in self._names:
            return True
        name = " ".join(words)
        if (len(words) == 1 and is_general_name(name)) or read_name(name).names_cut:
            contents = read_name(name).contents
            if any(not contents.keys().isdisjoint(line.contents) for line in self._lines):
                return True
        plants = bound_cuts().get(words[-1], frozenset())  # "separate the ribs" of celery
        if any(not plants.isdisjoint({" ".join(food), food[-1]}) for food in self._foods):
            return True
        return any(_is_short_for(words, longer) for longer in (*self._foods, *self._names))

    def _has_like_it(self, words: Sequence[str]) -> bool:
        """Say whether a line lists a food of the same narrow kind: "stock", where broth is listed."""
        return any(_are_related(words, other) for other in (*self._foods, *self._names))

    def _is_in_unsafe_line(self, words: Sequence[str], judgement: Judgement, limits: Limits) -> bool:
        """Say whether a line that is itself reported is what a food is called after: "the pastry", of puff pastry."""
        contents = read_name(" ".join(words)).contents.keys()
        for name, line in zip(self._texts, self._lines, strict=True):
            if contents.isdisjoint(line.contents) or limits.judge(name).status != "unsafe":
                continue
            telling = set(words if judgement.may_contain else words[:-1])  # "chicken", of chicken stock and broth
            is_called_after = not telling.isdisjoint(stems_in(name)) or not telling.isdisjoint(self._title)
            if is_called_after and (judgement.may_contain or self._has_like_it(words)):
                return True
        return False

    def _is_made_here(self, words: Sequence[str], before: str, judgement: Judgement, of_title: Limits | None) -> bool:
        """Say whether a name means the dish or a part of it that the recipe makes: "the dough", "Oat Cookies"."""
        last = words[-1]
        if last in self._baked:
            return True
        if last in preparations_of_dish():
            if of_title:  # "Lentil Soup", but not "Chicken Soup"
                return of_title.judge(" ".join(words[:-1])).status != "unsafe"
            if len(words) == 1 and not is_served_beside(before):
                return True
        return judgement.may_contain and (last in self._title or self._has_like_it(words))


def _is_short_for(words: Sequence[str], longer: Sequence[str]) -> bool:
    """Say whether words are short for a longer name of the same kind of food: "milk" for coconut milk, "cheddar"."""
    size = len(words)
    begins_or_ends = tuple(words) in {tuple(longer[:size]), tuple(longer[-size:])}
    return size < len(longer) and begins_or_ends and _are_related(words, longer)  # but no crab for crab apples


def _are_related(words: Sequence[str], longer: Sequence[str]) -> bool:
    """Say whether two names share a kind that is not too wide to tell anything."""
    kinds = set(kinds_of(" ".join(longer))) - WIDE
    return any(kind in kinds for kind in kinds_of(" ".join(words)))
