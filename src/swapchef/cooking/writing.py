"""Writing recipes piece by piece: greedy, beam or sampled, several at once, without going round in circles.

A `Network` gives the scores of the next piece from what is kept of all before it (ONNX where it is served, torch where it is
trained and tested); everything here is NumPy. A piece that would repeat six pieces of the same recipe is passed over, and so is
an end before the first step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from swapchef.cooking.text import END, INGREDIENT, PAD, STEP, TITLE, RecipeText, Written, side_by_side
from swapchef.errors import SwapchefError

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]
Kept = tuple[Floats, Floats]  # keys and values: [layers, b, heads, t, d]

_IMPOSSIBLE = np.float32(-1e9)
_LOOKED_AT = 64  # pieces that nearly always have all the probability that is drawn from


class Network(Protocol):
    """What writing needs of a decoder."""

    longest: int
    layers: int
    heads: int
    width: int  # of a head

    def remember(
        self, names: Ids, places: Ids, parts: Floats, has_photo: npt.NDArray[np.bool_]
    ) -> tuple[Kept, npt.NDArray[np.bool_]]:
        """Return what every layer keeps of ingredients and photo, and which of it is there."""

    def step(self, piece: Ids, past: Kept, memory: Kept, mask: npt.NDArray[np.bool_]) -> tuple[Floats, Kept]:
        """Return the scores [b, v] of the next pieces, and what is kept of these."""


@dataclass(frozen=True)
class Manner:
    """How to choose the next piece."""

    kind: Literal["greedy", "beam", "sample"] = "greedy"
    beams: int = 4
    top_p: float = 0.9
    temperature: float = 0.8
    repeat: int = 6  # as many pieces in a row are not written twice
    longest: int = 320
    seed: int = 0


@dataclass(frozen=True)
class Wanted:
    """What a recipe is to be written from; `title` fixes its first words."""

    ingredients: tuple[str, ...]
    parts: Floats | None = None  # [p, d]
    title: str = ""


def write(
    network: Network, text: RecipeText, wanted: Sequence[Wanted], photo_width: int, manner: Manner | None = None
) -> list[Written]:
    """Write a recipe for each wish."""
    manner = manner or Manner()
    if not wanted:
        return []
    if manner.kind == "beam":
        return [text.written(_beam(network, text, one, photo_width, manner)) for one in wanted]
    random = np.random.default_rng(manner.seed) if manner.kind == "sample" else None
    pieces = _together(network, text, wanted, photo_width, manner, [random] * len(wanted))
    return [text.written(each) for each in pieces]


def write_drafts(
    network: Network, text: RecipeText, wanted: Sequence[Wanted], photo_width: int, counts: Sequence[int]
) -> list[list[Written]]:
    """Write as many recipes as counted for each wish, all of the likeliest title: the likeliest, then some that keep close to it.

    But for rounding a draft does not depend on what else is wanted, so a recipe stays the same when another is written beside it.
    """
    rows = [one for one, count in zip(wanted, counts, strict=True) for _ in range(count)]
    if not rows:
        return [[] for _ in wanted]
    manner = Manner("sample", temperature=0.5)
    draws = [np.random.default_rng((manner.seed, draft)) if draft else None for n in counts for draft in range(n)]
    pieces = iter(_together(network, text, rows, photo_width, manner, draws, draws_title=False))
    return [[text.written(next(pieces)) for _ in range(count)] for count in counts]


def _together(
    network: Network,
    text: RecipeText,
    wanted: Sequence[Wanted],
    photo_width: int,
    manner: Manner,
    draws: Sequence[np.random.Generator | None],
    draws_title: bool = True,
) -> list[list[int]]:
    """Write all recipes side by side: drawn from the likely pieces, or the likeliest each time where nothing draws."""
    memory, mask = network.remember(*memory_inputs(text, wanted, photo_width))
    starts = [_start(text, one) for one in wanted]
    texts: list[list[int]] = [[TITLE] for _ in wanted]
    past = _nothing(network, len(wanted))
    unfinished = list(range(len(wanted)))
    for position in range(min(manner.longest, network.longest) - 1):
        scores, new = network.step(np.array([texts[row][-1] for row in unfinished], np.int64), past, memory, mask)
        past = _joined(past, new)
        for row, own in zip(unfinished, scores, strict=True):
            written, random = texts[row], draws[row]
            if position + 1 < len(starts[row]):
                written.append(starts[row][position + 1])
            else:
                allowed = _allowed(own, written, manner)
                if random is None or not (draws_title or STEP in written):
                    written.append(int(allowed.argmax()))
                else:
                    written.append(_sampled(allowed, manner, random))
        goes_on = [place for place, row in enumerate(unfinished) if texts[row][-1] != END]
        if not goes_on:
            break
        if len(goes_on) < len(unfinished):
            unfinished, mask = [unfinished[place] for place in goes_on], mask[goes_on]
            past, memory = ((keys[:, goes_on], values[:, goes_on]) for keys, values in (past, memory))
    return texts


def _beam(network: Network, text: RecipeText, wanted: Wanted, photo_width: int, manner: Manner) -> list[int]:
    """Follow several texts at once and return the likeliest for its length."""
    names = memory_inputs(text, [wanted] * manner.beams, photo_width)
    memory, mask = network.remember(*names)
    start = _start(text, wanted)
    texts = [list(start[:1]) for _ in range(manner.beams)]
    totals = np.full(manner.beams, _IMPOSSIBLE)
    totals[0] = 0.0  # all beams are one text until they part
    ended: list[tuple[float, list[int]]] = []
    past = _nothing(network, manner.beams)
    for position in range(min(manner.longest, network.longest) - 1):
        scores, new = network.step(np.array([written[-1] for written in texts], np.int64), past, memory, mask)
        past = _joined(past, new)
        if position + 1 < len(start):
            for written in texts:
                written.append(start[position + 1])
            continue
        likely = np.stack(
            [_log_softmax(_allowed(row, written, manner)) for row, written in zip(scores, texts, strict=True)]
        )
        sums = totals[:, None] + likely
        best = np.argsort(-sums, axis=None)[: 2 * manner.beams]
        chosen: list[tuple[int, int]] = []
        for beam, piece in zip(*np.unravel_index(best, sums.shape), strict=True):
            if piece == END:
                ended.append((float(sums[beam, piece]) / (len(texts[beam]) + 1), [*texts[beam], END]))
            elif len(chosen) < manner.beams:
                chosen.append((int(beam), int(piece)))
        totals = np.array([sums[place] for place in chosen])
        texts = [[*texts[beam], piece] for beam, piece in chosen]
        order = [beam for beam, _ in chosen]
        past = past[0][:, order], past[1][:, order]
        if len(ended) >= manner.beams and max(ended)[0] >= float(totals.max()) / len(texts[0]):
            break
    return max(ended)[1] if ended else texts[int(totals.argmax())]


def memory_inputs(
    text: RecipeText, wanted: Sequence[Wanted], photo_width: int
) -> tuple[Ids, Ids, Floats, npt.NDArray[np.bool_]]:
    """Lay out what recipes are written from: pieces of names, their places, parts of photos, and whether there is one."""
    names, places = side_by_side([[text.name_pieces(name) for name in one.ingredients] for one in wanted])
    n_parts = max((len(one.parts) for one in wanted if one.parts is not None), default=1)
    parts = np.zeros((len(wanted), n_parts, photo_width), np.float32)
    for row, one in enumerate(wanted):
        if one.parts is not None:
            if one.parts.shape != parts.shape[1:]:
                raise SwapchefError("The photo was encoded by another network than the recipe decoder learned from.")
            parts[row] = one.parts
    return names, places, parts, np.array([one.parts is not None for one in wanted])


def _start(text: RecipeText, wanted: Wanted) -> list[int]:
    return [TITLE] if not wanted.title else [*text.pieces_of(wanted.title, [])[:-1], STEP]


def _nothing(network: Network, rows: int) -> Kept:
    empty = np.zeros((network.layers, rows, network.heads, 0, network.width), np.float32)
    return empty, empty


def _joined(past: Kept, new: Kept) -> Kept:
    return np.concatenate([past[0], new[0]], axis=3), np.concatenate([past[1], new[1]], axis=3)


def _allowed(scores: Floats, written: list[int], manner: Manner) -> Floats:
    """Rule out marks where they make no sense, and what would repeat a run of pieces."""
    scores = scores.copy()
    scores[[PAD, TITLE, INGREDIENT]] = _IMPOSSIBLE
    if STEP not in written or written[-1] == STEP:
        scores[END] = _IMPOSSIBLE
    if written[-1] in {STEP, TITLE}:
        scores[STEP] = _IMPOSSIBLE
    run = manner.repeat - 1
    if run > 0 and len(written) > run:
        last = written[-run:]
        for start in range(len(written) - run):
            if written[start : start + run] == last:
                scores[written[start + run]] = _IMPOSSIBLE
    return scores


def _sampled(scores: Floats, manner: Manner, random: np.random.Generator) -> int:
    """Draw a piece from the likeliest that together have `top_p` of the probability."""
    probabilities = np.exp(_log_softmax(scores / manner.temperature).astype(np.float64))
    likeliest = np.argpartition(-probabilities, min(_LOOKED_AT, len(scores) - 1))[:_LOOKED_AT]
    if probabilities[likeliest].sum() < manner.top_p:
        likeliest = np.arange(len(scores))
    order = likeliest[np.argsort(-probabilities[likeliest], kind="stable")]
    kept = order[: 1 + int(np.searchsorted(np.cumsum(probabilities[order]), manner.top_p))]
    chances = probabilities[kept] / probabilities[kept].sum()
    return int(random.choice(kept, p=chances))


def _log_softmax(scores: Floats) -> Floats:
    shifted = scores - scores.max()
    logged: Floats = shifted - np.log(np.exp(shifted).sum())
    return logged
