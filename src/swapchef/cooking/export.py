"""From trained networks to the photo bundle: four ONNX graphs, the tokenizer, and a manifest with each file's hash.

Matrices are stored in eight bits and other weights in half precision, and converted to single precision when a session
is made, so the bundle is a quarter to a half as large and runs as fast as before. What is exported is checked against
torch before the manifest is written.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from swapchef.cooking.encoders import Encoder
from swapchef.cooking.recipe_decoder import DecodeStep, Prefill, RecipeDecoder
from swapchef.errors import SwapchefError
from swapchef.sources import atomic_path, sha256_of

Floats = npt.NDArray[np.float32]
GRAPHS = ("encoder.onnx", "head.onnx", "prefill.onnx", "step.onnx")
_OPSET = 18
_TOLERANCE = 0.05  # by which rounding may change a value, as a share of the largest
_MIN_COMPRESSED = 256  # values; smaller tensors stay as they are


class Heads(nn.Module):
    """Standardises a photo's summary and averages the probabilities of several heads."""

    mean: Tensor
    spread: Tensor

    def __init__(self, heads: Sequence[nn.Module], mean: Tensor, spread: Tensor) -> None:
        super().__init__()
        self.heads = nn.ModuleList(heads)
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)

    def forward(self, summary: Tensor) -> Tensor:
        """Return probabilities [b, known]."""
        features = (summary - self.mean) / self.spread
        return torch.stack([torch.sigmoid(head(features)) for head in self.heads]).mean(dim=0)


def write_bundle(
    folder: Path,
    encoder: Encoder,
    heads: Heads,
    decoder: RecipeDecoder,
    config: Mapping[str, Any],
    manifest: Mapping[str, Any],
) -> None:
    """Write the bundle; `config` is for serving, `manifest` for people."""
    folder.mkdir(parents=True, exist_ok=True)
    squares = torch.randint(256, (2, encoder.side, encoder.side, 3), dtype=torch.uint8)
    with torch.no_grad():
        parts, summary = encoder(squares)
    _export(folder / "encoder.onnx", encoder, {"squares": squares}, ["parts", "summary"], {"squares": {0: "photos"}})
    _export(folder / "head.onnx", heads, {"summary": summary}, ["probabilities"], {"summary": {0: "photos"}})
    _export_decoder(folder, decoder.eval(), parts)
    with atomic_path(folder / "config.json") as temporary:
        temporary.write_text(json.dumps(config, ensure_ascii=False) + "\n", encoding="utf-8")
    with_hashes = {**manifest, "sha256": {name: sha256_of(folder / name) for name in (*GRAPHS, "config.json")}}
    with atomic_path(folder / "manifest.json") as temporary:
        temporary.write_text(json.dumps(with_hashes, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _export_decoder(folder: Path, decoder: RecipeDecoder, parts: Tensor) -> None:
    """Export both parts of the decoder; inputs are named as `photo_bundle` passes them."""
    names = torch.randint(5, decoder.shape.vocabulary, (2, 7))
    inputs = {
        "names": names,
        "places": torch.zeros_like(names),
        "parts": parts,
        "has_photo": torch.tensor([True, False]),
    }
    rows, words = "recipes", "words"
    sizes: dict[str, dict[int, str]] = {
        "names": {0: rows, 1: words},
        "places": {0: rows, 1: words},
        "parts": {0: rows, 1: "parts"},
        "has_photo": {0: rows},
    }
    prefill = Prefill(decoder)
    _export(folder / "prefill.onnx", prefill, inputs, ["memory_keys", "memory_values", "mask"], sizes)
    with torch.no_grad():
        keys, values, mask = prefill(*inputs.values())
    width = decoder.shape.width // decoder.shape.heads
    past = torch.randn(decoder.shape.layers, 2, decoder.shape.heads, 3, width)
    step_inputs = {
        "piece": names[:, 0],
        "past_keys": past,
        "past_values": past.flip(3),
        "memory_keys": keys,
        "memory_values": values,
        "mask": mask,
    }
    memory = {1: rows, 3: "memory"}
    sizes = {
        "piece": {0: rows}, "past_keys": {1: rows, 3: "past"}, "past_values": {1: rows, 3: "past"},
        "memory_keys": memory, "memory_values": memory, "mask": {0: rows, 3: "memory"},
    }  # fmt: skip
    _export(folder / "step.onnx", DecodeStep(decoder), step_inputs, ["scores", "new_keys", "new_values"], sizes)


def _export(
    path: Path, network: nn.Module, inputs: dict[str, Tensor], outputs: list[str], sizes: dict[str, dict[int, str]]
) -> None:
    """Export one network, compress it, and raise where its outputs are not those of torch."""
    try:
        import onnx
    except ImportError:
        raise SwapchefError("Exporting needs onnx; install swapchef[train] and try again.") from None
    network = network.eval()
    with atomic_path(path) as temporary, torch.no_grad():
        torch.onnx.export(
            network,
            tuple(inputs.values()),
            str(temporary),
            input_names=list(inputs),
            output_names=outputs,
            dynamic_axes={**sizes, **{name: {0: "rows"} for name in outputs}},
            opset_version=_OPSET,
            dynamo=False,
        )
        onnx.save(_compressed(onnx.load(str(temporary))), str(temporary))
        _compare(temporary, network, inputs)


def _compressed(model: Any) -> Any:
    """Store matrices in eight bits and other large weights in half precision; a session converts them once."""
    from onnx import TensorProto, helper, numpy_helper

    graph, nodes = model.graph, []
    for weight in list(graph.initializer):
        values, name = numpy_helper.to_array(weight), weight.name
        if values.dtype != np.float32 or values.size < _MIN_COMPRESSED:
            continue
        if values.ndim == 2:
            whole, scale = in_eight_bits(values)
            weight.CopyFrom(numpy_helper.from_array(whole, f"{name}.whole"))
            graph.initializer.append(numpy_helper.from_array(scale, f"{name}.scale"))
            nodes.append(helper.make_node("Cast", [f"{name}.whole"], [f"{name}.steps"], to=TensorProto.FLOAT))
            nodes.append(helper.make_node("Mul", [f"{name}.steps", f"{name}.scale"], [name]))
        else:
            weight.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
            nodes.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes += graph.node
    del graph.node[:]
    graph.node.extend(nodes)
    return model


def in_eight_bits(values: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Round a matrix to integers of eight bits times a scale for each row or each column, whichever loses less."""
    choices = []
    for axis in (0, 1):
        scale = np.maximum(np.abs(values).max(axis=axis, keepdims=True) / 127, 1e-12).astype(np.float32)
        whole = np.rint(values / scale).astype(np.int8)
        choices.append((float(np.square(whole * scale - values).sum()), whole, scale))
    _, whole, scale = min(choices, key=lambda choice: choice[0])
    return whole, scale


def _compare(path: Path, network: nn.Module, inputs: dict[str, Tensor]) -> None:
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    expected = network(*inputs.values())
    expected = expected if isinstance(expected, tuple) else (expected,)
    exported = session.run(None, {name: tensor.numpy() for name, tensor in inputs.items()})
    for ours, theirs in zip(exported, expected, strict=True):
        scale = max(1.0, float(theirs.float().abs().max()))
        if np.abs(np.asarray(ours, np.float32) - theirs.float().numpy()).max() > _TOLERANCE * scale:
            raise SwapchefError(f"The exported {path.name} does not say what the network says.")
