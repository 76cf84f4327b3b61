"""Every sentence of the tables is replaced by lorem ipsum, and every choice stays the same."""

import functools
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from swapchef import Substituter, SwapchefError, Wishes, parse_recipe, read_recipe
from swapchef import tables as tables_module
from swapchef.amounts import ratios
from swapchef.effects import techniques
from swapchef.recipes import Recipe

ROOT = Path(__file__).parents[2]
LOREM = "Lorem ipsum dolor sit amet. Not consectetur, does not bind; chopped fine."
PROSE = {"note", "note in baking", "method", "method in baking"}

RECIPES = {
    "pancakes": read_recipe(ROOT / "examples" / "pancakes.md"),
    "cookies": parse_recipe(
        "Chocolate chip cookies\n\n1 cup butter, softened\n1 cup brown sugar\n2 eggs\n2 cups all-purpose flour\n"
        "1 teaspoon baking soda\n1 teaspoon vanilla extract\n2 cups chocolate chips\n\nCream the butter and sugar. Beat"
        " in the eggs and vanilla.\nStir in flour and soda, fold in the chips.\nBake 10 minutes."
    ),
    "chili": parse_recipe(
        "Chili\n\n1 pound ground beef\n1 onion, chopped\n2 (15 ounce) cans kidney beans\n1 cup beef broth\n"
        "1/2 cup hot sauce\n2 tablespoons chili powder\n\nBrown the beef with the onion.\nAdd the rest, simmer."
    ),
    "sauce": parse_recipe(
        "Cream sauce\n\n2 tablespoons butter\n1 cup heavy cream\n1/2 cup white wine\n1 cup parmesan cheese\n"
        "1 tablespoon cornstarch\n\nMelt the butter. Whip the cream to soft peaks.\n"
        "Add wine and cheese, thicken with the cornstarch."
    ),
}
DIETS = ("vegan", "gluten", "milk", "egg", "no_alcohol")


def choices(substituter: Substituter) -> dict[str, object]:
    """Return what is chosen, in which amounts, for every ingredient and under every diet."""
    chosen: dict[str, object] = {}
    for title, recipe in RECIPES.items():
        for source in {match.name for line in recipe.ingredients for match in substituter.vocabulary.match_all(line)}:
            answer = substituter.suggest(source, recipe)
            chosen[f"{title}, suggest {source}"] = [
                (
                    each.name,
                    each.mixture and each.mixture.name,
                    each.amount and (each.amount.text, each.amount.is_guess),
                )
                for each in answer.suggestions
            ]
            chosen[f"{title}, swap {source}"] = swapped(substituter, recipe, [source], Wishes())
        for diet in DIETS:
            chosen[f"{title}, swap {diet}"] = swapped(substituter, recipe, [], Wishes(diet=(diet,)))
    return chosen


def swapped(substituter: Substituter, recipe: Recipe, sources: list[str], wishes: Wishes) -> object:
    try:
        done = substituter.swap(recipe, sources, wishes=wishes)
    except SwapchefError as refusal:
        return str(refusal)
    lines = [line.text for line in done.recipe.ingredients]
    # Under a diet a note that names a forbidden food is not shown; which notes there are is decided before that.
    notes = [] if wishes.limit else [(note.kind, note.step, note.is_guess) for note in done.edit.notes]
    return done.swaps, lines, notes


@pytest.fixture
def lorem(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    read = tables_module.read_table

    def without_sentences(name: str) -> list[list[str]]:
        columns = [column.name for column in tables_module.TABLES[name].columns] if name in tables_module.TABLES else []
        return [
            [LOREM if cell and column in PROSE else cell for column, cell in zip(columns or row, row, strict=True)]
            for row in read(name)
        ]

    monkeypatch.setattr(ratios, "read_table", without_sentences)
    monkeypatch.setattr(techniques, "read_table", without_sentences)
    forget()
    yield
    monkeypatch.undo()
    forget()


def forget() -> None:
    """Empty every cache, so that the tables are read again."""
    for wrapper in [each for each in gc.get_objects() if type(each) is functools._lru_cache_wrapper]:
        if (getattr(wrapper, "__module__", None) or "").startswith("swapchef"):
            wrapper.cache_clear()


def test_rewording_every_note_changes_no_choice(request: pytest.FixtureRequest) -> None:
    substituter = Substituter.load()
    before = choices(substituter)
    request.getfixturevalue("lorem")
    assert LOREM in {row.note for pair in ratios._rows() for row in ratios._ratios(pair)}
    assert LOREM in {row.note for row in techniques.technique_rows()}
    assert choices(Substituter.load()) == before
