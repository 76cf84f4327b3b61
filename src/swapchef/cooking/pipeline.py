"""Photo in, recipe out, with every step between for the cook to see and change: ingredients seen, swaps, both recipes, the diff.

The networks name ingredients and write drafts of recipes, of which the one that uses its ingredients best is taken; the `Substituter` chooses
swaps and judges diets, for what is written as well as for what is listed, so a draft is shown under a diet only if no food in it is against it or
unknown (`safety`). The second recipe is the first with the swap made in it, unless a draft of the same dish written anew is much better; where all drafts collapse,
or none is safe, the nearest recipe of a small collection of our own is edited instead; and the answer says so.
"""

import json
import math
import re
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from swapchef.cooking.images import Pixels
from swapchef.cooking.metrics import collapse_of, craft
from swapchef.cooking.naming import foods_named, mentioned
from swapchef.cooking.photo_bundle import PhotoBundle, Sight
from swapchef.cooking.safety import safe_version
from swapchef.cooking.text import Written
from swapchef.cooking.writing import Wanted
from swapchef.editing.editor import recipe_diff
from swapchef.editing.plan import Swap
from swapchef.en.nouns import in_a_row, singular
from swapchef.errors import SwapchefError
from swapchef.foods.kinds import is_same_food
from swapchef.foods.matching import Vocabulary, stems_of
from swapchef.mining.spotting import Spotter
from swapchef.recipes import IngredientLine, Recipe, Step, parse_line, write_recipe
from swapchef.substituter import NO_WISHES, Substituter, Wishes
from swapchef.swapping.answers import Swapped

__all__ = ["Cooked", "PhotoCook", "own_recipes"]

