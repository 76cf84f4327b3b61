"""GISMo's network, section 3 of "Learning to Substitute Ingredients in Recipes": encoders, decoder, contrastive loss.

The decoder's first layer is linear in its parts, W [h_s; h_v; c] = W_s h_s + W_v h_v + W_c c, so candidates are
projected once per step instead of once per pair. `contrastive_loss` runs forward and backward over a few examples at a
time, whose hidden layers stay in the cache.
"""

import itertools
import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import torch
from scipy import sparse
from torch import Tensor, nn

_EXAMPLES_IN_CACHE = 8  # examples whose hidden layers are alive at once; 8 x 400 candidates x 300 units fit in L2


@dataclass(frozen=True)
class NetworkShape:
    """The hyperparameters that decide which weights there are."""

    width: int = 300  # d and F of the paper
    layers: int = 2  # L; 0 leaves the ingredient encoder out
    context: Literal["none", "set", "title", "both"] = "set"  # what the decoder sees of the recipe
    dropout: float = 0.25
    fine_tune: bool = False  # train the input features
    title_width: int = 0  # of the title's vector


class SparseProduct(torch.autograd.Function):
    """A constant sparse matrix times a dense one; the gradient is the transposed product."""

    @staticmethod
    def forward(ctx: Any, matrix: "SparseMatrix", dense: Tensor) -> Tensor:
        """Multiply."""
        ctx.matrix = matrix
        return matrix.forward @ dense

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor]:
        """Multiply the gradient with the transposed matrix."""
        return None, ctx.matrix.transposed @ gradients[0].contiguous()


class SparseMatrix:
    """A constant sparse matrix and, for gradients, its transpose, both as CSR."""

    def __init__(self, matrix: sparse.csr_array) -> None:
        self._matrix = matrix
        self.forward = _csr_tensor(matrix)

    @cached_property
    def transposed(self) -> Tensor:
        """The transpose, computed at the first backward pass."""
        return _csr_tensor(self._matrix.T.tocsr())

    def __matmul__(self, dense: Tensor) -> Tensor:
        product: Tensor = SparseProduct.apply(self, dense)  # type: ignore[no-untyped-call]
        return product


def _csr_tensor(matrix: sparse.csr_array) -> Tensor:
    with warnings.catch_warnings():  # torch calls CSR "beta" at first use; what we need of it is tested
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        return torch.sparse_csr_tensor(
            torch.from_numpy(matrix.indptr.astype("int64")),
            torch.from_numpy(matrix.indices.astype("int64")),
            torch.from_numpy(matrix.data.astype("float32")),
            size=matrix.shape,
            check_invariants=False,
        )


