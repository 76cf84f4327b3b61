"""Which foods a written recipe names, by which words: those of its ingredients, in full or for short, and others.

An ingredient is mentioned if its name, or the part of its name that no other ingredient claims, stands in a text (`pantry.mentions`);
the rest of the text is searched for the names of all other foods (`mining.spotting`). What is short for an ingredient can be
spelled out, so that nobody takes the milk of a recipe with coconut milk for milk.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from swapchef.mining.spotting import Spotter, words_of
from swapchef.pantry.mentions import Food, Mention, find_mentions
from swapchef.vocabulary import Vocabulary, stems_of


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


def named_otherwise(texts: Sequence[str], names: Sequence[str], spotter: Spotter) -> Iterator[tuple[str, bool]]:
    """Yield the words of texts that name a food other than by an ingredient's own name, and whether they are short for one."""
    for text, mentions in zip(texts, _mentions(texts, names, spotter.vocabulary), strict=True):
        whole = [mention for mention in mentions if not mention.is_part and mention.role == "noun"]
        for start, end, _ in _beside(whole, text, spotter):
            yield text[start:end], any(mention.start < end and start < mention.end for mention in mentions)


def spelled_out(
    texts: Sequence[str], names: Sequence[str], vocabulary: Vocabulary, is_unclear: Callable[[str], bool]
) -> list[str]:
    """Write ingredients by their whole names where the end of one alone is unclear: "the flour" of a recipe with rice flour."""
    written = []
    for text, mentions in zip(texts, _mentions(texts, names, vocabulary), strict=True):
        for mention in reversed(mentions):
            said = text[mention.start : mention.end]
            if mention.is_part and mention.role == "noun" and not mention.is_doubtful and is_unclear(said):
                text = text[: mention.start] + _in_full(mention.food.name, said) + text[mention.end :]
        written.append(text)
    return written


def _in_full(name: str, said: str) -> str:
    """Put before some words what they leave out of a name; they stay as they are if they are not its end."""
    words, end = name.split(), stems_of(said)
    if stems_of(" ".join(words[-len(end) :])) != end:
        return said
    left_out = " ".join(words[: -len(end)])
    return f"{left_out.capitalize()} {said.lower()}" if said[0].isupper() else f"{left_out} {said}"


def _mentions(texts: Sequence[str], names: Sequence[str], vocabulary: Vocabulary) -> list[list[Mention]]:
    foods = [Food(id, name, (name,)) for name, id in ids_of(names, vocabulary).items()]
    return find_mentions(texts, foods, [food.id for food in foods], vocabulary)


def ids_of(names: Sequence[str], vocabulary: Vocabulary) -> dict[str, int]:
    """Return the id of each name; what the vocabulary takes for another food ("oat milk" for milk) or does not know gets one of its own."""
    ids = {}
    for number, name in enumerate(names, start=1):
        match = vocabulary.match(name)
        ids[name] = match.id if match and match.name == name else -number
    return ids
