"""The table of unit words is well formed, and every unit is known by its own name."""

from collections import Counter

from swapchef.recipes.units import ENGLISH
from swapchef.tables import read_table

ROWS = read_table("en/units.tsv")


def test_every_row_has_a_form_a_unit_and_a_known_kind() -> None:
    assert all(len(row) == 3 and all(row) for row in ROWS)
    assert {kind for _, _, kind in ROWS} == {"measure", "container", "pinch", "counter"}


def test_no_form_stands_for_two_units() -> None:
    assert [form for form, count in Counter(form for form, _, _ in ROWS).items() if count > 1] == []


def test_forms_are_in_lower_case_unless_they_are_one_letter() -> None:
    assert [form for form, _, _ in ROWS if len(form) > 1 and form != form.lower()] == []


def test_every_unit_is_known_by_its_own_name_and_has_one_kind() -> None:
    kinds = {unit: {kind for _, other, kind in ROWS if other == unit} for _, unit, _ in ROWS}
    assert [unit for unit, kinds_of_unit in kinds.items() if len(kinds_of_unit) > 1] == []
    assert [unit for unit in kinds if ENGLISH.units.get(unit) != unit] == []
