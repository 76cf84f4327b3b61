"""Tandoor's recipe JSON, as its API and its export give it: ingredients belong to steps, foods name their substitutes.

Tandoor keeps an ingredient in parts (amount, unit, food, note), and headings among ingredients as ingredients of their
own; anything else, such as the size of a can, goes into the note. A step's text may point at its ingredients
("{{ ingredients[0] }}"), which is read as their names.
"""

import re
from dataclasses import replace
from fractions import Fraction

from swapchef.errors import RecipeError
from swapchef.recipes.building import as_list, build_recipe, dump_json, load_json
from swapchef.recipes.lines import parse_line
from swapchef.recipes.model import Amount, IngredientLine, Recipe, Step, tidy, tidy_lines

_POINTER = re.compile(r"\{\{\s*ingredients\[(\d{1,3})\]\s*\}\}")
_SERVINGS = re.compile(r"\d{1,5}")


def read(text: str) -> Recipe:
    """Read one Tandoor recipe, or the first of a list of them."""
    return from_object(load_json(text))


def from_object(document: object) -> Recipe:
    """Read one parsed Tandoor recipe, or the first of a list of them."""
    for node in as_list(document):
        if isinstance(node, dict):
            return _recipe(node)
    raise RecipeError("This JSON holds no Tandoor recipe; export one from Tandoor as JSON and try again.")


def is_recipe(node: dict[str, object]) -> bool:
    """Say whether an object looks like Tandoor's: its steps hold instructions and ingredients."""
    return any(isinstance(step, dict) and "instruction" in step for step in as_list(node.get("steps")))


def write(recipe: Recipe) -> str:
    """Write a recipe as Tandoor's JSON, all ingredients with the first step."""
    texts = recipe.steps or (Step(""),)
    steps = [
        {"name": step.section, "instruction": step.text, "ingredients": [], "order": order, "time": 0}
        for order, step in enumerate(texts)
    ]
    steps[0]["ingredients"] = _ingredients(recipe.ingredients)
    number = _SERVINGS.search(recipe.servings)
    return dump_json(
        {
            "name": recipe.title,
            "description": recipe.description,
            "keywords": [{"name": tag} for tag in recipe.tags],
            "steps": steps,
            "working_time": recipe.prep_minutes or 0,
            "waiting_time": recipe.cook_minutes or 0,
            "internal": True,
            "servings": int(number.group()) if number else 1,
            "servings_text": _SERVINGS.sub("", recipe.servings, count=1).strip(),
            "source_url": recipe.url,
        }
    )


def _recipe(node: dict[str, object]) -> Recipe:
    steps = [step for step in as_list(node.get("steps")) if isinstance(step, dict)]
    servings = f"{tidy(node.get('servings'))} {tidy(node.get('servings_text'))}"
    return build_recipe(
        title=node.get("name"),
        ingredients=[line for step in steps for line in _read_ingredients(step.get("ingredients"))],
        steps=[Step(text, tidy(step.get("name"))) for step in steps for text in tidy_lines(_instruction(step))],
        description=node.get("description"),
        servings=servings,
        prep=node.get("working_time") or None,
        cook=node.get("waiting_time") or None,
        url=node.get("source_url"),
        image=node.get("image"),
        tags=[_name(keyword) for keyword in as_list(node.get("keywords"))],
    )


def _instruction(step: dict[str, object]) -> object:
    text, ingredients = step.get("instruction"), as_list(step.get("ingredients"))
    if not isinstance(text, str):
        return ""

    def name_of_food(pointer: re.Match[str]) -> str:
        index = int(pointer[1])
        item = ingredients[index] if index < len(ingredients) else None
        return _name(item.get("food")) if isinstance(item, dict) else ""

    return _POINTER.sub(name_of_food, text)


def _read_ingredients(value: object) -> list[IngredientLine]:
    lines: list[IngredientLine] = []
    section = ""
    for item in as_list(value):
        if not isinstance(item, dict):
            continue
        if item.get("is_header"):
            section = tidy(item.get("note")) or section
        elif text := _line_text(item):
            lines.append(replace(parse_line(text, section), substitutes=_read_substitutes(item.get("food"))))
    return lines


def _read_substitutes(food: object) -> tuple[str, ...]:
    substitutes = as_list(food.get("substitute")) if isinstance(food, dict) else []
    return tuple(name for substitute in substitutes if (name := _name(substitute)))


def _line_text(item: dict[str, object]) -> str:
    """Return the text that was imported, unless the cook has changed its parts since."""
    amount, unit, note = _amount(item), _name(item.get("unit")), tidy(item.get("note"))
    food, original = _name(item.get("food")), tidy(item.get("original_text"))
    if not food:
        return note or original
    line = parse_line(original)
    now = (amount, unit, food, note)
    if (line.amount.low if line.amount else None, line.unit, line.name, _note(line)) == now:
        return original
    text = " ".join(part for part in (str(Amount(amount)) if amount else "", unit, food) if part)
    return f"{text}, {note}" if note else text


def _amount(item: dict[str, object]) -> Fraction | None:
    """Read a decimal amount as the fraction that a cook means: 0.3333333 is a third."""
    value = item.get("amount")
    if isinstance(value, str):  # the API gives decimals as text
        value = float(value) if re.fullmatch(r"\d{1,8}(\.\d{1,20})?", value) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6 or item.get("no_amount"):
        return None
    return Fraction(value).limit_denominator(16)


def _ingredients(lines: tuple[IngredientLine, ...]) -> list[dict[str, object]]:
    items: list[dict[str, object]] = []
    current = ""
    for line in lines:
        if line.section and line.section != current:
            current = line.section
            items.append({"note": current, "is_header": True, "food": None, "unit": None, "amount": 0})
        items.append(
            {
                "amount": float(line.amount.low) if line.amount else 0,
                "no_amount": line.amount is None,
                "unit": {"name": line.unit} if line.unit else None,
                "food": _food(line),
                "note": _note(line),
                "is_header": False,
                "original_text": line.text,
            }
        )
    return [{**item, "order": order} for order, item in enumerate(items)]


def _note(line: IngredientLine) -> str:
    """Return what a line says beside amount, unit and food."""
    highest = f"up to {Amount(line.amount.high)}" if line.amount and line.amount.high else ""
    pack = f"{line.pack.amount} {line.pack.unit}" if line.pack else ""
    return ", ".join(part for part in (highest, pack, line.note) if part)


def _food(line: IngredientLine) -> dict[str, object]:
    """Return a line's food with its substitutes, which have no amount in Tandoor."""
    names = [parse_line(text).name or text for text in line.substitutes]
    return {"name": line.name, **({"substitute": [{"name": name} for name in names]} if names else {})}


def _name(value: object) -> str:
    return tidy(value.get("name")) if isinstance(value, dict) else tidy(value)
