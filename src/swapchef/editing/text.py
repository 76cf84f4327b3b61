"""Put one food's name in place of another's in a text, with number, article, capitals and repeated amounts.

Where the text speaks of the food is known from `mentions`. Around each mention the words that depend on it are mended:
preparations that are no longer true, verbs, the piece that is cut from it; a doubtful mention is left alone.
"""

import re
from dataclasses import replace

from swapchef.amounts.portions import portion_of
from swapchef.editing.matched_recipe import MatchedRecipe
from swapchef.editing.mentions import CUTS, PIECES, Mention, is_attributive
from swapchef.editing.plan import Plan
from swapchef.effects.techniques import techniques
from swapchef.en.nouns import (
    article,
    capitalized,
    comes_in_many,
    in_title_case,
    is_counted,
    many_of,
    one_of,
    singular,
    spelled,
)
from swapchef.foods.kinds import is_kind_of, kinds_of
from swapchef.foods.preparations import HOW, can_be, is_preparation
from swapchef.recipes import parse_line
from swapchef.recipes.units import UNITS

_REACH = 80  # characters; an amount, a verb or an article right before a food is shorter
_ONE_BEFORE = re.compile(r"\b(a|an|one|each|every|another)\s+$", re.IGNORECASE)
_EXACTLY_ONE = re.compile(r"(?<![\d/.½¼¾⅓⅔⅛] )(?<![\d/.-])1 $")
_ARTICLE = re.compile(r"\b(an?)(\s+)$", re.IGNORECASE)
_UNIT_WORDS = "|".join(sorted((word for word in UNITS if len(word) > 1), key=len, reverse=True))
_NUMBER = r"(?:\d+(?:[ -]\d+/\d+|/\d+|\.\d+)?|[½¼¾⅓⅔⅛]|\d+[½¼¾⅓⅔⅛]|\b(?:one|two|three|four|five|six|half an?))"
_MEASURED = re.compile(
    rf"(?<![\w/.])(?P<amount>{_NUMBER}(?:\s*(?:to|-|or)\s*{_NUMBER})?)(?P<unit>\s*(?:{_UNIT_WORDS})\b\.?)?"
    r"(?P<link>\s+(?:of\s+)?(?:the\s+)?)$",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(r"(?:^|(?<=[\s,(]))(?P<word>[^\W\d_]+)(?P<gap>,?\s+)$")
_VERB_BEFORE = re.compile(r"\b(?P<verb>[^\W\d_]+)(?P<rest>\s+(?:the\s+|remaining\s+|some\s+|a little\s+)*)$")
_BE = re.compile(
    r"(?P<gap>\s+)(?P<verb>is|are|was|were|has|have|does|do|doesn't|don't|turns?|becomes?|begins?|starts?|looks?|softens?)\b"
)
_MANY_IS = {"is": "are", "was": "were", "has": "have", "does": "do", "doesn't": "don't", "turns": "turn", "becomes": "become", "begins": "begin",
            "starts": "start", "looks": "look", "softens": "soften"}  # fmt: skip
_ONE_IS = {many: one for one, many in _MANY_IS.items()}
_INSTEAD_OF_VERB = {
    "butter": "grease", "oil": "grease", "flour": "dust", "salt": "season", "pepper": "season", "sugar": "sprinkle",
}  # fmt: skip
_INSTEAD_OF_ADJECTIVE = {
    "buttered": "greased", "oiled": "greased", "floured": "dusted", "salted": "seasoned", "peppered": "seasoned", "sugared": "sweetened",
}  # fmt: skip
_OBJECT = re.compile(r"[^.,;:()]*?(?=[.,;:()]|\s(?:and|with|until|to|before|then|well|in|on|over|or|if|using)\s|$)")
_PAIRED_VERB = re.compile(r"\b(?P<first>[^\W\d_]+) and $")
_TWICE = re.compile(r"\b([^\W\d_]{4,}) \1\b")
_SPRAY = re.compile(r"\b[Ss]pray\b(?=[^.;]*\bwith\s*$)")
_HEAT = frozenset({"boiling", "hot", "warm", "lukewarm", "cold"})
_ALONE_ONLY = frozenset({"mash", "blend", "crumble", "spoon", "pour"})  # not what else stands in the list with it


class Rewriter:
    """Puts other foods into a text where it speaks of those that go."""

    def __init__(self, plans: dict[int, Plan], matched: MatchedRecipe) -> None:
        self._plans = plans
        self._matched = matched

    def rewrite(self, text: str, mentions: list[Mention], in_title: bool = False, is_line: bool = False) -> str:
        """Return the text with each mention replaced, unless it is doubtful."""
        done, position = "", 0
        for mention in mentions:
            plan = self._plans[mention.food.id]
            if mention.is_doubtful or mention.role == "derived" or mention.start < position:
                continue
            if mention.is_part and not is_line and self._still_true(text[mention.start : mention.end], plan):
                continue
            if mention.is_part and in_title and "black pepper" in kinds_of(plan.food.name):
                continue  # a dish is called after the vegetable
            if in_title:  # where nothing is done to anything, and "Garlic Butter" keeps its garlic
                start = mention.end - len(_own_words(text[mention.start : mention.end], plan))
                mention = replace(mention, start=start, role="noun" if mention.role == "verb" else mention.role)
            before = done + text[position : mention.start]
            if mention.role == "verb":
                done, position = _other_verb(text, before, mention, plan)
            elif mention.role == "adjective":
                said = text[mention.start : mention.end]
                done, position = before + _other_adjective(said, text[mention.end :], plan), mention.end
            else:
                done, position = self._noun(text, before, mention, plan, in_title, is_line)
        done += text[position:]
        if in_title and mentions:
            done = _TWICE.sub(r"\1", done)  # "Vanilla Vanilla Frozen Yogurt"
        for plan in self._plans.values():
            if not self._has_longer_name(plan.shown):  # "celery and celery root" are two foods
                done = _without_repetition(done, plan.shown)
        return done

    def _has_longer_name(self, name: str) -> bool:
        return any(food.name.startswith(f"{name} ") for food in self._matched.foods)

    def _noun(
        self, text: str, before: str, mention: Mention, plan: Plan, in_title: bool, is_line: bool
    ) -> tuple[str, int]:
        end = _end_of_phrase(text, mention, plan)
        said = text[mention.start : mention.end]
        describes = is_attributive(text, end, in_title) or _names_a_piece(text[end:])
        if not in_title and not is_line:
            before = self._measured(_prepared(before, plan), said, plan)
            before = _with_other_verb(before, text[end:], plan)
            if "cooking spray" in kinds_of(plan.food.name):
                before = _SPRAY.sub(lambda found: "Grease" if found.group() == "Spray" else "grease", before)
        many = _mention_is_many(plan, mention, before, describes) and not _at_end(_EXACTLY_ONE, before)
        shown = _as_short(said, plan) if mention.is_part else plan.shown
        state = said.split()[0].lower()
        if state in _HEAT and " " in said and plan.can_be(state):
            shown = f"{state} {shown}"  # "boiling water" becomes boiling broth
        if in_title:
            shown = spelled(plan.parts[0]) if plan.mixture else shown.removesuffix(" extract")  # "Almond Pudding"
        name = many_of(shown) if many else one_of(shown) if not plan.mixture else shown
        before = _with_article(before, name, plan, many, describes)
        name = _cased(name, said, before, in_title, text[0].isupper())
        return before + name + _agreeing(text, end, before, mention, many), _after_be(text, end)

    def _still_true(self, said: str, plan: Plan) -> bool:
        """Say whether what the recipe says for short holds for both: "the cheese", of Cheddar as of Colby."""
        before, _, last = said.lower().rpartition(" ")
        short = f"{before} {singular(last)}".strip()
        if short == "pepper" and not is_counted(plan.target) and "black pepper" not in kinds_of(plan.target):
            return False  # beside salt it means the black one
        if any(food.id != plan.food.id and food.name.endswith(f" {short}") for food in self._matched.foods):
            return False  # another flour is in the recipe, so say which
        return not plan.mixture and f" {one_of(plan.target)}".endswith(f" {short}")

    def _measured(self, before: str, said: str, plan: Plan) -> str:
        """Convert an amount that the step repeats: "add 1/2 cup butter"."""
        found = _at_end(_MEASURED, before)
        if not found or (not found["unit"] and (not is_counted(plan.food.name) or found["amount"].lower() == "one")):
            return before
        line = parse_line(f"{found['amount']}{found['unit'] or ''} {said}")
        if line.amount is None:
            return before
        text = "" if plan.mixture else portion_of(plan.food.name, plan.target, line, self._matched.dish).text
        return before[: found.start()] + (f"{text} " if text else "the ")


def _at_end(pattern: re.Pattern[str], before: str) -> re.Match[str] | None:
    """Search the end of what stands before a food; the patterns end in "$", and would try every place of a long step."""
    return pattern.search(before, max(0, len(before) - _REACH))


def _as_short(said: str, plan: Plan) -> str:
    """Leave out the last word where the recipe does: "chicken" for chicken breast becomes "turkey" of turkey breast."""
    last = plan.food.name.split()[-1]
    rest, _, own = plan.shown.rpartition(" ")
    is_short = rest and last in CUTS and singular(own.lower()) == last != singular(said.split()[-1].lower())
    return rest if is_short and not plan.mixture else plan.shown


def _prepared(before: str, plan: Plan) -> str:
    """Drop what was done to the old food and cannot be done to the new: "melted", "lightly beaten"."""
    while (found := _at_end(_LAST_WORD, before)) and found["word"].lower().endswith(("ed", "beaten")):
        word = found["word"].lower()
        if not is_preparation(word) or plan.can_be(word):
            break
        before = before[: found.start()]
        while (how := _at_end(_LAST_WORD, before)) and how["word"].lower() in HOW:
            before = before[: how.start()]
    return before


def _with_other_verb(before: str, after: str, plan: Plan) -> str:
    """Replace a verb right before the food by the one that `techniques.tsv` gives."""
    measured = _at_end(_MEASURED, before)
    front, rest = (before[: measured.start()], before[measured.start() :]) if measured else (before, "")
    found = _at_end(_VERB_BEFORE, front)
    if not found:
        return before
    for row in techniques(plan.food.name, plan.target):
        if (
            row.instead
            and row.verbs.fullmatch(found["verb"])
            and not found["verb"].lower().endswith(("ed", "ing", "en"))
        ):
            if row.instead in _ALONE_ONLY and re.match(r"\s*,|\s+(?:and|with|or)\b", after):
                return before
            verb = capitalized(row.instead) if found["verb"][0].isupper() else row.instead
            return front[: found.start()] + verb + found["rest"] + rest
    return before


def _end_of_phrase(text: str, mention: Mention, plan: Plan) -> int:
    """Take in the piece ("juice", "wedges") that the new food has not."""
    end = mention.end
    following = _NEXT_WORD.match(text, end)
    piece = singular(following[1].lower()) if following else ""
    cut = _PIECE_OF_WHAT.get(piece, "chopped")
    if following and piece in PIECES and can_be(cut, plan.food.name) and not plan.can_be(cut):
        return following.end()  # but the juice of clams was never pressed from a fruit
    return end


def _names_a_piece(after: str) -> bool:
    """Say whether "slices", "juice" or the like follows."""
    following = _NEXT_WORD.match(after)
    return following is not None and singular(following[1].lower()) in PIECES


_NEXT_WORD = re.compile(r"[ -]([^\W\d_]+)")
_PIECE_OF_WHAT = {
    **dict.fromkeys(("juice", "zest", "rind", "peel"), "zested"), **dict.fromkeys(("breast", "thigh", "leg", "wing"), "boneless"),
}  # fmt: skip


def _mention_is_many(plan: Plan, mention: Mention, before: str, describes: bool) -> bool:
    if describes or plan.mixture or plan.is_measured or not is_counted(plan.target):
        return False
    if mention.is_many:
        return True
    if _at_end(_ONE_BEFORE, before):
        return False
    return plan.comes_as_many or (not is_counted(plan.food.name) and comes_in_many(plan.target))


def _with_article(before: str, name: str, plan: Plan, many: bool, describes: bool) -> str:
    found = _at_end(_ARTICLE, before)
    if not found:
        return before
    is_one = is_counted(plan.target) and not many and not plan.mixture and not plan.is_measured
    counts = describes or is_one or not is_counted(plan.food.name)
    word = article(name) if counts else "the"
    word = capitalized(word) if found[1][0].isupper() else word
    return before[: found.start()] + word + found[2]


def _cased(name: str, said: str, before: str, in_title: bool, opens_upper: bool) -> str:
    """Give a name the capitals that the old one had."""
    if said.isupper() and len(said) > 3 and before.upper() == before:
        return name.upper()
    starts = not before.strip() or before.rstrip()[-1] in ".!?:" or bool(re.search(r"\d\)\s*$", before))
    if in_title and said[0].isupper():
        return in_title_case(name)
    return capitalized(name) if starts and (said[0].isupper() or (opens_upper and not before.strip())) else name


def _agreeing(text: str, end: int, before: str, mention: Mention, many: bool) -> str:
    """Make a verb right after the food agree with its new number; in a list ("carrots and potatoes are") it stays."""
    found = _BE.match(text, end)
    if not found:
        return ""
    if mention.is_many == many or re.search(r"\b(?:and|or|&)\s+(?:the\s+)?$", before):
        return found.group()
    verb = found["verb"]
    return found["gap"] + (_MANY_IS if many else _ONE_IS).get(verb, verb)


def _after_be(text: str, end: int) -> int:
    found = _BE.match(text, end)
    return found.end() if found else end


def _own_words(said: str, plan: Plan) -> str:
    """Return the end of a longer name that is the food itself, unless what stands before only tells its kind."""
    own = " ".join(said.split()[-len(plan.food.name.split()) :])
    is_longer = one_of(own.lower()) == plan.food.name and not is_kind_of(said.lower(), own.lower())
    return own if is_longer else said


def _keeps_word(root: str, plan: Plan) -> bool:
    """Say whether "floured" is still true: of rice flour it is, of peanut butter "buttered" is not."""
    return root in kinds_of(plan.target) if root == "butter" else plan.target.split()[-1:] == [root]


def _other_verb(text: str, before: str, mention: Mention, plan: Plan) -> tuple[str, int]:
    """Rewrite "Butter a pan" to "Grease a pan with margarine", "grease and flour it" to "grease it and dust it with ..."."""
    said = text[mention.start : mention.end]
    root = said.lower()
    if _keeps_word(root, plan):
        return before + said, mention.end
    verb = _INSTEAD_OF_VERB[root]
    if re.match(r" (?:and|&) [^\W\d_]+ ", text[mention.end :]):  # "Butter and flour the pan"
        return before + (capitalized(verb) if said[0].isupper() else verb), mention.end
    found = _OBJECT.match(text, mention.end)
    object, end = (found.group(), found.end()) if found else ("", mention.end)
    paired = _at_end(_PAIRED_VERB, before)
    if paired and object:
        pronoun = "them" if re.search(r"(?<!s)s$", object) else "it"
        return f"{before[: paired.end('first')]}{object} and {verb} {pronoun} with {plan.shown}", end
    verb = capitalized(verb) if said[0].isupper() else verb
    return f"{before}{verb}{object} with {plan.shown}", end


def _other_adjective(said: str, after: str, plan: Plan) -> str:
    word = said.lower()
    if _keeps_word(word.removesuffix("ed"), plan) or (word == "salted" and not after.startswith(" water")):
        return said
    instead = _INSTEAD_OF_ADJECTIVE[word]
    return capitalized(instead) if said[0].isupper() else instead


def _without_repetition(text: str, name: str) -> str:
    """Write "margarine or margarine" once."""
    lowered, many = text.lower(), many_of(name)
    if name.lower() not in lowered or max(lowered.count(name.lower()), lowered.count(many.lower())) < 2:
        return text
    twice = re.compile(
        rf"\b({re.escape(name)}|{re.escape(many)})(?:,? (?:and|or|and/or|&) |/)(?:the |\1)?\b\1\b",
        re.IGNORECASE,
    )
    return twice.sub(r"\1", text)
