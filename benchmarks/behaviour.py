"""Record what swapchef does with thousands of real recipes, and list the differences between two such records.

    python benchmarks/behaviour.py record FILE.jsonl [--recipes 2000] [--seed 0]
    python benchmarks/behaviour.py compare BEFORE.jsonl AFTER.jsonl [--show 20]

A refactoring must leave the record unchanged; a change of behaviour lists its differences here. Each recipe is asked
four things: suggestions for one ingredient, a swap of it, a swap under a diet, and a check of that diet.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from editing import sample
from swapchef import Recipe, Substituter, SwapchefError, Wishes
from swapchef.sources import atomic_path

DIETS = ("vegan", "vegetarian", "gluten", "milk", "egg", "nuts", "no_pork", "no_alcohol", "soy")


def suggested(substituter: Substituter, recipe: Recipe, source: str) -> Any:
    return substituter.suggest(source, recipe).as_json()


def swapped(substituter: Substituter, recipe: Recipe, sources: list[str], wishes: Wishes) -> Any:
    result = substituter.swap(recipe, sources, wishes=wishes)
    return {
        "swaps": [f"{swap.target} for {swap.source}" for swap in result.swaps],
        "diff": result.edit.diff().splitlines(),
        "notes": [f"{note.kind} {note.step} {note.text}" for note in result.edit.notes],
        "problems": [f"{each.where} {each.number} {each.status} {each.rule}" for each in result.problems],
        "substitutes": [line.substitutes for line in result.recipe.ingredients],
    }


def checked(substituter: Substituter, recipe: Recipe, wishes: Wishes) -> Any:
    return [
        [each.where, each.number, each.status, each.rule, each.ingredient, each.swap.name if each.swap else ""]
        for each in substituter.check(recipe, wishes).problems
    ]


def answered(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except SwapchefError as error:
        return {"refused": str(error)}


def record(path: Path, count: int, seed: int) -> None:
    substituter, chooser = Substituter.load(), random.Random(seed)
    vocabulary = substituter.vocabulary
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        for number, recipe in enumerate(sample(count, seed)):
            names = sorted({vocabulary.names[id] for id in vocabulary.context_of(recipe)}) or ["salt"]
            source, wishes = chooser.choice(names), Wishes(diet=(chooser.choice(DIETS),))
            questions: dict[str, Callable[[], Any]] = {
                f"suggest {source}": lambda r=recipe, s=source: suggested(substituter, r, s),
                f"swap {source}": lambda r=recipe, s=source: swapped(substituter, r, [s], Wishes()),
                f"swap --diet {wishes.diet[0]}": lambda r=recipe, w=wishes: swapped(substituter, r, [], w),
                f"check --diet {wishes.diet[0]}": lambda r=recipe, w=wishes: checked(substituter, r, w),
            }
            for asked, question in questions.items():
                row = {"number": number, "title": recipe.title, "asked": asked, "answer": answered(question)}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


def compare(before: Path, after: Path, show: int) -> None:
    rows = [[json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] for path in (before, after)]
    differ: Counter[str] = Counter()
    shown = 0
    for old, new in zip(*rows, strict=True):
        if old == new:
            continue
        differ[old["asked"].split()[0] + (" --diet" if "--diet" in old["asked"] else "")] += 1
        if shown < show:
            shown += 1
            print(f"== {old['number']} {old['title']}: {old['asked']}")
            print_difference(old["answer"], new["answer"], "")
    print(f"{sum(differ.values()):,} of {len(rows[0]):,} answers differ: {dict(differ)}")


def print_difference(old: Any, new: Any, where: str) -> None:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            print_difference(old.get(key), new.get(key), f"{where}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            print_difference(one, other, f"{where}[{index}]")
    elif old != new:
        print(f"  {where}\n    - {json.dumps(old, ensure_ascii=False)}\n    + {json.dumps(new, ensure_ascii=False)}")


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("file", type=Path)
    recording.add_argument("--recipes", type=int, default=2000)
    recording.add_argument("--seed", type=int, default=0)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--show", type=int, default=20)
    arguments = parser.parse_args()
    if arguments.command == "record":
        record(arguments.file, arguments.recipes, arguments.seed)
    else:
        compare(arguments.before, arguments.after, arguments.show)


if __name__ == "__main__":
    main()
