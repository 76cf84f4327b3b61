"""Which foods a written recipe names, by which words: its ingredients, in full or in short form, and other foods.

An ingredient is mentioned if its name, or the part of its name that no other ingredient has, is in a text
(`editing.mentions`); the rest of the text is searched for the names of all other foods (`mining.spotting`,
`limits.diets`). Short forms can be spelled out, so that nobody takes the "milk" of a recipe with coconut milk for milk.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from swapchef.editing.matched_recipe import RecipeFood
from swapchef.editing.mentions import DESCRIBING, Mention, find_mentions
from swapchef.en.nouns import article, capitalized
from swapchef.foods.matching import Vocabulary, stems_of
from swapchef.foods.reading import read_text
from swapchef.mining.spotting import Spotter, words_of


def mentioned_ingredients(steps: Sequence[str], names: Sequence[str], vocabulary: Vocabulary) -> set[str]:
    """Return which of the ingredients the steps mention; words that may mean either of two mention both."""
    mentions = [mention for in_step in _mentions(steps, names, vocabulary) for mention in in_step]
    return {name for mention in mentions for name in (mention.food.name, *mention.others)}


def count_foods(steps: Sequence[str], names: Sequence[str], spotter: Spotter) -> Counter[int]:
    """Count how often the steps name each food.

    Words that mention a given ingredient are not counted again as another one: "oil" is the olive oil that was given.
    """
    counts: Counter[int] = Counter()
    for step, mentions in zip(steps, _mentions(steps, names, spotter.vocabulary), strict=True):
        counts.update(mention.food.id for mention in mentions)
        counts.update(id for _, _, id in _other_foods(mentions, step, spotter))
    return counts


def _other_foods(mentions: Sequence[Mention], text: str, spotter: Spotter) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and id of the foods that a text names outside of these mentions."""
    words = words_of(text)
    for spot in spotter.spot(words):
        start, end = words[spot.start].start, words[spot.end - 1].end
        if all(mention.end <= start or end <= mention.start for mention in mentions):
            yield start, end, spot.id


@dataclass(frozen=True, slots=True)
class NamedFood:
    """Where a text names a food other than by an ingredient's own name, and whether that may be short for one."""

    start: int
    end: int
    is_short: bool


def named_foods(texts: Sequence[str], names: Sequence[str], spotter: Spotter) -> Iterator[list[NamedFood]]:
    """Yield, for each text, the foods of the vocabulary and of the diets in it, except the ingredients' own names."""
    for text, mentions in zip(texts, _mentions(texts, names, spotter.vocabulary), strict=True):
        whole = [mention for mention in mentions if not mention.is_part and mention.role == "noun"]
        spans = {(start, end) for start, end, _ in _other_foods(whole, text, spotter)}
        read = ((span.start, span.end) for span in read_text(text).spans)
        spans |= {(start, end) for start, end in read if not _overlaps(whole, start, end)}
        yield [NamedFood(start, end, _overlaps(mentions, start, end)) for start, end in sorted(spans)]


def _overlaps(mentions: Sequence[Mention], start: int, end: int) -> bool:
    return any(mention.start < end and start < mention.end for mention in mentions)


# Words after which a short form may be spelled out; any other word already tells which milk or flour is meant.
_MAY_PRECEDE = frozenset(
    "the a an this that these those your some any more most half all each both no other another remaining rest reserved"
    " enough little of and or with in into over to until then by from for plus on using as at add stir mix combine"
    " whisk fold sift melt pour beat heat warm spread sprinkle use blend cream dissolve boil brush toss drizzle cup"
    " cups tablespoon tablespoons teaspoon teaspoons ounce ounces stick sticks pound pounds pint quart can cans bottle"
    " package slice slices pinch dash drop bowl".split()
)
_WORD_BEFORE = re.compile(r"([^\W_]+(?:/[^\W_]+)?)[ -]+$")


def spelled_out(
    texts: Sequence[str], names: Sequence[str], vocabulary: Vocabulary, is_unclear: Callable[[str], bool]
) -> list[str]:
    """Write ingredients by their full names where a short form is unclear: "the flour" of a recipe with rice flour."""
    results = []
    for text, mentions in zip(texts, _mentions(texts, names, vocabulary), strict=True):
        for mention in reversed(mentions):
            short = text[mention.start : mention.end]
            if mention.is_part and mention.role == "noun" and is_unclear(short):
                text = _with_full_name(text, mention, short)
        results.append(text)
    return results


def _with_full_name(text: str, mention: Mention, short: str) -> str:
    """Replace a short form by the full name, unless the word before already tells more of it."""
    before, after = text[: mention.start], text[mention.end :]
    previous = _WORD_BEFORE.search(before)
    word = previous[1].lower() if previous else ""
    if word and not (word in _MAY_PRECEDE or word in DESCRIBING or word[0].isdigit()):
        return text
    full_names = [_full_name(name, short, word) for name in (mention.food.name, *mention.others)]
    if word in {"a", "an"} and previous:
        new_article = article(full_names[0]) if word == previous[1] else article(full_names[0]).capitalize()
        before = before[: previous.start(1)] + new_article + before[previous.end(1) :]
    replacement = (" and " if mention.is_many else " or ").join(full_names)
    return before + (capitalized(replacement) if short[0].isupper() else replacement) + after


def _full_name(name: str, short: str, before: str) -> str:
    """Return a full name: its end as in the short form ("eggs"), without a first word that is also the word before."""
    words, end = name.split(), short.lower().split()
    if stems_of(" ".join(words[-len(end) :])) == stems_of(short):
        words[-len(end) :] = end
    return " ".join(words[1:] if words[0] == before and len(words) > 1 else words)


def _mentions(texts: Sequence[str], names: Sequence[str], vocabulary: Vocabulary) -> list[list[Mention]]:
    foods = [RecipeFood(id, name, (name,)) for name, id in ids_of(names, vocabulary).items()]
    return find_mentions(texts, foods, [food.id for food in foods], vocabulary)


def ids_of(names: Sequence[str], vocabulary: Vocabulary) -> dict[str, int]:
    """Return the id of each name; one that the vocabulary lacks or takes for another ("oat milk") gets a new id."""
    ids = {}
    for number, name in enumerate(names, start=1):
        match = vocabulary.match(name)
        ids[name] = match.id if match and match.name == name else -number
    return ids