_DRAFTS = (4, 1)  # recipes that are written for one to be chosen: before a swap, and after it
_MUCH_BETTER = 10.0  # of `craft`
_TRIES = 8  # recipes of the collection that are tried
_GUESSED = frozenset({"mended", "completed", "similar"})  # ways of understanding a name that change it
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
    keeps_to_wishes: bool | None = None  # the recipe, before any swap; None where there are no wishes to keep to
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
            "recipe": _plain(self.recipe),
            "recipe_keeps_to_wishes": self.keeps_to_wishes,
            "swapped_recipe": _plain(self.swapped_recipe) if self.swapped_recipe else None,
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
        """Name what a photo seems to show, the surest first."""
        return self._named(self.bundle.see(pixels))

    def cook(
        self,
        pixels: Pixels,
        swap: Sequence[str] = (),
        targets: Sequence[str] = (),
        wishes: Wishes = NO_WISHES,
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
    ) -> Cooked:
        """Write the recipe of a photo, and again with ingredients replaced: those named, or all that are against a diet."""
        sight = self.bundle.see(pixels)
        seen = self._named(sight)
        names = [each.name for each in seen]
        used = self._used(names, add, swap, remove)
        plain = _listed("Dish", used)
        changed, swaps = self._swapped(plain, swap, targets, wishes)
        sets = [used, changed] if swaps else [used]
        drafts = self.bundle.drafts([Wanted(tuple(names), sight.parts) for names in sets], _DRAFTS[: len(sets)])
        # What is against the wishes before a swap is shown as what it is; if nothing is, the first recipe keeps to them too.
        bound = NO_WISHES if wishes.limit and self._against(plain, wishes) else wishes
        recipe, why = self._recipe(drafts[0], used, (), bound)
        collapses = {"recipe": why} if why else {}
        first = Cooked(
            seen,
            tuple(used),
            recipe,
            keeps_to_wishes=bound.limit if wishes.limit else None,
            collapses=collapses,
            notes=((WARNING,) if wishes.limit else ())
            + self._taken_for([*add, *swap])
            + self._unseen(used, names, add),
        )
        if not swaps:
            more: tuple[str, ...] = (_NOTHING_REPLACED,) if wishes.limit else ()
            more += () if why else self._forgotten(recipe, used) + self._still_said(recipe, used, remove)
            return replace(first, notes=first.notes + more)
        swapped, why, more = self._second(recipe, why, drafts[1], changed, swaps, wishes)
        collapses |= {"swapped_recipe": why} if why else {}
        more += self._not_made(swapped, swaps) if why else self._forgotten(swapped, changed)
        more += self._still_said(swapped, changed, remove)
        return replace(
            first,
            swaps=tuple(swaps),
            swapped_recipe=swapped,
            diff=recipe_diff(recipe, swapped),
            notes=first.notes + more,
        )

    def _second(
        self,
        first: Recipe,
        why: tuple[str, ...],
        drafts: Sequence[Written],
        names: Sequence[str],
        swaps: Sequence[Swap],
        wishes: Wishes,
    ) -> tuple[Recipe, tuple[str, ...], tuple[str, ...]]:
        """Return the recipe after swaps, why it was not written for the photo (of the first: `why`), and what to mind."""
        anew = [
            draft
            for draft in drafts
            if not self._goes_astray(draft, first.title, names, swaps) and not self._why_not(draft, names, wishes)
        ]
        edited = self._edited(first, swaps, wishes)
        if edited is None or (anew and self._is_better(anew, edited.edit.recipe, names, swaps)):
            recipe, why = self._recipe(anew or drafts, names, swaps, wishes)
            return recipe, why, () if why else (_WRITTEN_ANEW,)
        has_amounts = any(line.amount for line in edited.edit.recipe.ingredients)  # or what is said of them is no help
        said = [note.text for note in edited.edit.notes if has_amounts or note.kind != "amount"]
        return edited.edit.recipe, why, (*(() if why else (_EDITED,)), *said)

    def _is_better(
        self, drafts: Sequence[Written], edited: Recipe, names: Sequence[str], swaps: Sequence[Swap]
    ) -> bool:
        """Say whether a recipe written anew is so much better than the first, edited, that the cook should have to read it all again."""
        steps = [step.text for step in edited.steps]
        enough = craft(steps, names, self._spotter) + _MUCH_BETTER
        return not self._uses(swaps, steps, names) or any(
            craft(draft.steps, names, self._spotter) > enough for draft in drafts
        )

    def _named(self, sight: Sight) -> tuple[SeenIngredient, ...]:
        """Name what is seen; one food under two names ("butter", "unsalted butter") is seen once, as surely as both together."""
        seen: dict[str, float] = {}
        for number in self.bundle.choice.picked(sight.probabilities):
            name = self.bundle.known[number]
            same = next((other for other in seen if is_same_food(name, other)), name)
            seen[same] = min(0.99, seen.get(same, 0.0) + float(sight.probabilities[number]))
        by_confidence = sorted(seen.items(), key=lambda each: -each[1])
        return tuple(SeenIngredient(name, round(confidence, 4)) for name, confidence in by_confidence)

    def _used(self, seen: Sequence[str], add: Sequence[str], swap: Sequence[str], remove: Sequence[str]) -> list[str]:
        """Return what was seen, with what the cook adds or wants to replace (and so knows to be in the dish), without what they remove."""
        there = list(dict.fromkeys([*seen, *(self._said(name) for name in add)]))
        for name in swap:
            if self._meant(name, there) is None:
                there.append(self._said(name))
        gone = set()
        for name in remove:
            meant = self._meant(name, there)
            if meant is None:
                raise SwapchefError(f"{name!r} was not seen in the photo; it shows {', '.join(seen)}.")
            gone.add(meant)
        used = [name for name in there if name not in gone]
        if not used:
            raise SwapchefError("No ingredient is left to cook with; remove fewer.")
        return used

    def _meant(self, asked: str, names: Sequence[str]) -> str | None:
        """Return which of the ingredients the cook means: "flour" for all purpose flour; None where it is none of them."""
        meant = [names[place] for place in self.substituter.meant(asked, _listed("Dish", names))]
        if asked.lower() in meant or len(meant) < 2:
            return asked.lower() if asked.lower() in meant else next(iter(meant), None)
        raise SwapchefError(f"{asked!r} may be {in_a_row(meant, 'or')}; name one of them.")

    def _said(self, asked: str) -> str:
        """Return what an ingredient is called here: as the cook says, for the vocabulary takes oat milk for milk; but mended."""
        match = self.substituter.vocabulary.require(parse_line(asked).name or asked)
        is_it = match.how in _GUESSED or stems_of(match.words) == stems_of(match.name)
        return match.name if is_it else match.words

    def _taken_for(self, asked: Sequence[str]) -> tuple[str, ...]:
        """Say which of the cook's words were taken for something else."""
        matches = {name: self.substituter.vocabulary.match(parse_line(name).name or name) for name in asked}
        return tuple(
            f"{name} was taken for {match.name}." for name, match in matches.items() if match and match.how in _GUESSED
        )

    def _unseen(self, used: Sequence[str], seen: Sequence[str], add: Sequence[str]) -> tuple[str, ...]:
        """Say what is in the dish only because the cook wants it replaced."""
        known = {*seen, *(self._said(name) for name in add)}
        asked = [name for name in used if name not in known]
        return (f"Not seen in the photo, but added since you replace it: {in_a_row(asked)}.",) if asked else ()

    def _swapped(
        self, recipe: Recipe, swap: Sequence[str], targets: Sequence[str], wishes: Wishes
    ) -> tuple[list[str], list[Swap]]:
        """Choose swaps for a list of ingredients; return the list after them."""
        if len(targets) > len(swap):
            raise SwapchefError("Name one ingredient for each thing to use instead.")
        if not swap and not (wishes.limit and self._against(recipe, wishes)):
            return [], []
        done = self.substituter.swap(recipe, swap, targets, wishes)
        changed, swaps = done.edit.recipe, list(done.swaps)
        if swap and wishes.limit and self._against(changed, wishes):  # a diet also concerns what the cook did not name
            rest = self.substituter.swap(changed, wishes=wishes)
            changed, swaps = rest.edit.recipe, [*swaps, *rest.swaps]
        return list(dict.fromkeys(line.name or line.text for line in changed.ingredients)), swaps

    def _against(self, recipe: Recipe, wishes: Wishes) -> bool:
        return any(problem.status == "unsafe" for problem in self.substituter.problems(recipe, wishes))

    def _recipe(
        self, drafts: Sequence[Written], names: Sequence[str], swaps: Sequence[Swap], wishes: Wishes
    ) -> tuple[Recipe, tuple[str, ...]]:
        """Take the draft that uses its ingredients best, or the nearest recipe of the collection where none is of use and safe, and say why."""
        best_first = sorted(drafts, key=lambda draft: -craft(draft.steps, names, self._spotter))
        problem: tuple[str, ...] = ()
        for draft in best_first:
            why = self._why_not(draft, names, wishes)
            recipe = self._safe(_listed(draft.title or "Dish", names, draft.steps), wishes)
            if recipe and not why:
                return recipe, ()
            problem = problem or why
        return self._retrieved(names, swaps, wishes), problem

    def _why_not(self, draft: Written, names: Sequence[str], wishes: Wishes) -> tuple[str, ...]:
        """Say why a draft cannot be shown; () if it can."""
        if why := collapse_of(draft, names, self.substituter.vocabulary):
            return why
        if self._safe(_listed(draft.title or "Dish", names, draft.steps), wishes) is None:
            return ("it names what is against your wishes, or what nobody can judge",)
        return ()

    def _safe(self, recipe: Recipe, wishes: Wishes) -> Recipe | None:
        return safe_version(recipe, wishes, self.substituter, self._spotter)

    def _forgotten(self, recipe: Recipe, names: Sequence[str]) -> tuple[str, ...]:
        """Say which ingredients the steps forget, if any; "mix all ingredients" forgets none, and water goes without saying."""
        steps = [step.text for step in recipe.steps]
        if "ingredients" in " ".join(steps).lower():
            return ()
        said = mentioned(steps, names, self.substituter.vocabulary)
        forgotten = [name for name in names if name not in said and name != "water"]
        return (f"The steps do not say what to do with {in_a_row(forgotten)}.",) if forgotten else ()

    def _still_said(self, recipe: Recipe, names: Sequence[str], removed: Sequence[str]) -> tuple[str, ...]:
        """Say what of that which the cook removed the steps speak of all the same."""
        steps = [step.text for step in recipe.steps]
        found = zip(steps, foods_named(steps, names, self._spotter), strict=True)
        others = [set(stems_of(step[food.start : food.end])) for step, foods in found for food in foods]
        said = [food for food in removed if any(words.issuperset(stems_of(food)) for words in others)]
        return (f"The steps still speak of {in_a_row(said)}; leave it out.",) if said else ()

    def _goes_astray(self, written: Written, title: str, names: Sequence[str], swaps: Sequence[Swap]) -> bool:
        """Say whether what was written after swaps does without one of them, or is another dish than the first."""
        named_for_it = any(_dish(title) in swap.source.split() for swap in swaps)  # fried eggs are none without eggs
        is_other_dish = _dish(written.title) != _dish(title) and not named_for_it
        return is_other_dish or not self._uses(swaps, written.steps, names)

    def _uses(self, swaps: Sequence[Swap], steps: Sequence[str], names: Sequence[str]) -> bool:
        """Say whether steps speak of all that was put in; of what nobody knows, under its own name."""
        text = " ".join(steps).lower()
        said = {name.lower() for name in mentioned(steps, names, self.substituter.vocabulary)}

        def is_used(part: str) -> bool:
            return part.lower() in said or part.lower() in text

        return all(any(map(is_used, swap.target.split(" + "))) for swap in swaps)

    def _edited(self, first: Recipe, swaps: Sequence[Swap], wishes: Wishes) -> Swapped | None:
        """Make the swaps in the first recipe; None where it has not what they replace, they do not suit it, or it would not be safe."""
        vocabulary = self.substituter.vocabulary
        if not {vocabulary.require(swap.source).id for swap in swaps} <= set(vocabulary.context_of(first)):
            return None
        try:
            done = self.substituter.swap(
                first, [swap.source for swap in swaps], [swap.target for swap in swaps], wishes
            )
        except SwapchefError:  # a mixture that binds a cake is none to fry in
            return None
        safe = self._safe(done.edit.recipe, wishes)
        return replace(done, edit=replace(done.edit, recipe=safe)) if safe else None

    def _retrieved(self, names: Sequence[str], swaps: Sequence[Swap], wishes: Wishes) -> Recipe:
        """Edit the nearest recipe of the collection: with the swaps made in it, and under a diet with nothing against it."""
        vocabulary = self.substituter.vocabulary
        put_in = {match.id for swap in swaps if " + " not in swap.target and (match := vocabulary.match(swap.target))}
        ids = {match.id for name in names if (match := vocabulary.match(name))}
        sources = {vocabulary.require(swap.source).id for swap in swaps}
        near = nearest(ids - put_in | sources, vocabulary, _TRIES)
        # One that has what is to be replaced comes before a nearer one that has not.
        for recipe in sorted(near, key=lambda recipe: -len(sources.intersection(vocabulary.context_of(recipe)))):
            there = vocabulary.context_of(recipe)
            made = [swap for swap in swaps if vocabulary.require(swap.source).id in there]
            try:
                if made:
                    asked, targets = [swap.source for swap in made], [swap.target for swap in made]
                    recipe = self.substituter.swap(recipe, asked, targets).edit.recipe
                if wishes.limit and self._against(recipe, wishes):
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

    def _not_made(self, recipe: Recipe, swaps: Sequence[Swap]) -> tuple[str, ...]:
        """Say which swaps a recipe of the collection has no place for."""
        text = write_recipe(recipe, "text").lower()
        names = [swap.source for swap in swaps if not any(part.lower() in text for part in swap.target.split(" + "))]
        return (f"This recipe has no {in_a_row(names, 'or')} that could be replaced.",) if names else ()


