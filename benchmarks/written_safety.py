"""How many recipes of our own collection that keep to a diet the check of written recipes refuses all the same.

    python benchmarks/written_safety.py

What the check wrongly lets through is the subject of `tests/cooking/test_safety.py`; this measures what it wrongly
refuses. A recipe counts if its ingredient list is safe under a diet, so that only a word in its title or its steps can
be the reason to refuse it.
"""

from swapchef.cooking.pipeline import own_recipes
from swapchef.cooking.safety import safe_version
from swapchef.limits.diets import FACETS
from swapchef.substituter import Substituter, Wishes


def main() -> None:
    substituter = Substituter.load()
    recipes = own_recipes(substituter.vocabulary)
    for facet in FACETS:
        wishes = Wishes(diet=(facet,))
        listed_safe = [
            recipe
            for recipe in recipes
            if not any(problem.where == "ingredient" for problem in substituter.problems(recipe, wishes))
        ]
        refused = [recipe.title for recipe in listed_safe if safe_version(recipe, wishes, substituter) is None]
        print(f"{facet:<12} {len(refused):>2} of {len(listed_safe):>2}  {', '.join(refused)}")


if __name__ == "__main__":
    main()
