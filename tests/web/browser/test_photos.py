"""The page's photo tab, with a fake cook who sees the same in every photo: choose, look, correct, swap, read."""

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, Request, Route, expect

from swapchef.web.app import Settings
from swapchef.web.photos import PhotoSource
from tests.web.browser.conftest import Opener, read
from tests.web.browser.test_access import assert_no_serious_violation, has_focus_ring, press_until
from tests.web.browser.test_screenshots import take
from tests.web.conftest import Run
from tests.web.fake_cook import DARK, photo

SWAP = "Swap beer"


@pytest.fixture(scope="module")
def photo_server(run: Run) -> Iterator[str]:
    with run(Settings()) as api:
        yield f"http://127.0.0.1:{api.port}/"


@pytest.fixture
def page(open_page: Opener, photo_server: str) -> Page:
    """The page with its photo tab open."""
    return at_photo_tab(open_page(photo_server))


def at_photo_tab(page: Page) -> Page:
    page.get_by_role("tab", name="From a photo").click()
    return page


def choose(page: Page, **picture: Any) -> None:
    file = {"name": "soup.jpg", "mimeType": "image/jpeg", "buffer": photo(**picture)}
    page.get_by_label("choose or take a photo").set_input_files(file)
    page.get_by_role("img", name="The photo that you chose: soup.jpg").wait_for()


def cook(page: Page, **picture: Any) -> None:
    """Choose a photo and cook from it."""
    choose(page, **picture)
    page.get_by_role("button", name="Cook from this photo").click()
    page.get_by_role("heading", name="Seen in the photo").wait_for()


def use(page: Page, target: str) -> None:
    """Take a swap from the open panel, and wait until both recipes are there."""
    page.get_by_role("button", name=f"Use this {target}", exact=True).click()
    expect(page.get_by_role("heading", name="Both recipes")).to_be_focused()


def first_offered(page: Page) -> str:
    page.locator(".swaps .suggestion").first.wait_for()
    return page.locator(".suggestion .primary").first.inner_text().removeprefix("Use this").strip()


def note_what_is_sent(page: Page) -> None:
    """Let the page keep each photo that it sends, for Chromium does not show bodies that are files."""
    page.evaluate("""() => {
        const { fetch } = window;
        window.fetch = (address, options) => {
            if (address.includes("cook?")) window.sent = options.body;
            return fetch(address, options);
        };
    }""")


def sent(page: Page) -> bytes:
    """Return the photo that was sent."""
    return bytes(page.evaluate("async () => Array.from(new Uint8Array(await window.sent.arrayBuffer()))"))


def asked_of(request: Request) -> str:
    return request.url.partition("?")[2]


def test_a_photo_is_cooked_swapped_and_compared(page: Page) -> None:
    cook(page)
    chips = page.get_by_role("list", name="Seen in the photo").get_by_role("listitem")
    expect(chips).to_have_count(4)
    assert [chip.locator("small").inner_text() for chip in chips.all()] == [
        "almost sure, 93%",
        "likely, 61%",
        "perhaps, 34%",
        "a guess, 12%",
    ]
    expect(page.get_by_role("heading", name="Beer soup")).to_have_count(1)

    page.get_by_role("button", name=SWAP, exact=True).click()
    target = first_offered(page)
    use(page, target)
    expect(page.get_by_role("region", name="As in the photo: Beer soup")).to_contain_text(
        "beer"
    )  # which is against no wishes
    expect(page.get_by_role("region", name=re.compile(f"^With {target}: "))).to_contain_text(target)
    assert "beer" in page.locator(".diff del").all_inner_texts()[0].lower()
    assert target in " ".join(page.locator(".diff ins").all_inner_texts()).lower()
    expect(page.locator("[data-food=beer] ins")).to_have_text(target)
    expect(page.get_by_role("button", name="Cook again")).to_be_hidden()

    page.get_by_role("button", name="Undo the swap of beer").click()
    page.get_by_role("button", name="Cook again").click()
    expect(page.get_by_role("heading", name="Recipe", exact=True)).to_be_focused()
    expect(page.locator(".diff")).to_have_count(0)


def test_nothing_is_sent_before_the_cook_says_so_and_then_a_small_copy(page: Page) -> None:
    note_what_is_sent(page)
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request) if "/cook" in request.url else None)
    expect(page.get_by_role("button", name="Cook from this photo")).to_be_disabled()
    choose(page, width=3200, height=2000)
    assert requests == []
    page.get_by_role("button", name="Cook from this photo").click()
    page.get_by_role("heading", name="Seen in the photo").wait_for()
    assert len(requests) == 1
    with Image.open(io.BytesIO(sent(page))) as picture:
        assert (picture.format, picture.size) == ("JPEG", (1600, 1000))