class GINLayer(nn.Module):
    """h_v <- f((1 + eps) h_v + sum_u e_vu h_u), with a learned eps and a linear f."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.epsilon = nn.Parameter(torch.zeros(()))
        self.linear = nn.Linear(inputs, outputs)

    def forward(self, graph: SparseMatrix, h: Tensor) -> Tensor:
        """Update every node: [N, inputs] -> [N, outputs]."""
        updated: Tensor = self.linear((1 + self.epsilon) * h + graph @ h)
        return updated


class GISMoNetwork(nn.Module):
    """Scores candidates v for a source s in the context of a recipe r: phi(s, v, r)."""

    given: Tensor  # the input features before training, where there are any

    def __init__(
        self, shape: NetworkShape, graph: SparseMatrix, n_nodes: int, n_ingredients: int, features: Tensor | None = None
    ) -> None:
        super().__init__()
        self.shape, self.graph, self.n_ingredients = shape, graph, n_ingredients
        width = shape.width
        if features is None:
            self.embedding = nn.Parameter(torch.randn(n_nodes, width))
            inputs = width
        else:
            self.register_buffer("given", features.clone())
            self.embedding = nn.Parameter(features.clone(), requires_grad=shape.fine_tune)
            inputs = features.shape[1]
        sizes = [inputs, *[width] * shape.layers]
        self.encoder = nn.ModuleList(GINLayer(a, b) for a, b in itertools.pairwise(sizes))
        encoded = sizes[-1]
        # The decoder's first layer in its parts; together they are one linear layer on [h_s; h_v; c].
        self.from_source = nn.Linear(encoded, width)
        self.from_candidate = nn.Linear(encoded, width, bias=False)
        self.from_set = nn.Linear(encoded, width, bias=False) if shape.context in {"set", "both"} else None
        titled = shape.context in {"title", "both"}
        self.from_title = nn.Linear(shape.title_width, width, bias=False) if titled else None
        self.second = nn.Linear(width, width // 2)
        self.third = nn.Linear(width // 2, 1, bias=False)  # a bias would move all candidates alike

    def encode(self) -> Tensor:
        """Run the ingredient encoder once: [N, width]."""
        h: Tensor = self.embedding
        for position, layer in enumerate(self.encoder):
            if position:
                h = nn.functional.dropout(torch.relu(h), self.shape.dropout, self.training)
            h = layer(self.graph, h)
        return h

    def query(self, h: Tensor, sources: Tensor, contexts: SparseMatrix, titles: Tensor | None = None) -> Tensor:
        """Project source and context: W_s h_s + W_c c + b, [B, width].

        c is the mean over the recipe's ingredients, the title's vector, or both side by side.
        """
        projected: Tensor = self.from_source(h[sources])
        if self.from_set is not None:
            projected = projected + self.from_set(contexts @ h[: self.n_ingredients])
        if self.from_title is not None and titles is not None:
            projected = projected + self.from_title(titles)
        return projected

    def scores(self, queries: Tensor, candidates: Tensor) -> Tensor:
        """Score projected candidates [K, width] for projected queries [B, width]: [B, K], the plain way."""
        hidden = torch.relu(queries[:, None] + candidates[None])  # [B, K, width]
        hidden = torch.relu(self.second(hidden))
        scores: Tensor = self.third(hidden).squeeze(-1)
        return scores

    def pull(self) -> Tensor:
        """Return the squared distance of fine-tuned features from the input features."""
        return (self.embedding - self.given).square().sum()


class QuickDecoder:
    """Scores every ingredient for one query at a time, in half precision: enough to rank by.

    relu(q + v) W = max(v, -q) W + q W, so the candidates are passed over once and no pair is added up.
    """

    def __init__(self, network: GISMoNetwork, h: Tensor, dtype: torch.dtype = torch.bfloat16) -> None:
        h = h[: network.n_ingredients]
        self._candidates = network.from_candidate(h).to(dtype)
        self._sources = network.from_source(h)
        self._context = network.from_set(h) if network.from_set is not None else torch.zeros_like(self._sources)
        self._weight, self._bias = network.second.weight.T, network.second.bias
        self._weight2, self._weight3 = self._weight.to(dtype), network.third.weight[0].to(dtype)
        self._hidden1 = torch.empty_like(self._candidates)
        self._hidden2 = torch.empty(len(self._candidates), len(self._bias), dtype=dtype)

    def query(self, source: int, context: Tensor) -> Tensor:
        """Project a source and its context's ids as `GISMoNetwork.query` does without a title: [width]."""
        projected: Tensor = self._sources[source] + self._context[context].sum(dim=0) / max(len(context), 1)
        return projected

    def scores(self, query: Tensor) -> Tensor:
        """Score all ingredients for a projected query [width]: [n]."""
        dtype = self._candidates.dtype
        torch.maximum(self._candidates, (-query).to(dtype), out=self._hidden1)
        shift = (query @ self._weight + self._bias).to(dtype)
        torch.addmm(shift, self._hidden1, self._weight2, out=self._hidden2).relu_()
        return (self._hidden2 @ self._weight3).float()


