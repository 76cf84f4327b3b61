"""The networks of inverse cooking as they are served: ONNX sessions, no torch, every file checked by its SHA-256."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from swapchef.bundles import verify_bundle
from swapchef.cooking.images import Pixels, square
from swapchef.cooking.metrics import Choice
from swapchef.cooking.text import RecipeText, Written
from swapchef.cooking.writing import Floats, Ids, Kept, Manner, Wanted, write, write_drafts
from swapchef.errors import DataError, SwapchefError

_FILES = ("encoder.onnx", "head.onnx", "remember.onnx", "step.onnx", "config.json")


@dataclass(frozen=True, eq=False)
class Sight:
    """What the networks see in a photo."""

    parts: Floats  # [p, d]
    probabilities: Floats  # [known]


class PhotoBundle:
    """Encoder, head, decoder and word pieces."""

    def __init__(self, folder: Path) -> None:
        verify_bundle(folder, _FILES)
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            self.known: tuple[str, ...] = tuple(config["known"])
            self.choice = Choice(**config["choice"])
            self.side, self.photo_width = int(config["side"]), int(config["photo_width"])
            self.text = RecipeText.restore(config["text"])
            self._decoder = _Decoder(folder, config["decoder"])
        except (KeyError, TypeError, ValueError):
            raise DataError("The photo bundle is damaged; reinstall swapchef.") from None
        self._encoder, self._head = _session(folder / "encoder.onnx"), _session(folder / "head.onnx")

    @classmethod
    def load(cls) -> "PhotoBundle":
        """Load the bundle that swapchef ships."""
        return cls(Path(str(files("swapchef") / "cooking" / "bundle")))

    def see(self, pixels: Pixels) -> Sight:
        """Look at a photo and at its mirror image."""
        squares = np.stack([square(pixels, self.side, mirrored) for mirrored in (False, True)])
        parts, summary = self._encoder.run(None, {"squares": squares})
        (probabilities,) = self._head.run(None, {"summary": summary})
        return Sight(parts[0], probabilities.mean(axis=0))

    def write(self, wanted: list[Wanted], manner: Manner | None = None) -> list[Written]:
        """Write a recipe for each wish."""
        return write(self._decoder, self.text, wanted, self.photo_width, manner)

    def drafts(self, wanted: list[Wanted], counts: Sequence[int]) -> list[list[Written]]:
        """Write as many recipes as counted for each wish, the likeliest first."""
        return write_drafts(self._decoder, self.text, wanted, self.photo_width, counts)


class _Decoder:
    """The decoder as a `Network`."""

    def __init__(self, folder: Path, shape: dict[str, Any]) -> None:
        self.longest, self.layers, self.heads = int(shape["longest"]), int(shape["layers"]), int(shape["heads"])
        self.width = int(shape["width"]) // self.heads
        self._remember, self._step = _session(folder / "remember.onnx"), _session(folder / "step.onnx")

    def remember(
        self, names: Ids, places: Ids, parts: Floats, has_photo: npt.NDArray[np.bool_]
    ) -> tuple[Kept, npt.NDArray[np.bool_]]:
        keys, values, mask = self._remember.run(
            None, {"names": names, "places": places, "parts": parts, "has_photo": has_photo}
        )
        return (keys, values), mask

    def step(self, piece: Ids, past: Kept, memory: Kept, mask: npt.NDArray[np.bool_]) -> tuple[Floats, Kept]:
        inputs = {
            "piece": piece,
            "past_keys": past[0],
            "past_values": past[1],
            "memory_keys": memory[0],
            "memory_values": memory[1],
            "mask": mask,
        }
        scores, keys, values = self._step.run(None, inputs)
        return scores, (keys, values)


def _session(path: Path) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise SwapchefError("Recipes from photos need onnxruntime; install swapchef[photo] and try again.") from None
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
