"""Walks go where the weights, the return parameters and the metapaths say."""

import numpy as np
from scipy import sparse

from swapchef.rankers.walks import Neighbours, metapath_walks, node2vec_walks, node_kinds
from tests.conftest import KITCHEN
from tests.rankers.kitchen import kitchen_graph


def weighted(edges: list[tuple[int, int, float]], count: int) -> sparse.csr_array:
    rows, columns, weights = zip(*edges, strict=True)
    half = sparse.coo_array((np.array(weights, np.float32), (rows, columns)), shape=(count, count))
    return sparse.csr_array(half + half.T)


def test_neighbours_are_drawn_by_weight_and_isolated_nodes_have_none() -> None:
    neighbours = Neighbours(weighted([(0, 1, 3.0), (0, 2, 1.0)], 4))
    drawn = neighbours.draw(np.zeros(20_000, np.int64), np.random.default_rng(0))
    assert abs((drawn == 1).mean() - 0.75) < 0.02
    assert set(drawn) == {1, 2}
    assert neighbours.draw(np.array([3, 1]), np.random.default_rng(0)).tolist() == [-1, 0]


def test_every_step_of_a_walk_follows_an_edge() -> None:
    graph = kitchen_graph().adjacency()
    walks = node2vec_walks(graph, 3, 8, back=0.5, away=2.0, seed=(0,))
    connected = np.diff(graph.indptr) > 0
    assert np.bincount(walks[:, 0], minlength=len(connected)).tolist() == (3 * connected).tolist()
    assert graph.toarray()[walks[:, :-1], walks[:, 1:]].all()


def test_the_return_parameters_say_how_often_a_walk_turns_back() -> None:
    """From 0 over 1: back to 0 (1/p), on to 2 which is joined to 0 (1), or away to 3 (1/q)."""
    graph = weighted([(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0), (0, 2, 1.0)], 4)
    for back, away in ((1.0, 1.0), (4.0, 1.0), (0.5, 2.0), (1.0, 0.25)):
        walks = node2vec_walks(graph, 30_000, 3, back, away, seed=(1,))
        onwards = walks[(walks[:, 0] == 0) & (walks[:, 1] == 1), 2]
        share = np.bincount(onwards, minlength=4) / len(onwards)
        expected = np.array([1 / back, 0, 1, 1 / away])
        np.testing.assert_allclose(share, expected / expected.sum(), atol=0.02)


def test_metapath_walks_alternate_between_kinds() -> None:
    graph = kitchen_graph()
    kinds = node_kinds(graph)
    assert kinds[KITCHEN.index("butter")] == 0
    assert kinds[KITCHEN.index("egg")] == 1
    assert (kinds[len(KITCHEN) :] == 2).all()
    walks = metapath_walks(graph.adjacency(), kinds, 5, 6, (0,), [("compound", "hub")])
    assert (kinds[walks[:, ::2]] == 2).all()
    assert (kinds[walks[:, 1::2]] == 0).all()
    ended = metapath_walks(graph.adjacency(), kinds, 5, 6, (0,), [("other", "other", "hub")])
    assert set(ended[:, 0]) == {KITCHEN.index("egg"), KITCHEN.index("flour")}
    from_egg = ended[ended[:, 0] == KITCHEN.index("egg")]
    assert (from_egg[:, 2:] == -1).all()  # flour has no neighbour among the hubs, so the walk ends there


def test_the_same_seed_gives_the_same_walks() -> None:
    graph = kitchen_graph().adjacency()
    one, two, three = (node2vec_walks(graph, 3, 8, 1.0, 1.0, seed=(seed,)) for seed in (5, 5, 6))
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, three)
