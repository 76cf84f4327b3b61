"""Which foods a written recipe names, by which words: those of its ingredients, in full or for short, and others.

An ingredient is mentioned if its name, or the part of its name that no other ingredient claims, stands in a text (`editing.mentions`);
the rest of the text is searched for the names of all other foods (`mining.spotting`, `limits.diets`). What is short for an ingredient can be
spelled out, so that nobody takes the milk of a recipe with coconut milk for milk.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from swapchef.editing.matched_recipe import RecipeFood
from swapchef.editing.mentions import DESCRIBING, Mention, find_mentions
from swapchef.en.nouns import article, capitalized
from swapchef.foods.matching import Vocabulary, stems_of
from swapchef.limits.diets import foods_in
from swapchef.mining.spotting import Spotter, words_of


def mentioned(steps: Sequence[str], names: Sequence[str], vocabulary: Vocabulary) -> set[str]:
    """Return which of the ingredients the steps speak of; words that may mean either of two speak of both."""
    mentions = [mention for found in _mentions(steps, names, vocabulary) for mention in found]
    return {name for mention in mentions for name in (mention.food.name, *mention.others)}


def spoken_of(steps: Sequence[str], names: Sequence[str], spotter: Spotter) -> Counter[int]:
    """Count how often the steps speak of each food.

    Words that speak of a given ingredient are not counted again as another one: "oil" is the olive oil that was given.
    """
    said: Counter[int] = Counter()
    for step, mentions in zip(steps, _mentions(steps, names, spotter.vocabulary), strict=True):
        said.update(mention.food.id for mention in mentions)
        said.update(id for _, _, id in _beside(mentions, step, spotter))
    return said


def _beside(mentions: Sequence[Mention], text: str, spotter: Spotter) -> Iterator[tuple[int, int, int]]:
    """Yield from where to where a text names which food, beside these mentions."""
    words = words_of(text)
    for spot in spotter.spot(words):
        start, end = words[spot.start].start, words[spot.end - 1].end
        if all(mention.end <= start or end <= mention.start for mention in mentions):
            yield start, end, spot.id


@dataclass(frozen=True, slots=True)
class Named:
    """Where a text names a food other than by an ingredient's own name, and whether that may be short for one."""

    start: int
    end: int
    is_short: bool


def foods_named(texts: Sequence[str], names: Sequence[str], spotter: Spotter) -> Iterator[list[Named]]:
    """Yield, for each text, every food of the vocabulary and of the table of diets in it, but for the ingredients' own names."""
    for text, mentions in zip(texts, _mentions(texts, names, spotter.vocabulary), strict=True):
        whole = [mention for mention in mentions if not mention.is_part and mention.role == "noun"]
        spans = {(start, end) for start, end, _ in _beside(whole, text, spotter)}
        spans |= {(start, end) for start, end in foods_in(text) if not _touches(whole, start, end)}
        yield [Named(start, end, _touches(mentions, start, end)) for start, end in sorted(spans)]


def _touches(mentions: Sequence[Mention], start: int, end: int) -> bool:
    return any(mention.start < end and start < mention.end for mention in mentions)


# What may stand before the end of a name that is to be written in full; anything else tells which milk or flour is meant.
_MAY_PRECEDE = frozenset(
    "the a an this that these those your some any more most half all each both no other another remaining rest reserved enough little of and or with in"
    " into over to until then by from for plus on using as at add stir mix combine whisk fold sift melt pour beat heat warm spread sprinkle use blend"
    " cream dissolve boil brush toss drizzle cup cups tablespoon tablespoons teaspoon teaspoons ounce ounces stick sticks pound pounds pint quart can cans"
    " bottle package slice slices pinch dash drop bowl".split()
)


def spelled_out(
    texts: Sequence[str], names: Sequence[str], vocabulary: Vocabulary, is_unclear: Callable[[str], bool]
) -> list[str]:
    """Write ingredients by their whole names where a part of one alone is unclear: "the flour" of a recipe with rice flour."""
    written = []
    for text, mentions in zip(texts, _mentions(texts, names, vocabulary), strict=True):
        for mention in reversed(mentions):
            said = text[mention.start : mention.end]
            if mention.is_part and mention.role == "noun" and is_unclear(said):
                text = _with_whole_name(text, mention, said)
        written.append(text)
    return written


def _with_whole_name(text: str, mention: Mention, said: str) -> str:
    """Put a whole name in the place of a part of it, unless the word before tells more of it."""
    before, after = text[: mention.start], text[mention.end :]
    found = _WORD_BEFORE.search(before)
    word = found[1].lower() if found else ""
    if word and not (word in _MAY_PRECEDE or word in DESCRIBING or word[0].isdigit()):
        return text
    wholes = [_in_full(name, said, word) for name in (mention.food.name, *mention.others)]
    if word in {"a", "an"} and found:
        before = (
            before[: found.start(1)]
            + (article(wholes[0]) if word == found[1] else article(wholes[0]).capitalize())
            + before[found.end(1) :]
        )
    whole = (" and " if mention.is_many else " or ").join(wholes)
    return before + (capitalized(whole) if said[0].isupper() else whole) + after


_WORD_BEFORE = re.compile(r"([^\W_]+(?:/[^\W_]+)?)[ -]+$")


def _in_full(name: str, said: str, before: str) -> str:
    """Return a whole name, which ends as it is said where that is its end, and does not begin with the word before it."""
    words, end = name.split(), said.lower().split()
    if stems_of(" ".join(words[-len(end) :])) == stems_of(said):
        words[-len(end) :] = end
    return " ".join(words[1:] if words[0] == before and len(words) > 1 else words)


def _mentions(texts: Sequence[str], names: Sequence[str], vocabulary: Vocabulary) -> list[list[Mention]]:
    foods = [RecipeFood(id, name, (name,)) for name, id in ids_of(names, vocabulary).items()]
    return find_mentions(texts, foods, [food.id for food in foods], vocabulary)


def ids_of(names: Sequence[str], vocabulary: Vocabulary) -> dict[str, int]:
    """Return the id of each name; what the vocabulary takes for another food ("oat milk" for milk) or does not know gets one of its own."""
    ids = {}
    for number, name in enumerate(names, start=1):
        match = vocabulary.match(name)
        ids[name] = match.id if match and match.name == name else -number
    return ids
