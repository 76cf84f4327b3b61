"""All that a choice of a swap reads, computed once for each candidate: numbers, flags and ids, no sentence.

What the swap does to the recipe comes from its plan and the plan's concerns; what it does to the dish from tastes,
kinds and diets. A fact is computed when a choice first asks for it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from swapchef.amounts.portions import ANY_DISH, Dish, Portion, portion_of
from swapchef.amounts.ratios import MixtureRatio, find_ratio
from swapchef.amounts.strength import USUAL_SERVINGS, is_stronger, share_of_most
from swapchef.editing.concerns import Concern
from swapchef.editing.editor import Editor
from swapchef.editing.matched_recipe import Source
from swapchef.editing.plan import Plan
from swapchef.effects.tastes import TasteChange, changed_tastes
from swapchef.foods.kinds import is_other_variety, is_same_food, is_vague, kinds_apart
from swapchef.foods.matching import Food
from swapchef.limits.diets import FACETS, verdict
from swapchef.limits.hazards import NO_GUARD, Guard, Hazard
from swapchef.recipes import IngredientLine
from swapchef.swapping.candidates import Candidate
from swapchef.swapping.dangers import applies
from swapchef.swapping.standbys import standbys_of

_AS_MUCH = 1.5  # times what the recipe has of a strong food is no more than another cook would call the same
_CANNED = frozenset({"can", "tin", "jar"})


@dataclass(frozen=True)
class SwapFacts:
    """What is known of one swap in one recipe."""

    setting: "Setting"
    candidate: Candidate
    mixture: MixtureRatio | None = None  # where the food will do only along with others

    @property
    def source(self) -> str:
        """Return the name of the food that goes."""
        return self.setting.source.food.name

    @property
    def target(self) -> Food:
        """Return the food that comes, or the one of a mixture that a cook would name."""
        return self.candidate.food

    @cached_property
    def plan(self) -> Plan | None:
        """Return what the swap does to the recipe; None without one."""
        editor = self.setting.editor
        return editor.plan(self.setting.source, self.mixture or self.target) if editor else None

    @property
    def plan_made(self) -> Plan:
        """Return the plan of a swap that was chosen in a recipe."""
        if self.plan is None:
            raise ValueError("There is no plan without a recipe.")
        return self.plan

    @cached_property
    def portion(self) -> Portion | None:
        """Return how much of it comes on the first line, or the rule in any recipe; of a mixture none."""
        if self.mixture:
            return None
        line = self.setting.first_line
        return portion_of(self.source, self.target.name, line, self.setting.dish)

    @cached_property
    def concerns(self) -> tuple[Concern, ...]:
        """Return what a cook would have to mind about it in the recipe."""
        editor = self.setting.editor
        return tuple(editor.concerns(self.plan)) if editor and self.plan else ()

    @cached_property
    def taste_changes(self) -> tuple[TasteChange, ...]:
        """Return what plainly tastes otherwise."""
        return changed_tastes(self.source, self.target.name)

    @cached_property
    def kind_distance(self) -> int:
        """Return how far apart the kinds of the two foods are: 0 of one kind, 2 strangers."""
        return kinds_apart(self.source, self.target.name)

    @property
    def cooks(self) -> int:
        """Return how many cooks reported this swap."""
        return round(math.expm1(self.candidate.evidence["count"]))

    @property
    def unfit_steps(self) -> tuple[int, ...]:
        """Return the steps (0 for the recipe as a whole) that ask what the food cannot do."""
        return tuple(concern.step for concern in self.concerns if concern.kind == "unfit")

    @property
    def changed_steps(self) -> int:
        """Return how many things a cook has to do differently."""
        return sum(concern.kind in {"technique", "timing"} for concern in self.concerns)

    @property
    def is_portion_guessed(self) -> bool:
        """Say whether nobody knows how much of it to take on the first line."""
        return self.mixture is None and (self.portion is None or self.portion.is_guess)

    @property
    def is_guess(self) -> bool:
        """Say whether nobody knows how much of it to take on some line."""
        if self.is_portion_guessed:
            return True
        return any(concern.kind == "amount" and concern.is_guess for concern in self.concerns)

    @property
    def is_measured(self) -> bool:
        """Say whether the recipe asks for an amount of it, and not "to taste"."""
        return self.mixture is not None or (self.portion is not None and self.portion.measure is not None)

    @property
    def is_too_much(self) -> bool:
        """Say whether nobody would want so much of it, and the recipe has not as much of something as strong."""
        if self.portion is None:
            return False
        share = share_of_most(self.target.name, self.portion.measure, self.setting.servings)
        return share > 1 and share > _AS_MUCH * share_of_most(self.source, self.portion.asked, self.setting.servings)

    @property
    def lacks(self) -> tuple[str, ...]:
        """Return what the source may do in a dish and this does not."""
        if self.mixture:
            return self.mixture.not_for
        return self.portion.row.lacks if self.portion else ()

    @property
    def is_stronger(self) -> bool:
        """Say whether it is taken by the pinch where the source is taken by the cup."""
        return is_stronger(self.source, self.target.name)

    @property
    def is_vague(self) -> bool:
        """Say whether its name leaves open which food is meant."""
        return is_vague(self.target.name)

    @property
    def is_same_food(self) -> bool:
        """Say whether it is the same food by another name: whoever has run out of one has hardly the other."""
        name = self.target.name
        return is_same_food(name, self.source) and not is_other_variety(self.source, name)

    @property
    def shares_a_word(self) -> bool:
        """Say whether the two names have a word in common."""
        return not set(self.source.split()).isdisjoint(self.target.name.split())

    @property
    def is_in_dish(self) -> bool:
        """Say whether the dish has the food already."""
        return any(is_same_food(self.target.name, food) for food in self.setting.other_foods)

    @property
    def leaves_can(self) -> bool:
        """Say whether what was cooked in a can is replaced by what is not."""
        portion = self.portion
        return portion is not None and portion.asked_unit in _CANNED and portion.unit not in _CANNED

    @property
    def breaks_promise(self) -> bool:
        """Say whether it is against what the dish keeps to unasked."""
        return any(self.verdicts[facet] == "unsafe" for facet in self.setting.promised)

    @cached_property
    def hazards(self) -> tuple[Hazard, ...]:
        """Return what of it, or of a part of the mixture, is dangerous in the dish."""
        names = self.mixture.names if self.mixture else (self.target.name,)
        hazards = dict.fromkeys(hazard for name in names for hazard in self.setting.guard.against(name))
        return tuple(hazard for hazard in hazards if self._applies(hazard))

    def _applies(self, hazard: Hazard) -> bool:
        return not hazard.more_than or applies(hazard, self.target.name, self.portion)

    @property
    def is_dangerous(self) -> bool:
        """Say whether it may neither be made nor offered."""
        return any(hazard.severity == "refuse" for hazard in self.hazards)

    @property
    def wants_care(self) -> bool:
        """Say whether a cook has to take care to eat it safely."""
        return any(hazard.severity == "warn" for hazard in self.hazards)

    @property
    def verdicts(self) -> dict[str, str]:
        """Return what every facet says of it; of a mixture the worst of its parts."""
        return worst_verdicts(self.mixture.names if self.mixture else (self.target.name,))

    @property
    def standby_place(self) -> int | None:
        """Return its place among what those who keep a diet take; None where its amount is not known."""
        standbys = standbys_of(self.source)
        if not self.has_known_amount or self.target.name not in standbys:
            return None
        return standbys.index(self.target.name)

    @property
    def has_known_amount(self) -> bool:
        """Say whether a row tells how much of it to take in such a dish."""
        row = find_ratio(self.source, self.target.name)
        return row is not None and row.where in {"any", self.setting.dish.use}


@dataclass(frozen=True)
class Setting:
    """Where a swap is to be made: the ingredient that goes, and what facts need to know of the dish."""

    source: Source
    editor: Editor | None = None  # None without a recipe
    other_foods: tuple[str, ...] = ()  # that stay in the dish
    promised: tuple[str, ...] = ()  # facets that the dish keeps to unasked
    guard: Guard = NO_GUARD  # what would be dangerous to take instead

    @cached_property
    def first_line(self) -> IngredientLine:
        """Return the first line that a swap changes; without a recipe one that names no amount."""
        name = self.source.food.name
        return self.editor.matched.first_line(self.source) if self.editor else IngredientLine(name, name)

    @property
    def dish(self) -> Dish:
        """Return what kind of dish it is."""
        return self.editor.matched.dish if self.editor else ANY_DISH

    @property
    def servings(self) -> int:
        """Return how many the dish feeds."""
        return self.editor.matched.servings if self.editor else USUAL_SERVINGS


RecipeCount = Callable[[str], float]  # how many recipes of the collection have a food


def recipe_count(popularity: float) -> float:
    """Return how many recipes have a food, from the logarithm that the bundle keeps."""
    return math.expm1(popularity)


@lru_cache(maxsize=10_000)
def worst_verdicts(names: tuple[str, ...]) -> dict[str, str]:
    """Return the worst that each facet says of some foods."""
    worst = {}
    for facet in FACETS:
        statuses = {verdict(name, facet).status for name in names}
        worst[facet] = next((status for status in ("unsafe", "unknown") if status in statuses), "safe")
    return worst
