"""From a photo's summary to the ingredients in it: two networks to choose from, and the selection of the likeliest.

The feed-forward head is the paper's, with binary cross-entropy for every ingredient and a last layer that starts from
vectors of how 73,000 text recipes use ingredients; the set transformer of the original inverse cooking names one
ingredient after another. Threshold and number of ingredients are tuned on val, for micro F1.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from swapchef.cooking.metrics import Selection
from swapchef.training import Rows

Floats = npt.NDArray[np.float32]
Kind = Literal["feed-forward", "set-transformer"]
_MIN_COUNTS, _MAX_COUNTS = range(7), range(8, 26)  # ingredients of a photo, to choose from on val


@dataclass(frozen=True)
class HeadSettings:
    """How the networks that name ingredients look and learn."""

    kind: Kind = "feed-forward"
    width: int = 512
    rank: int = 128  # of the ingredients' vectors
    dropout: float = 0.8
    epochs: int = 12
    batch: int = 128
    learning_rate: float = 1e-3
    weight_decay: float = 1e-5
    patience: int = 12
    seed: int = 0


class FeedForwardHead(nn.Module):
    """Summary of a photo in, the logit of every known ingredient out."""

    def __init__(self, settings: HeadSettings, features: int, vectors: Floats, prior: Floats) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(features, settings.width),
            nn.GELU(),
            nn.Dropout(settings.dropout),
            nn.Linear(settings.width, vectors.shape[1]),
        )
        self.vectors = nn.Parameter(torch.from_numpy(vectors).clone())
        self.prior = nn.Parameter(torch.logit(torch.from_numpy(prior).clamp(1e-4, 0.9)))

    def forward(self, features: Tensor) -> Tensor:
        """Return logits [b, known]."""
        return functional.linear(self.layers(features), self.vectors, self.prior)


class SetTransformerHead(nn.Module):
    """Names ingredients one after another; all that it names are the set."""

    max_length = 20

    def __init__(self, settings: HeadSettings, features: int, known: int) -> None:
        super().__init__()
        width = settings.width // 2
        self.known = known
        self.photo = nn.Linear(features, width)
        self.names = nn.Embedding(known + 1, width)  # the last one starts and ends a set
        layer = nn.TransformerDecoderLayer(width, 4, 2 * width, settings.dropout / 2, batch_first=True, norm_first=True)
        self.layers = nn.TransformerDecoder(layer, 2)
        self.out = nn.Linear(width, known + 1)

    def forward(self, features: Tensor, sets: Tensor) -> Tensor:
        """Return logits [b, t + 1, known + 1] after each prefix of sets [b, t]."""
        start = torch.full((len(sets), 1), self.known, dtype=torch.int64)
        prefix = self.names(torch.cat([start, sets], dim=1))
        mask = nn.Transformer.generate_square_subsequent_mask(prefix.shape[1])
        logits: Tensor = self.out(self.layers(prefix, self.photo(features)[:, None], tgt_mask=mask, tgt_is_causal=True))
        return logits

    def generate(self, features: Tensor) -> Tensor:
        """Name ingredients until the end; return the probability each was named with [b, known], 0 where it was not."""
        sets = torch.zeros((len(features), 0), dtype=torch.int64)
        named = torch.zeros((len(features), self.known))
        unfinished = torch.ones(len(features), dtype=torch.bool)
        for _ in range(self.max_length):
            probabilities = self(features, sets)[:, -1].softmax(dim=1)
            probabilities[:, : self.known].masked_fill_(named > 0, 0.0)
            best, next_one = probabilities.max(dim=1)
            unfinished &= next_one != self.known
            if not bool(unfinished.any()):
                break
            next_one = torch.where(unfinished, next_one, self.known)
            named[unfinished, next_one[unfinished]] = best[unfinished]
            sets = torch.cat([sets, next_one[:, None]], dim=1)
        return named


@dataclass(frozen=True, eq=False)
class Examples:
    """Summaries of photos and of their mirror images, and what is in them."""

    features: Floats  # [photos, 2, f], standardised
    sets: Floats  # [photos, known] of 0 and 1


class HeadTask(nn.Module):
    """Trains a head on cached features."""

    def __init__(self, head: nn.Module, train: Examples, val: Examples) -> None:
        super().__init__()
        self.head, self.examples, self.val = head, train, val
        self.n_examples = len(train.sets)

    @property
    def network(self) -> nn.Module:
        """The loop trains this task, whose parameters are the head's."""
        return self

    def validate(self) -> float:
        """Return the best micro F1 that any threshold gives on val."""
        return best_threshold(probabilities(self.head, self.val.features), self.val.sets)[1]

    def forward(self, rows: Rows, _batch: Rows, _seed: tuple[int, int, int]) -> Tensor:
        """Return the loss of some photos, each as it is or mirrored."""
        sides = torch.randint(2, (len(rows),)).numpy()
        features = torch.from_numpy(self.examples.features[rows, sides])
        sets = torch.from_numpy(self.examples.sets[rows])
        if isinstance(self.head, SetTransformerHead):
            return _set_loss(self.head, features, sets)
        loss: Tensor = functional.binary_cross_entropy_with_logits(self.head(features), sets, reduction="sum")
        return loss / len(rows)


