"""What the page does when things go wrong: it says so in a sentence, keeps what the cook typed, and offers a way on."""

from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.browser.conftest import PANCAKES, Opener, offered, read

BUSY = {"status": 503, "headers": {"Retry-After": "0"}, "content_type": "application/problem+json"}
SENTENCE = "swapchef is busy; try again in a moment."


@pytest.fixture
def troubled(open_page: Opener) -> Page:
    """The page, where Chromium may report requests that failed."""
    return open_page(excuse="Failed to load resource")


def failing(times: int) -> Iterator[bool]:
    return (number < times for number in count())


def test_a_text_without_a_recipe_is_explained_and_kept(troubled: Page) -> None:
    troubled.get_by_label("Paste a recipe").fill("{")
    troubled.get_by_role("button", name="Read the recipe").click()
    expect(troubled.get_by_role("alert")).to_be_visible()
    assert troubled.get_by_role("alert").inner_text().endswith(".")
    expect(troubled.get_by_label("Paste a recipe")).to_have_value("{")
    expect(troubled.get_by_role("button", name="Try again")).to_have_count(0)


def test_a_file_that_is_no_recipe_is_explained(troubled: Page) -> None:
    file = {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": bytes(range(256)) * 8}
    troubled.get_by_label("choose a file").set_input_files(file)
    expect(troubled.get_by_role("alert")).to_be_visible()


def test_a_server_that_is_down_at_the_start_can_be_tried_again(open_page: Opener, server: str) -> None:
    page = open_page("about:blank", excuse="Failed to load resource")
    page.route("**/api/**", lambda route: route.abort())
    page.goto(server)
    expect(page.get_by_role("alert")).to_contain_text("swapchef does not answer.")
    page.unroute("**/api/**")
    page.get_by_role("button", name="Try again").click()
    read(page)


def test_a_server_that_goes_down_loses_nothing(troubled: Page) -> None:
    read(troubled)
    troubled.route("**/api/**", lambda route: route.abort())
    troubled.get_by_role("button", name="2 cups buttermilk").click()
    expect(troubled.get_by_role("alert")).to_contain_text("swapchef does not answer.")
    troubled.unroute("**/api/**")
    troubled.get_by_role("button", name="Try again").click()
    assert "yogurt" in offered(troubled)

    troubled.route("**/swap", lambda route: route.abort())
    troubled.get_by_role("button", name="Use this yogurt", exact=True).click()
    expect(troubled.get_by_role("alert")).to_contain_text("swapchef does not answer.")
    troubled.unroute("**/swap")
    troubled.get_by_role("button", name="Try again").click()
    expect(troubled.get_by_role("list", name="Swaps made")).to_contain_text("yogurt")

    troubled.route("**/write", lambda route: route.abort())
    troubled.get_by_role("button", name="Download").click()
    expect(troubled.get_by_role("alert")).to_contain_text("swapchef does not answer.")


@pytest.mark.parametrize(("refusals", "gets_through"), [(2, True), (3, False)])
def test_a_busy_server_is_asked_again_twice(troubled: Page, refusals: int, gets_through: bool) -> None:
    is_busy = failing(refusals)

    def answer(route: Route) -> None:
        if next(is_busy):
            route.fulfill(**BUSY, json={"detail": SENTENCE})
        else:
            route.continue_()

    troubled.route("**/recipes/parse", answer)
    troubled.get_by_label("Paste a recipe").fill(PANCAKES)
    troubled.get_by_role("button", name="Read the recipe").click()
    if not gets_through:
        expect(troubled.get_by_role("alert")).to_contain_text(SENTENCE)
        troubled.get_by_role("button", name="Try again").click()
    expect(troubled.get_by_role("heading", name="Ingredients")).to_be_visible()


def test_waiting_is_shown(page: Page) -> None:
    read(page)
    held: list[Route] = []
    page.route("**/suggest", lambda route: held.append(route))
    page.get_by_role("button", name="2 cups buttermilk").click()
    expect(page.get_by_text("Looking for swaps…")).to_be_visible()
    expect(page.locator(".swaps-body")).to_have_attribute("aria-busy", "true")
    held[0].continue_()
    assert "yogurt" in offered(page)
    expect(page.locator(".swaps-body")).not_to_have_attribute("aria-busy", "true")


def test_two_taps_at_once_make_one_swap(page: Page) -> None:
    read(page)
    held: list[Route] = []
    page.route("**/swap", lambda route: held.append(route))
    page.get_by_role("button", name="2 cups buttermilk").click()
    for target in ("yogurt", "sour cream"):
        page.get_by_role("button", name=f"Use this {target}", exact=True).click()
    expect(page.get_by_role("button", name="Use this sour cream")).to_be_disabled()
    for route in held:
        with page.expect_response("**/swap"):
            route.continue_()
    expect(page.get_by_role("list", name="Swaps made").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_a_server_that_imports_nothing_hides_the_address(open_page: Opener, server: str) -> None:
    page = open_page("about:blank")
    page.route("**/settings", lambda route: route.fulfill(json={"feedback": False, "import": False}))
    page.goto(server)
    page.get_by_role("button", name="Buttermilk pancakes").click(trial=True)
    expect(page.get_by_label("address of a page")).to_be_hidden()
