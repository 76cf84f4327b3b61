"""schema.org/Recipe as JSON-LD: what recipe sites embed and most recipe apps import.

Sites bend the format in many ways (a list, an `@graph`, text where lists are expected, sections of steps), so the
reader looks for the first Recipe anywhere and takes each field in every shape it has been seen in. The writer emits
the plain form; headings inside the ingredient list become lines that end in a colon, as sites do.
"""

import re
from collections.abc import Iterator

from swapchef.errors import RecipeError
from swapchef.recipes.building import as_list, build_recipe, dump_json, ingredient_lines, load_json
from swapchef.recipes.durations import iso_duration
from swapchef.recipes.model import Recipe, Step, tidy, tidy_lines

_MAX_DEPTH = 12  # of sections in sections; deeper nesting is not a recipe
_LEADING_NUMBER = re.compile(r"(?:step\s+)?(\d{1,3})\s*[.):]\s+(?=\S)", re.IGNORECASE)


def read(text: str) -> Recipe:
    """Read the first recipe in a JSON-LD document."""
    return from_object(load_json(text))


def from_object(document: object) -> Recipe:
    """Read the first recipe in a parsed JSON-LD document."""
    recipes = [node for node in _nodes(document) if is_recipe(node)]
    for node in recipes:  # a page may carry teasers of other recipes, which have no ingredients
        if node.get("recipeIngredient") or node.get("ingredients"):
            return _recipe(node)
    if recipes:
        return _recipe(recipes[0])
    raise RecipeError("This JSON holds no schema.org Recipe; look for an object with recipeIngredient in it.")


def is_recipe(node: dict[str, object]) -> bool:
    """Say whether an object is a schema.org Recipe, by its type or by its fields."""
    types = [re.split("[/:]", str(t))[-1].lower() for t in as_list(node.get("@type"))]
    return "recipe" in types or (not types and "recipeIngredient" in node)


def write(recipe: Recipe) -> str:
    """Write a recipe as a schema.org JSON-LD object."""
    return dump_json(to_object(recipe))


def to_object(recipe: Recipe) -> dict[str, object]:
    """Turn a recipe into a schema.org JSON-LD object."""
    return {
        "@context": "https://schema.org",
        "@type": "Recipe",
        "name": recipe.title,
        "description": recipe.description,
        "author": {"@type": "Person", "name": recipe.author} if recipe.author else "",
        "url": recipe.url,
        "image": recipe.image,
        "recipeYield": recipe.servings,
        "prepTime": iso_duration(recipe.prep_minutes) if recipe.prep_minutes else "",
        "cookTime": iso_duration(recipe.cook_minutes) if recipe.cook_minutes else "",
        "totalTime": iso_duration(recipe.total_minutes) if recipe.total_minutes else "",
        "keywords": ", ".join(recipe.tags),
        "recipeIngredient": sectioned_texts([(line.text, line.section) for line in recipe.ingredients]),
        "recipeInstructions": _instructions(recipe.steps),
        "notes": list(recipe.notes),  # not in schema.org, which has no place for the cook's own notes
    }


def sectioned_texts(pairs: list[tuple[str, str]]) -> list[str]:
    """Flatten (text, section) pairs, putting each heading once above its lines."""
    texts, current = [], ""
    for text, section in pairs:
        if section and section != current:
            texts.append(f"{section}:")
            current = section
        texts.append(text)
    return texts


def _nodes(document: object) -> Iterator[dict[str, object]]:
    """Walk every object of the document, outermost first, without recursion."""
    queue, position = [document], 0
    while position < len(queue):
        item, position = queue[position], position + 1
        if isinstance(item, dict):
            yield item
            queue.extend(value for value in item.values() if isinstance(value, dict | list))
        elif isinstance(item, list):
            queue.extend(value for value in item if isinstance(value, dict | list))


