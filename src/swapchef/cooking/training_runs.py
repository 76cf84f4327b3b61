"""The trainings of inverse cooking in their order, each in a folder of its own that a later one and the tables read.

The tokenizer comes first, then the decoder from text recipes, then the decoder from pairs for one encoder, and the
heads that name ingredients for one encoder. A training that was interrupted goes on where it stopped; a finished one is
loaded.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from swapchef.cooking.corpus import Pairs, Split, TrainingRecipe, ingredient_sets, read_pairs, read_texts
from swapchef.cooking.decoder_training import DecoderExample, DecoderSettings, DecoderTask, decoder_examples
from swapchef.cooking.encoders import PhotoFeatures, photo_features
from swapchef.cooking.ingredients import (
    Examples,
    HeadSettings,
    HeadTask,
    Kind,
    best_selection,
    new_head,
    probabilities,
    standardised,
    start_vectors,
)
from swapchef.cooking.metrics import Selection
from swapchef.cooking.recipe_decoder import DecoderShape, RecipeDecoder
from swapchef.cooking.tokenizer import RecipeTokenizer
from swapchef.foods.matching import Vocabulary
from swapchef.rankers.knowledge import usage_vectors
from swapchef.sources import atomic_path
from swapchef.training import Epoch, Progress, TrainingSettings, train

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]
VOCABULARY_SIZE = 4096  # tokens
HEADS = 4
_VAL_STEP = 2  # every second recipe of val is enough to watch the decoder learn

HEAD_SETTINGS: dict[Kind, HeadSettings] = {
    "feed-forward": HeadSettings(),
    "set-transformer": HeadSettings("set-transformer", dropout=0.2, epochs=40),
}
PRETRAINING = DecoderSettings()
FINE_TUNING = DecoderSettings(epochs=5, shards=1, learning_rate=3e-4, warmup=0.1, patience=2, photo_share=0.8)


class TrainingRuns:
    """The data that inverse cooking learns from and the networks that it trains, each computed once."""

    def __init__(self, folder: Path, report: Callable[[str], None] = lambda _: None) -> None:
        self.folder, self.report = folder, report
        self._features: dict[str, PhotoFeatures] = {}

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The canonical ingredients."""
        return Vocabulary.load()

    @cached_property
    def pairs(self) -> Pairs:
        """Photos and their recipes."""
        return read_pairs(self.vocabulary)

    @cached_property
    def texts(self) -> list[TrainingRecipe]:
        """Recipes without photos, none of them of val or test."""
        return read_texts(self.pairs, self.vocabulary)

    @cached_property
    def tokenizer(self) -> RecipeTokenizer:
        """The tokenizer, trained once."""
        path = self.folder / "tokenizer.json"
        if not path.is_file():
            self.report(f"learning {VOCABULARY_SIZE} tokens")
            steps = [step for recipe in self.texts for step in recipe.steps]
            tokenizer = RecipeTokenizer.train([recipe.title for recipe in self.texts], steps, VOCABULARY_SIZE)
            with atomic_path(path) as temporary:
                temporary.write_text(json.dumps(tokenizer.as_dict()), encoding="utf-8")
        return RecipeTokenizer.from_dict(json.loads(path.read_text(encoding="utf-8")))

    def features(self, encoder: str) -> PhotoFeatures:
        """The photos as an encoder sees them, held in memory because even the cache on disk takes seconds to check."""
        if encoder not in self._features:
            self._features[encoder] = photo_features(encoder, self.pairs.photos)
        return self._features[encoder]

    def examples(self, split: Split, ingredients: dict[int, tuple[int, ...]] | None = None) -> list[DecoderExample]:
        """The pairs of a split as examples; `ingredients` by row takes the place of the recipe's own."""
        rows = self.pairs.rows(split)
        recipes = [self.pairs.recipes[row] for row in rows]
        if ingredients is not None:
            recipes = [replace(recipe, ingredients=ingredients[row]) for row, recipe in zip(rows, recipes, strict=True)]
        return decoder_examples(recipes, self.tokenizer, self.vocabulary.names, PRETRAINING.max_length, rows)

    def pretrained(self, photo_width: int) -> RecipeDecoder:
        """The decoder that has read the text recipes; its layer for photos is untrained."""
        torch.manual_seed(PRETRAINING.seed)
        decoder = RecipeDecoder(DecoderShape(len(self.tokenizer), 1))
        folder = self.folder / "pretrained"
        if not (folder / "decoder.safetensors").is_file():
            examples = decoder_examples(self.texts, self.tokenizer, self.vocabulary.names, PRETRAINING.max_length)
            task = DecoderTask(PRETRAINING, decoder, examples, self.examples("val")[::_VAL_STEP])
            self._train(task, PRETRAINING, folder)
        stored = load_file(folder / "decoder.safetensors")
        torch.manual_seed(FINE_TUNING.seed)
        with_photos = RecipeDecoder(DecoderShape(len(self.tokenizer), photo_width))
        untrained = {
            name: tensor for name, tensor in with_photos.state_dict().items() if name.startswith("from_photo.")
        }
        with_photos.load_state_dict({**stored, **untrained})
        return with_photos

    def fine_tuned(self, encoder: str, weight_decay: float = FINE_TUNING.weight_decay) -> RecipeDecoder:
        """The decoder that has read the pairs as well, as this encoder sees them."""
        features = self.features(encoder)
        decoder = RecipeDecoder(DecoderShape(len(self.tokenizer), features.parts.shape[-1], dropout=0.1))
        settings = replace(FINE_TUNING, weight_decay=weight_decay)
        suffix = "" if settings == FINE_TUNING else f"-weight-decay-{weight_decay:g}"
        folder = self.folder / f"decoder-{_safe(encoder)}{suffix}"
        if not (folder / "decoder.safetensors").is_file():
            decoder.load_state_dict(self.pretrained(features.parts.shape[-1]).state_dict())
            task = DecoderTask(settings, decoder, self.examples("train"), self.examples("val"), features.parts)
            self._train(task, settings, folder)
        decoder.load_state_dict(load_file(folder / "decoder.safetensors"))
        return decoder.eval()

    def predictor(self, encoder: str, kind: Kind = "feed-forward") -> "IngredientPredictor":
        """The predictor for this encoder's summaries: several heads, trained alike from different seeds."""
        settings = HEAD_SETTINGS[kind]
        summary = self.features(encoder).summary
        rows = self.pairs.rows("train")
        train_summaries = summary[rows].reshape(-1, summary.shape[-1])
        mean, spread = train_summaries.mean(axis=0), train_summaries.std(axis=0) + 1e-3
        sets = ingredient_sets(self.pairs.recipes, len(self.vocabulary)).toarray()
        known = np.flatnonzero(sets[rows].sum(axis=0) > 0)
        examples = Examples(standardised(summary, mean, spread), sets[:, known])
        heads = [self._head(replace(settings, seed=seed), encoder, examples, known) for seed in range(HEADS)]
        predictor = IngredientPredictor(tuple(heads), mean, spread, known, Selection(0.0, 0, len(known)))
        val = self.pairs.rows("val")
        missed = int(sets[val].sum() - sets[val][:, known].sum())
        selection = best_selection(predictor.probabilities(summary[val]), sets[val][:, known], missed)
        return replace(predictor, selection=selection)

    def _head(self, settings: HeadSettings, encoder: str, examples: Examples, known: Ids) -> nn.Module:
        train_rows, val_rows = self.pairs.rows("train"), self.pairs.rows("val")
        train_set, val_set = (Examples(examples.features[rows], examples.sets[rows]) for rows in (train_rows, val_rows))
        folder = self.folder / f"{settings.kind}-{_safe(encoder)}" / str(settings.seed)
        vectors = start_vectors(self._usage, known, settings.rank)
        head = new_head(settings, examples.features.shape[-1], vectors, train_set.sets.mean(axis=0))
        train(HeadTask(head, train_set, val_set), TrainingSettings.of(settings, len(train_rows)), folder)
        return head.eval()

    @cached_property
    def _usage(self) -> Floats:
        return usage_vectors(ingredient_sets(self.texts, len(self.vocabulary)))

    def _train(self, task: DecoderTask, settings: DecoderSettings, folder: Path) -> None:
        loop_settings = TrainingSettings.of(settings, task.n_examples)
        history = train(task, loop_settings, folder, Progress(epoch=self._report_epoch))
        save_weights(task.decoder, folder / "decoder.safetensors", {"minutes": _minutes(history)})

    def _report_epoch(self, epoch: Epoch) -> None:
        self.report(f"shard {epoch.epoch}: loss {epoch.loss:.3f}, val {epoch.val:.3f}, {epoch.seconds:.0f} s")


