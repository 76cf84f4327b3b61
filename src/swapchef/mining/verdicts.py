"""How a swap came out, where the writer tells: "and it was divine", "came out dry", "couldn't tell the difference".

Only what follows the swap counts, in its sentence or in the next one, and only what is about the result: about "it", or
what "came out" or "worked". Praise of the recipe as a whole is no verdict on the swap.
"""

import re
from typing import Literal, NamedTuple

Opinion = Literal["good", "bad", "mixed", ""]

_GOOD = "|".join(
    "good great fine perfect perfectly perfection delicious amazing awesome wonderful wonderfully excellent fantastic"
    " fabulous yummy tasty divine beautiful beautifully nice nicely lovely well moist tender fluffy creamy crispy"
    " fantastically superb better best incredible heavenly scrumptious flavorful flavourful terrific hit winner success"
    " outstanding phenomenal favorite ok okay brilliant brilliantly yum delish marvelous wonders treat refreshing"
    " success keeper spectacular splendid exceptional tastier moister".split()
)
_BAD = "|".join(
    "bad badly dry dense bland awful terrible horrible disgusting gross rubbery mushy soggy watery runny flat bitter"
    " disappointing disappointed disaster gummy tough flavorless tasteless inedible burnt burned overpowering worse"
    " worst greasy grainy lumpy crumbly chewy soupy weird odd unpleasant failure fail flop meh yucky sour overwhelming"
    " heavy hard lacking salty".split()
)
# Parts of a statement about the result; all are for verbose patterns, in which a space must be escaped.
_SUBJECT = r"""(?:
    it|they|this|these|that|those|which|both|all|everything|what\ i\ got
    | (?:the|my)\ (?:result|results|taste|flavou?r|texture|outcome|dish|cake|cookies|bread|muffins|sauce|soup|batter
        |dough|whole\ thing)
)"""
_ADVERBS = r"(?:(?:all|both|still|just|also|really|always|definitely|honestly|actually|even|so)\ )*"
_VERB = r"""(?:
    (?:came|come|comes|coming|turned|turn|turns|turning)\ out
    | worked(?:\ out)? | works?(?:\ out)? | ended\ up | made\ (?:it|them) | makes\ (?:it|them)
)"""
_STATE = r"""(?:
    (?:was|were|is|are|tasted|tastes|taste|looked|baked\ up|stayed|did|has\ been|had)(?:\ not|n't)?
    | wasn't | weren't | isn't | didn't\ taste | did\ not\ taste | 's
)"""
_RESULT_NOUN = r"the\ (?:result|flavou?r|taste|texture)"
_RESULT = re.compile(
    rf"""
    (?P<denied>(?:didn't|did\ not|doesn't|don't|not|never)\ )?
    (?: \b{_VERB} | \b{_SUBJECT},?\ {_ADVERBS}{_STATE} )[ ]
    (?P<between>(?:(?!but|and|because|so\ that)[a-z'-]+\ ){{0,4}}?)
    (?: (?P<good>{_GOOD}) | (?P<bad>too\ [a-z]+|{_BAD}) )\b(?!\ recipe)
    # "dry, but still tasty"
    (?: \ ?,?\ (?:but|yet|though)\ (?:it\ )?(?:was\ )?(?:still\ |also\ |very\ |so\ )*
        (?: (?P<but_good>{_GOOD}) | (?P<but_bad>{_BAD}) )\b )?
    """,
    re.VERBOSE,
)
# Before what only might be, and before a reason: "would have", "because it".
_NO_RESULT = re.compile(
    r"""
    \b(?:would|could|might|should|if|hope|see|wonder|because|since|as)
    (?:\ have|\ just|\ also|\ it|\ that)*\ $
    """,
    re.VERBOSE,
)
_ABOUT_RECIPE = re.compile(r"(?:this|these|it) (?:is|are) (?:\w+ )?(?:an?|my|one of|such) ")  # "this is a great soup"
_GOOD_PHRASE = re.compile(
    r"""
    \b(?: no\ (?:noticeable\ )?difference
      | (?:could|can)(?:n't|not)\ (?:even\ )?(?:tell|taste)\ (?:the|a|any)\ difference
      | worked(?:\ just)?(?:\ fine|\ out)?(?=\ [.!,]|[.!,]|$)
      | (?:loved|enjoyed|liked|preferred|prefer)
        \ (?:it|them|this|that|the\ (?:result|flavou?r|taste|texture|change|difference)s?)
      | worked\ like\ a\ charm
      | (?:it|this|that)\ (?:still\ )?(?:works|worked)(?=\ [.!,]|[.!,]|$)
    )
    """,
    re.VERBOSE,
)
_BAD_PHRASE = re.compile(
    rf"""
    \b(?: (?:did(?:n't|\ not)|does(?:n't|\ not))\ (?:work|turn\ out|come\ out|set|rise)\b(?!\ (?:bad|too))
      | (?:did(?:n't|\ not)|do(?:n't|\ not))\ (?:like|love|care\ for)\ (?:it|them|this|that|{_RESULT_NOUN})
      | lacked | lacking | was\ a\ mistake | not\ the\ same | big\ mistake
      | (?:won't|will\ not|wouldn't|would\ not)\ (?:do|try|use|make)\ (?:it|that|this)\ again | regret
    )\b
    """,
    re.VERBOSE,
)
_DENIAL = re.compile(r"\b(?:not|never|no|nothing|hardly|isn't|wasn't|weren't|n't)\b|n't\b")
# How a sentence begins that goes on about the result of the one before.
_OPENING = re.compile(
    rf"""
    \W*(?:(?:and|but|so|still|well|yes|overall|otherwise|also|then|oh|even\ so)[,\ ]+)*
    (?: {_SUBJECT} | {_VERB} | the\ result\w*
      | (?:we|i|everyone|my\ \w+)(?:\ all)?(?:\ really|\ still)?
        \ (?:loved|love|liked|enjoyed|prefer\w*|could|couldn't|didn't|did\ not)[ ]
    )
    """,
    re.VERBOSE,
)
_EXCLAMATION = re.compile(
    rf"\W*(?:so\ |very\ |absolutely\ |just\ |really\ |simply\ )?(?P<word>{_GOOD}|{_BAD})\W*", re.VERBOSE
)


