"""Names are found the way a cook means them, and the way they were found is told."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swapchef.errors import DataError, UnknownNameError
from swapchef.foods import matching
from swapchef.foods.matching import Vocabulary
from swapchef.recipes import parse_line, parse_recipe
from swapchef.sources import data_file
from swapchef.tables import read_table


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize(
    ("text", "name", "how"),
    [
        ("buttermilk", "buttermilk", "exact"),
        ("Buttermilk", "buttermilk", "exact"),
        ("all_purpose_flour", "all purpose flour", "exact"),
        ("all-purpose flour", "all purpose flour", "exact"),
        ("crème fraîche", "creme fraiche", "exact"),
        ("eggs", "egg", "alias"),
        ("zucchinis", "zucchini", "spelling"),
        ("bread crumbs", "breadcrumb", "spelling"),
        ("thinly sliced ripe banana", "banana", "described"),
        ("ricotta", "ricotta cheese", "completed"),
        ("Tabasco", "tabasco sauce", "completed"),
        ("Farmer John's crunchy peanut butter", "crunchy peanut butter", "head noun"),
        ("cinammon", "cinnamon", "mended"),
        ("barbeque sauce", "barbecue sauce", "spelling"),
    ],
)
def test_free_text_is_found(vocabulary: Vocabulary, text: str, name: str, how: str) -> None:
    match = vocabulary.match(text)
    assert match is not None
    assert (match.name, match.how) == (name, how)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("2 cups all-purpose flour, sifted", ["all purpose flour"]),
        ("kosher salt and cayenne pepper to taste", ["kosher salt", "cayenne pepper"]),
        ("1 (14 ounce) can diced tomatoes", ["diced tomato"]),
        ("1/2 cup shredded coconut", ["shredded coconut"]),
        ("1 cup chopped onion", ["onion"]),
        ("Juice of 1 lemon", ["lemon juice"]),
        ("4 bone-in pork chops", ["pork chop"]),
        ("1/2 cup creamy or chunky peanut butter", ["creamy peanut butter"]),
        ("1 cup half-and-half", ["half and half"]),
        ("Special equipment: a wok", []),
        ("salt, pepper, paprika", ["salt", "pepper", "paprika"]),
        ("Salt + pepper", ["salt", "pepper"]),
        ("🍕", []),
    ],
)
def test_lines_are_found(vocabulary: Vocabulary, line: str, names: list[str]) -> None:
    assert [match.name for match in vocabulary.match_all(parse_line(line))] == names


@pytest.mark.parametrize("text", ["", "   ", "!!!", "📦", "qqqq", "الملح", "0"])
def test_what_is_no_ingredient_is_not_found(vocabulary: Vocabulary, text: str) -> None:
    assert vocabulary.match(text) is None


def test_a_miss_says_what_was_perhaps_meant(vocabulary: Vocabulary) -> None:
    with pytest.raises(UnknownNameError) as caught:
        vocabulary.require("bttrmlk")
    assert "buttermilk" in str(caught.value)
    assert "buttermilk" in caught.value.close


def test_a_long_miss_is_quoted_short(vocabulary: Vocabulary) -> None:
    with pytest.raises(UnknownNameError) as caught:
        vocabulary.require("ж" * 10_000)
    assert len(str(caught.value)) < 200


@given(text=st.text(max_size=80))
def test_any_text_is_found_or_not_without_error(text: str) -> None:
    vocabulary = Vocabulary(["butter", "oyster_mushroom"], {"butter": 0, "oyster_mushroom": 1})
    match = vocabulary.match(text)
    assert match is None or 0 <= match.id < len(vocabulary)


@pytest.mark.parametrize(
    ("text", "not_this"),
    [
        ("milk-free", "milk"),
        ("egg-free mayo", "egg"),
        ("nut-free pesto", "nut"),
        ("peanut-free", "peanut"),
        ("soy-free", "soy cheese"),
    ],
)
def test_what_is_said_to_be_absent_is_not_found(vocabulary: Vocabulary, text: str, not_this: str) -> None:
    match = vocabulary.match(text)
    assert match is None or match.name != not_this


@pytest.mark.parametrize(
    "text", ["vegan bacon", "imitation butter", "gluten free all purpose flour", "dairy-free milk"]
)
def test_a_match_that_leaves_out_a_denial_is_doubted_and_keeps_the_words(vocabulary: Vocabulary, text: str) -> None:
    match = vocabulary.match(text)
    assert match is not None
    assert match.confidence <= 0.4 or match.how in {"exact", "alias", "spelling"}
    assert match.words == text.replace("-", " ")


@pytest.mark.parametrize(
    "text", ["thinly sliced ripe banana", "cinammon", "Farmer John's crunchy peanut butter", "ricotta"]
)
def test_all_words_that_were_said_are_kept(vocabulary: Vocabulary, text: str) -> None:
    match = vocabulary.match(text)
    assert match is not None
    assert match.words == text.lower().replace("'", "")


def test_the_words_that_were_said_are_kept(vocabulary: Vocabulary) -> None:
    """An alias may be another food (the benchmark merges rare ones), so safety checks need the cook's own words."""
    match = vocabulary.match("duck egg")
    assert match is not None
    assert (match.name, match.how, match.words) == ("egg", "alias", "duck egg")


