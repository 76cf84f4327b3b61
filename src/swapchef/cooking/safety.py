"""Whether a recipe that a network wrote may be shown under a diet: all of it with every food spelled out, or nothing.

A short form of a listed ingredient ("milk" for coconut milk) is spelled out first. Then the judge of all recipes
decides (`limits.checking`), and what it only doubts is not shown either.
"""

from dataclasses import replace

from swapchef.cooking.naming import spelled_out
from swapchef.en.nouns import in_title_case
from swapchef.limits.checking import is_beyond_doubt
from swapchef.limits.wishes import Limits, Wishes
from swapchef.recipes import Recipe, Step
from swapchef.substituter import Substituter


def safe_version(recipe: Recipe, wishes: Wishes, substituter: Substituter) -> Recipe | None:
    """Return a recipe as it may be shown to a cook with these wishes; None if it may not."""
    if not wishes.limit:
        return recipe
    limits = Limits.of(wishes, substituter.vocabulary)
    names = [line.name or line.text for line in recipe.ingredients]

    def is_unclear(words: str) -> bool:
        return limits.judge(words).status != "safe"

    (title,) = spelled_out([recipe.title], names, substituter.vocabulary, is_unclear)
    steps = spelled_out([step.text for step in recipe.steps], names, substituter.vocabulary, is_unclear)
    title = recipe.title if title == recipe.title else in_title_case(title)
    clear = replace(recipe, title=title, steps=tuple(map(Step, steps)))
    return clear if is_beyond_doubt(clear, limits, is_baking=False) else None