def _set_loss(head: SetTransformerHead, features: Tensor, sets: Tensor) -> Tensor:
    """Score the union of all that is named against the set, and the end where the set is complete."""
    sizes = sets.sum(dim=1).long().clamp(max=head.max_length - 1)
    order = torch.where(sets > 0, torch.rand_like(sets), -1.0).argsort(dim=1, descending=True)[:, : int(sizes.max())]
    inside = torch.arange(order.shape[1])[None] < sizes[:, None]
    logits = head(features, torch.where(inside, order, head.known))
    probabilities = logits.softmax(dim=2)
    is_before_end = torch.arange(probabilities.shape[1])[None] < sizes[:, None]
    union = probabilities[:, :, : head.known].masked_fill(~is_before_end[:, :, None], 0.0).amax(dim=1)
    set_loss = functional.binary_cross_entropy(union.clamp(1e-6, 1 - 1e-6), sets, reduction="sum")
    is_end = torch.arange(probabilities.shape[1])[None] == sizes[:, None]
    end_loss = functional.binary_cross_entropy(
        probabilities[:, :, head.known].clamp(1e-6, 1 - 1e-6),
        is_end.float(),
        weight=(is_before_end | is_end).float(),
        reduction="sum",
    )
    return (set_loss + end_loss) / len(sets)


def probabilities(head: nn.Module, features: Floats) -> Floats:
    """Return each known ingredient's probability [photos, known], the mean over a photo and its mirror image."""
    with torch.no_grad():
        both = torch.from_numpy(features)
        if isinstance(head, SetTransformerHead):
            mean = head.generate(both.mean(dim=1))
        else:
            mean = torch.sigmoid(head(both)).mean(dim=1)
    return np.asarray(mean.numpy(), np.float32)


def best_threshold(probabilities: Floats, sets: Floats, missed: int = 0) -> tuple[float, float]:
    """Return the threshold for the best micro F1, and that F1.

    `missed` counts ingredients of the photos that are none of the known ones.
    """
    order = np.argsort(-probabilities, axis=None)[: 40 * len(probabilities)]
    hits = np.cumsum(sets.ravel()[order])
    n_true = float(sets.sum()) + missed
    scores = 200 * hits / (np.arange(1, len(order) + 1) + n_true)
    best = int(scores.argmax())
    last, next_one = probabilities.ravel()[order[best]], probabilities.ravel()[order[min(best + 1, len(order) - 1)]]
    return float(last + next_one) / 2, float(scores[best])  # between the two, so that rounding decides nothing


def best_selection(probabilities: Floats, sets: Floats, missed: int = 0) -> Selection:
    """Return the threshold for the best micro F1, and then the minimal and maximal count that improve it most."""
    threshold, _ = best_threshold(probabilities, sets, missed)
    n_true = float(sets.sum()) + missed

    def f1(selection: Selection) -> float:
        selected = [selection.select(row) for row in probabilities]
        hits = sum(float(row[indices].sum()) for row, indices in zip(sets, selected, strict=True))
        return 200 * hits / (sum(map(len, selected)) + n_true)

    return max((Selection(threshold, least, most) for least in _MIN_COUNTS for most in _MAX_COUNTS), key=f1)


def standardised(summary: Floats, mean: Floats, spread: Floats) -> Floats:
    """Return summaries as the heads learn from them."""
    return np.asarray((summary - mean) / spread, np.float32)


def start_vectors(usage: Floats, known: npt.NDArray[np.int64], rank: int) -> Floats:
    """Return a vector for each known ingredient, alike where recipes use them alike: [known, rank]."""
    vectors = usage[known, :rank]
    spread = float(vectors.std()) or 1.0
    return np.ascontiguousarray(vectors / spread * rank**-0.5, np.float32)


def new_head(settings: HeadSettings, features: int, vectors: Floats, prior: Floats) -> nn.Module:
    """Return an untrained head."""
    torch.manual_seed(settings.seed)
    if settings.kind == "set-transformer":
        return SetTransformerHead(settings, features, len(vectors))
    return FeedForwardHead(settings, features, vectors, prior)
