"""The one door to suggestions, for the command line, the API and the web page: recipe and ingredient in, swaps out.

It finds which ingredient of the recipe the cook means, asks the bundled ranker with the rest of the recipe as context, merges
what is the same food under two names, and dresses each swap with an amount, reasons, verdicts and the changed lines.
Several ingredients are answered together: each in the recipe as it will be after the other swaps.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heapify, heappop, heappush
from importlib.resources import as_file, files
from itertools import chain, islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from swapchef.amounts.ratios import Portion, combinations, how_much, is_only_part
from swapchef.editing.editor import Change, Edit, Editor, Note, Swap
from swapchef.effects.reasons import Compounds, reasons
from swapchef.effects.tastes import clashes, is_sweet_dish, verdicts
from swapchef.errors import DataError, SwapchefError
from swapchef.foods.kinds import food_of, is_ingredient, is_kind_of, is_part_of, is_same_food, kinds_apart
from swapchef.foods.lexicon import is_tool
from swapchef.foods.matching import Match, Vocabulary
from swapchef.limits.checking import problems_in
from swapchef.limits.diets import FACETS
from swapchef.limits.wishes import NO_WISHES, Limits, Wishes
from swapchef.rankers.evidence import FEATURES
from swapchef.rankers.fusion import Fusion
from swapchef.recipes import IngredientLine, Recipe
from swapchef.sources import sha256_of
from swapchef.swapping.answers import HowMuch, Mixture, Problem, Report, Standing, Suggestion, Suggestions, Swapped
from swapchef.swapping.choosing import LOOKED_AT, Dish, best_of, favourite_of, is_doubtful, standbys_of, with_relatives

__all__ = [
    "NO_WISHES",
    "Substituter",
    "Suggestion",
    "Suggestions",
    "Wishes",
    "verify_bundle",
]

_MOST_INGREDIENTS = 12  # to replace at once; a recipe that changes more is another recipe
_ROUNDS = 2  # of answering for each ingredient in view of the others' best swaps
_RELATIVES = 5  # related foods to look at under a diet, or where there is a doubt about each of the others ...
_LOOKED_THROUGH = 300  # ... among so many candidates
_ALTERNATIVES = 4  # that a swapped recipe names beside the swap that was made
_PROMISES = {
    "vegan": r"\bvegan\b|plant[- ]based",
    "vegetarian": r"\bvegetarian\b|\bveggie\b|\bmeatless\b",
    "gluten": r"\bgluten[- ]free\b|\bflourless\b",
    "milk": r"\b(?:dairy|milk)[- ]free\b|\bnon[- ]?dairy\b",
    "egg": r"\begg[- ]free\b|\beggless\b",
    "tree_nuts": r"\bnut[- ]free\b",
    "no_alcohol": r"\balcohol[- ]free\b|\bvirgin (?!olive)|\bmocktail",
}
_ALWAYS_THERE = frozenset({"water", "salt"})  # in any cupboard


@dataclass(frozen=True)
class _Filters:
    """A cook's wishes, understood."""

    cupboard: Mapping[int, str] | None  # ids of what the cook has, and the words they said
    limits: Limits
    offers_unknown: bool

    def allow(self, id: int, name: str) -> bool:
        if self.cupboard is None:
            return self.suits(name)
        # The vocabulary takes "boar" for "beef": what is really in the cupboard must suit as well.
        return id in self.cupboard and self.suits(name) and self.suits(self.cupboard[id])

    def suits(self, name: str) -> bool:
        status = self.limits.judge(name).status
        return status == "safe" or (status == "unknown" and self.offers_unknown)


@dataclass(frozen=True)
class _Source:
    """An ingredient to replace, on some of the recipe's lines (on all that have it if empty)."""

    match: Match
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A food that may take the place of another: its names' ids, the likeliest first, and what speaks for it."""

    ids: tuple[int, ...]
    probability: float
    score: float
    rank: int
    features: npt.NDArray[np.float32]  # of the likeliest, as in FEATURES

    @property
    def numbers(self) -> dict[str, float]:
        return dict(zip(FEATURES, self.features.tolist(), strict=True))


