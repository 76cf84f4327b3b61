"""A whole recipe is judged by its lines, and its steps by the foods that no line lists."""

from dataclasses import FrozenInstanceError

import pytest

from swapchef import Recipe, Step, parse_line
from swapchef.limits.checking import Breach, problems_in
from swapchef.limits.wishes import Limits

VEGAN = Limits(facets=("vegan",))


def breaches(lines: list[str], steps: list[str], limits: Limits = VEGAN, is_baking: bool = False) -> list[Breach]:
    recipe = Recipe("Dish", tuple(map(parse_line, lines)), tuple(map(Step, steps)))
    return problems_in(recipe, limits, is_baking)


def places(lines: list[str], steps: list[str], limits: Limits = VEGAN, is_baking: bool = False) -> list[str]:
    return [f"{each.where} {each.number} {each.status}" for each in breaches(lines, steps, limits, is_baking)]


def test_a_breach_says_where_and_why() -> None:
    assert breaches(["1 cup rice", "2 tbsp butter"], ["Boil it."]) == [
        Breach("ingredient", 2, "2 tbsp butter", "unsafe", "butter contains milk")
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["1 cup rice", "1 carrot"], []),
        (["1 cup zorblax"], ["ingredient 1 unknown"]),
        (["2 cups flour, plus butter for the pan"], ["ingredient 1 unsafe"]),  # by its note
        (["2 cups flour, zorblaxed"], []),  # a strange word in a note is no food
        (["1 cup zorblax, with butter"], ["ingredient 1 unsafe"]),
        (["1 egg", "1 cup rice", "1 cup milk"], ["ingredient 1 unsafe", "ingredient 3 unsafe"]),
    ],
)
def test_lines(lines: list[str], expected: list[str]) -> None:
    assert places(lines, []) == expected


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (["Boil the rice."], []),
        (["Boil the rice.", "Stir in the cream."], ["step 2 unsafe"]),
        (["Stir until creamy."], []),  # "may contain" is no reason in a step
        (["Stir in honey, cream and butter."], ["step 1 unsafe"]),  # once
        (["Serve with zorblax."], ["step 1 unknown"]),
        (["Cream the sugar."], []),
        (["Pour it into a buttered dish."], ["step 1 unsafe"]),
        (["Add coconut milk and milk"], ["step 1 unsafe"]),
        (["Add coconut milk"], []),
    ],
)
def test_steps(steps: list[str], expected: list[str]) -> None:
    assert places(["1 cup rice"], steps) == expected


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("2 tomatoes", "Chop the tomato."),
        ("1 tomato", "Chop the tomatoes."),
        ("2 calves' livers", "Fry the calf liver."),
        ("3 octopuses", "Boil the octopus."),
        ("1 cup crème fraîche", "Fold in the creme fraiche."),
        ("2 anchovies", "Mash one anchovy."),
        ("2 bay leaves, 2 eggs", "Beat each egg."),
        ("chilies", "Chop the chile."),
    ],
)
def test_a_step_that_speaks_of_a_listed_food_is_no_second_problem(line: str, step: str) -> None:
    avoided = Limits(facets=("vegan",), foods=("tomato", "chili"))
    assert [place for place in places([line], [step], avoided) if place.startswith("step")] == []


def test_all_words_of_a_food_must_be_listed() -> None:
    assert places(["1 cup peanut oil"], ["Stir in peanut butter."], Limits(facets=("milk",))) == []
    assert places(["1 tsp cheese salt"], ["Grate the goat cheese."], Limits(facets=("milk",)))[-1] == "step 1 unsafe"


def test_the_dough_of_a_baked_dish_is_made_of_its_list() -> None:
    gluten = Limits(facets=("gluten",))
    assert places(["1 cup rice"], ["Roll out the dough."], gluten) == ["step 1 unsafe"]
    assert places(["1 cup rice"], ["Roll out the dough."], gluten, is_baking=True) == []
    assert places(["1 cup rice"], ["Slice the pies."], gluten, is_baking=True) == []


def test_lines_come_before_steps() -> None:
    assert places(["1 cup rice", "1 egg"], ["Add ham."]) == ["ingredient 2 unsafe", "step 1 unsafe"]


def test_a_breach_cannot_be_changed() -> None:
    (breach,) = breaches(["1 egg"], [])
    with pytest.raises(FrozenInstanceError):
        breach.rule = ""  # type: ignore[misc]


def test_without_limits_there_are_no_problems() -> None:
    assert places(["1 cup butter", "1 zorblax"], ["Add ham."], Limits()) == []


def test_a_title_is_judged_first_and_only_by_what_it_surely_names() -> None:
    recipe = Recipe("Chicken Soup", (parse_line("1 cup rice"), parse_line("1 egg")))
    found = problems_in(recipe, VEGAN, is_baking=False)
    assert [(each.where, each.number) for each in found] == [("title", 0), ("ingredient", 2)]
    assert problems_in(Recipe("Gravy", (parse_line("1 cup rice"),)), VEGAN, is_baking=False) == []
    listed = problems_in(Recipe("Chicken Rice", (parse_line("1 chicken"),)), VEGAN, is_baking=False)
    assert [each.where for each in listed] == ["ingredient"]


@pytest.mark.parametrize("line", ["1 bag corn chips or zorblax", "1 bag corn chips Or zorblax"])
def test_an_alternative_that_nobody_knows_is_not_lost(line: str) -> None:
    assert places([line], []) == ["ingredient 1 unknown"]


def test_what_is_listed_under_a_like_name_is_no_second_problem() -> None:
    soy = Limits(facets=("soy",))
    assert [place for place in places(["4 cups vegetable broth"], ["Add the stock."], soy) if "step" in place] == []
    assert places(["4 cups rice"], ["Add some stock."], soy) == ["step 1 unsafe"]


def test_a_cut_in_a_step_is_flesh_unless_a_listed_plant_has_it() -> None:
    vegetarian = Limits(facets=("vegetarian",))
    assert places(["1 cup rice"], ["Brown the thighs."], vegetarian) == ["step 1 unsafe"]
    assert places(["4 artichokes"], ["Scoop out the hearts."], vegetarian) == []


def test_what_belongs_to_a_reported_line_is_no_second_problem() -> None:
    gluten = Limits(facets=("gluten",))
    assert places(["2 cups all-purpose flour"], ["Sift the all-purpose and add it."], gluten) == ["ingredient 1 unsafe"]


def test_a_strange_word_of_a_step_is_told_to_those_who_keep_a_diet() -> None:
    assert places(["1 cup rice"], ["Stir in the zorblax."]) == ["step 1 unknown"]
    assert places(["1 cup rice"], ["Stir in the zorblax."], Limits(foods=("ginger",))) == []


def test_headings_notes_and_the_description_are_judged() -> None:
    recipe = Recipe(
        "Dish",
        (parse_line("1 cup rice", section="For the filling"),),
        (Step("Boil it.", "Make the honey glaze"),),
        description="Lovely with bacon.",
        notes=("Keeps for days.", "Serve with cream."),
    )
    found = [f"{each.where} {each.number} {each.status}" for each in problems_in(recipe, VEGAN, is_baking=False)]
    assert found == ["description 0 unsafe", "heading 2 unsafe", "note 2 unsafe"]
