"""A cook at the page: a recipe comes in, swaps are found under wishes and taken, the recipe goes out again."""

import json
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import PANCAKES, Opener, offered, read, serving, swap

BUTTERMILK = "2 cups buttermilk"


def words(page: Page, selector: str) -> list[str]:
    """Return the texts of what is on the page, without what only a screen reader hears."""
    script = """all => all.map(
      e => [...e.childNodes].filter(c => c.className !== 'visually-hidden').map(c => c.textContent).join('')
    )"""
    return list(page.locator(selector).evaluate_all(script))


def test_a_pasted_recipe_is_swapped_rewritten_and_downloaded(page: Page) -> None:
    read(page)
    page.get_by_role("button", name=BUTTERMILK).click()
    card = page.locator(".suggestion").filter(has=page.get_by_role("heading", name=re.compile("^Yogurt")))
    expect(card).to_contain_text("use 1 1/2 cups")
    expect(card).to_contain_text(re.compile(r"\d+% chance · \d+ cooks made this swap"))
    expect(card.get_by_role("list", name="Diets and allergens")).to_contain_text("has or may have milk")
    card.get_by_role("button", name="Use this yogurt").click()

    expect(page.get_by_role("list", name="Swaps made")).to_contain_text("yogurt")
    assert words(page, "h1 del") == ["Buttermilk"]
    assert words(page, "h1 ins") == ["Yogurt"]
    assert words(page, ".ingredients del") == [BUTTERMILK]
    assert words(page, ".ingredients ins") == ["1 1/2 cups yogurt"]
    assert words(page, "[data-step='1'] del") == ["buttermilk"]
    assert words(page, "[data-step='1'] ins") == ["yogurt"]
    expect(page.get_by_role("button", name="1 1/2 cups yogurt")).to_be_focused()

    texts = {}
    for name in ("JSON-LD", "Markdown", "Cooklang", "Mealie"):
        page.get_by_label("File format").select_option(name)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        texts[download.value.suggested_filename] = Path(download.value.path()).read_text()
    assert list(texts) == [
        "yogurt-pancakes.jsonld",
        "yogurt-pancakes.md",
        "yogurt-pancakes.cook",
        "yogurt-pancakes.json",
    ]
    assert "1 1/2 cups yogurt" in json.loads(texts["yogurt-pancakes.jsonld"])["recipeIngredient"]
    assert all("yogurt" in text.lower() and "buttermilk" not in text.lower() for text in texts.values())


def test_a_new_cook_has_a_swap_for_buttermilk_within_twenty_seconds(page: Page) -> None:
    start = time.monotonic()
    page.get_by_role("button", name="Buttermilk pancakes").click()
    swap(page, BUTTERMILK, "yogurt")
    assert time.monotonic() - start < 20


@pytest.mark.parametrize("example", ["Buttermilk pancakes", "Walnut chocolate cookies", "Creamy chicken pasta"])
def test_every_line_of_an_example_has_swaps(page: Page, example: str) -> None:
    page.get_by_role("button", name=example).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(example)
    assert page.locator(".line").count() == page.locator(".line-button").count() >= 9


