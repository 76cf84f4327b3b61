"""Teaching the recipe decoder: first from text recipes with the photo left out, then from the pairs with it.

Batches hold recipes of about the same length, so that hardly any padding is computed, and about the same number of pieces. The
collection is cut into parts and each of the common loop's epochs reads one, so a run that is killed loses minutes; the loss is
teacher-forced cross-entropy, with the ingredients in a new order each time because a set has none.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from swapchef.cooking.corpus import CookedRecipe
from swapchef.cooking.recipe_decoder import RecipeDecoder
from swapchef.cooking.text import PAD, RecipeText, side_by_side
from swapchef.training import Rows

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class DecoderSettings:
    """How the decoder learns; `parts` is how many epochs of the loop make one reading of all recipes."""

    epochs: int = 24
    parts: int = 24
    pieces: int = 3000  # in a batch, about
    batch: int = 1  # such batches in a step
    longest: int = 320  # pieces that are read of a recipe
    learning_rate: float = 1.2e-3
    weight_decay: float = 1e-5
    warmup: float = 0.05
    patience: int = 100
    photo_kept: float = 1.0  # share of the recipes that are read with their photo, where they have one
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Lesson:
    """A recipe in pieces, the pieces of its ingredients' names, and its photo's row, or -1."""

    pieces: npt.NDArray[np.int16]
    names: tuple[tuple[int, ...], ...]
    photo: int = -1


def lessons(
    recipes: Iterable[CookedRecipe],
    text: RecipeText,
    names: Sequence[str],
    longest: int,
    photos: Sequence[int] | None = None,
) -> list[Lesson]:
    """Turn recipes into lessons; `photos` are the rows of their photos."""
    pieces_of = {}
    made = []
    for number, recipe in enumerate(recipes):
        for id in recipe.ingredients:
            if id not in pieces_of:
                pieces_of[id] = tuple(text.name_pieces(names[id]))
        pieces = np.array(text.pieces_of(recipe.title, recipe.steps)[: longest + 1], np.int16)
        made.append(Lesson(pieces, tuple(pieces_of[id] for id in recipe.ingredients), photos[number] if photos else -1))
    return made


def batches_of(lessons: Sequence[Lesson], pieces: int, seed: int) -> list[Ids]:
    """Group lessons of like length into batches of about as many pieces, in a random order."""
    random = np.random.default_rng(seed)
    lengths = np.array([len(lesson.pieces) for lesson in lessons])
    order = np.lexsort((random.random(len(lessons)), lengths))
    batches: list[Ids] = []
    start = 0
    while start < len(order):
        size = max(1, pieces // int(lengths[order[min(start + 8, len(order) - 1)]]))
        batches.append(order[start : start + size])
        start += size
    random.shuffle(batches)
    return batches


class DecoderTask(nn.Module):
    """Trains the decoder; `photos` [photos, views, p, d] are what an encoder saw."""

    def __init__(
        self,
        settings: DecoderSettings,
        decoder: RecipeDecoder,
        learn: Sequence[Lesson],
        val: Sequence[Lesson],
        photos: npt.NDArray[np.float16] | None = None,
    ) -> None:
        super().__init__()
        self.settings, self.decoder, self.photos = settings, decoder, photos
        self.lessons, self.val = learn, val
        self.batches = batches_of(learn, settings.pieces, settings.seed)
        self.n_examples = max(1, len(self.batches) // settings.parts)

    @property
    def network(self) -> nn.Module:
        """The loop trains this task, whose parameters are the decoder's."""
        return self

    def validate(self) -> float:
        """Return the mean log likelihood of a piece of val, which is the larger the better."""
        return -math.log(perplexity(self.decoder, self.val, self.photos))

    def forward(self, rows: Rows, _batch: Rows, seed: tuple[int, int, int]) -> Tensor:
        """Return the loss of some batches of the epoch's part."""
        part = seed[1] % self.settings.parts
        chosen = [self.lessons[lesson] for row in rows for lesson in self.batches[part * self.n_examples + row]]
        laid_out = _laid_out(chosen, self.photos, self.decoder, self.settings.photo_kept, np.random.default_rng(seed))
        return _loss(self.decoder, *laid_out).mean()


def _laid_out(
    chosen: Sequence[Lesson],
    photos: npt.NDArray[np.float16] | None,
    decoder: RecipeDecoder,
    photo_kept: float,
    random: np.random.Generator | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Lay lessons out side by side; with a random generator, ingredients are shuffled and photos mirrored or left out."""
    pieces = np.full((len(chosen), max(len(lesson.pieces) for lesson in chosen)), PAD, np.int64)
    listed = [list(lesson.names) for lesson in chosen]
    for row, (lesson, names) in enumerate(zip(chosen, listed, strict=True)):
        pieces[row, : len(lesson.pieces)] = lesson.pieces
        if random is not None:
            random.shuffle(names)
    words, places = side_by_side(listed)
    has_photo = np.array([lesson.photo >= 0 and photos is not None for lesson in chosen])
    parts = np.zeros((len(chosen), 1, decoder.shape.photo_width), np.float32)
    if photos is not None and has_photo.any():
        if random is not None:
            has_photo &= random.random(len(chosen)) < photo_kept
        views = np.zeros(len(chosen), int) if random is None else random.integers(photos.shape[1], size=len(chosen))
        parts = photos[np.maximum([lesson.photo for lesson in chosen], 0), views].astype(np.float32)
    as_tensor = torch.from_numpy
    return as_tensor(pieces), as_tensor(words), as_tensor(places), as_tensor(parts), as_tensor(has_photo)


def _loss(
    decoder: RecipeDecoder, pieces: Tensor, names: Tensor, places: Tensor, parts: Tensor, has_photo: Tensor
) -> Tensor:
    """Return the loss of every piece that there is: [pieces]."""
    with torch.autocast("cpu", torch.bfloat16, enabled=decoder.training):
        scores = decoder(pieces[:, :-1], names, places, parts, has_photo)
    wanted = pieces[:, 1:]
    there = wanted != PAD
    return functional.cross_entropy(scores[there].float(), wanted[there], reduction="none")


def perplexity(
    decoder: RecipeDecoder, lessons: Sequence[Lesson], photos: npt.NDArray[np.float16] | None = None
) -> float:
    """Return the perplexity of a piece, over all pieces of all lessons."""
    total, count = 0.0, 0
    order = sorted(range(len(lessons)), key=lambda row: len(lessons[row].pieces))
    was_training = decoder.training
    decoder.eval()
    with torch.no_grad():
        for start in range(0, len(order), 16):
            chosen = [lessons[row] for row in order[start : start + 16]]
            losses = _loss(decoder, *_laid_out(chosen, photos, decoder, 1.0, None))
            total, count = total + float(losses.sum()), count + len(losses)
    decoder.train(was_training)
    return math.exp(total / max(count, 1))
