"""Record how every line, title and step of real recipes is judged, and list what two such records judge differently.

    python benchmarks/judging.py record FILE.jsonl [--recipes 2000] [--seed 1]
    python benchmarks/judging.py compare BEFORE.jsonl AFTER.jsonl [--from safe] [--to unknown] [--where step]
    python benchmarks/judging.py unknown FILE.jsonl                    # the share of lines that nobody can judge

A change of the reader or the judge lists its differences here, on texts that people wrote.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from editing import sample
from swapchef import Recipe
from swapchef.limits.checking import judged_line, problems_in
from swapchef.limits.wishes import Limits
from swapchef.sources import atomic_path

FACETS = ("vegan", "vegetarian", "gluten", "milk", "egg", "tree_nuts", "peanut", "no_pork", "soy")
COLUMNS = ("recipe", "facet", "where", "text", "status", "rule")


def record(path: Path, count: int, seed: int) -> None:
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        for number, recipe in enumerate(sample(count, seed)):
            for facet in FACETS:
                for cells in judged(recipe, Limits((facet,))):
                    row = dict(zip(COLUMNS, (number, facet, *cells), strict=True))
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")


def judged(recipe: Recipe, limits: Limits) -> Iterator[tuple[str, str, str, str]]:
    """Yield each text of a recipe, where it stands, its verdict and the rule."""
    others = {(each.where, each.number): each for each in problems_in(recipe, limits, is_baking=False)}
    steps = [("step", number, step.text) for number, step in enumerate(recipe.steps, start=1)]
    for where, number, text in [("title", 0, recipe.title), *steps]:
        problem = others.get((where, number))
        yield where, text, problem.status if problem else "safe", problem.rule if problem else ""
    for line in recipe.ingredients:
        judgement = judged_line(line, limits)
        yield "ingredient", line.text, judgement.status, judgement.rule


def rows_of(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def compare(arguments: argparse.Namespace) -> None:
    changed: Counter[tuple[str, str, str, str]] = Counter()
    shown: dict[tuple[str, str], str] = {}
    for old, new in zip(rows_of(arguments.before), rows_of(arguments.after), strict=True):
        assert old["text"] == new["text"]
        if old["status"] == new["status"]:
            continue
        changed[new["facet"], new["where"], old["status"], new["status"]] += 1
        wanted = (arguments.old in {"", old["status"]}, arguments.new in {"", new["status"]})
        if all(wanted) and arguments.where in {"", new["where"]}:
            shown[new["text"], old["status"] + " -> " + new["status"]] = (
                f"{new['facet']}: {old['rule']} => {new['rule']}"
            )
    for key, times in sorted(changed.items()):
        print(*key, times)
    chosen = random.Random(0).sample(sorted(shown.items()), min(arguments.show, len(shown)))
    for (text, change), rule in chosen:
        print(f"{change} | {text[:200]} | {rule[:160]}")


def unknown(path: Path) -> None:
    total: Counter[str] = Counter()
    doubtful: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    for row in rows_of(path):
        if row["where"] == "ingredient":
            total[row["facet"]] += 1
            doubtful[row["facet"]] += row["status"] == "unknown"
            rules.update([row["rule"]] if row["status"] == "unknown" else [])
    for facet, count in total.items():
        print(f"{facet}: {100 * doubtful[facet] / count:.2f}% of {count:,} lines unknown")
    print(f"all: {100 * sum(doubtful.values()) / sum(total.values()):.2f}%")
    for rule, times in rules.most_common(60):
        print(times, rule)


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("file", type=Path)
    recording.add_argument("--recipes", type=int, default=2000)
    recording.add_argument("--seed", type=int, default=1)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--from", dest="old", default="")
    comparing.add_argument("--to", dest="new", default="")
    comparing.add_argument("--where", default="")
    comparing.add_argument("--show", type=int, default=40)
    counting = commands.add_parser("unknown")
    counting.add_argument("file", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "record":
        record(arguments.file, arguments.recipes, arguments.seed)
    elif arguments.command == "compare":
        compare(arguments)
    else:
        unknown(arguments.file)


if __name__ == "__main__":
    main()
