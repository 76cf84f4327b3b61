"""What would be dangerous in a recipe: its settings, and what they say of one ingredient by the words of its lines."""

from swapchef.amounts.portions import Portion
from swapchef.amounts.strength import is_more_than
from swapchef.editing.editor import Editor
from swapchef.editing.matched_recipe import Source
from swapchef.limits.hazards import Guard, Hazard, Hazards


def hazards_of(editor: Editor | None, facets: tuple[str, ...]) -> Hazards:
    """Recognise what makes some foods dangerous in a recipe, and for a cook with these facets."""
    if editor is None:
        return Hazards.of(None, facets=facets)
    matched = editor.matched
    return Hazards.of(matched.recipe, matched.dish.use == "raw", facets)


def guard_of(source: Source, editor: Editor | None, hazards: Hazards) -> Guard:
    """Return what would be dangerous to take instead of an ingredient, by all that its lines say of it."""
    names = [source.food.name, *source.food.written]
    if editor:
        matched = editor.matched
        alone = (index for index in matched.lines_with(source) if len(matched.on_line[index]) == 1)
        names += [matched.recipe.ingredients[index].text for index in alone]
    return hazards.guard(*dict.fromkeys(names))


def applies(hazard: Hazard, food: str, portion: Portion | None) -> bool:
    """Say whether a hazard holds for as much as comes of a food."""
    if not hazard.more_than:
        return True
    return portion is not None and is_more_than(food, portion.measure, hazard.more_than)
