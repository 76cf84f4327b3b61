"""A tiny kitchen that cooks from coloured squares: red photos are tomato soup, green ones are pesto."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from swapchef.cooking.corpus import TrainingRecipe
from swapchef.cooking.encoders import Encoder, ImageFeatures
from swapchef.cooking.export import Heads, write_bundle
from swapchef.cooking.ingredients import FeedForwardHead, HeadSettings
from swapchef.cooking.recipe_decoder import DecoderShape, RecipeDecoder
from swapchef.cooking.tokenizer import RecipeTokenizer

NAMES = ["tomato", "basil", "garlic", "olive oil", "salt", "butter"]
RED, GREEN = (220, 30, 30), (30, 200, 40)
RECIPES = [
    TrainingRecipe(
        "Tomato soup", ("Chop the tomato and garlic.", "Simmer with salt for 20 minutes, then serve."), (0, 2, 4)
    ),
    TrainingRecipe("Pesto", ("Pound the basil, garlic and salt.", "Stir in olive oil until smooth."), (1, 2, 3, 4)),
    TrainingRecipe(
        "Garlic butter", ("Crush the garlic with salt.", "Beat it into butter at 350 degrees F."), (2, 4, 5)
    ),
]


def small_tokenizer(size: int = 320) -> RecipeTokenizer:
    steps = [step for recipe in RECIPES for step in recipe.steps]
    return RecipeTokenizer.train([recipe.title for recipe in RECIPES], steps * 3, size)


def small_decoder(tokenizer: RecipeTokenizer, photo_width: int = 3, **shape: int) -> RecipeDecoder:
    torch.manual_seed(0)
    sizes = {"width": 32, "layers": 2, "heads": 2, "feed_forward_width": 48, "max_length": 64, **shape}
    return RecipeDecoder(DecoderShape(len(tokenizer), photo_width, **sizes)).eval()


class MeanColour(nn.Module):
    """Features that are nothing but the colour of each part of a photo."""

    def forward(self, images: Tensor) -> ImageFeatures:
        parts = images.reshape(len(images), 3, 3, images.shape[2] // 3, -1).mean(dim=(3, 4)).permute(0, 2, 1)
        return ImageFeatures(parts, images.mean(dim=(2, 3)))


def colour_encoder() -> Encoder:
    network = MeanColour()
    return Encoder(network, network, 24, ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)), "none")


def colour_head() -> Heads:
    """Red means tomato, garlic and salt; green means basil, garlic, olive oil and salt."""
    head = FeedForwardHead(HeadSettings(dropout=0.0), 3, np.zeros((6, 8), np.float32), np.full(6, 0.05, np.float32))
    weights = torch.tensor(
        [[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.3, 0.3, 0.0], [-1.0, 1.0, 0.0], [0.3, 0.3, 0.0], [0.0, 0.0, -1.0]]
    )
    head.layers = nn.Linear(3, 3, bias=False)
    head.layers.weight = nn.Parameter(torch.eye(3) * 4)
    head.vectors = nn.Parameter(weights)
    head.prior = nn.Parameter(torch.tensor([0.0, 0.0, 2.0, 0.0, 2.0, -9.0]))
    return Heads([head], torch.zeros(3), torch.ones(3))


def write_small_bundle(
    folder: Path, decoder: RecipeDecoder | None = None, tokenizer: RecipeTokenizer | None = None
) -> None:
    tokenizer = tokenizer or small_tokenizer()
    decoder = decoder or small_decoder(tokenizer)
    shape = decoder.shape
    config = {
        "known": NAMES,
        "selection": {"threshold": 0.5, "min_count": 3, "max_count": 20},
        "side": 24,
        "photo_width": 3,
        "tokenizer": tokenizer.as_dict(),
        "decoder": {"max_length": shape.max_length, "layers": shape.layers, "heads": shape.heads, "width": shape.width},
    }
    write_bundle(folder, colour_encoder(), colour_head(), decoder, config, {"swapchef": "test"})


def coloured(colour: Sequence[int], size: tuple[int, int] = (60, 40)) -> np.ndarray:
    return np.full((*size, 3), colour, np.uint8)


def data_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, pairs: Sequence[object], texts: Sequence[object]
) -> Path:
    """Write pairs and texts as the real data holds them, and let swapchef find them; return where photos go."""
    monkeypatch.setenv("SWAPCHEF_DATA", str(folder / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    images, recipes = folder / "data" / "images", folder / "data" / "recipes"
    images.mkdir(parents=True)
    recipes.mkdir()
    (images / "records.jsonl").write_text("\n".join(map(json.dumps, pairs)))
    with gzip.open(recipes / "recipes.jsonl.gz", "wt") as file:
        file.write("\n".join(map(json.dumps, texts)))
    return images
