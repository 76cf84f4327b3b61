"""What a dish asks of its ingredients: whether it is baked, fried or left raw.

Baking means doughs and batters, not a roast that happens to be in the oven.
"""

import re
from functools import cache
from typing import Literal

from swapchef.en.dishes import DISH_PATTERNS
from swapchef.recipes import Recipe

Use = Literal["baking", "frying", "raw"]


def use_of(recipe: Recipe) -> Use | None:
    """Guess from title, ingredients and steps what a dish asks of its ingredients; None where nothing stands out."""
    title = recipe.title.lower()
    steps = " ".join(step.text for step in recipe.steps).lower()
    names = " ".join(line.name for line in recipe.ingredients).lower()
    if _has("baked goods", title) and not _has("not baked", title):
        return "baking"
    if _has("oven", steps) and _has("flour", names) and _has("leavener", names):
        return "baking"
    if _has("fried", title) or _has("frying", steps):
        return "frying"
    return "raw" if (steps or _has("raw dishes", title)) and not _has("heat", f"{title} {steps}") else None


def _has(what: str, text: str) -> bool:
    return _pattern(what).search(text) is not None


@cache
def _pattern(what: str) -> re.Pattern[str]:
    """Compile a pattern when it is first looked for: all of them take longer than the import of this module."""
    return re.compile(DISH_PATTERNS[what], re.VERBOSE)
