"""From a photo to a recipe: ingredients seen, swaps, the recipe before and after them, and the diff.

The networks name ingredients and write drafts, of which the one with the best score is taken; the `Substituter` chooses
swaps, and under a diet a draft is shown only if every food in it is known to be safe (`safety`). The second recipe is
the first with the swap made in it, unless a new draft of the same dish is much better; where all drafts collapse or
none is safe, the nearest recipe of a small collection of our own is edited instead, and the answer says so.
"""

import json
import math
import re
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from swapchef.cooking.generation import Prompt
from swapchef.cooking.images import Pixels
from swapchef.cooking.metrics import collapse_reasons, draft_score
from swapchef.cooking.naming import mentioned_ingredients, named_foods
from swapchef.cooking.photo_bundle import EncodedPhoto, PhotoBundle
from swapchef.cooking.safety import safe_version
from swapchef.cooking.tokenizer import GeneratedRecipe
from swapchef.editing.editor import recipe_diff
from swapchef.editing.plan import Swap, parts_of
from swapchef.en.nouns import in_a_row, singular
from swapchef.errors import SwapchefError
from swapchef.foods.kinds import is_same_food
from swapchef.foods.matching import Vocabulary, stems_of
from swapchef.mining.spotting import Spotter
from swapchef.recipes import IngredientLine, Recipe, Step, parse_line, write_recipe
from swapchef.substituter import NO_WISHES, Substituter, Wishes
from swapchef.swapping.answers import Swapped

__all__ = ["Cooked", "PhotoCook", "own_recipes"]

_DRAFTS = (4, 1)  # that are written before a swap, and after it
_MUCH_BETTER = 10.0  # in `draft_score`
_MAX_RETRIEVED = 8  # recipes of the collection that are tried
_GUESSED = frozenset({"mended", "completed", "similar"})  # ways of matching a name that change it
WARNING = "A photo does not show everything in a dish; do not rely on it for allergies."
_EDITED = "The swap was made in the first recipe."
_WRITTEN_ANEW = "The recipe was written anew for the swap, so more than the swap differs."
_NOTHING_REPLACED = "Nothing that was seen is known to be against your wishes, so nothing was replaced."


@dataclass(frozen=True, slots=True)
class SeenIngredient:
    """An ingredient that a photo seems to show."""

    name: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Cooked:
    """Everything that led from a photo to a recipe."""

    ingredients: tuple[SeenIngredient, ...]  # as seen
    used: tuple[str, ...]  # after what the cook added and took away
    recipe: Recipe
    keeps_to_wishes: bool | None = None  # of the recipe before any swap; None where there are no wishes
    swaps: tuple[Swap, ...] = ()
    swapped_recipe: Recipe | None = None
    diff: str = ""
    collapses: dict[str, tuple[str, ...]] | None = None  # which recipe was not written by the network, and why
    notes: tuple[str, ...] = ()

    @property
    def collapsed(self) -> bool:
        """Say whether a recipe was retrieved because what the network wrote was of no use."""
        return bool(self.collapses)

    def as_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        return {
            "ingredients": [asdict(seen) for seen in self.ingredients],
            "used": list(self.used),
            "swaps": [{"source": swap.source, "target": swap.target} for swap in self.swaps],
            "recipe": _recipe_as_json(self.recipe),
            "recipe_keeps_to_wishes": self.keeps_to_wishes,
            "swapped_recipe": _recipe_as_json(self.swapped_recipe) if self.swapped_recipe else None,
            "diff": self.diff,
            "collapsed": self.collapsed,
            "collapses": {which: list(why) for which, why in (self.collapses or {}).items()},
            "notes": list(self.notes),
        }


