"""The HTTP API and the page as one ASGI application: `create_app()`.

A route reads, calls `Answers` in a worker thread, and returns; the event loop only ever waits, so that a refusal or a health check is
answered at once whatever the cooks are asking. The page and the documentation are files of this package: nothing is loaded from elsewhere.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, HTTPException, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from swapchef import __version__
from swapchef.errors import DataError, RecipeError, SwapchefError, UnknownNameError
from swapchef.substituter import Substituter
from swapchef.web import answers
from swapchef.web.answers import Answers
from swapchef.web.guards import Guard, Limits, problem
from swapchef.web.schema import (
    DIETS,
    CheckAnswer,
    CheckRequest,
    DietsAnswer,
    HealthAnswer,
    IngredientsAnswer,
    ParseAnswer,
    ParseRequest,
    SettingsAnswer,
    SuggestAnswer,
    SuggestRequest,
    SwapAnswer,
    SwapRequest,
    VersionAnswer,
    WriteAnswer,
    WriteRequest,
)

_PAGE = Path(__file__).parent / "page"
_RAW_TYPES = ("application/octet-stream", "application/ld+json", "application/xhtml+xml")
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


@dataclass(frozen=True)
class Settings:
    """How a server is set up; the same in all its processes."""

    limits: Limits = field(default_factory=Limits)
    cors: tuple[str, ...] = ()  # origins whose pages may call the API
    feedback: str = ""  # address of the store, or "" for none
    imports: bool = True


def create_app(settings: Settings | None = None, substituter: Substituter | None = None) -> FastAPI:
    """Build the application with the model that swapchef ships, or with one that is loaded already."""
    settings = settings or Settings()
    app = FastAPI(
        title="swapchef",
        version=__version__,
        description="Ingredient substitution that reads the whole recipe.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.include_router(_routes(settings, _Kitchen(Answers(substituter or Substituter.load()))))
    app.add_exception_handler(SwapchefError, _on_swapchef_error)
    app.add_exception_handler(RequestValidationError, _on_validation_error)
    app.add_exception_handler(StarletteHTTPException, _on_http_error)
    app.mount("/", StaticFiles(directory=_PAGE, html=True, check_dir=False), name="page")
    app.add_middleware(Guard, limits=settings.limits)
    if settings.cors:
        app.add_middleware(
            CORSMiddleware, allow_origins=settings.cors, allow_methods=["GET", "POST"], allow_headers=["content-type"]
        )
    return app


class _Kitchen:
    """Runs the work of requests in threads of their own."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self._quick = ThreadPoolExecutor(1, "answers")
        self._slow = ThreadPoolExecutor(1, "pages")  # whole pages, which may take seconds, do not hold up suggestions

    async def answer(self, work: Callable[..., object], *given: object, slow: bool = False) -> Response:
        """Do some work and write its answer as JSON."""
        lane = self._slow if slow else self._quick
        body = await asyncio.get_running_loop().run_in_executor(lane, _written, work, given)
        return Response(body, media_type="application/json")


def _written(work: Callable[..., object], given: tuple[object, ...]) -> bytes:
    answer = work(*given)
    return _adapter(type(answer)).dump_json(answer, by_alias=True)


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _routes(settings: Settings, kitchen: _Kitchen) -> APIRouter:
    routes, api = APIRouter(), kitchen.answers

    @routes.post("/api/v1/recipes/parse", response_model=ParseAnswer, openapi_extra=_PARSE_BODY)
    async def parse(request: Request, filename: Annotated[str, Query(max_length=300)] = "") -> Response:
        """Read a recipe: from text, from an address, or from the bytes of a file."""
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type.startswith("text/") or media_type in _RAW_TYPES:
            return await kitchen.answer(api.parse_file, await request.body(), filename, slow=True)
        if media_type != "application/json":
            raise HTTPException(415, "Send a recipe as application/json, text/* or application/octet-stream.")
        asked = _parse_request(await request.body())
        return await kitchen.answer(api.parse_text, asked.text, asked.format, slow=True)

    @routes.post("/api/v1/suggest", response_model=SuggestAnswer)
    async def suggest(asked: SuggestRequest) -> Response:
        """Rank what to use instead of ingredients, in a recipe if one is given."""
        return await kitchen.answer(api.suggest, asked)

    @routes.post("/api/v1/swap", response_model=SwapAnswer)
    async def swap(asked: SwapRequest) -> Response:
        """Rewrite a recipe with ingredients replaced."""
        return await kitchen.answer(api.swap, asked)

    @routes.post("/api/v1/check", response_model=CheckAnswer)
    async def check(asked: CheckRequest) -> Response:
        """Say what in a recipe is against a diet, an allergy or a dislike."""
        return await kitchen.answer(api.check, asked)

    @routes.post("/api/v1/recipes/write", response_model=WriteAnswer)
    async def write(asked: WriteRequest) -> Response:
        """Write a recipe in another format."""
        return await kitchen.answer(answers.write, asked)

    @routes.get("/api/v1/ingredients", response_model=IngredientsAnswer)
    async def ingredients(
        q: Annotated[str, Query(max_length=100)] = "", limit: Annotated[int, Query(ge=1, le=50)] = 10
    ) -> Response:
        """Complete the name of an ingredient."""
        return await kitchen.answer(api.ingredients, q, limit)

    @routes.get("/api/v1/diets")
    async def diets() -> DietsAnswer:
        """List the diets and allergens that foods are judged by."""
        return DIETS

    @routes.get("/api/v1/settings")
    async def settings_of_this_server() -> SettingsAnswer:
        """Say what this server offers beyond swaps."""
        return SettingsAnswer(bool(settings.feedback), settings.imports)

    @routes.get("/health", include_in_schema=False)
    @routes.get("/api/v1/health")
    async def health() -> HealthAnswer:
        """Say that this server answers."""
        return HealthAnswer("ok")

    @routes.get("/api/v1/version")
    async def version() -> VersionAnswer:
        """Say which swapchef this is."""
        return VersionAnswer(__version__)

    return routes


def _parse_request(body: bytes) -> ParseRequest:
    try:
        return ParseRequest.model_validate_json(body)
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None


def _on_swapchef_error(_: Request, error: Exception) -> Response:
    kinds: dict[type, str] = {RecipeError: "recipe", UnknownNameError: "name", DataError: "data"}
    return problem(kinds.get(type(error), "request"), 503 if isinstance(error, DataError) else 422, str(error))


def _on_validation_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - it is registered for nothing else
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part not in {"body", "query"})[:80]
    said = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
    words = f"{place}: {said[:1].lower()}{said[1:]}" if place else said
    return problem("request", 422, f"This request does not fit ({words}); see /docs.")


def _on_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, StarletteHTTPException)  # noqa: S101
    return problem("http", error.status_code, str(error.detail), error.headers)
