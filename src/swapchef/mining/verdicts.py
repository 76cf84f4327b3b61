"""How a swap came out, where the writer says so: "and it was divine", "came out dry", "couldn't tell the difference".

Only what follows the swap counts, in its sentence or in the next one, and only what speaks of the result: of "it", of what "came out" or "worked". Praise of the
recipe as a whole is no verdict on the swap.
"""

import re
from typing import Literal, NamedTuple

Opinion = Literal["good", "bad", "mixed", ""]

_GOOD = (
    "good great fine perfect perfectly perfection delicious amazing awesome wonderful wonderfully excellent fantastic fabulous yummy tasty divine beautiful beautifully nice"
    " nicely lovely well moist tender fluffy creamy crispy fantastically superb better best incredible heavenly scrumptious flavorful flavourful"
    " terrific hit winner success outstanding phenomenal favorite ok okay brilliant brilliantly yum delish marvelous wonders treat"
    " refreshing success keeper spectacular splendid exceptional tastier moister".split()
)
_BAD = (
    "bad badly dry dense bland awful terrible horrible disgusting gross rubbery mushy soggy watery runny flat bitter disappointing disappointed disaster gummy tough"
    " flavorless tasteless inedible burnt burned overpowering worse worst greasy grainy lumpy crumbly chewy soupy weird odd"
    " unpleasant failure fail flop meh yucky sour overwhelming heavy hard lacking salty".split()
)
_SUBJECT = r"(?:it|they|this|these|that|those|which|both|all|everything|(?:the|my) (?:result|results|taste|flavou?r|texture|outcome|dish|cake|cookies|bread|muffins|sauce|soup|batter|dough|whole thing)|what i got)"
_ADVERBS = r"(?:(?:all|both|still|just|also|really|always|definitely|honestly|actually|even|so) )*"
_VERB = r"(?:(?:came|come|comes|coming|turned|turn|turns|turning) out|worked(?: out)?|works?(?: out)?|ended up|made (?:it|them)|makes (?:it|them))"
_STATE = r"(?:(?:was|were|is|are|tasted|tastes|taste|looked|baked up|stayed|did|has been|had)(?: not|n't)?|wasn't|weren't|isn't|didn't taste|did not taste|'s)"
_BETWEEN = r"(?P<between>(?:(?!but|and|because|so that)[a-z'-]+ ){0,4}?)"
_RESULT = re.compile(
    rf"(?P<denied>(?:didn't|did not|doesn't|don't|not|never) )?(?:\b{_VERB}|\b{_SUBJECT},? {_ADVERBS}{_STATE}) {_BETWEEN}"
    rf"(?:(?P<good>{'|'.join(_GOOD)})|(?P<bad>too [a-z]+|{'|'.join(_BAD)}))\b(?! recipe)"
    rf"(?: ?,? (?:but|yet|though) (?:it )?(?:was )?(?:still |also |very |so )*(?:(?P<but_good>{'|'.join(_GOOD)})|(?P<but_bad>{'|'.join(_BAD)}))\b)?"
)
# What only might be, what is the reason rather than the result, and praise of the recipe: "this is a great soup".
_NO_RESULT = re.compile(
    r"\b(?:would|could|might|should|if|hope|see|wonder|because|since|as)(?: have| just| also| it| that)* $"
)
_PRAISE = re.compile(r"(?:this|these|it) (?:is|are) (?:\w+ )?(?:an?|my|one of|such) ")
_PLAIN_GOOD = re.compile(
    r"\b(?:no (?:noticeable )?difference|(?:could|can)(?:n't|not) (?:even )?(?:tell|taste) (?:the|a|any) difference|worked(?: just)?(?: fine| out)?(?= [.!,]|[.!,]|$)"
    r"|(?:loved|enjoyed|liked|preferred|prefer) (?:it|them|this|that|the (?:result|flavou?r|taste|texture|change|difference)s?)|worked like a charm|(?:it|this|that) (?:still )?(?:works|worked)(?= [.!,]|[.!,]|$))"
)
_PLAIN_BAD = re.compile(
    r"\b(?:(?:did(?:n't| not)|does(?:n't| not)) (?:work|turn out|come out|set|rise)\b(?! (?:bad|too))|(?:did(?:n't| not)|do(?:n't| not)) (?:like|love|care for) (?:it|them|this|that|the (?:result|flavou?r|taste|texture))"
    r"|lacked|lacking|was a mistake|not the same|big mistake|(?:won't|will not|wouldn't|would not) (?:do|try|use|make) (?:it|that|this) again|regret)\b"
)
_DENIAL = re.compile(r"\b(?:not|never|no|nothing|hardly|isn't|wasn't|weren't|n't)\b|n't\b")
_OPENING = re.compile(
    rf"\W*(?:(?:and|but|so|still|well|yes|overall|otherwise|also|then|oh|even so)[, ]+)*(?:{_SUBJECT}|{_VERB}|the result\w*|(?:we|i|everyone|my \w+)(?: all)?(?: really| still)? (?:loved|love|liked|enjoyed|prefer\w*|could|couldn't|didn't|did not) )",
)
_EXCLAIMED = re.compile(rf"\W*(?:so |very |absolutely |just |really |simply )?(?P<word>{'|'.join(_GOOD + _BAD)})\W*")


class Verdict(NamedTuple):
    """What a writer thinks of the result, and the words that say so."""

    opinion: Opinion
    words: str


NO_VERDICT = Verdict("", "")


def verdict_of(rest: str, following: str = "") -> Verdict:
    """Read the verdict from what follows a swap in its sentence, else from the sentence that comes next.

    >>> verdict_of("instead of sugar and it came out dry .")
    Verdict(opinion='bad', words='came out dry')
    >>> verdict_of("", "It was not too sweet, just perfect.").opinion
    'good'
    """
    for text in (_plain(rest), _opening(_plain(following))):
        said = [(opinion, words) for opinion, words in _opinions(text) if opinion]
        opinions = {opinion for opinion, _ in said}
        if said:
            return Verdict(said[0][0] if len(opinions) == 1 else "mixed", ", ".join(words for _, words in said))
    return NO_VERDICT


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split())


def _opening(text: str) -> str:
    """Return a sentence if it begins with the result, or is nothing but a cry; else nothing."""
    if found := _EXCLAIMED.fullmatch(text):
        return f"it was {found['word']}"
    return text if _OPENING.match(text) else ""


def _opinions(text: str) -> list[tuple[Opinion, str]]:
    results = [match for match in _RESULT.finditer(text) if not _PRAISE.match(match.group())]
    taken = [match.span() for match in results]
    found: list[tuple[int, Opinion, str]] = []
    plain: tuple[tuple[Opinion, re.Pattern[str]], ...] = (("good", _PLAIN_GOOD), ("bad", _PLAIN_BAD))
    for opinion, pattern in plain:
        for match in pattern.finditer(text):
            if not any(start < match.end() and match.start() < end for start, end in taken):
                found.append((match.start(), opinion, match.group()))
    for match in results:
        is_good = match["good"] is not None
        before = text[match.start() : match.start("good" if is_good else "bad")]
        denied = bool(_DENIAL.search(before))
        found.append((match.start(), "good" if is_good != denied else "bad", match.group()))
        if match["but_good"] or match["but_bad"]:
            found.append((match.end(), "good" if match["but_good"] else "bad", match["but_good"] or match["but_bad"]))
    return [(opinion, words) for start, opinion, words in sorted(found) if not _NO_RESULT.search(text[:start])]
