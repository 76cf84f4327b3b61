"""Small recipes and swaps of them, for the tests of editing."""

import gc
import time
from collections.abc import Callable

from swapchef.editing.editor import Edit, Swap, apply_swaps
from swapchef.foods.matching import Vocabulary
from swapchef.recipes import Recipe, Step, parse_line

VOCABULARY = Vocabulary.load()


def recipe(lines: str, *steps: str, title: str = "Dinner") -> Recipe:
    return Recipe(title, tuple(parse_line(line) for line in lines.split(" | ")), tuple(Step(text) for text in steps))


def edit(lines: str, source: str, target: str, *steps: str, title: str = "Dinner") -> Edit:
    return apply_swaps(recipe(lines, *steps, title=title), [Swap(source, target)], VOCABULARY)


def lines_of(edited: Edit) -> list[str]:
    return [line.text for line in edited.recipe.ingredients]


def notes_of(edited: Edit) -> str:
    return "\n".join(note.text for note in edited.notes)


def processor_seconds(action: Callable[[], object]) -> float:
    """Time an action, the better of two, without the collector that a large test process makes slow."""
    times = []
    gc.disable()
    for _ in range(2):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    gc.enable()
    return min(times)
