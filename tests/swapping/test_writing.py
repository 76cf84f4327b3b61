"""Decisions in words: what a suggestion carries, and what a cook's limits take out of the notes."""

import pytest

from swapchef.editing.concerns import Note
from swapchef.effects.reasons import Compounds
from swapchef.limits.wishes import Limits
from swapchef.swapping.answers import HowMuch, Suggestions
from swapchef.swapping.candidates import NO_FILTERS, Filters
from swapchef.swapping.decisions import Decider, Decision
from swapchef.swapping.writing import Writer
from tests.swapping.kitchen import Kitchen

NAMES = (
    "buttermilk",
    "yogurt",
    "plain yogurt",
    "milk",
    "lemon juice",
    "soymilk",
    "flour",
    "egg",
    "butter",
    "applesauce",
)
CHANCES = {"yogurt": 0.43219, "lemon juice": 0.30004, "milk": 0.19996, "plain yogurt": 0.06781}
KITCHEN = Kitchen(
    NAMES,
    {"buttermilk": CHANCES, "egg": {"applesauce": 1.0}},
    dict.fromkeys(NAMES, 500),
    {("buttermilk", "yogurt"): 12},
)
PANCAKES = (
    "Pancakes\n\n2 cups flour\n2 cups buttermilk\n2 eggs\n1 teaspoon baking powder\n\n"
    "1. Beat the buttermilk with the eggs.\n2. Bake."
)
VEGAN = Filters(None, Limits(("vegan",)), False)
NO_LIMITS = Limits()


def decided(source: str, recipe: str | None = PANCAKES, filters: Filters = NO_FILTERS) -> tuple[Writer, Decision]:
    editor = KITCHEN.editor(recipe) if recipe else None
    asked = editor.matched.find(source) if editor else KITCHEN.source(source)
    (decision,) = Decider(KITCHEN.ranker()).decide([asked], editor, filters, 5)
    return Writer(editor, filters.limits, Compounds(KITCHEN.evidence.knowledge.compounds, [""]), "fusion"), decision


def suggested(source: str, recipe: str | None = PANCAKES, filters: Filters = NO_FILTERS, top: int = 5) -> Suggestions:
    writer, decision = decided(source, recipe, filters)
    return writer.suggestions(decision, top)


def test_a_suggestion_carries_all_that_is_known_of_it() -> None:
    answer = suggested("buttermilk")
    assert (answer.ingredient, answer.recipe) == ("buttermilk", "Pancakes")
    best = answer.suggestions[0]
    assert (best.name, best.also, best.rank) == ("yogurt", ("plain yogurt",), 1)
    assert best.probability == 0.5
    assert best.score == -0.839  # the logarithm of 0.43219, to three places
    assert "12 cooks made this swap" in best.reasons
    rule, note = "1 cup buttermilk = 3/4 cup yogurt", "Thin it with 1/2 cup milk or water."
    assert best.amount == HowMuch("1 1/2 cups", rule, note)
    assert {change.new for change in best.changes} >= {"1 1/2 cups yogurt", "Beat the yogurt with the eggs."}
    assert any(note in each.text for each in best.notes)
    assert (best.verdicts["milk"], best.verdicts["fish"], best.mixture) == ("unsafe", "safe", None)


def test_ranks_are_counted_and_no_more_shown_than_asked_for() -> None:
    answer = suggested("buttermilk")
    assert [(each.rank, each.name) for each in answer.suggestions] == [(1, "yogurt"), (2, "lemon juice"), (3, "milk")]
    assert [each.probability for each in answer.suggestions] == [0.5, 0.3, 0.2]
    assert len(suggested("buttermilk", top=2).suggestions) == 2


def test_without_a_recipe_there_is_a_rule_and_nothing_changes() -> None:
    answer = suggested("buttermilk", recipe=None)
    best = answer.suggestions[0]
    assert (answer.recipe, best.changes, best.notes) == (None, (), ())
    assert best.amount is not None
    assert (best.amount.text, best.amount.rule) == ("", "1 cup buttermilk = 3/4 cup yogurt")