@dataclass(frozen=True, eq=False)
class IngredientPredictor:
    """Heads whose mean probability says what is in a photo."""

    heads: tuple[nn.Module, ...]
    mean: Floats
    spread: Floats
    known: Ids  # canonical ids
    selection: Selection

    def probabilities(self, summary: Floats) -> Floats:
        """Return [photos, known] for summaries [photos, 2, f]."""
        features = standardised(summary, self.mean, self.spread)
        by_head = np.stack([probabilities(head, features) for head in self.heads])
        return np.asarray(by_head.mean(axis=0), np.float32)

    def sets(self, summary: Floats) -> list[tuple[int, ...]]:
        """Return the canonical ids that are selected for each photo."""
        return [tuple(self.known[self.selection.select(row)].tolist()) for row in self.probabilities(summary)]


def save_weights(network: RecipeDecoder, path: Path, notes: dict[str, object]) -> None:
    """Write a trained decoder."""
    with atomic_path(path) as temporary:
        save_file(
            {name: tensor.detach().clone().contiguous() for name, tensor in network.state_dict().items()},
            temporary,
            metadata={"notes": json.dumps({"shape": asdict(network.shape), **notes})},
        )


def _minutes(history: list[Epoch]) -> float:
    return round(sum(epoch.seconds for epoch in history) / 60, 1)


def _safe(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)
