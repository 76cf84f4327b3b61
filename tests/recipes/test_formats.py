"""Each file in `cases/` is read and compared with the `.expected.json` beside it; adding a case is adding two files."""

import json
from pathlib import Path
from typing import Any

import pytest

from swapchef.errors import SwapchefError
from swapchef.recipes import FORMATS, Recipe, parse_recipe, read_recipe, write_recipe

CASES = sorted((Path(__file__).parent / "cases").glob("*.expected.json"))
EMPTY = {
    "description": "", "servings": "", "prep_minutes": None, "cook_minutes": None, "total_minutes": None,
    "author": "", "url": "",
    "image": "", "tags": [], "notes": [],
}  # fmt: skip


def summary(recipe: Recipe) -> dict[str, Any]:
    return {
        "title": recipe.title,
        "ingredients": [[line.text, line.section] for line in recipe.ingredients],
        "steps": [[step.text, step.section] for step in recipe.steps],
        **{key: list(value) if isinstance(value := getattr(recipe, key), tuple) else value for key in EMPTY},
    }


def case_file(expected: Path) -> Path:
    name = expected.name.removesuffix(".expected.json")
    return next(path for path in expected.parent.glob(f"{name}.*") if path != expected)


@pytest.mark.parametrize("expected", CASES, ids=lambda path: path.name.removesuffix(".expected.json"))
def test_file_reads_as_expected(expected: Path) -> None:
    assert summary(read_recipe(case_file(expected))) == EMPTY | json.loads(expected.read_text(encoding="utf-8"))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("expected", CASES, ids=lambda path: path.name.removesuffix(".expected.json"))
def test_every_case_can_be_written_in_every_format_and_recognised(expected: Path, format: str) -> None:
    recipe = read_recipe(case_file(expected))
    written = write_recipe(recipe, format)
    again = parse_recipe(written)  # without being told the format
    assert [line.text for line in again.ingredients] == [line.text for line in recipe.ingredients]
    assert again == parse_recipe(written, format)


def test_a_page_without_json_ld_needs_the_scrape_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "recipe_scrapers", None)
    with pytest.raises(SwapchefError, match=r"swapchef\[scrape\]"):
        read_recipe(Path(__file__).parent / "cases" / "microdata.html")


def test_html_writes_no_markup_from_a_recipe() -> None:
    recipe = parse_recipe('{"title": "A </script>", "ingredients": ["1 egg </script alert(1)"]}', "recipe1m")
    page = write_recipe(recipe, "html")
    assert page.count("</script") == 1
    assert parse_recipe(page).ingredients == recipe.ingredients


def test_cooklang_prefers_the_markup_once_it_was_edited() -> None:
    recipe = parse_recipe("Toast\n\n2 slices bread\n1 tbsp butter\n\nToast the bread. Spread it with butter and enjoy.")
    written = write_recipe(recipe, "cooklang")
    assert "@bread{2%slice}" in written
    edited = parse_recipe(written.replace("@bread{2%slice}", "@rye bread{3%slice}"))
    assert [line.text for line in edited.ingredients] == ["3 slice rye bread", "1 tablespoon butter"]
