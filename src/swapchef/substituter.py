"""The one door to suggestions, for the command line, the API and the web page: recipe and ingredient in, swaps out.

A recipe is matched, what goes is found, `swapping` decides and `editing` rewrites; `suggest`, `swap` and `check` show
one and the same decision. Several ingredients are decided together: each in the recipe as it will be after the others.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import as_file, files

from swapchef.amounts.portions import portion_of
from swapchef.bundles import verify_bundle
from swapchef.editing.editor import Edit, Editor, Note
from swapchef.editing.matched_recipe import MatchedRecipe, RecipeFood, Source
from swapchef.editing.plan import Plan, Swap, parts_of, plan_words
from swapchef.effects.reasons import Compounds
from swapchef.errors import SwapchefError
from swapchef.foods.lexicon import is_tool
from swapchef.foods.matching import Vocabulary
from swapchef.limits.checking import problems_in
from swapchef.limits.hazards import Hazard, Hazards
from swapchef.limits.wishes import NO_WISHES, Limits, Wishes
from swapchef.rankers import Ranker
from swapchef.rankers.evidence import Evidence
from swapchef.rankers.fusion import Fusion
from swapchef.rankers.shipped import OURS, load_shipped
from swapchef.rankers.shortlist import shortlister
from swapchef.recipes import Recipe
from swapchef.swapping.answers import Problem, Report, Standing, Suggestion, Suggestions, Swapped
from swapchef.swapping.candidates import NO_FILTERS, CandidateRanker, Filters
from swapchef.swapping.dangers import applies, guard_of, hazards_of
from swapchef.swapping.decisions import Decider, Decision
from swapchef.swapping.writing import Writer, hazard_notes, notes_of

__all__ = ["NO_WISHES", "Substituter", "Suggestion", "Suggestions", "Wishes"]

_BUNDLE_FILES = ("config.json", "vocabulary.json", "weights.safetensors", "compounds.json")
_MOST_INGREDIENTS = 12  # to replace at once; a recipe that changes more is another recipe
_ALTERNATIVES = 4  # that a swapped recipe names beside the swap that was made


class Substituter:
    """Suggests what to use instead of an ingredient."""

    def __init__(
        self, vocabulary: Vocabulary, ranker: Ranker, evidence: Evidence, compounds: Sequence[str] = ()
    ) -> None:
        self.vocabulary, self.ranker, self.evidence = vocabulary, ranker, evidence
        weights = evidence.knowledge.compounds
        self._compounds = Compounds(weights, compounds or [""] * weights.shape[1])
        self._candidates = CandidateRanker(vocabulary, shortlister(ranker, evidence))
        self._decider = Decider(self._candidates)

    @classmethod
    def load(cls, ranker: str = OURS) -> "Substituter":
        """Load the bundle that swapchef ships, refusing it if any file is not the one that was built.

        Another ranker than ours is one of `swapchef rankers` by name, or the folder it was trained into.
        """
        with as_file(files("swapchef") / "bundle") as folder:
            verify_bundle(folder, _BUNDLE_FILES)
            compounds = json.loads((folder / "compounds.json").read_text(encoding="utf-8"))
            vocabulary, ours = Vocabulary.load(folder / "vocabulary.json"), Fusion.load(folder)
        asked = ours if ranker == OURS else load_shipped(ranker, vocabulary, ours.evidence_)
        return cls(vocabulary, asked, ours.evidence_, compounds)

    def asking(self, ranker: str) -> "Substituter":
        """Return one that asks another ranker, and shares all else with this one."""
        loaded = load_shipped(ranker, self.vocabulary, self.evidence)
        return Substituter(self.vocabulary, loaded, self.evidence, self._compounds.names)

    def suggest(
        self,
        ingredient: str,
        recipe: Recipe | None = None,
        top: int = 5,
        wishes: Wishes = NO_WISHES,
        counterfactual: bool = False,
    ) -> Suggestions:
        """Rank swaps for an ingredient, in a recipe if one is given; the first is the one that `swap` makes."""
        return self.suggest_together([ingredient], recipe, top, wishes, counterfactual)[0]

    def suggest_together(
        self,
        ingredients: Sequence[str],
        recipe: Recipe | None = None,
        top: int = 5,
        wishes: Wishes = NO_WISHES,
        counterfactual: bool = False,
    ) -> list[Suggestions]:
        """Rank swaps for several ingredients: each in the recipe as it is after the likeliest swaps of the others.

        The counterfactual says of each swap where it would stand without the recipe.
        """
        if top < 1:
            raise SwapchefError("Ask for at least one suggestion.")
        if not 1 <= len(ingredients) <= _MOST_INGREDIENTS:
            raise SwapchefError(f"Ask for one to {_MOST_INGREDIENTS} ingredients at once.")
        editor, filters = Editor(recipe, self.vocabulary) if recipe else None, Filters.of(wishes, self.vocabulary)
        hazards = hazards_of(editor, filters.limits.facets)
        sources = [self._source(name, editor, hazards) for name in ingredients]
        writer = self._writer(editor, filters.limits)
        decisions = self._decider.decide(sources, editor, filters, top, hazards)
        answers = [writer.suggestions(decision, top) for decision in decisions]
        return [self._without_recipe(answer) for answer in answers] if counterfactual and editor else answers

    def swap(
        self,
        recipe: Recipe,
        ingredients: Sequence[str] = (),
        targets: Sequence[str] = (),
        wishes: Wishes = NO_WISHES,
    ) -> Swapped:
        """Rewrite a recipe with each ingredient replaced: by the targets, or by what suits it best under the wishes.

        Without ingredients, everything that is known to be against the wishes is replaced. What would be dangerous is
        left as it is, and is among the problems.
        """
        editor, filters = Editor(recipe, self.vocabulary), Filters.of(wishes, self.vocabulary)
        limits = filters.limits
        if targets and len(targets) != len(ingredients):
            raise SwapchefError("Name one ingredient for each thing to use instead.")
        hazards = hazards_of(editor, limits.facets)
        sources = [self._source(name, editor, hazards) for name in ingredients] or against(editor.matched, limits)
        if not sources:
            return self._unchanged(editor, limits)
        decisions: list[Decision] = []
        plans: Sequence[Plan]
        if targets:
            refusals, warnings = _hazards_of_targets(sources, targets, editor, hazards)
            made = [place for place in range(len(sources)) if place not in refusals]
            plans = _plans_of([sources[place] for place in made], [targets[place] for place in made], limits, editor)
        else:
            decisions = self._decider.decide(sources, editor, filters, 1, hazards)
            refusals = {place: each.refusal for place, each in enumerate(decisions) if each.refusal}
            decisions = [decision for decision in decisions if not decision.refusal]
            chosen = [decision.required() for decision in decisions]
            plans, warnings = (
                [facts.plan_made for facts in chosen],
                [n for facts in chosen for n in hazard_notes(facts)],
            )
        writer = self._writer(editor, limits)
        edit = editor.write(plans)
        notes = tuple(writer.permitted(edit.notes, [source.food.name for source in sources]))
        edit = replace(edit, notes=(*warnings, *notes))
        named = self._naming_alternatives(edit, plans, decisions, limits)
        problems = self._problems(Editor(edit.recipe, self.vocabulary), limits) if limits else []
        left = [
            _left(sources[place], hazard, editor.matched, targets[place] if targets else "")
            for place, hazard in refusals.items()
        ]
        swaps = tuple(plan.as_swap() for plan in plans)
        return Swapped(edit, named, swaps, (*left, *problems), tuple(refusals))

    def check(self, recipe: Recipe, wishes: Wishes) -> Report:
        """Say which lines of a recipe are against a diet, an allergy or a dislike, and what `swap` would use."""
        editor, filters = Editor(recipe, self.vocabulary), Filters.of(wishes, self.vocabulary)
        limits = filters.limits
        hazards = hazards_of(editor, limits.facets)
        dangers = _in_place(editor.matched, hazards)
        if not dangers:
            self._limiting(wishes)
        problems = [*dangers, *(self._problems(editor, limits) if limits else ())]
        sources = against(editor.matched, limits, with_unknown=True)
        writer = self._writer(editor, limits)
        swaps: dict[int, Suggestion] = {}
        for decision in self._decider.decide(sources, editor, filters, 1, hazards):
            if decision.chosen:
                swaps[decision.source.food.id] = writer.suggestion(decision.chosen, decision)
        answered = tuple(_with_swap(problem, editor.matched, limits, swaps) for problem in problems)
        return Report(recipe.title, (*limits.facets, *limits.foods), answered)

    def problems(self, recipe: Recipe, wishes: Wishes) -> list[Problem]:
        """Say which lines and steps of a recipe are against a diet, an allergy or a dislike, or cannot be judged."""
        return self._problems(Editor(recipe, self.vocabulary), self._limiting(wishes).limits)

    def meant(self, asked: str, recipe: Recipe) -> list[int]:
        """Return the places of the ingredient lines that a name may mean: none, one, or several."""
        matched = MatchedRecipe.of(recipe, self.vocabulary)
        ids = {match.id for match in matched.meant(asked)}
        return [place for place, matches in enumerate(matched.matches) if any(match.id in ids for match in matches)]

    def _source(self, name: str, editor: Editor | None, hazards: Hazards) -> Source:
        """Find the ingredient that the cook means; one that we do not know too, if we know that nothing replaces it."""
        try:
            if editor:
                return editor.matched.find(name)
            match = self.vocabulary.require(name)
            return Source(RecipeFood(match.id, match.name, (match.words,)))
        except SwapchefError:
            unknown = _unknown_food(name, editor)
            if unknown and hazards.guard(unknown.name).refusal:
                return Source(unknown)
            raise

    def _writer(self, editor: Editor | None, limits: Limits) -> Writer:
        return Writer(editor, limits, self._compounds, self.ranker.name)

    def _limiting(self, wishes: Wishes) -> Filters:
        filters = Filters.of(wishes, self.vocabulary)
        if not filters.limits:
            raise SwapchefError("Say what to check for, such as --diet vegan or --avoid ginger.")
        return filters

    def _unchanged(self, editor: Editor, limits: Limits) -> Swapped:
        """Return a recipe in which nothing can be swapped, with what is against the limits all the same."""
        recipe = editor.matched.recipe
        if not limits:
            raise SwapchefError("Name the ingredient to replace, or a diet to keep to.")
        problems = self._problems(editor, limits)
        if not problems:
            raise SwapchefError(f"{recipe.title!r} has nothing that is known to be against your wishes.")
        return Swapped(Edit(recipe, recipe, (), ()), recipe, (), tuple(problems))

    def _problems(self, editor: Editor, limits: Limits) -> list[Problem]:
        """Return what is against the limits: what the names of foods tell, and what is dangerous in such a dish."""
        matched = editor.matched
        breaches = problems_in(matched.recipe, limits, matched.dish.use == "baking")
        problems = [Problem(each.where, each.number, each.text, each.status, each.rule) for each in breaches]
        return [*_in_place(matched, hazards_of(editor, limits.facets), are_wishes=True), *problems]

    def _without_recipe(self, answer: Suggestions) -> Suggestions:
        """Add where each suggestion would stand in any recipe."""
        ranking = self._candidates.rank(self.vocabulary.id_of(answer.ingredient), (), set(), NO_FILTERS)
        standings = {
            food.name: Standing(rank, round(candidate.probability, 4))
            for rank, candidate in enumerate(ranking, start=1)
            for food in candidate.foods
        }
        suggestions = [replace(each, without_recipe=standings.get(each.name)) for each in answer.suggestions]
        return replace(answer, suggestions=tuple(suggestions))

    def _naming_alternatives(
        self, edit: Edit, plans: Sequence[Plan], decisions: Sequence[Decision], limits: Limits
    ) -> Recipe:
        """Let each line that was swapped in name what else would do: what it was, and the other likely swaps."""
        alternatives: dict[str, tuple[str, ...]] = {}
        for plan, decision in zip(plans, decisions, strict=False):  # no decisions where the cook named the targets
            old = () if limits else (plan.food.name,)
            others = [
                f"{facts.portion.text if facts.portion else ''} {facts.target.name}".strip()
                for facts in decision.likely
                if facts.target.name != plan.target and not facts.mixture
            ]
            alternatives[plan.target] = (*old, *others[:_ALTERNATIVES])
        unchanged = set(edit.before.ingredients)
        lines = []
        for line in edit.recipe.ingredients:
            match = self.vocabulary.match(line) if line not in unchanged else None
            substitutes = alternatives.get(match.name, ()) if match else ()
            lines.append(replace(line, substitutes=substitutes) if substitutes else line)
        return replace(edit.recipe, ingredients=tuple(lines))


def against(matched: MatchedRecipe, limits: Limits, with_unknown: bool = False) -> list[Source]:
    """Return the ingredients of a recipe that are against the limits, each once."""
    sources: dict[int, Source] = {}
    for matches in matched.matches if limits else ():
        for match in matches:
            status = limits.judge(match.words).status
            if is_tool(match.name):
                continue  # toothpicks are not eaten
            if status == "unsafe" or (with_unknown and status == "unknown"):
                sources.setdefault(match.id, Source(matched.food(match.id)))
    return list(sources.values())


def _unknown_food(name: str, editor: Editor | None) -> RecipeFood | None:
    """Return the food of a recipe's line that no ingredient matches, by its number or words of it."""
    if editor is None:
        return RecipeFood(-1, name.strip())
    asked = name.strip().lower().removeprefix("#")
    unknown = [food for food in editor.matched.foods if food.id < 0]  # the id counts lines from -1
    return next((food for food in unknown if asked == str(-food.id) or (asked and asked in food.name)), None)


