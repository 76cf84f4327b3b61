"""How many real ingredient lines find an ingredient, and how many of those are right.

    python benchmarks/vocabulary_coverage.py                 # coverage, and accuracy on the labelled sample
    python benchmarks/vocabulary_coverage.py --sheet FILE    # write the sample of 200 to label, with its texts

Coverage is over all lines of 2,000 random recipes; accuracy over 200 of the lines that found something, read by eye.
Labels hold for the ingredient they were given for: a line that now finds another one is counted as not labelled.
"""

import argparse
import csv
import itertools
import random
from collections import Counter
from pathlib import Path

from labels import labelled, read_recipes, short_hash
from swapchef.foods.matching import Match, Vocabulary
from swapchef.recipes import parse_line
from swapchef.recipes.model import heading_name, tidy

SEED = 2026
LABELS = "vocabulary_matches.csv"


def sample_lines(recipes: list[dict]) -> list[tuple[int, int, str]]:
    chosen = random.Random(SEED).sample(range(len(recipes)), 2000)
    lines = [(i, j, text) for i in chosen for j, text in enumerate(recipes[i]["ingredients"])]
    return [(i, j, text) for i, j, text in lines if tidy(text) and not heading_name(tidy(text))]


def find(vocabulary: Vocabulary, text: str) -> list[Match]:
    return vocabulary.match_all(parse_line(tidy(text)))


def write_sheet(path: Path, lines: list[tuple[int, int, str]], vocabulary: Vocabulary) -> None:
    shuffled = random.Random(SEED).sample(lines, len(lines))
    matched = ((i, j, text, names) for i, j, text in shuffled if (names := find(vocabulary, text)))
    with path.open("w", newline="", encoding="utf-8") as file:
        sheet = csv.writer(file)
        sheet.writerow(["recipe", "line", "sha1", "names", "right", "text"])
        for i, j, text, names in itertools.islice(matched, 200):
            sheet.writerow([i, j, short_hash(text), "; ".join(match.name for match in names), "", text])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sheet", type=Path)
    arguments = parser.parse_args()
    recipes, vocabulary = read_recipes(), Vocabulary.load()
    lines = sample_lines(recipes)
    if arguments.sheet:
        write_sheet(arguments.sheet, lines, vocabulary)
        return
    hows = Counter(match[0].how if (match := find(vocabulary, text)) else "nothing found" for _, _, text in lines)
    share = 100 * (1 - hows["nothing found"] / len(lines))
    print(f"{len(lines)} lines of 2,000 recipes (seed {SEED}): {share:.1f}% found")
    for how, count in hows.most_common():
        print(f"  {how:<14}{100 * count / len(lines):>6.2f}%")
    rows = [(text, row) for text, row in labelled(LABELS, recipes)]
    current = [row for text, row in rows if "; ".join(match.name for match in find(vocabulary, text)) == row["names"]]
    right = sum(int(row["right"]) for row in current)
    accuracy, unlabelled = 100 * right / len(current), len(rows) - len(current)
    print(f"{right} of {len(current)} labelled matches are right ({accuracy:.1f}%); {unlabelled} need a new label")


if __name__ == "__main__":
    main()
