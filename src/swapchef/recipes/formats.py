"""Read and write recipes of any format: `read_recipe` and `write_recipe`, which everything else uses.

A file's format is named by the caller, known by its suffix, or recognised in its text; `FORMATS` is the table of what
can be read and written. Files are checked for size and encoding before they are parsed.
"""

import codecs
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from swapchef.errors import RecipeError, UnknownNameError
from swapchef.recipes import cooklang, jsonld, mealie, plain, recipe1m, tandoor, webpage
from swapchef.recipes.building import UNTITLED, load_json
from swapchef.recipes.model import Recipe, tidy

MAX_BYTES = 10 * 1024 * 1024
_JSON = re.compile(r"[\[{]\s*[\[{\"\]}]")
_COOKLANG = re.compile(r"(?<![\\\w])@\w[^@#~{}\n]{0,100}\{[^{}\n]{0,100}\}")


@dataclass(frozen=True)
class Format:
    """How to read and write one file format."""

    read: Callable[[str], Recipe]
    write: Callable[[Recipe], str]
    suffixes: tuple[str, ...] = ()


FORMATS: dict[str, Format] = {
    "jsonld": Format(jsonld.read, jsonld.write, (".jsonld",)),
    "mealie": Format(mealie.read, mealie.write),
    "tandoor": Format(tandoor.read, tandoor.write),
    "cooklang": Format(cooklang.read, cooklang.write, (".cook",)),
    "markdown": Format(plain.read_markdown, plain.write_markdown, (".md", ".markdown")),
    "text": Format(plain.read_text, plain.write_text, (".txt", ".text")),
    "html": Format(webpage.read, webpage.write, (".html", ".htm", ".xhtml")),
    "recipe1m": Format(recipe1m.read, recipe1m.write),
}
_SUFFIXES = {suffix: name for name, known in FORMATS.items() for suffix in known.suffixes}


def read_recipe(path: str | os.PathLike[str], format: str | None = None) -> Recipe:
    """Read a recipe file of any format; "-" reads standard input."""
    if str(path) != "-":
        return recipe_from_bytes(_bytes(Path(path)), Path(path).name, format)
    try:
        return recipe_from_bytes(_stdin(), format=format)
    except RecipeError as error:
        raise RecipeError(f"standard input: {error}") from None


def recipe_from_bytes(data: bytes, name: str = "", format: str | None = None) -> Recipe:
    """Read a recipe from what a file of that name holds."""
    if len(data) > MAX_BYTES:
        raise RecipeError(_too_large(len(data)))
    try:
        recipe = parse_recipe(_decode(data), format or _format_of(Path(name), data))
    except RecipeError as error:
        raise RecipeError(f"{name}: {error}" if name else str(error)) from None
    if recipe.title == UNTITLED and name:  # Cooklang's convention, and a fair guess elsewhere
        recipe = replace(recipe, title=tidy(Path(name).stem.replace("_", " ")) or UNTITLED)
    return recipe


def parse_recipe(text: str, format: str | None = None) -> Recipe:
    """Read a recipe from text, guessing the format unless it is named."""
    if not text.strip():
        raise RecipeError("This recipe is empty; give it at least an ingredient list.")
    if len(text) > MAX_BYTES:
        raise RecipeError(_too_large(len(text)))
    return _named(format).read(text) if format else _guess(text)


def write_recipe(recipe: Recipe, format: str) -> str:
    """Write a recipe in the named format."""
    return _named(format).write(recipe)


def _format_of(path: Path, data: bytes) -> str | None:
    """Trust a file's suffix, unless it says text and the file holds JSON."""
    suffix = path.suffix.lower()
    holds_json = _JSON.match(data[:200].decode("utf-8", "ignore").lstrip("\ufeff \t\r\n"))
    return None if holds_json else _SUFFIXES.get(suffix)


def _named(format: str) -> Format:
    if format not in FORMATS:
        raise UnknownNameError("recipe format", format, tuple(FORMATS))
    return FORMATS[format]


def _guess(text: str) -> Recipe:
    text = text.lstrip("\ufeff")
    start = text.lstrip()[:2000]
    if _JSON.match(start):
        return _guess_json(text)
    lowered = start.lower()
    if lowered.startswith(("<!doctype", "<html", "<?xml")) or "<script" in lowered or "<body" in lowered:
        return webpage.read(text)
    if start.startswith(">> ") or _COOKLANG.search(text):
        return cooklang.read(text)
    markdown = any(line.startswith(("#", "**", "- [")) for line in text.splitlines())
    return plain.read_markdown(text) if markdown else plain.read_text(text)


def _guess_json(text: str) -> Recipe:
    document = load_json(text)
    first = next((item for item in document if isinstance(item, dict)), {}) if isinstance(document, list) else document
    if isinstance(first, dict) and mealie.is_recipe(first):
        return mealie.from_object(document)
    if isinstance(first, dict) and tandoor.is_recipe(first):
        return tandoor.from_object(document)
    if isinstance(first, dict) and recipe1m.is_recipe(first):
        return recipe1m.from_object(document)
    return jsonld.from_object(document)


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise RecipeError("This is a folder; name a recipe file inside it.")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
            size = os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        raise RecipeError(f"There is no file {str(path)!r}; check the path.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise RecipeError(f"Cannot read {str(path)!r} ({reason}); check the path and its permissions.") from None
    if len(data) > MAX_BYTES:
        raise RecipeError(_too_large(max(size, len(data))))
    return data


def _stdin() -> bytes:
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise RecipeError(_too_large(len(data)))
    return data


def _too_large(size: int) -> str:
    megabyte = 1024**2
    return (
        f"This is {size / megabyte:.0f} MB, far larger than a recipe (at most {MAX_BYTES // megabyte} MB);"
        " pass a single recipe."
    )


def _decode(data: bytes) -> str:
    """Decode UTF-8 or UTF-16 text, or the Windows encoding of older files; refuse what is not text."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        if encoding == "utf-16" or b"\x00" in data:
            raise RecipeError(_NOT_TEXT) from None
        text = data.decode(_declared_encoding(data), errors="replace")
    odd = sum(not (c.isprintable() or c in "\t\n\r\f\v\xa0") for c in text[:20_000]) + text[:20_000].count("\ufffd")
    if odd > 20 and odd > len(text[:20_000]) / 50:
        raise RecipeError(_NOT_TEXT)
    return text


def _declared_encoding(data: bytes) -> str:
    """Return the encoding that a page declares, or that of old Windows files."""
    declared = re.search(rb"""charset\s*=\s*["']?([A-Za-z0-9_.:-]{2,40})""", data[:4096])
    try:
        name = codecs.lookup(declared[1].decode()).name if declared else "cp1252"
    except LookupError:
        return "cp1252"
    return name if name.startswith(("iso8859", "cp", "koi8", "mac", "shift", "euc", "gb", "big5")) else "cp1252"


_NOT_TEXT = "This is not a text file; save the recipe as JSON, HTML, Markdown, Cooklang or plain text."
