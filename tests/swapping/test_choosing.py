"""Which swap is chosen: doubts and costs added up by hand, and against a plain minimum over random facts."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import cast

import pytest

from swapchef.effects.tastes import TasteChange
from swapchef.foods.matching import Food
from swapchef.limits.wishes import Limits
from swapchef.swapping.choosing import (
    LIKELY,
    can_be_chosen,
    change_of_food,
    doubts,
    doubts_about_food,
    doubts_about_steps,
    favourite,
    is_doubtful,
    near_the_likeliest,
)
from swapchef.swapping.facts import SwapFacts

SWEETER, SALTIER = TasteChange("sweet", True), TasteChange("salty", True)
NONE, VEGAN = Limits(), Limits(("vegan",))


@dataclass(frozen=True)
class Facts:
    """What a choice reads of a swap, written by hand."""

    name: str = "target"
    probability: float = 0.5
    source: str = "source"
    kind_distance: int = 0
    taste_changes: tuple[TasteChange, ...] = ()
    unfit_steps: tuple[int, ...] = ()
    changed_steps: int = 0
    is_portion_guessed: bool = False
    is_guess: bool = False
    is_measured: bool = True
    is_too_much: bool = False
    is_stronger: bool = False
    is_vague: bool = False
    is_same_food: bool = False
    is_in_dish: bool = False
    leaves_can: bool = False
    breaks_promise: bool = False
    wants_care: bool = False
    shares_a_word: bool = False
    has_known_amount: bool = True
    standby_place: int | None = None
    lacks: tuple[str, ...] = ()
    mixture: str | None = None

    @property
    def target(self) -> Food:
        return Food(1, self.name)

    @property
    def candidate(self) -> SimpleNamespace:
        return SimpleNamespace(probability=self.probability)


def facts(**values: object) -> SwapFacts:
    return cast(SwapFacts, Facts(**values))  # type: ignore[arg-type]


def chosen(*swaps: SwapFacts, relatives: Sequence[SwapFacts] = (), limits: Limits = NONE, count: float = 400) -> str:
    best = favourite(swaps, relatives, limits, lambda _: count)
    assert best is not None
    return best.target.name


@pytest.mark.parametrize(
    ("against", "about_food", "about_steps"),
    [
        ({}, 0, 0),
        ({"is_vague": True}, 1, 0),
        ({"breaks_promise": True}, 1, 0),
        ({"is_too_much": True}, 1, 0),
        ({"lacks": ("lifting", "binding")}, 1, 0),
        ({"lacks": ("lifting",)}, 0, 0),
        ({"is_portion_guessed": True, "is_guess": True}, 1, 0),
        ({"is_portion_guessed": True, "is_guess": True, "is_stronger": True}, 2, 0),
        ({"is_portion_guessed": True, "is_guess": True, "taste_changes": (SWEETER,)}, 2, 0),
        ({"taste_changes": (SWEETER,), "is_stronger": True}, 0, 0),  # a change, but the amount is known
        ({"unfit_steps": (0, 3)}, 0, 1),
        ({"is_guess": True}, 0, 1),  # the amount on another line than the first
        ({"is_guess": True, "is_stronger": True}, 0, 2),
        ({"is_guess": True, "unfit_steps": (1,), "is_vague": True, "is_too_much": True}, 2, 2),
    ],
)
def test_doubts_are_counted(against: dict[str, object], about_food: int, about_steps: int) -> None:
    swap = facts(**against)
    assert doubts_about_food(swap) == about_food
    assert doubts_about_steps(swap) == about_steps
    assert doubts(swap) == about_food + about_steps


@pytest.mark.parametrize(
    ("changes", "cost"),
    [
        ({}, 0.0),
        ({"taste_changes": (SWEETER, SALTIER)}, 2.0),
        ({"kind_distance": 2}, 3.0),
        ({"leaves_can": True}, 2.0),
        ({"is_in_dish": True}, 1.5),
        ({"is_in_dish": True, "source": "water"}, 0.0),  # broth for water, in a dish with broth
        ({"taste_changes": (SWEETER,), "kind_distance": 1, "leaves_can": True, "is_in_dish": True}, 6.0),
    ],
)
def test_changes_of_the_dish_add_up(changes: dict[str, object], cost: float) -> None:
    assert change_of_food(facts(**changes)) == cost


@pytest.mark.parametrize(
    ("swap", "may_be"),
    [
        ({}, True),
        ({"unfit_steps": (2,)}, False),
        ({"kind_distance": 1, "is_guess": True}, False),  # a stranger in a guessed amount
        ({"kind_distance": 1, "is_guess": True, "shares_a_word": True}, True),
        ({"kind_distance": 0, "is_guess": True}, True),
        ({"kind_distance": 2, "is_guess": False}, True),
        ({"kind_distance": 2, "is_guess": True, "is_measured": False}, True),
        ({"kind_distance": 2, "is_guess": True, "mixture": "milk + butter"}, True),
    ],
)
def test_a_swap_is_made_unasked_only_if_it_can_do_the_work_and_is_no_guessed_stranger(
    swap: dict[str, object], may_be: bool
) -> None:
    assert can_be_chosen(facts(**swap)) is may_be


def test_a_twelfth_of_the_likeliest_is_still_near_it() -> None:
    likely = [facts(name=str(p), probability=p) for p in (0.48, 0.04, 0.0399)]
    assert [swap.target.name for swap in near_the_likeliest(likely)] == ["0.48", "0.04"]
    assert near_the_likeliest([]) == []
    many = [facts(name=str(n), probability=0.1) for n in range(LIKELY + 5)]
    assert len(near_the_likeliest(many)) == LIKELY == 10


def test_a_choice_is_doubtful_where_each_of_the_near_swaps_has_something_against_it() -> None:
    fine, far, vague = facts(), facts(kind_distance=1), facts(is_vague=True)
    assert is_doubtful([far, vague])
    assert not is_doubtful([far, fine])
    assert is_doubtful([facts(kind_distance=1), facts(probability=0.01)])  # the good one is far behind
    assert is_doubtful([])


def test_doubts_come_before_all_changes() -> None:
    changed = facts(name="changed", kind_distance=2, taste_changes=(SWEETER, SALTIER), probability=0.1)
    assert chosen(facts(name="vague", is_vague=True), changed) == "changed"
    assert chosen(facts(name="unfit", unfit_steps=(1,)), changed) == "changed"


@pytest.mark.parametrize(
    ("change", "worth"),
    [
        ({"taste_changes": (SWEETER,)}, 1.0),
        ({"kind_distance": 1}, 1.5),
        ({"leaves_can": True}, 2.0),
        ({"is_in_dish": True}, 1.5),
        ({"changed_steps": 3}, 1.5),
        ({"is_same_food": True}, 4.0),
    ],
)
def test_a_change_weighs_as_many_halvings_of_the_probability(change: dict[str, object], worth: float) -> None:
    likelier = 0.5
    for halvings, better in ((worth - 0.1, "plain"), (worth + 0.1, "changed")):
        plain = facts(name="plain", probability=likelier / 2 ** min(halvings, 3.5), kind_distance=0)
        rest = max(halvings - 3.5, 0)  # beyond a twelfth it would not be looked at: the rest as its recipes in shops
        best = favourite(
            [facts(name="changed", probability=likelier, **change), plain],
            (),
            NONE,
            lambda name, rest=rest: 400 if name == "changed" else 401 / 2 ** (rest / 0.4) - 1,  # type: ignore[misc]
        )
        assert best is not None
        assert best.target.name == better


def test_what_shops_have_counts_up_to_four_hundred_recipes() -> None:
    def with_counts(rare: float, common: float) -> str:
        counts = {"rare": rare, "common": common}
        swaps = [facts(name="rare", probability=0.5), facts(name="common", probability=0.4)]
        best = favourite(swaps, (), NONE, counts.__getitem__)
        assert best is not None
        return best.target.name

    assert with_counts(400, 9000) == "rare"
    assert with_counts(0, 400) == "common"  # 0.4 * log2(401) = 3.5 against log2(0.5 / 0.4) = 0.3
    assert with_counts(255, 400) == "rare"  # 0.4 * log2(401 / 256) = 0.26
    assert with_counts(199, 400) == "common"  # 0.4 * log2(401 / 200) = 0.40


def test_under_limits_what_their_keepers_take_counts_as_likely_the_first_of_them_most() -> None:
    unlikely = facts(name="standby", probability=1e-7, standby_place=0)
    # 0.03 at least, against 0.03 / 1.1 and 0.03 * 1.1 of equally common foods
    assert chosen(facts(name="likely", probability=0.03 / 1.1), relatives=[unlikely], limits=VEGAN) == "standby"
    assert chosen(facts(name="likely", probability=0.03 * 1.1), relatives=[unlikely], limits=VEGAN) == "likely"
    second = facts(name="second", probability=1e-7, standby_place=2)
    assert chosen(facts(name="likely", probability=0.0148), relatives=[second], limits=VEGAN) == "likely"
    assert chosen(facts(name="likely", probability=0.0146), relatives=[second], limits=VEGAN) == "second"  # 0.03 * 0.49
    assert (
        chosen(facts(name="likely", probability=0.001), relatives=[unlikely]) == "likely"
    )  # without limits it does not
    # It is not rare to those who look for it, but the other one is.
    assert chosen(facts(name="likely", probability=0.06), relatives=[unlikely], limits=VEGAN, count=3) == "standby"


def test_no_chance_counts_as_less_than_one_in_ten_thousand() -> None:
    swaps = [facts(name="less", probability=1e-9), facts(name="more", probability=1e-9, taste_changes=(SWEETER,))]
    assert chosen(facts(name="likely", probability=1e-4, kind_distance=1), relatives=swaps) == "less"
    assert chosen(facts(name="likely", probability=1.5e-4), relatives=swaps) == "likely"


def test_under_limits_a_stranger_is_doubted_and_the_same_food_is_welcome() -> None:
    stranger = facts(name="stranger", has_known_amount=False)
    known = facts(name="known", probability=0.05, kind_distance=1)
    assert chosen(stranger, known) == "stranger"
    assert chosen(stranger, known, limits=VEGAN) == "known"
    same, other = facts(name="same", is_same_food=True), facts(name="other", probability=0.25)
    assert chosen(same, other) == "other"
    assert chosen(same, other, limits=VEGAN) == "same"


def test_a_relative_is_chosen_from_too_and_nothing_from_nothing() -> None:
    assert chosen(facts(name="vague", is_vague=True), relatives=[facts(name="kin", probability=0.001)]) == "kin"
    assert favourite([], [], NONE, lambda _: 1.0) is None


def plain_cost(swap: Facts, limits: Limits, recipes: float) -> tuple[int, float]:
    """Add up all that speaks against a swap, as the words of `choosing` have it."""
    risky = bool(swap.taste_changes) or swap.is_stronger
    on_line = swap.is_guess and not swap.is_portion_guessed
    count = [swap.is_vague, swap.breaks_promise, swap.is_too_much, "binding" in swap.lacks, bool(swap.unfit_steps)]
    count += [swap.is_portion_guessed, swap.is_portion_guessed and risky, on_line, on_line and risky]
    count += [bool(limits) and not swap.has_known_amount]
    chance, common = max(swap.probability, 0.0001), min(recipes, 400)
    if limits and swap.standby_place is not None:
        chance, common = max(swap.probability, 0.03 * 0.7**swap.standby_place), 400
    change = len(swap.taste_changes) + 1.5 * swap.kind_distance + 2 * swap.leaves_can + 0.5 * swap.changed_steps
    change += 1.5 * (swap.is_in_dish and swap.source != "water") + 4 * (swap.is_same_food and not limits)
    return sum(count), change - math.log2(chance) - 0.4 * math.log2(1 + common)


def random_facts(name: str, source: str, dice: random.Random) -> Facts:
    def rarely() -> bool:
        return dice.random() < 0.15

    is_portion_guessed = rarely()
    return Facts(
        name,
        dice.choice([0.6, 0.3, 0.1, 0.03, 1e-3, 1e-6]) * dice.random(),
        source,
        kind_distance=dice.randrange(3),
        taste_changes=(SWEETER, SALTIER)[: dice.choice([0, 0, 1, 2])],
        unfit_steps=(1,) * rarely(),
        changed_steps=dice.choice([0, 0, 1, 2, 5]),
        is_portion_guessed=is_portion_guessed,
        is_guess=is_portion_guessed or rarely(),
        is_too_much=rarely(),
        is_stronger=rarely(),
        is_vague=rarely(),
        is_same_food=rarely(),
        is_in_dish=rarely(),
        leaves_can=rarely(),
        breaks_promise=rarely(),
        has_known_amount=not rarely(),
        standby_place=dice.choice([None, None, 0, 1, 4]),
        lacks=("binding",) * rarely(),
    )


def test_the_shortcut_finds_what_a_plain_minimum_over_full_costs_finds() -> None:
    dice = random.Random(5)
    for _ in range(3000):
        source = dice.choice(["water", "milk"])
        every = [random_facts(str(number), source, dice) for number in range(dice.randrange(1, 14))]
        likely = sorted(every[: dice.randrange(len(every) + 1)], key=lambda each: -each.probability)
        relatives, limits = every[len(likely) :][:5], dice.choice([NONE, VEGAN])
        recipes = {each.name: dice.choice([0, 3, 50, 400, 3000]) for each in every}
        near = [each for each in likely[:10] if 12 * each.probability >= likely[0].probability]
        costs = {each.name: plain_cost(each, limits, recipes[each.name]) for each in (*near, *relatives)}
        best = favourite(
            [cast(SwapFacts, each) for each in likely],
            [cast(SwapFacts, each) for each in relatives],
            limits,
            recipes.__getitem__,
        )
        if not costs:
            assert best is None
            continue
        assert best is not None
        doubts_of_best, change_of_best = costs[best.target.name]
        fewest, least = min(costs.values())
        assert (doubts_of_best, change_of_best) == (fewest, pytest.approx(least, abs=1e-9))
