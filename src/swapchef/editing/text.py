"""Put one food's name in place of another's in a text, with number, article, capitals and repeated amounts.

`mentions` says where the text speaks of the food. Around each mention the words that depend on it are rewritten:
preparations that are no longer true, verbs, the piece that is cut from it; a doubtful mention is left alone.
"""

import re
from dataclasses import replace

from swapchef.amounts.portions import portion_of
from swapchef.editing.matched_recipe import MatchedRecipe
from swapchef.editing.mentions import CUTS, NEXT_WORD, PIECES, Mention, is_attributive
from swapchef.editing.plan import Plan
from swapchef.effects.techniques import techniques
from swapchef.en import steps
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
_CHANGEABLE = 5 * _REACH  # characters before a mention that it may change: "spray" far before "with cooking spray"
_UNIT_WORDS = "|".join(map(re.escape, sorted((word for word in UNITS if len(word) > 1), key=len, reverse=True)))
_AMOUNT_BEFORE = steps.amount_before(_UNIT_WORDS)
_SENTENCE_ENDS = ".!?:"


class _Output:
    """The text written so far: its end, which the next mention may still change, and the settled text before that.

    However long a text is, a mention looks at no more than that end, so that rewriting takes linear time.
    """

    def __init__(self) -> None:
        self._settled: list[str] = []
        self._settled_in_capitals = True
        self.end = ""

    def add(self, text: str) -> None:
        """Write what stays as it was."""
        self.end += text
        if len(self.end) > 2 * _CHANGEABLE:
            settled, self.end = self.end[:-_CHANGEABLE], self.end[-_CHANGEABLE:]
            self._settled.append(settled)
            self._settled_in_capitals = self._settled_in_capitals and settled.upper() == settled

    @property
    def is_in_capitals(self) -> bool:
        """Say whether no letter so far is a small one."""
        return self._settled_in_capitals and self.end.upper() == self.end

    @property
    def text(self) -> str:
        """Return all of it."""
        return "".join([*self._settled, self.end])


class Rewriter:
    """Puts other foods into a text where it speaks of those that go."""

    def __init__(self, plans: dict[int, Plan], matched: MatchedRecipe) -> None:
        self._plans = plans
        self._matched = matched

    def rewrite(self, text: str, mentions: list[Mention], in_title: bool = False, is_line: bool = False) -> str:
        """Return the text with each mention replaced, unless it is doubtful."""
        output, position = _Output(), 0
        for mention in mentions:
            plan = self._plans[mention.food.id]
            if mention.start < position or self._stays(text, mention, plan, in_title, is_line):
                continue
            if in_title:  # where nothing is done to anything, and "Garlic Butter" keeps its garlic
                start = mention.end - len(_own_words(text[mention.start : mention.end], plan))
                mention = replace(mention, start=start, role="noun" if mention.role == "verb" else mention.role)
            output.add(text[position : mention.start])
            if mention.role == "verb":
                output.end, position = _other_verb(text, output.end, mention, plan)
            elif mention.role == "adjective":
                output.end, position = output.end + _other_adjective(text, mention, plan), mention.end
            else:
                position = self._write_noun(text, output, mention, plan, in_title, is_line)
        output.add(text[position:])
        return self._without_repetitions(output.text, in_title and bool(mentions))

    def _stays(self, text: str, mention: Mention, plan: Plan, in_title: bool, is_line: bool) -> bool:
        """Say whether a mention is doubtful or says what is true of the new food as well."""
        if mention.is_doubtful or mention.role == "derived":
            return True
        if not mention.is_part:
            return False
        if in_title and "black pepper" in kinds_of(plan.food.name):
            return True  # a dish is called after the vegetable
        return not is_line and self._still_true(text[mention.start : mention.end], plan)

    def _without_repetitions(self, text: str, is_new_title: bool) -> str:
        if is_new_title:
            text = steps.WORD_TWICE.sub(r"\1", text)
        for plan in self._plans.values():
            if not self._has_longer_name(plan.shown):  # "celery and celery root" are two foods
                text = _without_repetition(text, plan.shown)
        return text

    def _has_longer_name(self, name: str) -> bool:
        return any(food.name.startswith(f"{name} ") for food in self._matched.foods)

    def _write_noun(
        self, text: str, output: _Output, mention: Mention, plan: Plan, in_title: bool, is_line: bool
    ) -> int:
        """Write the new name and what agrees with it, and return where the old text goes on."""
        end = _end_of_phrase(text, mention, plan)
        old_words = text[mention.start : mention.end]
        describes = is_attributive(text, end, in_title) or _names_a_piece(text, end)
        if not in_title and not is_line:
            output.end = self._before_noun(text, output.end, end, old_words, plan)
        is_one = _at_end(steps.EXACTLY_ONE_BEFORE, output.end) is not None
        many = not is_one and _mention_is_many(plan, mention, output.end, describes)
        shown = _shown_name(old_words, mention, plan, in_title)
        name = many_of(shown) if many else one_of(shown) if not plan.mixture else shown
        output.end = _with_article(output.end, name, plan, many, describes)
        name = _cased(name, old_words, output, in_title, text[0].isupper())
        verb, position = _agreeing_verb(text, end, output.end, mention, many)
        output.end += name + verb
        return position

    def _before_noun(self, text: str, before: str, end: int, old_words: str, plan: Plan) -> str:
        """Rewrite what stands before the food: preparations, a repeated amount, the verb."""
        before = self._converted(_without_preparations(before, plan), old_words, plan)
        before = _with_other_verb(before, text, end, plan)
        if "cooking spray" in kinds_of(plan.food.name):
            before = steps.SPRAY_BEFORE.sub(lambda verb: _cased_as(verb[0], steps.INSTEAD_OF_SPRAY), before)
        return before

    def _still_true(self, old_words: str, plan: Plan) -> bool:
        """Say whether what the recipe says for short holds for both: "the cheese", of Cheddar as of Colby."""
        before, _, last = old_words.lower().rpartition(" ")
        short = f"{before} {singular(last)}".strip()
        if short == "pepper" and not is_counted(plan.target) and "black pepper" not in kinds_of(plan.target):
            return False  # beside salt it means the black one
        if any(food.id != plan.food.id and food.name.endswith(f" {short}") for food in self._matched.foods):
            return False  # another flour is in the recipe, so say which
        return not plan.mixture and f" {one_of(plan.target)}".endswith(f" {short}")

    def _converted(self, before: str, old_words: str, plan: Plan) -> str:
        """Convert an amount that the step repeats: "add 1/2 cup butter"."""
        repeated = _at_end(_AMOUNT_BEFORE, before)
        if not repeated:
            return before
        if not repeated["unit"] and (not is_counted(plan.food.name) or repeated["amount"].lower() == "one"):
            return before
        line = parse_line(f"{repeated['amount']}{repeated['unit'] or ''} {old_words}")
        if line.amount is None:
            return before
        amount = "" if plan.mixture else portion_of(plan.food.name, plan.target, line, self._matched.dish).text
        return before[: repeated.start()] + (f"{amount} " if amount else "the ")


