"""What a recipe promises by itself, so that a swap had better keep to it: a vegan title, a dish without meat."""

import re
from collections.abc import Iterable

from swapchef.limits.diets import verdict

_PROMISES = {
    "vegan": r"\bvegan\b|plant[- ]based",
    "vegetarian": r"\bvegetarian\b|\bveggie\b|\bmeatless\b",
    "gluten": r"\bgluten[- ]free\b|\bflourless\b",
    "milk": r"\b(?:dairy|milk)[- ]free\b|\bnon[- ]?dairy\b",
    "egg": r"\begg[- ]free\b|\beggless\b",
    "tree_nuts": r"\bnut[- ]free\b",
    "no_alcohol": r"\balcohol[- ]free\b|\bvirgin (?!olive)|\bmocktail",
}


def promised_facets(title: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the facets that a dish keeps to: what its title promises, and no meat where there is none.

    >>> promised_facets("Vegan chili", ["bean", "tomato"]), promised_facets("Pork brine", ["salt", "water"])
    (('vegan', 'vegetarian'), ())
    """
    promised = [facet for facet, words in _PROMISES.items() if re.search(words, title, re.IGNORECASE)]
    foods = [*names, title.lower()]  # a pork brine has no meat in its list
    has_meat = any(verdict(name, "vegetarian").status == "unsafe" for name in foods)
    return tuple(dict.fromkeys(promised if has_meat else [*promised, "vegetarian"]))