class PhotoCook:
    """Cooks from photos."""

    def __init__(self, bundle: PhotoBundle, substituter: Substituter) -> None:
        self.bundle, self.substituter = bundle, substituter
        self._spotter = Spotter(substituter.vocabulary)

    @classmethod
    def load(cls) -> "PhotoCook":
        """Load both bundles that swapchef ships."""
        return cls(PhotoBundle.load(), Substituter.load())

    def see(self, pixels: Pixels) -> tuple[SeenIngredient, ...]:
        """Name the ingredients that a photo seems to show, the likeliest first."""
        return self._seen_ingredients(self.bundle.encode(pixels))

    def cook(
        self,
        pixels: Pixels,
        swap: Sequence[str] = (),
        targets: Sequence[str] = (),
        wishes: Wishes = NO_WISHES,
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
    ) -> Cooked:
        """Write the recipe of a photo, and again with ingredients replaced: those named, or all against a diet."""
        photo = self.bundle.encode(pixels)
        seen = self._seen_ingredients(photo)
        names = [ingredient.name for ingredient in seen]
        used = self._used(names, add, swap, remove)
        unwritten = _recipe_of("Dish", used)
        changed, swaps = self._swapped(unwritten, swap, targets, wishes)
        sets = [used, changed] if swaps else [used]
        drafts = self.bundle.drafts([Prompt(tuple(names), photo.parts) for names in sets], _DRAFTS[: len(sets)])
        # If an ingredient is against the wishes, only the second recipe keeps to them; else the first does too.
        first_wishes = NO_WISHES if wishes.limit and self._is_against(unwritten, wishes) else wishes
        recipe, why = self._recipe(drafts[0], used, (), first_wishes)
        collapses = {"recipe": why} if why else {}
        first = Cooked(
            seen,
            tuple(used),
            recipe,
            keeps_to_wishes=first_wishes.limit if wishes.limit else None,
            collapses=collapses,
            notes=((WARNING,) if wishes.limit else ())
            + self._guess_notes([*add, *swap])
            + self._unseen_notes(used, names, add),
        )
        if not swaps:
            notes: tuple[str, ...] = (_NOTHING_REPLACED,) if wishes.limit else ()
            notes += () if why else self._unused_notes(recipe, used) + self._removed_notes(recipe, used, remove)
            return replace(first, notes=first.notes + notes)
        swapped, why, notes = self._swapped_recipe(recipe, why, drafts[1], changed, swaps, wishes)
        collapses |= {"swapped_recipe": why} if why else {}
        notes += self._missing_swap_notes(swapped, swaps) if why else self._unused_notes(swapped, changed)
        notes += self._removed_notes(swapped, changed, remove)
        return replace(
            first,
            swaps=tuple(swaps),
            swapped_recipe=swapped,
            diff=recipe_diff(recipe, swapped),
            notes=first.notes + notes,
        )

    def _swapped_recipe(
        self,
        first: Recipe,
        why: tuple[str, ...],
        drafts: Sequence[GeneratedRecipe],
        names: Sequence[str],
        swaps: Sequence[Swap],
        wishes: Wishes,
    ) -> tuple[Recipe, tuple[str, ...], tuple[str, ...]]:
        """Return the recipe after swaps, why it was retrieved (the first recipe's: `why`), and notes."""
        usable = [
            draft
            for draft in drafts
            if _is_same_dish(draft, first.title, swaps)
            and self._uses_swaps(swaps, draft.steps, names)
            and not self._problems(draft, names, wishes)
        ]
        edited = self._edited(first, swaps, wishes)
        if edited is None or (usable and self._is_better(usable, edited.edit.recipe, names, swaps)):
            recipe, why = self._recipe(usable or drafts, names, swaps, wishes)
            return recipe, why, () if why else (_WRITTEN_ANEW,)
        has_amounts = any(line.amount for line in edited.edit.recipe.ingredients)  # else notes on amounts are no help
        notes = [note.text for note in edited.edit.notes if has_amounts or note.kind != "amount"]
        return edited.edit.recipe, why, (*(() if why else (_EDITED,)), *notes)

    def _is_better(
        self, drafts: Sequence[GeneratedRecipe], edited: Recipe, names: Sequence[str], swaps: Sequence[Swap]
    ) -> bool:
        """Say whether a new draft is so much better than the first recipe, edited, that it is worth reading again."""
        steps = [step.text for step in edited.steps]
        threshold = draft_score(steps, names, self._spotter) + _MUCH_BETTER
        return not self._uses_swaps(swaps, steps, names) or any(
            draft_score(draft.steps, names, self._spotter) > threshold for draft in drafts
        )

    def _seen_ingredients(self, photo: EncodedPhoto) -> tuple[SeenIngredient, ...]:
        """Name the ingredients in a photo; the confidences of one food under two names ("unsalted butter") add up."""
        seen: dict[str, float] = {}
        for index in self.bundle.selection.select(photo.probabilities):
            name = self.bundle.known[index]
            same = next((other for other in seen if is_same_food(name, other)), name)
            seen[same] = min(0.99, seen.get(same, 0.0) + float(photo.probabilities[index]))
        by_confidence = sorted(seen.items(), key=lambda item: -item[1])
        return tuple(SeenIngredient(name, round(confidence, 4)) for name, confidence in by_confidence)

    def _used(self, seen: Sequence[str], add: Sequence[str], swap: Sequence[str], remove: Sequence[str]) -> list[str]:
        """Return what was seen, with what the cook adds or wants to replace, and without what they remove."""
        names = list(dict.fromkeys([*seen, *(self._own_name(name) for name in add)]))
        for name in swap:
            if self._meant(name, names) is None:
                names.append(self._own_name(name))
        removed = set()
        for name in remove:
            meant = self._meant(name, names)
            if meant is None:
                raise SwapchefError(f"{name!r} was not seen in the photo; it shows {', '.join(seen)}.")
            removed.add(meant)
        used = [name for name in names if name not in removed]
        if not used:
            raise SwapchefError("No ingredient is left to cook with; remove fewer.")
        return used

    def _meant(self, asked: str, names: Sequence[str]) -> str | None:
        """Return which of the ingredients the cook means ("flour" for all purpose flour), or None."""
        meant = [names[index] for index in self.substituter.meant(asked, _recipe_of("Dish", names))]
        if asked.lower() in meant or len(meant) < 2:
            return asked.lower() if asked.lower() in meant else next(iter(meant), None)
        raise SwapchefError(f"{asked!r} may be {in_a_row(meant, 'or')}; name one of them.")

    def _own_name(self, asked: str) -> str:
        """Return the cook's name for an ingredient, with spelling corrected; the vocabulary takes oat milk for milk."""
        match = self.substituter.vocabulary.require(parse_line(asked).name or asked)
        is_canonical = match.how in _GUESSED or stems_of(match.words) == stems_of(match.name)
        return match.name if is_canonical else match.words

    def _guess_notes(self, asked: Sequence[str]) -> tuple[str, ...]:
        """Say which of the cook's words were taken for something else."""
        matches = {name: self.substituter.vocabulary.match(parse_line(name).name or name) for name in asked}
        return tuple(
            f"{name} was taken for {match.name}." for name, match in matches.items() if match and match.how in _GUESSED
        )

    def _unseen_notes(self, used: Sequence[str], seen: Sequence[str], add: Sequence[str]) -> tuple[str, ...]:
        """Say what is in the dish only because the cook wants it replaced."""
        known = {*seen, *(self._own_name(name) for name in add)}
        unseen = [name for name in used if name not in known]
        return (f"Not seen in the photo, but added since you replace it: {in_a_row(unseen)}.",) if unseen else ()

    def _swapped(
        self, recipe: Recipe, swap: Sequence[str], targets: Sequence[str], wishes: Wishes
    ) -> tuple[list[str], list[Swap]]:
        """Choose swaps for a list of ingredients; return the list after them."""
        if len(targets) > len(swap):
            raise SwapchefError("Name one ingredient for each thing to use instead.")
        if not swap and not (wishes.limit and self._is_against(recipe, wishes)):
            return [], []
        result = self.substituter.swap(recipe, swap, targets, wishes)
        changed, swaps = result.edit.recipe, list(result.swaps)
        if swap and wishes.limit and self._is_against(changed, wishes):  # a diet concerns what was not named, too
            result = self.substituter.swap(changed, wishes=wishes)
            changed, swaps = result.edit.recipe, [*swaps, *result.swaps]
        return list(dict.fromkeys(line.name or line.text for line in changed.ingredients)), swaps

    def _is_against(self, recipe: Recipe, wishes: Wishes) -> bool:
        return any(problem.status == "unsafe" for problem in self.substituter.problems(recipe, wishes))

    def _recipe(
        self, drafts: Sequence[GeneratedRecipe], names: Sequence[str], swaps: Sequence[Swap], wishes: Wishes
    ) -> tuple[Recipe, tuple[str, ...]]:
        """Return the best draft, or the nearest recipe of the collection and the problems of the best draft."""
        best_first = sorted(drafts, key=lambda draft: -draft_score(draft.steps, names, self._spotter))
        first_problems: tuple[str, ...] = ()
        for draft in best_first:
            problems = self._problems(draft, names, wishes)
            recipe = self._safe(_recipe_of(draft.title or "Dish", names, draft.steps), wishes)
            if recipe and not problems:
                return recipe, ()
            first_problems = first_problems or problems
        return self._retrieved(names, swaps, wishes), first_problems

    def _problems(self, draft: GeneratedRecipe, names: Sequence[str], wishes: Wishes) -> tuple[str, ...]:
        """Say why a draft cannot be shown; () if it can."""
        if reasons := collapse_reasons(draft, names, self.substituter.vocabulary):
            return reasons
        if self._safe(_recipe_of(draft.title or "Dish", names, draft.steps), wishes) is None:
            return ("it names what is against your wishes, or what nobody can judge",)
        return ()

    def _safe(self, recipe: Recipe, wishes: Wishes) -> Recipe | None:
        return safe_version(recipe, wishes, self.substituter)

    def _unused_notes(self, recipe: Recipe, names: Sequence[str]) -> tuple[str, ...]:
        """Say which ingredients the steps do not mention, except for water; "mix all ingredients" mentions all."""
        steps = [step.text for step in recipe.steps]
        if "ingredients" in " ".join(steps).lower():
            return ()
        mentioned = mentioned_ingredients(steps, names, self.substituter.vocabulary)
        unused = [name for name in names if name not in mentioned and name != "water"]
        return (f"The steps do not say what to do with {in_a_row(unused)}.",) if unused else ()

    def _removed_notes(self, recipe: Recipe, names: Sequence[str], removed: Sequence[str]) -> tuple[str, ...]:
        """Say which of the ingredients that the cook removed the steps still mention."""
        steps = [step.text for step in recipe.steps]
        foods_of_steps = zip(steps, named_foods(steps, names, self._spotter), strict=True)
        others = [set(stems_of(step[food.start : food.end])) for step, foods in foods_of_steps for food in foods]
        mentioned = [food for food in removed if any(words.issuperset(stems_of(food)) for words in others)]
        return (f"The steps still speak of {in_a_row(mentioned)}; leave it out.",) if mentioned else ()

    def _uses_swaps(self, swaps: Sequence[Swap], steps: Sequence[str], names: Sequence[str]) -> bool:
        """Say whether steps mention all that was put in; a food that the vocabulary lacks, by its own name."""
        text = " ".join(steps).lower()
        mentioned = {name.lower() for name in mentioned_ingredients(steps, names, self.substituter.vocabulary)}

        def is_used(part: str) -> bool:
            return part.lower() in mentioned or part.lower() in text

        return all(any(map(is_used, parts_of(swap.target))) for swap in swaps)

    def _edited(self, first: Recipe, swaps: Sequence[Swap], wishes: Wishes) -> Swapped | None:
        """Make the swaps in the first recipe; None where it lacks their source, or they do not suit or are unsafe."""
        vocabulary = self.substituter.vocabulary
        if not {vocabulary.require(swap.source).id for swap in swaps} <= set(vocabulary.context_of(first)):
            return None
        try:
            result = self.substituter.swap(
                first, [swap.source for swap in swaps], [swap.target for swap in swaps], wishes
            )
        except SwapchefError:  # a mixture that binds a cake is none to fry in
            return None
        safe = self._safe(result.edit.recipe, wishes)
        return replace(result, edit=replace(result.edit, recipe=safe)) if safe else None

    def _retrieved(self, names: Sequence[str], swaps: Sequence[Swap], wishes: Wishes) -> Recipe:
        """Return the nearest recipe of the collection with the swaps made, and nothing against the wishes in it."""
        vocabulary = self.substituter.vocabulary
        put_in = {
            match.id for swap in swaps if len(parts_of(swap.target)) == 1 and (match := vocabulary.match(swap.target))
        }
        ids = {match.id for name in names if (match := vocabulary.match(name))}
        sources = {vocabulary.require(swap.source).id for swap in swaps}
        near = nearest(ids - put_in | sources, vocabulary, _MAX_RETRIEVED)
        # One that has what is to be replaced comes before a nearer one that has not.
        for recipe in sorted(near, key=lambda recipe: -len(sources.intersection(vocabulary.context_of(recipe)))):
            context = vocabulary.context_of(recipe)
            possible = [swap for swap in swaps if vocabulary.require(swap.source).id in context]
            try:
                if possible:
                    asked, targets = [swap.source for swap in possible], [swap.target for swap in possible]
                    recipe = self.substituter.swap(recipe, asked, targets).edit.recipe
                if wishes.limit and self._is_against(recipe, wishes):
                    recipe = self.substituter.swap(recipe, wishes=wishes).edit.recipe
            except SwapchefError:  # the swap does not suit this one: a mixture that binds a cake is no egg to fry
                continue
            if safe := self._safe(recipe, wishes):
                return safe
        raise SwapchefError(
            "No recipe could be written that is known to keep to your wishes; name fewer, or swap by hand."
            if wishes.limit
            else "No recipe could be written in which this swap can be made; name another."
        )

    def _missing_swap_notes(self, recipe: Recipe, swaps: Sequence[Swap]) -> tuple[str, ...]:
        """Say which swaps could not be made in a recipe of the collection."""
        text = write_recipe(recipe, "text").lower()
        names = [swap.source for swap in swaps if not any(part.lower() in text for part in parts_of(swap.target))]
        return (f"This recipe has no {in_a_row(names, 'or')} that could be replaced.",) if names else ()


