"""The decision for an ingredient, with a table for a ranker: choice, mixture or a refusal that says why."""

import pytest

from swapchef.amounts.measures import parse_measure
from swapchef.errors import SwapchefError
from swapchef.foods.kinds import kinds_apart
from swapchef.limits.wishes import Limits
from swapchef.swapping.candidates import NO_FILTERS, Filters
from swapchef.swapping.decisions import Decider, Decision
from tests.swapping.kitchen import Kitchen

NAMES = (
    "butter", "margarine", "olive oil", "canola oil", "milk", "buttermilk", "yogurt", "lemon juice", "soymilk", "water",
    "white vinegar", "powdered sugar", "sugar", "cornstarch", "heavy cream", "onion", "flour", "egg", "shrimp",
    "vegan butter", "coconut oil", "wooden skewer", "ice", "club soda", "half and half", "warm water",
    "plain yogurt", "salt", "tofu", "applesauce", "brown sugar", "honey", "ghee", "lard", "shortening", "beef",
    "ground beef", "peach", "plum", "nectarine", "apricot", "baking powder",
)  # fmt: skip
VEGAN = Filters(None, Limits(("vegan",)), False)
PANCAKES = (
    "Pancakes\n\n2 cups flour\n2 cups buttermilk\n2 eggs\n1/4 cup butter\n\n1. Beat the buttermilk with the eggs."
)
SAUCE = "Sauce\n\n1/4 cup butter\n1 onion\n\n1. Melt the butter over the onion."


def decide(
    kitchen: Kitchen, source: str, recipe: str | None = PANCAKES, filters: Filters = NO_FILTERS, top: int = 1
) -> Decision:
    editor = kitchen.editor(recipe) if recipe else None
    asked = editor.matched.find(source) if editor else kitchen.source(source)
    (decision,) = Decider(kitchen.ranker()).decide([asked], editor, filters, top)
    return decision


def names(decision: Decision) -> list[str]:
    return [facts.target.name for facts in decision.ranked]


BUTTERMILK = {"milk": 0.4, "yogurt": 0.3, "lemon juice": 0.2, "soymilk": 0.1}


def test_without_a_recipe_nothing_is_chosen_and_the_likeliest_comes_first() -> None:
    decision = decide(Kitchen(NAMES, {"buttermilk": BUTTERMILK}), "buttermilk", recipe=None)
    assert decision.chosen is None
    assert names(decision) == ["milk", "yogurt", "lemon juice", "soymilk"]
    first = decision.mixtures[0]
    assert (first.names, first.replaced) == (("milk", "lemon juice"), parse_measure("1 cup"))


def test_the_choice_comes_first_and_the_others_follow_by_their_chance() -> None:
    common = dict.fromkeys(NAMES, 5000)
    kitchen = Kitchen(NAMES, {"butter": {"shrimp": 0.5, "margarine": 0.3, "olive oil": 0.2}}, common)
    decision = decide(kitchen, "butter", SAUCE)
    assert decision.chosen is decision.required()
    assert decision.required().target.name == "margarine"
    assert names(decision) == ["margarine", "shrimp", "olive oil"]
    assert [facts.target.name for facts in decision.likely] == ["shrimp", "margarine", "olive oil"]


def test_what_sours_milk_is_offered_with_the_milk_in_the_amount_of_the_line() -> None:
    decision = decide(Kitchen(NAMES, {"buttermilk": BUTTERMILK}), "buttermilk")
    (lemon,) = [facts for facts in decision.likely if facts.target.name == "lemon juice"]
    assert lemon.mixture is not None
    assert [part.text for part in lemon.mixture.parts] == ["2 cups milk", "2 tablespoons lemon juice"]
    assert all(facts.mixture is None for facts in decision.likely if facts is not lemon)


def test_a_part_is_left_out_where_the_rest_of_its_mixture_is_not_permitted() -> None:
    kitchen = Kitchen(NAMES, {"buttermilk": BUTTERMILK})
    vegan = decide(kitchen, "buttermilk", filters=VEGAN)
    assert [row.names for row in vegan.mixtures] == [("soymilk", "lemon juice")]
    (lemon,) = [facts for facts in vegan.likely if facts.target.name == "lemon juice"]
    assert lemon.mixture is not None
    assert lemon.mixture.names == ("soymilk", "lemon juice")
    no_soy = decide(kitchen, "buttermilk", filters=Filters(None, Limits(("vegan", "soy")), False))
    assert no_soy.mixtures == ()
    assert "lemon juice" not in names(no_soy)


def test_mixtures_are_made_of_what_is_in_the_cupboard_with_water_and_salt() -> None:
    kitchen = Kitchen(NAMES, {"buttermilk": BUTTERMILK, "egg": {"applesauce": 1.0}, "milk": {"water": 1.0}})
    has = {kitchen.id(name): name for name in ("milk", "white vinegar", "half and half")}
    at_hand = decide(kitchen, "buttermilk", filters=Filters(has, Limits(), False))
    assert [row.names for row in at_hand.mixtures] == [("milk", "white vinegar")]
    with_water = decide(kitchen, "milk", "Soup\n\n1 cup milk\n1 onion", Filters(has, Limits(), False))
    assert [row.names for row in with_water.mixtures] == [("half and half", "water")]


