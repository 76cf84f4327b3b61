"""swapchef: ingredient substitution that reads the whole recipe.

The public names below load their modules on first use, so importing swapchef costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from swapchef.errors import DataError, RecipeError, SwapchefError, UnknownNameError
    from swapchef.foods.matching import Match, Vocabulary
    from swapchef.limits.diets import verdict
    from swapchef.recipes import IngredientLine, Recipe, Step, parse_line, parse_recipe, read_recipe, write_recipe
    from swapchef.substituter import Substituter, Suggestion, Suggestions, Wishes

__version__ = "0.1.0"

_HOMES = {
    "swapchef.errors": ("DataError", "RecipeError", "SwapchefError", "UnknownNameError"),
    "swapchef.recipes": (
        "IngredientLine",
        "Recipe",
        "Step",
        "parse_line",
        "parse_recipe",
        "read_recipe",
        "write_recipe",
    ),
    "swapchef.substituter": ("Substituter", "Suggestion", "Suggestions", "Wishes"),
    "swapchef.foods.matching": ("Match", "Vocabulary"),
    "swapchef.limits.diets": ("verdict",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "DataError",
    "IngredientLine",
    "Match",
    "Recipe",
    "RecipeError",
    "Step",
    "Substituter",
    "Suggestion",
    "Suggestions",
    "SwapchefError",
    "UnknownNameError",
    "Vocabulary",
    "Wishes",
    "__version__",
    "parse_line",
    "parse_recipe",
    "read_recipe",
    "verdict",
    "write_recipe",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module 'swapchef' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
