"""What a cook gets from a photo: ingredients, swaps, two recipes and their diff, and nothing unsafe under a diet."""

import json
from typing import Any

import pytest

from swapchef.cooking import pipeline
from swapchef.cooking.pipeline import PhotoCook, nearest
from swapchef.cooking.tokenizer import GeneratedRecipe
from swapchef.errors import SwapchefError
from swapchef.recipes import write_recipe
from swapchef.substituter import Substituter, Wishes
from tests.cooking.fake_bundles import CAKE, DraftsBundle, FixedBundle, OtherDishBundle, ScriptedBundle
from tests.cooking.kitchen import RED, coloured

PHOTO = coloured(RED)


@pytest.fixture(scope="module")
def substituter() -> Substituter:
    return Substituter.load()


def test_without_a_wish_there_is_one_recipe(substituter: Substituter) -> None:
    cooked = PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO)
    assert [(seen.name, round(seen.confidence, 1)) for seen in cooked.ingredients] == [
        ("butter", 0.9),
        ("all purpose flour", 0.8),
        ("sugar", 0.7),
        ("egg", 0.6),
    ]
    assert cooked.recipe.title == "Simple Cake"
    assert cooked.swapped_recipe is None
    assert not cooked.collapsed
    json.dumps(cooked.as_json())


@pytest.mark.parametrize(
    "bundle", [OtherDishBundle(CAKE, "Butter Cookies"), OtherDishBundle(CAKE, leaves_out="margarine")]
)
def test_the_first_recipe_is_changed_where_the_second_is_another_dish_or_forgets_the_swap(
    substituter: Substituter, bundle: OtherDishBundle
) -> None:
    cooked = PhotoCook(bundle, substituter).cook(PHOTO, swap=["butter"], targets=["margarine"])
    assert cooked.swapped_recipe is not None
    assert cooked.swapped_recipe.title == "Simple Cake"
    assert cooked.swapped_recipe.steps[1] == cooked.recipe.steps[1]
    assert "margarine" in cooked.swapped_recipe.steps[0].text
    assert "butter" not in cooked.swapped_recipe.steps[0].text
    assert "made in the first recipe" in cooked.notes[0]
    assert not cooked.collapsed


def test_what_nobody_knows_can_be_put_in_too(substituter: Substituter) -> None:
    cooked = PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, swap=["butter"], targets=["zorple paste"])
    assert cooked.swapped_recipe is not None
    assert "zorple paste" in [line.text for line in cooked.swapped_recipe.ingredients]
    assert "zorple paste" in cooked.swapped_recipe.steps[0].text


ALL = "butter, flour, sugar, egg"


def test_ingredients_that_the_steps_do_not_use_are_noted(substituter: Substituter) -> None:
    def notes(uses: str) -> tuple[str, ...]:
        return PhotoCook(ScriptedBundle(CAKE, {"Cake": uses}), substituter).cook(PHOTO).notes

    assert notes("flour, egg") == ("The steps do not say what to do with butter and sugar.",)
    assert notes(ALL) == notes("ingredients, flour and egg") == ()


@pytest.mark.parametrize(
    ("first", "second", "is_edited"),
    [
        (ALL, "butter, flour, sugar, banana", True),
        ("flour, sugar, egg", "flour, sugar, banana", True),  # no better
        ("flour, egg", "butter, flour, sugar, banana", False),
        ("flour, egg", "butter, flour, sugar", True),  # which does without the swap
    ],
)
def test_a_recipe_written_anew_is_taken_only_if_it_is_much_better(
    substituter: Substituter, first: str, second: str, is_edited: bool
) -> None:
    bundle = ScriptedBundle(CAKE, {"Cake": first}, {"Cake": second})
    cooked = PhotoCook(bundle, substituter).cook(PHOTO, swap=["egg"], targets=["banana"])
    assert any("made in the first recipe" in note for note in cooked.notes) is is_edited
    assert any("written anew" in note for note in cooked.notes) is not is_edited
    assert cooked.swapped_recipe is not None
    assert ("butter" in cooked.swapped_recipe.steps[0].text) is ("butter" in (first if is_edited else second))


@pytest.mark.parametrize(("much", "is_edited"), [(30.0, True), (20.0, False)])
def test_how_much_better_is_a_matter_of_the_score(
    substituter: Substituter, monkeypatch: pytest.MonkeyPatch, much: float, is_edited: bool
) -> None:
    monkeypatch.setattr(pipeline, "_MUCH_BETTER", much)  # one more of four ingredients is worth 25
    bundle = ScriptedBundle(CAKE, {"Cake": "butter, flour, egg"}, {"Cake": "butter, flour, sugar, banana"})
    cooked = PhotoCook(bundle, substituter).cook(PHOTO, swap=["egg"], targets=["banana"])
    assert any("made in the first recipe" in note for note in cooked.notes) is is_edited


