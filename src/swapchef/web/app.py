"""The HTTP API and the page as one ASGI application: `create_app()`.

The page and the documentation are files of this package: nothing is loaded from elsewhere.
"""

from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles

from swapchef import __version__
from swapchef.errors import DataError, RecipeError, SwapchefError, UnknownNameError
from swapchef.substituter import Substituter
from swapchef.web import docs_page
from swapchef.web.answers import Answers
from swapchef.web.feedback import Store
from swapchef.web.fetching import FetchError, Rules
from swapchef.web.guards import Guard, RequestLimits, problem
from swapchef.web.photos import NoPhotosError, PhotoError, Photos, PhotoSource
from swapchef.web.routes import api_routes
from swapchef.web.workers import Workers

_FOLDER = Path(__file__).parent
_DETAILS = {  # of problems, in place of the framework's own
    400: "The body is not JSON that I can read; send one JSON object.",
    404: "There is nothing at this address; see /docs for what there is.",
    405: "This address takes another method; see /docs.",
}
_PROBLEM_KINDS: dict[type, str] = {
    RecipeError: "recipe",
    UnknownNameError: "name",
    FetchError: "import",
    PhotoError: "photo",
    NoPhotosError: "photo",
}


@dataclass(frozen=True)
class Settings:
    """How a server is set up; the same in all its processes."""

    limits: RequestLimits = field(default_factory=RequestLimits)
    imports: Rules | None = field(default_factory=Rules)  # None: addresses are not fetched
    feedback: str = ""  # where choices are kept; nowhere if empty
    cors: tuple[str, ...] = ()  # origins whose pages may call the API


def create_app(
    settings: Settings | None = None, substituter: Substituter | None = None, photos: PhotoSource | None = None
) -> FastAPI:
    """Build the application, with a model that is loaded already if one is given; photos load theirs later."""
    settings, substituter = settings or Settings(), substituter or Substituter.load()
    workers = Workers(
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
        lifespan=workers.lifespan,
    )
    app.include_router(api_routes(workers, settings.imports, keeps_feedback=bool(settings.feedback)))
    _add_pages(app)
    for error, handler in _HANDLERS.items():
        app.add_exception_handler(error, handler)
    app.add_middleware(Guard, limits=settings.limits)
    if settings.cors:
        app.add_middleware(
            CORSMiddleware, allow_origins=settings.cors, allow_methods=["GET", "POST"], allow_headers=["content-type"]
        )
    return app


def _add_pages(app: FastAPI) -> None:
    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(docs_page.render(app.openapi()))

    @app.get("/docs.css", include_in_schema=False)
    async def docs_style() -> FileResponse:
        return FileResponse(_FOLDER / "docs.css")

    # Not mounted at "/": a mount would answer for the API's own addresses where only the method is wrong.
    app.router.default = StaticFiles(directory=_FOLDER / "page", html=True, check_dir=False)


def _on_swapchef_error(_: Request, error: Exception) -> Response:
    if isinstance(error, DataError):
        return problem("data", 503, str(error), {"retry-after": "5"})
    status = 404 if isinstance(error, NoPhotosError) else 422
    return problem(_PROBLEM_KINDS.get(type(error), "request"), status, str(error))


def _on_invalid_request(_: Request, error: Exception) -> Response:
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {"type": "", "loc": (), "msg": ""}
    if first["type"] == "json_invalid":
        return problem("request", 400, _DETAILS[400])
    field_name = ".".join(str(part) for part in first["loc"] if part not in {"body", "query"})[:80]
    message = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
    reason = f"{field_name}: {message[:1].lower()}{message[1:]}" if field_name else message
    return problem("request", 422, f"This request does not fit ({reason}); see /docs.")


def _on_http_error(_: Request, error: Exception) -> Response:
    status, detail, headers = 500, "", None
    if isinstance(error, StarletteHTTPException):
        status, detail, headers = error.status_code, str(error.detail), error.headers
    return problem("http", status, _DETAILS.get(status, detail), headers)


_HANDLERS = {
    SwapchefError: _on_swapchef_error,
    RequestValidationError: _on_invalid_request,
    StarletteHTTPException: _on_http_error,
}
