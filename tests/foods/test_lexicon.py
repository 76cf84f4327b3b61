"""Every describing word stands once in the table, and its flags are what a cook would say."""

import subprocess
import sys

import pytest

from swapchef.en.nouns import singular
from swapchef.foods.lexicon import FLAGS, Flag, has, is_tool, without_amount_words, words_with
from swapchef.tables import read_table


@pytest.mark.parametrize(
    ("word", "flag", "expected"),
    [
        ("chopped", "describing", True),
        ("butter", "describing", False),
        ("wedges", "piece", True),
        ("wedge", "cut", False),
        ("thighs", "cut", True),
        ("finely", "manner", True),
        ("salted", "same-food", True),
        ("brown", "same-food", False),
        ("brown", "variety", True),
        ("red", "kind-only", True),
        ("imitation", "denial", True),
        ("gluten", "free-of", True),
        ("egg", "free-of", False),
        ("melted", "in-steps", True),
        ("peanut", "in-steps", False),
        ("cooky", "not-sold", True),
        ("cookies", "vague", True),
        ("sauce", "unrelated", True),
        ("cheese", "left-out", True),
        ("batter", "made-with", True),
        ("batter", "vague-alone", True),
    ],
)
def test_flags(word: str, flag: Flag, expected: bool) -> None:
    assert has(word, flag) is expected
    assert (singular(word) in words_with(flag)) is expected


def test_no_word_stands_twice_and_every_flag_is_known() -> None:
    rows = read_table("en/words.tsv")
    words = [row[0] for row in rows]
    assert len(words) == len(set(words))
    assert {flag for row in rows for flag in row[1].split()} == set(FLAGS)
    assert all(len(row) in (2, 3, 4) and row[1] for row in rows)


def test_single_words_are_in_the_singular() -> None:
    """`has` asks for the singular, so another form would never be found."""
    words = [row[0] for row in read_table("en/words.tsv") if " " not in row[0]]
    assert [word for word in words if singular(word) != word] == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("unsalted butter", "butter"),
        ("low fat plain yogurt", "yogurt"),
        ("98% fat free cream of mushroom soup", "cream of mushroom soup"),
        ("no salt added tomato sauce", "tomato sauce"),
        ("extra large egg", "egg"),
        ("extra sharp cheddar cheese", "cheddar cheese"),
        ("frozen spinach", "spinach"),
        ("frozen yogurt", "frozen yogurt"),
        ("frozen orange juice concentrate", "frozen orange juice concentrate"),
        ("roasted almond", "almond"),
        ("roasted garlic", "roasted garlic"),
        ("unsweetened coconut", "coconut"),
        ("unsweetened dark chocolate", "unsweetened dark chocolate"),
        ("baby carrot", "carrot"),
        ("baby back rib", "baby back rib"),
        ("baby backed pan", "backed pan"),
        ("hot water", "water"),
        ("hot sauce", "hot sauce"),
        ("hot", "hot"),
        ("gluten free bread", "bread"),
        ("gluten free flour", "gluten free flour"),
        ("evaporated 2% milk", "evaporated milk"),
        ("fat", "fat"),
        ("fresh", "fresh"),
        ("", ""),
    ],
)
def test_words_that_change_no_amount_are_left_out(name: str, expected: str) -> None:
    assert without_amount_words(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("bamboo skewer", True), ("skewer", True), ("wooden spoon", True), ("aluminum foil", True), ("rice paper", False),
     ("wood ear mushroom", False), ("tea bag", False), ("plastic bag", True), ("butter", False)],
)  # fmt: skip
def test_what_is_in_the_drawer_is_no_food(name: str, expected: bool) -> None:
    assert is_tool(name) is expected


def test_it_loads_quickly() -> None:
    """Under 5 ms on an idle machine; three times that where others compute too."""
    code = (
        "import time, importlib.resources, swapchef.tables; start = time.process_time()\n"
        "from swapchef.foods.lexicon import FLAGS, words_with; [words_with(flag) for flag in FLAGS]\n"
        "print(time.process_time() - start)"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    assert min(float(run.stdout) for run in runs) < 0.015