def test_a_chosen_file_is_read(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "pancakes.json"
    file.write_text(json.dumps({"@type": "Recipe", "name": "Flat cakes", "recipeIngredient": ["1 cup milk"]}))
    page.get_by_label("choose a file").set_input_files(file)
    expect(page.get_by_role("heading", level=1)).to_have_text("Flat cakes")


def test_a_dropped_file_is_read(page: Page) -> None:
    script = """text => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], "pancakes.txt", { type: "text/plain" }));
        return transfer;
    }"""
    page.get_by_role("button", name="Buttermilk pancakes").wait_for()
    transfer = page.evaluate_handle(script, PANCAKES)
    page.dispatch_event("body", "dragover", {"dataTransfer": transfer})
    expect(page.get_by_text("Drop the recipe here")).to_be_visible()
    page.dispatch_event("body", "drop", {"dataTransfer": transfer})
    expect(page.get_by_role("button", name=BUTTERMILK)).to_be_visible()
    expect(page.get_by_text("Drop the recipe here")).to_be_hidden()


@pytest.mark.parametrize(("field", "button"), [("address of a page", "Fetch"), ("Paste a recipe", "Read the recipe")])
def test_an_address_is_imported_from_a_host_that_is_allowed(
    page: Page, recipe_site: str, field: str, button: str
) -> None:
    page.get_by_label(field).fill(recipe_site)
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Buttermilk biscuits")


def test_a_diet_changes_the_list_warns_and_is_remembered(page: Page) -> None:
    read(page)
    page.get_by_role("button", name=BUTTERMILK).click()
    assert "yogurt" in offered(page)

    page.get_by_text("Diet, allergies, cupboard").click()
    with page.expect_response("**/suggest"):
        page.get_by_text("Vegan", exact=True).click()
    expect(page.get_by_role("button", name="Use this yogurt", exact=True)).to_have_count(0)
    assert offered(page)
    expect(page.locator(".verdict .banner")).to_contain_text("3 places are against your wishes (vegan).")
    expect(page.locator(".line").filter(has_text=BUTTERMILK).locator(".warning")).to_contain_text("contains milk")
    expect(page.locator(".line").filter(has_text="flour").locator(".warning")).to_have_count(0)

    page.reload()
    expect(page.get_by_text("Vegan", exact=True).first).to_be_visible()
    read(page)
    expect(page.locator(".verdict .banner")).to_contain_text("3 places")
    page.locator(".line").filter(has_text="1/4 cup butter").get_by_role("button", name="Use ").click()
    expect(page.locator(".verdict .banner")).to_contain_text("2 places")


def test_what_headings_and_notes_say_against_a_diet_is_shown_under_the_verdict(page: Page) -> None:
    lines = "Ingredients\n\nFor the bacon jam:\n1 cup rice"
    read(page, f"Rice\n\n{lines}\n\nDirections\n\n1. Boil the rice.\n\nNotes\n\nServe with honey.")
    page.get_by_text("Diet, allergies, cupboard").click()
    page.get_by_text("Vegan", exact=True).click()
    expect(page.locator(".verdict .banner")).to_contain_text("2 places are against your wishes (vegan).")
    expect(page.locator(".verdict .warning")).to_contain_text(
        ["In the heading, “For the bacon jam”: bacon contains pork", "In the note, “Serve with honey.”: honey"]
    )


def test_all_that_is_against_a_diet_is_swapped_at_once_and_undone_at_once(page: Page) -> None:
    read(page)
    page.get_by_text("Diet, allergies, cupboard").click()
    page.get_by_text("Vegan", exact=True).click()
    page.get_by_role("button", name="Swap all 3").click()
    expect(page.locator(".verdict .banner")).to_contain_text("Nothing is known to be against your wishes (vegan).")
    expect(page.locator(".warning.bad")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".verdict .banner")).to_contain_text("3 places")
    expect(page.locator(".recipe-body ins")).to_have_count(0)


def test_only_what_i_have_is_suggested(page: Page) -> None:
    read(page)
    page.get_by_text("Diet, allergies, cupboard").click()
    page.get_by_label("What I have").first.fill("milk, lemon juice")
    page.get_by_label("What I have").first.press("Enter")
    expect(page.locator("#wishes-summary")).to_have_text("Only what I have")
    page.get_by_role("button", name=BUTTERMILK).click()
    assert set(offered(page)) == {"milk", "milk + lemon juice"}

    page.get_by_role("button", name="Remove milk").click()
    page.get_by_role("button", name="Remove lemon juice").click()
    expect(page.get_by_role("button", name="Use this yogurt", exact=True)).to_be_visible()


def test_an_empty_answer_says_why_and_leads_on(page: Page) -> None:
    read(page)
    page.get_by_text("Diet, allergies, cupboard").click()
    page.get_by_text("Vegan", exact=True).click()
    page.get_by_label("What I have").first.fill("butter")
    page.get_by_label("What I have").first.press("Enter")
    page.get_by_role("button", name="2 cups all-purpose flour").click()
    expect(page.get_by_text("Nothing on your list can stand in for all purpose flour")).to_be_visible()
    page.get_by_role("button", name="Look beyond what I have").click()
    assert offered(page)


