"""What those who keep a diet take instead of a food: rows of `standbys.tsv`."""

from functools import cache

from swapchef.foods.kinds import kinds_of
from swapchef.tables import read_table


@cache
def standbys_of(source: str) -> tuple[str, ...]:
    """Return what those who keep a diet take instead of a food.

    >>> standbys_of("cheddar cheese")
    ('vegan cheese', 'soy cheese')
    """
    table = read_standbys()
    return next((table[kind] for kind in kinds_of(source) if kind in table), ())


@cache
def read_standbys() -> dict[str, tuple[str, ...]]:
    """Return the table of standbys by food or kind."""
    standbys: dict[str, tuple[str, ...]] = {}
    for kind, foods in read_table("swapping/standbys.tsv"):
        standbys[kind] = (*standbys.get(kind, ()), *foods.split(", "))
    return standbys
