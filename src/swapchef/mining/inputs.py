"""Recipes and reviews from JSONL, CSV, Parquet or saved web pages, in one file, in two, or in folders.

Each row becomes a `ReviewedRecipe`, read from the first of the usual field names that it has; Food.com's published CSV
pair is one of the layouts. A row that cannot be used is counted under the reason and skipped, so that one broken row
does not end a run of millions.
"""

import ast
import codecs
import csv
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from swapchef.errors import DataError
from swapchef.mining import pages
from swapchef.recipes.model import tidy

_ID = ("recipe1m_id", "recipe_id", "foodcom_id", "recipe_code", "id", "url", "file")
INGREDIENTS = ("ingredients", "recipeIngredient", "ingredient_lines")
_REVIEWS = ("reviews", "comments", "comment")
_TEXT = ("review", "text", "reviewBody", "comment", "body")
_REVIEW_ID = ("review_id", "comment_id", "user_id")
INPUT_FIELDS = tuple(dict.fromkeys((*_ID, *INGREDIENTS, *_REVIEWS, *_TEXT, *_REVIEW_ID)))  # all that are read of a row
MAX_REVIEW = 20_000  # characters; what is longer was not written by a cook
_MAX_FIELD = 32 << 20
_BROKEN = "\ufffd"  # what Python puts for bytes that are no text


@dataclass(frozen=True, slots=True)
class Review:
    """What somebody wrote about a recipe."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class ReviewedRecipe:
    """A recipe's ingredient lines and what was written about it; None where no list is known."""

    id: str
    ingredients: tuple[str, ...] | None
    reviews: tuple[Review, ...]


def read_reviewed(recipes: Path | None, reviews: Path, counts: Counter[str]) -> Iterator[ReviewedRecipe]:
    """Yield recipes with their reviews, from one file that has both, or joined from two."""
    known = ingredients_by_id(recipes, counts) if recipes and recipes != reviews else {}
    yield from reviewed(read_rows(reviews, counts), known, counts)


def reviewed(
    rows: Iterable[Mapping[str, Any]], known: Mapping[str, tuple[str, ...]], counts: Counter[str]
) -> Iterator[ReviewedRecipe]:
    """Yield the recipes with reviews among some rows; `known` has the ingredients of those whose row has none."""
    for row in rows:
        if recipe := _reviewed(row, known, counts):
            yield recipe


def read_rows(path: Path, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file or a folder as dictionaries, counting those that are broken."""
    kind = "".join(path.suffixes[-2:]).lower().removesuffix(".gz")
    try:
        if is_parquet(path):
            yield from _parquet_rows(path)
        elif path.is_dir() or kind.endswith(pages.SUFFIXES):
            yield from pages.read_pages(path, counts)
        elif kind.endswith((".csv", ".tsv")):
            yield from _csv_rows(path, "\t" if kind.endswith(".tsv") else ",", counts)
        else:
            yield from _json_rows(path, counts)
    except (OSError, EOFError, csv.Error) as error:
        raise DataError(f"Cannot read {path.name}: {error}; check the file.") from None


def is_parquet(path: Path) -> bool:
    """Say whether a path is a Parquet file, or a folder that holds some, as Spark writes them."""
    return path.suffix.lower() == ".parquet" or (path.is_dir() and any(path.rglob("*.parquet")))


def _open(path: Path) -> IO[str]:
    """Open a text file; bytes that are no text become question marks rather than an end."""
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        wide = file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    encoding = "utf-16" if wide else "utf-8-sig"
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding=encoding, errors="replace", newline="")
    return path.open(encoding=encoding, errors="replace", newline="")


def _json_rows(path: Path, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    with _open(path) as file:
        for line in file:
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                counts["rows that are not JSON"] += 1
                continue
            if isinstance(row, dict):
                yield row
            else:
                counts["rows that are no objects"] += 1


def _csv_rows(path: Path, delimiter: str, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    csv.field_size_limit(min(_MAX_FIELD, sys.maxsize))
    with _open(path) as file:
        for row in csv.DictReader(file, delimiter=delimiter):
            # DictReader marks cells without a heading, and headings without a cell, by None.
            if None in row or None in row.values():
                counts["rows with too many or too few cells"] += 1
            else:
                yield row


def _parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    import pyarrow
    from pyarrow import dataset

    try:
        for batch in dataset.dataset(path, format="parquet", partitioning="hive").to_batches(batch_size=2_000):
            yield from batch.to_pylist()
    except pyarrow.ArrowInvalid:
        raise DataError(f"{path.name} is no Parquet file; check it.") from None


def ingredients_by_id(path: Path, counts: Counter[str]) -> dict[str, tuple[str, ...]]:
    """Read which ingredients each recipe of a file has."""
    known: dict[str, tuple[str, ...]] = {}
    for row in read_rows(path, counts):
        id, lines = _first_text(row, _ID), ingredients_of(row)
        if not id:
            counts["recipes without an id"] += 1
        elif lines:
            known[id] = lines
        else:
            counts["recipes without ingredients"] += 1
    return known


def _reviewed(
    row: Mapping[str, Any], known: Mapping[str, tuple[str, ...]], counts: Counter[str]
) -> ReviewedRecipe | None:
    id = _first_text(row, _ID)
    if not id:
        counts["rows without an id"] += 1
        return None
    reviews = tuple(_reviews(row, id, counts))
    return ReviewedRecipe(id, ingredients_of(row) or known.get(id), reviews) if reviews else None


def _reviews(row: Mapping[str, Any], id: str, counts: Counter[str]) -> Iterator[Review]:
    reviews = next((row[key] for key in _REVIEWS if isinstance(row.get(key), list)), None)
    for number, review in enumerate([row] if reviews is None else reviews):
        text = review if isinstance(review, str) else _first_text(review, _TEXT) if isinstance(review, dict) else ""
        counts["reviews"] += 1
        if not text.strip():
            counts["empty reviews"] += 1
        elif len(text) > MAX_REVIEW:
            counts["reviews over 20,000 characters"] += 1
        else:
            counts["reviews with broken characters"] += _BROKEN in text
            own_id = _first_text(review, _REVIEW_ID) if isinstance(review, dict) else ""
            yield Review(own_id if reviews is None and own_id else f"{id}#{own_id or number}", _clean(text))


def _clean(text: str) -> str:
    """Take markup out of a review; most have none, and keep their offsets."""
    return tidy(text) if "<" in text or "&" in text else text


def ingredients_of(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ingredient lines of a row, tidied; none if it has none."""
    value = next((row[key] for key in INGREDIENTS if row.get(key)), None)
    if isinstance(value, str):
        value = _parsed_list(value)
    if not isinstance(value, list | tuple):
        return ()
    texts = (line.get("text") if isinstance(line, dict) else line for line in value)  # Recipe1M's are objects
    return tuple(clean for text in texts if (clean := tidy(text)))


def _parsed_list(text: str) -> object:
    """Read a list that a CSV file holds as text: Python's or JSON's notation, or lines."""
    if len(text) < _MAX_FIELD and text.lstrip().startswith("["):
        for read in (json.loads, ast.literal_eval):
            try:
                return read(text)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
    return [line for line in text.splitlines() if line.strip()]


def _first_text(row: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:
        value = row.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and (text := str(value).strip()):
            return text.encode(errors="replace").decode()  # half a character ("\\ud83d") cannot be written anywhere
    return ""