class _Table:
    """A recipe on the table, understood as far as suggestions need it."""

    def __init__(self, recipe: Recipe, vocabulary: Vocabulary) -> None:
        self.recipe, self.vocabulary = recipe, vocabulary
        self.matches = [vocabulary.match_all(line) for line in recipe.ingredients]
        self.editor = Editor(recipe, vocabulary, self.matches)

    @property
    def ids(self) -> set[int]:
        """What is in the recipe."""
        return {match.id for matches in self.matches for match in matches}

    @property
    def diets_kept(self) -> list[str]:
        """What a swap had better keep to unasked: what the title promises, and no meat where there is none."""
        found = [facet for facet, words in _PROMISES.items() if re.search(words, self.recipe.title, re.IGNORECASE)]
        names = [match.name for matches in self.matches for match in matches]
        foods = [*names, self.recipe.title.lower()]  # a pork brine has no meat in its list
        has_meat = any(verdicts(name)["vegetarian"].status == "unsafe" for name in foods)
        return found if has_meat else [*found, "vegetarian"]

    def writes(self, source: _Source, name: str) -> bool:
        """Say whether a source goes by a name in the recipe: "water", of "1 cup water, warm"."""
        return any(
            line.name.lower() == name and any(match.id == source.match.id for match in matches)
            for line, matches in zip(self.recipe.ingredients, self.matches, strict=True)
        )

    def first_line(self, source: _Source) -> IngredientLine:
        """Return the first line that a swap is about."""
        for number, matches in enumerate(self.matches, start=1):
            if any(match.id == source.match.id for match in matches) and (not source.lines or number in source.lines):
                return self.recipe.ingredients[number - 1]
        raise AssertionError("a source is always on some line")

    def find(self, asked: str) -> _Source:
        """Find the ingredient that the cook means, by its line's number or its name; never another one."""
        if re.fullmatch(r"\s*#?\d{1,4}\s*", asked):
            return self._on_line(int(asked.strip().lstrip("#")))
        meant = self.meant(asked)
        if len(meant) == 1:
            return _Source(meant[0])
        wanted, words = self.vocabulary.require(asked), _words_in(asked)
        matches = [match for found in self.matches for match in found]
        alike = [found.name for found in matches if set(found.name.split()) & (set(wanted.name.split()) | words)]
        names = ", ".join(dict.fromkeys(match.name for match in matches)) or "nothing I know"
        ending = f"did you mean {' or '.join(dict.fromkeys(alike))}?" if alike else f"it has {names}."
        raise SwapchefError(f"{self.recipe.title!r} has no {wanted.name}; {ending}")

    def meant(self, asked: str) -> list[Match]:
        """Return the ingredients that a name may mean: the food itself, or else the kinds of it, or else those named with its words."""
        there = {match.id: match for found in self.matches for match in found}
        wanted, words = self.vocabulary.match(asked), _words_in(asked)
        if wanted and wanted.id in there:
            return [there[wanted.id]]
        for is_meant in (
            lambda found: (
                wanted and food_of(found.name) == food_of(wanted.name)
            ),  # "unsalted butter" where the recipe has "butter"
            lambda found: wanted and is_kind_of(found.name, wanted.name),  # "flour" where it has "all purpose flour"
            lambda found: words and words <= _words_in(found.words + " " + found.name),  # "chicken": "chicken thigh"
        ):
            if meant := list(filter(is_meant, there.values())):
                return meant
        return []

    def _on_line(self, number: int) -> _Source:
        title, count = self.recipe.title, len(self.recipe.ingredients)
        if not 1 <= number <= count:
            raise SwapchefError(f"{title!r} has {count} ingredient lines, none numbered {number}.")
        found = self.matches[number - 1]
        if len(found) == 1:
            return _Source(found[0], (number,))
        if found:
            names = " or ".join(match.name for match in found)
            raise SwapchefError(f"Line {number} has several ingredients; name one: {names}.")
        raise SwapchefError(f"Line {number} of {title!r} has no ingredient that I know.")


