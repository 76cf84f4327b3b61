"""Cut reviews into sentences, cheaply: most reviews hold nothing of interest, and those that do are informal.

A sentence ends at a full stop, an exclamation or a question mark, or a line break; not within a number ("1.5 cups"), nor after the
short forms that cooks use. Each sentence knows where in the review it stands.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_END = re.compile(r"[.!?]+(?=\s|$|[\"')])|[\r\n]+|[!?]+")
_SHORT = re.compile(r"\b(?:approx|tsp|tbsp|tbs|oz|lb|lbs|pkg|dr|vs)$")
_LONGEST = 1_000  # characters; what goes on longer has no sentences


class Sentence(NamedTuple):
    """A sentence and where it starts in its text."""

    start: int
    text: str
    is_question: bool


def sentences_of(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text.

    >>> [sentence.text for sentence in sentences_of("I used 1.5 cups of oil. Great!")]
    ['I used 1.5 cups of oil.', 'Great!']
    """
    start = 0
    for end in _END.finditer(text):
        at = end.start()
        if text[at] == "." and _SHORT.search(text, max(start, at - 8), at):
            continue
        if text[start : end.end()].strip():
            yield from _pieces(start, text[start : end.end()], "?" in end.group())
        start = end.end()
    if text[start:].strip():
        yield from _pieces(start, text[start:], False)


def _pieces(start: int, text: str, is_question: bool) -> Iterator[Sentence]:
    lead = len(text) - len(text.lstrip())
    text = text.strip()
    for offset in range(0, len(text), _LONGEST):
        yield Sentence(start + lead + offset, text[offset : offset + _LONGEST], is_question)