def test_every_canonical_name_finds_what_the_benchmark_means_by_it(vocabulary: Vocabulary) -> None:
    for name in vocabulary.names:
        if name not in {
            "pork & bean",
            "pork and bean",
            "salt & pepper",
            "salt and pepper",
        }:  # two to the benchmark, one to a cook
            match = vocabulary.match(name)
            assert match is not None, name
            assert match.id == vocabulary.id_of(name)


def test_a_recipe_becomes_ids_without_repeats(vocabulary: Vocabulary) -> None:
    recipe = parse_recipe("Cake\n\n2 cups flour\n1 tsp salt\nsalt and cinnamon\n3 eggs")
    assert [vocabulary.names[id] for id in vocabulary.context_of(recipe)] == ["flour", "salt", "cinnamon", "egg"]


def test_a_saved_vocabulary_loads_equal(tmp_path: Path) -> None:
    vocabulary = Vocabulary(["olive_oil", "crème"], {"olive_oil": 0, "crème": 1, "oil": 0})
    vocabulary.save(tmp_path / "v.json")
    loaded = Vocabulary.load(tmp_path / "v.json")
    assert loaded.names == vocabulary.names
    assert loaded.id_of("oil") == 0


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"names": 3, "aliases": {}}', "{", '{"names": ["a"], "aliases": []}']
)
def test_a_damaged_file_is_one_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "v.json"
    path.write_text(content)
    with pytest.raises(DataError, match="not a swapchef vocabulary"):
        Vocabulary.load(path)


@pytest.mark.real_data
def test_the_shipped_vocabulary_is_built_from_the_published_files(vocabulary: Vocabulary) -> None:
    built = Vocabulary.from_published(
        data_file("recipe1msubs/vocab_ingrs.pkl"), data_file("flavorgraph/nodes_191120.csv")
    )
    assert built.names == vocabulary.names
    assert built._aliases == vocabulary._aliases


@pytest.mark.real_data
def test_a_pickle_that_holds_no_vocabulary_is_one_sentence() -> None:
    with pytest.raises(DataError, match="holds no vocabulary"):
        Vocabulary.from_published(
            data_file("recipe1msubs/val_comments_subs.pkl"), data_file("flavorgraph/nodes_191120.csv")
        )


def test_nodes_that_are_no_csv_are_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "nodes.csv"
    path.write_text(json.dumps({"a": 1}) + "\nx\n")
    with pytest.raises(DataError, match="FlavorGraph"):
        Vocabulary.from_published(tmp_path / "none.pkl", path)


@pytest.mark.parametrize(("text", "name"), [("fresh mushrooms", "mushroom"), ("chives", "chive")])
def test_mistakes_of_the_published_names_are_not_taken_over(vocabulary: Vocabulary, text: str, name: str) -> None:
    match = vocabulary.match(text)
    assert match is not None
    assert match.name == name


def test_the_benchmark_itself_still_reads_its_own_names(vocabulary: Vocabulary) -> None:
    assert vocabulary.names[vocabulary.id_of("fresh_mushrooms")] == "dry parsley flake"


# --- a small vocabulary, where every way of finding has one right answer


@pytest.fixture(scope="module")
def small() -> Vocabulary:
    names = [
        "butter", "peanut_butter", "ricotta_cheese", "red_wine", "sour_cream", "bread_crumb", "pork_chop", "lychee",
        "syrup", "chicken_thigh", "oat", "cinnamon", "zucchini", "green_onion", "olive_oil", "oil", "parmesan_cheese",
    ]  # fmt: skip
    return Vocabulary(names, {"unsalted_butter": 0, "courgette": 12, "roma": 3, "chives": 3})


