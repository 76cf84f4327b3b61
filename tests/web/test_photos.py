"""Recipes from photos over HTTP: the cook's answer, refusals, one photo at a time, and servers without photos."""

import socket
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from swapchef.cooking import photo_bundle
from swapchef.cooking.images import photo_from_bytes
from swapchef.cooking.photo_bundle import PhotoBundle
from swapchef.cooking.pipeline import Cooked
from swapchef.errors import SwapchefError
from swapchef.substituter import Substituter, Wishes
from swapchef.web import photos
from swapchef.web.app import Settings
from swapchef.web.guards import RequestLimits
from swapchef.web.photos import PhotoSource
from swapchef.web.workers import MAX_PHOTOS
from tests.web.conftest import Answer, Api, Run
from tests.web.fake_cook import DARK, FAKE, FakeCook, photo

FIELDS = {
    "ingredients", "used", "swaps", "recipe", "recipe_keeps_to_wishes", "swapped_recipe", "diff", "collapsed",
    "collapses", "notes",
}  # fmt: skip


def cook(api: Api, body: bytes | None = None, kind: str = "image/jpeg", **asked: str | Sequence[str]) -> Answer:
    query = urlencode({name.removesuffix("_"): value for name, value in asked.items()}, doseq=True)
    return api.send("POST", f"/api/v1/cook?{query}", photo() if body is None else body, content_type=kind)


def test_a_photo_becomes_ingredients_and_a_recipe(api: Api) -> None:
    answer = cook(api)
    assert answer.status == 200
    assert set(answer.json) == FIELDS
    assert answer.json["ingredients"][0] == {"name": "beer", "confidence": 0.93}
    assert answer.json["used"] == answer.json["recipe"]["ingredients"] == ["beer", "cheddar cheese", "onion", "butter"]
    assert set(answer.json["recipe"]) == {"title", "ingredients", "steps", "text"}
    assert answer.json["swapped_recipe"] is None
    assert (answer.json["swaps"], answer.json["diff"], answer.json["notes"]) == ([], "", [])
    assert (answer.json["collapsed"], answer.json["collapses"]) == (False, {})


@pytest.mark.parametrize(
    ("kind", "format"),
    [
        ("image/jpeg", "JPEG"),
        ("image/png", "PNG"),
        ("IMAGE/WEBP", "WEBP"),
        ("image/gif", "GIF"),
        ("image/bmp", "BMP"),
        ("image/tiff; application=x", "TIFF"),
        ("application/octet-stream", "PNG"),
        ("image/jpeg", "PNG"),  # a file that goes by a wrong name is a photo all the same
    ],
)
def test_a_photo_may_be_of_any_common_format(api: Api, kind: str, format: str) -> None:
    assert cook(api, photo(format=format), kind).status == 200


def test_the_answer_is_that_of_the_cook(api: Api, substituter: Substituter) -> None:
    asked = {"swap": ["beer", "butter"], "with_": ["cider", "olive oil"], "add": "garlic", "remove": "onion"}
    expected = FakeCook(substituter).cook(
        photo_from_bytes(photo()), ["beer", "butter"], ["cider", "olive oil"], add=["garlic"], remove=["onion"]
    )
    answer = cook(api, **asked)
    assert answer.json == expected.as_json()
    assert answer.json["used"] == ["beer", "cheddar cheese", "butter", "garlic"]
    assert answer.json["swaps"][0] == {"source": "beer", "target": "cider"}
    assert "-beer" in answer.json["diff"].replace("- ", "-")


def test_a_diet_replaces_what_is_against_it_and_warns(api: Api, substituter: Substituter) -> None:
    answer = cook(api, diet=["vegan", "no_alcohol"], avoid="coconut")
    wishes = Wishes(diet=("vegan", "no_alcohol"), avoid=("coconut",))
    assert answer.json == FakeCook(substituter).cook(photo_from_bytes(photo()), wishes=wishes).as_json()
    assert {swap["source"] for swap in answer.json["swaps"]} == {"beer", "cheddar cheese", "butter"}
    assert "do not rely on it for allergies" in answer.json["notes"][0]


