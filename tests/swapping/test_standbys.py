"""What those who keep a diet take: the row of the food, else of the closest of its kinds."""

from swapchef.foods.kinds import kinds_of
from swapchef.swapping.standbys import read_standbys, standbys_of
from swapchef.tables import read_table


def test_the_row_of_a_food_beats_that_of_its_kinds_and_a_stranger_has_none() -> None:
    rows = dict(read_table("swapping/standbys.tsv"))
    for food in ("buttermilk", "cheddar cheese", "parmesan cheese", "ground beef", "egg", "unsalted butter"):
        closest = next(kind for kind in kinds_of(food) if kind in rows)
        assert standbys_of(food) == tuple(rows[closest].split(", ")), food
    assert standbys_of("buttermilk") == ("lemon juice",)  # though it is a liquid dairy too
    assert standbys_of("moon dust") == ()


def test_rows_of_one_food_are_joined_in_their_order() -> None:
    listed: dict[str, list[str]] = {}
    for kind, foods in read_table("swapping/standbys.tsv"):
        listed.setdefault(kind, []).extend(foods.split(", "))
    assert read_standbys() == {kind: tuple(foods) for kind, foods in listed.items()}
