"""Screenshots of the page, in artifacts/screenshots; docs/images/page.png is a copy of page.png there."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.web.browser.conftest import Opener, swap

FOLDER = Path(__file__).parents[3] / "artifacts" / "screenshots"
LARGEST = 150_000  # bytes of the picture in the README


def take(page: Page, name: str) -> None:
    """Take a picture of the whole page, with what sticks to the window's edge at the end of it."""
    size = page.viewport_size
    assert size
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": size["width"], "height": height})
    page.screenshot(path=FOLDER / f"{name}.png")
    page.set_viewport_size(size)
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_pictures_of_every_state(open_page: Opener, width: int, scheme: str) -> None:
    page = open_page(width=width, color_scheme=scheme)
    page.get_by_role("button", name="Buttermilk pancakes").wait_for()
    take(page, f"{width}-{scheme}-1-start")
    page.get_by_role("button", name="Buttermilk pancakes").click()
    page.get_by_role("button", name="2 cups buttermilk").click()
    page.locator(".suggestion").first.wait_for()
    take(page, f"{width}-{scheme}-2-swaps")
    swap(page, "2 large eggs", "egg white")
    swap(page, "2 cups buttermilk", "yogurt")
    take(page, f"{width}-{scheme}-3-swapped")
    page.get_by_text("Diet, allergies, cupboard").click()
    page.get_by_text("Vegan", exact=True).click()
    page.locator(".warning").first.wait_for()
    take(page, f"{width}-{scheme}-4-diet")


def test_the_picture_of_the_readme_is_small(open_page: Opener) -> None:
    page = open_page(width=1000)
    page.set_viewport_size({"width": 1000, "height": 980})
    page.get_by_role("button", name="Buttermilk pancakes").click()
    swap(page, "2 cups buttermilk", "yogurt")
    page.get_by_role("button", name="2 large eggs").click()
    page.locator(".suggestion").first.wait_for()
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=FOLDER / "page.png")
    assert (FOLDER / "page.png").stat().st_size < LARGEST