def _hazards_of_targets(
    sources: Sequence[Source], targets: Sequence[str], editor: Editor, hazards: Hazards
) -> tuple[dict[int, Hazard], list[Note]]:
    """Return which of the swaps that a cook named are refused, by their place, and what to mind about the others."""
    refusals: dict[int, Hazard] = {}
    warnings: list[Note] = []
    for place, (source, target) in enumerate(zip(sources, targets, strict=True)):
        guard = guard_of(source, editor, hazards)
        for part in parts_of(target):
            match = editor.matched.vocabulary.match(part)
            names = (part.lower(), match.name) if match else (part.lower(),)
            portion = portion_of(source.food.name, names[-1], editor.matched.first_line(source), editor.matched.dish)
            against_it = [hazard for hazard in guard.against(*names) if applies(hazard, names[-1], portion)]
            if refusal := guard.refusal or next((each for each in against_it if each.severity == "refuse"), None):
                refusals.setdefault(place, refusal)
            else:
                warnings += notes_of(against_it, source.food.name, part)
    return refusals, warnings


def _left(source: Source, hazard: Hazard, matched: MatchedRecipe, target: str) -> Problem:
    """Say of a line that it was left as it is, and why."""
    index = matched.lines_with(source)[0]
    rule = hazard.sentence(source.food.name, target)
    return Problem(
        "ingredient", index + 1, matched.recipe.ingredients[index].text, "unsafe", rule, hazard=hazard.setting
    )


