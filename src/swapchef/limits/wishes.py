"""What a cook asks of a swap: a diet, foods to do without, what is in the cupboard; and whether a food keeps to it.

`Limits` is what `diets` can judge of the wishes. Whatever is shown to a cook passes through it: the name of a swap,
each part of a mixture, and the notes beside them, which name foods as well.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from swapchef.errors import UnknownNameError
from swapchef.foods.matching import Vocabulary
from swapchef.limits.diets import Verdict, avoids, facets_of, verdict
from swapchef.limits.facets import FORBIDDEN, PREGNANCY
from swapchef.limits.hazards import pregnancy_verdict

_SENTENCE = re.compile(r"[^.;]+[.;]?\s*")


@dataclass(frozen=True)
class Wishes:
    """What a cook asks of a swap: only what is in the cupboard, nothing against a diet or an allergy, nothing avoided.

    A swap is offered under a diet only if its name is known to be safe; what is unknown is left out unless asked for.
    """

    have: Sequence[str] | None = None
    diet: Sequence[str] = ()
    avoid: Sequence[str] = ()
    unknown: bool = False

    @property
    def limit(self) -> bool:
        """Say whether they rule any food out."""
        return bool(self.diet or self.avoid)


NO_WISHES = Wishes()


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a food keeps to all limits, and the rule that decided."""

    status: Literal["safe", "unsafe", "unknown"]
    rule: str = ""
    may_contain: bool = False  # unsafe because such foods often contain it, not because this one must
    food: str = ""  # the words of the name that made it unsafe


_FINE = Judgement("safe")


@dataclass(frozen=True, slots=True)
class Limits:
    """A cook's diets, allergies and dislikes, understood."""

    facets: tuple[str, ...] = ()
    foods: tuple[str, ...] = ()

    @classmethod
    def of(cls, wishes: Wishes, vocabulary: Vocabulary) -> "Limits":
        """Understand wishes; a word that nobody knows is an error, since it would protect nobody."""
        facets = [facet for diet in wishes.diet for facet in facets_of(diet)]
        foods: list[str] = []
        for food in wishes.avoid:
            try:
                facets += facets_of(food)
            except UnknownNameError:
                mended = vocabulary.require(food).name
                foods += [food] if avoids(mended, food) else [food, mended]
        return cls(tuple(dict.fromkeys(facets)), tuple(dict.fromkeys(foods)))

    def __bool__(self) -> bool:
        """Say whether there are any."""
        return bool(self.facets or self.foods)

    @property
    def forbidden(self) -> frozenset[str]:
        """Return all contents that some facet forbids."""
        return frozenset(content for facet in self.facets for content in FORBIDDEN.get(facet, ()))

    def judge(self, name: str) -> Judgement:
        """Judge a food by its name: the worst that any limit says of it."""
        worst = _FINE
        for facet in self.facets:
            judged = _judged(name, facet)
            if judged.status == "unsafe" and (worst.status != "unsafe" or worst.may_contain):
                worst = Judgement("unsafe", judged.rule, judged.may_contain, judged.food)
            elif judged.status == "unknown" and worst.status == "safe":
                worst = Judgement("unknown", judged.rule)
        for food in self.foods:
            if avoids(name, food):
                return Judgement("unsafe", f"it is {food} or has {food} in it", food=food)
        return worst

    def permitted(self, text: str) -> str:
        """Return a note without the sentences that name a food that is against the limits."""
        if not self or self.judge(text).status != "unsafe":
            return text
        rest = "".join(part for part in _SENTENCE.findall(text) if self.judge(part).status != "unsafe")
        return f"{rest.rstrip(' .;')}." if rest else ""


def _judged(name: str, facet: str) -> Verdict:
    """Judge a food under one facet by whoever knows of it: what it contains, or the hazards of the kitchen."""
    return pregnancy_verdict(name) if facet == PREGNANCY else verdict(name, facet)
