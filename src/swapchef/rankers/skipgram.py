"""Skip-gram with negative sampling (Mikolov et al., 2013) by gensim, one epoch at a time, resumable and repeatable.

gensim's own files are pickles and its worker threads are not deterministic, so each epoch runs on one thread, seeded by
(seed, epoch), and ends in a safetensors checkpoint. The vectors of the epoch that is best on val are returned.
"""

import json
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from swapchef.errors import DataError, SwapchefError
from swapchef.sources import atomic_path

if TYPE_CHECKING:
    from gensim.models import Word2Vec

    from swapchef.training import Epoch, Progress

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int32]
_PROGRESS = 2_000  # sentences between two calls of the progress callback
_SAMPLE = 20_000  # pairs of neighbours on which an epoch's loss is measured
_LOWEST_RATE = 1e-4


@dataclass(frozen=True)
class SkipGramSettings:
    """The hyperparameters of word2vec."""

    width: int
    window: int
    negatives: int
    epochs: int
    patience: int
    learning_rate: float
    min_count: int  # words that are rarer get no vector
    sample: float  # frequent words are left out more, the smaller this is; 0 leaves all in
    seed: int
    skip_gram: bool = True  # False: CBOW, which guesses a word from its neighbours together


@dataclass(frozen=True, eq=False)
class Sentences:
    """Tokens of all sentences in one array; gensim iterates over it several times."""

    tokens: Ids  # [t]
    starts: npt.NDArray[np.int64]  # [sentences + 1]
    on_read: Callable[[int], None] = lambda _: None  # called with the number of sentences since the last call

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[list[int]]:
        starts = self.starts.tolist()
        for number in range(len(self)):
            yield self.tokens[starts[number] : starts[number + 1]].tolist()
            if (number + 1) % _PROGRESS == 0:
                self.on_read(_PROGRESS)
        self.on_read(len(self) % _PROGRESS)


def train_vectors(
    sentences: Sentences,
    settings: SkipGramSettings,
    n: int,
    validate: Callable[[Floats], float],
    run: Path | None,
    progress: "Progress",
) -> tuple[Floats, "list[Epoch]"]:
    """Learn vectors of the tokens 0..n-1, zeros for those too rare, and return the best by `validate`: [n, width]."""
    from swapchef.training import CHECKPOINT, Epoch, write_log

    model = _model(sentences, settings)
    history: list[Epoch] = []
    best = _vectors(model, n)
    path = None if run is None else run / CHECKPOINT
    if path is not None and path.exists():
        history, best = _resume(path, model, settings)
        progress.step(len(history) * len(sentences))
    with_progress = Sentences(sentences.tokens, sentences.starts, progress.step)
    while len(history) < settings.epochs and not _out_of_patience(history, settings.patience):
        start, number = time.perf_counter(), len(history)
        _train_epoch(model, with_progress, settings, number)
        vectors = _vectors(model, n)
        epoch = Epoch(number + 1, _loss(model, sentences, settings), validate(vectors), time.perf_counter() - start)
        if epoch.val > max((earlier.val for earlier in history), default=-math.inf):
            best = vectors
        history.append(epoch)
        if path is not None:
            _checkpoint(path, model, best, history, settings)
            write_log(path.parent / "log.csv", history)
        progress.epoch(epoch)
    return best, history


def _model(sentences: Sentences, settings: SkipGramSettings) -> "Word2Vec":
    try:
        from gensim.models import Word2Vec
    except ImportError:
        raise SwapchefError("word2vec needs gensim; install swapchef[train] and try again.") from None
    model = Word2Vec(
        vector_size=settings.width,
        window=settings.window,
        negative=settings.negatives,
        sg=int(settings.skip_gram),
        sample=settings.sample,
        min_count=settings.min_count,
        alpha=settings.learning_rate,
        min_alpha=min(_LOWEST_RATE, settings.learning_rate),
        workers=1,  # several threads would update the same vectors in an order that cannot be repeated
        seed=settings.seed,
    )
    try:
        model.build_vocab(sentences)
    except RuntimeError:
        raise DataError(f"No word occurs {settings.min_count} times in the text; lower min_count.") from None
    if not len(model.wv):
        raise DataError(f"No word occurs {settings.min_count} times in the text; lower min_count.")
    return model


