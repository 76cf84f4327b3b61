"""What to do differently with the new food: rows of `techniques.tsv` that fit the two foods and what a step does.

A row holds for kinds of food and for some verbs, and gives a note, often also the verb to write instead. The verb "*"
means wherever the food is used. What says that a food is done is rewritten too, since it may be unsafe for the other.
"""

import re
from functools import cache, lru_cache
from typing import Literal, NamedTuple, cast

from swapchef.foods.kinds import kinds_of
from swapchef.tables import read_table

_LISTS = {1: "/", 2: ", ", 3: ", "}  # places of verbs and foods in a row, and what stands between them
Kind = Literal["technique", "timing", "unfit", "done"]


class Technique(NamedTuple):
    """A row of `techniques.tsv`."""

    kind: Kind
    verbs: re.Pattern[str]
    anywhere: bool
    source: frozenset[str]
    target: frozenset[str]
    note: str
    instead: str


@lru_cache(maxsize=2_000)
def techniques(source: str, target: str) -> tuple[Technique, ...]:
    """Return the rows about one food and what replaces it."""
    sources, targets = {*kinds_of(source), "any"}, {*kinds_of(target), "any"}
    return tuple(
        row
        for row in technique_rows()
        if not row.source.isdisjoint(sources)
        and not row.target.isdisjoint(targets)
        and not any(f"not {kind}" in row.target for kind in targets)
        and (source not in row.target or target not in row.source)
    )


@cache
def technique_rows() -> tuple[Technique, ...]:
    """Return all rows."""
    rows = []
    for kind, verbs, source, target, note, instead in _whole_rows():
        pattern = "|".join(re.escape(verb).replace(r"\*", r"\w*") for verb in verbs.split("/"))
        rows.append(
            Technique(
                cast(Kind, kind),
                re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE),
                verbs == "*",
                frozenset(source.split(", ")),
                frozenset(target.split(", ")),
                note,
                instead,
            )
        )
    return tuple(rows)


def _whole_rows() -> list[list[str]]:
    """Return the rows as written, where those that go on in the next line, with one list longer, are one."""
    rows: list[list[str]] = []
    for row in read_table("effects/techniques.tsv"):
        differing = [place for place, cell in enumerate(row) if not rows or cell != rows[-1][place]]
        if len(differing) == 1 and differing[0] in _LISTS and "*" not in {row[1], rows[-1][1]}:
            place = differing[0]
            rows[-1][place] += _LISTS[place] + row[place]
        else:
            rows.append(row)
    return rows
