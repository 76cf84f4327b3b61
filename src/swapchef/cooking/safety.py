"""Under a diet, what of a recipe that a network wrote may be shown: all of it with every food spelled out, or nothing.

The ingredient list is judged as any recipe's is (`Substituter.check`); title and steps, which a network may fill with anything, are searched
for every food they name. A word that is short for a safe ingredient but alone means what is forbidden ("milk" beside coconut
milk) is written in full; any other food must itself be known to be safe.
"""

from collections.abc import Set
from dataclasses import replace

from swapchef.cooking.naming import named_otherwise, spelled_out
from swapchef.mining.spotting import Spotter
from swapchef.pantry.same_food import is_tool
from swapchef.pantry.wishes import Limits, Wishes
from swapchef.pantry.wording import singular
from swapchef.recipes import Recipe, Step
from swapchef.substituter import THE_DISH, Substituter, with_foods_only

_NO_FOOD = frozenset({"wrap", "plate"})  # of plastic, for a pie


def safe_version(recipe: Recipe, wishes: Wishes, substituter: Substituter, spotter: Spotter) -> Recipe | None:
    """Return a recipe as it may be shown to a cook with these wishes; None if it may not."""
    if not wishes.limit:
        return recipe
    limits = Limits.of(wishes, substituter.vocabulary)
    names = [line.name or line.text for line in recipe.ingredients]

    def is_forbidden(words: str) -> bool:
        found = limits.judge(words)
        return found.status == "unsafe" and not found.may_contain

    title, *steps = spelled_out(
        [recipe.title, *(step.text for step in recipe.steps)], names, substituter.vocabulary, is_forbidden
    )
    clear = replace(recipe, title=title, steps=tuple(map(Step, steps)))
    is_safe = substituter.check(clear, wishes, strictly=True).is_fine and not _names_unsafe(
        clear, names, limits, spotter
    )
    return clear if is_safe else None


def _names_unsafe(recipe: Recipe, names: list[str], limits: Limits, spotter: Spotter) -> bool:
    """Say whether title or steps name a food that is against the limits, or unlisted and in doubt; a title's doubts are the dish's own."""
    dish = {singular(word) for word in recipe.title.lower().split()} & THE_DISH
    steps = [with_foods_only(step.text) for step in recipe.steps]
    for texts, is_title in ((steps, False), ([recipe.title], True)):
        for words, is_short in named_otherwise(texts, names, spotter):
            found = limits.judge(words)
            is_doubt = found.status == "unknown" or found.may_contain
            if (
                found.status != "safe"
                and not _is_excused(words, dish, limits)
                and not (is_doubt and (is_title or is_short))
            ):
                return True
    return False


def _is_excused(words: str, dish: Set[str], limits: Limits) -> bool:
    """Say whether words are no food, or the dish: "the cookies" of "Oat Cookies", but not "butter cookies"."""
    *rest, last = words.lower().split()
    last = singular(last)
    is_dish = last in dish and limits.judge(" ".join(rest)).status != "unsafe"
    return is_dish or last in _NO_FOOD or is_tool(f"{' '.join(rest)} {last}")
