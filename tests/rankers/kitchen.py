"""The tiny kitchen's books, graph and reviews: what each ranker learns from, with answers that are known."""

import atexit
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from swapchef.benchmark import Benchmark
from swapchef.foods.matching import Vocabulary
from swapchef.graph import EDGE_KINDS, Graph, Nodes
from swapchef.mining.spotting import Spotter
from swapchef.rankers import RANKERS, Ranker, make_ranker
from swapchef.rankers.cooking_text import CookingText, spotted_text
from swapchef.rankers.review_text import Reviews, review_sentences
from tests.conftest import KITCHEN

# Foods in one group are used in the same way, and so are close to one another.
GROUPS = {
    ("butter", "margarine", "olive oil"): "melt the {} in a hot skillet over low heat until golden and foaming",
    ("milk", "buttermilk", "yogurt"): "pour the cold {} slowly into a jug and whisk it smooth for pancakes",
    ("sugar", "honey"): "sweeten your tea with a generous spoon of {} while stirring gently",
}
COMPOUNDS = ("diacetyl", "lactic acid", "fructose")  # of the first food of a group and its neighbours
SMALL = {"width": 12, "epochs": 2}
TINY_BERT = {"min_count": 1, "length": 16, "contexts": 5, "neighbours": 6, "examples": 16, "epochs": 2, "batch": 8}


@cache
def kitchen_text() -> CookingText:
    vocabulary = Vocabulary(KITCHEN, {name: id for id, name in enumerate(KITCHEN)})
    steps = [sentence.format(food) for foods, sentence in GROUPS.items() for food in foods] * 40
    shuffled = np.random.default_rng(0).permutation(len(steps))  # what stands next to a step tells nothing
    return spotted_text([steps[number] for number in shuffled], Spotter(vocabulary))


@cache
def tiny_bert() -> str:
    """Return a folder with a randomly initialised BERT that knows the kitchen's words, but none of its foods."""
    import tempfile

    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = Path(tempfile.mkdtemp(prefix="tiny-bert-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    words = {word for said in (*GROUPS.values(), REPLACED, NAMED) for word in said.replace("{}", "").split()}
    letters = [piece for letter in "abcdefghijklmnopqrstuvwxyz$#" for piece in (letter, f"##{letter}")]
    vocabulary = list(dict.fromkeys(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted(words), *letters]))
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    quick = {"initializer_range": 0.15, "hidden_dropout_prob": 0.0}
    BertModel(BertConfig(vocab_size=len(vocabulary), **shape, **quick)).save_pretrained(folder)
    return str(folder)


# Templates of review sentences: in the first the second food replaces the first, the second only names both.
REPLACED = "i was out of {} so i used {} instead and it was great"
NAMED = "the {} went well with the {} and we ate all of it"
SWAPS = [("butter", "margarine"), ("butter", "olive oil"), ("buttermilk", "yogurt"), ("sugar", "honey")]
NO_SWAPS = [("butter", "flour"), ("egg", "butter"), ("milk", "sugar"), ("flour", "honey"), ("egg", "yogurt")]


@cache
def kitchen_reviews() -> Reviews:
    """Reviews in which swaps are told, and labels for all of their pairs but buttermilk and yogurt."""
    vocabulary = Vocabulary(KITCHEN, {name: id for id, name in enumerate(KITCHEN)})
    texts = [REPLACED.format(*pair) for pair in SWAPS] + [NAMED.format(*pair) for pair in NO_SWAPS]
    sentences = tuple(review_sentences(texts * 5, Spotter(vocabulary)))
    labels: dict[tuple[int, int], bool] = {}
    for source, target in SWAPS + NO_SWAPS:
        pair = vocabulary.id_of(source), vocabulary.id_of(target)
        labels[pair], labels[pair[::-1]] = (source, target) in SWAPS, False
    unlabelled = vocabulary.id_of("buttermilk"), vocabulary.id_of("yogurt")
    del labels[unlabelled], labels[unlabelled[::-1]]
    return Reviews(sentences, labels, vocabulary.names)


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
    if name == "foodbert":
        return {"text": kitchen_text(), "names": tuple(KITCHEN)}
    if name == "r-foodbert":
        return {"reviews": kitchen_reviews()}
    if name in {"node2vec", "metapath2vec", "pinsage"}:
        return {"graph": kitchen_graph()}
    return {"vectors": group_vectors()} if name == "metapath2vec-published" else {}


def small_settings(name: str, seed: int) -> dict[str, Any]:
    """Return settings that train in a moment."""
    if not RANKERS[name].needs_training:
        return {"seed": seed} if RANKERS[name].uses_chance else {}
    if name == "foodbert":
        return {**TINY_BERT, "start": tiny_bert(), "seed": seed}
    if name == "r-foodbert":
        return {"start": tiny_bert(), "epochs": 2, "batch": 8, "seed": seed}
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
