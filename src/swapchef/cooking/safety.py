"""Under a diet, what of a recipe that a network wrote may be shown: all of it with every food spelled out, or nothing.

The ingredient list is judged as any recipe's is (`Substituter.check`); title and steps, which a network may fill with anything, are searched
for every food that the vocabulary or the table of diets knows, and each is judged by its own words, whatever stands around it. What is short for
a safe ingredient ("milk" beside coconut milk) is written in full first; any other food must itself be known to be safe, or be the dish.
"""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from swapchef.cooking.naming import Named, foods_named, spelled_out
from swapchef.en.nouns import in_title_case, singular
from swapchef.foods.lexicon import is_tool
from swapchef.foods.senses import baked_dishes, with_foods_only
from swapchef.limits.wishes import Judgement, Limits, Wishes
from swapchef.mining.spotting import Spotter
from swapchef.recipes import Recipe, Step
from swapchef.substituter import Substituter

_UNBAKED = frozenset("batter crust dough pastry".split())  # what flour becomes on its way to any dish
_FLOURS = frozenset(
    "flour meal starch cornstarch oat semolina mix bisquick".split()
)  # the last word of what it is made of
# What a recipe makes of its list and then calls by a name that often means something bought; said of the dish, or "the dressing".
_MADE_HERE = frozenset(
    "barbecue casserole chili curry custard dressing filling frosting glaze gravy icing marinade pudding salad sandwich sauce soup stew topping"
    " vinaigrette".split()
)
_SAID_OF_IT = frozenset({"creamy", "buttery"})
_BOUGHT = re.compile(
    r"\b(?:store[- ]bought|bottled|canned|frozen|refrigerated|ready[- ]made|purchased|crush(?:ed)?|crumbled?|split|unroll|cubed?"
    r"|(?:bottle|box|can|jar|package|packet|slice|tube)s? of)\s+(?:the\s+|an?\s+)?$",
    re.IGNORECASE,
)
_THE = re.compile(r"\b(?:the|this|your|remaining|reserved|rest of the)\s+$", re.IGNORECASE)
_NO_FOOD = frozenset({"wrap", "plate", "puree", "ribbon"})
# Names of foods that leave open which, and in steps hardly ever name one.
_SELDOM_FOOD = frozenset(
    "ball base bite blend coated dip fat filling food fry glaze glazed grease mix nonstick paste punch rub sauce sprinkle spread square stuffed"
    " topping".split()
)
# Names of cuts and shapes that tell no food, but mean one where none stands before them.
_ALONE = {
    **dict.fromkeys(("drumsticks", "wings", "thighs", "breasts"), "chicken"),
    **dict.fromkeys(("chops", "loin", "loins"), "pork"),
    **dict.fromkeys(("the mince", "carcass"), "meat"),
    **dict.fromkeys(("filets", "the filet"), "fish"),
    **dict.fromkeys(("morsels", "the chips"), "chocolate chips"),
    **dict.fromkeys(("whites", "yolks"), "eggs"),
}
_ALONE_WORDS = re.compile(rf"\b(?:{'|'.join(_ALONE)})\b", re.IGNORECASE)
# Tools that are called after a food, and what is done to one that is also the name of a food.
_TOOLS = re.compile(
    r"\b(?:[a-z]+[- ])?(?:bread|biscuit|butter|cake|cheese|cookie|custard|egg|jelly roll|loaf|muffin|nonstick|pastry|pie|pizza|tart|wine)"
    r"[- ](?:bags?|beaters?|blenders?|brush(?:es)?|cups?|cutters?|dish(?:es)?|glass(?:es)?|grater|knife|machine|pans?|plates?|racks?|sheets?"
    r"|skillet|slicer|spatula|stone|tins?|wheel)\b|\b(?:plastic|saran|cling) wrap\b|\bsteamer(?: basket)?\b|\bcheesecloth\b|\bpan juices\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"(?:^|(?<=[.!;:,] )|(?<=\band )|(?<=\bthen )|(?<=\bto )|(?<=\bor ))(?:(?:deep|pan|stir)[- ])?(?:fry|roast|toast|roll|wrap|char|puree)"
    r"(?= (?:the|it|them|into|until|for|up|in|on|out|over|around|an?|each|with|lightly|gently|tightly|both|together|all|\d|[a-z]+ing\b))",
    re.IGNORECASE,
)
_LIKENESS = re.compile(
    r"\b[a-z]+[- ]sized?\b|\b(?:resembl(?:es?|ing)|looks? like|(?:consistency|size|texture) of)\b[^,.;]*", re.IGNORECASE
)
_BESIDE = re.compile(
    r"\b(?:with|and|in|for|on)\b|[&,(]"
)  # a title's "with", after which comes what goes beside the dish
_COCOA = re.compile(r"cocoa|cacao|chocolate", re.IGNORECASE)
_HALF_AND_HALF = re.compile(r"\bhalf[- ]*(?:and|&|n|'n')[- ]*half\b", re.IGNORECASE)


