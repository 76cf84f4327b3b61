"""ASGI middleware around the API: limits on host name, body size, requests at once and time; security headers; the log.

`Guard` is plain ASGI, so that a refusal costs next to nothing. A line of the log has method, route, status and time,
never what was in a recipe, a query or an error's message.
"""

import asyncio
import json
import logging
import time
import traceback
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from swapchef.web.schema import ProblemAnswer

LOG = logging.getLogger("swapchef.web")
PROBLEM_TYPE = "application/problem+json"
_CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_RETRY_AFTER = {"retry-after": "1"}
COOK_PATH = "/api/v1/cook"  # takes photos, which are larger than recipes
_MAX_BUFFERED = 64 << 20  # bytes of bodies that are being read, in one process
_FRAMES_LOGGED = 8  # of an exception
_UNLIMITED_PATHS = ("/health", "/api/v1/health", "/api/v1/version", "/api/v1/settings")


def problem(kind: str, status: int, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with a problem of RFC 9457; its detail is one sentence for people."""
    body = asdict(ProblemAnswer(f"/docs#problem-{kind}", HTTPStatus(status).phrase, status, detail))
    return Response(json.dumps(body), status, headers, PROBLEM_TYPE)


@dataclass(frozen=True)
class RequestLimits:
    """Limits on a request, and on how many one process works on at once."""

    max_requests: int = 16  # under way at once
    hand_over_from: int = 0  # requests under way from which responses close the connection, for other workers; 0: none
    timeout: float = 15.0  # seconds
    max_body: int = 4 << 20  # bytes
    max_photo: int = 12 << 20  # bytes, where the body is a photo
    hosts: Sequence[str] = ()  # names this server answers to; any if empty


class _RefusedError(Exception):
    """A request is refused; carries the response."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


class Guard:
    """Wraps the API in limits, headers and a log."""

    def __init__(self, app: ASGIApp, limits: RequestLimits) -> None:
        self._app, self._limits = app, limits
        self._hosts = {host.lower().strip("[]") for host in limits.hosts}
        self._active_requests = 0
        self._buffered = 0  # bytes of bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the API, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        response = _ResponseSender(scope, send)
        try:
            async with asyncio.timeout(self._limits.timeout):
                self._check_headers(scope)
                if _is_limited(scope):
                    await self._handle(scope, receive, response)
                else:
                    await self._app(scope, receive, response.send)
        except _RefusedError as refused:
            await response.send_instead(refused.response, receive)
        except TimeoutError:
            advice = "try again in a moment" if _is_photo(scope) else "try again with a smaller recipe"
            detail = f"This took longer than {self._limits.timeout:g} seconds; {advice}."
            await response.send_instead(problem("slow", 503, detail, _RETRY_AFTER), receive)
        except Exception as error:
            LOG.error("failed", extra={"fields": _error_location(error)})
            detail = "Something went wrong in swapchef; try again, and tell its makers if it stays."
            await response.send_instead(problem("bug", 500, detail), receive)
        finally:
            response.log()

    def _check_headers(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if self._hosts and _host_name(headers.get("host", "")) not in self._hosts:
            detail = "This server does not go by that name; start it with --name to add one."
            raise _RefusedError(problem("host", 421, detail))
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:20]) > self._max_body(scope):
            raise _RefusedError(self._too_large(scope))

    async def _handle(self, scope: Scope, receive: Receive, response: "_ResponseSender") -> None:
        """Read the whole body before the request counts as active, so that slow clients do not use up the limit."""
        response.closes_connection = 0 < self._limits.hand_over_from <= self._active_requests
        self._check_capacity()
        body: list[bytes] = []
        try:
            async for chunk in self._chunks(scope, receive):
                body.append(chunk)
            self._check_capacity()
            self._active_requests += 1
            try:
                await self._app(scope, _replayed(b"".join(body), receive), response.send)
            finally:
                self._active_requests -= 1
        finally:
            self._buffered -= sum(map(len, body))

    def _check_capacity(self) -> None:
        if self._active_requests >= self._limits.max_requests or self._buffered > _MAX_BUFFERED:
            detail = "Too many cooks are asking at once; try again in a second."
            raise _RefusedError(problem("busy", 503, detail, _RETRY_AFTER))

    async def _chunks(self, scope: Scope, receive: Receive) -> AsyncIterator[bytes]:
        """Yield the body as it comes, counting its bytes: not every client sends a Content-Length."""
        received, is_more = 0, True
        while is_more:
            message = await receive()
            chunk, is_more = message.get("body", b""), message.get("more_body", False)
            received += len(chunk)
            if received > self._max_body(scope):
                raise _RefusedError(self._too_large(scope))
            self._buffered += len(chunk)
            yield chunk

    def _max_body(self, scope: Scope) -> int:
        return self._limits.max_photo if _is_photo(scope) else self._limits.max_body

    def _too_large(self, scope: Scope) -> Response:
        limit = f"at most {self._max_body(scope) / (1 << 20):g} MB"
        if _is_photo(scope):
            return problem("too-large", 413, f"This photo is too large here ({limit}); make it smaller.")
        return problem("too-large", 413, f"This is far larger than a recipe ({limit}); send a single recipe.")


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Make a `receive` that gives a body that was read already, and then what else comes."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replay() -> Message:
        return next(messages, None) or await receive()

    return replay


class _ResponseSender:
    """Sends one response: adds headers, and notes status and size for the log."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send
        self._start = time.perf_counter()
        self._status, self._bytes = 0, 0
        self.closes_connection = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store" if _is_api(self._scope) else "no-cache")
            if self.closes_connection:
                headers["connection"] = "close"
        else:
            self._bytes += len(message.get("body", b""))
        await self._send(message)

    async def send_instead(self, response: Response, receive: Receive) -> None:
        """Send another response, unless one has begun."""
        if not self._status:
            await response(self._scope, receive, self.send)

    def log(self) -> None:
        route = self._scope.get("route")
        fields = {
            "method": self._scope["method"] if self._scope["method"].isalpha() else "?",
            "route": getattr(route, "path", "") or "other",
            "status": self._status,
            "ms": round(1000 * (time.perf_counter() - self._start), 1),
            "bytes": self._bytes,
        }
        LOG.info("request", extra={"fields": fields})


class JsonLines(logging.Formatter):
    """Writes each record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Write time, level, process, event and fields; an exception without its message, which may quote a recipe."""
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "process": record.process,
            "event": record.getMessage().strip(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1]:
            line |= _error_location(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


def _error_location(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES_LOGGED:]
    lines = [f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} {frame.name}" for frame in frames]
    return {"error": type(error).__name__, "at": lines}


def _is_api(scope: Scope) -> bool:
    return bool(scope["path"].startswith("/api/"))


def _is_photo(scope: Scope) -> bool:
    return bool(scope["path"] == COOK_PATH)


def _is_limited(scope: Scope) -> bool:
    """Return whether a request counts for the limit on requests at once; files and health checks do not."""
    return _is_api(scope) and scope["path"] not in _UNLIMITED_PATHS


def _host_name(header: str) -> str:
    """Return the name in a Host header, without its port."""
    name = header.rpartition("]")[0] if header.startswith("[") else header.partition(":")[0]
    return name.strip("[]").lower()
