"""When two names are one food to a cook, and which names are no food at all.

Merging is for what is shown: "salted butter" and "butter" are one suggestion. It asks only whether a cook would do the
same with both, which is less than `kinds` asks, where amounts must agree as well.
"""

from functools import lru_cache

from swapchef.foods.kinds import kinds_of

_MANY = 10_000  # more than there are names

# Words that say which kind of a food it is and leave it that food: "all purpose flour" is flour, "peanut butter" is not butter.
_KIND_WORDS = frozenset(
    "all purpose bread cake pastry plain self rising raising white brown whole wheat granulated caster superfine light dark packed"
    " olive vegetable canola sunflower extra virgin salted unsalted sweet kosher sea table coarse fine large small medium fresh frozen"
    " dried ground skim low fat nonfat 2% 1% full yellow red green sharp mild grated shredded boneless skinless".split()
)
# Words that make no difference to what one would do with it: two names that differ by them are one suggestion.
_SAME_FOOD_WORDS = frozenset(
    "plain fresh freshly regular jumbo salted unsalted organic large small medium extra virgin grated shredded chopped diced sliced minced"
    " crushed boneless skinless natural pure stick".split()
)
# Names of the benchmark that are one food.
_OTHER_NAMES = {
    "yoghurt": "yogurt",
    "scallion": "green onion",
    "spring onion": "green onion",
    "soymilk": "soy milk",
    "half and half cream": "half and half",
    "half and half milk": "half and half",
    "cayenne": "cayenne pepper",
    "jalapeno": "jalapeno pepper",
    "agave": "agave nectar",
    "agave syrup": "agave nectar",
    "rotel": "rotel tomato",
    "real butter": "butter",
    "garlic clove": "garlic",
    "asparagus spear": "asparagus",
    "celery rib": "celery",
    "celery stalk": "celery",
    "bacon piece": "bacon bit",
    "arrowroot": "arrowroot powder",
    "confectioners' sugar": "powdered sugar",
    "icing sugar": "powdered sugar",
    "garbanzo bean": "chickpea",
    "bicarbonate of soda": "baking soda",
}
# What reviews mention beside a swap and the benchmark took for its target: nobody can shop for "fat" or a "jar", ...
_NO_INGREDIENT = frozenset(
    "fat liquid jar stick batter meal green grain glaze marinade gluten cake muffin pancake waffle toast cooky juice chip roll wheat fruit"
    " seasoning bitter spice extract flavoring seed".split()
)
# ... and what is in the drawer is not in the dish.
_TOOLS = frozenset(
    "foil skewer charcoal cutter liner twine toothpick towel parchment ziploc string wooden wood plastic bag paper".split()
)
_EDIBLE = frozenset("rice tea boil cheese bean edible mushroom".split())  # rice paper, tea bags, wood ear mushrooms


@lru_cache(maxsize=_MANY)
def food_of(name: str) -> str:
    """Return a name without the words that make no difference.

    >>> food_of("fresh spring onion"), food_of("unsalted butter")
    ('green onion', 'butter')
    """
    kept = " ".join(word for word in name.split() if word not in _SAME_FOOD_WORDS)
    return _OTHER_NAMES.get(kept, kept) or name


# Names of many foods at once: fine to suggest, but no line of a recipe can ask for them.
_VAGUE = frozenset(
    "herb wine meat vegetable nut bean fish cheese liqueur noodle berry green pepper sauce soup dressing cereal cracker cookie wafer"
    " candy syrup soda broth stock vinegar lettuce squash sausage beef pork roast steak venison coleslaw pasta".split()
) - {"broth", "stock", "vinegar", "lettuce", "sausage", "cracker"}


def is_vague(name: str) -> bool:
    """Say whether a name leaves open which food is meant."""
    return food_of(name) in _VAGUE


@lru_cache(maxsize=_MANY)
def is_same_food(name: str, other: str) -> bool:
    """Say whether two names stand for one food as `kinds.tsv` has it: Parmigiano and Parmesan, merlot and red wine."""
    own = {kind for kind in kinds_of(name) if not kind.startswith("any ")}
    return any(kind in own for kind in kinds_of(other))


def is_other_variety(name: str, other: str) -> bool:
    """Say whether two names are varieties of one fruit, vegetable, loaf or rice, which cooks do tell apart.

    >>> is_other_variety("green bell pepper", "red bell pepper"), is_other_variety("bell pepper", "red bell pepper")
    (True, False)
    """
    own, others = kinds_of(name), kinds_of(other)
    return not _VARIED.isdisjoint(own) and is_same_food(name, other) and name not in others and other not in own


_VARIED = frozenset({"any vegetable", "any fruit", "any onion", "any root", "any fresh chili", "any loaf", "any rice"})


@lru_cache(maxsize=_MANY)
def is_ingredient(name: str) -> bool:
    """Say whether a cook could put it into a dish.

    >>> is_ingredient("rice paper"), is_ingredient("aluminum foil"), is_ingredient("fat")
    (True, False, False)
    """
    return food_of(name) not in _NO_INGREDIENT and not is_tool(name)


def is_tool(name: str) -> bool:
    """Say whether a name on an ingredient list is something to cook with and not to eat: skewers, foil."""
    words = name.split()
    return not _TOOLS.isdisjoint(words) and _EDIBLE.isdisjoint(words)


def is_part_of(name: str, food: str) -> bool:
    """Say whether a name is one of the foods that another names together: sea salt, of "salt & pepper".

    >>> is_part_of("sea salt", "salt & pepper"), is_part_of("seasoning salt", "salt & pepper")
    (True, False)
    """
    parts = food.replace(" & ", " and ").split(" and ")
    if len(parts) == 1:
        return False
    return any(name == part or is_same_food(name, part) or is_kind_of(name, part.split()[-1]) for part in parts)


def is_kind_of(name: str, food: str) -> bool:
    """Say whether a name is a food with words before it that only tell its kind."""
    return name.endswith(f" {food}") and _KIND_WORDS.issuperset(name.removesuffix(food).split())
