"""Choosing a swap: of what cooks would likely take, the one with the fewest doubts that changes the dish least.

A doubt is what would make a cook stop (a guessed amount, a step that the food is unfit for, a diet the dish keeps); a
change is what they would taste or do differently, weighed against how likely the swap is and whether shops have it.
Under a diet, what those who keep it take counts as likely; where nothing can do the work, nothing is chosen.
"""

import math
from collections.abc import Sequence

from swapchef.limits.wishes import Limits
from swapchef.swapping.facts import RecipeCount, SwapFacts

LIKELY = 10  # of the likeliest swaps, that one is chosen from
_FAR_BEHIND = 12  # times less likely than the likeliest: too far to be chosen
_LEAST_STANDBY = 0.03  # the least chance of what those who keep the diet that is asked for take first ...
_NEXT_STANDBY = 0.7  # ... and of each of the next, compared with the one before it
_LEAST = 1e-4
_COMMON = 400  # recipes of the collection that have it: any shop does too
_SHOP = 0.4  # what a doubling of those recipes weighs

# What a change of the dish weighs, in halvings of a swap's probability.
_STEP, _TASTE, _KIND, _LEAVES_CAN, _IN_DISH_ALREADY = 0.5, 1.0, 1.5, 2.0, 1.5
_SAME_FOOD = 4.0  # by another name: whoever has run out of one has hardly the other


def near_the_likeliest(likely: Sequence[SwapFacts]) -> list[SwapFacts]:
    """Return the swaps that come near the likeliest."""
    least = likely[0].candidate.probability / _FAR_BEHIND if likely else 0.0
    return [facts for facts in likely[:LIKELY] if facts.candidate.probability >= least]


def is_doubtful(likely: Sequence[SwapFacts]) -> bool:
    """Say whether each of the likely swaps is of another kind or doubtful, so that relatives are worth a look."""
    return all(facts.kind_distance or doubts(facts) for facts in near_the_likeliest(likely))


def favourite(
    likely: Sequence[SwapFacts], relatives: Sequence[SwapFacts], limits: Limits, recipes_with: RecipeCount
) -> SwapFacts | None:
    """Return the swap, of those near the likeliest and of related foods, with the fewest doubts that changes least."""

    def least_cost(facts: SwapFacts) -> tuple[int, float]:
        """Return the cost of a swap but for what its steps add."""
        is_stranger = bool(limits) and not facts.has_known_amount
        place = facts.standby_place if limits else None
        least = _LEAST if place is None else _LEAST_STANDBY * _NEXT_STANDBY**place
        recipes = min(recipes_with(facts.target.name), _COMMON) if place is None else _COMMON
        log_chance = math.log2(max(facts.candidate.probability, least))
        change = change_of_food(facts) + _SAME_FOOD * (facts.is_same_food and not limits)
        return doubts_about_food(facts) + is_stranger, change - log_chance - _SHOP * math.log2(1 + recipes)

    best, best_cost = None, (math.inf, math.inf)
    swaps = {facts.target: facts for facts in (*near_the_likeliest(likely), *relatives)}.values()
    for (some_doubts, some_change), _, facts in sorted(
        (least_cost(facts), number, facts) for number, facts in enumerate(swaps)
    ):
        if (some_doubts, some_change) >= best_cost:  # and its steps can only add to that
            break
        cost = (some_doubts + doubts_about_steps(facts), some_change + _STEP * facts.changed_steps)
        if cost < best_cost:
            best, best_cost = facts, cost
    return best


def can_be_chosen(facts: SwapFacts) -> bool:
    """Say whether a swap may be made unasked: it can do the work, and it is no stranger in a guessed amount.

    Readers refused half of the swaps that have neither kind nor name in common with the food and no known amount.
    """
    is_related = facts.kind_distance == 0 or facts.shares_a_word
    is_guessed_stranger = facts.is_measured and not is_related and facts.is_guess and facts.mixture is None
    return not facts.unfit_steps and not is_guessed_stranger


def doubts(facts: SwapFacts) -> int:
    """Count what speaks against making a swap unasked."""
    return doubts_about_food(facts) + doubts_about_steps(facts)


def doubts_about_food(facts: SwapFacts) -> int:
    """Count what speaks against a food, whatever the steps do with it."""
    return sum(
        (
            facts.is_vague,
            facts.breaks_promise,
            facts.wants_care,
            facts.is_portion_guessed,
            facts.is_portion_guessed and _is_risky_guess(facts),
            facts.is_too_much,
            "binding" in facts.lacks,
        )
    )


def doubts_about_steps(facts: SwapFacts) -> int:
    """Count what speaks against a food where it stands: a step it is unfit for, a guess on some line."""
    is_guessed_on_line = facts.is_guess and not facts.is_portion_guessed
    return bool(facts.unfit_steps) + is_guessed_on_line + (is_guessed_on_line and _is_risky_guess(facts))


def _is_risky_guess(facts: SwapFacts) -> bool:
    return bool(facts.taste_changes) or facts.is_stronger


def change_of_food(facts: SwapFacts) -> float:
    """Say how much a food changes a dish: tastes, another kind, one that the dish has already; steps come on top."""
    return (
        _TASTE * len(facts.taste_changes)
        + _KIND * facts.kind_distance
        + _LEAVES_CAN * facts.leaves_can
        + _IN_DISH_ALREADY * (facts.source != "water" and facts.is_in_dish)
    )
