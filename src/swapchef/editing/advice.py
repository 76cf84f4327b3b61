"""What a cook should mind about an edit: a step that asks what the new food cannot do, a time, a name that no longer holds."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from swapchef.editing.mentions import Mention
from swapchef.editing.plan import Note, Plan
from swapchef.effects.techniques import techniques
from swapchef.en.nouns import capitalized, singular
from swapchef.foods.kinds import is_same_food, kinds_of

_SENTENCE = re.compile(r"[^.;!?]+")


def step_notes(number: int, text: str, plan: Plan, mentions: Sequence[Mention]) -> Iterator[Note]:
    """Yield what to mind in a step, where a sentence that mentions the old food has one of a row's verbs."""
    rows = techniques(plan.food.name, plan.target) if mentions and not plan.parts else ()
    for row in rows:
        if row.anywhere or row.kind == "done":
            continue
        for sentence in _SENTENCE.finditer(text):
            inside = any(sentence.start() <= mention.start < sentence.end() for mention in mentions)
            if inside and row.verbs.search(sentence.group()):
                yield Note("unfit" if row.kind == "unfit" else "technique", _filled(row.note, plan), number)
                break


def recipe_notes(plan: Plan, title: str, remarks: str = "") -> Iterator[Note]:
    """Yield what to mind wherever the new food is used, and in such a dish: toffee needs sugar whatever its steps say.

    The remarks are those of the lines that change: "eggs, hard-boiled and peeled" asks for eggs as a step would; how they
    are cut asks for nothing.
    """
    cooked = " ".join(_COOKED_FIRST.findall(remarks))
    if other := made_of(plan.food.name, plan.food.written):
        yield Note("unfit", f"The recipe has {other}, which is more than {plan.food.name}: {plan.shown} is not that.")
    for row in techniques(plan.food.name, plan.target) if not plan.parts else ():
        if row.anywhere:
            yield Note("unfit" if row.kind == "unfit" else "timing", _filled(row.note, plan))
        elif row.kind == "unfit" and (row.verbs.search(title) or row.verbs.search(cooked)):
            yield Note("unfit", _filled(row.note, plan))


_COOKED_FIRST = re.compile(r"\b(?:(?:hard|soft)[- ])?(?:boiled|cooked|poached|scalded|toasted|fried)\b", re.IGNORECASE)


def when_done(number: int, text: str, plan: Plan) -> tuple[str, list[Note]]:
    """Say of a step when the new food is done, where the step says it of the old: "until pink" of shrimp."""
    notes = []
    for row in techniques(plan.food.name, plan.target) if not plan.parts else ():
        if row.kind == "done":
            new = _until(row.verbs).sub(rf"\1 {row.instead}", text)
            if new != text:
                text = new
                notes.append(Note("technique", _filled(row.note, plan), number))
    return text, notes


# What a line may have that is only called after a food: a gelatin dessert "strawberry", a flour of cooked maize.
_MADE_OF_IT = re.compile(
    r"\b(?:jell-?o|gelatin|pudding|beverage|soda|drink mix|creamer|arepa|masa|boil|nuggets?|tots|liqueur|extract|ice cream|sherbet|sauce)\b",
    re.IGNORECASE,
)
# What ends a name and is never the food before it: corn dogs, ice-pop molds, sheep's-milk ricotta; and a fruit in a husk.
_ANOTHER_THING = re.compile(
    r"\b(?:dogs?|mou?lds?|ramekins?|cups|mill|fluff|filling|starter|wrappers?|blood|sports drink|sprouts|ricotta|mozzarella|pops?|ground cherr(?:y|ies))$",
    re.IGNORECASE,
)
_PLAIN_FOODS = frozenset(
    {"any fruit", "any vegetable", "any root", "any wheat flour", "any shellfish", "any plain soda", "any lemonade"}
)


def made_of(name: str, written: Sequence[str]) -> str:
    """Return what a recipe has where it is no plain food but something made and called after it.

    >>> made_of("strawberry", ["strawberry flavored Jell-O"]), made_of("strawberry", ["frozen strawberries"])
    ('strawberry flavored Jell-O', '')
    >>> made_of("corn", ["corn dogs"]), made_of("hot dog", ["beef hot dogs"])
    ('corn dogs', '')
    """
    for text in written:
        found = _ANOTHER_THING.search(text)
        if found and singular(found.group().lower()) not in name:
            return text
    if _PLAIN_FOODS.isdisjoint(kinds_of(name)) or _MADE_OF_IT.search(name):
        return ""
    return next((text for text in written if _MADE_OF_IT.search(text)), "")


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
_OF_NO_NAME = frozenset(
    "wine liqueur cream pudding instant gelatin pasta noodle cookie cooky cookies cooked uncooked fresh frozen white whole wheat"
    " flavored sweet sugar free light with and package mix".split()
)


def still_named(plan: Plan, title: str) -> str:
    """Return the word of the old food that a title still has and the new food does not: a "Shiraz Sauce" of white wine."""
    kinds = kinds_of(plan.food.name)
    if plan.parts or _NAMESAKES.isdisjoint(kinds) or is_same_food(plan.food.name, plan.target):
        return ""
    if "any pasta" in kinds and "any pasta" in kinds_of(plan.target):
        return ""  # another shape is still pasta
    said = {word for name in (plan.food.name, *plan.food.written) for word in re.findall(r"[^\W\d_]{4,}", name.lower())}
    called = re.findall(r"[^\W\d_]{4,}", title.lower())
    return next((word for word in called if word in said - _OF_NO_NAME and word not in plan.target), "")


_ALSO_SAID = r" in color| inside| throughout| easily| (?:when tested )?with a fork| in the (?:center|middle)"


@cache
def _until(signs: re.Pattern[str]) -> re.Pattern[str]:
    """Find "until the shrimp just turn pink and curl"."""
    word = r"[^\W\d_]+"
    also = rf"(?:,? (?:and|or|&) (?:{word} )?{signs.pattern})"
    return re.compile(rf"\b(until|till|when)(?: {word}){{0,5}}? {signs.pattern}{also}?(?:{_ALSO_SAID})*", re.I)


def _filled(note: str, plan: Plan) -> str:
    return capitalized(note.format(source=plan.food.name, target=plan.shown))
