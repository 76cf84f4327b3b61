"""Recipe text as tokens and back: byte-pair encoding one way, capitals and sentences the other.

Text is learned in lower case, so that "Add" and "add" are one token, and a table of words that writers nearly always
capitalise (Dijon, Parmesan) puts the capitals back. A recipe is its title and then its steps, each behind a special
token; an ingredient is the tokens of its name, so that a name never seen before can still be copied.
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
_SPECIAL_TOKENS = ["<pad>", "<title>", "<step>", "<end>", "<ingredient>"]
_DEGREES = re.compile(r"(\d)\s*(?:°|º|degrees?|deg\.?)\s*(f|c)(?:ahrenheit|elsius)?\b", re.IGNORECASE)
_PLAIN_CHARS = str.maketrans({"⁄": "/", "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."})


@dataclass(frozen=True)
class GeneratedRecipe:
    """A recipe as a network wrote it."""

    title: str
    steps: tuple[str, ...]


def normal(text: str) -> str:
    """Write text as it is learned: in lower case, with plain fractions, quotes and degrees."""
    text = re.sub(r"(\d)([¼½¾⅓⅔⅛⅜⅝⅞])", r"\1 \2", text)
    text = unicodedata.normalize("NFKC", text.translate(_PLAIN_CHARS)).translate(_PLAIN_CHARS)
    return " ".join(_DEGREES.sub(r"\1°\2", text).lower().split())


class RecipeTokenizer:
    """Turns recipes into tokens and back."""

    def __init__(self, tokenizer: "Tokenizer", capitals: Iterable[str]) -> None:
        self.tokenizer = tokenizer
        self.capitals = {word.lower(): word for word in capitals}

    @classmethod
    def train(cls, titles: Sequence[str], steps: Sequence[str], size: int) -> "RecipeTokenizer":
        """Learn tokens from titles and steps, and capitals from steps alone, because titles have them anywhere."""
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
            special_tokens=_SPECIAL_TOKENS,
            initial_alphabet=library.pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        tokenizer.train_from_iterator(map(normal, [*titles, *steps]), trainer)
        return cls(tokenizer, _capitalised(steps))

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> "RecipeTokenizer":
        """Restore what `as_dict` gave."""
        try:
            return cls(_tokenizers().Tokenizer.from_str(stored["tokenizer"]), stored["capitals"])
        except (KeyError, TypeError, ValueError):
            raise DataError("The word pieces of the photo bundle are damaged; install swapchef again.") from None

    def as_dict(self) -> dict[str, Any]:
        """Return plain values to store."""
        return {"tokenizer": self.tokenizer.to_str(), "capitals": sorted(self.capitals.values())}

    def __len__(self) -> int:
        return int(self.tokenizer.get_vocab_size())

    def encode(self, title: str, steps: Sequence[str]) -> list[int]:
        """Return a recipe's tokens: <title> ... <step> ... <step> ... <end>."""
        texts = self.tokenizer.encode_batch([normal(title), *map(normal, steps)], add_special_tokens=False)
        marks = [TITLE, *[STEP] * len(steps)]
        return [token for mark, text in zip(marks, texts, strict=True) for token in (mark, *text.ids)] + [END]

    def encode_name(self, name: str, max_tokens: int = 6) -> list[int]:
        """Return the tokens of an ingredient's name."""
        ids: list[int] = self.tokenizer.encode(normal(name), add_special_tokens=False).ids
        return ids[:max_tokens]

    def decode(self, tokens: Sequence[int]) -> GeneratedRecipe:
        """Turn tokens into a title and steps; a last step that was cut off is dropped, unless it is the only one."""
        parts: list[list[int]] = []
        for token in tokens:
            if token == END:
                break
            if token in {TITLE, STEP}:
                parts.append([])
            elif parts and token not in {PAD, INGREDIENT}:
                parts[-1].append(token)
        if END not in tokens and len(parts) > 2:
            parts.pop()
        texts = [" ".join(self.tokenizer.decode(part).split()) for part in parts]
        title = " ".join(word[:1].upper() + word[1:] for word in self._with_capitals(texts[0]).split()) if texts else ""
        return GeneratedRecipe(title, tuple(self._sentences(text) for text in texts[1:] if text))

    def _with_capitals(self, text: str) -> str:
        text = re.sub(r"°([fc])\b", lambda degrees: f"°{degrees[1].upper()}", text)
        return re.sub(r"[a-zà-ÿ]+", lambda word: self.capitals.get(word[0], word[0]), text)

    def _sentences(self, text: str) -> str:
        return re.sub(r"(?:^|[.!?]\s+)[a-zà-ÿ]", lambda start: start[0].upper(), self._with_capitals(text))


def pad_names(recipes: Sequence[Sequence[Sequence[int]]]) -> tuple[Ids, Ids]:
    """Return the tokens of each recipe's ingredient names as padded rows, and each token's position in its name."""
    length = max(1, *(sum(map(len, names)) for names in recipes))
    tokens, positions = np.full((len(recipes), length), PAD, np.int64), np.zeros((len(recipes), length), np.int64)
    for row, names in enumerate(recipes):
        flat = [(token, position) for name in names for position, token in enumerate(name)]
        if flat:
            tokens[row, : len(flat)], positions[row, : len(flat)] = zip(*flat, strict=True)
    return tokens, positions


def _capitalised(texts: Sequence[str], min_count: int = 20, min_share: float = 0.9) -> list[str]:
    """Return the words that are nearly always written with a capital in the middle of sentences."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(re.findall(r"(?<=[a-z,] )[A-Za-zÀ-ÿ]{3,}\b", text))
    lowercase_counts: Counter[str] = Counter()
    for word, count in counts.items():
        lowercase_counts[word.lower()] += count
    return sorted(
        word
        for word, count in counts.items()
        if word[0].isupper()
        and word[1:].islower()
        and count >= min_count
        and count >= min_share * lowercase_counts[word.lower()]
    )


def _tokenizers() -> Any:
    try:
        import tokenizers
    except ImportError:
        raise SwapchefError("Recipes from photos need tokenizers; install swapchef[photo] and try again.") from None
    return tokenizers
