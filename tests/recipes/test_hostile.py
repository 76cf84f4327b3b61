"""Whatever a file holds, a reader gives a recipe or one clear sentence: never a traceback, never an endless loop."""

import gc
import gzip
import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swapchef.errors import DataError, RecipeError, SwapchefError
from swapchef.recipes import FORMATS, Recipe, parse_line, parse_recipe, read_recipe, write_recipe
from swapchef.recipes.records import read_records
from tests.recipes.strategies import recipes, texts

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | texts
    | st.sampled_from(["PT1H", "4 servings", "2 cups flour"])
)
keys = st.sampled_from(
    "@type @graph @context name title ingredients recipeIngredient recipeInstructions instructions directions text"
    " itemListElement"
    " recipeYield prepTime image author keywords notes tags quantity unit food display note recipe_ingredient".split()
)
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=6), max_leaves=25
)
pages = st.lists(
    st.sampled_from(
        ["<html>", "<script type='application/ld+json'>", "</script>",
         '{"@type": "Recipe", "recipeIngredient": ["1 egg"]}', "<body>",
         "<li>", "&amp;", "<!--", "-->", "<![CDATA[", "<meta charset=x>", "@graph", "{", "]", "é"]
    ) | texts, max_size=12,
).map("".join)  # fmt: skip
markup = st.lists(
    st.sampled_from(
        ["# Ingredients", "## Directions", "---", "- 1 egg", "1. Mix.", "@egg{1}", "@", "{", "}", "[-", "-]", "--",
         ">> a: b", "> note",
         "= Section", "~{5%min}", "title: x", "\\", "Serves 4", "**", "Ingredients:", "For the sauce:", "\n", "\n\n",
         "\t"]
    ) | texts, max_size=15,
).map("\n".join)  # fmt: skip


def recipe_or_sentence(text: str, format: str | None) -> None:
    try:
        assert isinstance(parse_recipe(text, format), Recipe)
    except RecipeError as error:
        assert str(error).endswith((".", "?"))
        assert "\n" not in str(error)


@pytest.mark.parametrize("format", [None, *FORMATS])
@given(text=st.text() | markup | pages | documents.map(lambda value: json.dumps(value)))
def test_any_text_gives_a_recipe_or_one_sentence(format: str | None, text: str) -> None:
    recipe_or_sentence(text, format)


@given(data=st.binary(max_size=400))
def test_any_bytes_in_a_file_give_a_recipe_or_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "noise.json"
    path.write_bytes(data)
    try:
        assert isinstance(read_recipe(path), Recipe)
    except RecipeError as error:
        assert str(error).startswith("noise.json: ")


@given(recipe=recipes, cut=st.integers(0, 400), format=st.sampled_from(sorted(FORMATS)))
def test_a_truncated_file_gives_a_recipe_or_one_sentence(recipe: Recipe, cut: int, format: str) -> None:
    recipe_or_sentence(write_recipe(recipe, format)[:cut], format)


@given(text=st.text(max_size=200) | texts)
def test_any_ingredient_line_parses(text: str) -> None:
    line = parse_line(text)
    assert line.text == text
    assert line.name or not text


