"""Mealie's recipe JSON, as its export and its API give it (camelCase, and snake_case in old backups).

Mealie keeps an ingredient in parts (quantity, unit, food, note) and computes `display` from them; `originalText` is
what was once imported and goes stale when the cook edits, so it is read last.
"""

import re
from dataclasses import replace
from fractions import Fraction

from swapchef.errors import RecipeError
from swapchef.recipes.building import as_list, build_recipe, dump_json, load_json
from swapchef.recipes.durations import spoken_duration
from swapchef.recipes.lines import parse_line
from swapchef.recipes.model import Amount, IngredientLine, Recipe, Step, tidy


def read(text: str) -> Recipe:
    """Read one Mealie recipe, or the first of a list of them."""
    return from_object(load_json(text))


def from_object(document: object) -> Recipe:
    """Read one parsed Mealie recipe, or the first of a list of them."""
    for node in as_list(document):
        if isinstance(node, dict):
            return _recipe({_camel(str(key)): value for key, value in node.items()})
    raise RecipeError("This JSON holds no Mealie recipe; export one from Mealie as JSON and try again.")


def is_recipe(node: dict[str, object]) -> bool:
    """Say whether an object looks like Mealie's: its ingredients are objects, schema.org's are text."""
    ingredients = as_list(node.get("recipeIngredient") or node.get("recipe_ingredient"))
    return any(isinstance(item, dict) for item in ingredients) and "@type" not in node


def write(recipe: Recipe) -> str:
    """Write a recipe as Mealie's JSON."""
    return dump_json(
        {
            "name": recipe.title,
            "slug": re.sub(r"[^a-z0-9]+", "-", recipe.title.lower()).strip("-") or "recipe",
            "description": recipe.description,
            "image": recipe.image,
            "orgURL": recipe.url,
            "author": recipe.author,
            "recipeYield": recipe.servings,
            "prepTime": spoken_duration(recipe.prep_minutes) if recipe.prep_minutes else "",
            "performTime": spoken_duration(recipe.cook_minutes) if recipe.cook_minutes else "",
            "totalTime": spoken_duration(recipe.total_minutes) if recipe.total_minutes else "",
            "tags": [{"name": tag} for tag in recipe.tags],
            "recipeIngredient": _ingredients(recipe.ingredients),
            "recipeInstructions": _instructions(recipe.steps),
            "notes": [{"title": "", "text": note} for note in recipe.notes],
        }
    )


def _recipe(node: dict[str, object]) -> Recipe:
    return build_recipe(
        title=node.get("name"),
        ingredients=_read_ingredients(node.get("recipeIngredient")),
        steps=_read_steps(node.get("recipeInstructions")),
        description=node.get("description"),
        servings=_servings(node),
        prep=node.get("prepTime"),
        cook=node.get("performTime") or node.get("cookTime"),
        total=node.get("totalTime"),
        author=node.get("author"),
        url=node.get("orgURL") or node.get("orgUrl"),
        image=node.get("image"),
        tags=[_name(tag) for tag in as_list(node.get("tags"))],
        notes=[_note(note) for note in as_list(node.get("notes"))],
    )


def _read_ingredients(value: object) -> list[IngredientLine]:
    lines: list[IngredientLine] = []
    section = ""
    for item in as_list(value):
        if isinstance(item, dict):
            section = tidy(item.get("title")) or section
        if text := _line_text(item):
            lines.append(replace(parse_line(text, section), substitutes=_read_substitutes(item)))
    return lines


def _read_substitutes(item: object) -> tuple[str, ...]:
    substitutions = as_list(item.get("substitutions")) if isinstance(item, dict) else []
    texts = (
        tidy(substitution.get("note")) or _name(substitution.get("substituteFood"))
        for substitution in substitutions
        if isinstance(substitution, dict)
    )
    return tuple(text for text in texts if text)


def _line_text(item: object) -> str:
    if not isinstance(item, dict):
        return tidy(item)
    item = {_camel(str(key)): value for key, value in item.items()}
    if display := tidy(item.get("display")):
        return display
    unit, food, note = _name(item.get("unit")), _name(item.get("food")), tidy(item.get("note"))
    if not food and not unit:  # an ingredient Mealie did not take apart lives whole in its note
        return note or tidy(item.get("originalText"))
    text = " ".join(part for part in (_quantity(item), unit, food or note) if part)
    return f"{text}, {note}" if note and food else text


def _quantity(item: dict[str, object]) -> str:
    """Write a decimal quantity as a cook does: 0.3333333 -> "1/3"."""
    value = item.get("quantity")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
        return ""
    return str(Amount(Fraction(value).limit_denominator(16)))


def _servings(node: dict[str, object]) -> str:
    """Join Mealie's number and word of servings: 24 and "cookies"."""
    number = tidy(node.get("recipeYieldQuantity") or node.get("recipeServings")).removesuffix(".0")
    word = tidy(node.get("recipeYield"))
    return f"{number} {word}".strip() if number not in {"", "0"} and not word[:1].isdigit() else word


def _read_steps(value: object) -> list[Step]:
    steps, section = [], ""
    for item in as_list(value):
        if isinstance(item, dict):
            section = tidy(item.get("title")) or section
            item = item.get("text")
        if text := tidy(item):
            steps.append(Step(text, section))
    return steps


def _ingredients(lines: tuple[IngredientLine, ...]) -> list[dict[str, object]]:
    items: list[dict[str, object]] = []
    current = ""
    for line in lines:
        title = line.section if line.section != current else ""
        current = line.section or current
        items.append(
            {
                "title": title or None,
                "quantity": float(line.amount.low) if line.amount else None,
                "unit": {"name": line.unit} if line.unit else None,
                "food": {"name": line.name},
                "note": line.note,
                "display": line.text,
                "originalText": line.text,
                **({"substitutions": [_substitution(text) for text in line.substitutes]} if line.substitutes else {}),
            }
        )
    return items


def _substitution(text: str) -> dict[str, object]:
    """Write a substitute; Mealie keeps the food, and the amount only as part of a note."""
    return {"substituteFood": {"name": parse_line(text).name or text}, "note": text}


def _instructions(steps: tuple[Step, ...]) -> list[dict[str, object]]:
    items: list[dict[str, object]] = []
    current = ""
    for step in steps:
        items.append({"title": step.section if step.section != current else "", "text": step.text})
        current = step.section or current
    return items


def _name(value: object) -> str:
    return tidy(value.get("name")) if isinstance(value, dict) else tidy(value)


def _note(value: object) -> str:
    if not isinstance(value, dict):
        return tidy(value)
    title, text = tidy(value.get("title")), tidy(value.get("text"))
    return f"{title}: {text}" if title and text else title or text


def _camel(key: str) -> str:
    head, *rest = key.split("_")
    return head + "".join(part.capitalize() for part in rest)
