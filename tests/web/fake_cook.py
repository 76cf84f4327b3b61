"""A cook who sees the same four ingredients in every photo, swaps as the real one does, and writes without a network.

Dark photos are those of which nothing can be written: their recipe is said to be from the collection.
"""

import io
from collections.abc import Sequence

from PIL import Image

from swapchef.cooking.images import Pixels
from swapchef.cooking.pipeline import WARNING, Cooked, SeenIngredient
from swapchef.editing.editor import recipe_diff
from swapchef.recipes import Recipe, Step, parse_line
from swapchef.substituter import NO_WISHES, Substituter, Wishes
from swapchef.web.photos import PhotoSource

SEEN = {"beer": 0.93, "cheddar cheese": 0.61, "onion": 0.34, "butter": 0.12}
LIGHT, DARK = (240, 190, 90), (20, 10, 5)


class FakeCook:
    def __init__(self, substituter: Substituter) -> None:
        self._substituter = substituter

    def cook(
        self,
        pixels: Pixels,
        swap: Sequence[str] = (),
        targets: Sequence[str] = (),
        wishes: Wishes = NO_WISHES,
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
    ) -> Cooked:
        vocabulary = self._substituter.vocabulary
        gone = {vocabulary.require(name).name for name in remove}
        added = [vocabulary.require(name).name for name in add]
        used = [name for name in (*SEEN, *added) if name not in gone]
        steps = (f"Melt the {used[-1]} in a pot.", f"Stir in {', '.join(used[:-1])} and simmer for 20 minutes.")
        recipe = Recipe("Beer soup", tuple(map(parse_line, used)), tuple(map(Step, steps)))
        seen = tuple(SeenIngredient(*each) for each in SEEN.items())
        why = {"recipe": ("it repeats itself", "it names no step")} if pixels.mean() < 60 else None
        notes = (WARNING,) if wishes.limit else ()
        if not swap and not notes:
            return Cooked(seen, tuple(used), recipe, collapses=why)
        done = self._substituter.swap(recipe, swap, targets, wishes)
        after, swaps = done.recipe, done.swaps
        if swap and notes and any(problem.status == "unsafe" for problem in done.problems):
            rest = self._substituter.swap(after, wishes=wishes)
            after, swaps = rest.recipe, (*swaps, *rest.swaps)
        keeps = False if wishes.limit else None
        notes = notes or ("Simmer it a little longer.",)
        return Cooked(seen, tuple(used), recipe, keeps, swaps, after, recipe_diff(recipe, after), why, notes)


FAKE = PhotoSource(FakeCook, lambda: "")


def photo(width: int = 64, height: int = 48, colour: tuple[int, int, int] = LIGHT, format: str = "JPEG") -> bytes:
    """Return a photo of one colour as a file."""
    file = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(file, format)
    return file.getvalue()