@pytest.mark.parametrize(
    ("text", "name", "how", "confidence"),
    [
        ("Butter", "butter", "exact", 1.0),
        ("unsalted butter", "butter", "alias", 0.97),
        ("butters", "butter", "spelling", 0.97),
        ("breadcrumbs", "bread crumb", "spelling", 0.97),
        ("greenonion", "green onion", "spelling", 0.97),
        ("scallions", "green onion", "spelling", 0.97),
        ("finely chopped cold butter pieces", "butter", "described", 0.95),
        ("ricotta", "ricotta cheese", "completed", 0.9),
        ("fresh ricotta", "ricotta cheese", "completed", 0.9),
        ("hidden farms peanut butter", "peanut butter", "head noun", 0.8),
        ("hidden farms butter chunks", "butter", "head noun", 0.8),
        ("lychees in syrup", "lychee", "head noun", 0.8),
        ("cinammon", "cinnamon", "mended", 0.85),
        ("ground cinammon", "cinnamon", "mended", 0.85),
        ("butter flavored zorblax", "butter", "part", 0.6),
        ("chicken thigh bone in quux", "chicken thigh", "part", 0.6),
        ("sou cream", "sour cream", "similar", 0.7),
        ("vegan quux butter", "butter", "head noun", 0.4),
        ("imitation butter", "butter", "head noun", 0.4),
    ],
)
def test_each_way_of_finding(small: Vocabulary, text: str, name: str, how: str, confidence: float) -> None:
    match = small.match(text)
    assert match is not None
    assert (match.name, match.how, match.confidence) == (name, how, confidence)
    assert match.id == small.names.index(name)


@pytest.mark.parametrize(
    "text",
    [
        "red",
        "green",
        "fresh",
        "chopped",
        "piece",
        "butter free",
        "oa",
        "sxx cxxam",
        "quux",
        "dry",
        "",
        "of",
        "cinxxmxn",
    ],
)
def test_what_the_small_vocabulary_does_not_know(small: Vocabulary, text: str) -> None:
    assert small.match(text) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("olive oil", "olive oil"),  # the longest name wins
        ("olive oil butter", "butter"),  # and among names the last word
        ("chicken thighs with skin on", "chicken thigh"),
        ("skin on chicken thigh", "chicken thigh"),
        ("bone in pork chop", "pork chop"),
        ("from butter", "butter"),
        ("fat free butter", "butter"),
        ("gluten free bread crumbs", "bread crumb"),
        ("a b c d e f g h i j k butter", "butter"),
    ],
)
def test_which_name_wins(small: Vocabulary, text: str, name: str) -> None:
    match = small.match(text)
    assert match is not None
    assert match.name == name


def test_a_match_of_a_line_is_the_first_of_it(small: Vocabulary) -> None:
    match = small.match(parse_line("1 tbsp butter and 2 tsp oil"))
    assert match is not None
    assert match.name == "butter"
    assert small.match(parse_line("Special equipment: butter knife")) is None


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("butter, oil, cinnamon", ["butter", "oil", "cinnamon"]),
        ("butter, butter", ["butter"]),
        ("2 cups butter, oil", ["butter"]),  # what follows the comma of an amount is a remark
        ("butter, quux", ["butter"]),
        ("1 cup butter and oil", ["butter", "oil"]),
        ("1 cup butter/oil", ["butter", "oil"]),
        ("1 cup butter plus quux", ["butter"]),
        ("Cook's note: use butter", []),
        ("* Available at butter markets", []),
        ("*This footnote has far more than forty letters, and speaks of butter", []),
        ("Ingredient info: butter", []),
    ],
)
def test_lines_of_the_small_vocabulary(small: Vocabulary, line: str, names: list[str]) -> None:
    assert [match.name for match in small.match_all(parse_line(line))] == names


def test_require_and_close(small: Vocabulary) -> None:
    assert small.require("butter").name == "butter"
    with pytest.raises(UnknownNameError) as caught:
        small.require("bxttxr")
    assert list(caught.value.close) == small.close("bxttxr")
    assert small.close("peanut buter")[0] == "peanut butter"
    assert len(small.close("butter", top=2)) <= 2
    assert len(set(small.close("butter"))) == len(small.close("butter"))
    assert small.close("wwwwww") == []


