"""Generate recipes token by token: greedy, by beam search or sampled, several at once.

A `Network` gives the logits of the next token from the KV caches of all before it (ONNX where it is served, torch where
it is trained and tested); everything here is NumPy. A token that would repeat six tokens of the same recipe is masked,
and so is an end before the first step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from swapchef.cooking.tokenizer import END, INGREDIENT, PAD, STEP, TITLE, GeneratedRecipe, RecipeTokenizer, pad_names
from swapchef.errors import SwapchefError

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
KVCache = tuple[Floats, Floats]  # keys and values: [layers, b, heads, t, d]

_MASKED = np.float32(-1e9)  # the logit of a token that must not come
_TOP_K = 64  # tokens that nearly always have all the probability that is drawn from


class Network(Protocol):
    """What generation needs of a decoder."""

    max_length: int
    layers: int
    heads: int
    head_width: int

    def prefill(self, names: Ids, name_positions: Ids, parts: Floats, has_photo: Mask) -> tuple[KVCache, Mask]:
        """Return every layer's keys and values of ingredients and photo, and the mask of those that exist."""

    def step(self, tokens: Ids, past: KVCache, memory: KVCache, mask: Mask) -> tuple[Floats, KVCache]:
        """Return the logits [b, v] of the next tokens, and the keys and values of these."""


@dataclass(frozen=True)
class GenerationSettings:
    """How to choose the next token."""

    strategy: Literal["greedy", "beam", "sample"] = "greedy"
    beams: int = 4
    top_p: float = 0.9
    temperature: float = 0.8
    no_repeat: int = 6  # as many tokens in a row are not written twice
    max_length: int = 320
    seed: int = 0


@dataclass(frozen=True)
class Prompt:
    """What a recipe is to be written from; `title` fixes its first words."""

    ingredients: tuple[str, ...]
    parts: Floats | None = None  # [p, d]
    title: str = ""


def generate(
    network: Network,
    tokenizer: RecipeTokenizer,
    prompts: Sequence[Prompt],
    photo_width: int,
    settings: GenerationSettings | None = None,
) -> list[GeneratedRecipe]:
    """Write a recipe for each prompt."""
    settings = settings or GenerationSettings()
    if not prompts:
        return []
    if settings.strategy == "beam":
        return [tokenizer.decode(_beam_search(network, tokenizer, one, photo_width, settings)) for one in prompts]
    random = np.random.default_rng(settings.seed) if settings.strategy == "sample" else None
    texts = _generate_batch(network, tokenizer, prompts, photo_width, settings, [random] * len(prompts))
    return [tokenizer.decode(tokens) for tokens in texts]


def generate_drafts(
    network: Network,
    tokenizer: RecipeTokenizer,
    prompts: Sequence[Prompt],
    photo_width: int,
    counts: Sequence[int],
) -> list[list[GeneratedRecipe]]:
    """Write `counts` recipes for each prompt, all of the likeliest title: the likeliest, then samples close to it.

    But for rounding a draft does not depend on the other prompts, so a recipe stays the same when another is written
    beside it.
    """
    rows = [prompt for prompt, count in zip(prompts, counts, strict=True) for _ in range(count)]
    if not rows:
        return [[] for _ in prompts]
    settings = GenerationSettings("sample", temperature=0.5)
    generators = [
        np.random.default_rng((settings.seed, draft)) if draft else None for count in counts for draft in range(count)
    ]
    texts = iter(_generate_batch(network, tokenizer, rows, photo_width, settings, generators, samples_title=False))
    return [[tokenizer.decode(next(texts)) for _ in range(count)] for count in counts]


def _generate_batch(
    network: Network,
    tokenizer: RecipeTokenizer,
    prompts: Sequence[Prompt],
    photo_width: int,
    settings: GenerationSettings,
    generators: Sequence[np.random.Generator | None],
    samples_title: bool = True,
) -> list[list[int]]:
    """Write all recipes together; each token is sampled, or the likeliest where a recipe has no generator."""
    memory, mask = network.prefill(*prefill_inputs(tokenizer, prompts, photo_width))
    forced = [_forced_tokens(tokenizer, prompt) for prompt in prompts]
    texts: list[list[int]] = [[TITLE] for _ in prompts]
    past = _empty_cache(network, len(prompts))
    unfinished = list(range(len(prompts)))
    for position in range(min(settings.max_length, network.max_length) - 1):
        logits, new = network.step(np.array([texts[row][-1] for row in unfinished], np.int64), past, memory, mask)
        past = _extended(past, new)
        for row, row_logits in zip(unfinished, logits, strict=True):
            tokens, random = texts[row], generators[row]
            if position + 1 < len(forced[row]):
                tokens.append(forced[row][position + 1])
                continue
            allowed = _masked(row_logits, tokens, settings)
            if random is None or not (samples_title or STEP in tokens):
                tokens.append(int(allowed.argmax()))
            else:
                tokens.append(_sample(allowed, settings, random))
        going_on = [index for index, row in enumerate(unfinished) if texts[row][-1] != END]
        if not going_on:
            break
        if len(going_on) < len(unfinished):
            unfinished, mask = [unfinished[index] for index in going_on], mask[going_on]
            past, memory = ((keys[:, going_on], values[:, going_on]) for keys, values in (past, memory))
    return texts


