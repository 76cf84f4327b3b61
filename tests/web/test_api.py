"""Every endpoint: it answers what the library answers, and refuses with the command line's sentences."""

import json
import re
from dataclasses import asdict, fields
from typing import Any
from urllib.parse import urlencode

import pytest

from swapchef import __version__
from swapchef.errors import SwapchefError
from swapchef.limits.facets import FACETS, OTHER_WISHES
from swapchef.recipes import jsonld, parse_recipe
from swapchef.substituter import Substituter, Wishes
from swapchef.swapping.answers import Report
from swapchef.web.schema import CheckAnswer, WishesBody
from tests.conftest import ROOT
from tests.web.conftest import Api

PANCAKES = (ROOT / "examples" / "pancakes.md").read_text(encoding="utf-8")


def plain(value: Any) -> Any:
    """Return what JSON makes of a value: tuples become lists."""
    return json.loads(json.dumps(value))


def test_parse_reads_text_of_any_format(api: Api) -> None:
    answer = api.post("/recipes/parse", {"text": PANCAKES})
    assert answer.status == 200
    assert set(answer.json) == {"recipe", "ingredients", "warnings"}
    assert answer.json["ingredients"][5] == {
        "number": 6,
        "text": "2 cups buttermilk",
        "section": "",
        "matches": ["buttermilk"],
    }
    assert jsonld.from_object(answer.json["recipe"]) == parse_recipe(PANCAKES)


@pytest.mark.parametrize("kind", ["text/plain", "text/markdown; charset=utf-8", "application/octet-stream"])
def test_parse_reads_the_bytes_of_a_file(api: Api, kind: str) -> None:
    answer = api.send("POST", "/api/v1/recipes/parse?filename=my_pancakes.md", PANCAKES.encode(), content_type=kind)
    assert answer.json["recipe"]["name"] == "Buttermilk pancakes"


def test_parse_takes_the_title_of_a_file_without_one_from_its_name(api: Api) -> None:
    path = "/api/v1/recipes/parse?filename=plain_toast.txt"
    answer = api.send("POST", path, b"2 slices bread\n1 tablespoon butter\n", content_type="text/plain")
    assert answer.json["recipe"]["name"] == "plain toast"


def test_parse_keeps_to_a_named_format(api: Api) -> None:
    answer = api.post("/recipes/parse", {"text": "Add @salt{1%pinch} and stir.", "format": "cooklang"})
    assert answer.json["ingredients"][0]["matches"] == ["salt"]
    assert "did you mean" in api.post("/recipes/parse", {"text": "x", "format": "docx"}).problem()


def test_parse_warns_of_what_it_does_not_know(api: Api) -> None:
    answer = api.post("/recipes/parse", {"text": "Soup\n\n1 cup milk\n3 qzxv\n"})
    assert answer.json["warnings"] == [
        "I know no ingredient in '3 qzxv'.",
        "This recipe has no steps, so only its ingredients can change.",
    ]


def test_suggest_answers_what_the_library_answers(api: Api, substituter: Substituter, pancakes: dict[str, Any]) -> None:
    request = {
        "recipe": pancakes,
        "ingredients": ["buttermilk", "egg"],
        "top": 3,
        "wishes": {"have": None, "diet": ["vegan"], "avoid": ["soy"], "unknown": True},
        "counterfactual": True,
    }
    wishes = Wishes(diet=["vegan"], avoid=["soy"], unknown=True)
    expected = substituter.suggest_together(
        ["buttermilk", "egg"], jsonld.from_object(pancakes), 3, wishes, counterfactual=True
    )
    assert api.post("/suggest", request).json == {"answers": [plain(each.as_json()) for each in expected]}


def test_suggest_works_without_a_recipe(api: Api) -> None:
    (answer,) = api.post("/suggest", {"ingredients": ["butter"], "recipe": None}).json["answers"]
    assert answer["recipe"] is None
    assert len(answer["suggestions"]) == 5


def test_suggest_keeps_to_the_cupboard(api: Api, pancakes: dict[str, Any]) -> None:
    request = {"recipe": pancakes, "ingredients": ["buttermilk"], "wishes": {"have": ["kefir", "beer"]}}
    (answer,) = api.post("/suggest", request).json["answers"]
    assert {each["name"] for each in answer["suggestions"]} <= {"kefir", "beer"}


