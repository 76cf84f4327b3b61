"""Names are found the way a cook means them, and the way they were found is told."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swapchef.errors import DataError, UnknownNameError
from swapchef.foods.matching import Vocabulary
from swapchef.recipes import parse_line, parse_recipe
from swapchef.sources import data_file


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
