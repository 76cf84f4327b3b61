"""The words that tell how a food is cut, cooked, sold or named rather than which food it is.

Each stands once in `en/words.tsv`, with flags; the head of that table says what each flag means. A module that needs
such words asks for a flag.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple, get_args

from swapchef.en.nouns import singular
from swapchef.tables import read_table

Flag = Literal[
    "describing", "kind-only", "same-food", "same-amount", "variety", "in-steps", "manner", "denial", "free-of",
    "unrelated", "shape", "piece", "cut", "left-out", "never-short", "made-with", "vague-alone", "vague", "not-sold",
    "tool", "edible",
]  # fmt: skip
FLAGS: tuple[Flag, ...] = get_args(Flag)


class _Entry(NamedTuple):
    """A row of the table."""

    flags: frozenset[str]
    not_before: tuple[str, ...]
    only_before: tuple[str, ...]

    def allows(self, following: str) -> bool:
        """Say whether the words after this one leave its meaning as it is."""
        if any(_begins(following, words) for words in self.not_before):
            return False
        return not self.only_before or any(_begins(following, words) for words in self.only_before)


@cache
def _entries() -> dict[str, _Entry]:
    entries = {}
    for word, flags, *contexts in read_table("en/words.tsv"):
        not_before, only_before = (tuple(filter(None, each.split(", "))) for each in contexts)
        entries[word] = _Entry(frozenset(flags.split()), not_before, only_before)
    return entries


@cache
def words_with(flag: Flag) -> frozenset[str]:
    """Return all words that have a flag."""
    return frozenset(word for word, entry in _entries().items() if flag in entry.flags)


def has(word: str, flag: Flag) -> bool:
    """Say whether a word, in the singular or the plural, has a flag.

    >>> has("wedges", "piece"), has("chopped", "describing"), has("butter", "describing")
    (True, True, False)
    """
    return singular(word) in words_with(flag)


@lru_cache(maxsize=20_000)
def without_amount_words(name: str) -> str:
    """Return a name without the words that change neither how much of it is needed nor how it is measured.

    >>> without_amount_words("low fat plain yogurt"), without_amount_words("frozen yogurt")
    ('yogurt', 'frozen yogurt')
    """
    words, rest = name.split(), []
    position = 0
    while position < len(words):
        length = _amount_phrase(words[position:])
        if not length:
            rest.append(words[position])
        position += length or 1
    return " ".join(rest)


def _amount_phrase(words: Sequence[str]) -> int:
    """Return how many words the longest phrase has that they begin with and that may be left out; never all of them."""
    for length in range(min(_LONGEST, len(words) - 1), 0, -1):
        phrase, following = " ".join(words[:length]), " ".join(words[length:])
        if phrase in words_with("same-amount") and _entries()[phrase].allows(following):
            return length
    return 0


_LONGEST = 3  # words in a phrase of the table


def is_tool(name: str) -> bool:
    """Say whether a name on an ingredient list is something to cook with and not to eat.

    >>> is_tool("bamboo skewer"), is_tool("rice paper")
    (True, False)
    """
    words = name.split()
    return not words_with("tool").isdisjoint(words) and words_with("edible").isdisjoint(words)


def _begins(text: str, words: str) -> bool:
    return text == words or text.startswith(f"{words} ")