def test_swap_rewrites_the_recipe_and_says_what_changed(
    api: Api, substituter: Substituter, pancakes: dict[str, Any]
) -> None:
    answer = api.post("/swap", {"recipe": pancakes, "swaps": [{"ingredient": "buttermilk", "with": "yogurt"}]})
    done = substituter.swap(jsonld.from_object(pancakes), ["buttermilk"], ["yogurt"])
    assert answer.json["recipe"]["name"] == "Yogurt pancakes"
    assert answer.json["changes"] == [plain(asdict(change)) for change in done.edit.changes]
    assert answer.json["notes"] == [plain(asdict(note)) for note in done.edit.notes]
    assert answer.json["swaps"] == [{"source": "buttermilk", "target": "yogurt", "lines": []}]
    assert answer.json["ingredients"][5]["matches"] == ["yogurt"]
    assert answer.json["problems"] == []


def test_swap_chooses_where_no_target_is_named_and_applies_all_at_once(api: Api, pancakes: dict[str, Any]) -> None:
    swaps = [{"ingredient": "butter"}, {"ingredient": "buttermilk", "with": "kefir"}]
    answer = api.post("/swap", {"recipe": pancakes, "swaps": swaps}).json
    assert [swap["source"] for swap in answer["swaps"]] == ["butter", "buttermilk"]
    assert answer["swaps"][1]["target"] == "kefir"
    changed = {change["old"] for change in answer["changes"] if change["where"] == "ingredient"}
    assert changed == {"2 cups buttermilk", "1/4 cup butter, melted, plus more for the pan"}


def test_swap_without_swaps_replaces_all_that_is_against_a_diet(api: Api, pancakes: dict[str, Any]) -> None:
    wishes = {"diet": ["vegan"]}
    answer = api.post("/swap", {"recipe": pancakes, "swaps": [], "wishes": wishes}).json
    assert {swap["source"] for swap in answer["swaps"]} == {"buttermilk", "egg", "butter"}
    assert api.post("/check", {"recipe": answer["recipe"], "wishes": wishes}).json["is_fine"]


def test_check_reports_as_the_library_does(api: Api, substituter: Substituter, pancakes: dict[str, Any]) -> None:
    answer = api.post("/check", {"recipe": pancakes, "wishes": {"diet": ["vegan"]}})
    report = substituter.check(jsonld.from_object(pancakes), Wishes(diet=["vegan"]))
    assert answer.json == plain(report.as_json())


def test_another_ranker_answers_where_it_is_asked_for(api: Api, pancakes: dict[str, Any]) -> None:
    asked = {"recipe": pancakes, "ingredients": ["buttermilk"]}
    (ours,) = api.post("/suggest", asked).json["answers"]
    (theirs,) = api.post("/suggest?ranker=gismo", asked).json["answers"]
    assert (ours["ranker"], theirs["ranker"]) == ("fusion", "gismo")
    chances = [{each["name"]: each["probability"] for each in answer["suggestions"]} for answer in (ours, theirs)]
    assert chances[0] != chances[1]
    wishes = {"diet": ["vegan"]}
    swapped = api.post("/swap?ranker=lt%2Bfreq", {"recipe": pancakes, "swaps": [], "wishes": wishes})
    assert swapped.status == 200
    assert api.post("/check?ranker=gismo", {"recipe": pancakes, "wishes": wishes}).json["problems"]


@pytest.mark.parametrize("name", ["gpt", "runs/gismo", "../..", "pinsage"])
def test_only_rankers_that_are_shipped_can_be_asked_over_the_network(api: Api, name: str) -> None:
    refused = api.post(f"/suggest?{urlencode({'ranker': name})}", {"ingredients": ["butter"]})
    assert refused.status == 422
    assert "lt+freq" in refused.problem()


@pytest.mark.parametrize(
    ("format", "filename", "media_type"),
    [
        ("jsonld", "buttermilk-pancakes.jsonld", "application/ld+json"),
        ("markdown", "buttermilk-pancakes.md", "text/markdown"),
        ("cooklang", "buttermilk-pancakes.cook", "text/plain"),
        ("mealie", "buttermilk-pancakes.json", "application/json"),
        ("tandoor", "buttermilk-pancakes.json", "application/json"),
        ("text", "buttermilk-pancakes.txt", "text/plain"),
    ],
)
def test_write_makes_a_file_that_reads_back(
    api: Api, pancakes: dict[str, Any], format: str, filename: str, media_type: str
) -> None:
    answer = api.post("/recipes/write", {"recipe": pancakes, "format": format}).json
    assert (answer["filename"], answer["media_type"]) == (filename, media_type)
    read = api.send(
        "POST", f"/api/v1/recipes/parse?filename={filename}", answer["text"].encode(), content_type="text/plain"
    )
    assert [line["text"] for line in read.json["ingredients"]] == pancakes["recipeIngredient"]


