"""Threads that do the work of requests: one for each kind of work, so that a long request delays only its own kind.

The event loop itself only waits, so that a refusal or a health check is answered at once whatever else is asked.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, Literal

from fastapi import FastAPI
from pydantic import TypeAdapter
from starlette.responses import Response

from swapchef.web.answers import Answers
from swapchef.web.feedback import Store
from swapchef.web.guards import problem
from swapchef.web.photos import Photos
from swapchef.web.schema import CookRequest, FeedbackRequest

Kind = Literal["suggest", "change", "read", "photo", "store"]
KINDS: tuple[Kind, ...] = ("suggest", "change", "read", "photo", "store")
MAX_PHOTOS = 4  # in the queue or being worked on; a fifth would only wait until its time is up


class Workers:
    """Runs functions in the threads of one process, and writes what they return as JSON."""

    def __init__(self, answers: Answers, photos: Photos, store: Store | None) -> None:
        self.answers, self.photos, self._store = answers, photos, store
        self._threads = {kind: ThreadPoolExecutor(1, kind) for kind in KINDS}
        self._queued_photos = 0

    @asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        """End threads, processes and connections when the application ends."""
        yield
        for thread in self._threads.values():
            thread.shutdown(cancel_futures=True)
        self.answers.close()
        if self._store:
            self._store.close()

    async def answer(self, kind: Kind, function: Callable[..., object], *arguments: object) -> Response:
        """Call a function in the thread for its kind of work, and respond with its result as JSON."""
        body = await asyncio.get_running_loop().run_in_executor(self._threads[kind], _call_to_json, function, arguments)
        return Response(body, media_type="application/json")

    async def cook(self, photo: bytes, options: CookRequest) -> Response:
        """Cook from a photo, after those that came before it; refuse it if too many wait."""
        if self._queued_photos >= MAX_PHOTOS:
            detail = "Too many photos are waiting to be looked at; try again in a few seconds."
            return problem("busy", 503, detail, {"retry-after": "3"})
        self._queued_photos += 1
        try:
            return await self.answer("photo", self.photos.cook, photo, options)
        finally:
            self._queued_photos -= 1

    async def store_feedback(self, feedback: FeedbackRequest) -> Response:
        """Store a cook's choice."""
        if self._store is None:
            return problem("feedback", 404, "This server keeps no feedback; start it with --feedback to change that.")
        await asyncio.get_running_loop().run_in_executor(self._threads["store"], self._add, self._store, feedback)
        return Response(status_code=204)

    def _add(self, store: Store, feedback: FeedbackRequest) -> None:
        store.add(self.answers.choice(feedback))


def _call_to_json(function: Callable[..., object], arguments: tuple[object, ...]) -> bytes:
    result = function(*arguments)
    result_type: Any = type(result)
    return adapter(result_type).dump_json(result, by_alias=True)


@cache
def adapter(type: Any) -> TypeAdapter[Any]:
    """Return pydantic's reader and writer of a type, made once."""
    return TypeAdapter(type)
