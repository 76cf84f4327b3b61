"""The networks of inverse cooking as they are served: ONNX sessions, no torch, every file checked by its SHA-256."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from swapchef.bundles import verify_bundle
from swapchef.cooking.generation import (
    Floats,
    GenerationSettings,
    Ids,
    KVCache,
    Mask,
    Prompt,
    generate,
    generate_drafts,
)
from swapchef.cooking.images import Pixels, square
from swapchef.cooking.metrics import Selection
from swapchef.cooking.tokenizer import GeneratedRecipe, RecipeTokenizer
from swapchef.errors import DataError, SwapchefError

_FILES = ("encoder.onnx", "head.onnx", "prefill.onnx", "step.onnx", "config.json")


@dataclass(frozen=True, eq=False)
class EncodedPhoto:
    """A photo's features, and the probability of each known ingredient."""

    parts: Floats  # [p, d]
    probabilities: Floats  # [known]


class PhotoBundle:
    """Encoder, head, decoder and tokenizer."""

    def __init__(self, folder: Path) -> None:
        verify_bundle(folder, _FILES)
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            self.known: tuple[str, ...] = tuple(config["known"])
            self.selection = Selection(**config["selection"])
            self.side, self.photo_width = int(config["side"]), int(config["photo_width"])
            self.tokenizer = RecipeTokenizer.from_dict(config["tokenizer"])
            self._decoder = _OnnxDecoder(folder, config["decoder"])
        except (KeyError, TypeError, ValueError):
            raise DataError("The photo bundle is damaged; reinstall swapchef.") from None
        self._encoder, self._head = _session(folder / "encoder.onnx"), _session(folder / "head.onnx")

    @classmethod
    def load(cls) -> "PhotoBundle":
        """Load the bundle that swapchef ships."""
        return cls(Path(str(files("swapchef") / "cooking" / "bundle")))

    def encode(self, pixels: Pixels) -> EncodedPhoto:
        """Encode a photo; probabilities are the mean over it and its mirror image."""
        squares = np.stack([square(pixels, self.side, mirrored) for mirrored in (False, True)])
        parts, summary = self._encoder.run(None, {"squares": squares})
        (probabilities,) = self._head.run(None, {"summary": summary})
        return EncodedPhoto(parts[0], probabilities.mean(axis=0))

    def generate(self, prompts: list[Prompt], settings: GenerationSettings | None = None) -> list[GeneratedRecipe]:
        """Write a recipe for each prompt."""
        return generate(self._decoder, self.tokenizer, prompts, self.photo_width, settings)

    def drafts(self, prompts: list[Prompt], counts: Sequence[int]) -> list[list[GeneratedRecipe]]:
        """Write `counts` recipes for each prompt, the likeliest first."""
        return generate_drafts(self._decoder, self.tokenizer, prompts, self.photo_width, counts)


class _OnnxDecoder:
    """The decoder as a `Network`.

    Inputs go by their names in the graphs that are shipped: "places" are positions in a name, "piece" is a token.
    """

    def __init__(self, folder: Path, shape: dict[str, Any]) -> None:
        self.max_length, self.layers, self.heads = int(shape["max_length"]), int(shape["layers"]), int(shape["heads"])
        self.head_width = int(shape["width"]) // self.heads
        self._prefill, self._step = _session(folder / "prefill.onnx"), _session(folder / "step.onnx")

    def prefill(self, names: Ids, name_positions: Ids, parts: Floats, has_photo: Mask) -> tuple[KVCache, Mask]:
        inputs = {"names": names, "places": name_positions, "parts": parts, "has_photo": has_photo}
        keys, values, mask = self._prefill.run(None, inputs)
        return (keys, values), mask

    def step(self, tokens: Ids, past: KVCache, memory: KVCache, mask: Mask) -> tuple[Floats, KVCache]:
        inputs = {
            "piece": tokens,
            "past_keys": past[0],
            "past_values": past[1],
            "memory_keys": memory[0],
            "memory_values": memory[1],
            "mask": mask,
        }
        logits, keys, values = self._step.run(None, inputs)
        return logits, (keys, values)


def _session(path: Path) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise SwapchefError("Recipes from photos need onnxruntime; install swapchef[photo] and try again.") from None
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
