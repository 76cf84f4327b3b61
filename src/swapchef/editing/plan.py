"""A swap as far as a recipe allows it: which food goes, from which lines, what comes, and how much of it.

A choice made inside swapchef is planned from a `Food` or a `MixtureRatio`; what a person wrote is understood first, and
what cannot be done is refused. A plan is all that ingredient lines and texts need to know of a swap.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from swapchef.amounts.portions import Portion, portion_of
from swapchef.amounts.ratios import MixtureRatio, mixtures_of
from swapchef.editing.matched_recipe import MatchedRecipe, RecipeFood, Source
from swapchef.en.nouns import capitalized, comes_in_many, is_counted, many_of, one_of, spelled
from swapchef.en.remarks import COOKED
from swapchef.errors import SwapchefError
from swapchef.foods import preparations
from swapchef.foods.kinds import kinds_of
from swapchef.foods.matching import Food
from swapchef.recipes.model import Amount, tidy

_MAX_NAME = 100  # characters; a food's name is shorter
_BETWEEN_PARTS = " + "  # how a person writes a mixture: "milk + lemon juice"
_SURE = 0.9  # confidence from which a match is taken for what a person wrote


@dataclass(frozen=True, slots=True)
class Swap:
    """What to replace by what, in a person's words: one food, or several of a known mixture, joined by " + "."""

    source: str  # an ingredient of the recipe
    target: str
    lines: tuple[int, ...] = ()  # only on these ingredient lines, counted from 1; on all that have it if empty


@dataclass(frozen=True, slots=True)
class Plan:
    """A swap, understood: which food goes, from which lines, and what comes."""

    food: RecipeFood
    target: str  # canonical where the vocabulary knows it, for looking it up
    target_id: int | None
    shown: str  # as the cook shall read it
    mixture: MixtureRatio | None  # several foods that replace one, in the table's own amounts
    lines: frozenset[int]
    everywhere: bool
    portions: Mapping[int, Portion]  # of each line, by its index; none of a mixture

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the names of the several foods that replace one."""
        return self.mixture.names if self.mixture else ()

    @property
    def first_portion(self) -> Portion | None:
        """Return how much comes on the first of the lines."""
        return self.portions[min(self.lines)] if self.portions else None

    @property
    def comes_as_many(self) -> bool:
        """Say whether the new line has several: "3 shallots"."""
        portion = self.first_portion
        return portion is not None and is_counted(self.target) and is_many(self.target, portion.amount, portion.unit)

    @property
    def is_measured(self) -> bool:
        """Say whether the new line has a measure of what is otherwise counted: "1/2 cup banana"."""
        portion = self.first_portion
        return portion is not None and is_counted(self.target) and bool(portion.unit) and not comes_in_many(self.target)

    @property
    def is_alike(self) -> bool:
        """Say whether what was done to the one can be done to the other."""
        return not self.mixture and preparations.are_alike(self.food.name, self.target)

    def can_be(self, word: str) -> bool:
        """Say whether a preparation is true of what comes; what is measured in spoons is not halved."""
        if self.is_measured and word.lower() in {"halved", "quartered"}:
            return False
        return preparations.can_be(word, self.target, "" if self.mixture else self.food.name)

    def as_swap(self) -> Swap:
        """Return the swap as a person would write it."""
        target = _BETWEEN_PARTS.join(self.parts) or self.target
        return Swap(self.food.name, target, tuple(sorted(index + 1 for index in self.lines if not self.everywhere)))


def plan_swap(source: Source, target: Food | MixtureRatio, matched: MatchedRecipe) -> Plan:
    """Plan a swap that was chosen by id."""
    if isinstance(target, MixtureRatio):
        return _plan(source, "", None, " and ".join(map(spelled, target.names)), target, matched)
    name = _cooked_if_needed(target.name, source, matched)
    if name != target.name:
        return _plan_words(source, name, matched)
    return _plan(source, name, target.id, spelled(name), None, matched)


def plan_words(swaps: Sequence[Swap], matched: MatchedRecipe) -> Sequence[Plan]:
    """Understand swaps in a person's words that are to be applied together."""
    if not swaps:
        raise SwapchefError("Name at least one ingredient to replace.")
    plans = []
    for swap in swaps:
        source = _source(swap, matched)
        plans.append(_plan_words(source, _target_text(swap.target, source), matched))
    return without_conflict(plans)


def without_conflict(plans: Sequence[Plan]) -> Sequence[Plan]:
    """Refuse plans that make two things of one food on one line."""
    for number, plan in enumerate(plans):
        if any(plan.food.id == other.food.id and plan.lines & other.lines for other in plans[:number]):
            raise SwapchefError(f"Name {plan.food.name} once; it cannot become two things on one line.")
    return plans


