"""schemathesis sends what the OpenAPI schema allows and what it does not: no server error, no undeclared answer.

Random text is a poor recipe, so a third round asks for real ingredients in recipes of real lines.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as some
from schemathesis import GenerationMode, checks

from swapchef.web.app import Settings
from swapchef.web.feedback import Store
from swapchef.web.fetching import Rules
from tests.web.conftest import Api, Run

OPERATIONS = [
    ("/api/v1/recipes/parse", "POST"),
    ("/api/v1/recipes/write", "POST"),
    ("/api/v1/suggest", "POST"),
    ("/api/v1/swap", "POST"),
    ("/api/v1/check", "POST"),
    ("/api/v1/cook", "POST"),
    ("/api/v1/ingredients", "GET"),
    ("/api/v1/diets", "GET"),
    ("/api/v1/feedback", "POST"),
    ("/api/v1/settings", "GET"),
    ("/api/v1/health", "GET"),
    ("/api/v1/version", "GET"),
]
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
QUICK = settings(
    max_examples=30, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def live(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    store = str(tmp_path_factory.mktemp("feedback") / "feedback.db")
    Store(store).create()
    everywhere = tuple("abcdefghijklmnopqrstuvwxyz0123456789")  # as top-level domains; no name server is asked
    with run(Settings(feedback=store, imports=Rules(deny=everywhere))) as api:
        yield api


@pytest.fixture(scope="module")
def described(live: Api) -> Any:
    return schemathesis.openapi.from_url(f"http://127.0.0.1:{live.port}/openapi.json")


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


def test_every_operation_is_tried(described: Any) -> None:
    operations = [(result.ok().path, result.ok().method.upper()) for result in described.get_all_operations()]
    assert sorted(operations) == sorted(OPERATIONS)


@pytest.mark.parametrize(
    ("path", "method", "mode"),
    [
        (path, method, mode)
        for path, method in OPERATIONS
        for mode in GenerationMode
        if mode == GenerationMode.POSITIVE
        or method == "POST"
        or path == "/api/v1/ingredients"  # else nothing can be wrong
    ],
)
def test_no_request_makes_the_server_fail(
    described: Any, session: requests.Session, path: str, method: str, mode: GenerationMode
) -> None:
    operation = described[path][method]

    @QUICK
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        case.call_and_validate(session=session, checks=CHECKS)

    ask()


FOODS = "butter;buttermilk;egg;flour;sugar;salt and pepper;1 onion;soy sauce;x;½ lemon;🥚;sauce:;-1;9;vegan".split(";")
LINES = some.builds(
    lambda amount, food: f"{amount} {food}".strip(),
    some.sampled_from(["", "2 cups", "1/2", "3-4", "a pinch of", "2 x 400 g tins", "1e9", "½"]),
    some.sampled_from(FOODS),
)
WISHES = some.fixed_dictionaries(
    {},
    optional={
        "have": some.lists(some.sampled_from(FOODS), max_size=3),
        "diet": some.lists(some.sampled_from(["vegan", "gluten", "nuts", "kosher", ""]), max_size=2),
        "avoid": some.lists(some.sampled_from(FOODS), max_size=2),
        "unknown": some.booleans(),
    },
)
RECIPES = some.fixed_dictionaries(
    {"recipeIngredient": some.lists(LINES, min_size=1, max_size=6)},
    optional={
        "name": some.sampled_from(["Egg soup", "", "<b>Butter</b>"]),
        "recipeInstructions": some.lists(some.sampled_from(["Whisk the eggs.", "Melt the butter.", ""]), max_size=3),
    },
)
BODIES = {
    "/suggest": {"recipe": RECIPES, "ingredients": some.lists(some.sampled_from(FOODS), min_size=1, max_size=3)},
    "/swap": {
        "recipe": RECIPES,
        "swaps": some.lists(
            some.fixed_dictionaries(
                {"ingredient": some.sampled_from(FOODS)},
                optional={"with": some.one_of(some.none(), some.sampled_from(FOODS))},
            ),
            max_size=3,
        ),
    },
    "/check": {"recipe": RECIPES},
}


@pytest.mark.parametrize("path", BODIES)
def test_no_dish_makes_the_server_fail(live: Api, path: str) -> None:
    @settings(QUICK, max_examples=80)
    @given(body=some.fixed_dictionaries({**BODIES[path], "wishes": WISHES}))
    def ask(body: Any) -> None:
        answer = live.post(path, body)
        assert answer.status in {200, 422}, answer.body
        if answer.status == 422:
            answer.problem()

    ask()
