"""What replaces how much of what: rows for single foods, and for mixtures of several.

`swaps.tsv` and `mixtures.tsv` say what a good cookbook says ("1 cup sugar: 3/4 cup honey"), for single foods and for
kinds of food; the closest row wins. Whatever a decision needs of a row is a column of its own; notes are for people.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product

from swapchef.amounts.measures import convert, dimension, is_liquid, parse_measure, written
from swapchef.amounts.uses import Use
from swapchef.en.nouns import plural
from swapchef.foods.kinds import kinds_of
from swapchef.recipes import Amount, Measure
from swapchef.tables import read_table

_SMALL_PART = 1 / 8  # of a liquid: so little of a food only sours or seasons another one that takes its place


@dataclass(frozen=True, slots=True)
class Ratio:
    """One row of the table: so much of the source is replaced by so much of the target."""

    source: str
    replaced: Measure
    target: str
    by: Measure | None  # None: as much as it takes, as with cooking spray
    where: str = "any"  # or the one use in which it holds
    only_with: bool = False  # it takes the place only along with what the note names
    lacks: tuple[str, ...] = ()  # what the source does in a dish and the target does not: "binding"
    prepare: str = ""  # what to do to the target first: "chopped fine"
    note: str = ""
    baking_note: str = ""
    method: str = ""  # what to do differently, and for how long
    baking_method: str = ""

    @property
    def factor(self) -> float:
        """Return how much of the target replaces one of the source, in the units of this row."""
        return float(self.by.amount.low / self.replaced.amount.low) if self.by else 0.0

    @property
    def is_by_part(self) -> bool:
        """Say whether it holds in whatever unit the recipe has."""
        return self.replaced.unit == "part"

    @property
    def is_same_amount(self) -> bool:
        """Say whether the target is used like for like."""
        return self.by is not None and self.is_by_part and self.factor == 1

    def holds_in(self, use: Use | None) -> bool:
        """Say whether it is known to hold in a use; in one that nothing tells, every row does."""
        return use is None or self.where in {"any", use}


@dataclass(frozen=True, slots=True)
class Part:
    """One of several foods that together replace another."""

    name: str
    measure: Measure

    @property
    def text(self) -> str:
        """Return the part as an ingredient line: "1 tablespoon lemon juice"."""
        return worded(self.measure, self.name)


@dataclass(frozen=True, slots=True)
class MixtureRatio:
    """Several foods that together replace so much of one."""

    source: str
    replaced: Measure
    parts: tuple[Part, ...]
    where: str = "any"
    not_for: tuple[str, ...] = ()  # what the source does in a dish and the mixture does not: "whipping"
    note: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of its foods."""
        return tuple(part.name for part in self.parts)


_PART = Measure(Amount(Fraction(1)), "part")
SAME_FOOD = Ratio("", _PART, "", _PART)
GUESS = Ratio("", _PART, "", _PART, note="Start with the same amount, then taste and adjust.")


@lru_cache(maxsize=20_000)
def find_ratio(source: str, target: str, unit: str = "", use: Use | None = None) -> Ratio | None:
    """Find the closest row: for these very foods rather than their kinds, holding in this use, and for this unit."""
    table, elsewhere = _rows(), None
    for pair in product(kinds_of(source), kinds_of(target)):
        if pair in table:
            best = min(
                _ratios(pair), key=lambda row: (_misfit(row, use), dimension(row.replaced.unit) != dimension(unit))
            )
            if _misfit(best, use) < 2:
                return best
            elsewhere = elsewhere or best
        elif pair[0] == pair[1] and not pair[0].startswith("any "):
            return SAME_FOOD
    return elsewhere


def mixtures_of(source: str, use: Use | None = None) -> tuple[MixtureRatio, ...]:
    """Return the ways to replace a food by several others, in the table's own amounts.

    >>> mixtures_of("buttermilk")[0].names
    ('milk', 'lemon juice')
    """
    table = _mixtures()
    rows = next((table[kind] for kind in kinds_of(source) if kind in table), ())
    return tuple(row for row in rows if use is None or row.where in {"any", use})


@lru_cache(maxsize=20_000)
def is_only_part(source: str, target: str) -> bool:
    """Say whether a food takes another's place only along with more: what sours milk is no buttermilk.

    >>> [is_only_part("buttermilk", food) for food in ("lemon juice", "yogurt")]
    [True, False]
    """
    row = find_ratio(source, target)
    if row is None or row.by is None or row.is_by_part:
        return False
    if row.only_with:
        return True
    share = convert(row.factor, row.by.unit, row.replaced.unit, target)
    return share is not None and share < _SMALL_PART and dimension(row.replaced.unit) == "volume" and is_liquid(source)


def worded(measure: Measure, name: str) -> str:
    """Write an amount of a food: "1 cup sugar", "3 shallots"."""
    if measure.unit and not name.endswith(measure.unit):
        return f"{written(measure)} {name}".rstrip()
    return f"{measure.amount} {plural(name) if measure.amount.low > 1 else name}"


def parse_part(text: str) -> Part:
    """Read "1 1/2 teaspoon baking powder", "2 egg white", or an amount of nothing in particular: "1/4 cup"."""
    words = text.split()
    start = next(i for i, word in enumerate(words) if not word[0].isdigit())
    end = start + 1 if dimension(words[start]) != "piece" else start
    return Part(" ".join(words[end:]), parse_measure(" ".join(words[:end])))


def _misfit(row: Ratio, use: Use | None) -> int:
    """Rate a row for a use: 0 made for it, 1 will do, 2 known elsewhere only."""
    if row.where == (use or "any"):
        return 0
    return 1 if use is None or row.where == "any" else 2


@cache
def _rows() -> dict[tuple[str, str], list[list[str]]]:
    """Return the table as it is written: a run needs a few of its rows, and making sense of all takes 10 ms."""
    rows: dict[tuple[str, str], list[list[str]]] = {}
    for row in read_table("amounts/swaps.tsv"):
        rows.setdefault((row[0], row[2]), []).append(row)
    return rows


@cache
def _ratios(pair: tuple[str, str]) -> tuple[Ratio, ...]:
    return tuple(map(_ratio, _rows()[pair]))


def _ratio(row: list[str]) -> Ratio:
    source, replaced, target, by, where, only_with, lacks, prepare, *notes = row
    return Ratio(
        source,
        parse_measure(replaced),
        target,
        None if by == "-" else parse_measure(by),
        where,
        only_with == "yes",
        _listed(lacks),
        prepare,
        *notes,
    )


@cache
def _mixtures() -> dict[str, tuple[MixtureRatio, ...]]:
    mixtures: dict[str, tuple[MixtureRatio, ...]] = {}
    for source, replaced, parts, where, not_for, note in read_table("amounts/mixtures.tsv"):
        foods = tuple(map(parse_part, parts.split(" + ")))
        row = MixtureRatio(source, parse_measure(replaced), foods, where, _listed(not_for), note)
        mixtures[source] = (*mixtures.get(source, ()), row)
    return mixtures


def _listed(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(", ")) if cell else ()