def test_a_recipe_that_never_used_what_is_swapped_is_written_anew(
    substituter: Substituter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "_MUCH_BETTER", 1000.0)
    bundle = ScriptedBundle(CAKE, {"Cake": "butter, flour, sugar"}, {"Cake": "butter, flour, sugar, banana"})
    cooked = PhotoCook(bundle, substituter).cook(PHOTO, swap=["egg"], targets=["banana"])
    assert cooked.swapped_recipe is not None
    assert "banana" in cooked.swapped_recipe.steps[0].text


def test_better_is_not_taken_if_it_is_not_safe(substituter: Substituter) -> None:
    seen = {"all purpose flour": 0.9, "sugar": 0.8, "salt": 0.7, "vanilla extract": 0.7, "butter": 0.6}
    all_and_honey = "flour, sugar, salt, vanilla extract, margarine, honey"
    bundle = ScriptedBundle(seen, {"Cake": "flour, butter"}, {"Cake": all_and_honey})
    cooked = PhotoCook(bundle, substituter).cook(PHOTO, ["butter"], ["vegan margarine"], Wishes(diet=("vegan",)))
    assert cooked.swapped_recipe is not None
    assert cooked.swapped_recipe.title == "Cake"
    assert "honey" not in cooked.swapped_recipe.steps[0].text
    assert not cooked.collapsed


def test_a_first_recipe_of_nothing_unsafe_keeps_to_the_diet_too(substituter: Substituter) -> None:
    seen = {"all purpose flour": 0.9, "sugar": 0.8, "salt": 0.7}
    drafts = {"Egg Cake": "flour, sugar, salt, egg", "Plain Cake": "flour, sugar"}
    bundle = ScriptedBundle(seen, drafts, {"Plain Cake": "flour, maple syrup"})
    wishes = Wishes(diet=("vegan",))
    assert PhotoCook(bundle, substituter).cook(PHOTO).recipe.title == "Egg Cake"
    assert PhotoCook(bundle, substituter).cook(PHOTO, ["sugar"], ["maple syrup"], wishes).recipe.title == "Plain Cake"


def test_a_mixture_that_does_not_suit_the_first_recipe_is_written_anew(substituter: Substituter) -> None:
    bundle = FixedBundle({"all purpose flour": 0.9, "egg": 0.8, "salt": 0.7})
    bundle.generate = lambda prompts, settings=None: [
        GeneratedRecipe(
            "Fried Patties",
            (
                f"Mix {', '.join(prompt.ingredients)} and shape the mass into patties as large as a palm.",
                "Fry them in hot fat until they are brown.",
            ),
        )
        for prompt in prompts
    ]
    cooked = PhotoCook(bundle, substituter).cook(PHOTO, swap=["egg"], targets=["flax seed meal + water"])
    assert cooked.swapped_recipe is not None
    assert "flax" in cooked.swapped_recipe.steps[0].text


def test_notes_on_a_swap_are_passed_on(substituter: Substituter) -> None:
    cooked = PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, swap=["egg"], targets=["flax seed meal + water"])
    assert any("scale them" in note for note in cooked.notes)


def test_a_swap_is_made_in_a_recipe_of_our_own_too(substituter: Substituter) -> None:
    cooked = PhotoCook(FixedBundle(CAKE, text="Eat."), substituter).cook(PHOTO, swap=["butter"], targets=["margarine"])
    assert set(cooked.collapses or ()) == {"recipe", "swapped_recipe"}
    assert cooked.swapped_recipe is not None
    changed = [line for line in cooked.diff.splitlines() if line.startswith("-") and not line.startswith("---")]
    assert 0 < len(changed) < len(cooked.recipe.ingredients)
    assert "margarine" in " ".join(line.text for line in cooked.swapped_recipe.ingredients)


def test_the_draft_that_uses_its_ingredients_is_taken(substituter: Substituter) -> None:
    assert PhotoCook(DraftsBundle(CAKE), substituter).cook(PHOTO).recipe.title == "Whole Cake"


