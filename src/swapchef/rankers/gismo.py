"""GISMo, section 3 of "Learning to Substitute Ingredients in Recipes", to be read beside the paper.

For a recipe r and an ingredient s to replace, the model scores each candidate v: an ingredient encoder over
FlavorGraph, a context encoder over the recipe, and a substitution decoder over both, trained together by a contrastive
loss. This file is the model as the paper writes it; `gismo_fast` computes the same scores and loss for training.

Shapes: N nodes of the graph, of which the first n are ingredients; F features of a node; d the width of an embedding (F
without layers); B examples, each with a source, a recipe and K candidates; C the width of a context, 0 without one.
"""

import itertools

import torch
from torch import Tensor, nn

from swapchef.rankers.gismo_ranker import GISMoConfig
from swapchef.rankers.sparse_product import SparseMatrix


class GINLayer(nn.Module):
    """h_v(l) = f((1 + eps) h_v(l-1) + sum over u in N(v) of e_vu h_u(l-1)), with a learned eps and a linear f.

    Row v of the graph holds the e_vu. The published code scales them by the degrees of both ends, and averages over the
    neighbours where the paper sums: both are the graph's business (`Graph.normalised`), not the layer's.
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.epsilon = nn.Parameter(torch.zeros(()))
        self.f = nn.Linear(inputs, outputs)  # theta(l)

    def forward(self, graph: SparseMatrix, h: Tensor) -> Tensor:
        """Update every node: [N, F or d] -> [N, d]."""
        updated: Tensor = self.f((1 + self.epsilon) * h + graph @ h)
        return updated


class IngredientEncoder(nn.Module):
    """IE: features of nodes and a graph in, an embedding of every node out; between layers ReLU and dropout.

    Features are an embedding layer that is learned, or given ones, which stay as they are unless they are fine-tuned.
    Without layers the decoder sees the features themselves, as in the ablation.
    """

    given: Tensor  # the features before training, where there are any

    def __init__(self, config: GISMoConfig, graph: SparseMatrix, features: Tensor | None = None) -> None:
        super().__init__()
        self.graph, self.dropout = graph, config.dropout
        if features is None:
            self.features = nn.Parameter(torch.randn(graph.shape[0], config.width))  # [N, F], and F = d
        else:
            self.register_buffer("given", features.clone())
            self.features = nn.Parameter(features.clone(), requires_grad=config.fine_tune)
        widths = [self.features.shape[1], *[config.width] * config.layers]
        self.layers = nn.ModuleList(GINLayer(a, b) for a, b in itertools.pairwise(widths))
        self.width = widths[-1]  # of what comes out: d, or F without layers

    def forward(self) -> Tensor:
        """Encode every node once: [N, d]."""
        h: Tensor = self.features  # h(0): [N, F]
        for number, layer in enumerate(self.layers, start=1):
            h = layer(self.graph, h)  # h(l): [N, d]
            if number < len(self.layers):
                h = nn.functional.dropout(torch.relu(h), self.dropout, self.training)
        return h

    def pull(self) -> Tensor:
        """Return the squared distance of fine-tuned features from the given ones, for a penalty."""
        return (self.features - self.given).square().sum()


class ContextEncoder(nn.Module):
    """CE: c_r, the mean embedding of the recipe's ingredients, its title's vector, both side by side, or nothing.

    The source s is left out of the mean, as in the published code. A recipe without a title has a vector of zeros.
    """

    def __init__(self, config: GISMoConfig, encoded_width: int, title_width: int = 0) -> None:
        super().__init__()
        self.reads_set = config.context in {"set", "both"}
        self.title_width = title_width if config.context in {"title", "both"} else 0
        self.width = encoded_width * self.reads_set + self.title_width  # C

    def forward(self, h: Tensor, recipes: SparseMatrix, titles: Tensor | None = None) -> Tensor:
        """Encode recipes: rows [B, n] of 1/m for each of the m ingredients but s, and titles [B, T] -> [B, C]."""
        rows, n = recipes.shape
        context = h.new_zeros(rows, 0)
        if self.reads_set:
            context = recipes @ h[:n]  # the mean of h_i over i in I without s: [B, d]
        if self.title_width:
            title = h.new_zeros(rows, self.title_width) if titles is None else titles
            context = torch.cat([context, title], dim=1)
        return context


class SubstitutionDecoder(nn.Module):
    """ISD: phi(s, v, r) = g(h_s || h_v || c_r), a perceptron of three layers on the concatenation."""

    def __init__(self, config: GISMoConfig, encoded_width: int, context_width: int) -> None:
        super().__init__()
        self.dropout, self.encoded_width = config.dropout, encoded_width
        self.first = nn.Linear(2 * encoded_width + context_width, config.width)  # psi, with the next two
        self.second = nn.Linear(config.width, config.width // 2)
        self.third = nn.Linear(config.width // 2, 1, bias=False)  # a bias would move all candidates alike

    def forward(self, source: Tensor, candidates: Tensor, context: Tensor) -> Tensor:
        """Score candidates [B, K, d] for a source [B, d] in a context [B, C]: [B, K]."""
        count = candidates.shape[1]
        source, context = (each[:, None].expand(-1, count, -1) for each in (source, context))  # [B, K, d], [B, K, C]
        x = torch.cat([source, candidates, context], dim=2)  # h_s || h_v || c_r: [B, K, 2 d + C]
        x = nn.functional.dropout(torch.relu(self.first(x)), self.dropout, self.training)  # [B, K, d]
        x = nn.functional.dropout(torch.relu(self.second(x)), self.dropout, self.training)  # [B, K, d / 2]
        scores: Tensor = self.third(x).squeeze(2)  # [B, K]
        return scores


class GISMo(nn.Module):
    """The three modules together."""

    def __init__(
        self,
        config: GISMoConfig,
        graph: SparseMatrix,
        n_ingredients: int,
        features: Tensor | None = None,
        title_width: int = 0,
    ) -> None:
        super().__init__()
        self.n_ingredients = n_ingredients
        self.ingredient_encoder = IngredientEncoder(config, graph, features)
        width = self.ingredient_encoder.width
        self.context_encoder = ContextEncoder(config, width, title_width)
        self.decoder = SubstitutionDecoder(config, width, self.context_encoder.width)

    def forward(
        self, sources: Tensor, candidates: Tensor, recipes: SparseMatrix, titles: Tensor | None = None
    ) -> Tensor:
        """Return phi(s, v, r) of candidates [B, K] for sources [B], both ids, in recipes [B, n]: [B, K]."""
        h = self.ingredient_encoder()  # h(L): [N, d]
        context = self.context_encoder(h, recipes, titles)  # c_r: [B, C]
        scores: Tensor = self.decoder(h[sources], h[candidates], context)
        return scores


def contrastive_loss(scores: Tensor, targets: Tensor, correction: Tensor | float = 0.0) -> Tensor:
    """-log (e^phi(s,y,r) / sum of e^phi(s,v,r) over v in {y} and M), averaged over examples.

    That is the cross-entropy of scores [B, K] with the place [B] of each target y among its candidates; the others are
    the negatives M, drawn in `gismo_training`. A correction [K], the log of how likely each candidate was drawn, gives
    negatives that are not uniform the optimum of the softmax over all ingredients; the paper has none.
    """
    return nn.functional.cross_entropy(scores - correction, targets)
