"""The API as a client meets it: a real server on a free port, in a thread that shares one loaded model."""

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

import pytest
import uvicorn

from swapchef.recipes import jsonld, read_recipe
from swapchef.substituter import Substituter
from swapchef.web.app import Settings, create_app
from swapchef.web.photos import PhotoSource
from tests.conftest import ROOT
from tests.web.fake_cook import FAKE


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def problem(self) -> str:
        """Check that this is a problem as promised, and return its sentence."""
        assert self.headers["content-type"] == "application/problem+json"
        assert set(self.json) == {"type", "title", "status", "detail"}
        assert self.json["status"] == self.status
        assert "Traceback" not in self.json["detail"]
        assert self.json["detail"].endswith((".", "?"))
        return str(self.json["detail"])


@dataclass(frozen=True)
class Api:
    """Calls a server; every call has a connection of its own."""

    port: int

    def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body or None, named)
            response = connection.getresponse()
            return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, **headers)

    def post(self, path: str, body: object, **headers: str) -> Answer:
        return self.send(
            "POST", f"/api/v1{path}", json.dumps(body).encode(), content_type="application/json", **headers
        )


Run = Callable[..., contextlib.AbstractContextManager[Api]]


@pytest.fixture(scope="session")
def substituter() -> Substituter:
    return Substituter.load()


@pytest.fixture(scope="session")
def run(substituter: Substituter) -> Run:
    """Run a server with some settings for as long as a block lasts; it sees in photos what the fake cook sees."""

    @contextlib.contextmanager
    def running(settings: Settings, photos: PhotoSource = FAKE, **options: Any) -> Iterator[Api]:
        listener = socket.create_server(("127.0.0.1", 0))  # clients wait here until the server accepts them
        app = create_app(settings, substituter, photos)
        config = uvicorn.Config(app, log_config=None, access_log=False, ws="none", loop="asyncio", **options)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield Api(listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()

    return running


@pytest.fixture(scope="session")
def api(run: Run) -> Iterator[Api]:
    """A server as `swapchef serve` sets it up."""
    with run(Settings()) as api:
        yield api


@pytest.fixture(scope="session")
def pancakes() -> dict[str, Any]:
    """The example recipe as JSON-LD."""
    document: dict[str, Any] = json.loads(jsonld.write(read_recipe(ROOT / "examples" / "pancakes.md")))
    return document
