"""The checkpoint that GISMo's authors publish (`best_model.chkpnt`), imported as a ranker of ours.

Its state dict is renamed part by part, the graph is FlavorGraph as their code scales it, and what comes out is an
ordinary run folder. Node i of FlavorGraph is row i + 1 there: row 0 pads. What their file holds beside the model is
left out: a decoder that is never used (`mlp_layers`), the epoch, and the last bias, which moves all scores alike.

| theirs | ours |
|---|---|
| `ndata.weight`, without its first row | `ingredient_encoder.features` |
| `gin_layers.L.eps` | `ingredient_encoder.layers.L.epsilon` |
| `gin_layers.L.apply_func.weight`, `.bias` | `ingredient_encoder.layers.L.f.weight`, `.bias` |
| `mlp_layers_context.0.weight`, `.bias` | `decoder.first.weight`, `.bias` |
| `mlp_layers_context.1.weight`, `.bias` | `decoder.second.weight`, `.bias` |
| `mlp_layers_context.2.weight` | `decoder.third.weight` |
"""

import pickle
import warnings
from pathlib import Path

import torch
from torch import Tensor

from swapchef.errors import DataError
from swapchef.graph import Graph
from swapchef.rankers.gismo import GISMo
from swapchef.rankers.gismo_ranker import GISMoRanker
from swapchef.rankers.gismo_training import exported
from swapchef.rankers.sparse_product import SparseMatrix

_READS_TITLES = "title_project_layer.weight"


def import_checkpoint(path: Path, graph: Graph) -> GISMoRanker:
    """Read a published checkpoint, of the model that reads ingredient sets or of the one without context."""
    theirs = _read(path)
    if _READS_TITLES in theirs:
        raise DataError(f"{path.name} reads titles, whose vectors are in no checkpoint; import a model without them.")
    try:
        width, layers = len(theirs["mlp_layers_context.0.bias"]), _layers_of(theirs)
        reads_set = theirs["mlp_layers_context.0.weight"].shape[1] == 3 * width
        ranker = GISMoRanker(width=width, layers=layers, context="set" if reads_set else "none")
        neighbours = SparseMatrix(graph.normalised(ranker.settings.aggregation))
        network = GISMo(ranker.settings, neighbours, graph.nodes.n_ingredients)
        network.load_state_dict(_renamed(theirs, layers, len(graph.nodes), width))
    except (KeyError, IndexError, RuntimeError, TypeError):
        raise DataError(f"{path.name} is no checkpoint of GISMo's published code over this FlavorGraph.") from None
    ranker.restore(exported(network))
    return ranker


def _read(path: Path) -> dict[str, Tensor]:
    try:
        with warnings.catch_warnings(action="ignore"):  # of odd files, which are refused in a sentence
            content = torch.load(path, map_location="cpu", weights_only=True)  # tensors and numbers, nothing that runs
    except (OSError, RuntimeError, ValueError, EOFError, KeyError, pickle.UnpicklingError):
        raise DataError(f"{path} cannot be read as a checkpoint of PyTorch that holds nothing but weights.") from None
    state = content.get("checkpoint", content) if isinstance(content, dict) else {}
    return {name: value.detach().float() for name, value in state.items() if isinstance(value, Tensor)}


def _layers_of(theirs: dict[str, Tensor]) -> int:
    return sum(name.startswith("gin_layers.") and name.endswith(".eps") for name in theirs)


def _renamed(theirs: dict[str, Tensor], layers: int, n_nodes: int, width: int) -> dict[str, Tensor]:
    features = torch.zeros(n_nodes, width)
    features[: len(theirs["ndata.weight"]) - 1] = theirs["ndata.weight"][1:]  # their graph ends at its last edge
    ours = {"ingredient_encoder.features": features}
    for layer in range(layers):
        ours[f"ingredient_encoder.layers.{layer}.epsilon"] = theirs[f"gin_layers.{layer}.eps"].reshape(())
        for part in ("weight", "bias"):
            ours[f"ingredient_encoder.layers.{layer}.f.{part}"] = theirs[f"gin_layers.{layer}.apply_func.{part}"]
    for number, name in enumerate(("first", "second", "third")):
        for part in ("weight", "bias") if name != "third" else ("weight",):
            ours[f"decoder.{name}.{part}"] = theirs[f"mlp_layers_context.{number}.{part}"]
    return ours
