"""Which substitutions a sentence of a review tells of, by two sets of rules.

`paper_swaps` is what the paper describes: a keyword, exactly two ingredients near it, exactly one of them in the
recipe, which is then the source. `stated_swaps` reads the construction ("used X instead of Y", "replaced Y with X") and
so the direction, several swaps in one sentence, amounts, whether it was done at all, and how it came out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from swapchef.mining.spotting import Spot, Word
from swapchef.mining.verdicts import NO_VERDICT, Opinion, verdict_of

# The paper's four keywords with their inflections.
_PAPER_KEYWORDS = re.compile(r"\binstead\b|\bsubstitut\w*|\bin place of\b|\breplac\w*", re.IGNORECASE)
_MAX_KEYWORD_DISTANCE = 7  # words
# What a text must have for any construction below: looking for plain strings is ten times quicker than any pattern.
_HINTS = (
    "instead", "substitut", "replac", "in place of", "in lieu", "rather than", "swap", "switch", "exchang", "traded",
    "sub ", "subb", "sub'd", "n't have", "not have", "n't like", "n't eat", "n't find", "not find", "can't have",
    "out of", "had no", "have no", "allergic", "without ", "cannot ",
)  # fmt: skip

Mood = Literal["done", "advice", "question", "planned", "negated"]
POSITIVE_MOODS = frozenset({"done", "advice"})  # those that tell of a swap that works


@dataclass(frozen=True, slots=True)
class Swap:
    """One substitution that a sentence tells of; amounts are as written, "" where there is none."""

    source: int
    target: int
    rule: str
    mood: Mood = "done"
    confidence: float = 1.0
    source_amount: str = ""
    target_amount: str = ""
    verdict: Opinion = ""
    verdict_words: str = ""


def may_tell_of_swap(text: str) -> bool:
    """Say whether a text may tell of a swap at all."""
    lowered = text.lower().replace("’", "'")
    return any(hint in lowered for hint in _HINTS)


# The paper's rules ----------------------------------------------------------------------------------------------------


def paper_swaps(text: str, words: Sequence[Word], spots: Sequence[Spot], recipe: frozenset[int]) -> Iterator[Swap]:
    """Apply the published rules."""
    keyword = _PAPER_KEYWORDS.search(text)
    if keyword is None or len(spots) != 2 or spots[0].id == spots[1].id:
        return
    keyword_words = [i for i, word in enumerate(words) if word.start < keyword.end() and word.end > keyword.start()]
    if any(_distance(spot, keyword_words) >= _MAX_KEYWORD_DISTANCE for spot in spots):
        return
    in_recipe = [spot for spot in spots if spot.id in recipe]
    if len(in_recipe) == 1:
        target = next(spot for spot in spots if spot is not in_recipe[0])
        yield Swap(in_recipe[0].id, target.id, f"paper: {keyword.group().lower()}")


def _distance(spot: Spot, keyword_words: Sequence[int]) -> int:
    return min(abs(spot.start - keyword_words[-1]), abs(keyword_words[0] - (spot.end - 1)))


# Constructions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Rule:
    """A construction in which `y` is replaced by `x`, both written as the number of an ingredient: "<0>"."""

    name: str
    pattern: re.Pattern[str]
    confidence: float
    either_way: bool = False  # cooks use it in both directions: the recipe decides


_X, _Y = r"<(?P<x>\d+)>", r"<(?P<y>\d+)>"
# Between a verb and its food: an amount, an article, how it was prepared.
_FILL = r"""(?:
    (?!instead|but|and|so|because|then|with|for|,|;|\.|used?|using|had|have)
    [a-z'½¼¾⅓⅔⅛\d./%-]+\s
){0,5}?"""
# A noun after a food, of which the food is only a part: "<0> cubes".
_NOUN = r"(?:\s(?!instead|of|for|with|in|and|but|so|because|since|as|to|i|we|rather|than)[a-z']+)?"
_USED = r"""(?:
    used|use|using|uses|added|add|put|tried|went\swith|made\s(?:it|this|them)\swith|made\swith|did|took|threw\sin|chose
    |opted\sfor
)"""
_LACKED = r"""(?:
    (?:did(?:n't|\snot)|do(?:n't|\snot))\s(?:have|like|want|care\sfor|eat|keep)(?:\sany|\senough|\sthe)?
    | had\sno | have\sno | was\sout\sof | were\sout\sof | ran\sout\sof | am\sout\sof
    | couldn't\sfind | could\snot\sfind | can't\s(?:have|eat|find) | cannot\s(?:have|eat|find)
    | (?:am|was|is)\sallergic\sto | had\srun\sout\sof | without
)"""
# Between what was lacking and what was done about it.
_SO_I = r"""
    (?:\son\shand|\sat\shome|\shandy|\savailable|\sin\sthe\shouse|\sleft)?
    (?:\s,|\s;|\s-)?
    (?:\s(?:so|and|but|therefore))?
    (?:\s(?:i|we|she|he|my\s\w+))?
    (?:\s(?:just|simply|instead|decided\sto|had\sto|also|only|ended\sup))*
    \s"""
_SUBSTITUTED = r"substitut(?:ed|e|ing)"

# Words are one space apart (`_sentence_line`), so that "\s" in these patterns is that space.
_ROWS = (
    ("x instead of y", rf"{_X}{_NOUN}(?:\s,)?(?:\s\w+){{0,2}}\sinstead\sof\s{_FILL}{_Y}", 0.95, False),
    (
        "x in place of y",
        rf"""{_X}{_NOUN}(?:\s,)?(?:\s\w+){{0,3}}
        \s(?:in\splace\sof|in\slieu\sof|rather\sthan|as\san?\s(?:substitute|replacement|sub)\s(?:for|of))
        \s{_FILL}{_Y}""",
        0.95,
        False,
    ),
    (
        "instead of y used x",
        rf"""(?:instead\sof|in\splace\sof|in\slieu\sof|rather\sthan)
        \s{_FILL}{_Y}{_NOUN}(?:\s,)?(?:\s(?:i|we|she|he))?(?:\s\w+){{0,2}}?\s{_USED}\s{_FILL}{_X}""",
        0.95,
        False,
    ),
    (
        "instead of y, x",
        rf"(?:instead\sof|in\splace\sof|in\slieu\sof)\s{_FILL}{_Y}{_NOUN}\s,\s{_FILL}{_X}",
        0.75,
        False,
    ),
    (
        "replaced y with x",
        rf"""(?:replac(?:ed|e|ing)|swap(?:ped|ping)?\sout|switch(?:ed|ing)?\sout|{_SUBSTITUTED}
        |sub(?:bed|bing)?(?:\sout)?|exchang(?:ed|ing))
        \s{_FILL}{_Y}{_NOUN}\s(?:with|by|w)\s{_FILL}{_X}""",
        0.95,
        False,
    ),
    (
        "substituted x for y",
        rf"""(?:{_SUBSTITUTED}|sub(?:bed|bing|s)?(?:\sin)?|us(?:ed|ing)\s)
        \s?{_FILL}{_X}{_NOUN}\s(?:for|in\sfor)\s{_FILL}{_Y}""",
        0.85,
        True,
    ),
    (
        "swapped y for x",
        rf"""(?:swap(?:ped|ping)?|switch(?:ed|ing)?|exchang(?:ed|ing)|trad(?:ed|ing)|replac(?:ed|ing))
        \s{_FILL}{_Y}{_NOUN}\s(?:for|to)\s{_FILL}{_X}""",
        0.85,
        True,
    ),
    ("had no y so used x", rf"{_LACKED}\s{_FILL}{_Y}{_NOUN}{_SO_I}{_USED}\s{_FILL}{_X}", 0.9, False),
    (
        "had no y so substituted x",
        rf"""{_LACKED}\s{_FILL}{_Y}{_NOUN}{_SO_I}
        (?:substitut(?:ed|ing)|sub(?:bed|bing)(?:\sin)?|replaced\s(?:it|them|that)\swith|swapped\sin)
        \s{_FILL}{_X}""",
        0.95,
        False,
    ),
    (
        "used x because no y",
        rf"""{_USED}\s{_FILL}{_X}{_NOUN}(?:\sinstead)?(?:\s,)?
        \s(?:because|since|as|cuz|cause)(?:\s(?:i|we|that))?\s(?:\w+\s)?{_LACKED}\s{_FILL}{_Y}""",
        0.9,
        False,
    ),
    (
        "substitute for y: x",
        rf"(?:{_SUBSTITUTED}|replac(?:ed|ing))\s(?:for\s)?{_FILL}{_Y}{_NOUN}(?:\s,|\s:|\s-)\s{_FILL}{_X}",
        0.6,
        True,
    ),
)
_RULES = tuple(
    _Rule(name, re.compile(pattern, re.VERBOSE), confidence, either_way)
    for name, pattern, confidence, either_way in _ROWS
)


def stated_swaps(
    words: Sequence[Word],
    spots: Sequence[Spot],
    is_question: bool,
    recipe: frozenset[int] | None,
    next_sentence: str = "",
) -> Iterator[Swap]:
    """Read the constructions of a sentence; `recipe` is what the recipe has, None where that is not known.

    The next sentence may tell how it came out.
    """
    line = _sentence_line(words, spots)
    used: set[int] = set()
    for rule in _RULES:
        for match in rule.pattern.finditer(line):
            source, target = int(match["y"]), int(match["x"])
            if source in used or target in used or spots[source].id == spots[target].id:
                continue
            swap = _confirmed(rule, spots[source].id, spots[target].id, recipe)
            if swap is None:
                continue
            used |= {source, target}
            mood = _mood(line, match.start(), match.end(), is_question)
            detailed = _with_details(swap, mood, words, spots, source, target, flipped=swap.source != spots[source].id)
            rest = " ".join(word.text for word in words[max(spots[source].end, spots[target].end) :])
            verdict = verdict_of(rest, next_sentence) if mood in POSITIVE_MOODS else NO_VERDICT
            yield replace(detailed, verdict=verdict.opinion, verdict_words=verdict.words)


def _sentence_line(words: Sequence[Word], spots: Sequence[Spot]) -> str:
    """Write a sentence with each ingredient as its number between angle brackets."""
    starts = {spot.start: number for number, spot in enumerate(spots)}
    covered = {index for spot in spots for index in range(spot.start + 1, spot.end)}
    return " ".join(
        f"<{starts[index]}>" if index in starts else word.text
        for index, word in enumerate(words)
        if index not in covered
    )


def _confirmed(rule: _Rule, source: int, target: int, recipe: frozenset[int] | None) -> Swap | None:
    """Check a construction against the recipe: it must have what was replaced and not what replaced it."""
    if recipe is None:
        return None if rule.either_way else Swap(source, target, rule.name, confidence=rule.confidence - 0.15)
    if source in recipe and target not in recipe:
        return Swap(source, target, rule.name, confidence=rule.confidence)
    if rule.either_way and target in recipe and source not in recipe:
        return Swap(target, source, f"{rule.name}, the other way", confidence=rule.confidence - 0.05)
    return None


# Mood and amounts -----------------------------------------------------------------------------------------------------

_ASKING = re.compile(
    r"""
    \b(?:can|could|would|should|do|does|is\ it|has\ anyone|anyone|what\ if|wonder\w*|how\ about|think)
    \ (?:i|you|we|this|it|that|the|anyone|tried?|if)\b
    | \bwonder
    """,
    re.VERBOSE,
)
_PLANNED = re.compile(
    r"""
    \b(?: next\ time | will\ (?:try|use|probably|replace|substitute|add) | going\ to | gonna | plan(?:ning)?\ to
      | i'll | might | may\ try | would\ (?:use|try|probably|substitute|replace|suggest|recommend|have|be)
      | want\ to\ try | if\ i | thinking\ of | could\ be | should\ have | wish\ i
    )\b
    """,
    re.VERBOSE,
)
_NEGATED = re.compile(
    r"""
    \b(?:don't|do\ not|never|wouldn't|would\ not|shouldn't|cannot|can't|not)
    \ (?:\w+\ )?(?:use|substitut\w*|replac\w*|swap\w*|recommend|work)\b
    """,
    re.VERBOSE,
)
_ADVICE = re.compile(
    r"""
    \b(?: you\ can | you\ could | try\ (?:using|substituting|replacing|adding) | if\ you
      | works?\ (?:well|great|fine|just|as) | recommend | suggest | can\ be\ (?:used|substituted|replaced) | feel\ free
    )\b
    """,
    re.VERBOSE,
)
_AROUND_BEFORE, _AROUND_AFTER = 60, 30  # characters around a construction that tell its mood
_AMOUNT_BEFORE = re.compile(
    r"""
    (?P<amount>
        (?: \d+(?:[./]\d+)? | [½¼¾⅓⅔⅛] | half\ an? | one | two | three | an? )  # "1", "1/2", "half a"
        (?: \ (?:\d+/\d+|[½¼¾⅓⅔⅛]) )?  # "1 1/2"
        (?: \ (?:a|of\ a) )?  # "1/2 of a"
        (?: \ (?: cups?|c|tablespoons?|tbsps?|tbs|teaspoons?|tsps?|ounces?|oz|pounds?|lbs?|grams?|g|ml|sticks?|cans?
                | cloves?|packages?|pkg|pints?|quarts?|slices? ) )
        (?: \ \. )?  # of an abbreviation
    )
    (?: \ of )? (?: \ the|\ my|\ some )? (?: \ [a-z]+ )? $  # "of the melted"
    """,
    re.VERBOSE,
)
_AMOUNT_WORDS = 7  # before an ingredient that may tell its amount


def _mood(line: str, start: int, end: int, is_question: bool) -> Mood:
    """Say whether it was done, advised, asked, planned or denied, from the words around the construction."""
    before = line[max(0, start - _AROUND_BEFORE) : end]
    around = line[max(0, start - _AROUND_BEFORE) : end + _AROUND_AFTER]
    if is_question or (_ASKING.search(before) and not re.search(r"\bi used\b", around)):
        return "question"
    if _NEGATED.search(before):
        return "negated"
    if _PLANNED.search(before):
        return "planned"
    return "advice" if _ADVICE.search(around) else "done"


def _with_details(
    swap: Swap, mood: Mood, words: Sequence[Word], spots: Sequence[Spot], source: int, target: int, flipped: bool
) -> Swap:
    source_amount, target_amount = (_amount_before(words, spots[number]) for number in (source, target))
    if flipped:
        source_amount, target_amount = target_amount, source_amount
    confidence = swap.confidence if mood == "done" else swap.confidence * (0.8 if mood == "advice" else 0.3)
    return Swap(swap.source, swap.target, swap.rule, mood, round(confidence, 3), source_amount, target_amount)


def _amount_before(words: Sequence[Word], spot: Spot) -> str:
    before = " ".join(word.text for word in words[max(0, spot.start - _AMOUNT_WORDS) : spot.start])
    match = _AMOUNT_BEFORE.search(before)
    return match["amount"] if match else ""
