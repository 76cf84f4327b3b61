"""A real server and a real browser for the page's tests; where there is no Chromium they skip and say so.

The server is `swapchef serve` in a process of its own on a free port, the browser Debian's. Every test gets a
fresh profile, and fails if the page wrote an error to the console.
"""

import json
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 15_000  # ms for anything to appear on a busy machine; what works takes far less
PANCAKES = """Buttermilk pancakes

Ingredients
2 cups all-purpose flour
2 cups buttermilk
2 eggs
1/4 cup butter, melted

Directions
1. Whisk the buttermilk with the eggs and the butter.
2. Pour the buttermilk mixture over the flour and stir.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM is None:
        skip = pytest.mark.skip(reason="no Chromium on this machine; apt-get install chromium")
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(skip)


@contextmanager
def serving(log: Path, *options: str) -> Iterator[str]:
    """Run `swapchef serve` and give its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).parent / "swapchef"), "serve", "--port", str(port), *options]
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out) as server:
        address = f"http://127.0.0.1:{port}/"
        try:
            wait_until(lambda: answers(address, server), log)
            yield address
        finally:
            server.terminate()


def answers(address: str, server: subprocess.Popen[bytes]) -> bool:
    assert server.poll() is None, "the server ended before it answered"
    try:
        with urlopen(f"{address}health", timeout=5) as response:
            return bool(response.status == 200)
    except (URLError, ConnectionError):
        return False


def wait_until(is_so: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline, f"the server did not answer within a minute:\n{log.read_text()}"
        time.sleep(0.05)


@pytest.fixture(scope="session")
def recipe_site() -> Iterator[str]:
    """A site on this machine with one recipe, and the address of its page."""
    recipe = {
        "@context": "https://schema.org",
        "@type": "Recipe",
        "name": "Buttermilk biscuits",
        "recipeIngredient": ["2 cups flour", "1 cup buttermilk", "1/2 cup butter"],
        "recipeInstructions": [{"@type": "HowToStep", "text": "Stir the buttermilk into the flour and butter."}],
    }
    body = f'<html><head><script type="application/ld+json">{json.dumps(recipe)}</script></head></html>'.encode()

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_address[1]}/biscuits"
        site.shutdown()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, recipe_site: str) -> Iterator[str]:
    """The address of a server that may import from this machine, and from nowhere else on it."""
    with serving(tmp_path_factory.mktemp("server") / "log", "--allow-host", recipe_site.split("/")[2]) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM)
        yield chromium
        chromium.close()


Opener = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, server: str) -> Iterator[Opener]:
    """Open the page in a new profile; fails in the end if any page wrote an error to its console.

    `excuse` is the beginning of messages that a test provokes: Chromium itself reports every answer that is an error.
    """
    contexts, errors = [], []

    def open_it(address: str = server, excuse: str = "-", width: int = 1280, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on(
            "console", lambda m: errors.append(m.text) if m.type == "error" and not m.text.startswith(excuse) else None
        )
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def page(open_page: Opener) -> Page:
    return open_page()


def read(page: Page, text: str = PANCAKES) -> None:
    """Paste a recipe and wait until it is on the table."""
    page.get_by_label("Paste a recipe").fill(text)
    page.get_by_role("button", name="Read the recipe").click()
    page.get_by_role("heading", name="Ingredients").wait_for()


def swap(page: Page, line: str, target: str) -> None:
    """Take a swap for an ingredient line and wait until the recipe is rewritten."""
    page.get_by_role("button", name=line, exact=True).click()
    page.get_by_role("button", name=f"Use this {target}", exact=True).click()
    page.get_by_role("list", name="Swaps made").get_by_text(target, exact=True).wait_for()


def offered(page: Page) -> list[str]:
    """Return what the open panel offers, the best first."""
    page.locator(".swaps .suggestion").first.wait_for()
    return [text.removeprefix("Use this ") for text in page.locator(".suggestion .primary").all_text_contents()]
