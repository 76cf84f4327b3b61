"""Choosing a swap unasked: of what cooks would likely take, the one with the fewest doubts that changes the dish least.

A doubt is what would make a cook stop (a guessed amount, a step that the food is unfit for, a diet that the dish keeps); a change is
what they would taste or do differently, weighed against how likely the swap is and whether shops have it; under a diet, what those who
keep it take counts as likely. Where nothing can do the work, a mixture is chosen, and rather nothing than what would spoil the dish.
"""

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from swapchef.amounts.ratios import find_ratio
from swapchef.effects.tastes import changed_tastes, is_stronger, is_too_much
from swapchef.errors import SwapchefError
from swapchef.foods.kinds import is_other_variety, is_same_food, is_vague, kinds_apart, kinds_of
from swapchef.limits.wishes import Limits
from swapchef.swapping.answers import Suggestion, Suggestions
from swapchef.tables import read_table

LOOKED_AT = 10  # suggestions to choose one from
_NAMED = 3  # swaps for the cook to choose from, where none is made unasked
_STANDBY = 0.02  # the least chance of a food that is sold for the diet that is asked for
_COMMON = 400  # recipes of the collection that have it: any shop does too


@cache
def standbys_of(source: str) -> tuple[str, ...]:
    """Return what those who keep a diet take instead of a food.

    >>> standbys_of("cheddar cheese")
    ('vegan cheese', 'soy cheese')
    """
    table = read_standbys()
    return next((table[kind] for kind in kinds_of(source) if kind in table), ())


@cache
def read_standbys() -> dict[str, tuple[str, ...]]:
    """Return the table of standbys by food or kind."""
    return {kind: tuple(foods.split(", ")) for kind, foods in read_table("swapping/standbys.tsv")}


class Dish(NamedTuple):
    """What the choice of a swap must know of a recipe."""

    diets: tuple[str, ...]  # it had better keep to them
    foods: tuple[str, ...]  # that stay in it
    use: str | None = None  # baking, frying or raw


def _near(answer: Suggestions) -> list[Suggestion]:
    """Return the suggestions that come near the likeliest."""
    looked_at = answer.suggestions[:LOOKED_AT]
    return [each for each in looked_at if each.probability >= looked_at[0].probability / 12]


def with_relatives(answer: Suggestions, relatives: Suggestions) -> Suggestions:
    """Add related foods to an answer."""
    known = {each.name for each in answer.suggestions}
    more = [each for each in relatives.suggestions if each.name not in known]
    return replace(answer, suggestions=(*answer.suggestions, *more))


def is_doubtful(answer: Suggestions, dish: Dish) -> bool:
    """Say whether each of the likely suggestions is of another kind or has something against it, so that relatives are worth a look."""
    source = answer.ingredient
    return all(kinds_apart(source, each.name) or _doubts(each, source, dish) for each in _near(answer))


def best_of(answer: Suggestions, limits: Limits, dish: Dish, recipes_with: Callable[[str], float]) -> str:
    """Choose what to put into the recipe unasked: the favourite, or a mixture where that will not do."""
    if answer.suggestions:
        best = favourite_of(answer, limits, dish, recipes_with)
        if not limits and (_is_unfit(best) or _is_guessed_stranger(best, answer.ingredient)):
            return _made_of_several(answer)
        return best.mixture.name if best.mixture else best.name
    if answer.mixtures:
        return answer.mixtures[0].name
    raise SwapchefError(f"I know nothing to use instead of {answer.ingredient}; name something yourself with --with.")


def favourite_of(answer: Suggestions, limits: Limits, dish: Dish, recipes_with: Callable[[str], float]) -> Suggestion:
    """Return the suggestion, of those that come near the likeliest, with the fewest doubts that changes the dish least."""
    near = [*_near(answer), *answer.suggestions[LOOKED_AT:]]  # and the relatives, if there are any

    def order(each: Suggestion) -> tuple[int, float]:
        is_same = is_same_food(each.name, answer.ingredient) and not is_other_variety(answer.ingredient, each.name)
        row = find_ratio(answer.ingredient, each.name)
        is_stranger = bool(limits) and (row is None or row.where not in {"any", dish.use})
        is_standby = bool(limits) and not is_stranger and each.name in standbys_of(answer.ingredient)
        in_the_shop = 0.4 * math.log2(1 + (_COMMON if is_standby else min(recipes_with(each.name), _COMMON)))
        likely = math.log2(max(each.probability, _STANDBY if is_standby else 1e-4))
        change = _changed(each, answer.ingredient, dish) + _SAME * (is_same and not limits)
        return _doubts(each, answer.ingredient, dish) + is_stranger, change - likely - in_the_shop

    return min(near, key=order)


