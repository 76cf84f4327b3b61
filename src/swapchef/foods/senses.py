"""Is it a food here? "Cream the sugar" has no cream in it, "a buttered dish" has butter."""

import re

# To cream is what one does to fat and sugar, with or without cream. Read so only where a sentence or "In a bowl," begins
# with it and the fat follows: "whisk eggs and cream together" is about cream.
_CREAM_AS_VERB = re.compile(
    r"""(^ | [.!;:]\s+ | \b(?:bowl|mixer|processor|blender|beaters?|attachment|speed|pan),\s+)   # it begins a sentence
    cream (?= \s+ (?: together\s+(?!with\b) | the\b                                              # what is creamed follows
    | (?:(?!and\b|or\b|with\b|of\b|cheese\b|sauce\b)[a-z]+\s+){0,2}(?:butter|margarine|shortening|oil|spread|sugars?)\b ))""",
    re.IGNORECASE | re.VERBOSE,
)
_DONE_WITH = re.compile(r"\b(butter|flour)ed\b", re.IGNORECASE)  # a buttered dish asks for butter
THE_DISH = frozenset(  # which steps speak of by its name, and which is made of what is listed
    "batter biscuit bread brownie bun cake cookie cracker crust dough loaf muffin pancake pastry pie pizza roll scone"
    " tart waffle".split()
)


def with_foods_only(step: str) -> str:
    """Write a step so that the names of foods in it mean foods: "cream the sugar" without the cream."""
    return _DONE_WITH.sub(r"\1", _CREAM_AS_VERB.sub(r"\1beat", step))
