"""Recipe1M's `layer1.json` records, and the plain {title, ingredients, directions} records of other collections."""

from swapchef.errors import RecipeError
from swapchef.recipes.building import as_list, build_recipe, dump_json, ingredient_lines, load_json
from swapchef.recipes.model import Recipe, Step, tidy, tidy_lines


def read(text: str) -> Recipe:
    """Read one record, or the first of a list of them."""
    return from_object(load_json(text))


def from_object(document: object) -> Recipe:
    """Read one parsed record, or the first of a list of them."""
    for node in as_list(document):
        if isinstance(node, dict):
            return _recipe(node)
    raise RecipeError("This JSON holds no recipe record; it needs at least an ingredients list.")


def is_recipe(node: dict[str, object]) -> bool:
    """Say whether an object looks like a record: a list called ingredients and no schema.org type."""
    return isinstance(node.get("ingredients"), list) and "@type" not in node


def write(recipe: Recipe) -> str:
    """Write the fields that a Recipe1M record has."""
    return dump_json(
        {
            "title": recipe.title,
            "ingredients": [{"text": line.text} for line in recipe.ingredients],
            "instructions": [{"text": step.text} for step in recipe.steps],
            "url": recipe.url,
        }
    )


def _recipe(node: dict[str, object]) -> Recipe:
    directions = node.get("instructions") or node.get("directions") or node.get("steps")
    return build_recipe(
        title=node.get("title") or node.get("name"),
        ingredients=ingredient_lines(_text(item) for item in as_list(node.get("ingredients"))),
        steps=[Step(text) for item in as_list(directions) for text in _step_texts(item)],
        description=node.get("description"),
        url=node.get("url"),
    )


def _step_texts(item: object) -> list[str]:
    return tidy_lines(item) if isinstance(item, str) else [text] if (text := _text(item)) else []


def _text(item: object) -> str:
    return tidy(item.get("text")) if isinstance(item, dict) else tidy(item)