def test_under_a_diet_only_a_safe_draft_is_taken(substituter: Substituter) -> None:
    bundle = DraftsBundle({"all purpose flour": 0.9, "sugar": 0.8, "salt": 0.7})
    unsafe = "Beat the flour, the sugar and the salt with two eggs in a large bowl until the batter is smooth and pale."
    bundle.drafts = lambda prompts, counts: [
        [
            GeneratedRecipe("Egg Cake", (unsafe, "Pour it into a greased tin and bake at 350°F for half an hour.")),
            GeneratedRecipe("Safe Cake", bundle._steps(prompt.ingredients[:2])),
        ]
        for prompt in prompts
    ]
    without_a_diet = PhotoCook(bundle, substituter).cook(PHOTO)
    vegan = PhotoCook(bundle, substituter).cook(PHOTO, wishes=Wishes(diet=("vegan",)))
    assert (without_a_diet.recipe.title, vegan.recipe.title) == ("Egg Cake", "Safe Cake")


def test_a_first_recipe_that_is_against_a_diet_is_not_changed_but_replaced(substituter: Substituter) -> None:
    seen = {"all purpose flour": 0.9, "sugar": 0.8, "salt": 0.7, "butter": 0.6}
    bundle = OtherDishBundle(seen, "Other Cookies")
    bundle.generate = lambda prompts, settings=None: [  # the first has milk in its steps, though not in its list
        GeneratedRecipe("Simple Cake", (*bundle._steps(prompts[0].ingredients), "Serve with a glass of milk.")),
        GeneratedRecipe("Other Cookies", bundle._steps(prompts[1].ingredients)),
    ]
    cooked = PhotoCook(bundle, substituter).cook(PHOTO, wishes=Wishes(diet=("vegan",)))
    assert cooked.swapped_recipe is not None
    assert "milk" not in " ".join(step.text for step in cooked.swapped_recipe.steps).replace("soy milk", "")
    assert cooked.swapped_recipe.title == "Other Cookies"


def test_a_swap_gives_two_recipes_and_a_diff(substituter: Substituter) -> None:
    cooked = PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, swap=["butter"], targets=["margarine"])
    assert [(swap.source, swap.target) for swap in cooked.swaps] == [("butter", "margarine")]
    assert cooked.swapped_recipe is not None
    assert "margarine" in cooked.swapped_recipe.steps[0].text
    assert "butter" not in cooked.swapped_recipe.steps[0].text
    assert "-butter" in cooked.diff.replace("- ", "-")
    answer = cooked.as_json()
    assert {"ingredients", "recipe", "swapped_recipe", "diff", "collapsed"} <= set(answer)
    assert answer["collapsed"] is False


def test_the_best_swap_is_chosen_in_view_of_the_photo(substituter: Substituter) -> None:
    cooked = PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, swap=["butter", "egg"])
    assert len(cooked.swaps) == 2
    assert {swap.target for swap in cooked.swaps}.isdisjoint({"butter", "egg"})


def test_what_the_cook_wants_to_replace_is_in_the_dish_though_unseen(substituter: Substituter) -> None:
    bundle = FixedBundle(CAKE)
    cooked = PhotoCook(bundle, substituter).cook(PHOTO, swap=["beer"])
    assert "beer" in cooked.used
    assert "beer" in bundle.prompts[0].ingredients
    assert "beer" not in bundle.prompts[1].ingredients
    assert "Not seen in the photo, but added since you replace it: beer." in cooked.notes


def test_what_was_seen_or_added_is_not_said_to_be_unseen(substituter: Substituter) -> None:
    cooked = PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, swap=["butter", "beer"], add=["beer"])
    assert not any("Not seen" in note for note in cooked.notes)


def test_the_cook_adds_and_removes(substituter: Substituter) -> None:
    cooked = PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, add=["milk"], remove=["eggs"])
    assert cooked.used == ("butter", "all purpose flour", "sugar", "milk")
    with pytest.raises(SwapchefError, match=r"not seen in the photo; it shows butter, all purpose flour, sugar, egg\."):
        PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, add=["milk"], remove=["beer"])
    with pytest.raises(SwapchefError, match="remove fewer"):
        PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, remove=list(CAKE))
    with pytest.raises(SwapchefError, match="do not know"):
        PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, add=["xyzzy"])


def test_what_was_removed_and_is_still_named_is_noted(substituter: Substituter) -> None:
    def notes(uses: str) -> tuple[str, ...]:
        bundle = ScriptedBundle({**CAKE, "salt": 0.9}, {"Cake": f"{uses}, sugar, salt"})
        return PhotoCook(bundle, substituter).cook(PHOTO, remove=["eggs"]).notes

    assert notes("butter, flour, two beaten eggs") == ("The steps still speak of eggs; leave it out.",)
    assert notes("butter, flour") == ()


