"""Whether a recipe that a network wrote may be shown under a diet: all of it with every food spelled out, or nothing.

The ingredient list is judged as any recipe's is (`Substituter.check`); title and steps are searched for every food that
the vocabulary or the table of diets knows, and each is judged by its own words alone. A short form of a safe ingredient
("milk" for coconut milk) is spelled out first; any other food must itself be known to be safe, or be the dish.
"""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from swapchef.cooking.naming import NamedFood, named_foods, spelled_out
from swapchef.en.nouns import in_title_case, singular
from swapchef.foods.lexicon import is_tool
from swapchef.foods.senses import baked_dishes, with_foods_only
from swapchef.limits.wishes import Judgement, Limits, Wishes
from swapchef.mining.spotting import Spotter
from swapchef.recipes import Recipe, Step
from swapchef.substituter import Substituter

_UNBAKED = frozenset("batter crust dough pastry".split())  # what flour becomes on its way to any dish
_FLOURS = frozenset("flour meal starch cornstarch oat semolina mix bisquick".split())  # the last word of a flour's name
# Preparations that a recipe makes from its list and then names: "the dressing". Elsewhere the word may be a product.
_PREPARATIONS = frozenset(
    "barbecue casserole chili curry custard dressing filling frosting glaze gravy icing marinade pudding salad sandwich"
    " sauce soup stew topping vinaigrette".split()
)
_TEXTURES = frozenset({"creamy", "buttery"})
# Words before a food that mean a product, not what the recipe makes.
_BOUGHT = re.compile(
    r"""
    \b(?: store[- ]bought | bottled | canned | frozen | refrigerated | ready[- ]made | purchased
      # what is done to a bought cookie, cake or dough
      | crush(?:ed)? | crumbled? | split | unroll | cubed?
      | (?:bottle|box|can|jar|package|packet|slice|tube)s?\ of
    )\s+(?:the\s+|an?\s+)?$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_THE = re.compile(r"\b(?:the|this|your|remaining|reserved|rest of the)\s+$", re.IGNORECASE)
_NO_FOOD = frozenset({"wrap", "plate", "puree", "ribbon"})
# Names of foods that do not tell which, and in steps hardly ever name one.
_SELDOM_FOOD = frozenset(
    "ball base bite blend coated dip fat filling food fry glaze glazed grease mix nonstick paste punch rub sauce"
    " sprinkle spread square stuffed topping".split()
)
# Names of cuts and shapes, and the food that each means where no food is named before it.
_CUTS = {
    **dict.fromkeys(("drumsticks", "wings", "thighs", "breasts"), "chicken"),
    **dict.fromkeys(("chops", "loin", "loins"), "pork"),
    **dict.fromkeys(("the mince", "carcass"), "meat"),
    **dict.fromkeys(("filets", "the filet"), "fish"),
    **dict.fromkeys(("morsels", "the chips"), "chocolate chips"),
    **dict.fromkeys(("whites", "yolks"), "eggs"),
}
_CUT_WORDS = re.compile(rf"\b(?:{'|'.join(_CUTS)})\b", re.IGNORECASE)
# Tools that are named after a food.
_TOOLS = re.compile(
    r"""
    \b(?:[a-z]+[- ])?
    (?:bread|biscuit|butter|cake|cheese|cookie|custard|egg|jelly\ roll|loaf|muffin|nonstick|pastry|pie|pizza|tart|wine)
    [- ]
    (?:bags?|beaters?|blenders?|brush(?:es)?|cups?|cutters?|dish(?:es)?|glass(?:es)?|grater|knife|machine|pans?|plates?
      |racks?|sheets?|skillet|slicer|spatula|stone|tins?|wheel)\b
    | \b(?:plastic|saran|cling)\ wrap\b | \bsteamer(?:\ basket)?\b | \bcheesecloth\b | \bpan\ juices\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Verbs that are also names of foods.
_VERBS = re.compile(
    r"""
    # where a verb may begin: the start of a sentence or of a clause
    (?: ^ | (?<=[.!;:,]\ ) | (?<=\band\ ) | (?<=\bthen\ ) | (?<=\bto\ ) | (?<=\bor\ ) )
    (?:(?:deep|pan|stir)[- ])? (?:fry|roast|toast|roll|wrap|char|puree)
    # what follows a verb, and no noun
    (?=\ (?:the|it|them|into|until|for|up|in|on|out|over|around|an?|each|with|lightly|gently|tightly|both|together|all
            |\d|[a-z]+ing\b))
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Foods that something is only compared with: "walnut-sized", "the consistency of cream".
_COMPARISONS = re.compile(
    r"""
    \b[a-z]+[- ]sized?\b
    | \b(?:resembl(?:es?|ing)|looks?\ like|(?:consistency|size|texture)\ of)\b[^,.;]*
    """,
    re.VERBOSE | re.IGNORECASE,
)
_AFTER_DISH = re.compile(r"\b(?:with|and|in|for|on)\b|[&,(]")  # in a title, what comes before is the dish
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
    return None if _Judge(clear, names, limits, spotter).has_unsafe_food() else clear


@dataclass(frozen=True)
class _Judge:
    """Judges the foods in a recipe's text; a name for the dish itself is no further food."""

    recipe: Recipe
    names: list[str]
    limits: Limits
    spotter: Spotter

    def has_unsafe_food(self) -> bool:
        """Say whether title or steps name a food that is against the limits, or in doubt and not listed."""
        steps = [_foods_only(step.text) for step in self.recipe.steps]
        texts = [*steps, _foods_only(self.recipe.title)]
        foods_of_texts = named_foods(texts, self.names, self.spotter)
        for index, (text, foods) in enumerate(zip(texts, foods_of_texts, strict=True)):
            is_title = index == len(steps)
            if any(self._is_unsafe(text, food, is_title) for food in foods) or self._has_unsafe_cut(text, foods):
                return True
        return False

    def _is_unsafe(self, text: str, food: NamedFood, is_title: bool) -> bool:
        words = text[food.start : food.end].lower()
        judgement = self.limits.judge(words)
        if judgement.status == "safe" or self._is_no_food(words):
            return False
        is_doubt = judgement.status == "unknown" or judgement.may_contain
        if is_doubt and food.is_short:
            return False
        if judgement.status == "unknown" and {singular(word) for word in words.split()} <= _SELDOM_FOOD:
            return False
        if is_doubt and is_title:
            return not self._names_the_dish(text, food, judgement)
        return not self._is_the_dish(text[: food.start], words, is_doubt)

    def _names_the_dish(self, title: str, food: NamedFood, judgement: Judgement) -> bool:
        """Say whether a food in a title is the dish, not what is in it: "Minestrone", but not "Pesto Chicken"."""
        dish = _AFTER_DISH.split(title)[0].rstrip()
        words = title[food.start : food.end].lower()
        if food.start < len(dish) <= food.end or (words == "chocolate" and any(map(_COCOA.search, self.names))):
            return True
        is_made_here = _last_word(words) in _PREPARATIONS and judgement.status == "unknown"
        return is_made_here or (_last_word(words) in baked_dishes() and self._has_flour)

    def _has_unsafe_cut(self, text: str, foods: list[NamedFood]) -> bool:
        """Say whether a cut or a shape alone means a food that is not safe."""
        for cut in _CUT_WORDS.finditer(text):
            has_food = any(food.start < cut.end() and cut.start() - 1 <= food.end for food in foods)
            if not has_food and self.limits.judge(_CUTS[cut.group().lower()]).status != "safe":
                return True
        return False

    def _is_no_food(self, words: str) -> bool:
        *rest, last = words.split()
        return singular(last) in _NO_FOOD or is_tool(" ".join([*rest, singular(last)]))

    def _is_the_dish(self, before: str, words: str, is_doubt: bool) -> bool:
        """Say whether words name the dish or a part of it: "the cookies" of "Oat Cookies", but not "butter cookies"."""
        if _BOUGHT.search(before):
            return False
        last, rest = _last_word(words), " ".join(words.split()[:-1])
        if rest and self.limits.judge(rest).status == "unsafe":
            return False
        if last in baked_dishes():
            return self._has_flour and (last in _UNBAKED or last in self._title_words)
        is_made_here = last in self._title_words or (last in _PREPARATIONS and bool(_THE.search(before)))
        return is_doubt and (last in _TEXTURES or is_made_here)

    @cached_property
    def _title_words(self) -> frozenset[str]:
        return frozenset(singular(word) for word in re.findall(r"[^\W\d_]+", self.recipe.title.lower()))

    @cached_property
    def _has_flour(self) -> bool:
        return any(_last_word(name.lower()) in _FLOURS for name in self.names)


def _last_word(words: str) -> str:
    return singular(words.split()[-1]) if words.split() else ""


def _foods_only(text: str) -> str:
    """Replace words that are no foods here, so that every name of a food that is left means one."""
    for no_food in (_TOOLS, _COMPARISONS, _VERBS):
        text = no_food.sub("it", text)
    text = _HALF_AND_HALF.sub("cream", with_foods_only(text))
    return re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", " ", text)