def safe_version(recipe: Recipe, wishes: Wishes, substituter: Substituter, spotter: Spotter) -> Recipe | None:
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
    if any(problem.where == "ingredient" for problem in substituter.problems(clear, wishes)):
        return None
    return None if _Judge(clear, names, limits, spotter).finds_anything() else clear


@dataclass(frozen=True)
class _Judge:
    """Knows the dish, and so what in its steps is only a name for it."""

    recipe: Recipe
    names: list[str]
    limits: Limits
    spotter: Spotter

    def finds_anything(self) -> bool:
        """Say whether title or steps name a food that is against the limits, or in doubt and not listed."""
        steps = [_foods_only(step.text) for step in self.recipe.steps]
        texts = [*steps, _foods_only(self.recipe.title)]
        found = zip(texts, foods_named(texts, self.names, self.spotter), strict=True)
        for place, (text, foods) in enumerate(found):
            is_title = place == len(steps)
            if any(self._is_unsafe(text, food, is_title) for food in foods) or self._means_unsafe(text, foods):
                return True
        return False

    def _is_unsafe(self, text: str, food: Named, is_title: bool) -> bool:
        words = text[food.start : food.end].lower()
        judged = self.limits.judge(words)
        if judged.status == "safe" or self._is_no_food(words):
            return False
        is_doubt = judged.status == "unknown" or judged.may_contain
        if is_doubt and food.is_short:
            return False
        if judged.status == "unknown" and {singular(word) for word in words.split()} <= _SELDOM_FOOD:
            return False
        if is_doubt and is_title:
            return not self._names_the_dish(text, food, judged)
        return not self._is_the_dish(text[: food.start], words, is_doubt)

    def _names_the_dish(self, title: str, food: Named, judged: Judgement) -> bool:
        """Say whether a food in a title is what is made, not what it is made with: "Minestrone", but not "Pesto Chicken"."""
        head = _BESIDE.split(title)[0].rstrip()
        words = title[food.start : food.end].lower()
        if food.start < len(head) <= food.end or (words == "chocolate" and any(map(_COCOA.search, self.names))):
            return True
        is_made_here = _last(words) in _MADE_HERE and judged.status == "unknown"
        return is_made_here or (_last(words) in baked_dishes() and self._has_flour)

    def _means_unsafe(self, text: str, foods: list[Named]) -> bool:
        """Say whether a cut or a shape stands alone for a food that is not safe."""
        for found in _ALONE_WORDS.finditer(text):
            is_told = any(food.start < found.end() and found.start() - 1 <= food.end for food in foods)
            if not is_told and self.limits.judge(_ALONE[found.group().lower()]).status != "safe":
                return True
        return False

    def _is_no_food(self, words: str) -> bool:
        *rest, last = words.split()
        return singular(last) in _NO_FOOD or is_tool(" ".join([*rest, singular(last)]))

    def _is_the_dish(self, before: str, words: str, is_doubt: bool) -> bool:
        """Say whether words are a name of the dish or of a part of it: "the cookies" of "Oat Cookies", but not "butter cookies"."""
        if _BOUGHT.search(before):
            return False
        last, rest = _last(words), " ".join(words.split()[:-1])
        if rest and self.limits.judge(rest).status == "unsafe":
            return False
        if last in baked_dishes():
            return self._has_flour and (last in _UNBAKED or last in self._title)
        is_made_here = last in self._title or (last in _MADE_HERE and bool(_THE.search(before)))
        return is_doubt and (last in _SAID_OF_IT or is_made_here)

    @cached_property
    def _title(self) -> frozenset[str]:
        return frozenset(singular(word) for word in re.findall(r"[^\W\d_]+", self.recipe.title.lower()))

    @cached_property
    def _has_flour(self) -> bool:
        return any(_last(name.lower()) in _FLOURS for name in self.names)


def _last(words: str) -> str:
    return singular(words.split()[-1]) if words.split() else ""


def _foods_only(text: str) -> str:
    """Write a text so that the names of foods in it mean foods, and every food has its name."""
    for no_food in (_TOOLS, _LIKENESS, _DONE):
        text = no_food.sub("it", text)
    text = _HALF_AND_HALF.sub("cream", with_foods_only(text))
    return re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", " ", text)
