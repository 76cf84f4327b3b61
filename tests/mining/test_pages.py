"""Saved pages give their recipe and what cooks wrote below it."""

import json
from collections import Counter
from pathlib import Path

import pytest

from swapchef.errors import DataError
from swapchef.mining.inputs import read_reviewed
from swapchef.mining.pipeline import mine

RECIPE = {
    "@type": "Recipe",
    "name": "Cake",
    "url": "https://example.com/cake",
    "recipeIngredient": ["1 cup sugar", "2 eggs"],
    "review": [
        {"@type": "Review", "reviewBody": "I used <i>honey</i> instead of sugar."},
        {"@type": "Review", "reviewBody": "I used <i>honey</i> instead of sugar."},  # sites repeat themselves
        "Didn&#39;t have eggs so I used applesauce.",
    ],
}
ARTICLE = {
    "@type": "Article",
    "comment": {"@type": "http://schema.org/Comment", "text": "I replaced the sugar with stevia."},
}


def page(path: Path, *documents: object) -> Path:
    scripts = "".join(
        f'<script type="application/ld+json">{document if isinstance(document, str) else json.dumps(document)}</script>'
        for document in documents
    )
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"<html><head>{scripts}</head><body><p>Yum</p></body></html>", encoding="utf-8")
    return path


def test_a_page_gives_its_recipe_and_its_comments(tmp_path: Path) -> None:
    (recipe,) = read_reviewed(None, page(tmp_path / "cake.html", {"@graph": [RECIPE, ARTICLE]}), counts := Counter())
    assert recipe.id == "https://example.com/cake"
    assert recipe.ingredients == ("1 cup sugar", "2 eggs")
    assert sorted(review.text for review in recipe.reviews) == [
        "Didn't have eggs so I used applesauce.",
        "I replaced the sugar with stevia.",
        "I used honey instead of sugar.",
    ]
    assert counts["pages"] == 1


def test_a_folder_of_pages_is_mined_and_the_useless_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    page(folder / "cake.html", RECIPE)
    page(folder / "empty.htm")
    page(folder / "broken.html", "{not json", ARTICLE)
    (folder / "large.html").write_bytes(b"x" * (10 * 1024 * 1024 + 1))
    (folder / "notes.txt").write_text("no page")
    counts = mine(None, folder, "better", tmp_path / "out")
    expected = {
        "pages": 4,
        "pages without comments": 1,
        "pages without a recipe": 1,
        "pages that are too large": 1,
        "scripts of pages that are not JSON": 1,
        "reviews": 3,
        "tuples": 3,
    }
    assert {name: counts[name] for name in expected} == expected
    rows = [json.loads(line) for line in (tmp_path / "out" / "tuples.jsonl").read_text().splitlines()]
    assert {tuple(row["subs"]) for row in rows} == {("sugar", "honey"), ("egg", "applesauce"), ("sugar", "stevia")}
    assert {row["id"] for row in rows} == {"https://example.com/cake", "broken.html"}


def test_a_folder_without_pages_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="neither Parquet files nor web pages"):
        list(read_reviewed(None, tmp_path, Counter()))
