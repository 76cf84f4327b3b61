"""The HTTP API and the page as one ASGI application: `create_app()`.

A route reads, calls `Answers` in a worker thread, and returns; the event loop only ever waits, so that a refusal or a health check is
answered at once whatever the cooks are asking. The page and the documentation are files of this package: nothing is loaded from elsewhere.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, HTTPException, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles

from swapchef import __version__
from swapchef.errors import DataError, RecipeError, SwapchefError, UnknownNameError
from swapchef.substituter import Substituter
from swapchef.web import answers, docs_page
from swapchef.web.answers import Answers
from swapchef.web.feedback import Store
from swapchef.web.fetching import FetchError, Rules, fetch
from swapchef.web.guards import COOK_PATH, PROBLEM_TYPE, Guard, Limits, problem
from swapchef.web.photos import NoPhotosError, PhotoError, Photos, PhotoSource
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
    SettingsAnswer,
    SuggestAnswer,
    SuggestRequest,
    SwapAnswer,
    SwapRequest,
    VersionAnswer,
    WriteAnswer,
    WriteRequest,
)

_HERE = Path(__file__).parent
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
_MOST_PHOTOS = 4  # that wait for their turn or have it; a fifth would only wait until its time is up
_SENTENCES = {  # in place of what frameworks say
    400: "The body is not JSON that I can read; send one JSON object.",
    404: "There is nothing at this address; see /docs for what there is.",
    405: "This address takes another method; see /docs.",
}
_KINDS: dict[type, str] = {
    RecipeError: "recipe",
    UnknownNameError: "name",
    FetchError: "import",
    PhotoError: "photo",
    NoPhotosError: "photo",
}


@dataclass(frozen=True)
class Settings:
    """How a server is set up; the same in all its processes."""

    limits: Limits = field(default_factory=Limits)
    imports: Rules | None = field(default_factory=Rules)  # None: addresses are not fetched
    feedback: str = ""  # where choices are kept; nowhere if empty
    cors: tuple[str, ...] = ()  # origins whose pages may call the API


def create_app(
    settings: Settings | None = None, substituter: Substituter | None = None, photos: PhotoSource | None = None
) -> FastAPI:
    """Build the application with the model that swapchef ships, or with one that is loaded already; networks for photos come later."""
    settings, substituter = settings or Settings(), substituter or Substituter.load()
    kitchen = _Kitchen(
        Answers(substituter),
        Photos(photos or PhotoSource(), substituter),
        Store(settings.feedback) if settings.feedback else None,
    )
    app = FastAPI(
        title="swapchef",
        version=__version__,
        description="Ingredient substitution that reads the whole recipe.",
        docs_url=None,
        redoc_url=None,
        lifespan=kitchen.lifespan,
    )
    app.include_router(_routes(settings, kitchen))
    _add_pages(app)
    for error, handler in _HANDLERS.items():
        app.add_exception_handler(error, handler)
    app.add_middleware(Guard, limits=settings.limits)
    if settings.cors:
        app.add_middleware(
            CORSMiddleware, allow_origins=settings.cors, allow_methods=["GET", "POST"], allow_headers=["content-type"]
        )
    return app


class _Kitchen:
    """Does the work of requests in threads, one for each kind of work, so that a long one holds up only its like."""

    def __init__(self, answers: Answers, photos: Photos, store: Store | None) -> None:
        self.answers, self.photos, self._store = answers, photos, store
        self._lanes = {name: ThreadPoolExecutor(1, name) for name in ("suggest", "change", "read", "photo", "store")}
        self._photos_here = 0

    @asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        """Let go of threads, processes and connections at the end."""
        yield
        for lane in self._lanes.values():
            lane.shutdown(cancel_futures=True)
        self.answers.close()
        if self._store:
            self._store.close()

    async def answer(self, lane: str, work: Callable[..., object], *given: object) -> Response:
        """Do some work and write its answer as JSON."""
        body = await asyncio.get_running_loop().run_in_executor(self._lanes[lane], _written, work, given)
        return Response(body, media_type="application/json")

    async def cook(self, photo: bytes, asked: CookRequest) -> Response:
        """Cook from a photo, after those that came before it."""
        if self._photos_here >= _MOST_PHOTOS:
            words = "Too many photos are waiting to be looked at; try again in a few seconds."
            return problem("busy", 503, words, {"retry-after": "3"})
        self._photos_here += 1
        try:
            return await self.answer("photo", self.photos.cook, photo, asked)
        finally:
            self._photos_here -= 1

    async def keep(self, asked: FeedbackRequest) -> Response:
        """Keep a cook's choice."""
        if self._store is None:
            return problem("feedback", 404, "This server keeps no feedback; start it with --feedback to change that.")
        await asyncio.get_running_loop().run_in_executor(self._lanes["store"], self._add, self._store, asked)
        return Response(status_code=204)

    def _add(self, store: Store, asked: FeedbackRequest) -> None:
        store.add(self.answers.choice(asked))


