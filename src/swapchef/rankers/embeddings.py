"""Nearest-neighbour rankers: Food2Vec, node2vec and metapath2vec, trained here, and FlavorGraph's published vectors.

Each learns one embedding for each ingredient and scores a candidate by its cosine to the source. The source itself and
ingredients without an embedding come last; neither the recipe's other ingredients nor reported swaps are used.
"""

from abc import abstractmethod
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.benchmark import Ids, Scores, Split, Titles, ranks_of
from swapchef.errors import DataError
from swapchef.graph import Graph, Nodes, flavorgraph_nodes
from swapchef.rankers.base import Arrays, Ranker, TrainedRanker
from swapchef.rankers.contexts import own_graph
from swapchef.rankers.knowledge import unit_rows
from swapchef.sources import data_file

if TYPE_CHECKING:
    from swapchef.rankers.cooking_text import CookingText
    from swapchef.training import Progress

Floats = npt.NDArray[np.float32]
_LAST = np.float32(-2.0)  # below every cosine


def neighbour_scores(vectors: Floats, sources: Ids) -> Scores:
    """Return each source's cosine to all ingredients by unit vectors: [B, n]; itself and zero vectors last."""
    scores = np.asarray(vectors[sources] @ vectors.T, np.float32)
    has_vector = np.asarray(vectors.any(axis=1))
    scores[:, ~has_vector] = _LAST
    scores[~has_vector[sources]] = _LAST
    scores[np.arange(len(sources)), sources] = _LAST
    return scores


class ValSample:
    """A fixed sample of val for early stopping: the MRR in percent, protocol `paper`."""

    def __init__(self, val: Split, queries: int) -> None:
        rows = np.sort(np.random.default_rng(0).permutation(len(val))[:queries])
        self.sources, self.targets = val.source[rows], val.target[rows]

    def __call__(self, vectors: Floats) -> float:
        """Return the MRR of the nearest neighbours by these vectors [n, d]."""
        return self.mrr(neighbour_scores(unit_rows(vectors), self.sources))

    def mrr(self, scores: Scores) -> float:
        """Return the MRR of scores for this sample's sources: [B, n]."""
        return float(np.mean(100.0 / ranks_of(scores, self.targets))) if len(scores) else 0.0


class NearestNeighbours(Ranker):
    """Ranks by the cosine to the source's vector."""

    vectors_: Floats  # [n, d] unit rows, zeros for ingredients that have none

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Score every ingredient by its cosine to the source."""
        return neighbour_scores(self.vectors_, sources)

    def arrays(self) -> Arrays:
        """Return the vectors."""
        return {"vectors": self.vectors_}

    def restore(self, arrays: Arrays) -> None:
        """Restore the vectors."""
        self.vectors_ = np.ascontiguousarray(arrays["vectors"], np.float32)


class TextEvidence(Ranker):
    """Ranks by evidence from texts for each (source, candidate), and pairs without any by their mean vectors."""

    tail: ClassVar[float]  # weight of the cosine, so small that any evidence outweighs it
    evidence_: sparse.csr_array  # [n, n] source by candidate
    means_: Floats  # [n, d] unit rows, zeros for ingredients that have none

    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Score every ingredient by the evidence, then by the cosine of mean vectors."""
        near = np.float32(self.tail) * neighbour_scores(self.means_, sources)
        return np.asarray(self.evidence_[sources].toarray() + near, np.float32)

    def arrays(self) -> Arrays:
        """Return the sparse evidence and the mean vectors."""
        matrix = self.evidence_
        return {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr, "means": self.means_}

    def restore(self, arrays: Arrays) -> None:
        """Restore what `arrays` returned."""
        self.means_ = np.ascontiguousarray(arrays["means"], np.float32)
        parts = (arrays["data"], arrays["indices"], arrays["indptr"])
        self.evidence_ = sparse.csr_array(parts, shape=(len(self.means_),) * 2)


@dataclass(frozen=True)
class Food2VecConfig:
    """The hyperparameters."""

    width: int = 100
    window: int = 5
    negatives: int = 5
    min_count: int = 20  # rarer foods are seldom what a cook means
    sample: float = 1e-4
    skip_gram: bool = True
    epochs: int = 10
    patience: int = 5
    learning_rate: float = 0.025
    val_queries: int = 2000
    seed: int = 0


class Food2Vec(TrainedRanker[Food2VecConfig], NearestNeighbours):
    """word2vec (Mikolov et al., 2013) on cooking steps, each ingredient one word."""

    name: ClassVar[str] = "food2vec"
    settings_class = Food2VecConfig
    learns_from = ("text",)

    def fit(
        self,
        train: Split,
        val: Split,
        *,
        text: "CookingText | None" = None,
        run: Path | None = None,
        progress: "Progress | None" = None,
    ) -> Self:
        """Learn from cooking steps; val is for early stopping, and train is not used."""
        from swapchef.rankers.skipgram import Sentences, SkipGramSettings, train_vectors
        from swapchef.training import Progress

        if text is None:
            raise DataError("Food2Vec learns from cooking steps; hand it a text.")
        settings = {key: value for key, value in asdict(self.settings).items() if key != "val_queries"}
        sample = ValSample(val, self.settings.val_queries)
        sentences = Sentences(text.tokens, text.starts)
        self.steps_ = self.settings.epochs * len(sentences)
        vectors, self.history_ = train_vectors(
            sentences, SkipGramSettings(**settings), text.n, sample, run, progress or Progress()
        )
        self.vectors_ = unit_rows(vectors)
        return self


