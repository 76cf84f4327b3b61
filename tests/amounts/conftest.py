"""Tables with foods that nobody knows, so that what an amount becomes is worked out from a few numbers on this page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from swapchef.amounts import measures, portions, ratios, strength

# One "zorb" weighs 60 g and a cup of it 120 g; "flume" is poured, and a cup of it weighs 300 g.
TABLES = {
    "densities": """
        food | grams | how
        zorb | 120 | chopped
        flume | 300 | liquid
        dust | 96 | spooned
    """,
    "pieces": """
        food | unit | amount
        zorb | whole | 60 gram
        zorb | slice/round | 6 gram
        zorblet | whole | 20 gram
        zorbling | whole | 19 gram
        zorblike | whole | 40 gram
        zorbish | whole | 84 gram
        zorbo | whole | 86 gram
        giant zorb | whole | 180 gram
        titan zorb | whole | 181 gram
        solid | whole | 40 gram
        solid | package | 500 gram
        other solid | package | 250 gram
        dust | pinchful | 1/2 cup
    """,
    "swaps": """
        instead of | amount | use | this much | in | only with | lacks | prepare | note | note in baking | method | \
method in baking
        flume | 1 cup | dust | 3/4 cup | any | | | | Stir in {1/4 cup water}. | Add {1 teaspoon salt per cup}. \
| Wait. | Bake it.
        flume | 1 cup | mote | 1/2 cup | baking | | binding, lifting | sifted | | | |
        flume | 1 part | glop | 2 part | any | | | | Take {1 tablespoon honey per cup}. | | |
        flume | 1 cup | drip | 1 tablespoon | any | | | | | | |
        flume | 1 cup | drop | 2 tablespoon | any | | | | | | |
        flume | 1 cup | powder | 1 tablespoon | any | yes | | | | | |
        dust | 1 cup | drip | 1 tablespoon | any | | | | | | |
        flume | 1 part | vapor | - | any | | | | Spray it. | | |
        jelly | 1 part | jam | 1 part | any | | | | | Rises less. | | Bake longer.
        jelly | 1 cup | slime | 1 tablespoon | any | | | | Fill up to {1 cup} with milk. | | |
        zorb | 1 | flume | 1/4 cup | any | | | | Add {1 teaspoon salt}. | | |
        zorb | 1 | zorbette | 3 | any | | | | | | |
        zorb | 2 | dust | 1 cup | frying | | | | | | |
        zorb | 1 part | zorb slice | 1 part | any | | | | | | |
        zorb | 1 part | zorblet | 1 part | any | | | | | | |
        zorb | 1 part | zorbling | 1 part | any | | | | | | |
        zorb | 1 part | zorblike | 1 part | any | | | | | | |
        zorb | 1 part | zorbish | 1 part | any | | | | | | |
        zorb | 1 part | zorbo | 1 part | any | | | | | | |
        zorb | 1 part | giant zorb | 1 part | any | | | | | | |
        zorb | 1 part | titan zorb | 1 part | any | | | | | | |
        zorb | 1 part | solid | 1 part | any | | | | | | |
        solid | 1 part | other solid | 1 part | any | | | | | | |
        solid | 1 part | flume | 1 part | any | | | | | | |
        solid | 1 part | zorb | 1/2 part | any | | | | | | |
        zorb | 100 gram | rubble | 150 gram | any | | | | | | |
        zorb | 1 cup | rubble | 2 cup | any | | | | | | |
        butter | 1 cup | gunk | 1/2 cup | any | | | | | | |
        butter | 1 cup | gunk | 1/4 cup | baking | | | | | | |
        any butter | 1 cup | gunk | 1 cup | any | | | | | | |
        butter | 1 cup | glue | 1/2 cup | raw | | | | | | |
        any butter | 1 cup | glue | 1 cup | frying | | | | | | |
        any fat | 1 cup | glue | 2 cup | baking | | | | | | |
    """,
    "mixtures": """
        instead of | amount | use | in | not for | note
        flume | 1 cup | 3/4 cup water + 2 tablespoon dust | any | whipping, candy | Shake.
        flume | 1 cup | 1 cup water + 1 teaspoon dust | baking | |
        flume | 2 cup | 1 zorb + 1 cup water | raw | |
        zorb | 2 | 1/2 cup dust + 1/4 cup water | any | |
    """,
    "strong": """
        food | most grams per serving
        dust | 6
        flume | 25
        mystery | 4.5
        solid | 10
    """,
}


def forget_tables() -> None:
    for module in (measures, ratios, portions, strength):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add the rows above to our tables, as a user's own."""
    (tmp_path / "amounts").mkdir()
    for name, text in TABLES.items():
        rows = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
        lines = ["\t".join(row) for row in rows]
        (tmp_path / "amounts" / f"{name}.tsv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setenv("SWAPCHEF_TABLES", str(tmp_path))
        forget_tables()
        yield
    forget_tables()