def test_a_guess_is_marked() -> None:
    frying = "Fried eggs\n\n2 eggs\n1 onion\n\n1. Fry the eggs."
    amount = suggested("egg", frying).suggestions[0].amount
    assert amount is not None
    assert amount.is_guess
    assert amount.note.startswith("Known to work in baking only.")


def test_what_will_do_only_with_more_is_written_as_a_mixture() -> None:
    answer = suggested("buttermilk")
    (lemon,) = [each for each in answer.suggestions if each.name == "lemon juice"]
    assert lemon.mixture is not None
    assert (lemon.mixture.name, lemon.mixture.parts) == (
        "milk + lemon juice",
        ("2 cups milk", "2 tablespoons lemon juice"),
    )
    assert lemon.mixture.verdicts["milk"] == lemon.verdicts["milk"] == "unsafe"
    note = "Stir, and let it stand 5 minutes; use it curdled."
    assert lemon.mixture.note == note
    assert lemon.amount == HowMuch("2 cups milk + 2 tablespoons lemon juice", note=note)
    assert any(change.new == "2 cups milk\n2 tablespoons lemon juice" for change in lemon.changes)
    assert answer.mixtures[0] == lemon.mixture


def test_under_limits_notes_lose_the_sentences_that_name_what_is_against_them() -> None:
    no_lemon = Filters(None, Limits(foods=("milk",)), False)
    free, limited = suggested("buttermilk"), suggested("buttermilk", filters=no_lemon)
    assert free.suggestions[0].amount is not None
    assert "milk" in free.suggestions[0].amount.note
    for each in limited.suggestions:
        assert each.amount is not None
        assert "milk" not in each.amount.note.replace("buttermilk", "")
        assert all("cup milk" not in note.text for note in each.notes)
    assert all("milk" not in mixture.name.split(" + ") for mixture in limited.mixtures)


@pytest.mark.parametrize(
    ("text", "is_permitted"),
    [
        ("Applesauce for egg: 1 egg = 1/4 cup applesauce.", True),
        ("Applesauce for egg: 2 eggs = 1/2 cup applesauce.", True),
        ("Without egg the crumb is moister.", True),
        ("Use it for 2 eggs at most.", True),
        ("Take flax instead of egg.", True),
        ("Add 1 egg.", False),
        ("Instead of butter take an egg.", False),
        ("Stir in some milk.", False),
        ("Stir for 2 minutes.", True),
    ],
)
def test_notes_may_name_what_goes_but_put_none_of_it_in(text: str, is_permitted: bool) -> None:
    writer, _ = decided("egg", filters=VEGAN)
    note = Note("amount", text)
    assert list(writer.permitted([note], ["egg", "butter"])) == [note] * is_permitted
    free = Writer(None, NO_LIMITS, Compounds(KITCHEN.evidence.knowledge.compounds, [""]), "fusion")
    assert list(free.permitted([note], ["egg"])) == [note]


def test_a_mixture_under_limits_keeps_what_its_note_may_say() -> None:
    answer = suggested("buttermilk", filters=VEGAN)
    (mixture,) = answer.mixtures
    assert (mixture.name, mixture.note) == ("soymilk + lemon juice", "Vegan; soy curdles best.")
    assert mixture.verdicts["vegan"] == "safe"
    assert mixture.verdicts["soy"] == "unsafe"


def test_what_the_vocabulary_does_not_have_shares_no_compounds() -> None:
    kitchen = Kitchen(("ice", "honey"), {"honey": {}})
    editor = kitchen.editor("Drink\n\n1 cup honey\n1 cup ice")
    (decision,) = Decider(kitchen.ranker()).decide([editor.matched.find("honey")], editor, NO_FILTERS, 1)
    chosen = decision.required()  # sugar and water, which this kitchen has no names for
    assert chosen.target.id is None
    written = Writer(editor, NO_LIMITS, Compounds(kitchen.evidence.knowledge.compounds, [""]), "fusion").suggestion(
        chosen, decision
    )
    assert (written.name, written.rank, written.probability) == ("sugar", 1, 0.0)
    assert written.reasons[0] == "the closest we know"
