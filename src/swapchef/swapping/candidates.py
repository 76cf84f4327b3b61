"""Foods that may take the place of another, the likeliest first: ranked once, judged only when their turn comes.

The ranker scores the candidates of a source in the rest of the recipe; names of one food are merged, and what the cook
cannot have is passed over. Several sources are ranked in rounds, each in the recipe as it is after the likeliest swaps
of the others.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt

from swapchef.effects.tastes import clashes, is_sweet_dish
from swapchef.errors import SwapchefError
from swapchef.foods.kinds import food_of, is_ingredient, is_part_of
from swapchef.foods.matching import Food, Vocabulary
from swapchef.limits.wishes import Limits, Wishes
from swapchef.rankers.evidence import FEATURES
from swapchef.rankers.shortlist import Shortlister
from swapchef.swapping.standbys import standbys_of

_ROUNDING = 1e-12
_ROUNDS = 2  # of ranking each source in view of the others' likeliest swaps


@dataclass(frozen=True)
class Filters:
    """A cook's wishes, understood."""

    cupboard: Mapping[int, str] | None  # ids of what the cook has, and the words they said
    limits: Limits
    offers_unknown: bool

    @classmethod
    def of(cls, wishes: Wishes, vocabulary: Vocabulary) -> "Filters":
        """Understand what the cook asks of a swap."""
        cupboard = None
        if wishes.have is not None:
            names = [name for name in wishes.have if name.strip()]
            if not names:
                raise SwapchefError("Say what you have, such as --have yogurt,milk.")
            matches = [vocabulary.require(name) for name in names]
            cupboard = {match.id: ", ".join(m.words for m in matches if m.id == match.id) for match in matches}
        return cls(cupboard, Limits.of(wishes, vocabulary), wishes.unknown)

    def allow(self, id: int, name: str) -> bool:
        """Say whether a food may be offered."""
        if self.cupboard is None:
            return self.suits(name)
        # The vocabulary takes "boar" for "beef": what is really in the cupboard must suit as well.
        return id in self.cupboard and self.suits(name) and self.suits(self.cupboard[id])

    def suits(self, name: str) -> bool:
        """Say whether a food keeps to the limits."""
        status = self.limits.judge(name).status
        return status == "safe" or (status == "unknown" and self.offers_unknown)


