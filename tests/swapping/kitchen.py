"""A kitchen whose ranker says what a table in the test says, so that no model is needed and every answer is known."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.editing.editor import Editor
from swapchef.editing.matched_recipe import RecipeFood, Source
from swapchef.foods.matching import Food, Vocabulary
from swapchef.rankers.evidence import FEATURES
from swapchef.rankers.shortlist import Shortlist, Shortlister
from swapchef.recipes import parse_recipe
from swapchef.swapping.candidates import Candidate, CandidateRanker
from swapchef.swapping.facts import Setting, SwapFacts

Chances = Mapping[str, float]  # target -> its probability
_UNLIKELY = 1e-6  # of what is asked for and not in the table


@dataclass
class Kitchen:
    """Foods, and the chances of each swap, which may depend on what else is in the dish."""

    names: Sequence[str]
    chances: Mapping[str, Chances | Callable[[frozenset[str]], Chances]]
    recipes_with: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)
    asked: list[tuple[str, frozenset[str]]] = field(default_factory=list)  # source and context of each query so far

    def __post_init__(self) -> None:
        self.vocabulary = Vocabulary(self.names, {})
        counts = np.array([self.recipes_with.get(name, 0) for name in self.names], np.float64)
        compounds = sparse.csr_array(np.eye(len(self.names), 1, dtype=np.float32))
        knowledge = SimpleNamespace(popularity=np.log1p(counts), compounds=compounds)
        self.evidence = SimpleNamespace(knowledge=knowledge)

    def ranker(self) -> CandidateRanker:
        return CandidateRanker(self.vocabulary, cast(Shortlister, self))

    def id(self, name: str) -> int:
        return self.names.index(name)

    def food(self, name: str) -> Food:
        return Food(self.id(name), name)

    def source(self, name: str) -> Source:
        return Source(RecipeFood(self.id(name), name))

    def shortlist(self, source: int, context: npt.NDArray[np.int32], extra: npt.NDArray[np.int32]) -> Shortlist:
        around = frozenset(self.names[id] for id in context)
        self.asked.append((self.names[source], around))
        chances = self._chances(source, around)
        ids = [self.id(name) for name in chances]
        ids += [id for id in extra.tolist() if id not in ids and id != source and id not in context]
        features = np.zeros((len(ids), len(FEATURES)), np.float32)
        column = list(FEATURES).index("count")
        for row, id in enumerate(ids):
            features[row, column] = np.log1p(self.counts.get((self.names[source], self.names[id]), 0))
        log_chances = np.array([np.log(chances.get(self.names[id], _UNLIKELY)) for id in ids], np.float32)
        return Shortlist(np.array(ids, np.int32), log_chances, features)

    def _chances(self, source: int, around: frozenset[str]) -> Chances:
        chances = self.chances[self.names[source]]
        return chances(around) if callable(chances) else chances

    def editor(self, text: str) -> Editor:
        return Editor(parse_recipe(text), self.vocabulary)

    def setting(self, name: str, text: str | None = None, **more: tuple[str, ...]) -> Setting:
        """Return the setting of a swap for a food, in a recipe if its text is given."""
        if text is None:
            return Setting(self.source(name))
        editor = self.editor(text)
        return Setting(editor.matched.find(name), editor, **more)

    def facts(self, setting: Setting, name: str, probability: float = 0.5, cooks: int = 0) -> SwapFacts:
        features = np.zeros(len(FEATURES), np.float32)
        features[list(FEATURES).index("count")] = np.log1p(cooks)
        return SwapFacts(setting, Candidate((self.food(name),), probability, 0.0, features))