def nearest(ids: Collection[int], vocabulary: Vocabulary, top: int) -> list[Recipe]:
    """Return the recipes of our own collection that share most with a set of ingredients, rare ones counting more."""
    recipes = _collection(vocabulary)
    counts: dict[int, int] = {}
    for _, context in recipes:
        for id in context:
            counts[id] = counts.get(id, 0) + 1

    def weight(id: int) -> float:
        return 1 / math.sqrt(1 + counts.get(id, 0))

    def similarity(context: Collection[int]) -> float:
        shared = sum(weight(id) for id in context if id in ids)
        return shared / math.sqrt(sum(map(weight, context)) * sum(map(weight, ids)))

    return [recipe for recipe, _ in sorted(recipes, key=lambda item: -similarity(item[1]))[:top]]


def own_recipes(vocabulary: Vocabulary) -> list[Recipe]:
    """Return our own collection."""
    return [recipe for recipe, _ in _collection(vocabulary)]


@lru_cache(maxsize=2)
def _collection(vocabulary: Vocabulary) -> list[tuple[Recipe, frozenset[int]]]:
    text = (files("swapchef") / "cooking" / "base_recipes.jsonl").read_text(encoding="utf-8")
    recipes = [
        Recipe(record["title"], tuple(map(parse_line, record["ingredients"])), tuple(map(Step, record["steps"])))
        for record in map(json.loads, text.splitlines())
    ]
    return [(recipe, frozenset(vocabulary.context_of(recipe))) for recipe in recipes]


def _is_same_dish(draft: GeneratedRecipe, title: str, swaps: Sequence[Swap]) -> bool:
    """Say whether a draft is the dish of that title, or the title names what was replaced: fried eggs need eggs."""
    is_named_after_source = any(_dish(title) in swap.source.split() for swap in swaps)
    return _dish(draft.title) == _dish(title) or is_named_after_source


def _dish(title: str) -> str:
    """Return the word that says what a dish is: "Garlic Green Beans with Almonds" are beans."""
    words = re.split(r"\b(?:with|and|in|for|on)\b|[&,(]", title.lower(), maxsplit=1)[0].split()
    return singular(words[-1]) if words else ""


def _recipe_of(title: str, names: Sequence[str], steps: Sequence[str] = ()) -> Recipe:
    """Return a recipe whose lines are names alone; they are not parsed, or "half and half" would be a half."""
    return Recipe(title, tuple(IngredientLine(name, name) for name in names), tuple(map(Step, steps)))


def _recipe_as_json(recipe: Recipe) -> dict[str, Any]:
    return {
        "title": recipe.title,
        "ingredients": [line.text for line in recipe.ingredients],
        "steps": [step.text for step in recipe.steps],
        "text": write_recipe(recipe, "markdown"),
    }
