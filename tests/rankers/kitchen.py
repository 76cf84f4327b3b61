"""The tiny kitchen's books, graph and reviews: what each ranker learns from, with answers that are known."""

from functools import cache
from typing import Any

import numpy as np

from swapchef.benchmark import Benchmark
from swapchef.graph import EDGE_KINDS, Graph, Nodes
from swapchef.mining.spotting import Spotter
from swapchef.rankers import RANKERS, Ranker, make_ranker
from swapchef.rankers.cooking_text import CookingText, spotted_text
from swapchef.vocabulary import Vocabulary
from tests.conftest import KITCHEN

# Foods in one group are used in the same way, and so are close to one another.
GROUPS = {
    ("butter", "margarine", "olive oil"): "melt the {} in a hot skillet over low heat until golden and foaming",
    ("milk", "buttermilk", "yogurt"): "pour the cold {} slowly into a jug and whisk it smooth for pancakes",
    ("sugar", "honey"): "sweeten your tea with a generous spoon of {} while stirring gently",
}
COMPOUNDS = ("diacetyl", "lactic acid", "fructose")  # of the first food of a group and its neighbours
SMALL = {"width": 12, "epochs": 2}


@cache
def kitchen_text() -> CookingText:
    vocabulary = Vocabulary(KITCHEN, {name: id for id, name in enumerate(KITCHEN)})
    steps = [sentence.format(food) for foods, sentence in GROUPS.items() for food in foods]
    return spotted_text(steps * 40, Spotter(vocabulary))


def kitchen_graph() -> Graph:
    """Each group shares a compound; foods of different groups go together."""
    ids = {name.replace("_", " "): id for id, name in enumerate(KITCHEN)}
    edges = [
        (ids[food], len(KITCHEN) + compound, 1.0, EDGE_KINDS.index("ingr-fcomp"))
        for compound, foods in enumerate(GROUPS)
        for food in foods
    ]
    edges += [
        (ids["egg"], ids["flour"], 0.4, 0),
        (ids["milk"], ids["egg"], 0.2, 0),
        (ids["butter"], ids["egg"], 0.2, 0),
    ]
    first, second, weight, kind = (np.array(column) for column in zip(*edges, strict=True))
    low, high = np.minimum(first, second).astype(np.int32), np.maximum(first, second).astype(np.int32)
    nodes = Nodes(np.arange(len(KITCHEN) + len(COMPOUNDS)), (*KITCHEN, *COMPOUNDS), len(KITCHEN))
    return Graph(nodes, low, high, weight.astype(np.float32), kind.astype(np.uint8))


def group_vectors() -> np.ndarray:
    """Vectors by which every food is nearest to those of its group."""
    vectors = np.random.default_rng(0).normal(0, 0.1, (len(KITCHEN), 5)).astype(np.float32)
    for axis, foods in enumerate(GROUPS):
        for food in foods:
            vectors[KITCHEN.index(food.replace(" ", "_")), axis] += 1.0
    return vectors


def given(name: str) -> dict[str, Any]:
    """Return what a ranker learns from besides the splits."""
    if name == "food2vec":
        return {"text": kitchen_text()}
    if name in {"node2vec", "metapath2vec", "pinsage"}:
        return {"graph": kitchen_graph()}
    return {"vectors": group_vectors()} if name == "metapath2vec-published" else {}


def small_settings(name: str, seed: int) -> dict[str, Any]:
    """Return settings that train in a moment."""
    if not RANKERS[name].needs_training:
        return {"seed": seed} if RANKERS[name].uses_chance else {}
    own = {"food2vec": {"min_count": 1}, "node2vec": {"length": 6}, "metapath2vec": {"length": 6}}
    return {**SMALL, "seed": seed, **own.get(name, {"batch": 8})}


def trained(name: str, kitchen: Benchmark, seed: int = 0, **settings: Any) -> Ranker:
    ranker: Any = make_ranker(name, **{**small_settings(name, seed), **settings})
    return ranker.fit(kitchen.train, kitchen.val, **given(name))


def nearest(ranker: Ranker, kitchen: Benchmark, food: str) -> list[str]:
    """Return all foods from the best substitute to the worst."""
    source = np.array([KITCHEN.index(food)], np.int32)
    order = np.argsort(-ranker.score(source, kitchen.train.context[:1])[0], kind="stable")
    return [KITCHEN[id] for id in order]