def _beam_search(
    network: Network, tokenizer: RecipeTokenizer, prompt: Prompt, photo_width: int, settings: GenerationSettings
) -> list[int]:
    """Follow several texts at once and return the likeliest for its length."""
    memory, mask = network.prefill(*prefill_inputs(tokenizer, [prompt] * settings.beams, photo_width))
    forced = _forced_tokens(tokenizer, prompt)
    texts = [list(forced[:1]) for _ in range(settings.beams)]
    totals = np.full(settings.beams, _MASKED)
    totals[0] = 0.0  # all beams are one text until they diverge
    finished: list[tuple[float, list[int]]] = []
    past = _empty_cache(network, settings.beams)
    for position in range(min(settings.max_length, network.max_length) - 1):
        logits, new = network.step(np.array([tokens[-1] for tokens in texts], np.int64), past, memory, mask)
        past = _extended(past, new)
        if position + 1 < len(forced):
            for tokens in texts:
                tokens.append(forced[position + 1])
            continue
        log_probabilities = np.stack(
            [_log_softmax(_masked(row, tokens, settings)) for row, tokens in zip(logits, texts, strict=True)]
        )
        sums = totals[:, None] + log_probabilities
        best = np.argsort(-sums, axis=None)[: 2 * settings.beams]
        continued: list[tuple[int, int]] = []
        for beam, token in zip(*np.unravel_index(best, sums.shape), strict=True):
            if token == END:
                finished.append((float(sums[beam, token]) / (len(texts[beam]) + 1), [*texts[beam], END]))
            elif len(continued) < settings.beams:
                continued.append((int(beam), int(token)))
        totals = np.array([sums[beam_and_token] for beam_and_token in continued])
        texts = [[*texts[beam], token] for beam, token in continued]
        order = [beam for beam, _ in continued]
        past = past[0][:, order], past[1][:, order]
        if len(finished) >= settings.beams and max(finished)[0] >= float(totals.max()) / len(texts[0]):
            break
    return max(finished)[1] if finished else texts[int(totals.argmax())]


def prefill_inputs(
    tokenizer: RecipeTokenizer, prompts: Sequence[Prompt], photo_width: int
) -> tuple[Ids, Ids, Floats, Mask]:
    """Return prompts as arrays: tokens of names, their positions, parts of photos, whether there is a photo."""
    names, name_positions = pad_names([[tokenizer.encode_name(name) for name in one.ingredients] for one in prompts])
    n_parts = max((len(one.parts) for one in prompts if one.parts is not None), default=1)
    parts = np.zeros((len(prompts), n_parts, photo_width), np.float32)
    for row, prompt in enumerate(prompts):
        if prompt.parts is not None:
            if prompt.parts.shape != parts.shape[1:]:
                raise SwapchefError("The photo was encoded by another network than the recipe decoder learned from.")
            parts[row] = prompt.parts
    return names, name_positions, parts, np.array([prompt.parts is not None for prompt in prompts])


def _forced_tokens(tokenizer: RecipeTokenizer, prompt: Prompt) -> list[int]:
    """Return the tokens that a recipe begins with, whatever the network says."""
    return [TITLE] if not prompt.title else [*tokenizer.encode(prompt.title, [])[:-1], STEP]


def _empty_cache(network: Network, rows: int) -> KVCache:
    empty = np.zeros((network.layers, rows, network.heads, 0, network.head_width), np.float32)
    return empty, empty


def _extended(past: KVCache, new: KVCache) -> KVCache:
    return np.concatenate([past[0], new[0]], axis=3), np.concatenate([past[1], new[1]], axis=3)


def _masked(logits: Floats, tokens: list[int], settings: GenerationSettings) -> Floats:
    """Mask special tokens where they make no sense, and what would repeat a run of tokens."""
    logits = logits.copy()
    logits[[PAD, TITLE, INGREDIENT]] = _MASKED
    if STEP not in tokens or tokens[-1] == STEP:
        logits[END] = _MASKED
    if tokens[-1] in {STEP, TITLE}:
        logits[STEP] = _MASKED
    run = settings.no_repeat - 1
    if run > 0 and len(tokens) > run:
        last = tokens[-run:]
        for start in range(len(tokens) - run):
            if tokens[start : start + run] == last:
                logits[tokens[start + run]] = _MASKED
    return logits


def _sample(logits: Floats, settings: GenerationSettings, random: np.random.Generator) -> int:
    """Draw a token from the likeliest that together have `top_p` of the probability."""
    probabilities = np.exp(_log_softmax(logits / settings.temperature).astype(np.float64))
    likeliest = np.argpartition(-probabilities, min(_TOP_K, len(logits) - 1))[:_TOP_K]
    if probabilities[likeliest].sum() < settings.top_p:
        likeliest = np.arange(len(logits))
    order = likeliest[np.argsort(-probabilities[likeliest], kind="stable")]
    nucleus = order[: 1 + int(np.searchsorted(np.cumsum(probabilities[order]), settings.top_p))]
    return int(random.choice(nucleus, p=probabilities[nucleus] / probabilities[nucleus].sum()))


def _log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max()
    log_probabilities: Floats = shifted - np.log(np.exp(shifted).sum())
    return log_probabilities