def _at_end(pattern: re.Pattern[str], before: str) -> re.Match[str] | None:
    """Search the end of what stands before a food with a pattern that ends in "$"."""
    return pattern.search(before, max(0, len(before) - _REACH))


def _cased_as(old: str, new: str) -> str:
    """Give a word a capital where the one in its place had one."""
    return capitalized(new) if old[0].isupper() else new


def _shown_name(old_words: str, mention: Mention, plan: Plan, in_title: bool) -> str:
    """Return the new name as short, as hot and as plain as the recipe names the old food here."""
    if in_title and plan.mixture:
        return spelled(plan.parts[0])
    shown = _as_short(old_words, plan) if mention.is_part else plan.shown
    state = old_words.split()[0].lower()
    if state in steps.HOW_HOT and " " in old_words and plan.can_be(state):
        shown = f"{state} {shown}"  # "boiling water" becomes boiling broth
    return shown.removesuffix(" extract") if in_title else shown  # "Almond Pudding"


def _as_short(old_words: str, plan: Plan) -> str:
    """Leave out the last word where the recipe does: "chicken" for chicken breast becomes "turkey" of turkey breast."""
    last = plan.food.name.split()[-1]
    rest, _, own = plan.shown.rpartition(" ")
    is_short = rest and last in CUTS and singular(own.lower()) == last != singular(old_words.split()[-1].lower())
    return rest if is_short and not plan.mixture else plan.shown


def _without_preparations(before: str, plan: Plan) -> str:
    """Drop what was done to the old food and cannot be done to the new: "melted", "lightly beaten"."""
    while (last := _at_end(steps.LAST_WORD_BEFORE, before)) and last["word"].lower().endswith(steps.PARTICIPLE_ENDINGS):
        word = last["word"].lower()
        if not is_preparation(word) or plan.can_be(word):
            break
        before = before[: last.start()]
        while (how := _at_end(steps.LAST_WORD_BEFORE, before)) and how["word"].lower() in HOW:
            before = before[: how.start()]
    return before


def _with_other_verb(before: str, text: str, end: int, plan: Plan) -> str:
    """Replace a verb right before the food by the one that `techniques.tsv` gives."""
    amount = _at_end(_AMOUNT_BEFORE, before)
    front, rest = (before[: amount.start()], before[amount.start() :]) if amount else (before, "")
    verb = _at_end(steps.VERB_BEFORE, front)
    if not verb or verb["verb"].lower().endswith(steps.NO_COMMAND_ENDINGS):
        return before
    for row in techniques(plan.food.name, plan.target):
        if row.instead and row.verbs.fullmatch(verb["verb"]):
            if row.instead in steps.DONE_TO_IT_ALONE and steps.GOES_ON.match(text, end):
                return before
            return front[: verb.start()] + _cased_as(verb["verb"], row.instead) + verb["rest"] + rest
    return before


