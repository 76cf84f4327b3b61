"""How many foods get a diet verdict, and where the verdicts disagree with FoodOn's classes.

    python benchmarks/diet_coverage.py                    # names, then all 73k recipes (about two minutes)
    python benchmarks/diet_coverage.py --recipes 3000     # names, then a random sample of recipes
    python benchmarks/diet_coverage.py --foodon           # only the cross-check, every disagreement
    python benchmarks/diet_coverage.py --safe milk        # every name called safe for a facet, to be read by eye

An occurrence is an ingredient found in a recipe's line; it is judged by its canonical name, as the ranker does, and by
all that the line says, as `check` does. FoodOn's classes come without labels or hierarchy, so the cross-check asks only
whether names that a machine put into one class get verdicts that fit together.
"""

import argparse
import csv
import random
from collections import Counter, defaultdict
from collections.abc import Iterable

from labels import read_recipes
from swapchef.foods.matching import Vocabulary
from swapchef.limits.diets import FACETS, verdict
from swapchef.recipes import parse_line
from swapchef.recipes.model import heading_name, tidy
from swapchef.sources import data_file

SEED = 2026
TARGETS = ("vegan", "gluten", "milk", "egg", "tree_nuts", "peanut", "fish", "crustaceans", "molluscs", "soy")
SURE = 0.8  # FoodOn matches below this are mostly wrong


def share_known(counts: Counter[str], facet: str) -> float:
    judged = sum(count for name, count in counts.items() if verdict(name, facet).status != "unknown")
    return 100 * judged / counts.total()


def unknowns(counts: Counter[str], facet: str, top: int) -> str:
    unknown = Counter({name: count for name, count in counts.items() if verdict(name, facet).status == "unknown"})
    return ", ".join(f"{name} {count}" for name, count in unknown.most_common(top))


def count_occurrences(vocabulary: Vocabulary, sample: int | None) -> tuple[Counter[str], Counter[str]]:
    recipes = read_recipes()
    if sample:
        recipes = random.Random(SEED).sample(recipes, sample)
    names: Counter[str] = Counter()
    as_written: Counter[str] = Counter()
    for text in (tidy(line) for recipe in recipes for line in recipe["ingredients"]):
        if text and not heading_name(text):
            for match in vocabulary.match_all(parse_line(text)):
                names[match.name] += 1
                as_written[match.words] += 1
    print(f"{len(recipes):,} recipes, {names.total():,} occurrences of {len(names):,} ingredients")
    return names, as_written


def report_coverage(names: Counter[str], occurrences: Counter[str], as_written: Counter[str], top: int) -> None:
    print(f"{'facet':<13}{'names':>8}{'found':>8}{'as written':>12}   most frequent unknowns")
    for facet in (*TARGETS, *(facet for facet in FACETS if facet not in TARGETS)):
        by_name, in_lines, written = (share_known(counts, facet) for counts in (names, occurrences, as_written))
        shares = f"{by_name:>7.1f}%{in_lines:>7.2f}%{written:>11.2f}%"
        print(f"{facet:<13}{shares}   {unknowns(occurrences, facet, top)}")


def foodon_classes() -> dict[str, list[str]]:
    classes: dict[str, list[str]] = defaultdict(list)
    with data_file("diet/flavorgraph_to_foodon.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if float(row["confidence"]) >= SURE:
                classes[row["foodon_iri"].rpartition("/")[2]].append(row["flavorgraph_name"].replace("_", " "))
    return {iri: list(dict.fromkeys(members)) for iri, members in classes.items()}


def split_by_verdict(members: Iterable[str], facet: str) -> dict[str, list[str]]:
    sides: dict[str, list[str]] = defaultdict(list)
    for name in members:
        sides[verdict(name, facet).status].append(name)
    return sides


def report_foodon(facets: Iterable[str], show_all: bool) -> None:
    classes = {iri: members for iri, members in foodon_classes().items() if len(members) > 1}
    print(f"{len(classes)} FoodOn classes with two or more names matched at {SURE} or better")
    for facet in facets:
        by_class = {iri: split_by_verdict(members, facet) for iri, members in classes.items()}
        mixed = {iri: sides for iri, sides in by_class.items() if sides["safe"] and sides["unsafe"]}
        agree = len(classes) - len(mixed)
        print(f"{facet:<13}{100 * agree / len(classes):>6.1f}% of classes agree with themselves; {len(mixed)} do not")
        for iri, sides in mixed.items() if show_all else ():
            print(f"    {iri}: safe {', '.join(sides['safe'])} | unsafe {', '.join(sides['unsafe'])}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--recipes", type=int, help="judge a random sample of this many recipes")
    parser.add_argument("--foodon", action="store_true", help="list every FoodOn class that disagrees with itself")
    parser.add_argument("--safe", choices=tuple(FACETS), help="list every name called safe for a facet")
    parser.add_argument("--top", type=int, default=6, help="how many unknowns to print")
    arguments = parser.parse_args()
    vocabulary = Vocabulary.load()
    if arguments.safe:
        print("; ".join(name for name in vocabulary.names if verdict(name, arguments.safe).status == "safe"))
    elif arguments.foodon:
        report_foodon(TARGETS, show_all=True)
    else:
        occurrences, as_written = count_occurrences(vocabulary, arguments.recipes)
        report_coverage(Counter(vocabulary.names), occurrences, as_written, arguments.top)
        report_foodon(TARGETS, show_all=False)


if __name__ == "__main__":
    main()