class Verdict(NamedTuple):
    """What a writer thinks of the result, and the words that tell it."""

    opinion: Opinion
    words: str


NO_VERDICT = Verdict("", "")


def verdict_of(rest: str, next_sentence: str = "") -> Verdict:
    """Read the verdict from what follows a swap in its sentence, else from the sentence that comes next.

    >>> verdict_of("instead of sugar and it came out dry .")
    Verdict(opinion='bad', words='came out dry')
    >>> verdict_of("", "It was not too sweet, just perfect.").opinion
    'good'
    """
    for text in (_plain(rest), _about_result(_plain(next_sentence))):
        statements = [(opinion, words) for opinion, words in _opinions(text) if opinion]
        opinions = {opinion for opinion, _ in statements}
        if statements:
            opinion = statements[0][0] if len(opinions) == 1 else "mixed"
            return Verdict(opinion, ", ".join(words for _, words in statements))
    return NO_VERDICT


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split())


def _about_result(text: str) -> str:
    """Return a sentence if it begins with the result, or is nothing but an exclamation; else nothing."""
    if exclamation := _EXCLAMATION.fullmatch(text):
        return f"it was {exclamation['word']}"
    return text if _OPENING.match(text) else ""


def _opinions(text: str) -> list[tuple[Opinion, str]]:
    """Return every opinion on the result in a text, in its order, and the words of each."""
    results = [match for match in _RESULT.finditer(text) if not _ABOUT_RECIPE.match(match.group())]
    result_spans = [match.span() for match in results]
    opinions: list[tuple[int, Opinion, str]] = []
    phrases: tuple[tuple[Opinion, re.Pattern[str]], ...] = (("good", _GOOD_PHRASE), ("bad", _BAD_PHRASE))
    for opinion, pattern in phrases:
        for match in pattern.finditer(text):
            if not any(start < match.end() and match.start() < end for start, end in result_spans):
                opinions.append((match.start(), opinion, match.group()))
    for match in results:
        is_good = match["good"] is not None
        before = text[match.start() : match.start("good" if is_good else "bad")]
        denied = bool(_DENIAL.search(before))
        opinions.append((match.start(), "good" if is_good != denied else "bad", match.group()))
        if match["but_good"] or match["but_bad"]:
            word = match["but_good"] or match["but_bad"]
            opinions.append((match.end(), "good" if match["but_good"] else "bad", word))
    return [(opinion, words) for start, opinion, words in sorted(opinions) if not _NO_RESULT.search(text[:start])]
