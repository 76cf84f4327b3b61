"""The answer to each request, by `Substituter` alone; plain functions of their input that run in a worker thread.

Each takes and returns types of `schema`. Whatever the cook can mend is a `SwapchefError`, with the sentence that the
command line prints too.
"""

import json
import re
from dataclasses import replace
from pathlib import PurePath
from threading import Lock
from typing import Any

import numpy as np

from swapchef.errors import UnknownNameError
from swapchef.rankers.shipped import OURS
from swapchef.recipes import Recipe, jsonld, write_recipe
from swapchef.substituter import Substituter, Wishes
from swapchef.web.feedback import Choice
from swapchef.web.reading import Reader
from swapchef.web.schema import (
    CheckAnswer,
    CheckRequest,
    FeedbackRequest,
    Ingredient,
    IngredientsAnswer,
    ParseAnswer,
    SuggestAnswer,
    SuggestRequest,
    SwapAnswer,
    SwapRequest,
    WriteAnswer,
    WriteRequest,
    check_length,
    recipe_of,
)

_FILES = {  # format -> suffix and media type of the file to save
    "jsonld": (".jsonld", "application/ld+json"),
    "markdown": (".md", "text/markdown"),
    "cooklang": (".cook", "text/plain"),
    "mealie": (".json", "application/json"),
    "tandoor": (".json", "application/json"),
    "text": (".txt", "text/plain"),
}
_MAX_NAME = 60  # characters of a file's name


class Answers:
    """Answers requests with one loaded model."""

    def __init__(self, substituter: Substituter) -> None:
        self._substituters = {OURS: substituter}  # by the name of their ranker, others once they are asked
        self._loading = Lock()
        self._vocabulary = substituter.vocabulary
        self._reader = Reader()
        popularity = substituter.evidence.knowledge.popularity
        self._popular = [self._vocabulary.names[id] for id in np.argsort(-popularity, kind="stable")]

    def parse_text(self, text: str, format: str | None) -> ParseAnswer:
        """Read a recipe from pasted text."""
        return self._parse_answer(self._reader.read(text.encode(), format=format))

    def parse_file(self, data: bytes, name: str) -> ParseAnswer:
        """Read a recipe from the bytes of a file; its name, if any, tells the format and maybe the title."""
        return self._parse_answer(self._reader.read(data, PurePath(name.replace("\\", "/")).name))

    def parse_page(self, data: bytes, url: str) -> ParseAnswer:
        """Read the recipe of a web page that was fetched."""
        recipe = self._reader.read(data, format="html")
        return self._parse_answer(recipe if recipe.url else replace(recipe, url=url))

    def _asking(self, ranker: str) -> Substituter:
        """Return the substituter that asks a ranker; two threads may want one at once."""
        with self._loading:
            if ranker not in self._substituters:
                self._substituters[ranker] = self._substituters[OURS].asking(ranker)
            return self._substituters[ranker]

    def suggest(self, request: SuggestRequest, ranker: str = OURS) -> SuggestAnswer:
        """Rank swaps for ingredients."""
        recipe = recipe_of(request.recipe) if request.recipe is not None else None
        return SuggestAnswer(
            self._asking(ranker).suggest_together(
                request.ingredients, recipe, request.top, request.wishes.wishes(), request.counterfactual
            )
        )

    def swap(self, request: SwapRequest, ranker: str = OURS) -> SwapAnswer:
        """Rewrite a recipe; where only some targets are named, the others are chosen first, then all are applied."""
        recipe, wishes = recipe_of(request.recipe), request.wishes.wishes()
        substituter = self._asking(ranker)
        sources, targets = [swap.ingredient for swap in request.swaps], [swap.target for swap in request.swaps]
        if any(targets):
            open_sources = [source for source, target in zip(sources, targets, strict=True) if not target]
            chosen = iter(_chosen(substituter, recipe, open_sources, wishes))
            targets = [target or next(chosen) for target in targets]
        swapped = substituter.swap(recipe, sources, [target for target in targets if target], wishes)
        return SwapAnswer(
            to_jsonld(swapped.recipe),
            self._ingredients(swapped.recipe),
            swapped.edit.changes,
            swapped.edit.notes,
            swapped.problems,
            swapped.swaps,
        )

    def check(self, request: CheckRequest, ranker: str = OURS) -> CheckAnswer:
        """Say what in a recipe is against the wishes."""
        report = self._asking(ranker).check(recipe_of(request.recipe), request.wishes.wishes())
        return CheckAnswer(report.recipe, report.limits, report.problems, report.is_fine)

    def ingredients(self, typed: str, limit: int) -> IngredientsAnswer:
        """Complete what was typed: names that begin so, then names with a word that does; popular ones first."""
        words = " ".join(typed.lower().split())
        if not words:
            return IngredientsAnswer(self._popular[:limit])
        names = [name for name in self._popular if name.startswith(words)]
        names += [name for name in self._popular if f" {words}" in name]
        match = self._vocabulary.match(typed) if len(names) < limit else None  # "courgette", "buttermlk"
        return IngredientsAnswer(list(dict.fromkeys([*names, *([match.name] if match else [])]))[:limit])

    def choice(self, request: FeedbackRequest) -> Choice:
        """Name what a cook chose in names of the vocabulary; lines without a known ingredient are left out."""
        matches = (self._vocabulary.match(text) for text in request.recipe_ingredients)
        ingredients = tuple(dict.fromkeys(match.name for match in matches if match))
        return Choice(
            self._canonical_name(request.source), self._canonical_name(request.target), request.accepted, ingredients
        )

    def close(self) -> None:
        """End the reader's child process."""
        self._reader.close()

    def _canonical_name(self, text: str) -> str:
        """Return the ingredient that a text names, or each part of a mixture."""
        return " + ".join(self._vocabulary.require(part).name for part in text.split(" + "))

    def _parse_answer(self, recipe: Recipe) -> ParseAnswer:
        ingredients = self._ingredients(check_length(recipe))
        warnings = [f"I know no ingredient in {line.text!r}." for line in ingredients if not line.matches]
        if not recipe.steps:
            warnings.append("This recipe has no steps, so only its ingredients can change.")
        return ParseAnswer(to_jsonld(recipe), ingredients, warnings)

    def _ingredients(self, recipe: Recipe) -> list[Ingredient]:
        return [
            Ingredient(number, line.text, line.section, tuple(match.name for match in self._vocabulary.match_all(line)))
            for number, line in enumerate(recipe.ingredients, start=1)
        ]


def _chosen(substituter: Substituter, recipe: Recipe, sources: list[str], wishes: Wishes) -> list[str]:
    """Choose what to use instead of each; what nothing may replace stands for itself, and is refused again."""
    if not sources:
        return []
    swapped = substituter.swap(recipe, sources, wishes=wishes)
    made = iter(swapped.swaps)
    return [source if place in swapped.refused else next(made).target for place, source in enumerate(sources)]


def write(request: WriteRequest) -> WriteAnswer:
    """Write a recipe as a file of another format."""
    if request.format not in _FILES:
        raise UnknownNameError("recipe format", request.format, tuple(_FILES))
    recipe = recipe_of(request.recipe)
    suffix, media_type = _FILES[request.format]
    name = re.sub(r"[^a-z0-9]+", "-", recipe.title.lower())[:_MAX_NAME].strip("-") or "recipe"
    return WriteAnswer(write_recipe(recipe, request.format), name + suffix, media_type)


def to_jsonld(recipe: Recipe) -> dict[str, Any]:
    """Turn a recipe into JSON-LD, empty fields left out."""
    document: dict[str, Any] = json.loads(jsonld.write(recipe))
    return document