@dataclass(frozen=True)
class WalkConfig:
    """The hyperparameters of vectors from walks."""

    width: int = 100
    window: int = 5
    negatives: int = 5
    walks: int = 10  # from each node (of metapaths: and each path)
    length: int = 40
    back: float = 1.0  # node2vec's p
    away: float = 1.0  # node2vec's q
    epochs: int = 2  # node2vec was worse on val with a longer schedule
    patience: int = 2
    learning_rate: float = 0.025
    val_queries: int = 2000
    seed: int = 0


class _FromWalks(TrainedRanker[WalkConfig], NearestNeighbours):
    """Skip-gram over walks on the graph, nodes in place of words."""

    settings_class = WalkConfig
    learns_from = ("graph",)
    compounds_: Floats  # [N - n, d]

    @abstractmethod
    def _walks(self, graph: Graph) -> npt.NDArray[np.int32]:
        """Walk: [walks, length], -1 after a walk's end."""

    def fit(
        self,
        train: Split,
        val: Split,
        *,
        graph: Graph | None = None,
        run: Path | None = None,
        progress: "Progress | None" = None,
    ) -> Self:
        """Walk and learn; without a graph, on the co-occurrence of the train split's own recipes."""
        from swapchef.rankers.skipgram import Sentences, SkipGramSettings, train_vectors
        from swapchef.training import Progress

        graph, config = own_graph(train) if graph is None else graph, self.settings
        walks = self._walks(graph)
        lengths = (walks >= 0).sum(axis=1)
        sentences = Sentences(walks[walks >= 0], np.concatenate([[0], np.cumsum(lengths)]))
        self.steps_ = config.epochs * len(sentences)
        shared = ("width", "window", "negatives", "epochs", "patience", "learning_rate", "seed")
        settings = SkipGramSettings(min_count=1, sample=0.0, **{key: getattr(config, key) for key in shared})
        n, sample = graph.nodes.n_ingredients, ValSample(val, config.val_queries)
        vectors, self.history_ = train_vectors(
            sentences, settings, len(graph.nodes), lambda vectors: sample(vectors[:n]), run, progress or Progress()
        )
        self.vectors_, self.compounds_ = unit_rows(vectors[:n]), unit_rows(vectors[n:])
        return self

    def arrays(self) -> Arrays:
        """Return the vectors of ingredients and compounds."""
        return {"vectors": self.vectors_, "compounds": self.compounds_}

    def restore(self, arrays: Arrays) -> None:
        """Restore the vectors."""
        super().restore(arrays)
        self.compounds_ = np.ascontiguousarray(arrays["compounds"], np.float32)


class Node2Vec(_FromWalks):
    """node2vec (Grover and Leskovec, 2016): walks that may prefer to stay or to leave."""

    name: ClassVar[str] = "node2vec"

    def _walks(self, graph: Graph) -> npt.NDArray[np.int32]:
        from swapchef.rankers.walks import node2vec_walks

        config = self.settings
        return node2vec_walks(
            graph.adjacency(), config.walks, config.length, config.back, config.away, (config.seed, 2)
        )


class Metapath2Vec(_FromWalks):
    """metapath2vec (Dong et al., 2017) as FlavorGraph uses it: walks that alternate between kinds of nodes."""

    name: ClassVar[str] = "metapath2vec"

    def _walks(self, graph: Graph) -> npt.NDArray[np.int32]:
        from swapchef.rankers.walks import metapath_walks, node_kinds

        config = self.settings
        return metapath_walks(graph.adjacency(), node_kinds(graph), config.walks, config.length, (config.seed, 3))


class PublishedMetapath2Vec(NearestNeighbours):
    """FlavorGraph's published vectors (Park et al., 2021): metapath2vec with an added loss on chemical properties."""

    name: ClassVar[str] = "metapath2vec-published"

    def fit(self, train: Split, val: Split, *, vectors: Floats | None = None) -> Self:
        """Read the published vectors from the data folder, if no vectors are given; there is nothing to learn."""
        n = train.context.shape[1]
        vectors = published_vectors(flavorgraph_nodes()) if vectors is None else vectors
        if len(vectors) < n:
            raise DataError(f"There are vectors for {len(vectors)} nodes and {n} ingredients; check the data folder.")
        self.vectors_ = unit_rows(vectors[:n])
        return self

    def config(self) -> dict[str, Any]:
        """There is nothing to set."""
        return {}


def features_of(ranker: Ranker, n_nodes: int) -> Floats:
    """Return a ranker's vectors as node features for a graph network: [N, d], zeros for nodes without a vector."""
    arrays = ranker.arrays()
    parts = [arrays[name] for name in ("vectors", "means", "compounds") if name in arrays]
    if not parts:
        raise DataError(f"{ranker.name} has no vectors of ingredients; take one that has, such as node2vec.")
    vectors = np.concatenate(parts)
    features = np.zeros((n_nodes, vectors.shape[1]), np.float32)
    features[: len(vectors)] = vectors
    return features


def published_vectors(nodes: Nodes) -> Floats:
    """Read FlavorGraph's published vectors; nodes without one get zeros: [N, d]."""
    path = data_file("flavorgraph/metapath2vec_pubchem_100d.npz")
    try:
        with np.load(path, allow_pickle=False) as stored:
            ids, published = stored["node_id"], stored["vec"]
        row_of = {int(id): row for row, id in enumerate(ids)}
        vectors = np.zeros((len(nodes), published.shape[1]), np.float32)
        for node, id in enumerate(nodes.id):
            if int(id) in row_of:
                vectors[node] = published[row_of[int(id)]]
    except (OSError, ValueError, KeyError, IndexError):
        raise DataError(f"{path.name} holds no published vectors; check the file and fetch it again.") from None
    return vectors
