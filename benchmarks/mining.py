"""How many substitutions mining finds in reviews, how many are right, and how fast it is.

    python benchmarks/mining.py                        # both modes on the reviews at hand; precision by hand labels
    python benchmarks/mining.py --synthetic 1000000    # speed and memory on reviews made up from templates

Labels (`labels/mined_*.csv`) are by a reader who had not seen the rules: all tuples of paper mode, 300 random ones of
better mode. They hold ids and places, no text. A tuple that was not labelled is not counted; the share that was is
printed.
"""

import argparse
import csv
import json
import math
import random
import resource
import tempfile
import time
from collections import Counter
from pathlib import Path

from swapchef.mining.inputs import read_reviewed
from swapchef.mining.pipeline import mine, mine_batch
from swapchef.sources import data_file

FILES = ("reviews/pages_with_comments.jsonl.gz", "reviews/foodcom_reviews.jsonl.gz")
LABELS = Path(__file__).parent / "labels"


def wilson(right: int, total: int) -> tuple[float, float]:
    share, z = right / total, 1.96
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return 100 * (middle - half), 100 * (middle + half)


def tuples_of(mode: str, folder: Path) -> list[dict]:
    """Mine both files."""
    tuples = []
    for file in FILES:
        out = folder / f"{mode}-{Path(file).name}"
        mine(None, data_file(file), mode, out)
        tuples += [json.loads(line) for line in (out / "tuples.jsonl").read_text(encoding="utf-8").splitlines()]
    return tuples


def report(mode: str, tuples: list[dict]) -> None:
    labels = {
        (row["review_id"], int(row["start"]), row["source"], row["target"]): row["label"]
        for row in csv.DictReader((LABELS / f"mined_{mode}.csv").read_text(encoding="utf-8").splitlines())
    }
    judged = Counter(
        label for row in tuples if (label := labels.get((row["review_id"], row["start"], *row["subs"]))) is not None
    )
    low, high = wilson(judged["right"], judged.total())
    print(f"{mode}: {len(tuples)} tuples, {judged.total()} of them labelled: {dict(judged.most_common())}")
    print(f"  precision {100 * judged['right'] / judged.total():.1f}% (95% Wilson interval {low:.1f} to {high:.1f})")


def report_verdicts(tuples: list[dict]) -> None:
    """Print the precision of verdicts; all were labelled, by a reader who knew the rules."""
    labels = {
        (row["review_id"], int(row["start"]), row["source"], row["target"], row["verdict"]): row["label"]
        for row in csv.DictReader((LABELS / "mined_verdicts.csv").read_text(encoding="utf-8").splitlines())
    }
    stated = [row for row in tuples if row["verdict"]]
    judged = Counter(labels.get((row["review_id"], row["start"], *row["subs"], row["verdict"]), "?") for row in stated)
    labelled = judged["right"] + judged["wrong"]
    low, high = wilson(judged["right"], labelled)
    verdicts = dict(Counter(row["verdict"] for row in stated))
    print(f"verdicts: {len(stated)} of {len(tuples)} tuples, {labelled} labelled, {verdicts}")
    print(f"  precision {100 * judged['right'] / labelled:.1f}% (95% Wilson interval {low:.1f} to {high:.1f})")


def speed() -> None:
    """Time mining alone on the real reviews, which are read and parsed before the clock starts."""
    recipes = [recipe for file in FILES for recipe in read_reviewed(None, data_file(file), Counter())]
    reviews = sum(len(recipe.reviews) for recipe in recipes)
    mine_batch(recipes[:50], "better")  # builds the automaton
    for mode in ("paper", "better"):
        start = time.process_time()
        mine_batch(recipes, mode)
        seconds = time.process_time() - start
        print(f"{mode}: {reviews:,} reviews in {seconds:.2f} s of one core, {reviews / seconds:,.0f} a second")


def synthetic(count: int, folder: Path) -> None:
    plain = [
        "Loved it, will make again!",
        "My family asked for seconds. So easy and quick to make.",
        "A bit bland for us.",
    ]
    with_swap = [
        "I used {} instead of sugar and it was great.",
        "Didn't have eggs so I used {}.",
        "I replaced the butter with {}.",
    ]
    foods = ["honey", "applesauce", "coconut oil", "greek yogurt", "margarine", "maple syrup"]
    generator = random.Random(0)
    path = folder / "synthetic.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(count // 10):
            texts = [
                generator.choice(plain)
                if generator.random() < 0.9
                else generator.choice(with_swap).format(generator.choice(foods))
                for _ in range(10)
            ]
            row = {"id": str(number), "ingredients": ["1 cup sugar", "2 eggs", "1/2 cup butter"], "comments": texts}
            file.write(json.dumps(row) + "\n")
    start = time.perf_counter()
    counts = mine(None, path, "better", folder / "out")
    seconds = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rate = counts["reviews"] / seconds
    mined = f"{counts['reviews']:,} reviews, {counts['tuples']:,} tuples"
    print(f"{mined} in {seconds:.0f} s ({rate:,.0f} a second), {memory:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--synthetic", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.synthetic:
            synthetic(arguments.synthetic, Path(folder))
            return
        for mode in ("paper", "better"):
            tuples = tuples_of(mode, Path(folder))
            report(mode, [row for row in tuples if row["ingredients"]])  # so that the modes can be compared
        report_verdicts(tuples)
    speed()


if __name__ == "__main__":
    main()
