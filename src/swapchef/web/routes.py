"""The routes of the HTTP API: each reads a request, calls `Answers` in a worker thread, and returns the response."""

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.responses import Response

from swapchef import __version__
from swapchef.rankers.shipped import OURS
from swapchef.web import answers
from swapchef.web.fetching import FetchError, Rules, fetch
from swapchef.web.guards import COOK_PATH, PROBLEM_TYPE
from swapchef.web.schema import (
    DIETS,
    CheckAnswer,
    CheckRequest,
    CookAnswer,
    CookRequest,
    DietsAnswer,
    FeedbackRequest,
    HealthAnswer,
    IngredientsAnswer,
    ParseAnswer,
    ParseRequest,
    ProblemAnswer,
    RankerName,
    SettingsAnswer,
    SuggestAnswer,
    SuggestRequest,
    SwapAnswer,
    SwapRequest,
    VersionAnswer,
    WriteAnswer,
    WriteRequest,
)
from swapchef.web.workers import Workers, adapter

_RAW_TYPES = ("application/octet-stream", "application/ld+json", "application/xhtml+xml")
_PHOTO_TYPES = (
    "image/jpeg",
    "image/png",
    "image/webp",
    "image/gif",
    "image/bmp",
    "image/tiff",
    "application/octet-stream",
)
_Responses = dict[int | str, dict[str, Any]]
_PROBLEM_CONTENT = {PROBLEM_TYPE: {"schema": adapter(ProblemAnswer).json_schema()}}
_PROBLEMS: _Responses = {
    400: {"description": "The body is not JSON.", "content": _PROBLEM_CONTENT},
    413: {"description": "The body is too large.", "content": _PROBLEM_CONTENT},
    422: {"description": "What is wrong, in one sentence.", "content": _PROBLEM_CONTENT},
    503: {"description": "Busy; try again.", "content": _PROBLEM_CONTENT},
}
_NO_FEEDBACK: _Responses = {404: {"description": "This server keeps no feedback.", "content": _PROBLEM_CONTENT}}
_WRONG_TYPE: _Responses = {415: {"description": "Not a type that recipes come in.", "content": _PROBLEM_CONTENT}}
_COOK_PROBLEMS: _Responses = {
    404: {"description": "This server cannot read photos.", "content": _PROBLEM_CONTENT},
    415: {"description": "Not a type that photos come in.", "content": _PROBLEM_CONTENT},
}
_COOK_DESCRIPTION = (
    "Name the ingredients in a photo of a dish, and write its recipe with and without swaps; "
    "the body is the photo's bytes."
)
_COOK_BODY = {
    "requestBody": {
        "required": True,
        "content": {media_type: {"schema": {"type": "string", "format": "binary"}} for media_type in _PHOTO_TYPES},
    }
}
_PARSE_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": ParseRequest.model_json_schema()},
            "text/plain": {"schema": {"type": "string"}},
            "text/html": {"schema": {"type": "string"}},
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


def api_routes(workers: Workers, imports: Rules | None, keeps_feedback: bool) -> APIRouter:
    """Return all routes of the API, in the order of its documentation."""
    routes = APIRouter(responses=_PROBLEMS)
    _add_recipe_routes(routes, workers, imports)
    _add_swap_routes(routes, workers)
    _add_photo_route(routes, workers)
    _add_list_routes(routes, workers)
    _add_feedback_route(routes, workers)
    _add_server_routes(routes, SettingsAnswer(keeps_feedback, imports is not None, workers.photos.unavailable))
    return routes


