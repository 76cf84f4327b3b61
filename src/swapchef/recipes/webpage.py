"""A saved web page: the recipe in its JSON-LD if it has one, else whatever recipe-scrapers finds for its site.

JSON-LD comes first because it gives the same answer with and without the optional `scrape` extra and needs no parser
beyond plain search. The writer makes a page that people can read and any recipe app can import.
"""

import html
import re
from collections.abc import Iterator
from typing import Any

from swapchef.errors import RecipeError
from swapchef.recipes import jsonld
from swapchef.recipes.building import build_recipe, ingredient_lines, load_json
from swapchef.recipes.model import Recipe, Step, tidy

# The page's own address: <link rel="canonical" href="..."> or <meta property="og:url" content="...">.
_ADDRESS = re.compile(
    r"""
    <(?:link|meta)\b [^<>]{0,300} (?:canonical|og:url)
    [^<>]{0,300} (?:href|content)\s*=\s*["']([^"']{1,500})
    """,
    re.VERBOSE | re.IGNORECASE,
)

_STRAY_BRACKET = re.compile(r"<(?![^<>]{1,5000}>)")  # tags that never end make HTML parsers take quadratic time

_WRAPPING = re.compile(r"^\s*(?://)?\s*(?:<!--|<!\[CDATA\[)|(?://)?\s*(?:-->|\]\]>)\s*$")


def read(text: str) -> Recipe:
    """Read the recipe of an HTML page."""
    problem = None
    for script in json_ld_scripts(text):
        try:
            return jsonld.from_object(load_json(script))
        except RecipeError as error:
            problem = error
    return _scrape(text, problem)


def write(recipe: Recipe) -> str:
    """Write a small self-contained page with the recipe in it twice: for eyes, and as JSON-LD for programs."""

    def items(texts: list[str]) -> str:
        return "\n".join(f"<li>{html.escape(text)}</li>" for text in texts)

    data = jsonld.write(recipe).replace("<", "\\u003c")  # nothing in the data can end the script element
    title = html.escape(recipe.title)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<script type="application/ld+json">\n{data}</script>\n</head>\n<body>\n<h1>{title}</h1>\n'
        f"<h2>Ingredients</h2>\n<ul>\n{items([line.text for line in recipe.ingredients])}\n</ul>\n"
        f"<h2>Directions</h2>\n<ol>\n{items([step.text for step in recipe.steps])}\n</ol>\n</body>\n</html>\n"
    )


def json_ld_scripts(text: str) -> Iterator[str]:
    """Yield the text of every JSON-LD script; linear in the page, which html.parser is not on hostile ones."""
    lowered = text.lower() if len(text.lower()) == len(text) else text
    position = 0
    while (start := lowered.find("<script", position)) >= 0 and (opened := lowered.find(">", start)) >= 0:
        end = lowered.find("</script", opened)
        position = len(text) if end < 0 else end
        if "ld+json" in html.unescape(lowered[start:opened]):
            yield _WRAPPING.sub("", text[opened + 1 : position])


def _scrape(text: str, problem: RecipeError | None) -> Recipe:
    try:
        from recipe_scrapers import scrape_html
    except ImportError:
        raise problem or RecipeError(
            "This page holds no JSON-LD recipe; install swapchef[scrape] to read more sites,"
            " or paste the recipe as text."
        ) from None
    address = _ADDRESS.search(text)
    try:
        scraper: Any = scrape_html(
            _STRAY_BRACKET.sub("&lt;", text),
            org_url=address[1] if address else "https://example.com/",
            supported_only=False,
        )
        recipe = scraper.to_json()
    except Exception:  # several hundred site scrapers, each with failures of its own: all mean "no recipe here"
        raise problem or RecipeError(
            "I found no recipe on this page; save the recipe itself, or paste it as text."
        ) from None
    return build_recipe(
        title=recipe.get("title"),
        ingredients=ingredient_lines(tidy(line) for line in recipe.get("ingredients") or []),
        steps=[Step(line) for raw in recipe.get("instructions_list") or [] if (line := tidy(raw))],
        description=recipe.get("description"),
        servings=recipe.get("yields"),
        prep=recipe.get("prep_time"),
        cook=recipe.get("cook_time"),
        total=recipe.get("total_time"),
        author=recipe.get("author"),
        url=address[1] if address else "",
        image=recipe.get("image"),
    )
