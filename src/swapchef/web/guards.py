"""What every request passes before the API sees it: whose name it asked for, how large it is, whether there is room, how long it may take.

`Guard` is plain ASGI, so that a refusal costs next to nothing. It also puts the security headers on every
answer and writes one line of log for it: method, route, status, time, never what was in a recipe, a query or an error's message.
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
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self';"
    " manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_RETRY = {"retry-after": "1"}
COOK = "/api/v1/cook"  # takes photos, which are larger than recipes
_MOST_HELD = 64 << 20  # bytes of bodies that are being read, in one process
_ALWAYS_ANSWERED = ("/health", "/api/v1/health", "/api/v1/version", "/api/v1/settings")


def problem(kind: str, status: int, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with a problem of RFC 9457; its detail is one sentence for people."""
    body = asdict(ProblemAnswer(f"/docs#problem-{kind}", HTTPStatus(status).phrase, status, detail))
    return Response(json.dumps(body), status, headers, PROBLEM_TYPE)


@dataclass(frozen=True)
class Limits:
    """How much one request may ask for, and how many may be worked on at once."""

    at_once: int = 16
    hand_over: int = 0  # with more under way, clients are told to connect anew: maybe to a worker with less to do
    seconds: float = 15.0
    body: int = 4 << 20  # bytes
    photo: int = 12 << 20  # bytes, where the body is a photo
    hosts: Sequence[str] = ()  # names this server answers to; any if empty


class _RefusedError(Exception):
    """A request goes no further; carries what to answer instead."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


class Guard:
    """Wraps the API in limits, headers and a log."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._limits = app, limits
        self._hosts = {host.lower().strip("[]") for host in limits.hosts}
        self._under_way = 0
        self._held = 0  # bytes of bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(scope, send)
        try:
            async with asyncio.timeout(self._limits.seconds):
                self._check_head(scope)
                if _is_counted(scope):
                    await self._pass(scope, receive, answer)
                else:
                    await self._app(scope, receive, answer.send)
        except _RefusedError as refused:
            await answer.instead(refused.response, receive)
        except TimeoutError:
            advice = "try again in a moment" if _is_photo(scope) else "try again with a smaller recipe"
            words = f"This took longer than {self._limits.seconds:g} seconds; {advice}."
            await answer.instead(problem("slow", 503, words, _RETRY), receive)
        except Exception as error:
            LOG.error("failed", extra={"fields": _where(error)})
            words = "Something went wrong in swapchef; try again, and tell its makers if it stays."
            await answer.instead(problem("bug", 500, words), receive)
        finally:
            answer.log()

    def _check_head(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if self._hosts and _host_name(headers.get("host", "")) not in self._hosts:
            words = "This server does not go by that name; start it with --name to add one."
            raise _RefusedError(problem("host", 421, words))
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:20]) > self._most(scope):
            raise _RefusedError(self._too_large(scope))

    async def _pass(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        """Read the body, then take one of the places: a client that is slow to ask keeps nobody from one."""
        answer.is_last = 0 < self._limits.hand_over <= self._under_way
        self._check_room()
        body: list[bytes] = []
        try:
            async for chunk in self._chunks(scope, receive):
                body.append(chunk)
            self._check_room()
            self._under_way += 1
            try:
                await self._app(scope, _replayed(b"".join(body), receive), answer.send)
            finally:
                self._under_way -= 1
        finally:
            self._held -= sum(map(len, body))

    def _check_room(self) -> None:
        if self._under_way >= self._limits.at_once or self._held > _MOST_HELD:
            words = "Too many cooks are asking at once; try again in a second."
            raise _RefusedError(problem("busy", 503, words, _RETRY))

    async def _chunks(self, scope: Scope, receive: Receive) -> AsyncIterator[bytes]:
        """Yield the body as it comes, counting: not every client says how long it is."""
        received, is_more = 0, True
        while is_more:
            message = await receive()
            chunk, is_more = message.get("body", b""), message.get("more_body", False)
            received += len(chunk)
            if received > self._most(scope):
                raise _RefusedError(self._too_large(scope))
            self._held += len(chunk)
            yield chunk

    def _most(self, scope: Scope) -> int:
        return self._limits.photo if _is_photo(scope) else self._limits.body

    def _too_large(self, scope: Scope) -> Response:
        most = f"at most {self._most(scope) / (1 << 20):g} MB"
        if _is_photo(scope):
            return problem("too-large", 413, f"This photo is too large here ({most}); make it smaller.")
        return problem("too-large", 413, f"This is far larger than a recipe ({most}); send a single recipe.")


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read already, and then whatever else comes."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replay() -> Message:
        return next(messages, None) or await receive()

    return replay


class _Answer:
    """One answer on its way out: gains headers, and is remembered for the log."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send
        self._start = time.perf_counter()
        self._status, self._bytes = 0, 0
        self.is_last = False  # on its connection

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store" if _is_api(self._scope) else "no-cache")
            if self.is_last:
                headers["connection"] = "close"
        else:
            self._bytes += len(message.get("body", b""))
        await self._send(message)

    async def instead(self, response: Response, receive: Receive) -> None:
        """Answer with something else, unless an answer has begun."""
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
        """Write time, level, process, event and fields; of an exception only its kind and place, for its message may quote a recipe."""
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "process": record.process,
            "event": record.getMessage().strip(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1]:
            line |= _where(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


def _where(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    places = [f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} {frame.name}" for frame in frames]
    return {"error": type(error).__name__, "at": places}


def _is_api(scope: Scope) -> bool:
    return bool(scope["path"].startswith("/api/"))


def _is_photo(scope: Scope) -> bool:
    return bool(scope["path"] == COOK)


def _is_counted(scope: Scope) -> bool:
    """Say whether a request takes one of the places: files and health checks cost nothing."""
    return _is_api(scope) and scope["path"] not in _ALWAYS_ANSWERED


def _host_name(header: str) -> str:
    """Return the name in a Host header, without its port."""
    name = header.rpartition("]")[0] if header.startswith("[") else header.partition(":")[0]
    return name.strip("[]").lower()
