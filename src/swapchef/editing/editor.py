"""Apply swaps to a recipe: a new recipe, what changed and what to mind; what no swap concerns stays the same object.

All swaps are applied in one pass over the old recipe, so that they never chain: `lines` writes the ingredient lines,
`text` the title and steps, and `concerns` becomes notes. What an `Editor` learned of the recipe serves every swap that
is tried on it.
"""

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from swapchef.amounts.ratios import MixtureRatio
from swapchef.editing import concerns
from swapchef.editing.concerns import Concern, Note, note_of
from swapchef.editing.lines import swapped_lines
from swapchef.editing.matched_recipe import MatchedRecipe, Source
from swapchef.editing.mentions import Mention, find_mentions
from swapchef.editing.plan import Plan, Swap, plan_swap, plan_words, without_conflict
from swapchef.editing.text import Rewriter
from swapchef.editing.usage import Usage, usage_of
from swapchef.foods.matching import Food, Match, Vocabulary
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
    >>> steps = (Step("Melt the butter. Add peanut butter."),)
    >>> recipe = Recipe("Toast", (parse_line("1/2 cup butter, melted"),), steps)
    >>> edit = apply_swaps(recipe, [Swap("butter", "olive oil")], vocabulary)
    >>> edit.recipe.ingredients[0].text, edit.recipe.steps[0].text
    ('6 tablespoons olive oil', 'Heat the olive oil. Add peanut butter.')
    """
    return Editor(recipe, vocabulary).apply(swaps)


class Editor:
    """Applies swaps to one recipe, each to the recipe as it was; what does not depend on the target is found out once.

    `matches` are those that the vocabulary finds on each ingredient line, where they are known already.
    """

    def __init__(
        self, recipe: Recipe, vocabulary: Vocabulary, matches: Sequence[Sequence[Match]] | None = None
    ) -> None:
        self.matched = MatchedRecipe.of(recipe, vocabulary, matches)
        self._usages: dict[int, Usage] = {}  # by the food's id
        self._mentions: dict[tuple[int, ...], list[list[Mention]]] = {}  # of several foods that go together

    def apply(self, swaps: Sequence[Swap]) -> Edit:
        """Return the recipe with every swap applied at once, as a person named them."""
        return self.write(plan_words(swaps, self.matched))

    def plan(self, source: Source, target: Food | MixtureRatio) -> Plan:
        """Plan a swap that was chosen by id."""
        return plan_swap(source, target, self.matched)

    def concerns(self, plan: Plan) -> list[Concern]:
        """Return what there is to mind about a swap, without writing anything."""
        return list(concerns.concerns_of(plan, self.usage(plan.food.id), self.matched))

    def usage(self, id: int) -> Usage:
        """Return how the recipe uses a food."""
        if id not in self._usages:
            self._usages[id] = usage_of(self.matched.food(id), self.matched)
        return self._usages[id]

    def write(self, plans: Sequence[Plan]) -> Edit:
        """Return the recipe with every plan carried out at once."""
        return self._written(without_conflict(plans), self._notes(plans))

    def write_one(self, plan: Plan, concerns: Iterable[Concern]) -> Edit:
        """Return the recipe with one plan carried out, of which the concerns are known already."""
        return self._written([plan], (note_of(concern, plan) for concern in concerns))

    def _written(self, plans: Sequence[Plan], notes: Iterable[Note]) -> Edit:
        recipe = self.matched.recipe
        changes: list[Change] = []
        ingredients: list[IngredientLine] = []
        for index, line in enumerate(recipe.ingredients):
            concerned = [plan for plan in plans if index in plan.lines]
            new = swapped_lines(index, concerned, self.matched) if concerned else (line,)
            ingredients += new
            if new != (line,):
                changes.append(Change("ingredient", index + 1, line.text, "\n".join(each.text for each in new)))
        title, steps = self._texts(plans)
        if title != recipe.title:
            changes.insert(0, Change("title", 0, recipe.title, title))
        pairs = enumerate(zip(recipe.steps, steps, strict=True), start=1)
        changes += [Change("step", number, old.text, new.text) for number, (old, new) in pairs if new is not old]
        new_recipe = replace(recipe, title=title, ingredients=tuple(ingredients), steps=steps)
        return Edit(recipe, new_recipe, tuple(changes), tuple(dict.fromkeys(notes)))

    def _notes(self, plans: Sequence[Plan]) -> Iterator[Note]:
        """Put all concerns in words: by line, by step, and for the whole recipe."""
        usages = {plan.food.id: self.usage(plan.food.id) for plan in plans}
        for index in sorted({index for plan in plans for index in plan.lines}):
            for plan in plans:
                one_line = replace(plan, lines=plan.lines & {index})
                yield from (
                    note_of(each, plan) for each in concerns.line_concerns(one_line, usages[plan.food.id], self.matched)
                )
        everywhere = [plan for plan in plans if plan.everywhere]
        mentions = self._mentions_of(everywhere)[1:] if everywhere else []
        for number, in_step in enumerate(mentions, start=1):
            for plan in everywhere:
                own = tuple(mention for mention in in_step if mention.food.id == plan.food.id)
                step = concerns.step_concerns(number, plan, usages[plan.food.id], own, self.matched)
                yield from (note_of(each, plan) for each in step)
        for plan in plans:
            whole = concerns.recipe_concerns(plan, usages[plan.food.id], self.matched)
            yield from (note_of(each, plan) for each in whole)

    def _texts(self, plans: Sequence[Plan]) -> tuple[str, tuple[Step, ...]]:
        """Rewrite title and steps."""
        recipe, by_food = self.matched.recipe, {plan.food.id: plan for plan in plans if plan.everywhere}
        if not by_food:
            return recipe.title, recipe.steps
        title, *mentions = self._mentions_of(list(by_food.values()))
        rewriter = Rewriter(by_food, self.matched)
        steps = []
        for step, in_step in zip(recipe.steps, mentions, strict=True):
            text = rewriter.rewrite(step.text, in_step) if in_step else step.text
            for plan in by_food.values():
                if in_step or self.usage(plan.food.id).is_only_one_of_its_kind:
                    text = concerns.when_done(text, plan)
            steps.append(step if text == step.text else replace(step, text=text))
        return rewriter.rewrite(recipe.title, title, in_title=True), tuple(steps)

    def _mentions_of(self, plans: Sequence[Plan]) -> list[list[Mention]]:
        """Return where title and steps speak of the foods that go."""
        ids = tuple(plan.food.id for plan in plans)
        if len(ids) == 1:
            usage = self.usage(ids[0])
            return [list(usage.title_mentions), *map(list, usage.step_mentions)]
        if ids not in self._mentions:
            texts = [self.matched.recipe.title, *(step.text for step in self.matched.recipe.steps)]
            self._mentions[ids] = find_mentions(texts, self.matched.foods, ids, self.matched.vocabulary)
        return self._mentions[ids]
