"""What every request passes: limits, names, headers, the log; each refusal is a problem in one sentence."""

import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from swapchef.web import guards
from swapchef.web.answers import Answers
from swapchef.web.app import Settings
from swapchef.web.guards import JsonLines, RequestLimits
from swapchef.web.schema import SuggestAnswer, SuggestRequest
from tests.web.conftest import Api, Run


class HalfAsked:
    """A request whose body does not come; the server says "100 Continue" when it waits for it."""

    def __init__(self, api: Api, length: int = 100) -> None:
        self.socket = socket.create_connection(("127.0.0.1", api.port), timeout=30)
        self.socket.sendall(
            f"POST /api/v1/suggest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Content-Length: {length}\r\nExpect: 100-continue\r\n\r\n".encode()
        )
        assert self.socket.recv(1000).startswith(b"HTTP/1.1 100")

    def rest(self, body: bytes = b"") -> bytes:
        """Send a body, if any, and return the whole answer."""
        with self.socket:
            if body:
                self.socket.sendall(body)
            answer = b""
            while b"}" not in answer.partition(b"\r\n\r\n")[2] and (more := self.socket.recv(1 << 16)):
                answer += more
            return answer


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Api], None]]:
    """Give a server work that does not end before the test does."""
    begun, end = threading.Event(), threading.Event()
    suggest = Answers.suggest

    def wait(self: Answers, asked: SuggestRequest, ranker: str) -> SuggestAnswer:
        if asked.ingredients == ["milk"]:
            begun.set()
            end.wait(30)
        return suggest(self, asked, ranker)

    monkeypatch.setattr(Answers, "suggest", wait)
    asking: list[threading.Thread] = []

    def ask(api: Api) -> None:
        asking.append(threading.Thread(target=api.post, args=("/suggest", {"ingredients": ["milk"]})))
        asking[-1].start()
        assert begun.wait(30)

    def release() -> None:
        end.set()
        for thread in asking:
            thread.join()

    ask.release = release  # type: ignore[attr-defined]
    yield ask
    release()


def test_one_request_too_many_is_told_to_come_back(run: Run, busy: Any) -> None:
    with run(Settings(RequestLimits(max_requests=1))) as api:
        busy(api)
        refused = api.post("/check", {})
        assert refused.status == 503
        assert refused.headers["retry-after"] == "1"
        assert "try again in a second" in refused.problem()
        assert api.get("/health").status == 200  # whoever balances the load must see that it lives
        assert api.get("/").status == 200
        busy.release()
        assert api.post("/suggest", {"ingredients": ["butter"]}).status == 200


def test_a_client_that_is_slow_to_ask_takes_nobodys_place(run: Run) -> None:
    with run(Settings(RequestLimits(max_requests=1))) as api:
        slow = [HalfAsked(api) for _ in range(3)]
        assert api.post("/suggest", {"ingredients": ["butter"]}).status == 200
        for each in slow:
            assert b"200 OK" in each.rest(b'{"ingredients": ["butter"]}'.ljust(100))


def test_bodies_that_are_being_read_have_a_limit_together(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "_MAX_BUFFERED", 50)
    with run(Settings()) as api:
        slow = HalfAsked(api, length=1000)
        slow.socket.sendall(b" " * 900)
        answers = (api.post("/suggest", {"ingredients": ["butter"]}).status for _ in range(1000))
        assert 503 in answers  # as soon as the server has read that much
        slow.rest(b" " * 100)
        assert api.post("/suggest", {"ingredients": ["butter"]}).status == 200


def test_a_worker_with_much_to_do_lets_connections_go_to_another(run: Run, busy: Any) -> None:
    with run(Settings(RequestLimits(hand_over_from=1))) as api:
        assert "connection" not in api.post("/check", {}).headers
        busy(api)
        assert api.post("/check", {}).headers["connection"] == "close"
        busy.release()


def test_a_request_that_takes_too_long_is_ended(run: Run) -> None:
    with run(Settings(RequestLimits(timeout=0.2))) as api:
        answer = HalfAsked(api).rest()
        assert answer.startswith(b"HTTP/1.1 503")
        assert b"took longer than 0.2 seconds" in answer


