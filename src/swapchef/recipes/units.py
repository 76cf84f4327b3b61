"""Units of measure and of count, from a language's table of the words for them (`en/units.tsv`)."""

from dataclasses import dataclass

from swapchef.tables import read_table


@dataclass(frozen=True)
class UnitTable:
    """Which words stand for which unit, and what kind of unit each is."""

    units: dict[str, str]  # by form in lower case
    letters: dict[str, str]  # by form of one letter, whose case matters: "T" is a tablespoon, "t" a teaspoon
    counters: dict[str, str]  # the part of `units` that counts things: "can", "clove"
    measures: frozenset[str]  # units of weight, volume or length
    containers: frozenset[str]  # units that hold a stated amount each: "2 sticks (1 cup) butter" is one cup in all
    pinches: frozenset[str]  # units that need no number: "pinch of salt"


def read_units(name: str) -> UnitTable:
    """Read a table of units."""
    rows = read_table(name)

    def units_of(kind: str) -> frozenset[str]:
        return frozenset(unit for _, unit, kind_of_row in rows if kind_of_row == kind)

    return UnitTable(
        units={form: unit for form, unit, _ in rows if len(form) > 1},
        letters={form: unit for form, unit, _ in rows if len(form) == 1},
        counters={form: unit for form, unit, kind in rows if len(form) > 1 and kind != "measure"},
        measures=units_of("measure"),
        containers=units_of("container"),
        pinches=units_of("pinch"),
    )


ENGLISH = read_units("en/units.tsv")
UNITS = ENGLISH.units
