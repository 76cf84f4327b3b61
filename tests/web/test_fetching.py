"""URL import: addresses inside our network are refused before a byte is sent; size, time and content are limited."""

import asyncio
import contextlib
import csv
import gzip
import http.server
import io
import ipaddress
import shutil
import socket
import ssl
import subprocess
import threading
import zlib
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from swapchef.errors import SwapchefError
from swapchef.recipes import read_recipe, write_recipe
from swapchef.web import fetching
from swapchef.web.app import Settings
from swapchef.web.fetching import FetchError, Page, Rules, fetch, is_public, parse_url
from tests.conftest import ROOT
from tests.web.conftest import Api, Run

PAGE = write_recipe(read_recipe(ROOT / "examples" / "pancakes.md"), "html").encode()
CASES = (Path(__file__).parent / "cases" / "hostile_urls.csv").read_text(encoding="utf-8")
HOSTILE = list(csv.DictReader(io.StringIO(CASES)))


class Site(http.server.BaseHTTPRequestHandler):
    """A site with every kind of trouble; remembers what it was asked."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["Host"]))  # type: ignore[attr-defined]
        path, _, query = self.path.partition("?")
        {
            "/recipe": lambda: self.answer(PAGE),
            "/gzip": lambda: self.answer(gzip.compress(PAGE), content_encoding="gzip"),
            "/chunked": self.chunked,
            "/to": lambda: self.answer(b"", 302, location=query),
            "/loop": lambda: self.answer(b"", 301, location="/loop"),
            "/nowhere": lambda: self.answer(b"", 302, location=""),
            "/bomb": lambda: self.answer(_bomb(), content_encoding="gzip"),
            "/bomb-in-bomb": lambda: self.answer(gzip.compress(_bomb()), content_encoding="gzip, gzip"),
            "/brotli": lambda: self.answer(b"x", content_encoding="br"),
            "/broken-gzip": lambda: self.answer(b"no gzip at all", content_encoding="gzip"),
            "/large": lambda: self.answer(b" " * (fetching.MAX_BYTES + 1)),
            "/says-large": lambda: self.head(200, content_length="99999999999", content_type="text/html"),
            "/endless": self.endless,
            "/endless-head": self.endless_head,
            "/informational": self.informational,
            "/json": lambda: self.answer(b"{}", content_type="application/json"),
            "/untyped": lambda: self.answer(PAGE, content_type=""),
            "/missing": lambda: self.answer(b"", 404),
            "/broken": lambda: self.answer(b"", 500),
            "/nonsense": lambda: self.wfile.write(b"\x00\xff nonsense\r\n\r\n"),
            "/cut": lambda: self.head(200, content_length="1000", content_type="text/html"),
            "/silent": lambda: self.server.done.wait(20),  # type: ignore[attr-defined]
            "/no-recipe": lambda: self.answer(b"<html><body>Nothing to eat</body></html>"),
            "/script": lambda: self.answer(
                PAGE.replace(b"Buttermilk", rb"\u003cscript>alert(1)\u003c/script>Buttermilk")
            ),
        }[path]()
        self.close_connection = True

    def answer(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.head(status, **{"content_type": "text/html; charset=utf-8", "content_length": str(len(body)), **headers})
        self.wfile.write(body)

    def head(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def chunked(self) -> None:
        self.head(200, content_type="text/html", transfer_encoding="chunked")
        for part in (PAGE[:100], PAGE[100:]):
            self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")

    def endless(self) -> None:
        self.head(200, content_type="text/html", transfer_encoding="chunked")
        with self.until_gone():
            while True:
                self.wfile.write(b"10000\r\n" + b" " * 65536 + b"\r\n")

    def endless_head(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        with self.until_gone():
            while True:
                self.wfile.write(b"X-More: " + b"x" * 1000 + b"\r\n")

    def informational(self) -> None:
        with self.until_gone():
            while True:
                self.wfile.write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100)

    @staticmethod
    def until_gone() -> "pytest.RaisesContext":  # type: ignore[name-defined]
        return pytest.raises(OSError)  # noqa: PT011 - the client hangs up, one way or another

    def log_message(self, *_: object) -> None:
        pass


def _bomb() -> bytes:
    """Return 20 KB that unpack to 20 MB."""
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(20)) + packer.flush()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.done = threading.Event()
        super().__init__(("127.0.0.1", 0), Site)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:  # a client that hangs up is what most of these tests are about
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with Server() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.done.set()
        server.shutdown()


def finished(coroutine: Coroutine[Any, Any, Page]) -> Page:
    """Run in a thread of its own: the browser tests leave an event loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def import_page(url: str, rules: Rules | None = None, **answers: Sequence[str]) -> Page:
    """Fetch a page where names have the addresses that are given, and no others."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        if host in answers:
            return answers[host]
        entries = socket.getaddrinfo(host, port, flags=socket.AI_NUMERICHOST)  # never asks a name server
        return [str(entry[4][0]) for entry in entries]

    return finished(fetch(url, rules or Rules(), resolve))


@pytest.fixture
def no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    async def connect(*_: object, **__: object) -> None:
        pytest.fail("a connection was made")

    monkeypatch.setattr(asyncio, "open_connection", connect)


@pytest.mark.usefixtures("no_connection")
@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case["why"])
def test_an_address_that_leads_inside_is_refused_before_anything_is_sent(case: dict[str, str]) -> None:
    host = ""
    with contextlib.suppress(FetchError):
        host = parse_url(case["url"]).host
    addresses = {host: case["resolves_to"].split()} if case["resolves_to"] else {}
    with pytest.raises(FetchError):
        import_page(case["url"], **addresses)


def test_the_table_is_long_enough() -> None:
    assert len({case["url"] for case in HOSTILE}) >= 60


@pytest.mark.parametrize(
    "url", [case["url"] for case in HOSTILE if not case["resolves_to"] and "nowhere" not in case["url"]]
)
def test_the_api_refuses_it_in_one_sentence(api: Api, url: str) -> None:
    answer = api.post("/recipes/parse", {"url": url})
    assert answer.status == 422
    answer.problem()


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:4700::1111", "64:ff9b::5db8:d70e"])
def test_a_public_address_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


def test_a_page_is_fetched_from_a_host_that_was_opened(site: Server) -> None:
    for path in ("/recipe", "/gzip", "/chunked", f"/to?http://{site.host}/recipe", "/to?/recipe"):
        page = import_page(f"http://{site.host}{path}", Rules(allow=(site.host,)))
        assert page.data == PAGE
        assert page.url.endswith(("/recipe", "/gzip", "/chunked"))


def test_a_host_is_opened_by_name_and_resolved_once_for_each_request(site: Server) -> None:
    port, asked = site.server_address[1], []

    async def rebinding(host: str, _: int) -> Sequence[str]:
        asked.append(host)
        assert len(asked) == 1, "a second answer could be another address"
        return ["127.0.0.1"]

    page = finished(fetch(f"http://kitchen.test:{port}/recipe", Rules(allow=("kitchen.test",)), rebinding))
    assert page.data == PAGE
    assert site.asked[-1] == ("/recipe", f"kitchen.test:{port}")  # asked by its name, reached by its address


def test_a_name_that_is_rebound_after_the_check_changes_nothing(monkeypatch: pytest.MonkeyPatch, site: Server) -> None:
    """The first answer is public, all later ones are this machine: the connection must go to the first."""
    answers = iter([["93.184.215.14"]])
    reached = []

    async def connect(host: str, port: int, **_: object) -> None:
        reached.append(host)
        raise OSError

    async def rebinding(host: str, _: int) -> Sequence[str]:
        return next(answers, ["127.0.0.1"])

    monkeypatch.setattr(asyncio, "open_connection", connect)
    with pytest.raises(FetchError, match="could not reach"):
        finished(fetch("http://rebinding.example/", Rules(), rebinding))
    assert reached == ["93.184.215.14"]


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:1/",
        "http://localhost:{other}/recipe",
        "http://[::ffff:127.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2130706433/",
        "//10.0.0.1/",
        "file:///etc/passwd",
        "gopher://127.0.0.1/",
    ],
)
def test_a_redirect_is_checked_like_a_first_address(site: Server, target: str) -> None:
    with Server() as other:
        url = f"http://{site.host}/to?{target.format(other=other.server_address[1])}"
        with pytest.raises(FetchError, match=r"not on the open web|Only addresses that start"):
            import_page(url, Rules(allow=(site.host,)), localhost=["127.0.0.1"])
        assert other.asked == []


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/loop", "leads on more than 5 times"),
        ("/bomb", "larger than 4 MB"),
        ("/bomb-in-bomb", "packs its page"),
        ("/brotli", "packs its page"),
        ("/broken-gzip", "could not reach"),
        ("/large", "larger than 4 MB"),
        ("/says-large", "larger than 4 MB"),
        ("/endless", "larger than 4 MB"),
        ("/endless-head", "could not reach"),
        ("/informational", "could not reach"),
        ("/json", "not a web page"),
        ("/untyped", "not a web page"),
        ("/missing", "answered 404"),
        ("/broken", "answered 500"),
        ("/nowhere", "answered 302"),
        ("/nonsense", "could not reach"),
        ("/cut", "could not reach"),
    ],
)
def test_a_page_that_is_no_page_is_refused_in_one_sentence(site: Server, path: str, sentence: str) -> None:
    with pytest.raises(FetchError, match=sentence):
        import_page(f"http://{site.host}{path}", Rules(allow=(site.host,)))


def test_a_site_that_never_answers_is_given_up(site: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "_TIMEOUT", 0.2)
    with pytest.raises(FetchError, match="took too long"):
        import_page(f"http://{site.host}/silent", Rules(allow=(site.host,)))


@pytest.mark.usefixtures("no_connection")
@pytest.mark.parametrize(
    ("allow", "deny"),
    [
        ("nas.home", "nas.home"),
        ("nas.home", "home"),
        ("nas.home:8080", "nas.home"),
        ("nas.home", "192.168.1.5"),
        ("nas.home:80", ""),  # another port was opened
        ("home", ""),  # a parent opens nothing
        ("192.168.1.5", ""),  # the address was opened, the name was not
    ],
)
def test_a_deny_wins_and_an_allow_opens_one_host_only(allow: str, deny: str) -> None:
    rules = Rules((allow,), (deny,) if deny else ())
    with pytest.raises(FetchError, match="not on the open web"):
        import_page("http://nas.home:8080/soup", rules, **{"nas.home": ["192.168.1.5"]})


@pytest.mark.usefixtures("no_connection")
@pytest.mark.parametrize(
    "address", ["169.254.169.254", "100.100.100.200", "fd00:ec2::254", "::ffff:169.254.169.254", "0.0.0.0"]
)
def test_where_clouds_keep_their_keys_stays_shut_even_for_a_host_that_was_opened(address: str) -> None:
    with pytest.raises(FetchError, match="not on the open web"):
        import_page("http://nas.home/", Rules(("nas.home",)), **{"nas.home": [address]})


@pytest.mark.parametrize("host", ["", "http://nas.home", "nas.home/soup", "a b", "user@nas.home", "nas.home:x", "[::1"])
def test_a_rule_that_names_no_host_is_refused(host: str) -> None:
    with pytest.raises(SwapchefError, match="is no host"):
        Rules((host,))


def test_import_through_the_api(run: Run, site: Server) -> None:
    with run(Settings(imports=Rules((site.host,)))) as api:
        answer = api.post("/recipes/parse", {"url": f"http://{site.host}/recipe"})
        assert answer.json["recipe"]["name"] == "Buttermilk pancakes"
        assert answer.json["recipe"]["url"] == f"http://{site.host}/recipe"
        assert "no recipe" in api.post("/recipes/parse", {"url": f"http://{site.host}/no-recipe"}).problem()
        assert "<" not in api.post("/recipes/parse", {"url": f"http://{site.host}/script"}).json["recipe"]["name"]


def test_import_can_be_turned_off(run: Run, site: Server) -> None:
    with run(Settings(imports=None)) as api:
        assert api.get("/api/v1/settings").json["import"] is False
        answer = api.post("/recipes/parse", {"url": f"http://{site.host}/recipe"})
        assert answer.status == 422
        assert "imports no addresses" in answer.problem()


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed, so no certificate can be made")
def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=nas.home", "-days", "1"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with Server() as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"https://nas.home:{server.server_address[1]}/recipe"
        with pytest.raises(FetchError, match="could not reach"):
            import_page(url, Rules(("nas.home",)), **{"nas.home": ["127.0.0.1"]})
        server.shutdown()
    assert server.asked == []
