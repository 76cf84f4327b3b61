"""What all readers share: the fields of a file become a checked `Recipe`, and JSON is parsed with limits."""

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from swapchef.errors import RecipeError
from swapchef.recipes.durations import minutes_from
from swapchef.recipes.lines import parse_line
from swapchef.recipes.model import IngredientLine, Recipe, Step, heading_name, inherit_sections, section_name, tidy

_Item = TypeVar("_Item")
_ANGLES = re.compile("[<>]")
UNTITLED = "Untitled recipe"
MAX_LINES = 2_000  # no dish has more; a file that does is not a recipe


def build_recipe(
    *,
    title: object,
    ingredients: Iterable[IngredientLine],
    steps: Iterable[Step] = (),
    description: object = "",
    servings: object = "",
    prep: object = None,
    cook: object = None,
    total: object = None,
    author: object = "",
    url: object = "",
    image: object = "",
    tags: object = (),
    notes: Iterable[object] = (),
) -> Recipe:
    """Tidy every field and refuse what cannot be a recipe."""
    lines, directions = tuple(under_headings(at_most(ingredients))), at_most(steps)
    if not lines:
        raise RecipeError("This recipe has no ingredients; give it an ingredient list and try again.")
    step_sections = inherit_sections(step.section for step in directions)
    return Recipe(
        title=tidy(title) or UNTITLED,
        ingredients=lines,
        steps=tuple(replace(step, section=s) for step, s in zip(directions, step_sections, strict=True)),
        description=tidy(description),
        servings=tidy(servings),
        prep_minutes=minutes_from(prep),
        cook_minutes=minutes_from(cook),
        total_minutes=minutes_from(total),
        author=tidy(author),
        url=tidy(url),
        image=tidy(image),
        tags=split_tags(tags),
        notes=tuple(note for raw in notes if (note := tidy(raw))),
    )


def under_headings(lines: list[IngredientLine]) -> Iterator[IngredientLine]:
    """Take lines that are headings out, and put the lines below under them."""
    capitals = not all(line.text.isupper() for line in lines)
    current = ""
    for line in lines:
        if heading := heading_name(line.text, capitals):
            current = heading
        else:
            current = section_name(line.section) or current
            yield replace(line, section=current)


def ingredient_lines(texts: Iterable[str]) -> list[IngredientLine]:
    """Parse tidy ingredient texts."""
    return [parse_line(text) for text in at_most(text for text in texts if text)]


def at_most(items: Iterable[_Item], limit: int = MAX_LINES) -> list[_Item]:
    """List items, refusing more than a recipe can have before any work is spent on them."""
    result = list(itertools.islice(items, limit + 1))
    if len(result) > limit:
        raise RecipeError(f"This file has over {limit:,} lines, too many for one recipe; pass a single recipe.")
    return result


def split_tags(tags: object) -> tuple[str, ...]:
    """Read tags from a list or from text with commas; a tag never holds a comma or an angle bracket."""
    entries = (
        tags.split(",") if isinstance(tags, str) else [part for tag in as_list(tags) for part in tidy(tag).split(",")]
    )
    return tuple(dict.fromkeys(tag for entry in entries if (tag := tidy(_ANGLES.sub(" ", entry)))))


def as_list(value: object) -> list[Any]:
    """Wrap a single value where a list was expected; nothing becomes an empty list."""
    if value is None or value == "":
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def load_json(text: str) -> object:
    """Parse JSON, turning everything that can go wrong into one sentence."""
    text = text.strip("\ufeff \t\r\n;")  # as pages wrap it
    try:
        return json.loads(text, strict=False)  # line breaks inside strings are common
    except RecursionError:
        raise RecipeError("This JSON is nested too deeply to be a recipe; pass a single recipe object.") from None
    except ValueError as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise RecipeError(f"This is not valid JSON{where}; export the recipe again or save it as plain text.") from None


def dump_json(value: Mapping[str, object]) -> str:
    """Write JSON for people: indented, accents kept, empty fields left out."""
    return (
        json.dumps({k: v for k, v in value.items() if v not in ("", None, [], ())}, indent=2, ensure_ascii=False) + "\n"
    )