def test_a_food_to_avoid_is_not_offered_and_a_word_that_nobody_knows_is_not_taken(open_page: Opener) -> None:
    page = open_page(excuse="Failed to load resource")
    read(page)
    page.get_by_text("Diet, allergies, cupboard").click()
    field = page.get_by_label("I also avoid").first
    field.fill("qwzrtx")
    field.press("Enter")
    expect(page.locator("#avoid").get_by_role("alert")).to_contain_text("qwzrtx")
    field.fill("yogurt")
    field.press("Enter")
    expect(page.locator("#wishes-summary")).to_have_text("No yogurt")
    page.get_by_role("button", name=BUTTERMILK).click()
    assert not [name for name in offered(page) if "yogurt" in name]


def test_names_are_completed_while_typing(page: Page) -> None:
    page.get_by_text("Diet, allergies, cupboard").click()
    page.get_by_label("What I have").first.press_sequentially("butterm")
    page.locator("#have-names option[value='buttermilk']").wait_for(state="attached")


def test_several_swaps_are_undone_one_by_one(page: Page) -> None:
    read(page)
    before = page.locator(".recipe-body").inner_text()
    swap(page, BUTTERMILK, "yogurt")
    after_one = page.locator(".recipe-body").inner_text()
    swap(page, "2 eggs", "egg white")
    assert words(page, ".ingredients del") == [BUTTERMILK, "2 eggs"]
    assert "buttermilk" in words(page, "[data-step='1'] del")[0]
    assert any("egg" in text for text in words(page, "[data-step='1'] ins"))
    page.get_by_role("button", name="Undo").click()
    assert page.locator(".recipe-body").inner_text() == after_one
    page.get_by_role("button", name="Undo").click()
    assert page.locator(".recipe-body").inner_text() == before
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_a_swap_of_a_swap_strikes_what_the_recipe_said_at_first(page: Page) -> None:
    read(page)
    swap(page, BUTTERMILK, "yogurt")
    swap(page, "now 1 1/2 cups yogurt", "sour cream")
    assert words(page, ".ingredients del") == [BUTTERMILK]
    assert [text for text in words(page, ".ingredients ins") if "sour cream" in text]
    assert words(page, "h1 del") == ["Buttermilk"]


def test_a_mixture_becomes_a_line_for_each_of_its_foods(page: Page) -> None:
    read(page)
    swap(page, BUTTERMILK, "milk + lemon juice")
    assert words(page, ".ingredients del") == [BUTTERMILK]
    assert words(page, ".ingredients ins") == ["2 cups milk", "2 tablespoons lemon juice"]


def test_headings_stay_and_steps_are_counted_through(page: Page) -> None:
    steps = [
        {
            "@type": "HowToSection",
            "name": "Batter",
            "itemListElement": [{"@type": "HowToStep", "text": "Beat the eggs."}],
        },
        {
            "@type": "HowToSection",
            "name": "Sauce",
            "itemListElement": [{"@type": "HowToStep", "text": "Warm the milk."}],
        },
    ]
    lines = ["Batter:", "2 eggs", "Sauce:", "1 cup milk"]
    read(page, json.dumps({"@type": "Recipe", "name": "Cakes", "recipeIngredient": lines, "recipeInstructions": steps}))
    assert page.get_by_role("heading", level=3).all_inner_texts() == ["Batter", "Sauce", "Batter", "Sauce"]
    page.get_by_role("button", name="1 cup milk").click()
    target = offered(page)[0]
    page.get_by_role("button", name=f"Use this {target}", exact=True).click()
    expect(page.locator("[data-step='2'] ins")).to_contain_text(target)
    assert page.locator(".method ol").evaluate_all("all => all.map(list => list.start)") == [1, 2]


def test_a_line_of_two_ingredients_asks_which_is_meant(page: Page) -> None:
    read(page, "1 cup rice\nparsley and thyme\n")
    page.get_by_role("button", name="parsley and thyme").click()
    offers = offered(page)
    with page.expect_response("**/suggest"):
        page.locator(".choice").get_by_text("thyme").click()
    expect(page.locator(".suggestion").first).to_be_visible()
    assert offered(page) != offers


def test_the_recipe_is_copied_as_text(open_page: Opener) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    read(page)
    swap(page, BUTTERMILK, "yogurt")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("Yogurt pancakes")
    assert "1 1/2 cups yogurt" in copied