def test_what_goes_too_is_in_no_mixture() -> None:
    kitchen = Kitchen(NAMES, {"buttermilk": {"yogurt": 1.0}, "milk": {"water": 1.0}})
    editor = kitchen.editor("Mix\n\n1 cup milk\n1 cup buttermilk\n1 onion")
    sources = [editor.matched.find(name) for name in ("milk", "buttermilk")]
    _, buttermilk = Decider(kitchen.ranker()).decide(sources, editor, NO_FILTERS, 1)
    assert [row.names for row in buttermilk.mixtures] == [("soymilk", "lemon juice")]
    assert buttermilk.likely[0].setting.other_foods == ("onion",)


def test_what_a_line_calls_the_food_is_no_swap() -> None:
    kitchen = Kitchen(NAMES, {"warm water": {"water": 0.9, "milk": 0.1}})
    decision = decide(kitchen, "warm water", "Dough\n\n1 cup warm water\n2 cups flour")
    assert "warm water" not in names(decision)
    editor = kitchen.editor("Dough\n\n1 cup water, warm\n2 cups flour")
    assert editor.matched.foods[0].goes_by("water")


def test_where_no_single_food_will_do_a_mixture_is_chosen() -> None:
    icing = "Icing\n\n2 cups powdered sugar\n2 tablespoons milk\n\n1. Sift the powdered sugar into a glaze."
    decision = decide(Kitchen(NAMES, {"powdered sugar": {"flour": 0.9, "baking powder": 0.1}}), "powdered sugar", icing)
    chosen = decision.required()
    assert chosen.mixture is not None
    assert chosen.mixture.names == ("sugar", "cornstarch")
    assert (chosen.target.name, chosen.candidate.probability) == ("sugar", 0.0)
    assert names(decision) == ["sugar", "flour", "baking powder"]
    nothing_ranked = decide(Kitchen(NAMES, {"powdered sugar": {}}), "powdered sugar", icing)
    assert nothing_ranked.required().mixture == chosen.mixture


def test_a_mixture_with_something_against_it_is_taken_only_where_nothing_else_is_known() -> None:
    soup = "Soup\n\n1 cup heavy cream\n1 onion\n\n1. Stir in the heavy cream."
    stranger = decide(Kitchen(NAMES, {"heavy cream": {"shrimp": 1.0}}), "heavy cream", soup)
    assert stranger.chosen is None  # shrimp are no cream, and both mixtures do not whip
    assert all(row.not_for == ("whipping",) for row in stranger.mixtures)
    alone = decide(Kitchen(NAMES, {"heavy cream": {}}), "heavy cream", soup)
    assert alone.required().mixture == alone.mixtures[0]


def test_a_refusal_names_what_cooks_took_or_says_that_nothing_is_known() -> None:
    soup = "Soup\n\n1 pound shrimp\n1 onion\n\n1. Boil the shrimp."
    chances = {"ice": 0.4, "flour": 0.3, "onion": 0.1, "sugar": 0.2, "club soda": 0.05}
    decision = decide(Kitchen(NAMES, {"shrimp": chances}), "shrimp", soup)
    assert decision.chosen is None
    able = [facts.target.name for facts in decision.likely if not facts.unfit_steps]
    assert len(able) >= 3
    words = f"nothing that does the work of shrimp here; cooks took {' or '.join(able[:3])}, and --with"
    with pytest.raises(SwapchefError, match=words):
        decision.required()
    with pytest.raises(SwapchefError, match="I know nothing to use instead of shrimp; name something yourself"):
        decide(Kitchen(NAMES, {"shrimp": {}}), "shrimp", soup).required()


def test_where_all_are_unfit_none_is_named() -> None:
    trifle = "Trifle\n\n1 cup heavy cream\n1 cup sugar\n\n1. Whip the heavy cream to stiff peaks."
    decision = decide(Kitchen(NAMES, {"heavy cream": {"milk": 0.6, "half and half": 0.4}}), "heavy cream", trifle)
    assert all(facts.unfit_steps for facts in decision.likely)
    with pytest.raises(SwapchefError, match="heavy cream here; suggest shows what comes nearest"):
        decision.required()


def test_ingredients_are_named_once_and_tools_have_no_swap() -> None:
    kitchen = Kitchen(NAMES, {})
    decider = Decider(kitchen.ranker())
    with pytest.raises(SwapchefError, match="once"):
        decider.decide([kitchen.source("butter"), kitchen.source("butter")], None, NO_FILTERS, 1)
    with pytest.raises(SwapchefError, match="wooden skewer goes with the dish"):
        decider.decide([kitchen.source("wooden skewer")], None, NO_FILTERS, 1)