def test_ids_are_of_names_as_the_benchmark_writes_them(small: Vocabulary) -> None:
    assert small.id_of("peanut_butter") == small.id_of("peanut butter") == 1
    assert small.id_of("unsalted_butter") == 0
    assert len(small) == 17
    with pytest.raises(UnknownNameError, match="peanut butter"):
        small.id_of("peanut_buter")


def test_surfaces_begin_with_the_canonical_names_and_leave_mistakes_out(small: Vocabulary) -> None:
    surfaces = [surface for surface, _ in small.surfaces()]
    assert set(surfaces[: len(small)]) == set(small.names)
    assert set(surfaces[len(small) :]) == {"unsalted butter", "courgette"}


def test_a_name_spelled_as_the_vocabulary_has_it_comes_first() -> None:
    vocabulary = Vocabulary(["courgette", "zucchini"], {})
    match = vocabulary.match("zucchinis")
    assert match is not None
    assert match.name == "zucchini"


def test_only_the_beginning_of_a_long_text_is_read(small: Vocabulary) -> None:
    assert small.match("q " * 140 + "butter") is not None
    assert small.match("q " * 150 + "butter") is None


def test_what_is_remembered_is_not_without_end(small: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "_REMEMBERED", 3)
    vocabulary = Vocabulary(["butter"], {})
    for number in range(20):
        vocabulary.match(f"butter {number}")
    assert 1 <= len(vocabulary._recent) <= 5


@pytest.mark.parametrize(
    ("stems", "rest"),
    [
        (("cold", "unsalted", "butter"), ("butter",)),
        (("butter", "cold"), ("butter", "cold")),
        (("cold", "chopped"), ("chopped",)),
        (("butter",), ("butter",)),
        (("cold", "peanut", "cold", "butter"), ("peanut", "cold", "butter")),
    ],
)
def test_describing_words_at_the_beginning_are_dropped(stems: tuple[str, ...], rest: tuple[str, ...]) -> None:
    assert matching.undescribed(stems) == rest


@pytest.mark.parametrize(
    ("stems", "rest"),
    [
        (("lychee", "in", "syrup"), ("lychee",)),
        (("in", "syrup"), ("in", "syrup")),
        (("bone", "in", "chop"), ("bone", "in", "chop")),
        (("skin", "on", "thigh", "with", "rice"), ("skin", "on", "thigh")),
        (("rice",), ("rice",)),
    ],
)
def test_a_name_ends_before_a_preposition(stems: tuple[str, ...], rest: tuple[str, ...]) -> None:
    assert matching.before_preposition(stems) == rest


def test_words_that_only_describe_name_no_food() -> None:
    assert matching.names_food(("green", "onion"))
    assert not matching.names_food(("green",))
    assert not matching.names_food(("thinly", "sliced"))
    assert not matching.names_food(("red", "sliced"))


def test_names_are_compared_without_case_accents_and_marks() -> None:
    assert matching.normal("Crème_Fraîche  & 2% Milk!") == "creme fraiche and 2% milk"
    assert matching.normal("Farmer’s 牛奶") == "farmers 牛奶"
    assert matching.stems_of("Courgettes & mangetout") == ("zucchini", "and", "snow", "pea")
    assert matching.stems_of("2 percent") == ("2", "%")


def test_runs_of_words_longest_and_last_first() -> None:
    assert [span for _, _, span in matching._spans(("a", "b", "c"))] == [
        ("a", "b", "c"), ("b", "c"), ("a", "b"), ("c",), ("b",), ("a",),
    ]  # fmt: skip
    assert next(iter(matching._spans(("a", "b", "c"))))[:2] == (0, 3)
    assert max(len(span) for _, _, span in matching._spans(tuple("abcdefghijklmnop"))) == 12


def test_nodes_are_read_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "nodes.csv"
    path.write_text("node_id,name,id,node_type,is_hub\n3,butter,,ingredient,hub\n1,water,962,compound,food\n")
    assert matching.read_node_rows(path) == [(3, "butter", "ingredient"), (1, "water", "compound")]


def test_other_names_are_of_foods_that_the_vocabulary_has(vocabulary: Vocabulary) -> None:
    for written, name in read_table("foods/other_names.tsv"):
        assert name in vocabulary.names, written
        assert vocabulary.id_of(written) == vocabulary.id_of(name)
