"""Training R-FoodBERT: marked sentences as tokens, the R-BERT head (Wu and He, 2019), inference on all sentences."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from scipy import sparse
from torch import Tensor, nn

from swapchef.errors import DataError
from swapchef.mining.spotting import Spot
from swapchef.rankers.bert import load_bert
from swapchef.rankers.foodbert_training import mean_vectors
from swapchef.rankers.knowledge import unit_rows
from swapchef.rankers.relation import RFoodBERTConfig
from swapchef.rankers.review_text import Reviews, ReviewSentence
from swapchef.training import Epoch, Progress, Rows, TrainingSettings, train

Floats = npt.NDArray[np.float32]
_INFERENCE_BATCH = 64  # examples


@dataclass(frozen=True, eq=False)
class Example:
    """A sentence with a source and a target marked, in word pieces."""

    pieces: list[int]
    source_at: tuple[int, int]  # pieces from, to
    target_at: tuple[int, int]
    source: int
    target: int


class Writer:
    """Writes marked sentences in a tokenizer's word pieces; each word is looked up once."""

    def __init__(self, tokenizer: Any, names: Sequence[str], length: int) -> None:
        self.tokenizer, self.names, self.length = tokenizer, names, length
        self._cache: dict[str, list[int]] = {}

    def _pieces(self, word: str) -> list[int]:
        if word not in self._cache:
            self._cache[word] = self.tokenizer(word, add_special_tokens=False)["input_ids"]
        return self._cache[word]

    def _name(self, id: int) -> list[int]:
        """Return an ingredient's own piece where the vocabulary has it, else the pieces of its name."""
        joined = self.names[id].replace(" ", "_")
        token = self.tokenizer.convert_tokens_to_ids(joined)
        return self._pieces(self.names[id]) if token in {None, self.tokenizer.unk_token_id} else [token]

    def example(self, sentence: ReviewSentence, source: Spot, target: Spot) -> Example | None:
        """Mark source and target; None where they are beyond the network's length."""
        pieces, position = [self.tokenizer.cls_token_id], 0
        at: dict[int, tuple[int, int]] = {}
        for spot in sentence.spots:
            for word in sentence.words[position : spot.start]:
                pieces += self._pieces(word)
            mark = self._pieces("$" if spot.id == source.id else "#") if spot.id in (source.id, target.id) else []
            name = self._name(spot.id)
            at[spot.id] = len(pieces) + len(mark), len(pieces) + len(mark) + len(name)
            pieces += mark + name + mark
            position = spot.end
        if max(at[source.id][1], at[target.id][1]) > self.length - 2:
            return None
        for word in sentence.words[position:]:
            pieces += self._pieces(word)
        pieces = [*pieces[: self.length - 1], self.tokenizer.sep_token_id]
        return Example(pieces, at[source.id], at[target.id], source.id, target.id)


def write_examples(reviews: Reviews, writer: Writer) -> list[Example]:
    """Mark every ordered pair of every sentence."""
    written = (
        writer.example(sentence, source, target)
        for sentence in reviews.sentences
        for source, target in permutations(sentence.spots, 2)
    )
    return [example for example in written if example is not None]


