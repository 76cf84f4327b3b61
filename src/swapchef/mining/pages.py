"""Saved web pages with the reviews below the recipe, as far as the page's JSON-LD has them.

The recipe is read as any page is (`recipes.webpage`); reviews and comments are the objects of type Review or Comment
anywhere in the JSON-LD, and the plain texts under `review` and `comment`.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from swapchef.errors import DataError, RecipeError
from swapchef.recipes import Recipe, parse_recipe
from swapchef.recipes.building import as_list, load_json
from swapchef.recipes.formats import MAX_BYTES
from swapchef.recipes.webpage import json_ld_scripts

SUFFIXES = (".html", ".htm", ".xhtml")
_REVIEW_KEYS = ("review", "reviews", "comment", "comments")
_REVIEW_TYPES = frozenset({"review", "userreview", "criticreview", "comment", "usercomments", "answer"})
_TEXT = ("reviewBody", "text", "commentText", "description")


def read_pages(path: Path, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """Yield a row for each page with comments, of a file or of a folder and those in it; count the others."""
    pages = sorted(page for page in path.rglob("*") if page.suffix.lower() in SUFFIXES) if path.is_dir() else [path]
    if not pages:
        raise DataError(f"There are neither Parquet files nor web pages in {path}; name a folder that has some.")
    for page in pages:
        counts["pages"] += 1
        with page.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            counts["pages that are too large"] += 1
            continue
        text = data.decode("utf-8-sig", errors="replace")
        comments = list(comments_of(text, counts))
        if not comments:
            counts["pages without comments"] += 1
            continue
        recipe = _recipe(text, counts)
        name = page.relative_to(path).as_posix() if page != path else page.name
        yield {
            "id": (recipe.url if recipe else "") or name,
            "ingredients": [line.text for line in recipe.ingredients] if recipe else None,
            "reviews": comments,
        }


def comments_of(page: str, counts: Counter[str]) -> Iterator[str]:
    """Yield what cooks wrote, as the JSON-LD of a page has it; each text once, sites repeat them."""
    seen: set[str] = set()
    for script in json_ld_scripts(page):
        try:
            document = load_json(script)
        except RecipeError:
            counts["scripts of pages that are not JSON"] += 1
            continue
        for text in _texts(document):
            if text not in seen:
                seen.add(text)
                yield text


def _texts(document: object) -> Iterator[str]:
    """Walk a document, outermost first and without recursion."""
    queue: list[tuple[str, object]] = [("", document)]
    for key, item in queue:  # grows while it is walked
        if isinstance(item, list):
            queue.extend((key, value) for value in item)
        elif isinstance(item, str) and key in _REVIEW_KEYS:
            yield item
        elif isinstance(item, dict):
            if key in _REVIEW_KEYS or _is_review(item):
                yield from [text for name in _TEXT if isinstance(text := item.get(name), str) and text.strip()][:1]
            queue.extend((name, value) for name, value in item.items() if isinstance(value, list | dict | str))


def _is_review(node: dict[str, object]) -> bool:
    return any(str(kind).rpartition("/")[2].lower() in _REVIEW_TYPES for kind in as_list(node.get("@type")))


def _recipe(page: str, counts: Counter[str]) -> Recipe | None:
    try:
        return parse_recipe(page, "html")
    except RecipeError:
        counts["pages without a recipe"] += 1
        return None