def test_under_a_diet_what_its_keepers_take_is_chosen_though_nobody_reported_it() -> None:
    # Tofu is likely, but in a guessed amount; olive oil is too far behind them.
    kitchen = Kitchen(NAMES, {"butter": {"tofu": 0.97, "olive oil": 0.03}}, {"tofu": 5000, "olive oil": 5000})
    assert decide(kitchen, "butter", SAUCE, VEGAN).required().target.name == "vegan butter"
    # Even what can hardly do the work is chosen under limits, rather than nothing.
    beef = Kitchen(NAMES, {"beef": {"flour": 1.0}})
    no_milk = Filters(None, Limits(("milk",)), False)
    roast = "Roast\n\n1 pound beef\n1 onion\n\n1. Roast."
    assert decide(beef, "beef", roast, no_milk).chosen is not None


def test_a_relative_far_behind_is_looked_at_where_the_likely_are_doubtful() -> None:
    common = dict.fromkeys(NAMES, 5000)
    doubtful = Kitchen(NAMES, {"butter": {"shrimp": 0.99, "margarine": 0.01}}, common)
    decision = decide(doubtful, "butter", SAUCE)
    assert decision.required().target.name == "margarine"
    assert names(decision) == ["margarine", "shrimp"]
    # A near swap without a doubt keeps the far ones out.
    sure = Kitchen(NAMES, {"butter": {"margarine": 0.99, "vegan butter": 0.01}}, {"vegan butter": 10**9})
    assert decide(sure, "butter", SAUCE).required().target.name == "margarine"


def test_what_is_neither_near_the_likeliest_nor_related_is_not_chosen_from() -> None:
    kitchen = Kitchen(NAMES, {"butter": {"shrimp": 0.98, "olive oil": 0.02}}, dict.fromkeys(NAMES, 5000))
    decision = decide(kitchen, "butter", SAUCE)
    assert decision.required().mixture is not None  # rather than olive oil, which hardly anybody takes
    assert decision.required().mixture == decision.mixtures[0]


def test_under_a_diet_a_standby_of_another_kind_is_looked_at() -> None:
    kitchen = Kitchen(NAMES, {"beef": {"flour": 1.0}}, {"flour": 5000})
    roast = "Roast\n\n1 pound beef\n1 onion\n\n1. Roast the beef."
    assert kinds_apart("beef", "tofu") > 0
    assert decide(kitchen, "beef", roast, VEGAN).required().target.name == "tofu"
    assert "tofu" not in names(decide(kitchen, "beef", roast))


def test_mixtures_are_those_that_hold_in_the_dish() -> None:
    kitchen = Kitchen(NAMES, {"egg": {"applesauce": 1.0}})
    fried = decide(kitchen, "egg", "Fried eggs\n\n2 eggs\n1 onion\n\n1. Fry the eggs.")
    baked = decide(kitchen, "egg", "Cake\n\n2 eggs\n1 cup flour\n\n1. Bake the cake.")
    assert {row.where for row in fried.mixtures} == {"any"}
    assert {row.where for row in baked.mixtures} == {"any", "baking"}


def test_ten_of_the_likeliest_are_looked_at_or_as_many_as_are_asked_for() -> None:
    others = [name for name in NAMES if name not in {"onion", "wooden skewer", "buttermilk"}]
    kitchen = Kitchen(NAMES, {"onion": {name: 1 / (number + 2) for number, name in enumerate(others)}})
    assert len(decide(kitchen, "onion", recipe=None, top=1).likely) == 10
    assert len(decide(kitchen, "onion", recipe=None, top=14).likely) == 14


def test_the_promise_of_a_title_is_known_to_the_facts() -> None:
    kitchen = Kitchen(NAMES, {"margarine": {"butter": 0.9, "olive oil": 0.1}}, dict.fromkeys(NAMES, 5000))
    lines = "\n\n1/2 cup margarine\n1 cup flour\n1 cup sugar"
    assert decide(kitchen, "margarine", f"Cake{lines}").required().target.name == "butter"
    vegan = decide(kitchen, "margarine", f"Vegan Cake{lines}")
    assert "vegan" in vegan.likely[0].setting.promised
    assert vegan.likely[0].setting.other_foods == ("flour", "sugar")
    assert vegan.required().target.name == "olive oil"


def test_shops_have_what_many_recipes_have() -> None:
    chances = {"plum": 0.5, "nectarine": 0.4}
    pie = "Salad\n\n2 peaches\n1 cup sugar\n\n1. Slice."
    rare = decide(Kitchen(NAMES, {"peach": chances}, {"plum": 0, "nectarine": 400}), "peach", pie)
    likely = {"nectarine": 0.5, "apricot": 0.4}
    even = decide(Kitchen(NAMES, {"peach": likely}, {"apricot": 400, "nectarine": 300}), "peach", pie)
    assert rare.required().target.name == "nectarine"
    assert even.required().target.name == "nectarine"