def test_a_file_is_named_safely_whatever_the_title_is(api: Api) -> None:
    recipe = {"name": "../../Crème <b>brûlée</b> \x00/etc", "recipeIngredient": ["2 eggs"]}
    named = api.post("/recipes/write", {"recipe": recipe, "format": "markdown"}).json["filename"]
    assert re.fullmatch(r"[a-z0-9-]+\.md", named)


def test_ingredients_complete_what_is_typed(api: Api) -> None:
    names = api.get("/api/v1/ingredients?q=but").json["ingredients"]
    assert names[:2] == ["butter", "buttermilk"]
    assert len(names) == 10
    assert "peanut butter" in api.get("/api/v1/ingredients?q=Butter&limit=50").json["ingredients"]
    assert api.get("/api/v1/ingredients?q=bttermilk").json["ingredients"] == ["buttermilk"]
    assert len(api.get("/api/v1/ingredients?limit=3").json["ingredients"]) == 3


def test_diets_health_version_and_settings(api: Api) -> None:
    assert api.get("/api/v1/diets").json["diets"][0] == {"name": "vegan", "meaning": FACETS["vegan"]}
    assert len(api.get("/api/v1/diets").json["diets"]) == len(FACETS) + len(OTHER_WISHES)
    assert api.get("/api/v1/health").json == api.get("/health").json == {"status": "ok"}
    assert api.get("/api/v1/version").json == {"version": __version__}
    assert api.get("/api/v1/settings").json == {"feedback": False, "import": True, "no_photos": ""}


@pytest.mark.parametrize(
    ("path", "body", "call"),
    [
        ("/suggest", {"ingredients": ["bttrmlk"]}, lambda s, _: s.suggest("bttrmlk")),
        ("/suggest", {"ingredients": ["chocolate"], "recipe": ...}, lambda s, r: s.suggest("chocolate", r)),
        ("/suggest", {"ingredients": ["99"], "recipe": ...}, lambda s, r: s.suggest("99", r)),
        (
            "/suggest",
            {"ingredients": ["butter"], "wishes": {"diet": ["kosher"]}},
            lambda s, _: s.suggest("butter", wishes=Wishes(diet=["kosher"])),
        ),
        ("/swap", {"recipe": ...}, lambda s, r: s.swap(r)),
        ("/check", {"recipe": ..., "wishes": {}}, lambda s, r: s.check(r, Wishes())),
    ],
)
def test_a_mistake_is_told_in_the_same_sentence_as_on_the_command_line(
    api: Api, substituter: Substituter, pancakes: dict[str, Any], path: str, body: dict[str, Any], call: Any
) -> None:
    with pytest.raises(SwapchefError) as expected:
        call(substituter, jsonld.from_object(pancakes))
    given = {key: pancakes if value is ... else value for key, value in body.items()}
    answer = api.post(path, given)
    assert answer.status == 422
    assert answer.problem() == str(expected.value)


def test_schema_and_library_name_the_same_fields() -> None:
    assert set(WishesBody.model_fields) == {field.name for field in fields(Wishes)}
    assert {field.name for field in fields(CheckAnswer)} == {field.name for field in fields(Report)} | {"is_fine"}


def test_the_documentation_names_every_endpoint_and_every_problem_and_loads_nothing_from_elsewhere(api: Api) -> None:
    page = api.get("/docs").body.decode()
    schema = api.get("/openapi.json").json
    for path in schema["paths"]:
        assert path in page
    assert re.findall(r'(?:src|href)="([^"]+)"', page) == ["/docs.css", "/openapi.json", "/"]
    assert "<script" not in page
    assert api.get("/docs.css").headers["content-type"].startswith("text/css")
    problem = api.post("/suggest", {"ingredients": ["bttrmlk"]}).json["type"]
    assert f'id="{problem.removeprefix("/docs#")}"' in page


def test_the_page_is_served(api: Api) -> None:
    answer = api.get("/")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/html")


def test_an_address_without_anything_and_a_wrong_method_are_told(api: Api) -> None:
    assert "nothing at this address" in api.get("/api/v1/nothing").problem()
    assert api.get("/api/v1/suggest").status == 405
    assert "another method" in api.get("/api/v1/suggest").problem()
