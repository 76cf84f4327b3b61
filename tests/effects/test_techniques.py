"""The table of techniques names only foods and kinds that exist."""

from swapchef.effects.techniques import technique_rows
from swapchef.tables import read_table
from tests.editing.kitchen import VOCABULARY


def test_the_technique_table_is_large_and_every_kind_in_it_exists() -> None:
    kinds = {kind for kind, _ in read_table("foods/kinds.tsv")} | set(VOCABULARY.names) | {"any"}
    rows = technique_rows()
    assert len(rows) >= 80
    assert {row.kind for row in rows} == {"technique", "timing", "unfit", "done"}
    assert sorted({name.removeprefix("not ") for row in rows for name in row.source | row.target} - kinds) == []
