"""Apply swaps to a recipe: a new recipe, what changed and what to mind; what no swap concerns stays the same object.

All swaps are applied in one pass over the old recipe, so that they never chain: `ingredient_lines` writes the lines and
`rewriting` the title and steps. What an `Editor` learned of the recipe serves every swap that is tried on it.
"""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from swapchef.amounts.ratios import Use
from swapchef.editing import advice
from swapchef.editing.lines import swapped_lines
from swapchef.editing.mentions import Mention, find_mentions
from swapchef.editing.plan import Kitchen, Note, Plan, Swap, plan_swaps
from swapchef.editing.text import Rewriter
from swapchef.en.nouns import capitalized
from swapchef.foods.kinds import kinds_of
from swapchef.foods.matching import Match, Vocabulary
from swapchef.foods.preparations import are_alike
from swapchef.recipes import IngredientLine, Recipe, Step, write_recipe

__all__ = ["Change", "Edit", "Editor", "Note", "Swap", "apply_swaps", "recipe_diff"]


@dataclass(frozen=True, slots=True)
class Change:
    """A text of the recipe before and after; `new` has several lines where one food became several."""

    where: Literal["title", "ingredient", "step"]
    number: int  # of the line or step, from 1; 0 for the title
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A recipe with swaps applied."""

    before: Recipe
    recipe: Recipe
    changes: tuple[Change, ...]
    notes: tuple[Note, ...]

    def diff(self) -> str:
        """Return the changes as a unified diff of the recipe's plain text."""
        return recipe_diff(self.before, self.recipe)


def recipe_diff(before: Recipe, after: Recipe) -> str:
    """Return a unified diff of two recipes' plain texts."""
    old, new = (write_recipe(recipe, "text").splitlines() for recipe in (before, after))
    return "\n".join(difflib.unified_diff(old, new, before.title, after.title, lineterm="", n=1))


def apply_swaps(recipe: Recipe, swaps: Sequence[Swap], vocabulary: Vocabulary) -> Edit:
    """Return the recipe with every swap applied at once; to try several on one recipe, keep an `Editor`.

    >>> from swapchef.recipes import parse_line
    >>> vocabulary = Vocabulary(["butter", "peanut butter", "olive oil"], {})
    >>> recipe = Recipe("Toast", (parse_line("1/2 cup butter, melted"),), (Step("Melt the butter. Add peanut butter."),))
    >>> edit = apply_swaps(recipe, [Swap("butter", "olive oil")], vocabulary)
    >>> edit.recipe.ingredients[0].text, edit.recipe.steps[0].text
    ('6 tablespoons olive oil', 'Heat the olive oil. Add peanut butter.')
    """
    return Editor(recipe, vocabulary).apply(swaps)


@dataclass(frozen=True, slots=True)
class _Mentions:
    """Where a recipe's texts speak of the foods that go."""

    title: list[Mention]
    steps: list[list[Mention]]


