"""Why a swap is suggested, in words: what cooks did, what the two foods share, how the dish takes it, what changes.

Every reason is read off the numbers that ranked the candidate, off FlavorGraph's compounds in the bundle, or off the
tables of `effects`; nothing is made up afterwards, and where there is nothing to say, that is said.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from swapchef.effects.tastes import effects

_FEWEST_SHARED = 10  # compounds that are worth telling
_SIMILAR_SWAPS = 1.0  # evidence of swaps of similar ingredients from which it counts
_FITS_WELL = 0.12  # fit with the other ingredients from which it is worth telling
_SAME_RECIPES = 0.6  # likeness of the recipes that use two ingredients from which it is worth telling


@dataclass(frozen=True, eq=False)
class Compounds:
    """The flavour compounds of ingredients, weighted by rarity, and their names."""

    weights: sparse.csr_array  # [n, compounds]
    names: Sequence[str]  # "" for what has no plain one

    def shared(self, first: int, second: int) -> tuple[int, list[str]]:
        """Return how many compounds two ingredients share, and the two most telling of those that have a plain name."""
        bounds = self.weights.indptr
        one, other = (slice(int(bounds[row]), int(bounds[row + 1])) for row in (first, second))
        if one.start == one.stop or other.start == other.stop:
            return 0, []
        both, here, there = np.intersect1d(
            self.weights.indices[one], self.weights.indices[other], assume_unique=True, return_indices=True
        )
        telling = np.argsort(-(self.weights.data[one][here] * self.weights.data[other][there]), kind="stable")
        return len(both), [self.names[column] for column in both[telling].tolist() if self.names[column]][:2]


_PLAIN_NAME = re.compile(
    r"""
    (?: [\d,']+- | (?:alpha|beta|gamma|delta)- | \([-+ez]\)- )?  # "2,3-", "alpha-", "(e)-"
    [a-z][a-z -]{4,24}
    """,
    re.VERBOSE,
)


def plain_name(compound: str) -> str:
    """Return the name of a compound as a cook may read it, or "" for numbers of registers and for formulas.

    >>> plain_name("Delta-Decalactone"), plain_name("CID_644104"), plain_name("33368-82-0")
    ('delta-decalactone', '', '')
    """
    name = compound.replace("_", " ").lower()
    return name if _PLAIN_NAME.fullmatch(name) else ""


def reasons(source: str, target: str, numbers: Mapping[str, float], shared: tuple[int, list[str]]) -> tuple[str, ...]:
    """Say what speaks for a candidate, the strongest evidence first, and what it changes."""
    evidence = [*_what_cooks_did(numbers), *_how_it_fits(numbers)]
    count, names = shared
    if count >= _FEWEST_SHARED and not numbers["same_head"]:
        evidence.append(f"shares {count} flavour compounds{', such as ' * bool(names)}{' and '.join(names)}")
    return (*(evidence or ["the closest we know"]), *effects(source, target))


def _what_cooks_did(numbers: Mapping[str, float]) -> list[str]:
    count, reverse = round(np.expm1(numbers["count"])), round(np.expm1(numbers["reverse"]))
    if count:
        return ["1 cook made this swap" if count == 1 else f"{count} cooks made this swap"]
    if reverse:
        return ["1 cook made the opposite swap" if reverse == 1 else f"{reverse} cooks made the opposite swap"]
    if max(numbers["like_text"], numbers["like_usage"], numbers["like_words"]) > _SIMILAR_SWAPS:
        return ["cooks use it in place of similar ingredients"]
    return []


def _how_it_fits(numbers: Mapping[str, float]) -> list[str]:
    evidence = []
    if numbers["fit"] > _FITS_WELL:
        evidence.append("goes well with the rest of the recipe")
    if numbers["usage"] > _SAME_RECIPES and numbers["count"] == 0:
        evidence.append("used in the same kinds of recipes")
    return evidence