class ContrastiveLoss(torch.autograd.Function):
    """-log softmax of each example's target among its candidates, averaged; see `contrastive_loss`."""

    @staticmethod
    def forward(
        ctx: Any,
        queries: Tensor,  # [B, H]
        candidates: Tensor,  # [T, H]
        ids: Tensor | None,  # [B, K] which candidates each example has; None: all examples share all T = K
        weight2: Tensor,  # [H, H2]
        bias2: Tensor,  # [H2]
        weight3: Tensor,  # [H2]
        correction: Tensor,  # [K] or [] subtracted from the scores
        targets: Tensor,  # [B] positions of the targets among the candidates
        dropout: float,
        generator: torch.Generator,
        dtype: torch.dtype,
    ) -> Tensor:
        """Compute the loss and, while each group of examples is in the cache, its gradients."""
        examples, width = queries.shape
        count, width2 = len(candidates) if ids is None else ids.shape[1], weight2.shape[1]
        active1, active2 = round(width * (1 - dropout)), round(width2 * (1 - dropout))
        scale1, scale2 = width / active1, width2 / active2
        inputs = [t.to(dtype) for t in (queries, candidates, weight2 * scale1, bias2, weight3 * scale2)]
        query, candidate, w2, b2, w3 = inputs
        grads = [torch.zeros_like(t) for t in (queries, candidates, weight2, bias2, weight3)]
        loss = torch.zeros((), dtype=torch.float64)
        for start in range(0, examples, _EXAMPLES_IN_CACHE):
            rows = slice(start, min(start + _EXAMPLES_IN_CACHE, examples))
            size = rows.stop - rows.start
            # Dropout by leaving units out: one draw per group, and the dropped units are never computed.
            units1, units2 = _active_units(width, active1, generator), _active_units(width2, active2, generator)
            row_ids = None if ids is None else ids[rows].reshape(-1)
            part = candidate if row_ids is None else candidate.index_select(0, row_ids).view(size, count, width)
            w2_part, w3_part = _columns(w2 if units1 is None else w2[units1], units2), _columns(w3, units2)
            sums = _columns(query[rows], units1)[:, None] + _columns(part, units1)  # [size, K, active1]
            hidden1 = sums.relu_().view(size * count, active1)
            hidden2 = torch.addmm(_columns(b2, units2), hidden1, w2_part).relu_()  # [size * K, active2]
            logits = (hidden2 @ w3_part).view(size, count).float() - correction
            log_p = torch.log_softmax(logits, dim=1)  # [size, K]
            positions = targets[rows, None]
            loss -= log_p.gather(1, positions).sum()
            d_logits = log_p.exp_().scatter_add_(1, positions, torch.full(positions.shape, -1.0)) / examples
            d_flat = d_logits.to(dtype).view(-1, 1)
            d_hidden2 = torch.ops.aten.threshold_backward(d_flat * w3_part, hidden2, 0)
            d_hidden1 = torch.ops.aten.threshold_backward(d_hidden2 @ w2_part.T, hidden1, 0).view(size, count, active1)
            _add(grads[4], units2, (hidden2.T @ d_flat).float().view(-1) * scale2)
            _add(grads[3], units2, d_hidden2.sum(0, dtype=torch.float32))
            d_weight2 = _spread((hidden1.T @ d_hidden2).float() * scale1, units2, width2)
            _add(grads[2].T, units1, d_weight2.T)
            _add(grads[0][rows], units1, d_hidden1.sum(1, dtype=torch.float32))
            if row_ids is None:
                _add(grads[1], units1, d_hidden1.sum(0, dtype=torch.float32))
            else:
                grads[1].index_add_(0, row_ids, _spread(d_hidden1.view(-1, active1).float(), units1, width))
        ctx.save_for_backward(*grads)
        return (loss / examples).float()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Scale the gradients that forward has computed."""
        query, candidate, *rest = (gradients[0] * grad for grad in ctx.saved_tensors)
        return (query, candidate, None, *rest, None, None, None, None, None)


def _active_units(width: int, active: int, generator: torch.Generator) -> Tensor | None:
    """Draw the units that dropout leaves; None for all of them, which saves a copy."""
    return None if active == width else torch.randperm(width, generator=generator)[:active].sort().values


def _columns(tensor: Tensor, units: Tensor | None) -> Tensor:
    return tensor if units is None else tensor[..., units]


def _spread(tensor: Tensor, units: Tensor | None, width: int) -> Tensor:
    """Put columns back where they were taken from, zeros elsewhere."""
    return tensor if units is None else tensor.new_zeros(len(tensor), width).index_copy_(1, units, tensor)


def _add(total: Tensor, units: Tensor | None, part: Tensor) -> None:
    """Add a gradient of some columns to the whole."""
    if units is None:
        total += part
    else:
        total.index_add_(total.dim() - 1, units, part)


def contrastive_loss(
    network: GISMoNetwork,
    queries: Tensor,
    candidates: Tensor,
    correction: Tensor,
    targets: Tensor,
    generator: torch.Generator,
    ids: Tensor | None = None,
    dtype: torch.dtype = torch.bfloat16,
) -> Tensor:
    """Return the paper's loss for projected queries [B, width] and candidates [T, width], the fast way.

    Equal to cross-entropy over `network.scores(queries, candidates) - correction` (of only the candidates `ids` where
    each example has its own), with `targets` the positions of the right answers, but for rounding in `dtype` and for
    dropout: units are dropped for a few examples together, which saves computing them.
    """
    dropout = network.shape.dropout if network.training else 0.0
    second, third = network.second, network.third
    loss: Tensor = ContrastiveLoss.apply(  # type: ignore[no-untyped-call]
        queries,
        candidates,
        ids,
        second.weight.T,
        second.bias,
        third.weight[0],
        correction,
        targets,
        dropout,
        generator,
        dtype,
    )
    return loss
