"""The trainings of inverse cooking in their order, each in a folder of its own that a later one and the tables read.

Word pieces come first, then the decoder from text recipes, then the decoder from pairs for one encoder, and the head that names
ingredients for one encoder. A training that was interrupted goes on where it stopped; a finished one is read back.
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

from swapchef.cooking.corpus import CookedRecipe, Pairs, Split, ingredient_sets, read_pairs, read_texts
from swapchef.cooking.decoder_training import DecoderSettings, DecoderTask, Lesson, lessons
from swapchef.cooking.encoders import PhotoFeatures, photo_features
from swapchef.cooking.ingredients import (
    Examples,
    HeadSettings,
    HeadTask,
    Kind,
    best_choice,
    new_head,
    probabilities,
    standardised,
    start_vectors,
)
from swapchef.cooking.metrics import Choice
from swapchef.cooking.recipe_decoder import DecoderShape, RecipeDecoder
from swapchef.cooking.text import RecipeText
from swapchef.foods.matching import Vocabulary
from swapchef.rankers.knowledge import usage_vectors
from swapchef.sources import atomic_path
from swapchef.training import Epoch, Progress, TrainingSettings, train

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]
PIECES = 4096
HEADS = 4
_VAL_PART = 2  # every second recipe of val is enough to watch the decoder learn

HEAD_SETTINGS: dict[Kind, HeadSettings] = {
    "feed-forward": HeadSettings(),
    "set-transformer": HeadSettings("set-transformer", dropout=0.2, epochs=40),
}
PRETRAINING = DecoderSettings()
FINE_TUNING = DecoderSettings(epochs=5, parts=1, learning_rate=3e-4, warmup=0.1, patience=2, photo_kept=0.8)


class School:
    """Where everything that inverse cooking learns from and has learned is found."""

    def __init__(self, folder: Path, tell: Callable[[str], None] = lambda _: None) -> None:
        self.folder, self.tell = folder, tell
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
    def texts(self) -> list[CookedRecipe]:
        """Recipes without photos, none of them of val or test."""
        return read_texts(self.pairs, self.vocabulary)

    @cached_property
    def text(self) -> RecipeText:
        """The word pieces, learned once."""
        path = self.folder / "text.json"
        if not path.is_file():
            self.tell(f"learning {PIECES} word pieces")
            steps = [step for recipe in self.texts for step in recipe.steps]
            made = RecipeText.learn([recipe.title for recipe in self.texts], steps, PIECES)
            with atomic_path(path) as temporary:
                temporary.write_text(json.dumps(made.stored()), encoding="utf-8")
        return RecipeText.restore(json.loads(path.read_text(encoding="utf-8")))

    def features(self, encoder: str) -> PhotoFeatures:
        """What an encoder sees in the photos; asked for often, and even finding it in the cache takes seconds."""
        if encoder not in self._features:
            self._features[encoder] = photo_features(encoder, self.pairs.photos)
        return self._features[encoder]

    def lessons(self, split: Split, ingredients: dict[int, tuple[int, ...]] | None = None) -> list[Lesson]:
        """The pairs of a split as lessons; `ingredients` by row takes the place of the recipe's own."""
        rows = self.pairs.rows(split)
        recipes = [self.pairs.recipes[row] for row in rows]
        if ingredients is not None:
            recipes = [replace(recipe, ingredients=ingredients[row]) for row, recipe in zip(rows, recipes, strict=True)]
        return lessons(recipes, self.text, self.vocabulary.names, PRETRAINING.longest, rows)

    def pretrained(self, photo_width: int) -> RecipeDecoder:
        """The decoder that has read the text recipes; its door for photos is new."""
        torch.manual_seed(PRETRAINING.seed)
        decoder = RecipeDecoder(DecoderShape(len(self.text), 1))
        folder = self.folder / "pretrained"
        if not (folder / "decoder.safetensors").is_file():
            made = lessons(self.texts, self.text, self.vocabulary.names, PRETRAINING.longest)
            self._train(DecoderTask(PRETRAINING, decoder, made, self.lessons("val")[::_VAL_PART]), PRETRAINING, folder)
        stored = load_file(folder / "decoder.safetensors")
        torch.manual_seed(FINE_TUNING.seed)
        whole = RecipeDecoder(DecoderShape(len(self.text), photo_width))
        own = {name: tensor for name, tensor in whole.state_dict().items() if name.startswith("from_photo.")}
        whole.load_state_dict({**stored, **own})
        return whole

    def fine_tuned(self, encoder: str, weight_decay: float = FINE_TUNING.weight_decay) -> RecipeDecoder:
        """The decoder that has read the pairs as well, as this encoder sees them."""
        features = self.features(encoder)
        decoder = RecipeDecoder(DecoderShape(len(self.text), features.parts.shape[-1], dropout=0.1))
        settings = replace(FINE_TUNING, weight_decay=weight_decay)
        other = "" if settings == FINE_TUNING else f"-weight-decay-{weight_decay:g}"
        folder = self.folder / f"decoder-{_safe(encoder)}{other}"
        if not (folder / "decoder.safetensors").is_file():
            decoder.load_state_dict(self.pretrained(features.parts.shape[-1]).state_dict())
            task = DecoderTask(settings, decoder, self.lessons("train"), self.lessons("val"), features.parts)
            self._train(task, settings, folder)
        decoder.load_state_dict(load_file(folder / "decoder.safetensors"))
        return decoder.eval()

    def predictor(self, encoder: str, kind: Kind = "feed-forward") -> "Predictor":
        """What names ingredients from this encoder's summaries: several heads, trained alike from different starts."""
        settings = HEAD_SETTINGS[kind]
        summary = self.features(encoder).summary
        rows = self.pairs.rows("train")
        seen = summary[rows].reshape(-1, summary.shape[-1])
        mean, spread = seen.mean(axis=0), seen.std(axis=0) + 1e-3
        sets = ingredient_sets(self.pairs.recipes, len(self.vocabulary)).toarray()
        known = np.flatnonzero(sets[rows].sum(axis=0) > 0)
        examples = Examples(standardised(summary, mean, spread), sets[:, known])
        heads = [self._head(replace(settings, seed=seed), encoder, examples, known) for seed in range(HEADS)]
        made = Predictor(tuple(heads), mean, spread, known, Choice(0.0, 0, len(known)))
        val = self.pairs.rows("val")
        missed = int(sets[val].sum() - sets[val][:, known].sum())
        choice = best_choice(made.probabilities(summary[val]), sets[val][:, known], missed)
        return replace(made, choice=choice)

    def _head(self, settings: HeadSettings, encoder: str, examples: Examples, known: Ids) -> nn.Module:
        train_rows, val_rows = self.pairs.rows("train"), self.pairs.rows("val")
        learn, judge = (Examples(examples.features[rows], examples.sets[rows]) for rows in (train_rows, val_rows))
        folder = self.folder / f"{settings.kind}-{_safe(encoder)}" / str(settings.seed)
        vectors = start_vectors(self._usage, known, settings.rank)
        head = new_head(settings, examples.features.shape[-1], vectors, learn.sets.mean(axis=0))
        train(HeadTask(head, learn, judge), TrainingSettings.of(settings, len(train_rows)), folder)
        return head.eval()

    @cached_property
    def _usage(self) -> Floats:
        return usage_vectors(ingredient_sets(self.texts, len(self.vocabulary)))

    def _train(self, task: DecoderTask, settings: DecoderSettings, folder: Path) -> None:
        how = TrainingSettings.of(settings, task.n_examples)
        history = train(task, how, folder, Progress(epoch=self._tell_epoch))
        keep_weights(task.decoder, folder / "decoder.safetensors", {"minutes": _minutes(history)})

    def _tell_epoch(self, epoch: Epoch) -> None:
        self.tell(f"part {epoch.epoch}: loss {epoch.loss:.3f}, val {epoch.val:.3f}, {epoch.seconds:.0f} s")


@dataclass(frozen=True, eq=False)
class Predictor:
    """Heads that agree on what is in a photo."""

    heads: tuple[nn.Module, ...]
    mean: Floats
    spread: Floats
    known: Ids  # canonical ids
    choice: Choice

    def probabilities(self, summary: Floats) -> Floats:
        """Return [photos, known] for summaries [photos, 2, f]."""
        features = standardised(summary, self.mean, self.spread)
        said = np.stack([probabilities(head, features) for head in self.heads])
        return np.asarray(said.mean(axis=0), np.float32)

    def sets(self, summary: Floats) -> list[tuple[int, ...]]:
        """Return the canonical ids that each photo is said to show."""
        return [tuple(self.known[self.choice.picked(row)].tolist()) for row in self.probabilities(summary)]


def keep_weights(network: RecipeDecoder, path: Path, notes: dict[str, object]) -> None:
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