def test_a_small_photo_keeps_its_size_and_loses_what_the_camera_noted(page: Page) -> None:
    note_what_is_sent(page)
    file, notes = io.BytesIO(), Image.Exif()
    notes[0x0112] = 6  # held upright
    notes[0x010E] = "grandmother's kitchen"
    Image.new("RGB", (300, 200), "orange").save(file, "JPEG", exif=notes)
    assert b"grandmother" in file.getvalue()
    chosen = {"name": "soup.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()}
    page.get_by_label("choose or take a photo").set_input_files(chosen)
    page.get_by_role("button", name="Cook from this photo").click()
    page.get_by_role("heading", name="Seen in the photo").wait_for()
    assert b"grandmother" not in sent(page)
    with Image.open(io.BytesIO(sent(page))) as picture:
        assert picture.size == (200, 300)


def test_what_was_seen_is_corrected_and_cooked_again(page: Page) -> None:
    cook(page)
    page.get_by_role("button", name="Remove onion").click()
    expect(page.locator("[data-food=onion]")).to_contain_text("removed")
    expect(page.get_by_role("button", name="Put back onion")).to_be_focused()
    page.get_by_label("Add what was not seen").first.fill("tomatoes")
    page.get_by_label("Add what was not seen").first.press("Enter")
    expect(page.locator("[data-food=tomatoes]")).to_contain_text("added by you")
    with page.expect_request("**/cook?*") as asked:
        page.get_by_role("button", name="Cook again").click()
    assert asked_of(asked.value) == "add=tomatoes&remove=onion"
    expect(page.get_by_role("heading", name="Recipe", exact=True)).to_be_focused()
    expect(page.locator(".dish-lines li")).to_have_text(["beer", "cheddar cheese", "butter", "tomato"])
    expect(page.locator("[data-food=tomato]")).to_contain_text("added by you")  # by the name that the server knows
    expect(page.get_by_role("button", name="Cook again")).to_be_hidden()

    page.get_by_role("button", name="Remove tomato").click()
    expect(page.locator("[data-food=tomato]")).to_have_count(0)
    page.get_by_role("button", name="Put back onion").click()
    with page.expect_request("**/cook?*") as asked:
        page.get_by_role("button", name="Cook again").click()
    assert asked_of(asked.value) == ""


def test_a_word_that_nobody_knows_is_not_added(open_page: Opener, photo_server: str) -> None:
    page = at_photo_tab(open_page(photo_server, excuse="Failed to load resource"))
    cook(page)
    page.get_by_label("Add what was not seen").first.fill("qwzrtx")
    page.get_by_label("Add what was not seen").first.press("Enter")
    expect(page.locator(".adding").get_by_role("alert")).to_contain_text("qwzrtx")
    expect(page.locator(".seen-chip")).to_have_count(4)


def test_a_diet_swaps_and_its_warning_stands_first(page: Page) -> None:
    page.get_by_text("Diet, allergies, cupboard").click()
    page.get_by_text("Vegan", exact=True).click()
    cook(page)
    expect(page.locator("#dish > .banner")).to_contain_text("do not rely on it for allergies")
    for food in ("cheddar cheese", "butter"):
        expect(page.locator(f"[data-food='{food}'] ins")).to_have_count(1)
    expect(page.locator("[data-food=onion] ins")).to_have_count(0)
    expect(page.locator(".eyebrow").first).to_have_text("As in the photo, not kept to your wishes")
    page.locator("#diets").get_by_text("Vegan", exact=True).click()
    page.get_by_role("button", name="Cook again").click()
    expect(page.locator("#dish .banner")).to_have_count(0)
    expect(page.locator(".dish-recipe")).to_have_count(1)


def test_a_swap_of_ones_own_keeps_those_of_a_diet(page: Page) -> None:
    page.get_by_text("Diet, allergies, cupboard").click()
    page.get_by_text("Vegan", exact=True).click()
    cook(page)
    cheese = page.locator("[data-food='cheddar cheese'] ins").inner_text()
    page.get_by_role("button", name="Swap onion").click()
    use(page, first_offered(page))
    for food in ("onion", "cheddar cheese", "butter"):
        expect(page.locator(f"[data-food='{food}'] ins")).to_have_count(1)
    assert page.locator("[data-food='cheddar cheese'] ins").inner_text() == cheese
    expect(page.locator(".dish-lines").last.locator("li", has_text="cheddar")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo the swap of onion")).to_be_visible()
    expect(page.get_by_role("button", name="Undo the swap of butter")).to_have_count(0)


def test_a_recipe_from_the_collection_is_said_to_be_one(page: Page) -> None:
    cook(page, colour=DARK)
    expect(page.locator(".dish-recipe .banner")).to_have_text(
        "This is the nearest recipe of our own collection; what was written for the photo is no use: "
        "it repeats itself, it names no step."
    )


def test_a_recipe_of_a_photo_is_gone_on_with_like_any_other(page: Page) -> None:
    cook(page)
    page.get_by_role("button", name="Go on with this recipe").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Beer soup")
    expect(page.locator(".line-button")).to_have_count(4)
    expect(page.locator("#dish")).to_be_hidden()
    page.get_by_role("button", name="Another recipe").click()
    expect(page.get_by_role("tab", name="From a photo")).to_be_focused()
    expect(page.get_by_role("heading", name="Seen in the photo")).to_be_visible()
    page.get_by_role("tab", name="From a recipe").click()
    expect(page.locator("#dish")).to_be_hidden()
    read(page)


def test_by_keyboard_alone(open_page: Opener, photo_server: str) -> None:
    page = open_page(photo_server)
    file = {"name": "soup.png", "mimeType": "image/png", "buffer": photo(format="PNG")}
    page.on("filechooser", lambda chooser: chooser.set_files(file))
    page.get_by_role("button", name="Buttermilk pancakes").wait_for()
    press_until(page, "Tab", "From a recipe")
    assert has_focus_ring(page)
    page.keyboard.press("ArrowRight")
    tab = page.get_by_role("tab", name="From a photo")
    expect(tab).to_be_focused()
    expect(tab).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel", name="From a photo")).to_be_visible()
    expect(page.get_by_role("tabpanel", name="From a recipe")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="From a recipe")).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    expect(page.get_by_label("choose or take a photo")).to_be_focused()
    page.keyboard.press("Space")
    page.get_by_role("img", name="The photo that you chose: soup.png").wait_for()
    press_until(page, "Tab", "Cook from this photo")
    assert has_focus_ring(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Seen in the photo")).to_be_focused()
    expect(page.locator("#announcer")).to_have_text("4 ingredients seen.")

    press_until(page, "Tab", SWAP)
    page.keyboard.press("Enter")
    target = first_offered(page)
    page.keyboard.press("Escape")
    expect(page.locator(".swaps")).to_have_count(0)
    expect(page.get_by_role("button", name=SWAP, exact=True)).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name=SWAP, exact=True)).to_have_attribute("aria-expanded", "true")
    first_offered(page)
    press_until(page, "Tab", f"Use this {target}")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Both recipes")).to_be_focused()
    expect(page.locator("#announcer")).to_have_text(f"{target} instead of beer.")


