"""Swap what swapchef chooses into random recipes, as `swapchef swap` does, and look for what an edit must never do.

    python benchmarks/editing.py [--recipes 2000] [--seed 0] [--show 20]    # also print that many edits as diffs

The checks share no code with the editor: they look for the source's names in the new title and steps once the names
of the other ingredients, of the target and of every longer food of the vocabulary are masked, and read the new recipe
back from every format that we write.
"""

import argparse
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field

from swapchef.editing.editor import Edit
from swapchef.errors import RecipeError, SwapchefError
from swapchef.foods.matching import Vocabulary
from swapchef.recipes import IngredientLine, Recipe, parse_recipe, recipe1m, write_recipe
from swapchef.recipes.records import read_records
from swapchef.sources import data_file
from swapchef.substituter import Substituter

FORMATS = ("jsonld", "markdown", "cooklang", "mealie", "tandoor", "text", "html", "recipe1m")
FULL, PART = "source still mentioned by its full name", "source perhaps still mentioned by part of its name"
MISSING, TOUCHED, UNREADABLE = "target missing from the list", "a line without the source changed", "unreadable"


@dataclass
class Tally:
    """Counts of failed checks over all edits."""

    edits: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)

    def add(self, failures: set[str], example: str) -> None:
        """Count one edit."""
        self.edits += 1
        self.failures.update(failures)
        self.shown.append("".join(f"!! {failure}\n" for failure in sorted(failures)) + example)


def sample(count: int, seed: int) -> list[Recipe]:
    records = list(read_records(data_file("recipes/recipes.jsonl.gz")))
    random.Random(seed).shuffle(records)
    recipes: list[Recipe] = []
    for record in records:
        try:
            recipe = recipe1m.from_object(record)
        except RecipeError:
            continue
        if recipe.steps:
            recipes.append(recipe)
        if len(recipes) == count:
            break
    return recipes


def pattern(name: str) -> str:
    """Match a name in the singular or plural, with a space or a hyphen between its words."""
    words = [re.escape(re.sub(r"(?:ies|y|s|f)$", "", word) if len(word) > 3 else word) for word in name.lower().split()]
    return r"\b" + r"[ -]".join(rf"{word}(?:ies|y|ves|f|es|s)?" for word in words) + r"\b"


def masked(text: str, names: list[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(pattern(name), lambda match: "#" * len(match.group()), text, flags=re.IGNORECASE)
    return text


def longer_names(name: str, vocabulary: Vocabulary) -> list[str]:
    return [other for other in vocabulary.names if f" {name} " in f" {other} " and other != name]


def mentions_left(edit: Edit, source: str, vocabulary: Vocabulary, own: list[str], targets: list[str]) -> set[str]:
    text = "\n".join([edit.recipe.title, *(step.text for step in edit.recipe.steps)])
    doubtful = [
        mention for note in edit.notes if note.kind == "mention" for mention in re.findall(r"says '(.+?)'", note.text)
    ]
    others = [line.name for line in edit.recipe.ingredients] + doubtful
    left = masked(
        text, [*targets, *(name for name in others if name.lower() not in own), *longer_names(source, vocabulary)]
    )
    if re.search(pattern(source), left, re.IGNORECASE):
        return {FULL}
    head = source.split()[-1]
    if (
        len(source.split()) > 1
        and all(head != target.split()[-1] for target in targets)
        and re.search(pattern(head), masked(left, longer_names(head, vocabulary)), re.IGNORECASE)
    ):
        return {PART}
    return set()


def failures_of(edit: Edit, source: str, targets: list[str], vocabulary: Vocabulary) -> set[str]:
    def has(line: IngredientLine, name: str) -> bool:
        return any(match.name == name for match in vocabulary.match_all(line))

    own = [line.name.lower() for line in edit.before.ingredients if has(line, source)]
    failures = mentions_left(edit, source, vocabulary, own, targets)
    lines = edit.recipe.ingredients
    for target in targets:
        if not any(has(line, target) or re.search(pattern(target), line.text) for line in lines):
            failures.add(MISSING)
    unchanged = {id(line) for line in lines}
    if any(id(line) not in unchanged for line in edit.before.ingredients if not has(line, source)):
        failures.add(TOUCHED)
    names = [line.name for line in edit.recipe.ingredients]
    for format in FORMATS:
        read_back = parse_recipe(write_recipe(edit.recipe, format), format)
        if [line.name for line in read_back.ingredients] != names:
            failures.add(f"{UNREADABLE} from {format}")
    return failures


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--recipes", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="how many edits to print")
    parser.add_argument("--failed", action="store_true", help="print only edits that fail a check")
    arguments = parser.parse_args()
    substituter, tally = Substituter.load(), Tally()
    vocabulary, chooser = substituter.vocabulary, random.Random(arguments.seed)
    for recipe in sample(arguments.recipes, arguments.seed):
        source = chooser.choice(sorted({vocabulary.names[id] for id in vocabulary.context_of(recipe)}) or [""])
        start = time.perf_counter()
        try:
            result = substituter.swap(recipe, [source])
        except SwapchefError:  # a recipe without ingredients that we know
            continue
        tally.seconds.append(time.perf_counter() - start)
        edit, target = result.edit, result.swaps[0].target
        notes = "".join(f"  ({note.kind} {note.step}) {note.text}\n" for note in edit.notes)
        tally.add(
            failures_of(edit, source, target.split(" + "), vocabulary),
            f"== {source} -> {target}\n{edit.diff()}\n{notes}",
        )
    shown = [text for text in tally.shown if text.startswith("!!") or not arguments.failed]
    print("\n".join(shown[: arguments.show]))
    print(f"{tally.edits:,} edits of {arguments.recipes:,} recipes, seed {arguments.seed}")
    for failure in sorted({FULL, PART, MISSING, TOUCHED, *tally.failures, UNREADABLE}):
        print(f"  {100 * tally.failures[failure] / max(tally.edits, 1):5.2f}%  {failure}")
    times = sorted(tally.seconds)
    median, p99 = 1e3 * times[len(times) // 2], 1e3 * times[len(times) * 99 // 100]
    print(f"  {median:.1f} ms p50, {p99:.1f} ms p99 per swap, choosing and rewriting")


if __name__ == "__main__":
    main()
