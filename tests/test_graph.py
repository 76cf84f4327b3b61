"""Graphs read, count, merge and normalise as they say."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from swapchef.errors import DataError
from swapchef.foods.matching import Vocabulary
from swapchef.graph import (
    Graph,
    Nodes,
    cooccurrence,
    flavorgraph_edge_files,
    flavorgraph_nodes,
    merge,
    read_graph,
    read_nodes,
    recipe_matrix,
    summarise,
    write_edges,
)

NODES = Nodes(np.array([10, 20, 30, 99]), ("flour", "sugar", "egg", "vanillin"), 3)


def edges_file(path: Path, *rows: str) -> Path:
    path.write_text("\n".join(["id_1,id_2,score,edge_type", *rows]) + "\n")
    return path


def as_dict(graph: Graph) -> dict[tuple[int, int], float]:
    return {
        (int(a), int(b)): round(float(w), 4) for a, b, w in zip(graph.first, graph.second, graph.weight, strict=True)
    }


def test_edges_are_undirected_and_the_first_file_decides(tmp_path: Path) -> None:
    one = edges_file(tmp_path / "one.csv", "20,10,0.5,ingr-ingr", "30,99,,ingr-fcomp")
    two = edges_file(tmp_path / "two.csv", "10,20,0.9,ingr-ingr", "10,30,0.2,ingr-ingr", "10,10,1,ingr-ingr")
    graph = read_graph(NODES, [one, two])
    assert as_dict(graph) == {(0, 1): 0.5, (2, 3): 1.0, (0, 2): 0.2}
    assert as_dict(merge([read_graph(NODES, [one]), read_graph(NODES, [two])])) == as_dict(graph)


def test_a_written_graph_reads_back(tmp_path: Path) -> None:
    graph = read_graph(NODES, [edges_file(tmp_path / "a.csv", "10,20,0.5,ingr-ingr", "30,99,,ingr-dcomp")])
    write_edges(graph, tmp_path / "b.csv")
    again = read_graph(NODES, [tmp_path / "b.csv"])
    assert as_dict(again) == as_dict(graph)
    assert again.kind.tolist() == graph.kind.tolist()


@pytest.mark.parametrize(
    "row",
    [
        "10,20,x,ingr-ingr",
        "10,20,nan,ingr-ingr",
        "10,20,-1,ingr-ingr",
        "10,77,1,ingr-ingr",
        "10,20,1,friends",
        "10",
        "a,b,c,d",
    ],
)
def test_a_broken_edge_is_one_sentence(tmp_path: Path, row: str) -> None:
    with pytest.raises(DataError):
        read_graph(NODES, [edges_file(tmp_path / "bad.csv", row)])


def test_broken_nodes_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text("node_id,name\nx,flour\n")
    with pytest.raises(DataError, match="nodes"):
        read_nodes(tmp_path / "nodes.csv")


def test_normalisation_is_symmetric_and_the_mean_divides_by_neighbours(tmp_path: Path) -> None:
    graph = read_graph(NODES, [edges_file(tmp_path / "a.csv", "10,20,0.5,ingr-ingr", "10,30,0.3,ingr-ingr")])
    degree = np.array([0.8, 0.5, 0.3, 0.0])
    expected = np.zeros((4, 4))
    for a, b, w in ((0, 1, 0.5), (0, 2, 0.3)):
        expected[a, b] = expected[b, a] = w / np.sqrt(degree[a] * degree[b])
    np.testing.assert_allclose(graph.normalised("sum").toarray(), expected, rtol=1e-6)
    np.testing.assert_allclose(graph.normalised("mean").toarray(), expected / np.array([[2], [1], [1], [1]]), rtol=1e-6)


def test_npmi_is_one_for_pairs_that_never_part_and_zero_by_chance() -> None:
    recipes = [[0, 1], [0, 1], [2], [], [2]]
    graph = cooccurrence(NODES, recipe_matrix(recipes, 3), min_count=1, min_npmi=-1)
    assert as_dict(graph) == {(0, 1): 1.0}
    by_chance = recipe_matrix([[0, 1], [0], [1], [2]], 3)  # p(0)=p(1)=1/2, p(0,1)=1/4
    assert as_dict(cooccurrence(NODES, by_chance, min_count=1, min_npmi=-1)) == {(0, 1): 0.0}
    assert len(cooccurrence(NODES, by_chance, min_count=2, min_npmi=-1)) == 0
    assert len(cooccurrence(NODES, by_chance, min_count=1, min_npmi=0.1)) == 0


def test_a_pair_in_every_recipe_has_a_finite_weight() -> None:
    graph = cooccurrence(NODES, recipe_matrix([[0, 1]] * 5, 3), min_count=1, min_npmi=-1)
    assert np.isfinite(graph.weight).all()


def test_npmi_agrees_with_the_definition() -> None:
    random = np.random.default_rng(0)
    matrix = sparse.csr_array((random.random((200, 6)) < 0.4).astype(np.float32))
    nodes = Nodes(np.arange(6), tuple("abcdef"), 6)
    dense = matrix.toarray()
    for (a, b), weight in as_dict(cooccurrence(nodes, matrix, 1, -1)).items():
        joint = (dense[:, a] * dense[:, b]).mean()
        expected = np.log(joint / (dense[:, a].mean() * dense[:, b].mean())) / -np.log(joint)
        assert weight == pytest.approx(expected, abs=1e-3)


def test_a_summary_counts(tmp_path: Path) -> None:
    graph = read_graph(NODES, [edges_file(tmp_path / "a.csv", "10,20,0.5,ingr-ingr", "10,99,,ingr-fcomp")])
    summary = summarise(graph)
    assert summary.edges == {"ingr-ingr": 1, "ingr-fcomp": 1, "ingr-dcomp": 0}
    assert (summary.nodes, summary.components, summary.isolated, summary.degree_max) == (4, 2, 1, 2)
    assert summary.connected_share == pytest.approx(2 / 3)
    assert summarise(graph, np.array([2])).connected_share == 0.0


@pytest.mark.real_data
def test_ingredient_nodes_are_the_vocabularys_ids() -> None:
    nodes = flavorgraph_nodes()
    assert tuple(name.replace("_", " ") for name in nodes.name[: nodes.n_ingredients]) == Vocabulary.load().names
    graph = read_graph(nodes, flavorgraph_edge_files())
    assert summarise(graph).edges["ingr-fcomp"] == 35_437
