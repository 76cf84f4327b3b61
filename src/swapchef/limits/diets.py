"""Diet and allergen verdicts: whether a cook may eat a food, judged by its name alone.

A name is cut into the foods and describing words of `foods.txt`, where a longer name hides the shorter ones inside it
("coconut milk" hides "milk"), and what those foods contain, may contain or do not tell decides each facet. It fails
closed: safe means that every word was recognised and nothing speaks against it; one strange word makes the answer
unknown, and one word that names an allergen makes it unsafe whatever stands around it. Only what a name itself denies
("egg free", "vegan") is taken back, and only in its own part of the name.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from swapchef.errors import UnknownNameError
from swapchef.foods.food_table import MAY, UNCLEAR, relatives
from swapchef.foods.names import name_stems
from swapchef.foods.reading import read_name
from swapchef.limits.facets import ADVICE, FACETS, FORBIDDEN, close_facets, facets_meant, facets_of

__all__ = ["FACETS", "Verdict", "avoids", "facets_of", "verdict"]

_MANY = 1 << 14


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a food may be eaten under a facet, and the rule that decided."""

    status: Literal["safe", "unsafe", "unknown"]
    rule: str  # one short sentence for people
    may_contain: bool = False  # unsafe because such foods usually or often contain it, not because this one must
    food: str = field(default="", repr=False, compare=False)  # the words of the name that made it unsafe


@lru_cache(maxsize=_MANY)
def verdict(name: str, facet: str) -> Verdict:
    """Judge a food by its name, canonical or free text, under one of `FACETS`.

    >>> verdict("almond milk", "milk").status
    'safe'
    >>> verdict("almond milk", "tree_nuts")
    Verdict(status='unsafe', rule='almond milk contains tree nuts', may_contain=False)
    """
    forbidden = FORBIDDEN.get(facet)
    if forbidden is None:
        raise UnknownNameError("diet or allergen", facet, close_facets(facet), ADVICE)
    reading = read_name(name)
    traces = [reading.contents[content] for content in forbidden if content in reading.contents]
    worst = max(traces, key=lambda trace: trace.level, default=None)
    if worst and worst.level > UNCLEAR:
        return Verdict("unsafe", worst.sentence(), worst.level == MAY, worst.food)
    if reading.doubt:
        return Verdict("unknown", reading.doubt)
    if worst:
        return Verdict("unknown", worst.sentence())
    return Verdict("safe", reading.reason_it_is_safe(facet, forbidden))


def avoids(name: str, food: str) -> bool:
    """Tell whether a cook who avoids a food of their own must leave out what a name stands for; in doubt, yes.

    >>> avoids("gingersnaps", "ginger"), avoids("cornstarch", "corn"), avoids("corned beef", "corn")
    (True, True, False)
    """
    if facets := facets_meant(food):
        return any(verdict(name, facet).status != "safe" for facet in facets)
    words, wanted = set(name_stems(name)), name_stems(food)
    if words.issuperset(wanted) and wanted:
        return True
    if len(wanted) == 1 and any(_compounds(word, wanted[0]) for word in words):
        return True
    return any(words.issuperset(member) for member in relatives().families.get(" ".join(wanted), ()))


def _compounds(word: str, food: str) -> bool:
    """Tell whether a food is the beginning or the end of a word: "gingersnap", "popcorn"; not "corned"."""
    if word == food or word in relatives().lookalikes.get(food, ()):
        return False
    if word.startswith(food) and (len(food) > 4 or word[len(food) :] in relatives().words):
        return True
    return len(food) > 3 and word.endswith(food)
