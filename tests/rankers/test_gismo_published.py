"""A checkpoint as GISMo's authors write it becomes a ranker of ours that scores as their code does."""

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy import sparse

from swapchef.errors import DataError
from swapchef.graph import Graph, Nodes
from swapchef.rankers.gismo_published import import_checkpoint

# Three ingredients and a compound, which their file numbers from 1: flour - butter, butter - egg, butter - diacetyl.
GRAPH = Graph(
    Nodes(np.array([3, 5, 7, 11]), ("flour", "butter", "egg", "diacetyl"), 3),
    np.array([0, 1, 1], np.int32),
    np.array([1, 2, 3], np.int32),
    np.array([0.5, 0.25, 1.0], np.float32),
    np.array([0, 0, 1], np.uint8),
)
WIDTH = 4


def their_state(reads_set: bool = True, layers: int = 2) -> dict[str, torch.Tensor]:
    """Return weights under the names of their `GIN_MLP`, with what it never uses."""
    torch.manual_seed(0)
    parts = 3 if reads_set else 2
    shapes: dict[str, tuple[int, ...]] = {"ndata.weight": (5, WIDTH)}
    for layer in range(layers):
        shapes |= {f"gin_layers.{layer}.eps": (1,), f"gin_layers.{layer}.apply_func.weight": (WIDTH, WIDTH)}
        shapes[f"gin_layers.{layer}.apply_func.bias"] = (WIDTH,)
    for name, inputs in (("mlp_layers_context", parts * WIDTH), ("mlp_layers", 2 * WIDTH)):
        sizes = [inputs, WIDTH, WIDTH // 2, 1]
        for number in range(3):
            shapes[f"{name}.{number}.weight"] = (sizes[number + 1], sizes[number])
            shapes[f"{name}.{number}.bias"] = (sizes[number + 1],)
    state = {name: torch.randn(shape) for name, shape in shapes.items()}
    return state | {"epoch": torch.tensor(7, dtype=torch.int32), "mrr": torch.tensor(31.0, dtype=torch.float64)}


def their_scores(state: dict[str, Any], source: int, context: list[int], reads_set: bool = True) -> list[float]:
    """Score the three ingredients as their code does, node by node."""
    edges = {(1, 2): 0.5, (2, 3): 0.25, (2, 4): 1.0}
    weights = {**edges, **{(b, a): weight for (a, b), weight in edges.items()}}
    degree = {node: sum(weight for (a, _), weight in weights.items() if a == node) for node in (1, 2, 3, 4)}
    h = {node: state["ndata.weight"][node] for node in (1, 2, 3, 4)}
    for layer in range(2):
        following = {}
        for node in h:
            messages = [
                h[u] * weight * degree[u] ** -0.5 * degree[node] ** -0.5
                for (u, v), weight in weights.items()
                if v == node
            ]
            mixed = (1 + state[f"gin_layers.{layer}.eps"]) * h[node] + torch.stack(messages).mean(0)
            name = f"gin_layers.{layer}.apply_func"
            following[node] = state[f"{name}.weight"] @ mixed + state[f"{name}.bias"]
        h = {node: torch.relu(x) for node, x in following.items()} if layer == 0 else following
    mean = torch.stack([h[id + 1] for id in context]).mean(0) if context else torch.zeros(WIDTH)
    scores = []
    for candidate in (1, 2, 3):
        x = torch.cat([h[source + 1], h[candidate], *([mean] if reads_set else [])])
        for number in range(3):
            x = state[f"mlp_layers_context.{number}.weight"] @ x + state[f"mlp_layers_context.{number}.bias"]
            x = torch.relu(x) if number < 2 else x
        scores.append(float(x - state["mlp_layers_context.2.bias"]))
    return scores


@pytest.mark.parametrize("reads_set", [True, False])
@pytest.mark.parametrize("is_wrapped", [True, False])
def test_an_imported_checkpoint_scores_as_the_published_code(tmp_path: Path, reads_set: bool, is_wrapped: bool) -> None:
    state = {name: (4 * value).round() / 4 for name, value in their_state(reads_set).items()}  # exact when rounded
    content = {"checkpoint": state, "epoch": state["epoch"], "mrr": state["mrr"]} if is_wrapped else state
    torch.save(content, tmp_path / "best_model.chkpnt")
    ranker = import_checkpoint(tmp_path / "best_model.chkpnt", GRAPH)
    contexts = sparse.csr_array(np.array([[0, 0, 1], [1, 0, 1], [0, 0, 0]], np.float32))
    scores = ranker.score(np.array([1, 1, 2], np.int32), contexts)
    expected = [their_scores(state, s, context, reads_set) for s, context in ((1, [2]), (1, [0, 2]), (2, []))]
    np.testing.assert_allclose(scores, expected, rtol=5e-3, atol=2e-2)  # what is encoded is kept in half precision
    assert ranker.settings.context == ("set" if reads_set else "none")
    ranker.save(tmp_path / "run")
    np.testing.assert_array_equal(type(ranker).load(tmp_path / "run").score(np.array([1]), contexts[[0]]), scores[[0]])


def test_nodes_behind_the_last_edge_have_no_features(tmp_path: Path) -> None:
    state = their_state()
    state["ndata.weight"] = state["ndata.weight"][:-1]
    torch.save({"checkpoint": state}, tmp_path / "short.chkpnt")
    short = import_checkpoint(tmp_path / "short.chkpnt", GRAPH)
    state["ndata.weight"] = torch.cat([state["ndata.weight"], torch.zeros(1, WIDTH)])
    torch.save({"checkpoint": state}, tmp_path / "full.chkpnt")
    full = import_checkpoint(tmp_path / "full.chkpnt", GRAPH)
    np.testing.assert_array_equal(short.arrays()["encoded"], full.arrays()["encoded"])


class Hostile:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, ("touch hostile-was-here",)


@pytest.mark.parametrize("damage", ["no file", "noise", "hostile", "titles", "other", "too many nodes", "a list"])
def test_what_is_no_checkpoint_is_refused_in_one_sentence(
    tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path, state = tmp_path / "best_model.chkpnt", their_state()
    if damage == "noise":
        path.write_bytes(b"\xff" * 300)
    elif damage == "hostile":
        path.write_bytes(pickle.dumps({"checkpoint": Hostile()}))
    elif damage == "a list":
        torch.save([1, 2], path)
    elif damage != "no file":
        if damage == "titles":
            state["title_project_layer.weight"] = torch.zeros(WIDTH, 512)
        elif damage == "other":
            del state["gin_layers.1.apply_func.bias"]
        else:
            state["ndata.weight"] = torch.zeros(9, WIDTH)
        torch.save({"checkpoint": state}, path)
    with pytest.raises(DataError, match=r"^[^\n]+\.$"):
        import_checkpoint(path, GRAPH)
    assert not (tmp_path / "hostile-was-here").exists()