def repeated(piece: str, size: int) -> str:
    return (piece * (size // len(piece) + 1))[:size]


TRAPS = {
    "one long word": lambda n: "a" * n,
    "many spaces": lambda n: "1 cup" + " " * n + "flour",
    "many digits": lambda n: "1" * n + " cups flour",
    "digits and slashes": lambda n: repeated("1/", n),
    "many commas": lambda n: "flour" + "," * n,
    "open brackets": lambda n: repeated("1 cup (", n),
    "many ors": lambda n: repeated("a or ", n),
    "many dashes": lambda n: repeated("- ", n),
    "entities in entities": lambda n: "&" + repeated("amp;", n),
    "open tags": lambda n: repeated("<a ", n),
    "line break tags": lambda n: "<br" + " " * n + "x",
    "marks": lambda n: "@" * (n // 2) + "{" * (n // 2),
    "open comments": lambda n: repeated("[-", n),
    "backslashes": lambda n: "\\" * n,
    "stars": lambda n: "*" * n,
    "underscores": lambda n: "a" + "_" * n + "b",
    "heading with spaces": lambda n: "# a" + " " * n + "b",
    "heading with hashes": lambda n: "# a" + " #" * (n // 2) + "b",
    "links": lambda n: "[" * (n // 2) + "](" * (n // 4),
    "scripts": lambda n: repeated("<script type='application/ld+json'>", n),
    "html comments": lambda n: repeated("<!--", n),
    "short lines": lambda n: repeated("1 egg\n", n),
    "many sections": lambda n: repeated("= a\n\n", n),
}


def seconds_for(text: str, format: str | None) -> float:
    """Time a reading, the better of two, without the collector that a large test process makes slow."""
    times = []
    gc.disable()
    for _ in range(2):
        start = time.process_time()
        recipe_or_sentence(text, format)
        times.append(time.process_time() - start)
    gc.enable()
    return min(times)


@pytest.mark.parametrize("format", [None, *FORMATS])
@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_for_slow_parsers_takes_time_in_proportion(trap: str, format: str | None) -> None:
    """Quadratic time would multiply by sixteen from one size to the other; a floor keeps small times out of it."""

    def page(size: int) -> str:
        return "Soup\n\nIngredients\n- 1 egg\n- " + TRAPS[trap](size) + "\n\nDirections\nMix."

    for build in (TRAPS[trap], page):
        small = seconds_for(build(25_000), format)
        assert seconds_for(build(100_000), format) < 8 * max(small, 0.1)


@pytest.mark.timeout(60)
def test_a_large_file_is_answered_soon(tmp_path: Path) -> None:
    path = tmp_path / "eggs.txt"
    path.write_text("1 egg\n" * 1_600_000)
    start = time.process_time()
    assert "too many for one recipe" in refused(path)
    assert time.process_time() - start < 5


def test_a_large_recipe_is_written_soon() -> None:
    lines = "\n".join(f"{i} cups flour{i}" for i in range(1, 500))
    steps = "\n".join(f"{i}. Add the flour{i} and stir." for i in range(1, 500))
    recipe = parse_recipe(f"Big\n\nIngredients\n{lines}\n\nDirections\n{steps}")
    start = time.process_time()
    assert parse_recipe(write_recipe(recipe, "cooklang"), "cooklang") == recipe
    assert time.process_time() - start < 5


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_json_is_refused(opening: str) -> None:
    with pytest.raises(RecipeError, match=r"nested too deeply|not valid JSON"):
        parse_recipe(opening * 1_000_000)


def test_deep_steps_are_cut_not_followed() -> None:
    steps: object = {"@type": "HowToStep", "text": "Bury it."}
    for _ in range(300):
        steps = {"@type": "HowToSection", "itemListElement": [steps]}
    read = parse_recipe(json.dumps({"@type": "Recipe", "recipeIngredient": ["1 egg"], "recipeInstructions": steps}))
    assert read.steps == ()


def refused(path: Path | str) -> str:
    with pytest.raises(SwapchefError) as caught:
        read_recipe(path)
    return str(caught.value)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "This is a folder" in refused(tmp_path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert "There is no file" in refused(tmp_path / "gone.json")


def test_a_name_with_a_null_byte_is_refused() -> None:
    assert "Cannot read" in refused("a\0b")


def test_a_huge_file_is_refused_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    assert "200 MB" in refused(path)


def test_noise_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "noise.txt"
    path.write_bytes(os.urandom(100_000))
    assert "not a text file" in refused(path)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.md"
    path.write_text(" \n")
    assert "is empty" in refused(path)


def test_json_ld_without_ingredients_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bare.json"
    path.write_text('{"@type": "Recipe", "name": "Air"}')
    assert refused(path) == "bare.json: This recipe has no ingredients; give it an ingredient list and try again."


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(SwapchefError, match="cooklang"):
        parse_recipe("1 egg", "docx")


@pytest.mark.parametrize(
    ("encoding", "word"),
    [("utf-8", "crème"), ("utf-8-sig", "crème"), ("utf-16", "crème"), ("cp1252", "crème"), ("utf-16", "塩")],
)
def test_common_encodings_are_read(tmp_path: Path, encoding: str, word: str) -> None:
    path = tmp_path / "soup.txt"
    path.write_bytes(f"Soup\n\n1 cup {word}\n2 eggs\n".encode(encoding))
    assert read_recipe(path).ingredients[0].name == word


def test_records_stream_from_lines_arrays_and_gzip(tmp_path: Path) -> None:
    rows = [{"id": str(i), "ingredients": ["x" * 5000]} for i in range(700)]
    (tmp_path / "a.jsonl").write_text("\n\n".join(map(json.dumps, rows)))
    (tmp_path / "b.json").write_text(json.dumps(rows, indent=1))
    with gzip.open(tmp_path / "c.json.gz", "wt") as file:
        json.dump(rows, file)
    for name in ("a.jsonl", "b.json", "c.json.gz"):
        assert list(read_records(tmp_path / name)) == rows


@pytest.mark.parametrize(
    "content", [b'[{"a": 1}, {"a":', b'{"a": 1}\n{"a"', b"[1, 2]", b"\xff\xfe\x00", b"\x1f\x8b\x08broken"]
)
def test_broken_records_are_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / ("x.json.gz" if content.startswith(b"\x1f\x8b") else "x.json")
    path.write_bytes(content)
    with pytest.raises(DataError):
        list(read_records(path))


def test_a_page_in_its_own_encoding_is_read(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    script = '<script type="application/ld+json">{"@type": "Recipe", "recipeIngredient": ["1 kg mąki"]}</script>'
    path.write_bytes(f'<html><head><meta charset="iso-8859-2">{script}</head></html>'.encode("iso-8859-2"))
    assert read_recipe(path).ingredients[0].name == "mąki"
