"""One judge for a whole recipe: every line by all that it says, every step by foods that no line lists."""

import re
from dataclasses import dataclass
from typing import Literal

from swapchef.foods.senses import THE_DISH, with_foods_only
from swapchef.limits.wishes import Limits
from swapchef.recipes import Recipe

# Parts of a step, so that one food does not hide another.
_BETWEEN_PARTS = re.compile(r"[,.;:()]|\b(?:and|with|in|into|over|on|or)\b")


@dataclass(frozen=True, slots=True)
class Breach:
    """A line or a step of a recipe that is against a cook's limits, or that cannot be judged."""

    where: Literal["ingredient", "step"]
    number: int  # from 1
    text: str
    status: Literal["unsafe", "unknown"]
    rule: str


def breaches_in(recipe: Recipe, limits: Limits, is_baking: bool) -> list[Breach]:
    """Judge every line by all that it says, and every step by foods that no line lists."""
    breaches = []
    for number, line in enumerate(recipe.ingredients, start=1):
        judgement = limits.judge(line.name or line.text)
        if judgement.status == "safe" and (beside := limits.judge(line.note)).status == "unsafe":
            judgement = beside  # "flour, plus butter for the pan"
        if judgement.status != "safe":
            breaches.append(Breach("ingredient", number, line.text, judgement.status, judgement.rule))
    listed = {word for line in recipe.ingredients for word in _words(line.text)}
    if is_baking:
        listed |= THE_DISH  # "roll out the dough"
    for number, step in enumerate(recipe.steps, start=1):
        for part in _BETWEEN_PARTS.split(with_foods_only(step.text)):
            judgement = limits.judge(part)
            is_named = judgement.status == "unsafe" and not judgement.may_contain  # "until creamy" is about no cream
            if is_named and not _words(judgement.food) <= listed:
                breaches.append(Breach("step", number, step.text, "unsafe", judgement.rule))
                break
    return breaches


def _words(text: str) -> set[str]:
    """Return the words of a text, without the ending of plurals."""
    return {word.removesuffix("s") for word in re.findall(r"[^\W\d_]+", text.lower())}
