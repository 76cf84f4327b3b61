"""Hand labels of real ingredient lines, found by recipe and line number and hash: the texts may not be published."""

import csv
import hashlib
from collections.abc import Iterator
from pathlib import Path

from swapchef.recipes.records import read_records
from swapchef.sources import data_file

FOLDER = Path(__file__).parent / "labels"


def short_hash(text: str) -> str:
    return hashlib.sha1(text.encode()).hexdigest()[:10]


def read_recipes() -> list[dict]:
    return list(read_records(data_file("recipes/recipes.jsonl.gz")))


def labelled(name: str, recipes: list[dict]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each labelled line's text with its labels."""
    for row in csv.DictReader((FOLDER / name).read_text(encoding="utf-8").splitlines()):
        text = recipes[int(row["recipe"])]["ingredients"][int(row["line"])]
        if short_hash(text) != row["sha1"]:
            raise SystemExit(f"Line {row['recipe']}/{row['line']} has changed since it was labelled.")
        yield text, row