def is_many(food: str, amount: Amount | None, unit: str, was_many: bool = False) -> bool:
    """Say whether so much of a food is written in the plural; without an amount, as what stood there before was."""
    if amount is None:
        return is_counted(food) and (was_many or comes_in_many(food))
    if unit:
        return comes_in_many(food)
    return is_counted(food) and (amount.high or amount.low) > 1


def parts_of(target: str) -> list[str]:
    """Return the foods that a target in a person's words names: one, or the parts of a mixture."""
    return [part.strip() for part in target.split(_BETWEEN_PARTS)]


def _plan(
    source: Source, name: str, id: int | None, shown: str, mixture: MixtureRatio | None, matched: MatchedRecipe
) -> Plan:
    indices = matched.lines_with(source)
    everywhere = not source.lines or len(indices) == len(matched.lines_with(Source(source.food)))
    portions = {}
    if mixture is None:
        lines = matched.recipe.ingredients
        portions = {index: portion_of(source.food.name, name, lines[index], matched.dish) for index in indices}
    return Plan(source.food, name, id, shown, mixture, frozenset(indices), everywhere, portions)


def _plan_words(source: Source, target: str, matched: MatchedRecipe) -> Plan:
    """Plan a swap to what a person named."""
    if _BETWEEN_PARTS in target:
        mixture = _known_mixture(parts_of(target), source, matched)
        return _plan(source, "", None, " and ".join(map(spelled, mixture.names)), mixture, matched)
    target = _cooked_if_needed(target, source, matched)
    match = matched.vocabulary.match(target)
    known = match if match and match.confidence >= _SURE else None
    food = source.food
    if target.lower() in {food.name, *map(str.lower, food.written)} or (known and known.id == food.id):
        raise SwapchefError(f"{capitalized(food.name)} for {food.name} is no swap; name something else to use instead.")
    canonical = known.name if known else target.lower()
    if known and known.how == "alias" and len(kinds_of(one_of(known.words))) > 1:
        canonical = one_of(known.words)  # "turkey bacon", which the vocabulary counts as another bacon
    is_canonical = known and target.lower() in {canonical, many_of(canonical)}
    shown = spelled(target.lower()) if is_canonical else target
    return _plan(source, canonical, known.id if known else None, shown, None, matched)


def _source(swap: Swap, matched: MatchedRecipe) -> Source:
    """Find the ingredient of the recipe that a swap names, and the lines it may change."""
    food = _food(swap.source, matched)
    source = Source(food, swap.lines)
    indices = matched.lines_with(source)
    if not indices or (swap.lines and len(indices) < len(set(swap.lines))):
        numbers = " and ".join(str(index + 1) for index in matched.lines_with(Source(food)))
        raise SwapchefError(f"{food.name} is on line {numbers}; name the lines to change among those.")
    return source


def _target_text(target: str, source: Source) -> str:
    text = tidy(target)
    if not text or len(text) > _MAX_NAME:
        raise SwapchefError(f"Say what to use instead of {source.food.name} in a few words.")
    return text


def _known_mixture(names: Sequence[str], source: Source, matched: MatchedRecipe) -> MixtureRatio:
    """Find the mixture of these foods; one that is known in another use will do where a person asks for it."""
    rows = mixtures_of(source.food.name, matched.dish.use) or mixtures_of(source.food.name)
    for row in rows:
        if list(row.names) == list(names):
            return row
    known = "; or ".join(_BETWEEN_PARTS.join(row.names) for row in rows)
    raise SwapchefError(
        f"I do not know how to make {source.food.name} of {' and '.join(names)}; "
        + (f"I know {known}." if known else "name one ingredient to use instead.")
    )


def _cooked_if_needed(target: str, source: Source, matched: MatchedRecipe) -> str:
    """Ask for cooked meat where the recipe has cooked meat: raw meat would be dangerous."""
    if not _is_raw_meat(target.lower()):
        return target
    lines = [matched.recipe.ingredients[index] for index in matched.lines_with(source)]
    return f"cooked {target}" if any(COOKED.search(line.text) for line in lines) else target


def _is_raw_meat(food: str) -> bool:
    kinds = set(kinds_of(food))
    return "any raw protein" in kinds and kinds.isdisjoint({"any plant protein", "any ham", "any bacon"})


def _food(asked: str, matched: MatchedRecipe) -> RecipeFood:
    """Find the ingredient of the recipe that a swap names."""
    name = tidy(asked).lower()
    for food in matched.foods:
        if name in {food.name, *map(str.lower, food.written)}:
            return food
    match = matched.vocabulary.match(name) if name else None
    for food in matched.foods:
        if match and match.id == food.id:
            return food
    names = ", ".join(food.name for food in matched.foods)
    raise SwapchefError(f"{matched.recipe.title!r} has no {name or 'such ingredient'}; it has {names}.")
