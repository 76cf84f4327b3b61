"""The mathematics of `gismo`, many times quicker on a processor: the same scores, loss and gradients but for rounding.

The decoder's first layer is linear in its parts, W (h_s || h_v || c) = W_s h_s + W_v h_v + W_c c, so sources,
candidates and contexts are projected by themselves and no pair is written out. `contrastive_loss` runs forward and
backward over a few examples at a time, whose hidden layers stay in the cache; `QuickDecoder` ranks all ingredients.
"""

from typing import Any

import torch
from torch import Tensor

from swapchef.rankers.gismo import GISMo, SubstitutionDecoder

_EXAMPLES_IN_CACHE = 8  # examples whose hidden layers are alive at once; 8 x 400 candidates x 300 units fit in L2


class SplitLayer:
    """The decoder's first layer in its parts; the weights are views, so that gradients reach the layer."""

    def __init__(self, decoder: SubstitutionDecoder) -> None:
        width, first = decoder.encoded_width, decoder.first
        sizes = [width, width, first.in_features - 2 * width]
        self._source, self._candidate, self._context = (part.T for part in torch.split(first.weight, sizes, 1))
        self._bias = first.bias

    def queries(self, sources: Tensor, contexts: Tensor) -> Tensor:
        """Project sources [B, d] and contexts [B, c], the bias with them: [B, d]."""
        projected: Tensor = sources @ self._source + contexts @ self._context + self._bias
        return projected

    def candidates(self, h: Tensor) -> Tensor:
        """Project candidates: [K, d] -> [K, d]."""
        projected: Tensor = h @ self._candidate
        return projected


class QuickDecoder:
    """Scores every ingredient for one query at a time, by default in half precision: enough to rank val by.

    relu(q + v) W = max(v, -q) W + q W, so the candidates are passed over once and no pair is added up.
    """

    def __init__(self, network: GISMo, h: Tensor, dtype: torch.dtype = torch.bfloat16) -> None:
        decoder = network.decoder
        self._candidates = SplitLayer(decoder).candidates(h[: network.n_ingredients]).to(dtype)  # [n, d]
        self._weight2, self._bias2 = decoder.second.weight.T.to(dtype), decoder.second.bias
        self._exact2 = self._weight2.float()
        self._weight3 = decoder.third.weight[0]
        self._hidden1 = torch.empty_like(self._candidates)
        self._hidden2 = torch.empty(len(self._candidates), len(self._bias2), dtype=dtype)

    def scores(self, query: Tensor) -> Tensor:
        """Score all ingredients for a projected query [d]: [n]."""
        query = query.to(self._candidates.dtype)
        torch.maximum(self._candidates, -query, out=self._hidden1)
        shift = (query.float() @ self._exact2 + self._bias2).to(query.dtype)
        torch.addmm(shift, self._hidden1, self._weight2, out=self._hidden2).relu_()
        return self._hidden2.float() @ self._weight3  # not rounded, or many would tie


def contrastive_loss(
    decoder: SubstitutionDecoder,
    queries: Tensor,
    candidates: Tensor,
    targets: Tensor,
    correction: Tensor,
    generator: torch.Generator,
    ids: Tensor | None = None,
    dtype: torch.dtype = torch.bfloat16,
) -> Tensor:
    """Return `gismo.contrastive_loss` for projected queries [B, d] and candidates [T, d].

    All examples share the candidates, or each has those of its row in `ids` [B, K]; the correction is subtracted from
    their scores. Equal but for rounding in `dtype`, and for dropout: units are dropped for a few examples together, as
    many as the rate says and never more, which saves computing them.
    """
    dropout = decoder.dropout if decoder.training else 0.0
    second, third = decoder.second, decoder.third
    weights = (second.weight.T, second.bias, third.weight[0])
    arguments = (queries, candidates, ids, *weights, correction, targets, dropout, generator, dtype)
    loss: Tensor = _FusedLoss.apply(*arguments)  # type: ignore[no-untyped-call]
    return loss


class _FusedLoss(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        queries: Tensor,  # [B, d]
        candidates: Tensor,  # [T, d]
        ids: Tensor | None,  # [B, K] which candidates each example has; None: all examples share all T = K
        weight2: Tensor,  # [d, d2]
        bias2: Tensor,  # [d2]
        weight3: Tensor,  # [d2]
        correction: Tensor,  # [K] or []
        targets: Tensor,  # [B] positions of the targets among the candidates
        dropout: float,
        generator: torch.Generator,
        dtype: torch.dtype,
    ) -> Tensor:
        """Compute the loss and, while each group of examples is in the cache, its gradients."""
        sums_dtype = torch.float64 if dtype == torch.float64 else torch.float32
        examples, width = queries.shape
        count, width2 = len(candidates) if ids is None else ids.shape[1], weight2.shape[1]
        active1, active2 = round(width * (1 - dropout)), round(width2 * (1 - dropout))
        scale1, scale2 = width / active1, width2 / active2  # make up for dropped units, as factors of the next weights
        query, candidate, w2, b2, w3 = (
            tensor.to(dtype) for tensor in (queries, candidates, weight2 * scale1, bias2, weight3 * scale2)
        )
        d_queries, d_candidates, d_weight2, d_bias2, d_weight3 = gradients = [
            torch.zeros_like(tensor, dtype=sums_dtype) for tensor in (queries, candidates, weight2, bias2, weight3)
        ]
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
            logits = (hidden2 @ w3_part).view(size, count).to(sums_dtype) - correction
            log_p, positions = torch.log_softmax(logits, dim=1), targets[rows, None]  # [size, K], [size, 1]
            loss -= log_p.gather(1, positions).sum()
            d_logits = log_p.exp().scatter_add_(1, positions, torch.full(positions.shape, -1.0, dtype=sums_dtype))
            d_logits = (d_logits / examples).to(dtype).view(-1, 1)  # p - 1 for the target, p for the others
            d_hidden2 = torch.ops.aten.threshold_backward(d_logits * w3_part, hidden2, 0)
            d_hidden1 = torch.ops.aten.threshold_backward(d_hidden2 @ w2_part.T, hidden1, 0).view(size, count, active1)
            _add(d_weight3, units2, (hidden2.T @ d_logits).to(sums_dtype).view(-1) * scale2)
            _add(d_bias2, units2, d_hidden2.sum(0, dtype=sums_dtype))
            d_part = _spread((hidden1.T @ d_hidden2).to(sums_dtype) * scale1, units2, width2)  # [active1, d2]
            _add(d_weight2.T, units1, d_part.T)
            _add(d_queries[rows], units1, d_hidden1.sum(1, dtype=sums_dtype))
            if row_ids is None:
                _add(d_candidates, units1, d_hidden1.sum(0, dtype=sums_dtype))
            else:
                d_candidates.index_add_(0, row_ids, _spread(d_hidden1.view(-1, active1).to(sums_dtype), units1, width))
        ctx.save_for_backward(*gradients)
        return (loss / examples).to(sums_dtype)

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
