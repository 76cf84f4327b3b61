"""Recipe text as a network writes it and as a cook reads it: word pieces one way, capitals and sentences the other.

Text is learned in lower case, so that "Add" and "add" are one piece; a table of words that writers nearly always capitalise
(Dijon, Parmesan) puts the capitals back. A recipe is its title and then its steps, each behind a mark of its own, and an ingredient is the pieces of
its name, so that a name never seen before can still be copied.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from swapchef.errors import DataError, SwapchefError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Ids = npt.NDArray[np.int64]
PAD, TITLE, STEP, END, INGREDIENT = range(5)
_MARKS = ["<pad>", "<title>", "<step>", "<end>", "<ingredient>"]
_DEGREES = re.compile(r"(\d)\s*(?:°|º|degrees?|deg\.?)\s*(f|c)(?:ahrenheit|elsius)?\b", re.IGNORECASE)
_FRACTIONS = str.maketrans({"⁄": "/", "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."})


@dataclass(frozen=True)
class Written:
    """A recipe as a network wrote it."""

    title: str
    steps: tuple[str, ...]


def normal(text: str) -> str:
    """Write text as it is learned: in lower case, with plain fractions, quotes and degrees."""
    text = re.sub(r"(\d)([¼½¾⅓⅔⅛⅜⅝⅞])", r"\1 \2", text)
    text = unicodedata.normalize("NFKC", text.translate(_FRACTIONS)).translate(_FRACTIONS)
    return " ".join(_DEGREES.sub(r"\1°\2", text).lower().split())


class RecipeText:
    """Turns recipes into pieces and back."""

    def __init__(self, tokenizer: "Tokenizer", capitals: Iterable[str]) -> None:
        self.tokenizer = tokenizer
        self.capitals = {word.lower(): word for word in capitals}

    @classmethod
    def learn(cls, titles: Sequence[str], steps: Sequence[str], size: int) -> "RecipeText":
        """Learn word pieces from titles and steps, and capitals from steps, for titles have them anywhere."""
        library = _tokenizers()
        tokenizer = library.Tokenizer(library.models.BPE())
        tokenizer.pre_tokenizer = library.pre_tokenizers.Sequence(
            [
                library.pre_tokenizers.ByteLevel(add_prefix_space=True),
                library.pre_tokenizers.Digits(individual_digits=True),
            ]
        )
        tokenizer.decoder = library.decoders.ByteLevel()
        trainer = library.trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=_MARKS,
            initial_alphabet=library.pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        tokenizer.train_from_iterator(map(normal, [*titles, *steps]), trainer)
        return cls(tokenizer, _capitalised(steps))

    @classmethod
    def restore(cls, stored: dict[str, Any]) -> "RecipeText":
        """Take back what `stored` gave."""
        try:
            return cls(_tokenizers().Tokenizer.from_str(stored["tokenizer"]), stored["capitals"])
        except (KeyError, TypeError, ValueError):
            raise DataError("The word pieces of the photo bundle are damaged; install swapchef again.") from None

    def stored(self) -> dict[str, Any]:
        """Return plain values to keep."""
        return {"tokenizer": self.tokenizer.to_str(), "capitals": sorted(self.capitals.values())}

    def __len__(self) -> int:
        return int(self.tokenizer.get_vocab_size())

    def pieces_of(self, title: str, steps: Sequence[str]) -> list[int]:
        """Return a recipe's pieces: <title> ... <step> ... <step> ... <end>."""
        texts = self.tokenizer.encode_batch([normal(title), *map(normal, steps)], add_special_tokens=False)
        marks = [TITLE, *[STEP] * len(steps)]
        return [piece for mark, text in zip(marks, texts, strict=True) for piece in (mark, *text.ids)] + [END]

    def name_pieces(self, name: str, most: int = 6) -> list[int]:
        """Return the pieces of an ingredient's name."""
        ids: list[int] = self.tokenizer.encode(normal(name), add_special_tokens=False).ids
        return ids[:most]

    def written(self, pieces: Sequence[int]) -> Written:
        """Turn what a network wrote into a title and steps; a last step that was cut off is left out, unless it is the only one."""
        parts: list[list[int]] = []
        for piece in pieces:
            if piece == END:
                break
            if piece in {TITLE, STEP}:
                parts.append([])
            elif parts and piece not in {PAD, INGREDIENT}:
                parts[-1].append(piece)
        if END not in pieces and len(parts) > 2:
            parts.pop()
        texts = [" ".join(self.tokenizer.decode(part).split()) for part in parts]
        title = " ".join(word[:1].upper() + word[1:] for word in self._with_capitals(texts[0]).split()) if texts else ""
        return Written(title, tuple(self._sentences(text) for text in texts[1:] if text))

    def _with_capitals(self, text: str) -> str:
        text = re.sub(r"°([fc])\b", lambda found: f"°{found[1].upper()}", text)
        return re.sub(r"[a-zà-ÿ]+", lambda word: self.capitals.get(word[0], word[0]), text)

    def _sentences(self, text: str) -> str:
        return re.sub(r"(?:^|[.!?]\s+)[a-zà-ÿ]", lambda found: found[0].upper(), self._with_capitals(text))


def side_by_side(listed: Sequence[Sequence[Sequence[int]]]) -> tuple[Ids, Ids]:
    """Lay out the ingredients of several recipes: the pieces of their names, one after another, and each piece's place in its name."""
    longest = max(1, *(sum(map(len, names)) for names in listed))
    pieces, places = np.full((len(listed), longest), PAD, np.int64), np.zeros((len(listed), longest), np.int64)
    for row, names in enumerate(listed):
        flat = [(piece, place) for name in names for place, piece in enumerate(name)]
        if flat:
            pieces[row, : len(flat)], places[row, : len(flat)] = zip(*flat, strict=True)
    return pieces, places


def _capitalised(texts: Sequence[str], least: int = 20, share: float = 0.9) -> list[str]:
    """Return the words that stand in capitals in the middle of sentences nearly always."""
    seen: Counter[str] = Counter()
    for text in texts:
        seen.update(re.findall(r"(?<=[a-z,] )[A-Za-zÀ-ÿ]{3,}\b", text))
    lower: Counter[str] = Counter()
    for word, count in seen.items():
        lower[word.lower()] += count
    return sorted(
        word
        for word, count in seen.items()
        if word[0].isupper() and word[1:].islower() and count >= least and count >= share * lower[word.lower()]
    )


def _tokenizers() -> Any:
    try:
        import tokenizers
    except ImportError:
        raise SwapchefError("Recipes from photos need tokenizers; install swapchef[photo] and try again.") from None
    return tokenizers