def test_a_dropped_photo_is_shown(page: Page) -> None:
    script = """bytes => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], "soup.jpg", { type: "image/jpeg" }));
        return transfer;
    }"""
    transfer = page.evaluate_handle(script, list(photo()))
    page.dispatch_event("body", "dragover", {"dataTransfer": transfer})
    expect(page.get_by_text("Drop the photo here")).to_be_visible()
    page.dispatch_event("body", "drop", {"dataTransfer": transfer})
    expect(page.get_by_role("img", name="The photo that you chose: soup.jpg")).to_be_visible()
    expect(page.get_by_text("Drop the photo here")).to_be_hidden()


def test_a_file_that_is_no_photo_is_refused_here(page: Page) -> None:
    choose(page)
    file = {"name": "soup.txt", "mimeType": "text/plain", "buffer": b"2 eggs"}
    page.get_by_label("choose or take a photo").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("This file is no photo")
    expect(page.get_by_role("button", name="Cook from this photo")).to_be_disabled()
    expect(page.locator("#photo-preview")).to_be_hidden()


def test_a_photo_that_the_browser_cannot_read_is_left_to_the_server(open_page: Opener, photo_server: str) -> None:
    page = at_photo_tab(open_page(photo_server, excuse="Failed to load resource"))
    file = {"name": "soup.heic", "mimeType": "image/heic", "buffer": b"\0\0\0 ftypheic" + bytes(500)}
    page.get_by_label("choose or take a photo").set_input_files(file)
    expect(page.get_by_text("This browser cannot show this photo")).to_be_visible()
    page.get_by_role("button", name="Cook from this photo").click()
    expect(page.locator("#photo-state").get_by_role("alert")).to_contain_text("JPEG, PNG, WebP, GIF, BMP and TIFF can")
    expect(page.get_by_role("button", name="Cook from this photo")).to_be_enabled()