def test_one_food_under_two_names_is_seen_once(substituter: Substituter) -> None:
    seen = PhotoCook(FixedBundle({"egg": 0.9, "butter": 0.6, "unsalted butter": 0.5, "salt": 0.5}), substituter).see(
        PHOTO
    )
    assert [(each.name, round(each.confidence, 2)) for each in seen] == [("butter", 0.99), ("egg", 0.9), ("salt", 0.5)]


def test_a_photo_of_little_still_names_three(substituter: Substituter) -> None:
    assert len(PhotoCook(FixedBundle({"salt": 0.2}), substituter).see(PHOTO)) == 3


def test_a_diet_replaces_all_that_is_against_it(substituter: Substituter) -> None:
    cooked = PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, wishes=Wishes(diet=["vegan"]))
    assert {swap.source for swap in cooked.swaps} == {"butter", "egg"}
    assert cooked.swapped_recipe is not None
    assert substituter.check(cooked.swapped_recipe, Wishes(diet=["vegan"])).is_fine
    assert any("allergies" in note for note in cooked.notes)


def test_a_diet_also_concerns_what_the_cook_did_not_name(substituter: Substituter) -> None:
    cooked = PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, swap=["egg"], wishes=Wishes(diet=["vegan"]))
    assert {swap.source for swap in cooked.swaps} == {"egg", "butter"}
    assert not cooked.collapsed


def test_a_diet_that_nothing_is_against_binds_the_recipe_itself(substituter: Substituter) -> None:
    plain = {"all purpose flour": 0.9, "sugar": 0.8, "salt": 0.7}
    text = (
        "Mix the all purpose flour, sugar and salt with plenty of butter and cream until smooth, then bake until it is"
        " golden. Serve warm."
    )
    cooked = PhotoCook(FixedBundle(plain, text), substituter).cook(PHOTO, wishes=Wishes(diet=["vegan"]))
    assert cooked.swapped_recipe is None
    assert cooked.collapsed
    assert substituter.check(cooked.recipe, Wishes(diet=["vegan"])).is_fine


@pytest.mark.parametrize(
    ("diet", "forbidden"),
    [
        ("vegan", "bacon butter eggs honey shrimp mayonnaise"),
        ("vegetarian", "bacon shrimp"),
        ("gluten", "wheat"),
        ("nuts", "walnuts pesto"),
        ("milk", "butter"),
        ("egg", "eggs mayonnaise"),
        ("soy", "soy"),
        ("shellfish", "shrimp"),
        ("no_pork", "bacon"),
        ("no_alcohol", "wine"),
    ],
)
def test_whatever_a_network_writes_no_diet_is_broken(substituter: Substituter, diet: str, forbidden: str) -> None:
    steps = (
        "Fry bacon in butter with wheat flour, walnuts, eggs, honey and a glass of wine, then add shrimp, sugar, pesto,"
        " mayonnaise and soy sauce. Bake it."
    )
    cooked = PhotoCook(FixedBundle(CAKE, steps), substituter).cook(PHOTO, wishes=Wishes(diet=[diet]))
    shown = cooked.swapped_recipe or cooked.recipe
    text = write_recipe(shown, "text").lower()
    for safe in ("vegan butter", "peanut butter", "soy milk", "soy yogurt") if diet in {"vegan", "milk"} else ():
        text = text.replace(safe, "")
    assert not [word for word in forbidden.split() if word in text]


@pytest.mark.parametrize(
    ("added", "diet"),
    [("wild boar", "no_pork"), ("lobster roll", "shellfish"), ("peanut milk", "peanut")],
)
def test_what_the_cook_adds_is_judged_by_their_own_words(substituter: Substituter, added: str, diet: str) -> None:
    cooked = PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, add=[added], wishes=Wishes(diet=[diet]))
    assert added in cooked.used
    assert cooked.keeps_to_wishes is False
    assert cooked.swapped_recipe is not None
    assert added not in write_recipe(cooked.swapped_recipe, "text")


def test_what_the_cook_adds_is_not_taken_for_what_the_vocabulary_makes_of_it(substituter: Substituter) -> None:
    seen = {"all purpose flour": 0.9, "sugar": 0.8, "salt": 0.7}
    cook = PhotoCook(FixedBundle(seen), substituter)
    cooked = cook.cook(PHOTO, add=["oat milk", "cinammon", "2 eggs"])
    assert cooked.used[3:] == ("oat milk", "cinnamon", "egg")
    assert "cinammon was taken for cinnamon." in cooked.notes
    assert not cook.cook(PHOTO, add=["oat milk"], wishes=Wishes(diet=["vegan"])).swaps


