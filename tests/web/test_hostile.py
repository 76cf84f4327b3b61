"""Bodies that no page would send: each is refused in one sentence or answered sanely, and the server goes on."""

import gzip
import io
import json
import socket
import tarfile
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest

from swapchef.web.app import Settings
from tests.web.conftest import Api, Run

EGGS = {"recipeIngredient": ["2 eggs", "1 cup milk"]}
JSON = "application/json"
BYTES = "application/octet-stream"


def nested(depth: int, opening: str, closing: str) -> bytes:
    return (opening * depth + closing * depth).encode()


def in_json(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


def recipe_with(**fields: Any) -> bytes:
    return in_json(recipe={**EGGS, **fields}, ingredients=["egg"])


def archive(name: str) -> bytes:
    """Return a zip file whose one member would be unpacked elsewhere."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr(name, "2 eggs\n" * 1000)
    return data.getvalue()


def tarball(name: str) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as file:
        member = tarfile.TarInfo(name)
        file.addfile(member, io.BytesIO())
    return data.getvalue()


CHOICE = in_json(recipe_ingredients=[], source="egg", target="tofu", accepted=True)
# (what it is, path, content type, body)
REFUSED = [
    ("nothing", "suggest", JSON, b""),
    ("no JSON", "suggest", JSON, b"eggs, please"),
    ("half JSON", "suggest", JSON, b'{"ingredients": ["egg"'),
    ("not UTF-8", "suggest", JSON, b'{"ingredients": ["\xff\xfe"]}'),
    ("UTF-7", "suggest", "application/json; charset=utf-7", b"+AHsAIg-"),
    ("a list", "suggest", JSON, b"[]"),
    ("a number", "suggest", JSON, b"1"),
    ("null", "suggest", JSON, b"null"),
    ("lists a million deep", "suggest", JSON, nested(1_000_000, "[", "]")),
    ("objects a million deep", "suggest", JSON, nested(600_000, '{"a":', "1}")[:3_000_000]),
    ("a recipe a million deep", "suggest", JSON, b'{"recipe":' + nested(1_000_000, "[", "]") + b"}"),
    ("a deep recipe", "suggest", JSON, recipe_with(steps=json.loads(nested(40, "[", "]")))),
    ("a pasted recipe a million deep", "recipes/parse", "text/plain", nested(1_000_000, "[", "]")),
    ("a number of 5,000 digits", "suggest", JSON, b'{"ingredients": ["egg"], "top": ' + b"9" * 5000 + b"}"),
    ("too many wanted", "suggest", JSON, b'{"ingredients": ["egg"], "top": 1000000}'),
    ("fewer than none wanted", "suggest", JSON, b'{"ingredients": ["egg"], "top": -1}'),
    ("an unknown field", "suggest", JSON, b'{"ingredients": ["egg"], "__proto__": {"admin": true}}'),
    ("a field twice removed", "suggest", JSON, b'{"ingredients": ["egg"], "wishes": {"admin": true}}'),
    ("text for a list", "suggest", JSON, b'{"ingredients": "egg"}'),
    ("text for a truth", "suggest", JSON, b'{"ingredients": ["egg"], "counterfactual": "yes"}'),
    ("no ingredient", "suggest", JSON, b'{"ingredients": []}'),
    ("an empty ingredient", "suggest", JSON, b'{"ingredients": [""]}'),
    ("too many ingredients", "suggest", JSON, in_json(ingredients=["egg"] * 13)),
    ("an ingredient of a megabyte", "suggest", JSON, in_json(ingredients=["e" * 10**6])),
    ("half a character", "suggest", JSON, b'{"ingredients": ["\\ud800"]}'),
    ("half a character in a recipe", "suggest", JSON, recipe_with(name="\ud800")),
    ("half a character in a key", "suggest", JSON, recipe_with(**{"\udfff": 1})),
    ("a zero byte", "suggest", JSON, b'{"ingredients": ["\\u0000"]}'),
    ("too many wishes", "suggest", JSON, in_json(ingredients=["egg"], wishes={"diet": ["vegan"] * 101})),
    ("a long text in a recipe", "suggest", JSON, recipe_with(description="x" * 20_001)),
    ("too many values", "suggest", JSON, recipe_with(keywords=["x"] * 5_001)),
    ("too many lines", "suggest", JSON, recipe_with(recipeIngredient=["2 eggs"] * 101)),
    ("too many steps", "suggest", JSON, recipe_with(recipeInstructions=["Stir."] * 201)),
    ("no recipe", "check", JSON, b'{"recipe": {"@type": "Person"}, "wishes": {"diet": ["vegan"]}}'),
    ("no lines", "check", JSON, b'{"recipe": {"@type": "Recipe"}, "wishes": {"diet": ["vegan"]}}'),
    ("no wishes", "check", JSON, in_json(recipe=EGGS, wishes={})),
    ("no format", "recipes/write", JSON, in_json(recipe=EGGS, format="../../etc/passwd")),
    ("a format that is only read", "recipes/write", JSON, in_json(recipe=EGGS, format="recipe1m")),
    ("text and address", "recipes/parse", JSON, b'{"text": "2 eggs", "url": "http://a.example/"}'),
    ("neither text nor address", "recipes/parse", JSON, b"{}"),
    ("a long address", "recipes/parse", JSON, in_json(url="http://a.example/" + "a" * 2000)),
    ("white space", "recipes/parse", "text/plain", b" \n\t " * 1000),
    ("noise", "recipes/parse", BYTES, bytes(range(256)) * 100),
    ("a zip file", "recipes/parse?filename=soup.zip", BYTES, archive("soup.md")),
    ("a zip file that climbs out", "recipes/parse?filename=../../soup.zip", BYTES, archive("../../../etc/cron.d/x")),
    ("a tar file that climbs out", "recipes/parse?filename=..%2F..%2Fsoup.tgz", BYTES, tarball("/etc/passwd")),
    ("a gzip file", "recipes/parse?filename=soup.md.gz", BYTES, gzip.compress(b"2 eggs\n" * 1000)),
    ("a PDF", "recipes/parse?filename=soup.pdf", BYTES, b"%PDF-1.7\n" + bytes(2000)),
    ("a form", "recipes/parse", "multipart/form-data; boundary=x", b"--x--"),
    ("an XML bomb", "recipes/parse", "application/xml", b'<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>'),
    ("no type", "recipes/parse", "", b"2 eggs"),
    ("a form from elsewhere", "feedback", "text/plain", CHOICE),
    ("50 MB", "recipes/parse", "text/plain", b"2 eggs\n" * (50 << 17)),
]  # fmt: skip


@pytest.mark.parametrize(("path", "kind", "body"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_hostile_body_is_refused_in_one_sentence(api: Api, path: str, kind: str, body: bytes) -> None:
    try:
        answer = api.send("POST", f"/api/v1/{path}", body, content_type=kind)
    except (BrokenPipeError, ConnectionResetError):
        pytest.fail("the server hung up without a word")
    assert answer.status in {400, 404, 413, 415, 422}
    answer.problem()


def test_the_table_is_long_enough() -> None:
    assert len(REFUSED) >= 50


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "<svg/onload=alert(1)>",
        "<a href='javascript:alert(1)'>Soup</a>",
        "</script><script>alert(1)</script>",
        "<!--<script>alert(1)</script>-->",
    ],
)
def test_markup_in_a_recipe_comes_out_as_text_without_it(api: Api, text: str) -> None:
    recipe = {"name": f"{text} Soup", "recipeIngredient": [f"2 eggs {text}", "1 cup milk"], "description": text}
    parsed = api.post("/recipes/parse", {"text": json.dumps(recipe)})
    swapped = api.post("/swap", {"recipe": recipe, "swaps": [{"ingredient": "milk", "with": "cream"}]})
    for answer in (parsed, swapped):
        assert answer.status == 200
        assert answer.headers["content-type"] == "application/json"
        assert "<" not in answer.body.decode()
    for format in ("jsonld", "markdown", "text", "mealie", "tandoor", "cooklang"):
        assert "<" not in api.post("/recipes/write", {"recipe": recipe, "format": format}).json["text"]


@pytest.mark.parametrize(
    "name", ["../../etc/passwd.md", "..\\..\\soup.md", "/etc/soup.md", "C:\\soup.md", "%00.md", "a" * 300]
)
def test_a_file_name_is_only_a_name(api: Api, name: str) -> None:
    from urllib.parse import quote

    answer = api.send(
        "POST", f"/api/v1/recipes/parse?filename={quote(name)}", b"2 eggs\n1 cup milk\n", content_type="text/plain"
    )
    assert answer.status == 200
    assert not {"/", "\\", "\x00"} & set(answer.json["recipe"]["name"])


@pytest.mark.parametrize(
    "path", ["/../../etc/passwd", "/..%2f..%2fpyproject.toml", "/%2e%2e/app.py", "//etc/passwd", "/app.py", "/\x00"]
)
def test_nothing_but_the_page_is_served(api: Api, path: str) -> None:
    with socket.create_connection(("127.0.0.1", api.port), timeout=30) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: client.recv(1 << 16), b""))
    assert answer.split(b" ", 2)[1] in {b"400", b"404"}
    assert b"import " not in answer


RAW = {
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "two lengths": b"POST /api/v1/suggest HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}   ",
    "length and chunks": b"POST /api/v1/suggest HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a length below nothing": b"POST /api/v1/suggest HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    "an endless header": b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    "a bad chunk": b"POST /api/v1/suggest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
}


@pytest.mark.parametrize("request_", RAW.values(), ids=RAW)
def test_what_is_no_proper_request_harms_nobody(api: Api, request_: bytes) -> None:
    with socket.create_connection(("127.0.0.1", api.port), timeout=30) as client:
        client.sendall(request_)
        client.shutdown(socket.SHUT_WR)
        try:
            answer = client.recv(1 << 16)
        except ConnectionResetError:
            answer = b""
    assert not answer or 200 <= int(answer.split(b" ", 2)[1]) < 500
    assert api.get("/health").status == 200


@pytest.fixture(scope="module")
def small(run: Run) -> Iterator[Api]:
    with run(Settings()) as api:
        yield api


def test_numbers_without_end_do_no_harm(small: Api) -> None:
    recipe = b'{"recipeIngredient": ["2 eggs", 1e999, -1e999, NaN], "prepTime": 1e999, "recipeYield": Infinity}'
    body = b'{"recipe": ' + recipe + b', "format": "jsonld"}'
    assert small.send("POST", "/api/v1/recipes/write", body, content_type="application/json").status in {200, 400, 422}