class RBERT(nn.Module):
    """R-BERT: the sentence's vector and the means over source and target, each through a layer, then one logit."""

    def __init__(self, encoder: Any, dropout: float) -> None:
        super().__init__()
        width = int(encoder.config.hidden_size)
        self.encoder = encoder
        self.sentence, self.entity = nn.Linear(width, width), nn.Linear(width, width)
        self.decide = nn.Linear(3 * width, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, examples: Sequence[Example], padding: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return the logits [B] and the vectors of sources and targets [B, d]."""
        longest = max(len(example.pieces) for example in examples)
        pieces = torch.full((len(examples), longest), padding)
        means = torch.zeros(2, len(examples), longest)
        for row, example in enumerate(examples):
            pieces[row, : len(example.pieces)] = torch.tensor(example.pieces)
            for which, (start, end) in enumerate((example.source_at, example.target_at)):
                means[which, row, start:end] = 1.0 / (end - start)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.encoder(input_ids=pieces, attention_mask=(pieces != padding).long()).last_hidden_state
        hidden = hidden.float()
        source, target = (torch.einsum("bl,bld->bd", weights, hidden) for weights in means)
        parts = [
            self.sentence(self.dropout(hidden[:, 0])),
            self.entity(self.dropout(source)),
            self.entity(self.dropout(target)),
        ]
        logits = self.decide(self.dropout(torch.tanh(torch.cat(parts, dim=1)))).squeeze(1)
        return logits, source, target


class RelationTask(nn.Module):
    """One batch's loss as a module's forward: cross-entropy, the rarer substitutions weighted up."""

    def __init__(
        self,
        model: RBERT,
        padding: int,
        labels: dict[tuple[int, int], bool],
        train_examples: list[Example],
        val_examples: list[Example],
    ) -> None:
        super().__init__()
        self.model, self.padding, self.labels = model, padding, labels
        self.train_examples, self.val_examples = train_examples, val_examples
        self.n_examples = len(train_examples)
        positives = sum(self._truth(train_examples))
        self.weight = torch.tensor(max(1.0, (self.n_examples - positives) / max(positives, 1)) ** 0.5)

    @property
    def network(self) -> nn.Module:
        """The loop trains this task, whose parameters are the network's."""
        return self

    def _truth(self, examples: Sequence[Example]) -> list[bool]:
        return [self.labels[example.source, example.target] for example in examples]

    def forward(self, rows: Rows, batch: Rows, seed: tuple[int, int, int]) -> Tensor:
        """Return the mean loss of some sentences."""
        examples = [self.train_examples[row] for row in rows]
        logits, _, _ = self.model(examples, self.padding)
        truth = torch.tensor(self._truth(examples), dtype=torch.float32)
        return nn.functional.binary_cross_entropy_with_logits(logits, truth, pos_weight=self.weight)

    def validate(self) -> float:
        """Return the average precision in percent over the sentences of labelled pairs that were held out."""
        logits, _, _ = read_all(self.model, self.val_examples, self.padding)
        return 100.0 * average_precision(logits, np.array(self._truth(self.val_examples), bool))


def average_precision(scores: Floats, truth: npt.NDArray[np.bool_]) -> float:
    """Return the mean precision at the rank of each true example."""
    order = np.argsort(-scores, kind="stable")
    hits = truth[order]
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float(precision[hits].mean()) if hits.any() else 0.0


def read_all(model: RBERT, examples: list[Example], padding: int) -> tuple[Floats, Floats, Floats]:
    """Return logits [m] and vectors of sources and targets [m, d]; examples of similar length share a batch."""
    order = sorted(range(len(examples)), key=lambda number: len(examples[number].pieces))
    width = int(model.encoder.config.hidden_size)
    logits = np.zeros(len(examples), np.float32)
    sources, targets = (np.zeros((len(examples), width), np.float32) for _ in range(2))
    for start in range(0, len(order), _INFERENCE_BATCH):
        part = order[start : start + _INFERENCE_BATCH]
        outputs = model([examples[number] for number in part], padding)
        logits[part], sources[part], targets[part] = (tensor.float().numpy() for tensor in outputs)
    return logits, sources, targets


def train_relation(
    config: RFoodBERTConfig,
    reviews: Reviews,
    run: Path | None,
    progress: Progress | None,
    on_examples: Callable[[int], None],
) -> tuple[sparse.csr_array, Floats, list[Epoch]]:
    """Train, classify all sentences, and return evidence for each (source, target) [n, n] and mean vectors [n, d].

    `on_examples` is called with the number of training examples before training starts.
    """
    torch.manual_seed(config.seed)
    encoder, tokenizer = load_bert(config.start, masked=False)
    model, padding = RBERT(encoder, config.dropout), int(tokenizer.pad_token_id or 0)
    examples = write_examples(reviews, Writer(tokenizer, reviews.names, config.length))
    train_examples, val_examples = split_examples(examples, reviews, config)
    if not train_examples or not val_examples:
        raise DataError("No sentence names a labelled pair; hand R-FoodBERT more reviews or labels.")
    task = RelationTask(model, padding, dict(reviews.labels), train_examples, val_examples)
    on_examples(task.n_examples)
    history = train(task, TrainingSettings.of(config, task.n_examples), run, progress)
    model.eval()
    with torch.no_grad():
        logits, sources, targets = read_all(model, examples, padding)
    n = len(reviews.names)
    pairs = np.array([(example.source, example.target) for example in examples])
    evidence = gather_evidence(1 / (1 + np.exp(-logits.astype(np.float64))), pairs, n, config.together)
    owners, vectors = np.concatenate([pairs[:, 0], pairs[:, 1]]).astype(np.int32), np.concatenate([sources, targets])
    return evidence, mean_vectors(owners, unit_rows(vectors), n), history


def split_examples(
    examples: list[Example], reviews: Reviews, config: RFoodBERTConfig
) -> tuple[list[Example], list[Example]]:
    """Return training and validation sentences of labelled pairs; both directions of a pair are in the same part."""
    random = np.random.default_rng((config.seed, 8))
    by_pair: dict[tuple[int, int], list[Example]] = defaultdict(list)
    for example in examples:
        if (example.source, example.target) in reviews.labels:
            by_pair[example.source, example.target].append(example)
    unordered = sorted({(min(pair), max(pair)) for pair in by_pair})
    swaps = [pair for pair in unordered if reviews.labels[pair] or reviews.labels[pair[::-1]]]
    rest = [pair for pair in unordered if pair not in set(swaps)]
    held_out = {
        group[number]
        for group in (swaps, rest)  # some of each kind
        for number in random.permutation(len(group))[: max(1, round(config.held_out * len(group)))]
        if len(group) > 1
    }
    parts: tuple[list[Example], list[Example]] = [], []
    for pair, sentences in sorted(by_pair.items()):
        sampled = sorted(random.permutation(len(sentences))[: config.sentences_per_pair])
        parts[(min(pair), max(pair)) in held_out].extend(sentences[number] for number in sampled)
    return parts


def gather_evidence(
    probability: npt.NDArray[np.float64], pairs: npt.NDArray[np.int64], n: int, together: str
) -> sparse.csr_array:
    """Combine the sentences of each pair into one score: [n, n]."""
    keys, group, counts = np.unique(pairs[:, 0] * n + pairs[:, 1], return_inverse=True, return_counts=True)
    if together == "max":
        value = np.zeros(len(keys))
        np.maximum.at(value, group, probability)
    else:
        value = np.bincount(group, probability, minlength=len(keys)) / (counts if together == "mean" else 1)
    return sparse.csr_array((value.astype(np.float32), (keys // n, keys % n)), shape=(n, n))