def test_a_recipe_from_the_collection_is_said_to_be_one(api: Api) -> None:
    answer = cook(api, photo(colour=DARK)).json
    assert answer["collapsed"] is True
    assert answer["collapses"] == {"recipe": ["it repeats itself", "it names no step"]}


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"", "is empty"),
        (b"2 cups flour", "is no photo that can be read"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is no photo that can be read"),
        (photo(400, 400)[:500], "is damaged or cut short"),
        (photo(8, 8), "has 8 x 8 pixels"),
        (photo(9000, 9000, format="PNG"), "more than can be read safely"),
    ],
)
def test_what_is_no_photo_is_refused_before_the_networks_are_loaded(run: Run, body: bytes, sentence: str) -> None:
    def load(_: Substituter) -> FakeCook:
        raise AssertionError("loaded")

    with run(Settings(), PhotoSource(load, lambda: "")) as api:
        answer = cook(api, body)
    assert answer.status == 422
    assert answer.json["type"] == "/docs#problem-photo"
    assert sentence in answer.problem()


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "image/svg+xml", "application/json", "multipart/form-data; boundary=x"]
)
def test_a_type_that_photos_do_not_come_in_is_refused(api: Api, kind: str) -> None:
    answer = cook(api, kind=kind)
    assert answer.status == 415
    assert answer.problem().startswith("Send a photo as JPEG")


@pytest.mark.parametrize("declared", [True, False])
def test_a_photo_that_is_too_large_is_refused_whether_or_not_it_says_so(run: Run, declared: bool) -> None:
    size, piece = 13 << 20, 1 << 16
    with run(Settings()) as api, socket.create_connection(("127.0.0.1", api.port), timeout=30) as client:
        length = f"Content-Length: {size}" if declared else "Transfer-Encoding: chunked"
        client.sendall(
            f"POST /api/v1/cook HTTP/1.1\r\nHost: x\r\nContent-Type: image/jpeg\r\n{length}\r\n\r\n".encode()
        )
        chunk = bytes(piece) if declared else f"{piece:x}\r\n".encode() + bytes(piece) + b"\r\n"
        client.sendall(chunk * (size // piece))
        answer = client.recv(1 << 16)
        while b"}" not in answer and (more := client.recv(1 << 16)):  # head and body may come apart
            answer += more
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"This photo is too large here (at most 12 MB); make it smaller." in answer


def test_a_photo_may_be_larger_than_a_recipe_and_only_here(run: Run) -> None:
    large = photo() + bytes(1 << 16)  # readers stop at the end of the picture
    with run(Settings(RequestLimits(max_body=1 << 15, max_photo=1 << 17))) as api:
        assert cook(api, large).status == 200
        assert cook(api, large * 2).status == 413
        parse = api.send("POST", "/api/v1/recipes/parse", large, content_type="application/octet-stream")
        assert "far larger than a recipe" in parse.problem()


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"sawp": "beer"}, "sawp: extra inputs are not permitted"),
        ({"swap": ""}, "swap.0: string should have at least 1 character"),
        ({"swap": ["beer"] * 13}, "swap: list should have at most 12 items"),
        ({"add": "x" * 201}, "add.0: string should have at most 200 characters"),
        ({"swap": ["beer", "onion"], "with_": "cider"}, "name one swap for each with"),
        ({"with_": "cider"}, "name one swap for each with"),
        ({"swap": "beeer"}, "I do not know the ingredient 'beeer'"),
        ({"add": "qwzrtx"}, "I do not know the ingredient 'qwzrtx'"),
        ({"remove": "qwzrtx"}, "I do not know the ingredient 'qwzrtx'"),
        ({"diet": "kosher"}, "kosher"),
    ],
)
def test_a_mistake_in_what_is_asked_is_told(api: Api, asked: dict[str, Any], sentence: str) -> None:
    answer = cook(api, **asked)
    assert answer.status == 422
    assert sentence.lower() in answer.problem().lower()


class SlowCook(FakeCook):
    """Waits until it may go on, and knows how many photos it was given at once."""

    def __init__(self, substituter: Substituter) -> None:
        super().__init__(substituter)
        self.begun, self.may_go_on = threading.Event(), threading.Event()
        self.given = self.most_at_once = self.at_once = 0

    def cook(self, *given: Any, **options: Any) -> Cooked:
        self.given += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.begun.set()
        self.may_go_on.wait(30)
        self.at_once -= 1
        return super().cook(*given, **options)


