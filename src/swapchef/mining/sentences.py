"""Cut reviews into sentences, with plain patterns because most reviews tell of no swap and must be passed over quickly.

A sentence ends at a full stop, an exclamation or a question mark, or a line break; not within a number ("1.5 cups"),
nor after the abbreviations that cooks use. Each sentence knows where in the review it starts.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_END = re.compile(r"[.!?]+(?=\s|$|[\"')])|[\r\n]+|[!?]+")
_ABBREVIATION = re.compile(r"\b(?:approx|tsp|tbsp|tbs|oz|lb|lbs|pkg|dr|vs)$")
_MAX_LENGTH = 1_000  # characters; what goes on longer is cut


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
        if text[at] == "." and _ABBREVIATION.search(text, max(start, at - 8), at):
            continue
        if text[start : end.end()].strip():
            yield from _pieces(start, text[start : end.end()], "?" in end.group())
        start = end.end()
    if text[start:].strip():
        yield from _pieces(start, text[start:], False)


def _pieces(start: int, text: str, is_question: bool) -> Iterator[Sentence]:
    lead = len(text) - len(text.lstrip())
    text = text.strip()
    for offset in range(0, len(text), _MAX_LENGTH):
        yield Sentence(start + lead + offset, text[offset : offset + _MAX_LENGTH], is_question)
