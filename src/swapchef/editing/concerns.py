"""What a cook should mind about a swap, as facts: an unfit step, a guessed amount, a name that no longer holds.

A concern has its kind, its step and the template of its sentence; only `note_of` writes the sentence, and choosing
reads kinds and steps alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from swapchef.amounts.measures import convert, dimension
from swapchef.amounts.portions import HOLDS_ANYTHING, Portion, is_scaled_to, mixture_for
from swapchef.amounts.ratios import MixtureRatio
from swapchef.editing.matched_recipe import MatchedRecipe
from swapchef.editing.mentions import Mention
from swapchef.editing.plan import Plan
from swapchef.editing.usage import Usage
from swapchef.effects.techniques import Technique, techniques
from swapchef.en import steps
from swapchef.en.nouns import capitalized, is_counted
from swapchef.en.remarks import COUNTED_AS
from swapchef.foods.kinds import is_same_food, kinds_of
from swapchef.foods.preparations import can_be
from swapchef.recipes import IngredientLine

# unfit: it cannot do what a step asks of it; hazard: what could make somebody ill
NoteKind = Literal["amount", "technique", "timing", "mention", "unfit", "hazard"]


@dataclass(frozen=True, slots=True)
class Note:
    """Something the cook should know about an edit."""

    kind: NoteKind
    text: str
    step: int = 0  # which step it is about; 0 for the whole recipe
    is_guess: bool = False


@dataclass(frozen=True, slots=True)
class Concern:
    """Something the cook should know about a swap, before it is put in words."""

    kind: NoteKind
    template: str  # with {source}, {target} and {detail}
    step: int = 0
    is_guess: bool = False
    detail: str = ""
    portion: Portion | None = None  # whose rule, note and method belong to the sentence


def concerns_of(plan: Plan, usage: Usage, matched: MatchedRecipe) -> Iterator[Concern]:
    """Yield all that there is to mind about a swap: by line, by step, and for the whole recipe."""
    yield from line_concerns(plan, usage, matched)
    if plan.everywhere:
        may_be_done = usage.is_only_one_of_its_kind and any(row.kind == "done" for row in _rows(plan))
        for number, mentions in enumerate(usage.step_mentions, start=1):
            if mentions or may_be_done:
                yield from step_concerns(number, plan, usage, mentions, matched)
    yield from recipe_concerns(plan, usage, matched)


def note_of(concern: Concern, plan: Plan) -> Note:
    """Put a concern in words."""
    detail = concern.detail
    if concern.portion:
        detail = concern.portion.method if concern.kind == "technique" else _portion_words(concern.portion)
    text = concern.template.format(source=plan.food.name, target=plan.shown, detail=detail)
    return Note(concern.kind, capitalized(text), concern.step, concern.is_guess)


def line_concerns(plan: Plan, usage: Usage, matched: MatchedRecipe) -> Iterator[Concern]:
    """Yield what the lines of a swap leave to the cook: amounts that are guessed, pieces that the food has not."""
    also_asked = dict(usage.also_asked)
    for index in sorted(plan.lines):
        line = matched.recipe.ingredients[index]
        if len(matched.on_line[index]) > 1:
            yield Concern("amount", "{target} for {source}: {detail}", is_guess=True, detail=_AS_IT_TASTES)
        elif plan.mixture:
            yield from _mixture_concerns(mixture_for(plan.mixture, plan.food.name, line, matched.dish), line)
        else:
            yield from _portion_concerns(plan.portions[index], line, plan)
            if (also := also_asked.get(index)) and also.lower().split()[-1] not in plan.target:
                yield Concern("unfit", "The line also asks for {detail}: write that on a line of its own.", detail=also)


_AS_IT_TASTES = "the recipe gives no amount of its own, so start with little and taste."


def _mixture_concerns(mixture: MixtureRatio, line: IngredientLine) -> Iterator[Concern]:
    is_scaled = is_scaled_to(mixture, line)
    replaced = f"{mixture.replaced.amount} {mixture.replaced.unit}".rstrip()
    scale = "" if is_scaled else f"The amounts replace {replaced}; scale them."
    if text := " ".join(part for part in (scale, mixture.note) if part):
        yield Concern("amount", "{target} for {source}: {detail}", is_guess=not is_scaled, detail=text)


def _portion_concerns(portion: Portion, line: IngredientLine, plan: Plan) -> Iterator[Concern]:
    if portion.has_note or portion.has_rule or line.amount is None:
        yield Concern("amount", "{target} for {source}: {detail}", is_guess=portion.is_guess, portion=portion)
    if portion.has_method:
        yield Concern("technique", "{detail}", portion=portion)
    if is_uncountable(portion, plan) and not amount_as_written(portion, line, plan):
        kind: NoteKind = "amount" if plan.is_alike else "unfit"
        detail = f"{line.amount} {line.name}"
        yield Concern(kind, "Use about as much {target} as {detail}.", is_guess=True, detail=detail)
    elif not is_uncountable(portion, plan) and _has_no_such_piece(portion, plan):
        template = "{target} does not come by the {detail}: use about as much as of {source}."
        yield Concern("unfit", template, is_guess=True, detail=portion.unit)


def _portion_words(portion: Portion) -> str:
    rule = f"{portion.rule}." if portion.has_rule else ""
    note = portion.note
    without_amount = "" if portion.asked or note else _AS_IT_TASTES
    return " ".join(part for part in (rule, note, without_amount) if part)


def is_uncountable(portion: Portion, plan: Plan) -> bool:
    """Say whether the amount is a number of pieces of what has none: "3 sweet pickle relish"."""
    if portion.amount is None or portion.unit or is_counted(plan.target) or plan.target in COUNTED_AS:
        return False
    return convert(1.0, "", "gram", plan.target) is None


def amount_as_written(portion: Portion, line: IngredientLine, plan: Plan) -> str:
    """Return an amount in words that holds for a food of the same kind too: "2 1/2-inch strips" of another peel."""
    start = line.text.lower().find(plan.food.name)
    is_same = plan.is_alike and start > 0 and portion.row.is_same_amount
    return line.text[:start].strip() if is_same else ""


def _has_no_such_piece(portion: Portion, plan: Plan) -> bool:
    """Say whether the amount is in pieces that the new food has not: "1/2 inch nutmeg", "24 slices relish"."""
    unit = portion.unit
    if portion.amount is None or not unit or dimension(unit) != "piece" or plan.is_alike:
        return False
    if unit == "slice" and can_be("sliced", plan.target) and "any relish" not in kinds_of(plan.target):
        return False
    return (unit == "slice" or unit not in HOLDS_ANYTHING) and convert(1.0, unit, "gram", plan.target) is None


def step_concerns(
    number: int, plan: Plan, usage: Usage, mentions: tuple[Mention, ...], matched: MatchedRecipe
) -> Iterator[Concern]:
    """Yield what to mind in a step: mentions that are left alone, and what it asks of the food."""
    text = matched.recipe.steps[number - 1].text
    yield from mention_concerns(number, text, mentions)
    rows = _rows(plan)
    sentences = usage.sentences_of(number) if mentions else ()
    for row in rows if mentions else ():
        if row.anywhere or row.kind == "done":
            continue
        if any(row.verbs.search(sentence) for sentence in sentences):
            yield Concern("unfit" if row.kind == "unfit" else "technique", row.note, number)
    if mentions or usage.is_only_one_of_its_kind:
        for row in rows:
            if row.kind == "done" and steps.until(row.verbs).search(text):
                yield Concern("technique", row.note, number)


def mention_concerns(number: int, text: str, mentions: tuple[Mention, ...]) -> Iterator[Concern]:
    """Yield the mentions of a step that an edit leaves as they are."""
    for mention in mentions:
        words = text[mention.start : mention.end]
        if mention.is_doubtful:
            meanings = " or ".join([mention.food.name, *mention.others])
            detail = f"{words!r}, which may mean {meanings}"
            yield Concern("mention", f"Step {number} says {{detail}}; it was left as it is.", number, detail=detail)
        elif mention.role == "derived":
            template = f"Step {number} still uses {{detail}}, which {{target}} does not have; change it by hand."
            yield Concern("mention", template, number, detail=words)


def recipe_concerns(plan: Plan, usage: Usage, matched: MatchedRecipe) -> Iterator[Concern]:
    """Yield what holds for the whole recipe: its dish, times, a target that was there already, names that stay."""
    title = matched.recipe.title
    if usage.product:
        template = "The recipe has {detail}, which is more than {source}: {target} is not that."
        yield Concern("unfit", template, detail=usage.product)
    for row in _rows(plan):
        if row.anywhere:
            yield Concern("unfit" if row.kind == "unfit" else "timing", row.note)
        elif row.kind == "unfit" and (row.verbs.search(title) or row.verbs.search(usage.cooked_first)):
            yield Concern("unfit", row.note)
    if name := _still_named(plan, usage, title):
        yield Concern("unfit", "The dish is named for {detail}, which {target} is not.", detail=name)
    if any(food.id == plan.target_id for food in matched.foods):
        yield Concern("mention", "{target} is already in the recipe; its own line stays as it is.")
    if not plan.everywhere:
        template = "Another line keeps {source}, so title and steps still say it; mind which is meant."
        yield Concern("mention", template)
    for food in matched.foods:
        if food.id != plan.food.id and plan.food.name in kinds_of(food.name):
            yield Concern("mention", "The recipe also has {detail}, which stays.", detail=food.name)


def _rows(plan: Plan) -> tuple[Technique, ...]:
    return () if plan.mixture else techniques(plan.food.name, plan.target)


# Foods of which one is chosen for its taste or shape, so that a dish may be called after it.
_NAMESAKES = frozenset(
    {
        "any wine",
        "any liqueur",
        "any frozen dessert",
        "any pudding mix",
        "any flavored gelatin",
        "any pasta",
        "any cookie",
    }
)
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")


def _still_named(plan: Plan, usage: Usage, title: str) -> str:
    """Return the word of the old food that a title keeps and the new food has not: a "Shiraz Sauce" of white wine."""
    kinds = kinds_of(plan.food.name)
    if plan.mixture or _NAMESAKES.isdisjoint(kinds) or is_same_food(plan.food.name, plan.target):
        return ""
    if "any pasta" in kinds and "any pasta" in kinds_of(plan.target):
        return ""  # another shape is still pasta
    names = (plan.food.name, *plan.food.written)
    own_words = {word for name in names for word in _LONG_WORD.findall(name.lower())} - steps.OF_NO_NAME
    for mention in reversed(usage.title_mentions if plan.everywhere else ()):  # these are rewritten
        if not mention.is_doubtful and mention.role != "derived":
            title = title[: mention.start] + title[mention.end :]
    called = _LONG_WORD.findall(title.lower())
    return next((word for word in called if word in own_words and word not in plan.target), "")


def when_done(text: str, plan: Plan) -> str:
    """Say of a step when the new food is done, where the step says it of the old: "until pink" of shrimp."""
    for row in _rows(plan):
        if row.kind == "done":
            text = steps.until(row.verbs).sub(rf"\1 {row.instead}", text)
    return text