def nearest(ids: Collection[int], vocabulary: Vocabulary, top: int) -> list[Recipe]:
    """Return the recipes of our own collection that share most with a set of ingredients, rare ones counting more."""
    recipes = _collection(vocabulary)
    counts: dict[int, int] = {}
    for _, held in recipes:
        for id in held:
            counts[id] = counts.get(id, 0) + 1

    def weight(id: int) -> float:
        return 1 / math.sqrt(1 + counts.get(id, 0))

    def alike(held: Collection[int]) -> float:
        shared = sum(weight(id) for id in held if id in ids)
        return shared / math.sqrt(sum(map(weight, held)) * sum(map(weight, ids)))

    return [recipe for recipe, held in sorted(recipes, key=lambda each: -alike(each[1]))[:top]]


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


def _dish(title: str) -> str:
    """Return the word that says what a dish is: "Garlic Green Beans with Almonds" are beans."""
    words = re.split(r"\b(?:with|and|in|for|on)\b|[&,(]", title.lower(), maxsplit=1)[0].split()
    return singular(words[-1]) if words else ""


def _listed(title: str, names: Sequence[str], steps: Sequence[str] = ()) -> Recipe:
    """Make a recipe of names alone; they are not parsed, or "half and half" would be a half of something."""
    return Recipe(title, tuple(IngredientLine(name, name) for name in names), tuple(map(Step, steps)))


def _plain(recipe: Recipe) -> dict[str, Any]:
    return {
        "title": recipe.title,
        "ingredients": [line.text for line in recipe.ingredients],
        "steps": [step.text for step in recipe.steps],
        "text": write_recipe(recipe, "markdown"),
    }
