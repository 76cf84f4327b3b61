"""The diets and allergens that a food is judged by, what each forbids, and what cooks call them."""

import difflib
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from swapchef.errors import UnknownNameError
from swapchef.foods.names import name_stems

FACETS: Mapping[str, str] = MappingProxyType(
    {
        "vegan": "nothing from animals, honey included",
        "vegetarian": "no meat, fish, gelatin or calf rennet",
        "pescatarian": "no meat, but fish and shellfish",
        "gluten": "wheat, rye, barley, oats and what is made of them",
        "crustaceans": "shrimps, crabs, lobsters",
        "egg": "eggs of any bird",
        "fish": "fish, anchovies, fish sauce",
        "peanut": "peanuts and their oil",
        "soy": "soybeans, tofu, soy sauce, soybean oil",
        "milk": "milk of any animal, butter, cheese, whey, casein",
        "tree_nuts": "almonds, hazelnuts, walnuts, cashews, pecans, pistachios, pine nuts, chestnuts and other nuts",
        "celery": "celery, celeriac, celery seed and salt",
        "mustard": "mustard seed, leaf, oil and paste",
        "sesame": "sesame seed and oil, tahini",
        "sulphites": "sulphur dioxide and sulphites, as in wine and dried fruit",
        "lupin": "lupin beans and flour",
        "molluscs": "mussels, clams, oysters, squid, snails",
        "no_pork": "no pork, ham, bacon, lard or pork gelatin",
        "no_alcohol": "no alcoholic drinks, nor extracts made with alcohol",
    }
)

PREGNANCY = "pregnancy"
# Wishes that no list of contents can judge; `wishes` knows who judges them.
OTHER_WISHES: Mapping[str, str] = MappingProxyType(
    {PREGNANCY: "nothing raw, mould-ripened, unpasteurised or cured; no liver, fish with much mercury or alcohol"}
)

_FLESH = ("meat", "pork", "gelatin", "rennet", "insect")
_SEAFOOD = ("fish", "crustaceans", "molluscs")
_DIETS = {
    "vegan": (*_FLESH, *_SEAFOOD, "finings", "milk", "egg", "honey"),
    "vegetarian": (*_FLESH, *_SEAFOOD, "finings"),
    "pescatarian": _FLESH,
    "no_pork": ("pork",),
    "no_alcohol": ("alcohol",),
}
FORBIDDEN: dict[str, tuple[str, ...]] = {facet: _DIETS.get(facet, (facet,)) for facet in FACETS}  # contents it forbids

_BIG_NINE = ("milk", "egg", "fish", "crustaceans", "tree_nuts", "peanut", "gluten", "soy", "sesame")
_EU_FOURTEEN = (
    "gluten", "crustaceans", "egg", "fish", "peanut", "soy", "milk", "tree_nuts", "celery", "mustard", "sesame",
    "sulphites", "lupin", "molluscs",
)  # fmt: skip
# What cooks call the facets. Halal and kosher are not among them: they ask for more than a list of contents.
_OTHER_WORDS: dict[str, tuple[str, ...]] = {
    "nuts": ("tree_nuts", "peanut"), "treenuts": ("tree_nuts",), "groundnuts": ("peanut",),
    "shellfish": ("crustaceans", "molluscs"), "mollusks": ("molluscs",), "seafood": _SEAFOOD,
    "dairy": ("milk",), "lactose": ("milk",), "wheat": ("gluten",),
    "celiac": ("gluten",), "coeliac": ("gluten",), "soya": ("soy",), "soybeans": ("soy",), "sulfites": ("sulphites",),
    "sulphur dioxide": ("sulphites",), "lupine": ("lupin",), "pork": ("no_pork",), "alcohol": ("no_alcohol",),
    "pregnant": (PREGNANCY,), "expecting": (PREGNANCY,), "pregnancy safe": (PREGNANCY,),
    "meat": ("vegetarian",), "plant-based": ("vegan",), "veggie": ("vegetarian",),
    "big9": _BIG_NINE, "big-9": _BIG_NINE, "big-nine": _BIG_NINE,
    "eu14": _EU_FOURTEEN, "eu-14": _EU_FOURTEEN, "eu-fourteen": _EU_FOURTEEN,
}  # fmt: skip
ADVICE = "name a diet or an allergen such as vegan, gluten or nuts"
_NOT_OURS = "swapchef cannot judge that; no_pork and no_alcohol are the nearest it has"


def facets_of(text: str) -> tuple[str, ...]:
    """Return the facets that a cook's words stand for.

    >>> facets_of("nuts")
    ('tree_nuts', 'peanut')
    >>> facets_of("vegan, gluten-free")
    ('vegan', 'gluten')
    """
    wishes = [wish for wish in re.split(r"[,;+&]|\band\b", text) if wish.strip()] or [text]
    facets: dict[str, None] = {}
    for wish in wishes:
        if not (meant := facets_meant(wish)):
            if {"halal", "kosher"} & set(name_stems(wish)):
                raise UnknownNameError("diet or allergen", wish.strip(), advice=_NOT_OURS)
            raise UnknownNameError("diet or allergen", wish.strip(), close_facets(wish), ADVICE)
        facets.update(dict.fromkeys(meant))
    return tuple(facets)


def facets_meant(wish: str) -> tuple[str, ...]:
    """Return the facets that one wish stands for, none if nobody knows it."""
    stems = name_stems(wish)
    words = _facet_words()
    if stems[-1:] == ("free",):  # "nut free"
        stems = stems[:-1]
    elif stems[:1] == ("no",) and " ".join(stems) not in words:  # "no nuts"; "no pork" is a facet by itself
        stems = stems[1:]
    return words.get(" ".join(stems), ())


@cache
def _facet_words() -> dict[str, tuple[str, ...]]:
    words = _OTHER_WORDS | {facet: (facet,) for facet in (*FACETS, *OTHER_WISHES)}
    return {" ".join(name_stems(word)): facets for word, facets in words.items()}


def close_facets(text: str) -> list[str]:
    """Return the facets or words for them that a text is most like."""
    if meant := facets_meant(text):
        return list(meant)
    return difflib.get_close_matches(text.strip().lower(), [*FACETS, *OTHER_WISHES, *_OTHER_WORDS], n=3)