def _written(work: Callable[..., object], given: tuple[object, ...]) -> bytes:
    answer = work(*given)
    kind: Any = type(answer)
    return _adapter(kind).dump_json(answer, by_alias=True)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


_PROBLEM_CONTENT = {PROBLEM_TYPE: {"schema": _adapter(ProblemAnswer).json_schema()}}
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"description": "The body is not JSON.", "content": _PROBLEM_CONTENT},
    413: {"description": "The body is too large.", "content": _PROBLEM_CONTENT},
    422: {"description": "What is wrong, in one sentence.", "content": _PROBLEM_CONTENT},
    503: {"description": "Busy; try again.", "content": _PROBLEM_CONTENT},
}
_NO_FEEDBACK: dict[int | str, dict[str, Any]] = {
    404: {"description": "This server keeps no feedback.", "content": _PROBLEM_CONTENT}
}
_WRONG_TYPE: dict[int | str, dict[str, Any]] = {
    415: {"description": "Not a type that recipes come in.", "content": _PROBLEM_CONTENT}
}
_COOK_PROBLEMS: dict[int | str, dict[str, Any]] = {
    404: {"description": "This server cannot read photos.", "content": _PROBLEM_CONTENT},
    415: {"description": "Not a type that photos come in.", "content": _PROBLEM_CONTENT},
}
_COOK_BODY = {
    "requestBody": {
        "required": True,
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in _PHOTO_TYPES},
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


def _routes(settings: Settings, kitchen: _Kitchen) -> APIRouter:
    routes, api = APIRouter(responses=_PROBLEMS), kitchen.answers

    @routes.post("/api/v1/recipes/parse", response_model=ParseAnswer, openapi_extra=_PARSE_BODY, responses=_WRONG_TYPE)
    async def parse(request: Request, filename: Annotated[str, Query(max_length=300)] = "") -> Response:
        """Read a recipe: from text, from an address, or from the bytes of a file."""
        media_type, body = _media_type(request), await request.body()
        if media_type.startswith("text/") or media_type in _RAW_TYPES:
            return await kitchen.answer("read", api.parse_file, body, filename)
        if media_type != "application/json":
            raise HTTPException(415, "Send a recipe as application/json, text/* or application/octet-stream.")
        asked = _parse_request(body)
        if asked.url is None:
            return await kitchen.answer("read", api.parse_text, asked.text, asked.format)
        if settings.imports is None:
            raise FetchError("This server imports no addresses; paste the recipe as text.")
        page = await fetch(asked.url, settings.imports)
        return await kitchen.answer("read", api.parse_page, page.data, page.url)

    @routes.post("/api/v1/recipes/write", response_model=WriteAnswer)
    async def write(asked: WriteRequest) -> Response:
        """Write a recipe in another format: jsonld, markdown, cooklang, mealie, tandoor or text."""
        return await kitchen.answer("suggest", answers.write, asked)

    @routes.post("/api/v1/suggest", response_model=SuggestAnswer)
    async def suggest(asked: SuggestRequest) -> Response:
        """Rank what to use instead of ingredients, in a recipe if one is given."""
        return await kitchen.answer("suggest", api.suggest, asked)

    @routes.post("/api/v1/swap", response_model=SwapAnswer)
    async def swap(asked: SwapRequest) -> Response:
        """Rewrite a recipe with ingredients replaced: by what is named, or by what suits best."""
        return await kitchen.answer("change", api.swap, asked)

    @routes.post("/api/v1/check", response_model=CheckAnswer)
    async def check(asked: CheckRequest) -> Response:
        """Say what in a recipe is against a diet, an allergy or a dislike, and what to use instead."""
        return await kitchen.answer("change", api.check, asked)

    @routes.post(COOK_PATH, response_model=CookAnswer, openapi_extra=_COOK_BODY, responses=_COOK_PROBLEMS)
    async def cook(request: Request, asked: Annotated[CookRequest, Query()]) -> Response:
        """Name the ingredients in a photo of a dish, and write its recipe with and without swaps; the body is the photo's bytes."""
        if _media_type(request) not in _PHOTO_TYPES:
            raise HTTPException(415, "Send a photo as JPEG, PNG, WebP, GIF, BMP or TIFF, by its type or as octets.")
        return await kitchen.cook(await request.body(), asked)

    @routes.get("/api/v1/ingredients", response_model=IngredientsAnswer)
    async def ingredients(
        q: Annotated[str, Query(max_length=100)] = "", limit: Annotated[int, Query(ge=1, le=50)] = 10
    ) -> Response:
        """Complete the name of an ingredient, as it is typed."""
        return await kitchen.answer("suggest", api.ingredients, q, limit)

    @routes.get("/api/v1/diets")
    async def diets() -> DietsAnswer:
        """List the diets and allergens that foods are judged by."""
        return DIETS

    @routes.post("/api/v1/feedback", status_code=204, responses=_NO_FEEDBACK, response_class=Response)
    async def feedback(asked: FeedbackRequest) -> Response:
        """Keep whether a cook took a swap; only names of ingredients, the choice and the time are stored."""
        return await kitchen.keep(asked)

    @routes.get("/api/v1/settings")
    async def settings_of_this_server() -> SettingsAnswer:
        """Say what this server offers beyond swaps."""
        return SettingsAnswer(bool(settings.feedback), settings.imports is not None, kitchen.photos.lack)

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


def _add_pages(app: FastAPI) -> None:
    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(docs_page.render(app.openapi()))

    @app.get("/docs.css", include_in_schema=False)
    async def docs_style() -> FileResponse:
        return FileResponse(_HERE / "docs.css")

    # Not mounted at "/": a mount would answer for the API's own addresses where only the method is wrong.
    app.router.default = StaticFiles(directory=_HERE / "page", html=True, check_dir=False)


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _parse_request(body: bytes) -> ParseRequest:
    try:
        return ParseRequest.model_validate_json(body)
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None


def _on_swapchef_error(_: Request, error: Exception) -> Response:
    if isinstance(error, DataError):
        return problem("data", 503, str(error), {"retry-after": "5"})
    status = 404 if isinstance(error, NoPhotosError) else 422
    return problem(_KINDS.get(type(error), "request"), status, str(error))


def _on_invalid_request(_: Request, error: Exception) -> Response:
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {"type": "", "loc": (), "msg": ""}
    if first["type"] == "json_invalid":
        return problem("request", 400, _SENTENCES[400])
    place = ".".join(str(part) for part in first["loc"] if part not in {"body", "query"})[:80]
    said = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
    words = f"{place}: {said[:1].lower()}{said[1:]}" if place else said
    return problem("request", 422, f"This request does not fit ({words}); see /docs.")


def _on_http_error(_: Request, error: Exception) -> Response:
    status, said, headers = 500, "", None
    if isinstance(error, StarletteHTTPException):
        status, said, headers = error.status_code, str(error.detail), error.headers
    return problem("http", status, _SENTENCES.get(status, said), headers)


_HANDLERS = {
    SwapchefError: _on_swapchef_error,
    RequestValidationError: _on_invalid_request,
    StarletteHTTPException: _on_http_error,
}