def _train_epoch(model: "Word2Vec", sentences: Sentences, settings: SkipGramSettings, number: int) -> None:
    model.random = np.random.RandomState(np.random.SeedSequence((settings.seed, number)).generate_state(4))
    low = min(_LOWEST_RATE, settings.learning_rate)
    rates = np.linspace(settings.learning_rate, low, settings.epochs + 1)
    model.train(
        sentences,
        total_examples=len(sentences),
        epochs=1,
        start_alpha=float(rates[number]),
        end_alpha=float(rates[number + 1]),
    )


def _vectors(model: "Word2Vec", n: int) -> Floats:
    """Return the vectors of the first n tokens by their own numbers; gensim sorts by frequency."""
    vectors = np.zeros((n, model.vector_size), np.float32)
    for token, row in model.wv.key_to_index.items():
        if token < n:
            vectors[token] = model.wv.vectors[row]
    return vectors


def _loss(model: "Word2Vec", sentences: Sentences, settings: SkipGramSettings) -> float:
    """Return the loss on a fixed sample of neighbours, one negative each; gensim's running total loses precision."""
    random = np.random.default_rng(settings.seed)
    rows = np.full(int(sentences.tokens.max()) + 1, -1)
    keys = np.fromiter(model.wv.key_to_index, np.int64, len(model.wv))
    rows[keys] = np.arange(len(keys))
    first = random.integers(len(sentences.tokens) - 1, size=_SAMPLE) if len(sentences.tokens) > 1 else np.zeros(1, int)
    second = np.minimum(first + 1, len(sentences.tokens) - 1)
    word, neighbour = rows[sentences.tokens[first]], rows[sentences.tokens[second]]
    in_vocabulary = (word >= 0) & (neighbour >= 0)
    negative = random.integers(len(keys), size=int(in_vocabulary.sum()))
    vectors = model.wv.vectors[word[in_vocabulary]].astype(np.float64)
    positive_logits = np.einsum("ij,ij->i", vectors, model.syn1neg[neighbour[in_vocabulary]])
    negative_logits = np.einsum("ij,ij->i", vectors, model.syn1neg[negative])
    losses = np.logaddexp(0, -positive_logits) + np.logaddexp(0, negative_logits)
    return float(np.mean(losses)) if len(losses) else 0.0


def _out_of_patience(history: "list[Epoch]", patience: int) -> bool:
    return bool(history) and len(history) - max(history, key=lambda epoch: epoch.val).epoch >= patience


def _checkpoint(
    path: Path, model: "Word2Vec", best: Floats, history: "list[Epoch]", settings: SkipGramSettings
) -> None:
    tensors = {"vectors": model.wv.vectors, "outputs": model.syn1neg, "best": best}
    metadata = {"settings": json.dumps(asdict(settings)), "history": json.dumps([asdict(epoch) for epoch in history])}
    with atomic_path(path) as temporary:
        save_file({name: np.ascontiguousarray(array) for name, array in tensors.items()}, temporary, metadata=metadata)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())


def _resume(path: Path, model: "Word2Vec", settings: SkipGramSettings) -> "tuple[list[Epoch], Floats]":
    from swapchef.training import Epoch

    try:
        with safe_open(path, framework="numpy") as file:
            metadata: dict[str, Any] = file.metadata()
            vectors, outputs, best = (file.get_tensor(name) for name in ("vectors", "outputs", "best"))
        if json.loads(metadata["settings"]) != asdict(settings):
            raise DataError(f"{path.parent} holds a run with other settings; name another folder or remove it.")
        if vectors.shape != model.wv.vectors.shape or outputs.shape != model.syn1neg.shape:
            raise DataError(f"{path.parent} holds a run on another text; name another folder or remove it.")
        history = [Epoch(**epoch) for epoch in json.loads(metadata["history"])]
    except (OSError, ValueError, KeyError, TypeError, SafetensorError):
        raise DataError(f"{path} is damaged or belongs to another ranker; remove it to start again.") from None
    model.wv.vectors[:], model.syn1neg[:] = vectors, outputs
    return history, best