def in_threads(count: int, work: Callable[[], Answer]) -> tuple[list[threading.Thread], list[Answer]]:
    answers: list[Answer] = []
    threads = [threading.Thread(target=lambda: answers.append(work())) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads, answers


def test_one_photo_is_worked_on_at_a_time_and_too_many_are_told_to_come_back(
    run: Run, substituter: Substituter
) -> None:
    slow, loads = SlowCook(substituter), []

    def load(_: Substituter) -> SlowCook:
        loads.append(1)
        return slow

    with run(Settings(), PhotoSource(load, lambda: "")) as api:
        assert loads == []  # only who uses it pays
        # One more than may wait is refused at once, so it answers while the others still wait.
        threads, answers = in_threads(MAX_PHOTOS + 1, lambda: cook(api))
        while not answers:
            threads[0].join(0.05)
        assert answers[0].status == 503
        assert answers[0].headers["retry-after"] == "3"
        assert "try again in a few seconds" in answers[0].problem()
        assert slow.begun.wait(30)
        assert api.post("/suggest", {"ingredients": ["butter"]}).status == 200  # a photo holds up only photos
        slow.may_go_on.set()
        for thread in threads:
            thread.join()
    assert [answer.status for answer in answers[1:]] == [200] * MAX_PHOTOS
    assert (slow.most_at_once, len(loads)) == (1, 1)


def test_a_photo_that_takes_too_long_is_given_up_and_those_behind_it_are_not_begun(
    run: Run, substituter: Substituter
) -> None:
    slow = SlowCook(substituter)
    with run(Settings(RequestLimits(timeout=0.5)), PhotoSource(lambda _: slow, lambda: "")) as api:
        threads, answers = in_threads(2, lambda: cook(api))
        for thread in threads:
            thread.join()
        assert [answer.status for answer in answers] == [503, 503]
        assert answers[0].problem() == "This took longer than 0.5 seconds; try again in a moment."
        slow.may_go_on.set()
        assert cook(api).status == 200
    assert slow.given == 2


def test_networks_that_could_not_be_loaded_are_tried_again(run: Run) -> None:
    tries: list[int] = []

    def load(substituter: Substituter) -> FakeCook:
        tries.append(1)
        if len(tries) == 1:
            raise SwapchefError("The disk is asleep; try again.")
        return FakeCook(substituter)

    with run(Settings(), PhotoSource(load, lambda: "")) as api:
        assert cook(api).problem() == "The disk is asleep; try again."
        assert cook(api).status == 200


@pytest.mark.parametrize("package", ["onnxruntime", "PIL", "tokenizers"])
def test_a_server_without_the_extra_says_which_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setattr(photos, "find_spec", lambda name: None if name == package else sys)
    with run(Settings(), PhotoSource()) as api:
        answer = cook(api)
        assert answer.status == 404
        assert answer.problem() == "This server cannot read photos; install swapchef[photo] and start it again."
        assert api.get("/api/v1/settings").json["no_photos"] == answer.problem()
        assert api.post("/suggest", {"ingredients": ["butter"]}).status == 200


def test_a_server_without_the_networks_says_so(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(photos, "files", lambda _: tmp_path)
    with run(Settings(), PhotoSource()) as api:
        answer = cook(api)
        assert answer.status == 404
        assert "has no networks that read photos" in answer.problem()


def test_networks_are_looked_for_where_they_are_loaded_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in (photos, photo_bundle):
        monkeypatch.setattr(module, "files", lambda _: tmp_path)
    loaded: list[Path] = []
    monkeypatch.setattr(PhotoBundle, "__init__", lambda self, folder: loaded.append(folder))
    PhotoBundle.load()
    assert photos.why_unavailable()
    loaded[0].mkdir(parents=True)
    (loaded[0] / "manifest.json").touch()
    assert photos.why_unavailable() == ""


def test_the_preview_of_a_photo_is_all_that_the_content_policy_opens(run: Run) -> None:
    with run(Settings(), FAKE) as api:
        policy = api.get("/").headers["content-security-policy"]
    assert "img-src 'self' data: blob:;" in policy
    assert policy.count("blob:") == 1
