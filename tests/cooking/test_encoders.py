"""Every encoder gives parts and a summary of the same photo; names that mean nothing are refused in a sentence."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from PIL import Image

from swapchef.cooking.encoders import _torchvision_name, load_encoder, photo_features
from swapchef.errors import SwapchefError
from tests.cooking.kitchen import GREEN, RED, coloured

LIBRARY: Any = transformers
SMALL = {
    "hidden_size": 16,
    "num_hidden_layers": 4,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "image_size": 32,
    "patch_size": 8,
}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small models of each family, in folders as the hub would give them."""
    folder = tmp_path_factory.mktemp("models")
    torch.manual_seed(0)
    LIBRARY.ViTModel(LIBRARY.ViTConfig(**SMALL)).save_pretrained(folder / "vit")
    LIBRARY.CLIPVisionModel(LIBRARY.CLIPVisionConfig(**SMALL)).save_pretrained(folder / "clip")
    sizes = {"embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 1]}
    LIBRARY.ResNetModel(LIBRARY.ResNetConfig(**sizes)).save_pretrained(folder / "resnet")
    LIBRARY.BertModel(
        LIBRARY.BertConfig(
            vocab_size=30, hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8
        )
    ).save_pretrained(folder / "bert")
    return folder


@pytest.mark.parametrize(
    ("name", "parts", "width", "summary"),
    [("vit", 10, 16, 16), ("clip", 10, 16, 16), ("resnet", 9, 16, 16), ("mls:vit", 2, 16, 32), ("mls:clip", 2, 16, 32)],
)
def test_folders_are_encoders(models: Path, name: str, parts: int, width: int, summary: int) -> None:
    layered, _, kind = name.rpartition(":")
    encoder = load_encoder(f"{layered}:{models / kind}" if layered else str(models / kind))
    squares = torch.from_numpy(np.stack([coloured(RED, (encoder.side,) * 2), coloured(GREEN, (encoder.side,) * 2)]))
    with torch.no_grad():
        seen, summed = encoder(squares)
    assert seen.shape == (2, parts, width)
    assert summed.shape == (2, summary)
    assert not any(parameter.requires_grad for parameter in encoder.parameters())
    assert not torch.allclose(summed[0], summed[1])


def test_odd_layers_are_those_that_the_paper_takes(models: Path) -> None:
    encoder = load_encoder(f"mls:{models / 'vit'}")
    squares = torch.from_numpy(coloured(RED, (32, 32)))[None]
    with torch.no_grad():
        parts, _ = encoder(squares)
        colours = (squares.permute(0, 3, 1, 2).float() / 255 - 0.5) / 0.5
        layers = encoder.network(pixel_values=colours, output_hidden_states=True).hidden_states
    torch.testing.assert_close(parts[0], torch.stack([layers[1][0, 0], layers[3][0, 0]]))


def test_the_default_has_real_weights() -> None:
    encoder = load_encoder("efficientnet-lite0")
    with torch.no_grad():
        parts, summary = encoder(torch.from_numpy(coloured(RED, (224, 224)))[None])
    assert parts.shape == (1, 9, 1280)
    assert summary.shape == (1, 1280)
    assert "ImageNet" in encoder.weights


@pytest.mark.parametrize(("name", "parts"), [("new-resnet-50", 9), ("clip-b32", 10), ("mls:vit-b32", 6)])
def test_random_weights_are_said_to_be(name: str, parts: int) -> None:
    encoder = load_encoder(name)
    with torch.no_grad():
        seen, _ = encoder(torch.from_numpy(coloured(RED, (224, 224)))[None])
    assert seen.shape[1] == parts
    assert "never trained" in encoder.weights


@pytest.mark.parametrize("name", ["no-such-model/anywhere", "bert", "mls:resnet", "mls:efficientnet-lite0"])
def test_what_is_no_encoder_is_refused_in_a_sentence(models: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    folder = {"bert": str(models / "bert"), "mls:resnet": f"mls:{models / 'resnet'}"}.get(name, name)
    with pytest.raises(SwapchefError) as error:
        load_encoder(folder)
    assert "\n" not in str(error.value)


def test_names_of_resnet_parameters_are_those_of_torchvision() -> None:
    assert _torchvision_name("embedder.embedder.convolution.weight") == "conv1.weight"
    assert _torchvision_name("embedder.embedder.normalization.bias") == "bn1.bias"
    assert (
        _torchvision_name("encoder.stages.0.layers.2.layer.1.normalization.running_mean") == "layer1.2.bn2.running_mean"
    )
    assert _torchvision_name("encoder.stages.3.layers.0.shortcut.convolution.weight") == "layer4.0.downsample.0.weight"


def test_features_are_computed_once(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    photos = [tmp_path / "red.png", tmp_path / "green.png"]
    for path, colour in zip(photos, (RED, GREEN), strict=True):
        Image.fromarray(coloured(colour)).save(path)
    done: list[int] = []
    first = photo_features(str(models / "vit"), photos, done.append)
    again = photo_features(str(models / "vit"), photos, done.append)
    assert sum(done) == 2
    assert first.parts.shape == (2, 2, 10, 16)
    np.testing.assert_array_equal(first.summary, again.summary)
    Image.fromarray(coloured(GREEN)).save(photos[0])  # another photo under the same name is seen anew
    photo_features(str(models / "vit"), photos, done.append)
    assert sum(done) == 4


def test_several_encoders_look_together(models: Path) -> None:
    vit, clip = str(models / "vit"), str(models / "clip")
    squares = torch.from_numpy(coloured(RED, (32, 32)))[None]
    with torch.no_grad():
        alone = [load_encoder(name)(squares) for name in (vit, clip)]
        parts, summary = load_encoder(f"{vit} + {clip}")(squares)
    torch.testing.assert_close(parts, torch.cat([seen for seen, _ in alone], dim=2))
    torch.testing.assert_close(summary, torch.cat([summed for _, summed in alone], dim=1))


def test_the_largest_of_several_sets_the_side_and_what_differs_is_refused(models: Path) -> None:
    together = load_encoder(f"efficientnet-lite0 + {models / 'resnet'} + efficientnet-lite0")
    assert together.side == 224
    small_and_large = load_encoder(f"{models / 'vit'} + {models / 'resnet'}")
    assert small_and_large.side == 224
    with pytest.raises(SwapchefError, match="divide a photo differently"):
        small_and_large(torch.from_numpy(coloured(RED, (224, 224)))[None])
