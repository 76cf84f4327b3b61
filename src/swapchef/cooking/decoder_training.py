"""Training the recipe decoder: first from text recipes with the photo left out, then from the pairs with it.

Batches hold recipes of about the same length, so that hardly any padding is computed, and about the same number of
tokens. The collection is cut into shards and each epoch of the common loop reads one, so that a run that is killed
loses minutes; the loss is teacher-forced cross-entropy, with the ingredients in a new order each time.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from swapchef.cooking.corpus import TrainingRecipe
from swapchef.cooking.recipe_decoder import RecipeDecoder
from swapchef.cooking.tokenizer import PAD, RecipeTokenizer, pad_names
from swapchef.training import Rows

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class DecoderSettings:
    """How the decoder learns; `shards` is how many epochs of the loop read all recipes once."""

    epochs: int = 24
    shards: int = 24
    batch_tokens: int = 3000  # about as many
    batch: int = 1  # such batches in a step
    max_length: int = 320  # tokens that are read of a recipe
    learning_rate: float = 1.2e-3
    weight_decay: float = 1e-5
    warmup: float = 0.05
    patience: int = 100
    photo_share: float = 1.0  # of the recipes are read with their photo, where they have one
    seed: int = 0


@dataclass(frozen=True, eq=False)
class DecoderExample:
    """A recipe's tokens, the tokens of its ingredients' names, and its photo's row, or -1."""

    tokens: npt.NDArray[np.int16]
    names: tuple[tuple[int, ...], ...]
    photo: int = -1


def decoder_examples(
    recipes: Iterable[TrainingRecipe],
    tokenizer: RecipeTokenizer,
    names: Sequence[str],
    max_length: int,
    photos: Sequence[int] | None = None,
) -> list[DecoderExample]:
    """Turn recipes into examples; `photos` are the rows of their photos."""
    name_tokens: dict[int, tuple[int, ...]] = {}
    examples = []
    for number, recipe in enumerate(recipes):
        for id in recipe.ingredients:
            if id not in name_tokens:
                name_tokens[id] = tuple(tokenizer.encode_name(names[id]))
        tokens = np.array(tokenizer.encode(recipe.title, recipe.steps)[: max_length + 1], np.int16)
        ingredients = tuple(name_tokens[id] for id in recipe.ingredients)
        examples.append(DecoderExample(tokens, ingredients, photos[number] if photos else -1))
    return examples


def batches_of(examples: Sequence[DecoderExample], batch_tokens: int, seed: int) -> list[Ids]:
    """Group examples of like length into batches of about as many tokens, in a random order."""
    random = np.random.default_rng(seed)
    lengths = np.array([len(example.tokens) for example in examples])
    order = np.lexsort((random.random(len(examples)), lengths))
    batches: list[Ids] = []
    start = 0
    while start < len(order):
        size = max(1, batch_tokens // int(lengths[order[min(start + 8, len(order) - 1)]]))
        batches.append(order[start : start + size])
        start += size
    random.shuffle(batches)
    return batches


class DecoderTask(nn.Module):
    """Trains the decoder; `photos` [photos, views, p, d] are an encoder's features."""

    def __init__(
        self,
        settings: DecoderSettings,
        decoder: RecipeDecoder,
        train: Sequence[DecoderExample],
        val: Sequence[DecoderExample],
        photos: npt.NDArray[np.float16] | None = None,
    ) -> None:
        super().__init__()
        self.settings, self.decoder, self.photos = settings, decoder, photos
        self.examples, self.val = train, val
        self.batches = batches_of(train, settings.batch_tokens, settings.seed)
        self.n_examples = max(1, len(self.batches) // settings.shards)

    @property
    def network(self) -> nn.Module:
        """The loop trains this task, whose parameters are the decoder's."""
        return self

    def validate(self) -> float:
        """Return the mean log likelihood of a token of val; larger is better."""
        return -math.log(perplexity(self.decoder, self.val, self.photos))

    def forward(self, rows: Rows, _batch: Rows, seed: tuple[int, int, int]) -> Tensor:
        """Return the loss of some batches of the epoch's shard."""
        shard = seed[1] % self.settings.shards
        examples = [self.examples[index] for row in rows for index in self.batches[shard * self.n_examples + row]]
        random = np.random.default_rng(seed)
        return _loss(
            self.decoder, *_collate(examples, self.photos, self.decoder, self.settings.photo_share, random)
        ).mean()


def _collate(
    examples: Sequence[DecoderExample],
    photos: npt.NDArray[np.float16] | None,
    decoder: RecipeDecoder,
    photo_share: float,
    random: np.random.Generator | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Pad examples into one batch; with a random generator, ingredients are shuffled and photos mirrored or dropped."""
    tokens = np.full((len(examples), max(len(example.tokens) for example in examples)), PAD, np.int64)
    names_of_examples = [list(example.names) for example in examples]
    for row, (example, names) in enumerate(zip(examples, names_of_examples, strict=True)):
        tokens[row, : len(example.tokens)] = example.tokens
        if random is not None:
            random.shuffle(names)
    name_tokens, name_positions = pad_names(names_of_examples)
    has_photo = np.array([example.photo >= 0 and photos is not None for example in examples])
    parts = np.zeros((len(examples), 1, decoder.shape.photo_width), np.float32)
    if photos is not None and has_photo.any():
        if random is not None:
            has_photo &= random.random(len(examples)) < photo_share
        views = np.zeros(len(examples), int) if random is None else random.integers(photos.shape[1], size=len(examples))
        parts = photos[np.maximum([example.photo for example in examples], 0), views].astype(np.float32)
    tensor = torch.from_numpy
    return tensor(tokens), tensor(name_tokens), tensor(name_positions), tensor(parts), tensor(has_photo)


def _loss(
    decoder: RecipeDecoder, tokens: Tensor, names: Tensor, name_positions: Tensor, parts: Tensor, has_photo: Tensor
) -> Tensor:
    """Return the loss of every token that is no padding: [tokens]."""
    with torch.autocast("cpu", torch.bfloat16, enabled=decoder.training):
        logits = decoder(tokens[:, :-1], names, name_positions, parts, has_photo)
    targets = tokens[:, 1:]
    is_token = targets != PAD
    return functional.cross_entropy(logits[is_token].float(), targets[is_token], reduction="none")


def perplexity(
    decoder: RecipeDecoder, examples: Sequence[DecoderExample], photos: npt.NDArray[np.float16] | None = None
) -> float:
    """Return the perplexity of a token, over all tokens of all examples."""
    total, count = 0.0, 0
    order = sorted(range(len(examples)), key=lambda row: len(examples[row].tokens))
    was_training = decoder.training
    decoder.eval()
    with torch.no_grad():
        for start in range(0, len(order), 16):
            batch = [examples[row] for row in order[start : start + 16]]
            losses = _loss(decoder, *_collate(batch, photos, decoder, 1.0, None))
            total, count = total + float(losses.sum()), count + len(losses)
    decoder.train(was_training)
    return math.exp(total / max(count, 1))