def _end_of_phrase(text: str, mention: Mention, plan: Plan) -> int:
    """Take in the piece ("juice", "wedges") that the new food has not."""
    following = NEXT_WORD.match(text, mention.end)
    piece = singular(following[1].lower()) if following else ""
    cut = steps.CUT_OF_PIECE.get(piece, "chopped")
    if following and piece in PIECES and can_be(cut, plan.food.name) and not plan.can_be(cut):
        return following.end()  # but the juice of clams was never pressed from a fruit
    return mention.end


def _names_a_piece(text: str, end: int) -> bool:
    """Say whether "slices", "juice" or the like follows."""
    following = NEXT_WORD.match(text, end)
    return following is not None and singular(following[1].lower()) in PIECES


def _mention_is_many(plan: Plan, mention: Mention, before: str, describes: bool) -> bool:
    if describes or plan.mixture or plan.is_measured or not is_counted(plan.target):
        return False
    if mention.is_many:
        return True
    if _at_end(steps.ONE_BEFORE, before):
        return False
    return plan.comes_as_many or (not is_counted(plan.food.name) and comes_in_many(plan.target))


def _with_article(before: str, name: str, plan: Plan, many: bool, describes: bool) -> str:
    old = _at_end(steps.ARTICLE_BEFORE, before)
    if not old:
        return before
    is_one = is_counted(plan.target) and not many and not plan.mixture and not plan.is_measured
    counts = describes or is_one or not is_counted(plan.food.name)
    return before[: old.start()] + _cased_as(old[1], article(name) if counts else "the") + old[2]


def _cased(name: str, old_words: str, output: _Output, in_title: bool, opens_upper: bool) -> str:
    """Give a name the capitals that the old one had."""
    before = output.end.rstrip()
    if old_words.isupper() and len(old_words) > 3 and output.is_in_capitals:
        return name.upper()
    if in_title and old_words[0].isupper():
        return in_title_case(name)
    if not before:
        return capitalized(name) if old_words[0].isupper() or opens_upper else name
    opens_sentence = before[-1] in _SENTENCE_ENDS or _at_end(steps.LIST_NUMBER_BEFORE, output.end)
    return capitalized(name) if opens_sentence and old_words[0].isupper() else name


def _agreeing_verb(text: str, end: int, before: str, mention: Mention, many: bool) -> tuple[str, int]:
    """Return a verb right after the food, agreeing with its new number, and where the text goes on."""
    old = steps.AGREEING_VERB.match(text, end)
    if not old:
        return "", end
    if mention.is_many == many or _at_end(steps.JOINED_BEFORE, before):  # "carrots and potatoes are" whatever comes
        return old[0], old.end()
    verbs = steps.PLURAL_OF_VERB if many else steps.SINGULAR_OF_VERB
    return old["gap"] + verbs.get(old["verb"], old["verb"]), old.end()


def _own_words(old_words: str, plan: Plan) -> str:
    """Return the end of a longer name that is the food itself, unless what stands before only tells its kind."""
    own = " ".join(old_words.split()[-len(plan.food.name.split()) :])
    is_longer = one_of(own.lower()) == plan.food.name and not is_kind_of(old_words.lower(), own.lower())
    return own if is_longer else old_words


def _fits_word(root: str, plan: Plan) -> bool:
    """Say whether "floured" is still true: of rice flour it is, of peanut butter "buttered" is not."""
    return root in kinds_of(plan.target) if root == "butter" else plan.target.split()[-1:] == [root]


def _other_verb(text: str, before: str, mention: Mention, plan: Plan) -> tuple[str, int]:
    """Rewrite "Butter a pan" to "Grease a pan with margarine", and return where the text goes on.

    "grease and flour it" becomes "grease it and dust it with cornstarch".
    """
    old_verb = text[mention.start : mention.end]
    if _fits_word(old_verb.lower(), plan):
        return before + old_verb, mention.end
    verb = steps.INSTEAD_OF_VERB[old_verb.lower()]
    if steps.SECOND_VERB.match(text, mention.end):
        return before + _cased_as(old_verb, verb), mention.end
    match = steps.OBJECT.match(text, mention.end)
    object, end = (match[0], match.end()) if match else ("", mention.end)
    paired = _at_end(steps.PAIRED_VERB_BEFORE, before)
    if paired and object:
        pronoun = "them" if steps.PLURAL_OBJECT.search(object) else "it"
        return f"{before[: paired.end('first')]}{object} and {verb} {pronoun} with {plan.shown}", end
    return f"{before}{_cased_as(old_verb, verb)}{object} with {plan.shown}", end


def _other_adjective(text: str, mention: Mention, plan: Plan) -> str:
    old_word = text[mention.start : mention.end]
    word = old_word.lower()
    is_taste = word == "salted" and not text.startswith(" water", mention.end)
    if is_taste or _fits_word(word.removesuffix("ed"), plan):
        return old_word
    return _cased_as(old_word, steps.INSTEAD_OF_ADJECTIVE[word])


def _without_repetition(text: str, name: str) -> str:
    """Write "margarine or margarine" once."""
    lowered, many = text.lower(), many_of(name)
    if name.lower() not in lowered or max(lowered.count(name.lower()), lowered.count(many.lower())) < 2:
        return text
    return steps.food_twice(f"{re.escape(name)}|{re.escape(many)}").sub(r"\1", text)