def _in_place(matched: MatchedRecipe, hazards: Hazards, are_wishes: bool = False) -> list[Problem]:
    """Return what in a recipe is dangerous as it is: in such a dish, or for such a cook."""
    problems = []
    for number, (line, matches) in enumerate(zip(matched.recipe.ingredients, matched.matches, strict=True), start=1):
        foods = [(match.words, match.name) for match in matches] or [(line.name, line.name.lower())]
        for names in foods:
            hazard = hazards.in_place(are_wishes, *names)
            if hazard:
                sentence = hazard.sentence(names[-1], names[-1])
                problems.append(Problem("ingredient", number, line.text, "unsafe", sentence, hazard=hazard.setting))
                break
    return problems


def _plans_of(sources: Sequence[Source], targets: Sequence[str], limits: Limits, editor: Editor) -> Sequence[Plan]:
    """Plan swaps to what the cook named, unless that is against their own limits."""
    for target in targets:
        for part in parts_of(target):
            judgement = limits.judge(part)
            if judgement.status == "unsafe":
                raise SwapchefError(
                    f"{part} is against what you asked for ({judgement.rule}); name something else to use."
                )
    swaps = [Swap(each.food.name, target, each.lines) for each, target in zip(sources, targets, strict=True)]
    return plan_words(swaps, editor.matched) if swaps else []


def _with_swap(problem: Problem, matched: MatchedRecipe, limits: Limits, swaps: Mapping[int, Suggestion]) -> Problem:
    """Propose a swap for the ingredient of a line that makes the problem."""
    if problem.where != "ingredient":
        return problem
    for match in matched.matches[problem.number - 1]:
        if match.id in swaps and limits.judge(match.words).status != "safe":
            return replace(problem, swap=swaps[match.id], ingredient=match.name)
    return problem