class Substituter:
    """Suggests what to use instead of an ingredient."""

    def __init__(self, vocabulary: Vocabulary, ranker: Fusion, compounds: Sequence[str] = ()) -> None:
        self.vocabulary = vocabulary
        self.ranker = ranker
        weights = ranker.evidence_.knowledge.compounds
        self._compounds = Compounds(weights, compounds or [""] * weights.shape[1])
        numbers: dict[str, int] = {}  # of foods; several names may stand for one
        self._foods = np.array([numbers.setdefault(food_of(name), len(numbers)) for name in vocabulary.names], np.intp)

    @classmethod
    def load(cls) -> "Substituter":
        """Load the bundle that swapchef ships, refusing it if any file is not the one that was built."""
        with as_file(files("swapchef") / "bundle") as folder:
            verify_bundle(folder)
            compounds = json.loads((folder / "compounds.json").read_text(encoding="utf-8"))
            return cls(Vocabulary.load(folder / "vocabulary.json"), Fusion.load(folder), compounds)

    def suggest(
        self,
        ingredient: str,
        recipe: Recipe | None = None,
        top: int = 5,
        wishes: Wishes = NO_WISHES,
        counterfactual: bool = False,
    ) -> Suggestions:
        """Rank swaps for an ingredient, in a recipe if one is given."""
        return self.suggest_together([ingredient], recipe, top, wishes, counterfactual)[0]

    def suggest_together(
        self,
        ingredients: Sequence[str],
        recipe: Recipe | None = None,
        top: int = 5,
        wishes: Wishes = NO_WISHES,
        counterfactual: bool = False,
    ) -> list[Suggestions]:
        """Rank swaps for several ingredients: each in the recipe as it is after the best swaps of the others.

        The counterfactual says of each swap where it would stand without the recipe.
        """
        if top < 1:
            raise SwapchefError("Ask for at least one suggestion.")
        if not 1 <= len(ingredients) <= _MOST_INGREDIENTS:
            raise SwapchefError(f"Ask for one to {_MOST_INGREDIENTS} ingredients at once.")
        table = _Table(recipe, self.vocabulary) if recipe else None
        sources = [table.find(name) if table else _Source(self.vocabulary.require(name)) for name in ingredients]
        answers = self._answers(sources, table, top, self._filters(wishes))
        return [self._without_recipe(answer) for answer in answers] if counterfactual and table else answers

    def swap(
        self,
        recipe: Recipe,
        ingredients: Sequence[str] = (),
        targets: Sequence[str] = (),
        wishes: Wishes = NO_WISHES,
    ) -> Swapped:
        """Rewrite a recipe with each ingredient replaced: by the targets, or by what suits it best under the wishes.

        Without ingredients, everything that is known to be against the wishes is replaced.
        """
        table, filters = _Table(recipe, self.vocabulary), self._filters(wishes)
        if targets and len(targets) != len(ingredients):
            raise SwapchefError("Name one ingredient for each thing to use instead.")
        sources = [table.find(name) for name in ingredients] or self._against(table, filters.limits)
        if not sources:
            raise SwapchefError(
                f"{recipe.title!r} has nothing that is known to be against your wishes."
                if filters.limits
                else "Name the ingredient to replace, or a diet to keep to."
            )
        answers: list[Suggestions] = []
        if targets:
            for target in targets:
                _refuse_unsafe(target, filters.limits)
            chosen = list(targets)
        else:
            answers, dish = self._considered(sources, table, filters)
            chosen = [best_of(answer, filters.limits, dish, self._recipes_with) for answer in answers]
        swaps = [Swap(source.match.name, target, source.lines) for source, target in zip(sources, chosen, strict=True)]
        edit = table.editor.apply(swaps)
        edit = replace(edit, notes=_permitted(edit.notes, filters.limits, [source.match.name for source in sources]))
        named = self._naming_alternatives(edit, swaps, answers, filters.limits)
        problems = self._problems(_Table(edit.recipe, self.vocabulary), filters.limits) if filters.limits else []
        return Swapped(edit, named, tuple(swaps), tuple(problems))

    def check(self, recipe: Recipe, wishes: Wishes) -> Report:
        """Say which lines of a recipe are against a diet, an allergy or a dislike, and what `swap` would use instead."""
        table, filters = self._to_check(recipe, wishes)
        problems = self._problems(table, filters.limits)
        sources = self._against(table, filters.limits, with_unknown=True)
        best: dict[int, Suggestion] = {}
        answers, dish = self._considered(sources, table, filters)
        for source, answer in zip(sources, answers, strict=True):
            if answer.suggestions:
                best[source.match.id] = favourite_of(answer, filters.limits, dish, self._recipes_with)
        limits = (*filters.limits.facets, *filters.limits.foods)
        return Report(recipe.title, limits, tuple(_with_swap(each, table, filters.limits, best) for each in problems))

    def problems(self, recipe: Recipe, wishes: Wishes) -> list[Problem]:
        """Say which lines and steps of a recipe are against a diet, an allergy or a dislike, or cannot be judged."""
        table, filters = self._to_check(recipe, wishes)
        return self._problems(table, filters.limits)

    def _to_check(self, recipe: Recipe, wishes: Wishes) -> tuple[_Table, _Filters]:
        filters = self._filters(wishes)
        if not filters.limits:
            raise SwapchefError("Say what to check for, such as --diet vegan or --avoid ginger.")
        return _Table(recipe, self.vocabulary), filters

    def _considered(
        self, sources: Sequence[_Source], table: _Table, filters: _Filters
    ) -> tuple[list[Suggestions], Dish]:
        """Return what a swap made unasked is chosen from: the likeliest, and relatives under a diet or where all of these are doubtful."""
        going = {source.match.id for source in sources}
        stays = [match.name for matches in table.matches for match in matches if match.id not in going]
        dish = Dish(tuple(table.diets_kept), tuple(dict.fromkeys(stays)), table.editor.use)
        answers = self._answers(sources, table, LOOKED_AT, filters)
        if filters.limits or any(is_doubtful(answer, dish) for answer in answers):
            relatives = self._answers(sources, table, _RELATIVES, filters, related=True)
            answers = [with_relatives(*pair) for pair in zip(answers, relatives, strict=True)]
        return answers, dish

    def meant(self, asked: str, recipe: Recipe) -> list[int]:
        """Return the places of the ingredient lines that a name may mean: none, one, or several where it could be any of them."""
        table = _Table(recipe, self.vocabulary)
        ids = {match.id for match in table.meant(asked)}
        return [place for place, matches in enumerate(table.matches) if any(match.id in ids for match in matches)]

    def _filters(self, wishes: Wishes) -> _Filters:
        """Understand what the cook asks of a swap."""
        cupboard = None
        if wishes.have is not None:
            named = [name for name in wishes.have if name.strip()]
            if not named:
                raise SwapchefError("Say what you have, such as --have yogurt,milk.")
            matches = [self.vocabulary.require(name) for name in named]
            cupboard = {match.id: ", ".join(m.words for m in matches if m.id == match.id) for match in matches}
        return _Filters(cupboard, Limits.of(wishes, self.vocabulary), wishes.unknown)

    def _answers(
        self,
        sources: Sequence[_Source],
        table: _Table | None,
        top: int,
        filters: _Filters,
        related: bool = False,
    ) -> list[Suggestions]:
        """Answer for all sources, each in view of the others' best swaps; if wanted, only with related foods."""
        ids = [source.match.id for source in sources]
        if len(set(ids)) < len(ids):
            raise SwapchefError("Name each ingredient to replace once.")
        for source in sources:
            if is_tool(source.match.name):
                raise SwapchefError(f"{source.match.name} goes with the dish, not into it; I know no swap for it.")
        rest = (table.ids if table else set()) - set(ids)
        best: dict[int, int] = {}
        found: dict[int, Iterator[_Candidate]] = {}
        for _ in range(_ROUNDS if len(sources) > 1 else 1):
            for id in ids:
                others = {target for other, target in best.items() if other != id}
                found[id] = self._ranked(id, sorted(rest | others), set(ids) - {id}, filters)
                if (first := next(found[id], None)) is not None:
                    best[id], found[id] = first.ids[0], chain([first], found[id])
        title = table.recipe.title if table else None
        answers = []
        for source in sources:
            mixtures = self._mixtures(source, table, filters, set(ids))
            candidates = found[source.match.id]
            if related:
                candidates = self._related(source, islice(candidates, _LOOKED_THROUGH), filters.limits)
            dressed = self._suggestions(candidates, source, table, filters.limits, mixtures)
            answers.append(Suggestions(source.match.name, title, tuple(islice(dressed, top)), mixtures))
        return answers

    def _related(self, source: _Source, candidates: Iterator[_Candidate], limits: Limits) -> Iterator[_Candidate]:
        """Keep foods of the same kind; under a diet, which may rule out the whole kind, also those that people who keep it take."""
        standbys = standbys_of(source.match.name) if limits else ()
        for each in candidates:
            names = [self.vocabulary.names[id] for id in each.ids]
            if kinds_apart(source.match.name, names[0]) == 0 or not set(standbys).isdisjoint(names):
                yield each

    def _ranked(self, source: int, context: list[int], gone: set[int], filters: _Filters) -> Iterator[_Candidate]:
        """Yield candidates for one source, the best first; what goes from the recipe too is not offered.

        A food is judged only when its turn comes: few are ever looked at, and a diet takes time to judge.
        """
        around = np.array(context, np.int32)
        more = set(filters.cupboard or ())
        if filters.limits:
            more.update(
                match.id
                for name in standbys_of(self.vocabulary.names[source])
                if (match := self.vocabulary.match(name))
            )
        extra = np.array(sorted(more), np.int32)
        query = self.ranker.evidence_.query(source, around, extra=extra)
        scores = self.ranker.candidate_scores(source, around, query)
        names, ids, chance = self.vocabulary.names, query.ids.tolist(), _softmax(scores)
        is_sweet = is_sweet_dish(names[id] for id in [*context, source])

        def will_do(position: int) -> bool:
            id, name = ids[position], names[ids[position]]
            return (
                id not in gone
                and is_ingredient(name)
                and not is_part_of(name, names[source])
                and not clashes(names[source], name, is_sweet)
                and filters.allow(id, name)
            )

        foods = self._foods[query.ids]
        order = np.argsort(-scores, kind="stable")
        is_there = np.zeros(len(self._foods), bool)
        is_there[self._foods[[source, *context]]] = True
        order = order[~is_there[foods[order]]]  # what is there already is no swap
        _, first, food = np.unique(foods[order], return_index=True, return_inverse=True)
        # A heap of foods, the likeliest first: less than nothing, the more the likelier; its best candidate; all of them, once judged.
        likely_foods = np.bincount(food, chance[order], minlength=len(first))
        waiting: list[tuple[float, int, list[int] | None]] = [
            (-likely, place, None) for likely, place in zip(likely_foods.tolist(), first.tolist(), strict=True)
        ]
        heapify(waiting)
        rank = 0
        while waiting:
            likely, place, group = heappop(waiting)
            if group is None:
                whole = order[food == food[place]].tolist()
                group = [position for position in whole if will_do(position)]
                if len(group) < len(whole):  # it is less likely than it seemed, and may have to wait
                    if group:
                        heappush(waiting, (-float(chance[group].sum()), place, group))
                    continue
            rank += 1
            best = group[0]
            yield _Candidate(
                tuple(ids[each] for each in group), -likely, float(scores[best]), rank, query.features[best]
            )

    def _suggestions(
        self,
        candidates: Iterable[_Candidate],
        source: _Source,
        table: _Table | None,
        limits: Limits,
        mixtures: Sequence[Mixture],
    ) -> Iterator[Suggestion]:
        """Dress candidates, leaving out what would do only along with something that is not permitted."""
        rank = 0
        for candidate in candidates:
            name, mixture = self.vocabulary.names[candidate.ids[0]], None
            if table and table.writes(source, name):
                continue
            if is_only_part(source.match.name, name):
                mixture = next((each for each in mixtures if _has_part(each, name)), None)
                if mixture is None:
                    continue
            rank += 1
            yield self._suggestion(replace(candidate, rank=rank), source, table, limits, mixture)

    def _suggestion(
        self, candidate: _Candidate, source: _Source, table: _Table | None, limits: Limits, mixture: Mixture | None
    ) -> Suggestion:
        """Dress a candidate with all that a cook wants to know of it."""
        names = tuple(self.vocabulary.names[id] for id in candidate.ids)
        shared = self._compounds.shared(source.match.id, candidate.ids[0])
        changes: tuple[Change, ...] = ()
        notes: tuple[Note, ...] = ()
        if table:
            target = mixture.name if mixture else names[0]
            edit = table.editor.apply([Swap(source.match.name, target, source.lines)])
            changes, notes = edit.changes, _permitted(edit.notes, limits, [source.match.name])
        amount = HowMuch(" + ".join(mixture.parts), note=mixture.note) if mixture else None
        return Suggestion(
            names[0],
            round(candidate.probability, 4),
            candidate.rank,
            reasons(source.match.name, names[0], candidate.numbers, shared),
            names[1:],
            round(candidate.score, 3),
            amount or _how_much(_portion(source, names[0], table), limits),
            mixture.verdicts if mixture else _statuses(names[:1]),
            changes,
            notes,
            mixture,
        )

    def _mixtures(
        self, source: _Source, table: _Table | None, filters: _Filters, gone: set[int]
    ) -> tuple[Mixture, ...]:
        """Return the ways to replace an ingredient by several that suit the cook."""
        line = table.first_line(source) if table else None
        rows = combinations(
            source.match.name,
            line.amount if line else None,
            line.unit if line else "",
            pack=line.pack if line else None,
            use=table.editor.use if table else None,
            metric=table.editor.is_metric if table else False,
        )
        mixtures = []
        for row in rows:
            names = [part.name for part in row.parts]
            if all(self._can_mix(name, filters, gone) for name in names):
                note = filters.limits.permitted(row.note)
                mixtures.append(
                    Mixture(" + ".join(names), tuple(part.text for part in row.parts), note, _statuses(tuple(names)))
                )
        return tuple(mixtures)

    def _recipes_with(self, name: str) -> float:
        return math.expm1(float(self.ranker.evidence_.knowledge.popularity[self.vocabulary.id_of(name)]))

    def _can_mix(self, name: str, filters: _Filters, gone: set[int]) -> bool:
        match = self.vocabulary.match(name)
        if not filters.suits(name) or (match and match.id in gone):
            return False
        return filters.cupboard is None or name in _ALWAYS_THERE or (match is not None and match.id in filters.cupboard)

    def _without_recipe(self, answer: Suggestions) -> Suggestions:
        """Add where each suggestion would stand in any recipe."""
        source = self.vocabulary.id_of(answer.ingredient)
        ranked = self._ranked(source, [], set(), _Filters(None, Limits(), offers_unknown=False))
        stands = {id: Standing(each.rank, round(each.probability, 4)) for each in ranked for id in each.ids}
        told = [
            replace(each, without_recipe=stands.get(self.vocabulary.id_of(each.name))) for each in answer.suggestions
        ]
        return replace(answer, suggestions=tuple(told))

    def _problems(self, table: _Table, limits: Limits) -> list[Problem]:
        """Judge every line by all that it says, and every step by foods that no line lists."""
        breaches = problems_in(table.recipe, limits, is_baking=table.editor.use == "baking")
        return [Problem(each.where, each.number, each.text, each.status, each.rule) for each in breaches]

    def _against(self, table: _Table, limits: Limits, with_unknown: bool = False) -> list[_Source]:
        """Return the ingredients that are against the limits, each once."""
        found: dict[int, _Source] = {}
        for matches in table.matches if limits else ():
            for match in matches:
                status = limits.judge(match.words).status
                if status == "unsafe" or (with_unknown and status == "unknown"):
                    found.setdefault(match.id, _Source(match))
        return list(found.values())

    def _naming_alternatives(
        self, edit: Edit, swaps: Sequence[Swap], answers: Sequence[Suggestions], limits: Limits
    ) -> Recipe:
        """Let each line that was swapped in name what else would do: what it was, and the other suggestions."""
        others: dict[str, tuple[str, ...]] = {}
        for swap, answer in zip(swaps, answers, strict=False):  # no answers where the cook named the targets
            was = () if limits else (swap.source,)
            rest = [_listed_as(each) for each in answer.suggestions if each.name != swap.target and not each.mixture]
            others[swap.target] = (*was, *rest[:_ALTERNATIVES])
        old = set(edit.before.ingredients)
        lines = []
        for line in edit.recipe.ingredients:
            match = self.vocabulary.match(line) if line not in old else None
            substitutes = others.get(match.name, ()) if match else ()
            lines.append(replace(line, substitutes=substitutes) if substitutes else line)
        return replace(edit.recipe, ingredients=tuple(lines))