def _add_recipe_routes(routes: APIRouter, workers: Workers, imports: Rules | None) -> None:
    api = workers.answers

    @routes.post("/api/v1/recipes/parse", response_model=ParseAnswer, openapi_extra=_PARSE_BODY, responses=_WRONG_TYPE)
    async def parse(request: Request, filename: Annotated[str, Query(max_length=300)] = "") -> Response:
        """Read a recipe: from text, from an address, or from the bytes of a file."""
        media_type, body = _media_type(request), await request.body()
        if media_type.startswith("text/") or media_type in _RAW_TYPES:
            return await workers.answer("read", api.parse_file, body, filename)
        if media_type != "application/json":
            raise HTTPException(415, "Send a recipe as application/json, text/* or application/octet-stream.")
        source = _parse_request(body)
        if source.url is None:
            return await workers.answer("read", api.parse_text, source.text, source.format)
        if imports is None:
            raise FetchError("This server imports no addresses; paste the recipe as text.")
        page = await fetch(source.url, imports)
        return await workers.answer("read", api.parse_page, page.data, page.url)

    @routes.post("/api/v1/recipes/write", response_model=WriteAnswer)
    async def write(body: WriteRequest) -> Response:
        """Write a recipe in another format: jsonld, markdown, cooklang, mealie, tandoor or text."""
        return await workers.answer("suggest", answers.write, body)


def _add_swap_routes(routes: APIRouter, workers: Workers) -> None:
    api = workers.answers

    @routes.post("/api/v1/suggest", response_model=SuggestAnswer)
    async def suggest(body: SuggestRequest, ranker: RankerName = OURS) -> Response:
        """Rank what to use instead of ingredients, in a recipe if one is given."""
        return await workers.answer("suggest", api.suggest, body, ranker)

    @routes.post("/api/v1/swap", response_model=SwapAnswer)
    async def swap(body: SwapRequest, ranker: RankerName = OURS) -> Response:
        """Rewrite a recipe with ingredients replaced: by what is named, or by what suits best."""
        return await workers.answer("change", api.swap, body, ranker)

    @routes.post("/api/v1/check", response_model=CheckAnswer)
    async def check(body: CheckRequest, ranker: RankerName = OURS) -> Response:
        """Say what in a recipe is against a diet, an allergy or a dislike, and what to use instead."""
        return await workers.answer("change", api.check, body, ranker)


def _add_photo_route(routes: APIRouter, workers: Workers) -> None:
    @routes.post(
        COOK_PATH,
        response_model=CookAnswer,
        description=_COOK_DESCRIPTION,
        openapi_extra=_COOK_BODY,
        responses=_COOK_PROBLEMS,
    )
    async def cook(request: Request, options: Annotated[CookRequest, Query()]) -> Response:
        if _media_type(request) not in _PHOTO_TYPES:
            raise HTTPException(415, "Send a photo as JPEG, PNG, WebP, GIF, BMP or TIFF, by its type or as octets.")
        return await workers.cook(await request.body(), options)


def _add_list_routes(routes: APIRouter, workers: Workers) -> None:
    @routes.get("/api/v1/ingredients", response_model=IngredientsAnswer)
    async def ingredients(
        q: Annotated[str, Query(max_length=100)] = "", limit: Annotated[int, Query(ge=1, le=50)] = 10
    ) -> Response:
        """Complete the name of an ingredient, as it is typed."""
        return await workers.answer("suggest", workers.answers.ingredients, q, limit)

    @routes.get("/api/v1/diets")
    async def diets() -> DietsAnswer:
        """List the diets and allergens that foods are judged by."""
        return DIETS


def _add_feedback_route(routes: APIRouter, workers: Workers) -> None:
    @routes.post("/api/v1/feedback", status_code=204, responses=_NO_FEEDBACK, response_class=Response)
    async def feedback(body: FeedbackRequest) -> Response:
        """Keep whether a cook took a swap; only names of ingredients, the choice and the time are stored."""
        return await workers.store_feedback(body)


def _add_server_routes(routes: APIRouter, settings: SettingsAnswer) -> None:
    @routes.get("/api/v1/settings")
    async def settings_of_this_server() -> SettingsAnswer:
        """Say what this server offers beyond swaps."""
        return settings

    @routes.get("/health", include_in_schema=False)
    @routes.get("/api/v1/health")
    async def health() -> HealthAnswer:
        """Say that this server answers."""
        return HealthAnswer("ok")

    @routes.get("/api/v1/version")
    async def version() -> VersionAnswer:
        """Say which swapchef this is."""
        return VersionAnswer(__version__)


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _parse_request(body: bytes) -> ParseRequest:
    try:
        return ParseRequest.model_validate_json(body)
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None