NO_FILTERS = Filters(None, Limits(), offers_unknown=False)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A food that may take the place of another: its names, the likeliest first, and what speaks for it."""

    foods: tuple[Food, ...]
    probability: float
    score: float
    features: npt.NDArray[np.float32]  # of the likeliest, as in FEATURES

    @property
    def food(self) -> Food:
        """Return the likeliest of its names."""
        return self.foods[0]

    @cached_property
    def evidence(self) -> dict[str, float]:
        """Return the numbers that ranked it, by name."""
        return dict(zip(FEATURES, self.features.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class _Names:
    """The names that were scored for one source, those of one food as a group."""

    ids: list[int]  # the likeliest first
    chances: npt.NDArray[np.float64]  # of each name
    group: npt.NDArray[np.intp]  # of each name
    group_chances: npt.NDArray[np.float64]

    def of_group(self, number: int) -> list[int]:
        """Return the places of the names of one food, the likeliest first."""
        return [int(place) for place in np.flatnonzero(self.group == number)]


class Ranking:
    """The foods that may take the place of one source, ranked as far as they have been asked for.

    A food is judged only when its turn comes, or when related foods are asked for and it is one of them.
    """

    def __init__(self, names: _Names, judge: Callable[[list[int]], Candidate | None]) -> None:
        self._names, self._judge = names, judge
        self.is_silent = not names.ids  # the ranker has nothing to say about the source
        self._judged: dict[int, Candidate | None] = {}  # by group
        self._ranked: list[Candidate] = []
        self._next = self._in_order()

    def __iter__(self) -> Iterator[Candidate]:
        """Yield candidates, the likeliest first."""
        position = 0
        while True:
            if position == len(self._ranked):
                if (candidate := next(self._next, None)) is None:
                    return
                self._ranked.append(candidate)
            yield self._ranked[position]
            position += 1

    def related(self, is_related: Callable[[int], bool]) -> list[Candidate]:
        """Return the candidates of which some name, by its id, is related, the likeliest first."""
        places = [place for place, id in enumerate(self._names.ids) if is_related(id)]
        numbers = sorted(set(self._names.group[places].tolist()))
        candidates = [candidate for number in numbers if (candidate := self._judged_group(number))]
        return sorted(candidates, key=lambda candidate: -candidate.probability)

    def _in_order(self) -> Iterator[Candidate]:
        """Judge foods in the order of their chances; one of which some names will not do waits for its turn."""
        waiting: list[tuple[float, int, Candidate]] = []  # minus its chance
        chances = self._names.group_chances.tolist()
        for number in np.argsort(-self._names.group_chances, kind="stable").tolist():
            while waiting and -waiting[0][0] >= chances[number]:
                yield heappop(waiting)[2]
            if candidate := self._judged_group(number):
                if candidate.probability < chances[number] - _ROUNDING:
                    heappush(waiting, (-candidate.probability, number, candidate))
                else:
                    yield candidate
        while waiting:
            yield heappop(waiting)[2]

    def _judged_group(self, number: int) -> Candidate | None:
        if number not in self._judged:
            self._judged[number] = self._judge(self._names.of_group(number))
        return self._judged[number]


class CandidateRanker:
    """Ranks the candidates of sources with what a ranker has on its shortlist."""

    def __init__(self, vocabulary: Vocabulary, shortlister: Shortlister) -> None:
        self.vocabulary, self.shortlister = vocabulary, shortlister
        numbers: dict[str, int] = {}  # of foods; several names may stand for one
        of_names = [numbers.setdefault(food_of(name), len(numbers)) for name in vocabulary.names]
        self._numbers = np.array(of_names, np.intp)
        self._foods = [Food(id, name) for id, name in enumerate(vocabulary.names)]

    def rank_together(self, sources: Sequence[int], recipe: set[int], filters: Filters) -> dict[int, Ranking]:
        """Rank several sources of a recipe, each in view of the others' likeliest swaps."""
        rest = recipe - set(sources)
        likeliest: dict[int, int] = {}
        rankings: dict[int, Ranking] = {}
        known: dict[tuple[int, tuple[int, ...]], Ranking] = {}  # by source and context, which may stay the same
        for _ in range(_ROUNDS if len(sources) > 1 else 1):
            for source in sources:
                others = {target for other, target in likeliest.items() if other != source}
                context = tuple(sorted(rest | others))
                if (source, context) not in known:
                    known[source, context] = self.rank(source, context, set(sources) - {source}, filters)
                rankings[source] = known[source, context]
                first = next(iter(rankings[source]), None)
                if first is not None and first.food.id is not None:
                    likeliest[source] = first.food.id
        return rankings

    def rank(self, source: int, context: Sequence[int], going: set[int], filters: Filters) -> Ranking:
        """Rank the candidates of one source in the rest of a recipe; what goes from it too is not offered."""
        around = np.array(context, np.int32)
        listed = self.shortlister.shortlist(source, around, self._asked_for(source, filters))
        scores, features = listed.log_chances, listed.features
        order = np.argsort(-scores, kind="stable")
        order = order[~self._is_present([source, *context])[self._numbers[listed.ids[order]]]]
        names = self._names(listed.ids[order], _softmax(scores)[order])
        name, is_sweet = self._foods[source].name, is_sweet_dish(self._foods[id].name for id in [*context, source])

        def will_do(food: Food) -> bool:
            return (
                food.id is not None
                and food.id not in going
                and is_ingredient(food.name)
                and not is_part_of(food.name, name)
                and not clashes(name, food.name, is_sweet)
                and filters.allow(food.id, food.name)
            )

        def judge(places: list[int]) -> Candidate | None:
            foods = {place: food for place in places if will_do(food := self._foods[names.ids[place]])}
            if not foods:
                return None
            best, chance = order[next(iter(foods))], float(names.chances[list(foods)].sum())
            return Candidate(tuple(foods.values()), chance, float(scores[best]), features[best])

        return Ranking(names, judge)

    def _names(self, ids: npt.NDArray[np.int32], chances: npt.NDArray[np.float64]) -> _Names:
        """Group names, the likeliest first, by the food that they stand for."""
        _, group = np.unique(self._numbers[ids], return_inverse=True)
        return _Names(ids.tolist(), chances, group, np.bincount(group, chances).astype(np.float64))

    def _is_present(self, ids: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Say of each food whether it is among some ingredients, under whatever name: it is no swap then."""
        is_present = np.zeros(len(self._numbers), bool)
        is_present[self._numbers[list(ids)]] = True
        return is_present

    def unranked(self, name: str) -> Candidate:
        """Return a food that nobody ranked as a candidate."""
        match = self.vocabulary.match(name)
        food = Food(match.id if match else None, match.name if match else name)
        return Candidate((food,), 0.0, 0.0, np.zeros(len(FEATURES), np.float32))

    def _asked_for(self, source: int, filters: Filters) -> npt.NDArray[np.int32]:
        """Return foods to rank though nobody reported them: what is in the cupboard, and what a diet's keepers take."""
        asked_for = set(filters.cupboard or ())
        if filters.limits:
            matches = map(self.vocabulary.match, standbys_of(self.vocabulary.names[source]))
            asked_for.update(match.id for match in matches if match)
        return np.array(sorted(asked_for), np.int32)


def _softmax(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    if len(scores) == 0:
        return np.zeros(0)
    powers = np.exp(scores.astype(np.float64) - float(scores.max()))
    return np.asarray(powers / powers.sum())
