"""The little English that an edited recipe needs: one or many of a food, a or an, capitals.

Whether a food is counted is known by its last word, listed as recipes write it: "2 onions" but "1 cup onion",
"1 cup lentils", always "butter". Foods that are neither counted nor come in many have no plural here.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from swapchef.tables import read_table

# Written as many even where they are measured: "1 cup walnuts", "1 pound carrots".
_COMES_IN_MANY = frozenset(
    "almond anchovy apple apricot artichoke back bean beet berry biscuit bit blackberry blossom blueberry bone"
    " boysenberry breadcrumb brown candy caper caramel carrot cashew cherry chestnut chickpea chile chili chip"
    " chive chop chunk clam clove cookie cracker cranberry crouton crumb crystal cube currant cutlet date dripping"
    " drumstick fig fillet flake floret fry giblet gingersnap gooseberry granule grape green grit groat half"
    " hazelnut heart herb hock huckleberry kernel kumquat ladyfinger leaf leek leg lentil link marshmallow"
    " meatball medallion morel morsel muffin mushroom mussel nectarine nib noodle nut oat olive orange oyster"
    " parsnip pea peach peanut pear pecan peppercorn petal piece pistachio plum pod potato prawn preserve pretzel"
    " prune quince radish raisin raspberry rib ring roll scallion scallop section seed segment shallot shank"
    " shaving sheet shell shoot slice soybean spear sparerib sprig sprinkle sprout square stalk stem stick"
    " strawberry strip tender thigh tidbit tip tomatillo tomato tot tortilla turnip vegetable wafer walnut wing"
    " wrap wrapper yam".split()
)
_COUNTED = _COMES_IN_MANY | frozenset(
    "avocado bagel banana bar bouillon breast bulb bun clementine cone crab crepe croissant crust cucumber egg"
    " eggplant endive frankfurter grapefruit hen jalapeno kiwi lemon lime loaf lobster mango meringue onion papaya"
    " patty pepper persimmon pickle pita plantain poblano pocket pumpkin roast rutabaga sausage serrano steak"
    " tangerine tenderloin thread waffle wedge white yolk zucchini".split()
)
_MASS_NAMES = re.compile(
    r"""
    (?:(?:black|white|cayenne|lemon|red|ground|cracked|fresh|szechuan|aleppo)[ ])*pepper
    | .*[ ](?:with|in|of|and|&)[ ].*  # "cream of tartar", "half and half"
    """,
    re.VERBOSE,
)
_SWEET_PEPPERS = re.compile(r".*\b(?:bell|sweet|red|green|yellow|orange) pepper")
_SMALL = frozenset("a an and of with the in on or for to".split())
_AN = re.compile(r"(?!one\b|uni|use|eu|ukul)[aeiou]|hour|herb\b|honest|heir", re.IGNORECASE)


@cache
def _irregular() -> tuple[dict[str, str], dict[str, str]]:
    """Return the plural of each noun of `nouns.tsv`, and the singular of each of their other forms."""
    plurals: dict[str, str] = {}
    singulars: dict[str, str] = {}
    for one, many, also in read_table("en/nouns.tsv"):
        plurals[one] = many
        singulars |= dict.fromkeys((many, *filter(None, also.split(", "))), one)
        singulars[one] = one  # whatever it looks like
    return plurals, singulars


@lru_cache(maxsize=20_000)
def plural(noun: str) -> str:
    """Return the plural of a unit or a food.

    >>> plural("cup"), plural("bay leaf"), plural("potato"), plural("berry"), plural("radish")
    ('cups', 'bay leaves', 'potatoes', 'berries', 'radishes')
    """
    before, space, last = noun.rpartition(" ")
    if many := _irregular()[0].get(last):
        return f"{before}{space}{many}"
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeou" else f"{noun}s"


@lru_cache(maxsize=20_000)
def singular(word: str) -> str:
    """Return one of what a word names; a word that is no plural stays.

    It is the one rule by which all modules take two words for the same: "cooky", as the benchmark has it, is "cookie".

    >>> singular("cookies"), singular("cooky"), singular("radishes"), singular("molasses"), singular("calves")
    ('cookie', 'cookie', 'radish', 'molasses', 'calf')
    """
    if one := _irregular()[1].get(word):
        return one
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s") or word.endswith(_NO_PLURALS):
        return word
    if word.endswith("ies") and len(word) > _SHORTEST_PLURAL:
        return f"{word[:-3]}y"
    if word.endswith(_ES) or (word.endswith("uses") and len(word) > 5 and word[-5] not in "aeo"):  # crocuses, no houses
        return word[:-2]
    return word[:-1]


_SHORTEST_PLURAL = 4  # letters: "figs", "peas"
_NO_PLURALS = ("ss", "us")  # watercress, citrus
_ES = ("oes", "ches", "shes", "sses", "xes", "zzes")


@lru_cache(maxsize=20_000)
def is_counted(food: str) -> bool:
    """Say whether there can be two of a food: eggs and onions, not butter."""
    if _MASS_NAMES.fullmatch(food) and not _SWEET_PEPPERS.fullmatch(food):
        return False
    return singular(food.rpartition(" ")[2]) in _COUNTED


@lru_cache(maxsize=20_000)
def comes_in_many(food: str) -> bool:
    """Say whether a food is written in the plural even where it is measured: "1 cup lentils"."""
    return is_counted(food) and singular(food.rpartition(" ")[2]) in _COMES_IN_MANY


def one_of(food: str) -> str:
    """Return a food's name for one of it, or for some of what is not counted."""
    before, space, last = food.rpartition(" ")
    return f"{before}{space}{singular(last)}" if is_counted(food) and last.endswith("s") else food


def many_of(food: str) -> str:
    """Return a food's name for several of it; what is not counted stays.

    >>> many_of("red lentil"), many_of("bay leaf"), many_of("butter")
    ('red lentils', 'bay leaves', 'butter')
    """
    if not is_counted(food):
        return food
    before, space, last = food.rpartition(" ")
    one = singular(last) if last.endswith("s") else last
    return f"{before}{space}{plural(one)}"


@lru_cache(maxsize=20_000)
def spelled(name: str) -> str:
    """Write a name of the vocabulary as a cook does.

    >>> spelled("all purpose flour"), spelled("monterey jack cheese"), spelled("oreo cooky")
    ('all-purpose flour', 'Monterey Jack cheese', 'oreo cookie')
    """
    written, pattern = _written()
    return pattern.sub(lambda words: written[words.group()], name)


@cache
def _written() -> tuple[dict[str, str], re.Pattern[str]]:
    """Return how words are written, and what finds them, the longest first."""
    written = dict(read_table("en/written.tsv"))
    longest_first = sorted(written, key=len, reverse=True)
    return written, re.compile(rf"\b(?:{'|'.join(longest_first)})\b")


def article(following: str) -> str:
    """Return "a" or "an", as the next word asks for it."""
    return "an" if _AN.match(following) else "a"


def capitalized(text: str) -> str:
    """Give a text a capital letter, leaving the others as they are."""
    return text[:1].upper() + text[1:]


def in_title_case(text: str) -> str:
    """Give every word of a title its capital, but for the small ones inside it."""
    words = text.split()
    return " ".join(word if i and word in _SMALL else capitalized(word) for i, word in enumerate(words))


def in_a_row(words: Sequence[str], last: str = "and") -> str:
    """Name several things as a sentence does: "salt, pepper and oil"."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))
