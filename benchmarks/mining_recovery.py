"""How many of the benchmark's labels mining recovers from reviews of the same recipes, and why it misses the others.

    python benchmarks/mining_recovery.py    # prints, and writes results/mining_recovery.csv

Linked are the recipes of Recipe1MSubs whose Food.com reviews are at hand (`recipe1m_id`, or the Food.com id in
titles_part). The benchmark was mined from all their reviews, of which we hold some, so most misses say nothing about
the rules: a label counts as within reach where some review at hand names its target at all. Each miss falls into the
first class below that fits.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from swapchef.benchmark import load_benchmark
from swapchef.mining import rules
from swapchef.mining.inputs import ReviewedRecipe, read_rows, reviewed
from swapchef.mining.pipeline import MODES, mine_batch
from swapchef.mining.sentences import sentences_of
from swapchef.mining.spotting import Spotter, words_of
from swapchef.recipes import parse_line
from swapchef.sources import data_file

RESULTS = Path(__file__).parent / "results" / "mining_recovery.csv"
Label = tuple[int, int]


def linked_recipes() -> Iterator[ReviewedRecipe]:
    """Yield the recipes of the benchmark whose reviews are at hand, under the benchmark's ids."""
    counts: Counter[str] = Counter()
    ids = {
        str(row["foodcom_id"]): row["recipe1m_id"]
        for row in read_rows(data_file("recipe1msubs/titles_part.jsonl.gz"), counts)
        if row.get("foodcom_id")
    }
    for row in read_rows(data_file("reviews/foodcom_reviews.jsonl.gz"), counts):
        if id := row.get("recipe1m_id") or ids.get(str(row["foodcom_id"])):
            yield from reviewed([{**row, "recipe1m_id": id}], {}, counts)


def why_missed(label: Label, recipe: ReviewedRecipe, spotter: Spotter, mode: str) -> str:
    """Name the first reason for which a label was not mined."""
    source, target = label
    sentences = [
        (sentence, words, spotter.spot(words))
        for review in recipe.reviews
        for sentence in sentences_of(review.text)
        for words in [words_of(sentence.text)]
    ]
    vocabulary = spotter.vocabulary
    listed = {match.id for line in recipe.ingredients or () for match in vocabulary.match_all(parse_line(line))}
    if not any(spot.id == target for _, _, spots in sentences for spot in spots):
        head = vocabulary.names[target].split()[-1]
        is_named = any(head in sentence.text.lower() for sentence, _, _ in sentences)
        return "a review names the target otherwise" if is_named else "no review at hand names the target"
    if source not in listed:
        return "the list at hand lacks the source"
    if target in listed:
        return "the list at hand has the target"
    both = [sentence for sentence in sentences if {source, target} <= {spot.id for spot in sentence[2]}]
    if not both:
        return "source and target are in no one sentence"
    if not any(rules.may_tell_of_swap(sentence.text) for sentence, _, _ in both):
        return "no word in the sentence hints at a swap"
    if mode == "paper":
        return "more than two ingredients, too far apart, or no keyword"
    moods = {
        swap.mood
        for sentence, words, spots in both
        for swap in rules.stated_swaps(words, spots, sentence.is_question, frozenset(listed))
        if (swap.source, swap.target) == label
    }
    return "planned, asked or denied" if moods else "the construction is not read"


def compare(recipes: Iterable[ReviewedRecipe]) -> Iterator[tuple[str, Counter[str]]]:
    """Yield for each mode how many labels were recovered, and how many missed for each reason."""
    benchmark = load_benchmark()
    labels: dict[str, set[Label]] = {}
    for split in (benchmark.train, benchmark.val, benchmark.test):
        for id, source, target in zip(split.recipe_id, split.source, split.target, strict=True):
            labels.setdefault(str(id), set()).add((int(source), int(target)))
    spotter, recipes = Spotter(benchmark.vocabulary), list(recipes)
    for mode in MODES:
        outcome: Counter[str] = Counter()
        for recipe in recipes:
            tuples, _ = mine_batch([recipe], mode)
            mined = {tuple(benchmark.vocabulary.id_of(name) for name in row["subs"]) for row in tuples}
            outcome["mined, not in the benchmark"] += len(mined - labels[recipe.id])
            for label in labels[recipe.id]:
                outcome["recovered" if label in mined else why_missed(label, recipe, spotter, mode)] += 1
        yield mode, outcome


def main() -> None:
    recipes = list(linked_recipes())
    print(f"{len(recipes)} linked recipes, {sum(len(recipe.reviews) for recipe in recipes)} of their reviews")
    rows = [(mode, outcome, count) for mode, counts in compare(recipes) for outcome, count in sorted(counts.items())]
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([("mode", "outcome", "count"), *rows])
    for mode, outcome, count in rows:
        print(f"{mode:8}{count:4}  {outcome}")


if __name__ == "__main__":
    main()