class Editor:
    """Applies swaps to one recipe, each to the recipe as it was; what does not depend on the target is found out once.

    `matches` are those that the vocabulary finds on each ingredient line, where they are known already.
    """

    def __init__(
        self, recipe: Recipe, vocabulary: Vocabulary, matches: Sequence[Sequence[Match]] | None = None
    ) -> None:
        self._kitchen = Kitchen.of(recipe, vocabulary, matches)
        self._known: dict[tuple[int, ...], _Mentions] = {}  # by the foods that go

    @property
    def use(self) -> Use | None:
        """What the dish asks of its ingredients."""
        return self._kitchen.use

    @property
    def is_metric(self) -> bool:
        """Whether the recipe measures in grams and milliliters."""
        return self._kitchen.is_metric

    def apply(self, swaps: Sequence[Swap]) -> Edit:
        """Return the recipe with every swap applied at once."""
        recipe, plans = self._kitchen.recipe, plan_swaps(swaps, self._kitchen)
        notes: list[Note] = []
        changes: list[Change] = []
        ingredients: list[IngredientLine] = []
        for index, line in enumerate(recipe.ingredients):
            concerned = [plan for plan in plans if index in plan.lines]
            new = swapped_lines(index, concerned, self._kitchen, notes) if concerned else (line,)
            ingredients += new
            if new != (line,):
                changes.append(Change("ingredient", index + 1, line.text, "\n".join(each.text for each in new)))
        title, steps = self._texts(plans, notes)
        if title != recipe.title:
            changes.insert(0, Change("title", 0, recipe.title, title))
        pairs = enumerate(zip(recipe.steps, steps, strict=True), start=1)
        changes += [Change("step", number, old.text, new.text) for number, (old, new) in pairs if new is not old]
        for plan in plans:
            told = {note.text for note in notes}
            notes += [note for note in _recipe_notes(plan, self._kitchen, title) if note.text not in told]
        new_recipe = replace(recipe, title=title, ingredients=tuple(ingredients), steps=steps)
        return Edit(recipe, new_recipe, tuple(changes), tuple(dict.fromkeys(notes)))

    def _texts(self, plans: Sequence[Plan], notes: list[Note]) -> tuple[str, tuple[Step, ...]]:
        """Rewrite title and steps, and note what could not be."""
        recipe, told = self._kitchen.recipe, {plan.food.id: plan for plan in plans if plan.everywhere}
        found = self._mentions_of(tuple(told))
        rewriter = Rewriter(told, self._kitchen)
        steps = []
        for number, (step, mentions) in enumerate(zip(recipe.steps, found.steps, strict=True), start=1):
            text = step.text
            if mentions:
                notes += _step_notes(number, text, told, mentions)
                text = rewriter.rewrite(text, mentions)
            for plan in told.values():
                if mentions or self._is_only_one_of_its_kind(plan):
                    text, more = advice.when_done(number, text, plan)
                    notes += more
            steps.append(step if text == step.text else replace(step, text=text))
        return rewriter.rewrite(recipe.title, found.title, in_title=True), tuple(steps)

    def _is_only_one_of_its_kind(self, plan: Plan) -> bool:
        """Say whether a step that names no food can only mean this one: no other is handled like it."""
        return not any(food.id != plan.food.id and are_alike(food.name, plan.food.name) for food in self._kitchen.foods)

    def _mentions_of(self, ids: tuple[int, ...]) -> _Mentions:
        if ids not in self._known:
            texts = [self._kitchen.recipe.title, *(step.text for step in self._kitchen.recipe.steps)]
            title, *steps = find_mentions(texts, self._kitchen.foods, ids, self._kitchen.vocabulary)
            self._known[ids] = _Mentions(title, steps)
        return self._known[ids]


def _step_notes(number: int, text: str, plans: dict[int, Plan], mentions: list[Mention]) -> Iterator[Note]:
    for mention in mentions:
        said, plan = text[mention.start : mention.end], plans[mention.food.id]
        if mention.is_doubtful:
            meanings = " or ".join([mention.food.name, *mention.others])
            left = f"Step {number} says {said!r}, which may mean {meanings}; it was left as it is."
            yield Note("mention", left, number)
        elif mention.role == "derived":
            left = f"Step {number} still uses {said}, which {plan.shown} does not have; change it by hand."
            yield Note("mention", left, number)
    for plan in plans.values():
        own = [mention for mention in mentions if mention.food.id == plan.food.id]
        yield from advice.step_notes(number, text, plan, own)


def _recipe_notes(plan: Plan, kitchen: Kitchen, title: str) -> Iterator[Note]:
    """Say what holds for the whole recipe: times, a target that was there already, lines and names that stay."""
    remarks = "; ".join(kitchen.recipe.ingredients[index].note for index in sorted(plan.lines))
    yield from advice.recipe_notes(plan, kitchen.recipe.title, remarks)
    if name := advice.still_named(plan, title):
        yield Note("unfit", f"The dish is named for {name}, which {plan.shown} is not.")
    if any(food.id == plan.target_id for food in kitchen.foods):
        yield Note("mention", f"{capitalized(plan.shown)} is already in the recipe; its own line stays as it is.")
    if not plan.everywhere:
        yield Note(
            "mention", f"Another line keeps {plan.food.name}, so title and steps still say it; mind which is meant."
        )
    for food in kitchen.foods:
        if food.id != plan.food.id and plan.food.name in kinds_of(food.name):
            yield Note("mention", f"The recipe also has {food.name}, which stays.")
