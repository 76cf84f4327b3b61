"""Candidates of a stub ranker: merged, filtered, judged when their turn comes, and ranked in rounds."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from swapchef.errors import SwapchefError
from swapchef.foods.matching import Food
from swapchef.limits.wishes import Limits, Wishes
from swapchef.rankers.evidence import FEATURES
from swapchef.swapping import candidates
from swapchef.swapping.candidates import NO_FILTERS, Candidate, Filters, Ranking
from tests.swapping.kitchen import Kitchen

NAMES = (
    "butter", "unsalted butter", "margarine", "olive oil", "milk", "soymilk", "water", "sugar", "salt", "garlic salt",
    "aluminum foil", "salt and pepper", "pepper", "beef", "vegan butter", "coconut oil", "flour", "shrimp", "onion",
)  # fmt: skip


def listed(ranking: Ranking) -> list[tuple[str, float]]:
    return [(candidate.food.name, round(candidate.probability, 6)) for candidate in ranking]


def ranked(kitchen: Kitchen, source: str, filters: Filters = NO_FILTERS, context: tuple[str, ...] = ()) -> Ranking:
    return kitchen.ranker().rank(kitchen.id(source), [kitchen.id(name) for name in context], set(), filters)


def limited(**wishes: object) -> Filters:
    return Filters.of(Wishes(**wishes), Kitchen(NAMES, {}).vocabulary)  # type: ignore[arg-type]


# Wishes


def test_a_cupboard_holds_what_was_said_under_the_food_it_was_taken_for() -> None:
    kitchen = Kitchen(NAMES, {})
    kitchen.vocabulary._aliases["boar"] = kitchen.id("beef")
    filters = Filters.of(Wishes(have=["boar", " ", "beef", "milk"]), kitchen.vocabulary)
    assert filters.cupboard == {kitchen.id("beef"): "boar, beef", kitchen.id("milk"): "milk"}
    assert not filters.offers_unknown
    with pytest.raises(SwapchefError, match="Say what you have"):
        Filters.of(Wishes(have=[" "]), kitchen.vocabulary)
    assert Filters.of(Wishes(), kitchen.vocabulary) == NO_FILTERS


def test_what_is_in_the_cupboard_must_suit_by_its_name_and_by_what_was_said() -> None:
    pork_free = Limits(("no_pork",))
    assert Filters({3: "boar"}, Limits(), False).allow(3, "beef")
    assert not Filters({3: "boar"}, pork_free, False).allow(3, "beef")
    assert Filters({3: "beef"}, pork_free, False).allow(3, "beef")
    assert not Filters({3: "beef"}, pork_free, False).allow(3, "bacon")
    assert not Filters({3: "beef"}, pork_free, False).allow(4, "beef")
    assert Filters(None, pork_free, False).allow(4, "beef")
    assert not Filters(None, pork_free, False).allow(4, "bacon")


def test_what_nobody_knows_suits_only_where_it_is_asked_for() -> None:
    vegan = Limits(("vegan",))
    for food, careful, bold in (("tofu", True, True), ("zorblax", False, True), ("butter", False, False)):
        assert Filters(None, vegan, False).suits(food) is careful
        assert Filters(None, vegan, True).suits(food) is bold
    assert limited(unknown=True).offers_unknown


# One ranking


class Judge:
    """Judges groups of names by a table, and remembers which it was asked for."""

    def __init__(self, judgements: dict[int, float | None]) -> None:
        self.judgements, self.asked = judgements, []  # type: ignore[var-annotated]

    def __call__(self, places: list[int]) -> Candidate | None:
        self.asked.append(places)
        chance = self.judgements[places[0]]
        food = Food(places[0], f"food {places[0]}")
        return None if chance is None else Candidate((food,), chance, 0.0, np.zeros(len(FEATURES), np.float32))


def ranking_of(chances: list[float], groups: list[int], judge: Judge) -> Ranking:
    group = np.array(groups)
    sums = np.bincount(group, chances)
    return Ranking(
        candidates._Names([10 * place for place in range(len(chances))], np.array(chances), group, sums), judge
    )


def test_foods_are_judged_only_when_their_turn_comes_and_once() -> None:
    judge = Judge({0: 0.5, 1: 0.3, 2: 0.2})
    ranking = ranking_of([0.5, 0.3, 0.2], [0, 1, 2], judge)
    assert judge.asked == []
    first: Iterator[Candidate] = iter(ranking)
    assert next(first).food.id == 0
    assert judge.asked == [[0]]
    assert [candidate.food.id for candidate in ranking] == [0, 1, 2]
    assert [candidate.food.id for candidate in ranking] == [0, 1, 2]
    assert [candidate.food.id for candidate in first] == [1, 2]
    assert judge.asked == [[0], [1], [2]]


def test_a_food_of_which_some_names_will_not_do_waits_for_its_turn() -> None:
    # Names 0 and 2 are one food with 0.55 in all, of which 0.2 will do; name 4 with 0.15 is not to be had.
    judge = Judge({0: 0.2, 1: 0.25, 3: 0.05, 4: None})
    ranking = ranking_of([0.35, 0.25, 0.2, 0.05, 0.15], [2, 1, 2, 0, 3], judge)
    assert [(candidate.food.id, candidate.probability) for candidate in ranking] == [(1, 0.25), (0, 0.2), (3, 0.05)]
    assert judge.asked == [[0, 2], [1], [4], [3]]


def test_several_that_wait_come_in_the_order_of_what_is_left_and_before_their_equals() -> None:
    judge = Judge({0: 0.05, 1: 0.1, 2: 0.1, 3: 0.01})
    ranking = ranking_of([0.4, 0.3, 0.1, 0.02], [0, 1, 2, 3], judge)
    assert [candidate.food.id for candidate in ranking] == [1, 2, 0, 3]


def test_of_equal_foods_the_first_comes_first_and_rounding_makes_nobody_wait() -> None:
    judge = Judge({0: 0.3 - 1e-14, 1: 0.3, 2: 0.3})
    ranking = ranking_of([0.3, 0.3, 0.3], [0, 1, 2], judge)
    assert [candidate.food.id for candidate in ranking] == [0, 1, 2]


def test_related_foods_are_judged_alone_and_come_likeliest_first() -> None:
    judge = Judge({0: 0.1, 1: 0.25, 2: None, 3: 0.15})
    ranking = ranking_of([0.4, 0.25, 0.2, 0.15], [0, 1, 2, 3], judge)
    related = ranking.related({0, 10, 20}.__contains__)
    assert [candidate.food.id for candidate in related] == [1, 0]
    assert sorted(judge.asked) == [[0], [1], [2]]
    assert ranking.related(lambda _: False) == []
    assert [candidate.food.id for candidate in ranking] == [1, 3, 0]
    assert sorted(judge.asked) == [[0], [1], [2], [3]]  # none of them twice


# The ranker


def test_names_of_one_food_are_merged_and_share_their_chance() -> None:
    kitchen = Kitchen(
        NAMES, {"margarine": {"unsalted butter": 0.3, "olive oil": 0.4, "butter": 0.2, "coconut oil": 0.1}}
    )
    first, second, third = ranked(kitchen, "margarine")
    assert [food.name for food in first.foods] == ["unsalted butter", "butter"]
    assert first.food == kitchen.food("unsalted butter")
    assert [each.probability for each in (first, second, third)] == pytest.approx([0.5, 0.4, 0.1])
    assert first.score == pytest.approx(math.log(0.3))


def test_what_is_in_the_dish_under_any_name_is_no_candidate() -> None:
    kitchen = Kitchen(
        NAMES, {"margarine": {"unsalted butter": 0.3, "olive oil": 0.4, "butter": 0.2, "coconut oil": 0.1}}
    )
    assert listed(ranked(kitchen, "margarine", context=("butter",))) == [("olive oil", 0.4), ("coconut oil", 0.1)]
    assert listed(ranked(kitchen, "margarine", context=("olive oil", "coconut oil"))) == [("unsalted butter", 0.5)]
    other = Kitchen(NAMES, {"unsalted butter": {"butter": 0.5, "margarine": 0.5}})
    assert listed(ranked(other, "unsalted butter")) == [("margarine", 0.5)]  # the source by its other name


def test_what_goes_too_or_is_no_food_or_clashes_is_not_offered() -> None:
    chances = {"pepper": 0.12, "aluminum foil": 0.2, "garlic salt": 0.3, "sugar": 0.15, "soymilk": 0.15, "milk": 0.08}
    kitchen = Kitchen(NAMES, {"salt": chances, "salt and pepper": chances})
    ranker = kitchen.ranker()
    salt, both, flour = (kitchen.id(name) for name in ("salt", "salt and pepper", "flour"))
    alone = listed(ranker.rank(salt, [], {kitchen.id("soymilk")}, NO_FILTERS))
    assert alone == [("garlic salt", 0.3), ("pepper", 0.12), ("milk", 0.08)]
    in_cake = listed(ranker.rank(salt, [flour], set(), NO_FILTERS))
    assert in_cake == [("soymilk", 0.15), ("pepper", 0.12), ("milk", 0.08)]
    assert "pepper" not in dict(listed(ranker.rank(both, [], set(), NO_FILTERS)))


def test_of_a_food_only_the_names_that_are_permitted_count() -> None:
    kitchen = Kitchen(
        NAMES,
        {"margarine": {"unsalted butter": 0.4, "butter": 0.2, "olive oil": 0.3, "coconut oil": 0.1}},
        counts={("margarine", "butter"): 7, ("margarine", "unsalted butter"): 3},
    )
    has_butter = Filters({kitchen.id("butter"): "butter", kitchen.id("olive oil"): "oil"}, Limits(), False)
    oil, butter = ranked(kitchen, "margarine", has_butter)
    assert (oil.food.name, butter.foods) == ("olive oil", (kitchen.food("butter"),))
    assert butter.probability == pytest.approx(0.2)
    assert butter.score == pytest.approx(math.log(0.2))
    assert butter.evidence["count"] == pytest.approx(math.log(8))  # of the name that is permitted


def test_the_cupboard_and_what_a_diets_keepers_take_are_ranked_though_nobody_reported_them() -> None:
    kitchen = Kitchen(NAMES, {"butter": {"olive oil": 1.0}})
    assert [name for name, _ in listed(ranked(kitchen, "butter"))] == ["olive oil"]
    vegan = limited(diet=["vegan"])
    assert {name for name, _ in listed(ranked(kitchen, "butter", vegan))} == {
        "olive oil",
        "vegan butter",
        "coconut oil",
    }
    has_onion = limited(have=["onion", "olive oil"])
    assert [name for name, _ in listed(ranked(kitchen, "butter", has_onion))] == ["olive oil", "onion"]


def test_a_source_that_nobody_replaced_has_no_candidates() -> None:
    assert listed(ranked(Kitchen(NAMES, {"shrimp": {}}), "shrimp")) == []


def test_chances_are_a_softmax_that_no_large_score_breaks() -> None:
    scores = np.array([1000.0, 1000.0 + math.log(3), -1000.0], np.float32)
    assert candidates._softmax(scores).tolist() == pytest.approx([0.25, 0.75, 0.0], abs=1e-5)


def test_what_nobody_ranked_is_a_candidate_without_evidence() -> None:
    kitchen = Kitchen(NAMES, {})
    known, unknown = kitchen.ranker().unranked("Butter"), kitchen.ranker().unranked("qqzzx")
    assert known.foods == (kitchen.food("butter"),)
    assert unknown.foods == (Food(None, "qqzzx"),)
    assert (known.probability, known.score, set(known.evidence.values())) == (0.0, 0.0, {0.0})


# Several sources


def two_rounds() -> Kitchen:
    """Margarine for butter, unless there is soymilk; soymilk for milk beside margarine, else water."""

    def for_butter(around: frozenset[str]) -> dict[str, float]:
        oil = 0.7 if "soymilk" in around else 0.4
        return {"margarine": 1 - oil, "olive oil": oil}

    def for_milk(around: frozenset[str]) -> dict[str, float]:
        soymilk = 0.8 if "margarine" in around else 0.3
        return {"soymilk": soymilk, "water": 1 - soymilk}

    return Kitchen(NAMES, {"butter": for_butter, "milk": for_milk})


def test_several_sources_are_ranked_in_two_rounds_each_in_view_of_the_others() -> None:
    kitchen = two_rounds()
    butter, milk, flour = (kitchen.id(name) for name in ("butter", "milk", "flour"))
    rankings = kitchen.ranker().rank_together([butter, milk], {butter, milk, flour}, NO_FILTERS)
    # First margarine for butter, and soymilk for milk beside it; then oil for butter beside soymilk, so that milk is
    # looked at once more, beside oil: water. One round would end with margarine and soymilk.
    assert listed(rankings[butter]) == [("olive oil", 0.7), ("margarine", 0.3)]
    assert listed(rankings[milk]) == [("water", 0.7), ("soymilk", 0.3)]
    assert kitchen.asked == [
        ("butter", {"flour"}),
        ("milk", {"flour", "margarine"}),
        ("butter", {"flour", "soymilk"}),
        ("milk", {"flour", "olive oil"}),
    ]


def test_one_source_is_ranked_once_and_what_stays_the_same_is_not_ranked_again() -> None:
    kitchen = two_rounds()
    butter, milk, shrimp = (kitchen.id(name) for name in ("butter", "milk", "shrimp"))
    kitchen.ranker().rank_together([butter], {butter, milk}, NO_FILTERS)
    assert kitchen.asked == [("butter", {"milk"})]
    still = Kitchen(NAMES, {"butter": {"olive oil": 1.0}, "shrimp": {}})
    rankings = still.ranker().rank_together([shrimp, butter], {butter, shrimp}, NO_FILTERS)
    assert still.asked == [("shrimp", frozenset()), ("butter", frozenset()), ("shrimp", {"olive oil"})]
    assert listed(rankings[shrimp]) == []


def test_what_goes_from_the_recipe_is_no_swap_for_another_that_goes() -> None:
    kitchen = Kitchen(NAMES, {"butter": {"milk": 0.9, "olive oil": 0.1}, "milk": {"butter": 0.9, "water": 0.1}})
    butter, milk = kitchen.id("butter"), kitchen.id("milk")
    rankings = kitchen.ranker().rank_together([butter, milk], {butter, milk}, NO_FILTERS)
    assert [[name for name, _ in listed(ranking)] for ranking in rankings.values()] == [["olive oil"], ["water"]]
