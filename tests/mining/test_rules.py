"""What a sentence says: who replaced what by what, how much, and whether it happened."""

import pytest

from swapchef import Vocabulary
from swapchef.mining.rules import Swap, paper_swaps, stated_swaps
from swapchef.mining.sentences import sentences_of
from swapchef.mining.spotting import Spotter, words_of

VOCABULARY = Vocabulary.load()
SPOTTER = Spotter(VOCABULARY)


def ids(*names: str) -> frozenset[int]:
    return frozenset(VOCABULARY.require(name).id for name in names)


def stated(sentence: str, *recipe: str) -> list[tuple[str, str, str]]:
    return [(VOCABULARY.names[s.source], VOCABULARY.names[s.target], s.mood) for s in swaps(sentence, *recipe)]


def swaps(text: str, *recipe: str) -> list[Swap]:
    (sentence,) = sentences_of(text)
    words = words_of(sentence.text)
    known = ids(*recipe) if recipe else None
    return list(stated_swaps(words, SPOTTER.spot(words), sentence.is_question, known))


def by_the_paper(text: str, *recipe: str) -> list[tuple[str, str]]:
    words = words_of(text)
    return [
        (VOCABULARY.names[s.source], VOCABULARY.names[s.target])
        for s in paper_swaps(text, words, SPOTTER.spot(words), ids(*recipe))
    ]


@pytest.mark.parametrize(
    ("sentence", "recipe", "expected"),
    [
        ("I used honey instead of sugar.", "sugar", ("sugar", "honey")),
        ("I used 1/2 cup of melted coconut oil instead of the butter", "butter", ("butter", "coconut oil")),
        ("Instead of butter I used margarine", "butter", ("butter", "margarine")),
        ("I replaced the sour cream with greek yogurt.", "sour cream", ("sour cream", "greek yogurt")),
        ("so replaced sugar w/ a few drops of honey", "sugar", ("sugar", "honey")),
        ("I subbed applesauce for the oil", "oil", ("oil", "applesauce")),
        ("substituted shallots for onion and it was great", "onion", ("onion", "shallot")),
        ("I swapped the walnuts for pecans", "walnut", ("walnut", "pecan")),
        ("I swapped pecans for walnuts", "walnut", ("walnut", "pecan")),
        ("used kefir in lieu of buttermilk", "buttermilk", ("buttermilk", "kefir")),
        ("Didn't have buttermilk so I used milk", "buttermilk", ("buttermilk", "milk")),
        ("I was out of honey, so I substituted maple syrup", "honey", ("honey", "maple syrup")),
        ("I used margarine because I was out of butter", "butter", ("butter", "margarine")),
        ("I used tofu rather than chicken", "chicken", ("chicken", "tofu")),
    ],
)
def test_the_direction_is_read_from_the_construction(sentence: str, recipe: str, expected: tuple[str, str]) -> None:
    assert stated(sentence, recipe) == [(*expected, "done")]


def test_several_swaps_of_one_sentence_are_all_found() -> None:
    swaps = stated("I used honey instead of sugar and margarine instead of butter.", "sugar", "butter")
    assert swaps == [("sugar", "honey", "done"), ("butter", "margarine", "done")]


@pytest.mark.parametrize(
    ("sentence", "mood"),
    [
        ("Can I use honey instead of sugar?", "question"),
        ("Has anyone tried honey instead of sugar?", "question"),
        ("Next time I will use honey instead of sugar.", "planned"),
        ("I might try honey instead of sugar.", "planned"),
        ("Do not use honey instead of sugar.", "negated"),
        ("You can use honey instead of sugar.", "advice"),
    ],
)
def test_what_was_not_done_is_told_apart(sentence: str, mood: str) -> None:
    assert [swap[2] for swap in stated(sentence, "sugar")] == [mood]


@pytest.mark.parametrize(
    ("sentence", "recipe"),
    [
        ("I used honey instead of sugar.", "butter"),  # the recipe has no sugar
        ("I used honey and sugar.", "sugar"),
        ("I used sugar.", "sugar"),
        ("Loved it instead!", "sugar"),
    ],
)
def test_what_the_recipe_does_not_confirm_is_no_swap(sentence: str, recipe: str) -> None:
    assert stated(sentence, recipe) == []


def test_a_swap_to_what_the_recipe_has_is_none() -> None:
    assert stated("I used honey instead of sugar.", "sugar", "honey") == []


def test_without_a_recipe_only_plain_constructions_count_and_count_less() -> None:
    (swap,) = swaps("I used honey instead of sugar.")
    assert swap.confidence < 0.9
    assert swaps("I swapped the walnuts for pecans.") == []


def test_amounts_are_kept() -> None:
    (swap,) = swaps("I used 1/2 cup applesauce instead of 1 cup of oil", "oil")
    assert (swap.source_amount, swap.target_amount) == ("1 cup", "1/2 cup")


def test_the_published_rules_ask_for_two_ingredients_near_the_word_and_one_in_the_recipe() -> None:
    assert by_the_paper("I used honey instead of sugar", "sugar") == [("sugar", "honey")]
    assert by_the_paper("honey would replace the sugar", "honey") == [("honey", "sugar")]  # whichever the recipe has
    assert by_the_paper("I used honey instead of sugar and butter", "sugar") == []
    assert by_the_paper("I used honey instead of sugar", "honey", "sugar") == []
    assert by_the_paper("I used honey instead of sugar", "egg") == []
    assert by_the_paper("I used honey and sugar", "sugar") == []
    far = "honey is what my whole big family really loves so I use that instead of sugar"
    assert by_the_paper(far, "sugar") == []


def test_the_longest_name_is_spotted_in_singular_and_plural() -> None:
    for text, names in (
        ("two cups of Peanut Butter and eggs", ["peanut butter", "egg"]),
        ("crème fraîche, jalapeños", ["creme fraiche", "jalapeno"]),
        ("butternuts and hamburgers", []),
        ("chop in the chips", []),
    ):
        spotted = [VOCABULARY.names[spot.id] for spot in SPOTTER.spot(words_of(text))]
        assert [name for name in spotted if name in names] == names, spotted


def test_short_forms_do_not_end_a_sentence() -> None:
    sentences = [s.text for s in sentences_of("I used 2 tsp. honey vs. sugar, approx. 3 oz. Yum! Got it?! Yes.")]
    assert sentences == ["I used 2 tsp. honey vs. sugar, approx. 3 oz. Yum!", "Got it?!", "Yes."]


def test_sentences_keep_their_places() -> None:
    text = "Great.  I used 1.5 cups!\nSo good?"
    sentences = list(sentences_of(text))
    assert [text[s.start : s.start + len(s.text)] for s in sentences] == [s.text for s in sentences]
    assert [s.is_question for s in sentences] == [False, False, True]
