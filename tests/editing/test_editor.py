"""Edits of whole recipes: several swaps at once, one recipe tried with many, and every format."""

import pytest

from swapchef.editing.editor import Edit, Editor, Swap, apply_swaps
from swapchef.editing.plan import plan_words
from swapchef.errors import SwapchefError
from swapchef.recipes import parse_recipe, write_recipe
from tests.editing.kitchen import VOCABULARY, edit, lines_of, processor_seconds, recipe


def test_lines_that_no_swap_concerns_are_the_same_objects() -> None:
    made = recipe("1 cup  peanut butter | 1 cup butter | 2 tbsp. honey", "Toast bread.", "Add butter.")
    edited = apply_swaps(made, [Swap("butter", "margarine")], VOCABULARY)
    assert edited.recipe.ingredients[0] is made.ingredients[0]
    assert edited.recipe.ingredients[2] is made.ingredients[2]
    assert edited.recipe.steps[0] is made.steps[0]
    assert [(change.where, change.number) for change in edited.changes] == [("ingredient", 2), ("step", 2)]


def test_swaps_are_applied_at_once_and_never_chain() -> None:
    made = recipe("1 cup butter | 1 cup margarine", "Add butter, then margarine.")
    swaps = [Swap("butter", "margarine"), Swap("margarine", "shortening")]
    edited = apply_swaps(made, swaps, VOCABULARY)
    assert lines_of(edited) == ["1 cup margarine", "1 cup shortening"]
    assert edited.recipe.steps[0].text == "Add margarine, then shortening."


CAKE = recipe(
    "1 cup butter, melted | 2 eggs, beaten | 1 cup buttermilk | 2 cups flour | salt and chili powder to taste",
    "Cream the butter; beat in the eggs one at a time.",
    "Stir in 1/2 cup buttermilk, flour, salt and chili powder. Pour into a buttered pan.",
    title="Butter Cake",
)


TRIED = [
    [Swap("butter", "olive oil")],
    [Swap("butter", "margarine")],
    [Swap("egg", "banana")],
    [Swap("butter", "margarine"), Swap("egg", "applesauce")],
    [Swap("egg", "applesauce"), Swap("butter", "margarine")],
    [Swap("buttermilk", "milk + lemon juice")],
    [Swap("buttermilk", "yogurt", lines=(3,))],
    [Swap("salt", "soy sauce")],
    [Swap("butter", "olive oil")],
]


def test_an_editor_tries_each_swap_on_the_recipe_as_it_was() -> None:
    editor = Editor(CAKE, VOCABULARY)
    for swaps in TRIED:
        assert editor.apply(swaps) == apply_swaps(CAKE, swaps, VOCABULARY)


def test_a_swap_that_is_refused_leaves_the_editor_as_it_was() -> None:
    editor = Editor(CAKE, VOCABULARY)
    for refused in ([Swap("butter", "butter")], [Swap("butter", "sand + gravel")], []):
        with pytest.raises(SwapchefError):
            editor.apply(refused)
    assert editor.apply(TRIED[0]) == apply_swaps(CAKE, TRIED[0], VOCABULARY)


def test_an_editor_takes_matches_that_are_known_already() -> None:
    editor = Editor(CAKE, VOCABULARY, [VOCABULARY.match_all(line) for line in CAKE.ingredients])
    assert [editor.apply(swaps) for swaps in TRIED] == [apply_swaps(CAKE, swaps, VOCABULARY) for swaps in TRIED]


def test_an_editor_does_not_doubt_the_matches_it_is_given() -> None:
    made, butter = recipe("1 cup gizmos | 2 eggs"), VOCABULARY.match("butter")
    assert butter is not None
    edited = Editor(made, VOCABULARY, [[butter], VOCABULARY.match_all(made.ingredients[1])]).apply(TRIED[1])
    assert lines_of(edited) == ["1 cup margarine", "2 eggs"]


def test_the_diff_shows_old_and_new() -> None:
    diff = edit("1 cup butter", "butter", "margarine", "Melt the butter.").diff()
    assert "-- 1 cup butter" in diff
    assert "+- 1 cup margarine" in diff
    assert "+1. Melt the margarine." in diff


FORMATS = ("jsonld", "markdown", "cooklang", "mealie", "text")


KITCHEN = (
    "2 cups flour | 1 (8 ounce) package cream cheese, softened | 2 eggs, beaten"
    " | salt and pepper to taste | 1 lemon, juiced"
)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("flour", "almond flour"),
        ("cream cheese", "2% milk"),
        ("egg", "half and half"),
        ("lemon", "Mom's (best) [hot] sauce, #1"),
    ],
)
def test_an_edited_recipe_survives_every_format(format: str, source: str, target: str) -> None:
    edited = edit(
        KITCHEN, source, target, "Beat cream cheese, eggs, flour and lemon juice.", title="Lemon Egg Cake"
    ).recipe
    read = parse_recipe(write_recipe(edited, format), format)
    assert [line.name for line in read.ingredients] == [line.name for line in edited.ingredients]
    assert [step.text for step in read.steps] == [step.text for step in edited.steps]


@pytest.mark.parametrize(
    ("lines", "source", "target", "sentence"),
    [
        ("1 cup butter | 2 eggs", "butter", "olive oil", "Melt 2 tablespoons of the butter and add an egg. "),
        ("1 cup butter | 2 eggs", "butter", "margarine", "butter a pan, then melt the butter and the eggs "),
        ("4 cups water | 1 cup rice", "water", "chicken broth", "Boil the water and strain off the water. "),
        ("1 pound shrimp | 1 cup rice", "shrimp", "chicken", "Fry the shrimp until they just turn pink, "),
        ("1 cup butter | 2 eggs", "butter", "olive oil", "MELT THE BUTTER AND STIR. "),
        ("cooking spray | 2 eggs", "cooking spray", "butter", "spray a pan with cooking spray and "),
    ],
)
def test_a_step_is_rewritten_in_time_in_proportion_to_its_length(
    lines: str, source: str, target: str, sentence: str
) -> None:
    """Quadratic time would multiply by 64 from one size to the other; a floor keeps small times out of it."""

    def seconds_for(length: int) -> float:
        made = recipe(lines, (sentence * length)[:length])

        def write() -> Edit:
            editor = Editor(made, VOCABULARY)
            return editor.write(plan_words([Swap(source, target)], editor.matched))

        return processor_seconds(write)

    assert seconds_for(64_000) <= 12 * max(seconds_for(8_000), 0.02)