def test_a_server_that_goes_down_loses_nothing(open_page: Opener, photo_server: str) -> None:
    page = at_photo_tab(open_page(photo_server, excuse="Failed to load resource"))
    page.route("**/cook?*", lambda route: route.abort())
    choose(page)
    page.get_by_role("button", name="Cook from this photo").click()
    expect(page.locator("#photo-state").get_by_role("alert")).to_contain_text("swapchef does not answer.")
    page.unroute("**/cook?*")
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("heading", name="Seen in the photo").wait_for()

    page.route("**/cook?*", lambda route: route.abort())
    page.get_by_role("button", name=SWAP, exact=True).click()
    target = first_offered(page)
    page.get_by_role("button", name=f"Use this {target}", exact=True).click()
    expect(page.locator(".again-state").get_by_role("alert")).to_contain_text("swapchef does not answer.")
    expect(page.locator("[data-food=beer] ins")).to_have_text(target)
    page.unroute("**/cook?*")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Both recipes")).to_be_focused()


def test_another_photo_drops_the_answer_to_the_one_before(page: Page) -> None:
    held: list[Route] = []
    page.route("**/cook?*", lambda route: held.append(route))
    choose(page)
    page.get_by_role("button", name="Cook from this photo").click()
    expect(page.get_by_text("Looking at the photo and writing its recipe…")).to_be_visible()
    choose(page, colour=DARK)
    expect(page.get_by_text("Looking at the photo")).to_be_hidden()
    page.unroute("**/cook?*")
    page.get_by_role("button", name="Cook from this photo").click()
    expect(page.locator(".dish-recipe .banner")).to_contain_text("our own collection")


def test_a_change_while_cooking_is_kept(page: Page) -> None:
    cook(page)
    held: list[Route] = []
    page.route("**/cook?*", lambda route: held.append(route))
    page.get_by_role("button", name="Remove onion").click()
    page.get_by_role("button", name="Cook again").click()
    expect(page.get_by_text("Cooking again…")).to_be_visible()
    page.get_by_role("button", name="Remove butter").click()
    held[0].continue_()
    expect(page.locator(".dish-lines li")).to_have_text(["beer", "cheddar cheese", "butter"])
    expect(page.locator("[data-food=butter]")).to_contain_text("removed")
    expect(page.get_by_role("button", name="Cook again")).to_be_enabled()


def test_a_server_that_cannot_read_photos_says_so_on_the_tab(open_page: Opener, run: Run) -> None:
    sentence = "This server cannot read photos; install swapchef[photo] and start it again."
    with run(Settings(), PhotoSource(why_unavailable=lambda: sentence)) as api:
        page = at_photo_tab(open_page(f"http://127.0.0.1:{api.port}/"))
        expect(page.get_by_text(sentence)).to_be_visible()
        expect(page.locator("#photo-form")).to_be_hidden()
        page.get_by_role("tab", name="From a recipe").click()
        read(page)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_axe_finds_nothing_serious(open_page: Opener, photo_server: str, scheme: str, width: int) -> None:
    page = at_photo_tab(open_page(photo_server, color_scheme=scheme, width=width))
    choose(page)
    assert_no_serious_violation(page)
    page.get_by_role("button", name="Cook from this photo").click()
    page.get_by_role("button", name="Remove onion").click()
    assert_no_serious_violation(page)
    page.get_by_role("button", name=SWAP, exact=True).click()
    use(page, first_offered(page))
    page.get_by_role("button", name="Swap butter").click()
    first_offered(page)
    assert_no_serious_violation(page)


def test_what_can_be_tapped_is_as_large_as_a_thumb(open_page: Opener, photo_server: str) -> None:
    page = at_photo_tab(open_page(photo_server, width=360, has_touch=True, is_mobile=True))
    cook(page)
    page.get_by_role("button", name="Remove onion").tap()
    for button in page.locator("#dish button:visible, [role=tab]").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_pictures_of_every_state(open_page: Opener, photo_server: str, width: int, scheme: str) -> None:
    page = at_photo_tab(open_page(photo_server, width=width, color_scheme=scheme))
    take(page, f"{width}-{scheme}-5-photo-start")
    page.get_by_text("Diet, allergies, cupboard").click()
    page.get_by_text("Vegan", exact=True).click()
    page.keyboard.press("Escape")
    choose(page, width=640, height=480, colour=DARK)
    take(page, f"{width}-{scheme}-6-photo-chosen")
    page.get_by_role("button", name="Cook from this photo").click()
    page.get_by_role("button", name="Remove onion").click()
    page.get_by_role("button", name=SWAP, exact=True).click()
    first_offered(page)
    take(page, f"{width}-{scheme}-7-photo-seen")
    use(page, first_offered(page))
    take(page, f"{width}-{scheme}-8-photo-swapped")
