"""What a sentence of a review says about substitutions, by two sets of rules.

`paper_swaps` is what the paper describes: a keyword, exactly two ingredients near it, exactly one of them in the recipe, which is then
the source. `stated_swaps` reads the construction ("used X instead of Y", "replaced Y with X") and so the direction, several
swaps in one sentence, amounts, whether it was done at all and how it came out; the recipe then only confirms. Both look at one sentence, and
for how it came out at the next.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from swapchef.mining.spotting import Spot, Word
from swapchef.mining.verdicts import NO_VERDICT, Opinion, verdict_of

# The paper's four keywords with their inflections.
_PAPER_KEYWORDS = re.compile(r"\binstead\b|\bsubstitut\w*|\bin place of\b|\breplac\w*", re.IGNORECASE)
_FAR = 7  # words
# What a text must have for any construction below: looking for plain strings is ten times quicker than any pattern.
_HINTS = (
    "instead", "substitut", "replac", "in place of", "in lieu", "rather than", "swap", "switch", "exchang", "traded", "sub ", "subb", "sub'd", "n't have",
    "not have", "n't like", "n't eat", "n't find", "not find", "can't have", "out of", "had no", "have no", "allergic", "without ", "cannot ",
)  # fmt: skip


def may_tell(text: str) -> bool:
    """Say whether a text may speak of a swap at all."""
    lowered = text.lower().replace("’", "'")
    return any(hint in lowered for hint in _HINTS)


Mood = Literal["done", "advice", "question", "planned", "negated"]
_KEEPING = ("done", "advice")  # moods of which there may be a verdict


@dataclass(frozen=True, slots=True)
class Swap:
    """One substitution that a sentence speaks of; amounts are as written, "" where there is none."""

    source: int
    target: int
    rule: str
    mood: Mood = "done"
    confidence: float = 1.0
    source_amount: str = ""
    target_amount: str = ""
    verdict: Opinion = ""
    verdict_words: str = ""


def paper_swaps(text: str, words: Sequence[Word], spots: Sequence[Spot], recipe: frozenset[int]) -> Iterator[Swap]:
    """Apply the published rules."""
    keyword = _PAPER_KEYWORDS.search(text)
    if keyword is None or len(spots) != 2 or spots[0].id == spots[1].id:
        return
    at = [i for i, word in enumerate(words) if word.start < keyword.end() and word.end > keyword.start()]
    if any(_distance(spot, at) >= _FAR for spot in spots):
        return
    inside = [spot for spot in spots if spot.id in recipe]
    if len(inside) == 1:
        target = next(spot for spot in spots if spot is not inside[0])
        yield Swap(inside[0].id, target.id, f"paper: {keyword.group().lower()}")


def _distance(spot: Spot, keyword: Sequence[int]) -> int:
    return min(abs(spot.start - keyword[-1]), abs(keyword[0] - (spot.end - 1)))


def stated_swaps(
    words: Sequence[Word],
    spots: Sequence[Spot],
    is_question: bool,
    recipe: frozenset[int] | None,
    following: str = "",
) -> Iterator[Swap]:
    """Read the constructions of a sentence; `recipe` is what the recipe has, None where that is not known.

    The sentence that follows may tell how it came out.
    """
    line = _line(words, spots)
    taken: set[int] = set()
    for rule in _RULES:
        for found in rule.pattern.finditer(line):
            source, target = int(found["y"]), int(found["x"])
            if source in taken or target in taken or spots[source].id == spots[target].id:
                continue
            swap = _confirmed(rule, spots[source].id, spots[target].id, recipe)
            if swap is None:
                continue
            taken |= {source, target}
            mood = _mood(line, found.start(), found.end(), is_question)
            detailed = _with_details(swap, mood, words, spots, source, target, flipped=swap.source != spots[source].id)
            rest = " ".join(word.text for word in words[max(spots[source].end, spots[target].end) :])
            said = verdict_of(rest, following) if mood in _KEEPING else NO_VERDICT
            yield replace(detailed, verdict=said.opinion, verdict_words=said.words)


def _line(words: Sequence[Word], spots: Sequence[Spot]) -> str:
    """Write a sentence with each ingredient as its number between angle brackets."""
    starts = {spot.start: number for number, spot in enumerate(spots)}
    covered = {index for spot in spots for index in range(spot.start + 1, spot.end)}
    return " ".join(
        f"<{starts[index]}>" if index in starts else word.text
        for index, word in enumerate(words)
        if index not in covered
    )


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    pattern: re.Pattern[str]
    confidence: float
    either_way: bool = False  # cooks use it in both directions: the recipe decides


# Between a verb and its food: an amount, an article, how it was prepared.
_FILL = r"(?:(?!instead|but|and|so|because|then|with|for|,|;|\.|used?|using|had|have)[a-z'½¼¾⅓⅔⅛\d./%-]+ ){0,5}?"
_NOUN = r"(?: (?!instead|of|for|with|in|and|but|so|because|since|as|to|i|we|rather|than)[a-z']+)?"
_USED = r"(?:used|use|using|uses|added|add|put|tried|went with|made (?:it|this|them) with|made with|did|took|threw in|chose|opted for)"
_LACKED = (
    r"(?:(?:did(?:n't| not)|do(?:n't| not)) (?:have|like|want|care for|eat|keep)(?: any| enough| the)?|had no|have no|was out of|were out of"
    r"|ran out of|am out of|couldn't find|could not find|can't (?:have|eat|find)|cannot (?:have|eat|find)|(?:am|was|is) allergic to|had run out of|without)"
)
_JOIN = r"(?: on hand| at home| handy| available| in the house| left)?(?: ,| ;| -)?(?: (?:so|and|but|therefore))?(?: (?:i|we|she|he|my \w+))?(?: (?:just|simply|instead|decided to|had to|also|only|ended up))* "


def _rules() -> tuple[_Rule, ...]:
    x, y = r"<(?P<x>\d+)>", r"<(?P<y>\d+)>"
    rows = [
        ("x instead of y", rf"{x}{_NOUN}(?: ,)?(?: \w+){{0,2}} instead of {_FILL}{y}", 0.95, False),
        (
            "x in place of y",
            rf"{x}{_NOUN}(?: ,)?(?: \w+){{0,3}} (?:in place of|in lieu of|rather than|as an? (?:substitute|replacement|sub) (?:for|of)) {_FILL}{y}",
            0.95,
            False,
        ),
        (
            "instead of y used x",
            rf"(?:instead of|in place of|in lieu of|rather than) {_FILL}{y}{_NOUN}(?: ,)?(?: (?:i|we|she|he))?(?: \w+){{0,2}}? {_USED} {_FILL}{x}",
            0.95,
            False,
        ),
        ("instead of y, x", rf"(?:instead of|in place of|in lieu of) {_FILL}{y}{_NOUN} , {_FILL}{x}", 0.75, False),
        (
            "replaced y with x",
            rf"(?:replac(?:ed|e|ing)|swap(?:ped|ping)? out|switch(?:ed|ing)? out|substitut(?:ed|e|ing)|sub(?:bed|bing)?(?: out)?|exchang(?:ed|ing)) {_FILL}{y}{_NOUN} (?:with|by|w) {_FILL}{x}",
            0.95,
            False,
        ),
        (
            "substituted x for y",
            rf"(?:substitut(?:ed|e|ing)|sub(?:bed|bing|s)?(?: in)?|us(?:ed|ing) ) ?{_FILL}{x}{_NOUN} (?:for|in for) {_FILL}{y}",
            0.85,
            True,
        ),
        (
            "swapped y for x",
            rf"(?:swap(?:ped|ping)?|switch(?:ed|ing)?|exchang(?:ed|ing)|trad(?:ed|ing)|replac(?:ed|ing)) {_FILL}{y}{_NOUN} (?:for|to) {_FILL}{x}",
            0.85,
            True,
        ),
        ("had no y so used x", rf"{_LACKED} {_FILL}{y}{_NOUN}{_JOIN}{_USED} {_FILL}{x}", 0.9, False),
        (
            "had no y so substituted x",
            rf"{_LACKED} {_FILL}{y}{_NOUN}{_JOIN}(?:substitut(?:ed|ing)|sub(?:bed|bing)(?: in)?|replaced (?:it|them|that) with|swapped in) {_FILL}{x}",
            0.95,
            False,
        ),
        (
            "used x because no y",
            rf"{_USED} {_FILL}{x}{_NOUN}(?: instead)?(?: ,)? (?:because|since|as|cuz|cause)(?: (?:i|we|that))? (?:\w+ )?{_LACKED} {_FILL}{y}",
            0.9,
            False,
        ),
        (
            "substitute for y: x",
            rf"(?:substitut(?:ed|e|ing)|replac(?:ed|ing)) (?:for )?{_FILL}{y}{_NOUN}(?: ,| :| -) {_FILL}{x}",
            0.6,
            True,
        ),
    ]
    return tuple(_Rule(name, re.compile(pattern), confidence, either) for name, pattern, confidence, either in rows)


_RULES = _rules()


def _confirmed(rule: _Rule, source: int, target: int, recipe: frozenset[int] | None) -> Swap | None:
    """Hold a construction against the recipe: it must have what was replaced and not what replaced it."""
    if recipe is None:
        return None if rule.either_way else Swap(source, target, rule.name, confidence=rule.confidence - 0.15)
    if source in recipe and target not in recipe:
        return Swap(source, target, rule.name, confidence=rule.confidence)
    if rule.either_way and target in recipe and source not in recipe:
        return Swap(target, source, f"{rule.name}, the other way", confidence=rule.confidence - 0.05)
    return None


_ASKING = re.compile(
    r"\b(?:can|could|would|should|do|does|is it|has anyone|anyone|what if|wonder\w*|how about|think) (?:i|you|we|this|it|that|the|anyone|tried?|if)\b|\bwonder"
)
_PLANNED = re.compile(
    r"\b(?:next time|will (?:try|use|probably|replace|substitute|add)|going to|gonna|plan(?:ning)? to|i'll|might|may try|would (?:use|try|probably|substitute|replace|suggest|recommend|have|be)|want to try|if i|thinking of|could be|should have|wish i)\b"
)
_NEGATED = re.compile(
    r"\b(?:don't|do not|never|wouldn't|would not|shouldn't|cannot|can't|not) (?:\w+ )?(?:use|substitut\w*|replac\w*|swap\w*|recommend|work)\b"
)
_ADVICE = re.compile(
    r"\b(?:you can|you could|try (?:using|substituting|replacing|adding)|if you|works? (?:well|great|fine|just|as)|recommend|suggest|can be (?:used|substituted|replaced)|feel free)\b"
)


def _mood(line: str, start: int, end: int, is_question: bool) -> Mood:
    """Say whether it was done, advised, asked, planned or denied, from the words around the construction."""
    around = line[max(0, start - 60) : end + 30]
    before = line[max(0, start - 60) : end]
    if is_question or (_ASKING.search(before) and not re.search(r"\bi used\b", around)):
        return "question"
    if _NEGATED.search(before):
        return "negated"
    if _PLANNED.search(before):
        return "planned"
    return "advice" if _ADVICE.search(around) else "done"


_AMOUNT_BEFORE = re.compile(
    r"(?P<amount>(?:\d+(?:[./]\d+)?|[½¼¾⅓⅔⅛]|half an?|one|two|three|an?)(?: (?:\d+/\d+|[½¼¾⅓⅔⅛]))?(?: (?:a|of a))?"
    r"(?: (?:cups?|c|tablespoons?|tbsps?|tbs|teaspoons?|tsps?|ounces?|oz|pounds?|lbs?|grams?|g|ml|sticks?|cans?|cloves?|packages?|pkg|pints?|quarts?|slices?))(?: \.)?)"
    r"(?: of)?(?: the| my| some)?(?: [a-z]+)?$"
)


def _with_details(
    swap: Swap, mood: Mood, words: Sequence[Word], spots: Sequence[Spot], source: int, target: int, flipped: bool
) -> Swap:
    of_source, of_target = (_amount_before(words, spots[number]) for number in (source, target))
    if flipped:
        of_source, of_target = of_target, of_source
    confidence = swap.confidence if mood == "done" else swap.confidence * (0.8 if mood == "advice" else 0.3)
    return Swap(swap.source, swap.target, swap.rule, mood, round(confidence, 3), of_source, of_target)


def _amount_before(words: Sequence[Word], spot: Spot) -> str:
    before = " ".join(word.text for word in words[max(0, spot.start - 7) : spot.start])
    found = _AMOUNT_BEFORE.search(before)
    return found["amount"] if found else ""