def _recipe(node: dict[str, object]) -> Recipe:
    ingredients = node.get("recipeIngredient") or node.get("ingredients")
    texts = tidy_lines(ingredients) if isinstance(ingredients, str) else list(_ingredient_texts(as_list(ingredients)))
    return build_recipe(
        title=_text(node.get("name") or node.get("headline")),
        ingredients=ingredient_lines(texts),
        steps=list(_steps(node.get("recipeInstructions"))),
        description=_text(node.get("description")),
        servings=_servings(node.get("recipeYield")),
        prep=node.get("prepTime"),
        cook=node.get("cookTime"),
        total=node.get("totalTime"),
        author=", ".join(name for a in as_list(node.get("author")) if (name := tidy(_text(a)))),
        url=_text(node.get("url") or node.get("mainEntityOfPage")),
        image=_text(node.get("image")),
        tags=[_text(tag) for key in ("keywords", "recipeCategory", "recipeCuisine") for tag in as_list(node.get(key))],
        notes=as_list(node.get("notes")),
    )


def _ingredient_texts(items: list[object], depth: int = 0) -> Iterator[str]:
    """Yield the lines of a list that may hold text, lists, or objects with an amount, a unit and a name."""
    for item in items:
        if isinstance(item, list):
            if depth <= _MAX_DEPTH:
                yield from _ingredient_texts(item, depth + 1)
        elif isinstance(item, dict):
            amount = item.get("amount") or item.get("quantity") or item.get("value") or item.get("requiredQuantity")
            unit, name = (
                item.get("unitText") or item.get("unit"),
                item.get("name") or item.get("text") or item.get("ingredient"),
            )
            yield " ".join(text for part in (amount, unit, name) if (text := tidy(_text(part))))
        else:
            yield tidy(item)


def _text(value: object) -> object:
    """Find the text in a value that may be a string, a list of them, or an object with a name or an address."""
    for _ in range(_MAX_DEPTH):
        if not isinstance(value, list):
            break
        value = value[0] if value else ""
    if isinstance(value, dict):
        keys = ("text", "name", "value", "@value", "url", "@id")
        return next((value[key] for key in keys if isinstance(value.get(key), str | int | float)), "")
    return value


def _servings(value: object) -> object:
    """Pick the most telling of several yields: sites give ["4", "4 servings"]."""
    texts = [tidy(_text(entry)) for entry in as_list(value)]
    return max(texts, key=len, default="")


def _steps(value: object, section: str = "", depth: int = 0) -> Iterator[Step]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, str):
        yield from (Step(line, section) for line in _numberless(tidy_lines(value)))
    elif isinstance(value, list):
        texts = iter(_numberless([tidy(item) for item in value if isinstance(item, str)]))
        for item in value:
            if not isinstance(item, str):
                yield from _steps(item, section, depth + 1)
            elif text := next(texts):
                yield Step(text, section)
    elif isinstance(value, dict):
        inner = value.get("itemListElement") or value.get("steps") or value.get("item")
        if inner and "HowToStep" not in as_list(value.get("@type")):
            yield from _steps(inner, tidy(value.get("name")) or section, depth + 1)
        elif text := tidy(value.get("text") or value.get("description") or value.get("name")):
            yield Step(text, section)
        elif inner:  # a HowToStep whose text is in its HowToDirections
            yield from _steps(inner, section, depth + 1)


def _numberless(lines: list[str]) -> list[str]:
    """Drop "1.", "2."... from steps that are all numbered in order."""
    numbered = [_LEADING_NUMBER.match(line) for line in lines]
    if all(match and int(match[1]) == number for number, match in enumerate(numbered, start=1)):
        return [line[match.end() :] for line, match in zip(lines, numbered, strict=True) if match]
    return lines


def _instructions(steps: tuple[Step, ...]) -> list[dict[str, object]]:
    sections: list[dict[str, object]] = []
    current = ""
    into = sections
    for step in steps:
        if step.section and step.section != current:
            current, into = step.section, []
            sections.append({"@type": "HowToSection", "name": current, "itemListElement": into})
        into.append({"@type": "HowToStep", "text": step.text})
    return sections
