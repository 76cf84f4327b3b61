"""How long a suggestion takes, with the shipped model: `python benchmarks/latency.py`.

In one run: `suggest` in process over 1,000 random test queries (recipes are parsed before the clock starts), memory,
the cold command from process start to answer (median of 10), and scoring the whole test split.
"""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from swapchef import Recipe, Substituter, SwapchefError, Wishes, parse_recipe, read_recipe
from swapchef.benchmark import Split, ids_of, load_benchmark

ROOT = Path(__file__).parents[1]
QUERIES, SEED = 1000, 0


def as_recipe(split: Split, row: int, names: list[str]) -> tuple[str, Recipe]:
    context = ids_of(split.context, int(row))
    lines = [f"1 cup {names[id]}" for id in [*context, split.source[row]]]
    return names[split.source[row]], parse_recipe("\n".join([f"Recipe {row}", "", *lines]))


def in_process(substituter: Substituter, split: Split) -> list[float]:
    names = substituter.vocabulary.names
    rows = np.random.default_rng(SEED).choice(len(split), QUERIES, replace=False)
    queries = [as_recipe(split, int(row), list(names)) for row in rows]
    times, unanswered = [], 0
    for ingredient, recipe in queries:
        start = time.perf_counter()
        try:
            substituter.suggest(ingredient, recipe)
        except SwapchefError:  # a name of the benchmark that its own reader takes for another food
            unanswered += 1
        times.append(1000 * (time.perf_counter() - start))
    print(f"{unanswered} of {QUERIES} not answered")
    return times


def cold() -> list[float]:
    swapchef = str(Path(sys.executable).parent / "swapchef")
    command = [swapchef, "suggest", "buttermilk", "--recipe", str(ROOT / "examples/pancakes.md")]
    # With byte code on disk, which pip writes when it installs; a first run writes it for a checkout.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    times = []
    for _ in range(10):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=environment)
        times.append(time.perf_counter() - start)
    return times


def ratios(substituter: Substituter) -> None:
    """Compare what a swap and a check of a diet cost with one suggestion, in processor time of one process."""
    recipe, wishes = read_recipe(ROOT / "examples" / "pancakes.md"), Wishes(diet=("vegan",))
    milliseconds = {
        "suggest buttermilk": best_time(lambda: substituter.suggest("buttermilk", recipe)),
        "swap --diet vegan": best_time(lambda: substituter.swap(recipe, wishes=wishes)),
        "check --diet vegan": best_time(lambda: substituter.check(recipe, wishes)),
    }
    one = milliseconds["suggest buttermilk"]
    for name, cost in milliseconds.items():
        print(f"{name}: {cost:.2f} ms of processor time, {cost / one:.1f} times a suggestion")


def best_time(call: Callable[[], object], rounds: int = 10, calls: int = 20) -> float:
    """Return milliseconds of processor time a call, of all threads, in the best of some rounds."""
    call()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(calls):
            call()
        times.append(1000 * (time.process_time() - start) / calls)
    return min(times)


def main() -> None:
    substituter = Substituter.load()
    substituter.suggest("egg")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    test = load_benchmark().test
    times = in_process(substituter, test)
    print(f"suggest, in process: p50 {np.quantile(times, 0.5):.1f} ms, p99 {np.quantile(times, 0.99):.1f} ms")
    ratios(substituter)
    print(f"memory with the model loaded: {memory:.0f} MB")
    print(f"cold command: {statistics.median(cold()):.2f} s (median of 10)")
    start = time.perf_counter()
    substituter.ranker.score(test.source, test.context)
    print(f"whole test split: {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
