"""The page for everybody: keyboard alone, a screen reader, a phone, dark mode, less motion."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Opener, read, swap

BUTTERMILK = "2 cups buttermilk"


def assert_no_serious_violation(page: Page) -> None:
    violations = Axe().run(page).response["violations"]
    assert [
        (each["id"], [node["html"] for node in each["nodes"]])
        for each in violations
        if each["impact"] in {"serious", "critical"}
    ] == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_axe_finds_nothing_serious(open_page: Opener, scheme: str, width: int) -> None:
    page = open_page(color_scheme=scheme, width=width)
    page.get_by_text("Diet, allergies, cupboard").click()
    assert_no_serious_violation(page)
    read(page)
    swap(page, BUTTERMILK, "yogurt")
    page.get_by_text("Vegan", exact=True).click()
    page.locator(".warning").first.wait_for()
    page.get_by_role("button", name="2 eggs", exact=True).click()
    page.locator(".suggestion").first.wait_for()
    assert_no_serious_violation(page)


def press_until(page: Page, key: str, name: str) -> None:
    """Press a key until what has the focus has a name."""
    for _ in range(60):
        page.keyboard.press(key)
        if page.evaluate("(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()") == name:
            return
    raise AssertionError(f"{key} never led to {name!r}")


def has_focus_ring(page: Page) -> bool:
    return bool(page.evaluate("getComputedStyle(document.activeElement).outlineStyle !== 'none'"))


def test_a_swap_by_keyboard_alone(page: Page) -> None:
    page.get_by_role("button", name="Buttermilk pancakes").wait_for()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    press_until(page, "Tab", "Buttermilk pancakes")
    assert has_focus_ring(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Buttermilk pancakes")).to_be_focused()

    press_until(page, "Tab", BUTTERMILK)
    assert has_focus_ring(page)
    page.keyboard.press("Enter")
    page.locator(".suggestion").first.wait_for()
    press_until(page, "Tab", "Close")
    page.keyboard.press("Escape")
    expect(page.locator(".swaps")).to_have_count(0)
    expect(page.get_by_role("button", name=BUTTERMILK)).to_be_focused()

    page.keyboard.press("Space")
    page.locator(".suggestion").first.wait_for()
    press_until(page, "Tab", "Use this yogurt")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="1 1/2 cups yogurt")).to_be_focused()
    press_until(page, "Tab", "Download")
    with page.expect_download():
        page.keyboard.press("Enter")
    press_until(page, "Shift+Tab", "Undo")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=BUTTERMILK)).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_wishes_close_with_escape_and_give_the_focus_back(page: Page) -> None:
    page.get_by_text("Diet, allergies, cupboard").click()
    page.get_by_role("checkbox", name="Vegan").focus()
    page.keyboard.press("Space")
    expect(page.locator("#wishes-summary")).to_have_text("Vegan")
    page.keyboard.press("Escape")
    expect(page.get_by_role("checkbox", name="Vegan")).to_be_hidden()
    expect(page.locator("#wishes summary")).to_be_focused()


def test_a_screen_reader_hears_what_happens(page: Page) -> None:
    status = page.locator("#announcer")
    expect(status).to_have_attribute("aria-live", "polite")
    read(page)
    line = page.get_by_role("button", name=BUTTERMILK)
    expect(line).to_have_attribute("aria-expanded", "false")
    line.click()
    expect(status).to_have_text(re.compile(r"\d+ swaps for buttermilk\."))
    expect(line).to_have_attribute("aria-expanded", "true")
    page.get_by_role("button", name="Use this yogurt", exact=True).click()
    expect(status).to_have_text("yogurt instead of buttermilk.")
    page.get_by_role("button", name="Undo").click()
    expect(status).to_have_text("Undone: buttermilk again.")
    for landmark in ("banner", "main", "contentinfo", "article"):
        expect(page.get_by_role(landmark).first).to_be_attached()


@pytest.mark.parametrize("width", [320, 360])
def test_a_phone_never_scrolls_sideways(open_page: Opener, width: int) -> None:
    page = open_page(width=width, has_touch=True, is_mobile=True)

    def outside() -> list[str]:
        """Return what reaches over an edge of the screen."""
        script = """width => [...document.querySelectorAll("body :not(.visually-hidden)")].filter(each => {
            const { left, right } = each.getBoundingClientRect();
            return left < 0 || right > width || document.documentElement.scrollWidth > width;
        }).map(each => each.outerHTML)"""
        return list(page.evaluate(script, width))

    page.get_by_text("Diet, allergies, cupboard").tap()
    page.get_by_text("Vegan", exact=True).tap()
    assert outside() == []
    read(
        page, "Supercalifragilisticexpialidocious-with-no-space-in-it cakes\n\nIngredients\n2 cups buttermilk\n2 eggs\n"
    )
    page.get_by_role("button", name=BUTTERMILK).tap()
    page.locator(".suggestion").first.wait_for()
    assert outside() == []
    page.locator(".suggestion button").first.tap()
    page.get_by_role("list", name="Swaps made").wait_for()
    assert outside() == []


def test_what_can_be_tapped_is_as_large_as_a_thumb(open_page: Opener) -> None:
    page = open_page(width=360, has_touch=True, is_mobile=True)
    read(page)
    page.get_by_role("button", name=BUTTERMILK).tap()
    page.locator(".suggestion").first.wait_for()
    for button in page.locator("#recipe button").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44


def test_motion_stops_for_who_asks_for_it(open_page: Opener) -> None:
    page = open_page()
    read(page)
    page.route("**/suggest", lambda route: None)
    page.get_by_role("button", name=BUTTERMILK).click()
    animation = "getComputedStyle(document.querySelector('.bar')).animationName"
    page.locator(".bar").first.wait_for()
    assert page.evaluate(animation) == "none"
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(animation) == "breathe"
