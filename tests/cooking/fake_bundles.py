"""Photo bundles that see and write what a test says."""

import numpy as np

from swapchef.cooking.generation import Prompt
from swapchef.cooking.metrics import Selection
from swapchef.cooking.photo_bundle import EncodedPhoto
from swapchef.cooking.tokenizer import GeneratedRecipe


class FixedBundle:
    """A bundle with given ingredients, and steps that use them all or are a given text."""

    known = ("butter", "all purpose flour", "sugar", "egg", "milk", "beer", "salt", "unsalted butter")
    selection = Selection(0.5, 3, 20)

    def __init__(self, seen: dict[str, float], text: str = "") -> None:
        self.seen, self.text = seen, text
        self.prompts: list[Prompt] = []

    def encode(self, pixels: np.ndarray) -> EncodedPhoto:
        return EncodedPhoto(
            np.zeros((9, 3), np.float32), np.array([self.seen.get(name, 0.01) for name in self.known], np.float32)
        )

    def generate(self, prompts: list[Prompt], settings: object = None) -> list[GeneratedRecipe]:
        self.prompts = prompts
        return [GeneratedRecipe("Simple Cake", self._steps(prompt.ingredients)) for prompt in prompts]

    def drafts(self, prompts: list[Prompt], counts: object) -> list[list[GeneratedRecipe]]:
        return [[recipe] for recipe in self.generate(prompts)]

    def _steps(self, names: tuple[str, ...]) -> tuple[str, ...]:
        if self.text:
            return (self.text,)
        mixed = f"Mix the {', the '.join(names)} in a large bowl until you have a smooth batter without lumps."
        return mixed, "Pour the batter into a greased tin and bake at 350°F for 30 minutes, then let it cool."


CAKE = {"butter": 0.9, "all purpose flour": 0.8, "sugar": 0.7, "egg": 0.6}


class OtherDishBundle(FixedBundle):
    """Writes the second recipe with another title, or without what was put in."""

    def __init__(self, seen: dict[str, float], title: str = "Simple Cake", leaves_out: str = "") -> None:
        super().__init__(seen)
        self.title, self.leaves_out = title, leaves_out

    def generate(self, prompts: list[Prompt], settings: object = None) -> list[GeneratedRecipe]:
        first, second = (self._steps(prompt.ingredients) for prompt in prompts)
        return [
            GeneratedRecipe("Simple Cake", first),
            GeneratedRecipe(self.title, tuple(step.replace(f"the {self.leaves_out}", "the rest") for step in second)),
        ]


class DraftsBundle(FixedBundle):
    """Writes a recipe that forgets half, one that uses all, and one that uses all and milk besides."""

    def drafts(self, prompts: list[Prompt], counts: object) -> list[list[GeneratedRecipe]]:
        names = [prompt.ingredients for prompt in prompts]
        uses = {"Forgetful": lambda given: given[::2], "Milky": lambda given: (*given, "milk"), "Whole": tuple}
        return [
            [GeneratedRecipe(f"{title} Cake", self._steps(tuple(use(given)))) for title, use in uses.items()]
            for given in names
        ]


class ScriptedBundle(FixedBundle):
    """Writes given drafts: for each recipe, titles with the names that the steps use."""

    def __init__(self, seen: dict[str, float], *recipes: dict[str, str]) -> None:
        super().__init__(seen)
        self.known, self.recipes = tuple(seen), recipes

    def drafts(self, prompts: list[Prompt], counts: object) -> list[list[GeneratedRecipe]]:
        scripts = self.recipes[: len(prompts)]
        return [
            [GeneratedRecipe(title, self._steps(tuple(uses.split(", ")))) for title, uses in script.items()]
            for script in scripts
        ]
