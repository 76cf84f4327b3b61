"""What of a whole recipe is against a cook's limits: its lines, and the foods in its steps that no line lists."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from swapchef.foods.senses import baked_dishes, with_foods_only
from swapchef.foods.words import stems_in
from swapchef.limits.wishes import Limits
from swapchef.recipes import IngredientLine, Recipe, Step

# Parts of a step are judged one by one, so that one food does not hide another.
_BETWEEN_PARTS = re.compile(r"[,.;:()]|\b(?:and|with|in|into|over|on|or)\b")


@dataclass(frozen=True, slots=True)
class Breach:
    """A line or a step that is against the limits, or that cannot be judged."""

    where: Literal["ingredient", "step"]
    number: int  # from 1
    text: str
    status: Literal["unsafe", "unknown"]
    rule: str


def problems_in(recipe: Recipe, limits: Limits, is_baking: bool) -> list[Breach]:
    """Judge every line by all that it says, and every step by the foods that no line lists."""
    listed = {stem for line in recipe.ingredients for stem in stems_in(line.text)}
    if is_baking:
        listed |= baked_dishes()  # "roll out the dough"
    lines = (_judged_line(number, line, limits) for number, line in enumerate(recipe.ingredients, start=1))
    steps = (_judged_step(number, step, limits, listed) for number, step in enumerate(recipe.steps, start=1))
    return [breach for breach in (*lines, *steps) if breach]


def _judged_line(number: int, line: IngredientLine, limits: Limits) -> Breach | None:
    judgement = limits.judge(line.name or line.text)
    if judgement.status == "safe" and (beside := limits.judge(line.note)).status == "unsafe":
        judgement = beside  # "flour, plus butter for the pan"
    if judgement.status == "safe":
        return None
    return Breach("ingredient", number, line.text, judgement.status, judgement.rule)


def _judged_step(number: int, step: Step, limits: Limits, listed: set[str]) -> Breach | None:
    for part in _parts(step.text):
        judgement = limits.judge(part)
        # "May contain" is no reason: "until creamy" is about no cream.
        is_named = judgement.status == "unsafe" and not judgement.may_contain
        if is_named and not listed.issuperset(stems_in(judgement.food)):
            return Breach("step", number, step.text, "unsafe", judgement.rule)
    return None


def _parts(step: str) -> Iterator[str]:
    yield from _BETWEEN_PARTS.split(with_foods_only(step))