def test_a_general_name_means_what_was_seen(substituter: Substituter) -> None:
    cook = PhotoCook(FixedBundle(CAKE), substituter)
    cooked = cook.cook(PHOTO, swap=["flour"], targets=["almond flour"])
    assert cooked.used == tuple(CAKE)
    assert cooked.swapped_recipe is not None
    assert "almond flour" in [line.text for line in cooked.swapped_recipe.ingredients]
    assert "all purpose flour" not in [line.text for line in cooked.swapped_recipe.ingredients]
    assert "all purpose flour" not in cook.cook(PHOTO, remove=["flour"]).used
    assert "butter" not in cook.cook(PHOTO, remove=["unsalted butter"]).used
    with pytest.raises(SwapchefError, match="may be all purpose flour or bread flour"):
        cook.cook(PHOTO, swap=["flour"], add=["bread flour"])


def test_the_second_recipe_has_what_the_cook_named(substituter: Substituter) -> None:
    bundle = ScriptedBundle(
        {**CAKE, "milk": 0.9}, {"Cake": "butter, milk"}, {"Cake": "butter, flour, sugar, egg, oat milk"}
    )
    cooked = PhotoCook(bundle, substituter).cook(PHOTO, swap=["milk"], targets=["oat milk"])
    assert cooked.swapped_recipe is not None
    listed = [line.text for line in cooked.swapped_recipe.ingredients]
    assert "oat milk" in listed
    assert "milk" not in listed


def test_a_swap_that_a_recipe_of_our_own_has_no_place_for_is_said(substituter: Substituter) -> None:
    cooked = PhotoCook(FixedBundle(CAKE, "Serve."), substituter).cook(PHOTO, swap=["cardamom"], targets=["saffron"])
    assert "This recipe has no cardamom that could be replaced." in cooked.notes


def test_a_mixture_that_suits_no_near_recipe_takes_a_further_one(substituter: Substituter) -> None:
    seen = {"egg": 0.9, "bacon": 0.8, "spinach": 0.7, "heavy cream": 0.6}
    bundle = FixedBundle(seen, "Serve.")
    bundle.known = tuple(seen)
    cooked = PhotoCook(bundle, substituter).cook(PHOTO, swap=["egg"], targets=["flax seed meal + water"])
    assert cooked.swapped_recipe is not None
    assert "flax" in write_recipe(cooked.swapped_recipe, "text")


@pytest.mark.parametrize(
    ("diet", "keeps"), [((), None), (("vegan",), False), (("fish",), True)], ids=["none", "against", "fine"]
)
def test_it_is_said_whether_the_first_recipe_keeps_to_the_wishes(
    substituter: Substituter, diet: tuple[str, ...], keeps: bool | None
) -> None:
    cooked = PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, swap=["sugar"], wishes=Wishes(diet=diet))
    assert cooked.keeps_to_wishes is keeps
    assert cooked.as_json()["recipe_keeps_to_wishes"] is keeps


def test_a_collapse_takes_the_nearest_recipe_and_says_so(substituter: Substituter) -> None:
    cooked = PhotoCook(FixedBundle(CAKE, "Serve."), substituter).cook(PHOTO, swap=["butter"], targets=["margarine"])
    assert cooked.collapsed
    assert set(cooked.collapses or {}) == {"recipe", "swapped_recipe"}
    assert len(cooked.recipe.steps) >= 3
    assert cooked.swapped_recipe is not None
    assert any("margarine" in line.text for line in cooked.swapped_recipe.ingredients)


def test_an_unsafe_target_is_refused(substituter: Substituter) -> None:
    with pytest.raises(SwapchefError):
        PhotoCook(FixedBundle(CAKE), substituter).cook(
            PHOTO, swap=["butter"], targets=["ghee"], wishes=Wishes(diet=["vegan"])
        )


def test_our_own_recipes_are_all_read_and_near_what_they_hold(substituter: Substituter) -> None:
    recipes = pipeline._collection(substituter.vocabulary)
    assert len(recipes) == 100
    assert all(len(recipe.steps) >= 3 and len(held) >= 3 for recipe, held in recipes)
    for recipe, held in recipes[::7]:
        assert nearest(held, substituter.vocabulary, 1)[0].title == recipe.title


def test_json_has_no_numpy(substituter: Substituter) -> None:
    def walk(value: Any) -> None:
        assert isinstance(value, dict | list | str | int | float | bool | None)
        for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(each)

    walk(PhotoCook(FixedBundle(CAKE), substituter).cook(PHOTO, swap=["butter"]).as_json())