# What a change of the dish weighs, in halvings of a swap's probability.
_STEP, _TASTE, _KIND, _FORM, _TWICE = 0.5, 1.0, 1.5, 2.0, 1.5
_SAME = 4.0  # the same food by another name: whoever has run out of one has hardly the other
_IDLE = re.compile(r"\bdoes not bind\b", re.IGNORECASE)  # which is what the food that goes was there for
_CAN = re.compile(r"\b(?:can|tin|jar)s?\b")


def _changed(suggestion: Suggestion, source: str, dish: Dish) -> float:
    """Say how much a swap changes a dish: steps, tastes, a food of another kind, one that the dish has already."""
    steps = sum(note.kind in {"technique", "timing"} for note in suggestion.notes)
    return (
        _STEP * steps
        + _TASTE * len(changed_tastes(source, suggestion.name))
        + _KIND * kinds_apart(source, suggestion.name)
        + _FORM * _leaves_the_can(suggestion)
        + _TWICE * (source != "water" and any(is_same_food(suggestion.name, food) for food in dish.foods))
    )


def _doubts(suggestion: Suggestion, source: str, dish: Dish) -> int:
    """Count what speaks against making a swap unasked: a vague name, a guessed amount, another taste in it, a step or the work it is unfit for, a diet."""
    is_guess = _is_guess(suggestion)
    return sum(
        (
            is_vague(suggestion.name),
            any(suggestion.verdicts[facet] == "unsafe" for facet in dish.diets),
            is_guess,
            is_guess and (bool(changed_tastes(source, suggestion.name)) or is_stronger(source, suggestion.name)),
            suggestion.amount is not None and is_too_much(suggestion.name, suggestion.amount.text),
            suggestion.amount is not None and bool(_IDLE.search(suggestion.amount.note)),
            _is_unfit(suggestion),
        )
    )


def _is_guess(suggestion: Suggestion) -> bool:
    """Say whether nobody knows how much of it to take."""
    guesses = any(note.kind == "amount" and note.is_guess for note in suggestion.notes)
    return suggestion.amount is None or suggestion.amount.is_guess or guesses


def _is_guessed_stranger(suggestion: Suggestion, source: str) -> bool:
    """Say whether a swap has neither kind nor name in common and nobody knows how much of it to take: readers refused half of such."""
    is_related = kinds_apart(source, suggestion.name) == 0 or not set(source.split()).isdisjoint(
        suggestion.name.split()
    )
    is_measured = suggestion.amount is not None and bool(suggestion.amount.text)  # and not "to taste"
    return is_measured and not is_related and _is_guess(suggestion) and suggestion.mixture is None


def _leaves_the_can(suggestion: Suggestion) -> bool:
    """Say whether what was cooked in a can is replaced by what is not."""
    lines = [change for change in suggestion.changes if change.where == "ingredient"]
    return any(_CAN.search(change.old) and not _CAN.search(change.new) for change in lines)


def _is_unfit(suggestion: Suggestion) -> bool:
    return any(note.kind == "unfit" for note in suggestion.notes)


def _made_of_several(answer: Suggestions) -> str:
    """Choose a mixture where no single food can do the work, and rather nothing than what would spoil the dish."""
    able = next(
        (each for each in answer.mixtures if "not " not in each.note), None
    )  # the note of others: "not for candy"
    if able is None:
        others = [each.name for each in answer.suggestions if not _is_unfit(each)][:_NAMED]
        nearest = f"cooks took {' or '.join(others)}" if others else "suggest shows what comes nearest"
        raise SwapchefError(
            f"I know nothing that does the work of {answer.ingredient} here; {nearest}, and --with takes what you choose."
        )
    return able.name