def test_the_recipe_is_copied_where_the_browser_has_no_clipboard_api(open_page: Opener, server: str) -> None:
    page = open_page("about:blank")
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })")
    page.goto(server)
    read(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_focused()
    page.get_by_role("button", name="Another recipe").click()
    page.get_by_label("Paste a recipe").fill("")
    page.keyboard.press("Control+V")
    expect(page.get_by_label("Paste a recipe")).to_have_value(re.compile("^Buttermilk pancakes"))


def test_on_paper_is_only_the_recipe_as_it_is_now(page: Page) -> None:
    read(page)
    swap(page, BUTTERMILK, "yogurt")
    page.emulate_media(media="print")
    expect(page.get_by_text("1 1/2 cups yogurt").first).to_be_visible()
    for selector in (
        ".masthead",
        ".wishes",
        ".tools",
        ".swaps-made",
        "h1 del",
        ".ingredients del",
        ".method del",
        ".footer",
    ):
        expect(page.locator(selector).first).to_be_hidden()


def test_markup_in_a_recipe_is_shown_as_text(open_page: Opener) -> None:
    page = open_page()
    hostile = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    parsed = {
        "recipe": {"@type": "Recipe", "name": hostile, "description": hostile, "recipeYield": hostile,
                   "recipeIngredient": [hostile], "recipeInstructions": [{"@type": "HowToStep", "text": hostile}]},
        "ingredients": [{"number": 1, "text": hostile, "section": hostile, "matches": ["milk"]}],
        "warnings": [],
    }  # fmt: skip
    page.route("**/recipes/parse", lambda route: route.fulfill(json=parsed))
    read(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(hostile)
    expect(page.locator(".line")).to_contain_text(hostile)
    expect(page.locator(".method li")).to_have_text(hostile)
    assert page.locator("#recipe img, #recipe script").count() == 0


def test_a_script_in_a_title_does_not_reach_the_page(page: Page) -> None:
    read(
        page,
        json.dumps(
            {"@type": "Recipe", "name": "Pan<script>document.title=1</script>cakes", "recipeIngredient": ["2 eggs"]}
        ),
    )
    expect(page.get_by_role("heading", level=1)).to_contain_text("cakes")
    assert page.locator("#recipe script").count() == 0


def test_the_page_works_where_nothing_can_be_stored(open_page: Opener, server: str) -> None:
    page = open_page("about:blank")
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no') } })")
    page.goto(server)
    page.get_by_text("Diet, allergies, cupboard").click()
    page.get_by_text("Vegan", exact=True).click()
    expect(page.locator("#wishes-summary")).to_have_text("Vegan")


def test_what_is_taken_and_turned_down_is_kept_where_the_server_asks_for_it(open_page: Opener, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'feedback.db'}"
    with serving(tmp_path / "log", "--feedback", store) as address:
        page = open_page(address)
        expect(page.get_by_text("This server keeps which swaps are taken")).to_be_visible()
        read(page)
        page.get_by_role("button", name=BUTTERMILK).click()
        with page.expect_response("**/feedback") as turned_down:
            page.get_by_role("button", name="Not this yogurt").click()
        expect(page.get_by_role("button", name="Use this yogurt", exact=True)).to_have_count(0)
        expect(page.locator(".suggestion button").first).to_be_focused()
        with page.expect_response("**/feedback") as taken:
            page.get_by_role("button", name="Use this sour cream").click()
    names = ["all purpose flour", "buttermilk", "egg", "butter"]
    for answer, target, accepted in ((turned_down, "yogurt", False), (taken, "sour cream", True)):
        assert answer.value.status == 204
        choice = {"recipe_ingredients": names, "source": "buttermilk", "target": target, "accepted": accepted}
        assert answer.value.request.post_data_json == choice


def test_a_page_that_is_opened_for_another_ranker_asks_that_one(open_page: Opener, server: str) -> None:
    page = open_page(f"{server}?ranker=lt%2Bfreq")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.split("/api/v1/")[-1]))
    read(page)
    page.get_by_role("button", name=BUTTERMILK).click()
    expect(page.locator(".swaps")).to_contain_text("Ranked by lt+freq.")
    page.get_by_role("button", name="Use this yogurt", exact=True).click()
    expect(page.get_by_role("list", name="Swaps made")).to_contain_text("yogurt")
    assert {"suggest?ranker=lt%2Bfreq", "swap?ranker=lt%2Bfreq"} <= set(asked)

    ours = open_page()
    read(ours)
    ours.get_by_role("button", name=BUTTERMILK).click()
    assert offered(ours)
    expect(ours.locator(".swaps")).not_to_contain_text("Ranked by")
