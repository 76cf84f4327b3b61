"""The decision for each ingredient to replace: ranked once, judged by facts, and the same for every command that asks.

The likeliest swaps, related foods and what a diet's keepers take come out of one ranking; the choice is among them, and
where none can do the work a mixture is taken, or nothing, with the reason.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from swapchef.amounts.portions import mixtures_for
from swapchef.amounts.ratios import MixtureRatio, is_only_part
from swapchef.editing.editor import Editor
from swapchef.editing.matched_recipe import Source
from swapchef.errors import SwapchefError
from swapchef.foods.kinds import is_same_food, kinds_apart
from swapchef.foods.lexicon import is_tool
from swapchef.foods.matching import Food
from swapchef.limits.hazards import Guard, Hazard, Hazards
from swapchef.limits.promises import promised_facets
from swapchef.swapping.candidates import Candidate, CandidateRanker, Filters, Ranking
from swapchef.swapping.choosing import LIKELY, can_be_chosen, favourite, is_doubtful
from swapchef.swapping.dangers import guard_of
from swapchef.swapping.facts import Setting, SwapFacts, recipe_count
from swapchef.swapping.standbys import standbys_of

_RELATED = 5  # foods of one kind to look at under a diet, or where each likely swap is doubtful
ANYWHERE = Hazards()  # what is dangerous in any dish
_NAMED = 3  # swaps for the cook to choose from, where none is made unasked
_ALWAYS_THERE = frozenset({"water", "salt"})  # in any cupboard


@dataclass(frozen=True)
class Decision:
    """What to use instead of one ingredient: the choice, if there is one, and all that it was chosen from."""

    source: Source
    chosen: SwapFacts | None
    likely: tuple[SwapFacts, ...]  # the likeliest first
    mixtures: tuple[MixtureRatio, ...]  # in the amounts of the line
    refusal: Hazard | None = None  # why nothing may take its place
    is_silent: bool = False  # the ranker has nothing to say about it

    @property
    def ranked(self) -> list[SwapFacts]:
        """Return what to show: the choice first, then the likeliest."""
        if self.chosen is None:
            return list(self.likely)
        rest = [facts for facts in self.likely if facts.target != self.chosen.target]
        return [self.chosen, *rest]

    def required(self) -> SwapFacts:
        """Return the choice, or say why there is none."""
        if self.chosen:
            return self.chosen
        name = self.source.food.name
        if not self.likely:
            raise SwapchefError(f"I know nothing to use instead of {name}; name something yourself with --with.")
        others = [facts.target.name for facts in self.likely if not facts.unfit_steps][:_NAMED]
        nearest = f"cooks took {' or '.join(others)}" if others else "suggest shows what comes nearest"
        raise SwapchefError(
            f"I know nothing that does the work of {name} here; {nearest}, and --with takes what you choose."
        )


class Decider:
    """Decides what to use instead of ingredients, with what the ranker knows."""

    def __init__(self, candidates: CandidateRanker) -> None:
        self._candidates, self._vocabulary = candidates, candidates.vocabulary

    def decide(
        self, sources: Sequence[Source], editor: Editor | None, filters: Filters, top: int, hazards: Hazards = ANYWHERE
    ) -> list[Decision]:
        """Decide for all sources, each in view of the others' likeliest swaps; look at `top` of the likely ones."""
        _refuse_twice_and_tools(sources)
        guards = [guard_of(source, editor, hazards) for source in sources]
        ids = [source.food.id for source, guard in zip(sources, guards, strict=True) if not guard.refusal]
        rankings = self._candidates.rank_together(ids, editor.matched.ids if editor else set(), filters)
        staying_and_promised = self._staying_and_promised(editor, set(ids))
        decisions = []
        for source, guard in zip(sources, guards, strict=True):
            if guard.refusal:
                decisions.append(Decision(source, None, (), (), guard.refusal))
                continue
            setting = Setting(source, editor, *staying_and_promised, guard)
            mixtures = self._mixtures(source, editor, filters, set(ids), guard)
            decisions.append(self._decision(setting, rankings[source.food.id], mixtures, filters, top))
        return decisions

    def _decision(
        self, setting: Setting, ranking: Ranking, mixtures: tuple[MixtureRatio, ...], filters: Filters, top: int
    ) -> Decision:
        source = setting.source
        likely = tuple(islice(self._facts(ranking, setting, mixtures), max(top, LIKELY)))
        if setting.editor is None:
            return Decision(source, None, likely, mixtures, is_silent=ranking.is_silent)
        relatives: tuple[SwapFacts, ...] = ()
        if filters.limits or is_doubtful(likely):
            known = {facts.target: facts for facts in likely}
            related = self._facts(self._related(source, ranking, filters), setting, mixtures, known)
            relatives = tuple(islice(related, _RELATED))
        best = favourite(likely, relatives, filters.limits, self._recipes_with)
        if best is None or not (filters.limits or can_be_chosen(best)):
            best = self._mixture_instead(best, mixtures, setting)
        return Decision(source, best, likely, mixtures, is_silent=ranking.is_silent)

    def _facts(
        self,
        candidates: Iterable[Candidate],
        setting: Setting,
        mixtures: Sequence[MixtureRatio],
        known: Mapping[Food, SwapFacts] = MappingProxyType({}),
    ) -> Iterator[SwapFacts]:
        """Yield the facts of candidates, without what is dangerous or will do only along with what is not permitted."""
        source = setting.source
        for candidate in candidates:
            name, mixture = candidate.food.name, None
            if candidate.food in known:
                yield known[candidate.food]
                continue
            if source.food.goes_by(name):
                continue
            if is_only_part(source.food.name, name):
                mixture = next((each for each in mixtures if _has_part(each, name)), None)
                if mixture is None:
                    continue
            facts = SwapFacts(setting, candidate, mixture)
            if not facts.is_dangerous:
                yield facts

    def _related(self, source: Source, ranking: Ranking, filters: Filters) -> list[Candidate]:
        """Return foods of the same kind; under a diet, which may rule out that kind, also what its keepers take."""
        name, names = source.food.name, self._vocabulary.names
        standbys = frozenset(standbys_of(name) if filters.limits else ())

        def is_related(food: int) -> bool:
            return names[food] in standbys or kinds_apart(name, names[food]) == 0

        return [
            candidate
            for candidate in ranking.related(is_related)
            if kinds_apart(name, candidate.food.name) == 0
            or not standbys.isdisjoint(food.name for food in candidate.foods)
        ]

    def _mixture_instead(
        self, best: SwapFacts | None, mixtures: Sequence[MixtureRatio], setting: Setting
    ) -> SwapFacts | None:
        """Choose a mixture where no single food can do the work, and rather nothing than what would spoil the dish."""
        able = next((each for each in mixtures if best is None or not each.not_for), None)
        if able is None:
            return None
        candidate = self._candidates.unranked(able.parts[0].name)
        return SwapFacts(setting, candidate, able)

    def _mixtures(
        self, source: Source, editor: Editor | None, filters: Filters, going: set[int], guard: Guard
    ) -> tuple[MixtureRatio, ...]:
        """Return the ways to replace an ingredient by several that suit the cook."""
        name = source.food.name
        if editor:
            rows = mixtures_for(name, editor.matched.first_line(source), editor.matched.dish)
        else:
            rows = mixtures_for(name)
        return tuple(
            row
            for row in rows
            if all(self._can_mix(name, filters, going) and not guard.refusal_of(name) for name in row.names)
        )

    def _can_mix(self, name: str, filters: Filters, going: set[int]) -> bool:
        match = self._vocabulary.match(name)
        if not filters.suits(name) or (match and match.id in going):
            return False
        return filters.cupboard is None or name in _ALWAYS_THERE or (match is not None and match.id in filters.cupboard)

    def _staying_and_promised(self, editor: Editor | None, going: set[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the foods that stay in the dish, and the facets that it keeps to unasked."""
        if editor is None:
            return (), ()
        matched = editor.matched
        staying = dict.fromkeys(match.name for matches in matched.matches for match in matches if match.id not in going)
        return tuple(staying), promised_facets(matched.recipe.title, matched.names)

    def _recipes_with(self, name: str) -> float:
        popularity = self._candidates.shortlister.evidence.knowledge.popularity
        return recipe_count(float(popularity[self._vocabulary.id_of(name)]))


def _refuse_twice_and_tools(sources: Sequence[Source]) -> None:
    ids = [source.food.id for source in sources]
    if len(set(ids)) < len(ids):
        raise SwapchefError("Name each ingredient to replace once.")
    for source in sources:
        if is_tool(source.food.name):
            raise SwapchefError(f"{source.food.name} goes with the dish, not into it; I know no swap for it.")


def _has_part(mixture: MixtureRatio, name: str) -> bool:
    """Say whether a food is one of a mixture, by that or by another name of the same food."""
    return any(is_same_food(name, part) for part in mixture.names)
