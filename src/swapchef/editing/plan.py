"""What an edit knows before it writes: a recipe as far as a swap needs it, and a swap as far as that recipe allows it.

Planning finds the food that a swap names and the lines it stands on, understands the target, and refuses what cannot be
done. A plan is all that ingredient lines and texts need to know of a swap.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from swapchef.amounts.measures import is_metric, is_us
from swapchef.amounts.ratios import Portion, Use, how_much, use_of
from swapchef.editing.mentions import Food
from swapchef.en.nouns import capitalized, comes_in_many, is_counted, many_of, one_of, spelled
from swapchef.errors import SwapchefError
from swapchef.foods import preparations
from swapchef.foods.kinds import kinds_of
from swapchef.foods.matching import Match, Vocabulary
from swapchef.recipes import IngredientLine, Recipe
from swapchef.recipes.model import Amount, tidy

_MAX_NAME = 100  # characters; a food's name is shorter


@dataclass(frozen=True, slots=True)
class Swap:
    """What to replace by what: one food, or several that `ratios.combinations` knows, joined by " + "."""

    source: str  # an ingredient of the recipe
    target: str
    lines: tuple[int, ...] = ()  # only on these ingredient lines, counted from 1; on all that have it if empty


@dataclass(frozen=True, slots=True)
class Note:
    """Something the cook should know about an edit."""

    kind: Literal["amount", "technique", "timing", "mention", "unfit"]  # unfit: it cannot do what a step asks of it
    text: str
    step: int = 0  # which step it is about; 0 for the whole recipe
    is_guess: bool = False


@dataclass(frozen=True, slots=True)
class Kitchen:
    """A recipe as far as editing must understand it."""

    recipe: Recipe
    vocabulary: Vocabulary
    foods: tuple[Food, ...]
    on_line: tuple[tuple[int, ...], ...]  # ids of the foods of each line
    use: Use | None
    is_metric: bool

    @classmethod
    def of(cls, recipe: Recipe, vocabulary: Vocabulary, matches: Sequence[Sequence[Match]] | None = None) -> "Kitchen":
        """Understand a recipe; `matches` are those of each ingredient line, where they are known already."""
        names: dict[int, str] = {}
        written: dict[int, list[str]] = {}
        on_line = []
        if matches is None:
            matches = [vocabulary.match_all(line) for line in recipe.ingredients]
        for index, (line, matched) in enumerate(zip(recipe.ingredients, matches, strict=True)):
            found = {match.id: match.name for match in matched} or {-1 - index: line.name.lower()}
            names |= found
            on_line.append(tuple(found))
            for id in found:
                written.setdefault(id, []).extend([line.name] if len(found) == 1 else [])
        foods = tuple(Food(id, name, tuple(dict.fromkeys(written[id]))) for id, name in names.items())
        units = [line.unit for line in recipe.ingredients]
        metric = sum(map(is_metric, units)) > sum(map(is_us, units))
        return cls(recipe, vocabulary, foods, tuple(on_line), use_of(recipe), metric)


@dataclass(frozen=True, slots=True)
class Plan:
    """A swap, understood: which food goes, from which lines, and what comes."""

    food: Food
    target: str  # canonical where the vocabulary knows it, for looking it up
    shown: str  # as the cook shall read it
    target_id: int | None
    parts: tuple[str, ...]  # the names of several foods that replace one
    lines: frozenset[int]
    everywhere: bool
    comes_as_many: bool = False  # the new line has several: "3 shallots"
    is_measured: bool = False  # the new line has a measure of what is otherwise counted: "1/2 cup banana"

    @property
    def is_alike(self) -> bool:
        """Say whether what was done to the one can be done to the other."""
        return not self.parts and preparations.are_alike(self.food.name, self.target)

    def can_be(self, word: str) -> bool:
        """Say whether a preparation is true of what comes; what is measured in spoons is not halved."""
        if self.is_measured and word.lower() in {"halved", "quartered"}:
            return False
        return preparations.can_be(word, self.target, "" if self.parts else self.food.name)


def plan_swaps(swaps: Sequence[Swap], kitchen: Kitchen) -> list[Plan]:
    """Understand swaps that are to be applied together."""
    if not swaps:
        raise SwapchefError("Name at least one ingredient to replace.")
    plans = [_plan(swap, kitchen) for swap in swaps]
    for number, plan in enumerate(plans):
        if any(plan.food.id == other.food.id and plan.lines & other.lines for other in plans[:number]):
            raise SwapchefError(f"Name {plan.food.name} once; it cannot become two things on one line.")
    return plans


def portion_of(plan: Plan, line: IngredientLine, kitchen: Kitchen) -> Portion:
    """Say how much of the new food replaces what a line asks for of the old."""
    return how_much(
        plan.food.name,
        plan.target,
        line.amount,
        line.unit,
        pack=line.pack,
        use=kitchen.use,
        metric=kitchen.is_metric,
    )


def is_many(food: str, amount: Amount | None, unit: str, was_many: bool = False) -> bool:
    """Say whether so much of a food is written in the plural; without an amount, as what stood there before was."""
    if amount is None:
        return is_counted(food) and (was_many or comes_in_many(food))
    if unit:
        return comes_in_many(food)
    return is_counted(food) and (amount.high or amount.low) > 1


def _plan(swap: Swap, kitchen: Kitchen) -> Plan:
    food = _food(swap.source, kitchen)
    having = [index for index, ids in enumerate(kitchen.on_line) if food.id in ids]
    chosen = [index for index in having if not swap.lines or index + 1 in swap.lines]
    if not chosen or (swap.lines and len(chosen) < len(set(swap.lines))):
        numbers = " and ".join(str(index + 1) for index in having)
        raise SwapchefError(f"{food.name} is on line {numbers}; name the lines to change among those.")
    target = tidy(swap.target)
    if not target or len(target) > _MAX_NAME:
        raise SwapchefError(f"Say what to use instead of {food.name} in a few words.")
    parts = tuple(part.strip() for part in target.split(" + ")) if " + " in target else ()
    if any(_COOKED.search(kitchen.recipe.ingredients[index].text) for index in chosen) and _is_raw_meat(target.lower()):
        target = f"cooked {target}"  # raw meat where cooked meat was would be dangerous
    match = None if parts else kitchen.vocabulary.match(target)
    known = match if match and match.confidence >= 0.9 else None
    if target.lower() in {food.name, *map(str.lower, food.written)} or (known and known.id == food.id):
        raise SwapchefError(f"{capitalized(food.name)} for {food.name} is no swap; name something else to use instead.")
    canonical = known.name if known else target.lower()
    if known and known.how == "alias" and len(kinds_of(one_of(known.words))) > 1:
        canonical = one_of(known.words)  # "turkey bacon", which the vocabulary counts as another bacon
    is_canonical = known and target.lower() in {canonical, many_of(canonical)}
    shown = spelled(target.lower()) if is_canonical else target
    plan = Plan(
        food,
        canonical,
        " and ".join(spelled(part) for part in parts) or shown,
        known.id if known else None,
        parts,
        frozenset(chosen),
        len(chosen) == len(having),
    )
    return _with_number(plan, kitchen)


_COOKED = re.compile(r"\b(?:cooked|roasted|rotisserie|leftover|grilled|deli|canned|broiled|poached|barbecued)\b", re.I)


def _is_raw_meat(food: str) -> bool:
    kinds = set(kinds_of(food))
    return "any raw protein" in kinds and kinds.isdisjoint({"any plant protein", "any ham", "any bacon"})


def _food(asked: str, kitchen: Kitchen) -> Food:
    """Find the ingredient of the recipe that a swap names."""
    wanted = tidy(asked).lower()
    for food in kitchen.foods:
        if wanted in {food.name, *map(str.lower, food.written)}:
            return food
    match = kitchen.vocabulary.match(wanted) if wanted else None
    for food in kitchen.foods:
        if match and match.id == food.id:
            return food
    names = ", ".join(food.name for food in kitchen.foods)
    raise SwapchefError(f"{kitchen.recipe.title!r} has no {wanted or 'such ingredient'}; it has {names}.")


def _with_number(plan: Plan, kitchen: Kitchen) -> Plan:
    """Decide how the steps shall speak of the new food, from how much of it there will be."""
    if plan.parts or not is_counted(plan.target):
        return plan
    portion = portion_of(plan, kitchen.recipe.ingredients[min(plan.lines)], kitchen)
    return replace(
        plan,
        comes_as_many=is_many(plan.target, portion.amount, portion.unit),
        is_measured=bool(portion.unit) and not comes_in_many(plan.target),
    )