def test_a_mistake_of_ours_is_told_and_logged_without_what_it_was_about(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(self: Answers, *_: object) -> None:
        raise RuntimeError("grandmother's secret recipe")

    monkeypatch.setattr(Answers, "suggest", fail)
    with caplog.at_level(logging.INFO, "swapchef.web"), run(Settings()) as api:
        answer = api.post("/suggest", {"ingredients": ["butter"]})
    assert answer.status == 500
    assert "went wrong in swapchef" in answer.problem()
    lines = [JsonLines().format(record) for record in caplog.records]
    assert not any("secret" in line for line in lines)
    failed = next(json.loads(line) for line in lines if "failed" in line)
    assert failed["error"] == "RuntimeError"
    assert failed["at"][-1].endswith(" fail")


def test_the_log_has_a_line_for_each_request_and_nothing_that_was_asked(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "swapchef.web"), run(Settings()) as api:
        api.post("/recipes/parse", {"text": "Aunt Zelda's tart\n\n2 zeldaberries\n1 cup sugar\n"})
        api.get("/api/v1/ingredients?q=zeldaberry")
        api.get("/zeldaberry")
    lines = [JsonLines().format(record) for record in caplog.records if record.name == "swapchef.web"]
    assert not any("zelda" in line.lower() for line in lines)
    records = [json.loads(line) for line in lines]
    assert [(record["method"], record["route"], record["status"]) for record in records] == [
        ("POST", "/api/v1/recipes/parse", 200),
        ("GET", "/api/v1/ingredients", 200),
        ("GET", "other", 404),
    ]
    assert all({"time", "level", "process", "ms", "bytes"} <= set(record) for record in records)


@pytest.mark.parametrize("path", ["/", "/docs", "/api/v1/health", "/api/v1/nothing", "/openapi.json"])
def test_every_answer_has_the_security_headers_and_no_cookie(api: Api, path: str) -> None:
    headers = api.get(path).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in headers
    assert "server" not in headers or "swapchef" not in headers["server"]


def test_what_the_api_answers_is_not_kept_by_caches(api: Api) -> None:
    assert api.get("/api/v1/diets").headers["cache-control"] == "no-store"
    assert api.get("/").headers["cache-control"] == "no-cache"


def test_pages_elsewhere_may_call_the_api_only_where_they_are_named(api: Api, run: Run) -> None:
    ours = "https://recipes.example"
    assert "access-control-allow-origin" not in api.get("/api/v1/diets", Origin=ours).headers
    with run(Settings(cors=(ours,))) as open_api:
        assert open_api.get("/api/v1/diets", Origin=ours).headers["access-control-allow-origin"] == ours
        assert "access-control-allow-origin" not in open_api.get("/api/v1/diets", Origin="https://x.example").headers
        asked = {"Origin": ours, "Access_Control_Request_Method": "POST"}
        preflight = open_api.send("OPTIONS", "/api/v1/suggest", Access_Control_Request_Headers="content-type", **asked)
        assert preflight.headers["access-control-allow-origin"] == ours


@pytest.mark.parametrize(
    ("host", "is_known"),
    [
        ("localhost:8000", True),
        ("127.0.0.1", True),
        ("[::1]:8000", True),
        ("LOCALHOST", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("", False),
        ("[::1", False),
    ],
)
def test_a_name_that_was_bound_to_this_machine_elsewhere_is_refused(run: Run, host: str, is_known: bool) -> None:
    with run(Settings(RequestLimits(hosts=("localhost", "127.0.0.1", "::1")))) as api:
        answer = api.get("/api/v1/diets", Host=host)
        assert answer.status == (200 if is_known else 421)
        if not is_known:
            assert "does not go by that name" in answer.problem()


def chunked(data: bytes, times: int) -> bytes:
    return (f"{len(data):x}\r\n".encode() + data + b"\r\n") * times + b"0\r\n\r\n"


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_of_50_mb_is_refused_whether_or_not_it_says_so(run: Run, declared: bool) -> None:
    with run(Settings()) as api, socket.create_connection(("127.0.0.1", api.port), timeout=30) as client:
        length = "Content-Length: 52428800" if declared else "Transfer-Encoding: chunked"
        head = f"POST /api/v1/recipes/parse HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n{length}\r\n\r\n"
        client.sendall(head.encode())
        client.sendall(bytes(50 << 20) if declared else chunked(bytes(1 << 20), 50))
        answer = client.recv(1 << 16)
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"far larger than a recipe" in answer


def test_limits_hold_for_each_worker_and_come_from_the_settings(run: Run, pancakes: dict[str, Any]) -> None:
    with run(Settings(RequestLimits(max_body=100))) as api:
        assert api.post("/check", {"recipe": pancakes, "wishes": {}}).status == 413
        assert api.post("/suggest", {"ingredients": ["butter"]}).status == 200
