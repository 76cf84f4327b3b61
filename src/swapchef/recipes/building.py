"""What all readers share: from the loose fields that a file holds to a checked `Recipe`, and JSON that cannot hurt."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from swapchef.errors import RecipeError
from swapchef.recipes.durations import minutes_from
from swapchef.recipes.lines import parse_line
from swapchef.recipes.model import IngredientLine, Recipe, Step, tidy, with_sections

_ANGLES = re.compile("[<>]")
UNTITLED = "Untitled recipe"
MAX_LINES = 5_000  # no dish has more; a file that does is not a recipe


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
    lines = tuple(ingredients)
    directions = tuple(steps)
    if not lines:
        raise RecipeError("This recipe has no ingredients; give it an ingredient list and try again.")
    if len(lines) > MAX_LINES or len(directions) > MAX_LINES:
        raise RecipeError(f"This file has over {MAX_LINES:,} lines, too many for one recipe; pass a single recipe.")
    return Recipe(
        title=tidy(title) or UNTITLED,
        ingredients=lines,
        steps=directions,
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


def ingredient_lines(texts: Iterable[str]) -> list[IngredientLine]:
    """Parse tidy ingredient texts, taking lines such as "For the sauce:" as headings."""
    return [parse_line(text, section) for text, section in with_sections(text for text in texts if text)]


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
    try:
        return json.loads(text)
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