def _softmax(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    if len(scores) == 0:
        return np.zeros(0)
    powers = np.exp(scores.astype(np.float64) - float(scores.max()))
    return np.asarray(powers / powers.sum())


def _portion(source: _Source, target: str, table: _Table | None) -> Portion:
    """Say how much of a target the first line of its source asks for, or what the rule is in any recipe."""
    if table is None:
        return how_much(source.match.name, target)
    line, editor = table.first_line(source), table.editor
    return how_much(
        source.match.name,
        target,
        line.amount,
        line.unit,
        pack=line.pack,
        use=editor.use,
        metric=editor.is_metric,
    )


def _how_much(portion: Portion, limits: Limits) -> HowMuch:
    note, method = limits.permitted(portion.note), limits.permitted(portion.method)
    return HowMuch(portion.text, portion.rule, note, method, portion.is_guess)


@lru_cache(maxsize=10_000)
def _statuses(names: tuple[str, ...]) -> Mapping[str, str]:
    """Return the worst that each facet says of some foods."""
    found = [verdicts(name) for name in names]
    return {
        facet: next((s for s in ("unsafe", "unknown") if any(each[facet].status == s for each in found)), "safe")
        for facet in FACETS
    }


def _permitted(notes: Sequence[Note], limits: Limits, sources: Sequence[str]) -> tuple[Note, ...]:
    """Leave out of notes whatever names a food that is against the limits, unless it is what goes."""
    if not limits:
        return tuple(notes)
    names = "|".join(re.escape(name) for name in sources)
    # "Applesauce for egg: 1 egg = 1/4 cup applesauce", "without egg", "for 2 eggs at most": nothing of this puts an egg in.
    gone = re.compile(
        rf"\b(?:for|without|instead of) (?:[\d/]+ )?(?:{names})s?\b|(?<=: )[\w/ ]*\b(?:{names})s? =", re.IGNORECASE
    )
    kept = []
    for note in notes:
        said = gone.sub("", note.text)
        if limits.permitted(said) == said:
            kept.append(note)
    return tuple(kept)


def _refuse_unsafe(target: str, limits: Limits) -> None:
    for part in target.split(" + "):
        found = limits.judge(part)
        if found.status == "unsafe":
            raise SwapchefError(f"{part} is against what you asked for ({found.rule}); name something else to use.")


def _has_part(mixture: Mixture, name: str) -> bool:
    """Say whether a food is one of a mixture, by that or by another name of the same food."""
    return any(is_same_food(name, part) for part in mixture.name.split(" + "))


def _with_swap(problem: Problem, table: _Table, limits: Limits, best: Mapping[int, Suggestion]) -> Problem:
    """Propose a swap for the ingredient of a line that makes the problem."""
    if problem.where == "step":
        return problem
    for match in table.matches[problem.number - 1]:
        if match.id in best and limits.judge(match.words).status != "safe":
            return replace(problem, swap=best[match.id], ingredient=match.name)
    return problem


def _listed_as(suggestion: Suggestion) -> str:
    amount = suggestion.amount.text if suggestion.amount else ""
    return f"{amount} {suggestion.name}".strip()


def _words_in(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def verify_bundle(folder: Path) -> None:
    """Refuse a bundle of which any file is missing or not the one that was built."""
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        for name, digest in manifest["sha256"].items():
            if sha256_of(folder / name) != digest:
                raise DataError(f"The bundle's {name} is not the file that was built; reinstall swapchef.")
    except (OSError, ValueError, KeyError, AttributeError):
        raise DataError("The bundled model is missing or incomplete; reinstall swapchef.") from None
