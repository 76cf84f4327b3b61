"""Write ingredient lines of the new food: the amount that `ratios` gives, its name, and what remarks still hold.

Several foods that replace one get a line each. Of foods that share a line ("salt and pepper to taste") one is rewritten
in place, and whatever a line cannot say becomes a note.
"""

import re
from collections.abc import Iterator

from swapchef.amounts.measures import convert, dimension
from swapchef.amounts.ratios import HOLDS_ANYTHING, Combination, Portion, combinations
from swapchef.editing.mentions import CUTS, find_mentions
from swapchef.editing.plan import Kitchen, Note, Plan, is_many, portion_of
from swapchef.editing.text import Rewriter
from swapchef.en.nouns import capitalized, is_counted, many_of, one_of, singular, spelled
from swapchef.errors import SwapchefError
from swapchef.foods.kinds import food_of, kinds_of
from swapchef.foods.preparations import HOW, can_be, is_preparation
from swapchef.recipes import IngredientLine, parse_line
from swapchef.recipes.model import tidy


def swapped_lines(index: int, plans: list[Plan], kitchen: Kitchen, notes: list[Note]) -> tuple[IngredientLine, ...]:
    """Return what replaces an ingredient line under the plans that concern it, adding notes to `notes`."""
    line = kitchen.recipe.ingredients[index]
    if len(kitchen.on_line[index]) > 1:
        return (_shared_line(index, plans, kitchen, notes),)
    plan = plans[0]
    return _several_lines(line, plan, kitchen, notes) if plan.parts else (_one_line(line, plan, kitchen, notes),)


def _one_line(line: IngredientLine, plan: Plan, kitchen: Kitchen, notes: list[Note]) -> IngredientLine:
    portion = portion_of(plan, line, kitchen)
    notes += _amount_notes(plan, line, portion)
    name = _listed_name(plan.target, plan.shown, line, portion)
    front = portion.text or (f"{line.unit} of" if line.unit and portion.unit else "")
    if _is_uncountable(plan, portion):
        front = _as_written(plan, line, portion)
        if not front:
            said = f"Use about as much {plan.shown} as {line.amount} {line.name}."
            notes.append(Note("amount" if plan.is_alike else "unfit", said, is_guess=True))
    elif _has_no_such_piece(plan, portion):
        said = (
            f"{capitalized(plan.shown)} does not come by the {portion.unit}: use about as much as of {plan.food.name}."
        )
        notes.append(Note("unfit", said, is_guess=True))
    elif front and line.pack and line.pack.unit in {"inch", "centimeter"} and plan.is_alike:
        front = f"{front} ({line.pack.amount} {line.pack.unit})"  # as wide as the pan
    remarks = _Remarks(plan, kitchen, is_measured=dimension(portion.unit) == "volume")
    if front and (more := remarks.second_amount(line)):
        front = f"{front} {more}"
    before, after = remarks.before(line), remarks.after(line)
    full = _line_text(front, before, name, _with_preparation(after, before, plan, portion))
    if not front and line.text[:1].isupper():
        full, name = capitalized(full), capitalized(name)
    bare = _line_text(front, "", name, "")
    for text in (full, bare, bare.replace(name, one_of(name))):  # until no remark or plural hides the name
        new = parse_line(text, line.section)
        if plan.target_id is None or _names_it(new, plan, kitchen):
            break
    if lost := remarks.lost(line, new.text):
        notes.append(Note("unfit", f"The line also asks for {lost}: write that on a line of its own."))
    return new


_FIRST_DONE = re.compile(r"[A-Z][a-z]+(?:ed|und)(?: (?:fine|thin|small|well))?(?: and [a-z]+(?:ed|und))?(?=[.;,:])")


def _with_preparation(after: str, before: str, plan: Plan, portion: Portion) -> str:
    """Say after the name what the rule's note asks for first ("Minced; sharper."), unless the line says how it is cut already."""
    found = _FIRST_DONE.match(portion.note)
    said = found.group().lower() if found else ""
    if not found or not is_preparation(said.split()[0]) or not plan.can_be(said.split()[0]):
        return after
    has_any = any(is_preparation(word) for word in re.findall(r"[^\W\d_]+", f"{before} {after}"))
    return after if has_any or portion.amount is None else f", {said}{after}"


def _is_uncountable(plan: Plan, portion: Portion) -> bool:
    """Say whether the amount is a number of pieces of what has none: "3 sweet pickle relish"."""
    if portion.amount is None or portion.unit or is_counted(plan.target) or plan.target in _COUNTED_AS:
        return False
    return convert(1.0, "", "gram", plan.target) is None


def _as_written(plan: Plan, line: IngredientLine, portion: Portion) -> str:
    """Return an amount in words that holds for a food of the same kind too: "2 1/2-inch strips" of another peel."""
    start = line.text.lower().find(plan.food.name)
    is_same = plan.is_alike and start > 0 and portion.rule == "the same amount"
    return line.text[:start].strip() if is_same else ""


def _has_no_such_piece(plan: Plan, portion: Portion) -> bool:
    """Say whether the amount is in pieces that the new food has not: "1/2 inch nutmeg", "24 slices relish"."""
    unit = portion.unit
    if portion.amount is None or not unit or dimension(unit) != "piece" or plan.is_alike:
        return False
    if unit == "slice" and can_be("sliced", plan.target) and "any relish" not in kinds_of(plan.target):
        return False
    return (unit == "slice" or unit not in HOLDS_ANYTHING) and convert(1.0, unit, "gram", plan.target) is None


def _line_text(front: str, before: str, name: str, after: str) -> str:
    return tidy(" ".join(part for part in (front, before, name) if part) + after)


def _names_it(line: IngredientLine, plan: Plan, kitchen: Kitchen) -> bool:
    """Say whether a line is read as the new food, be it under a name that says how it was cut: "shredded cheddar cheese"."""
    matches = kitchen.vocabulary.match_all(line)
    return any(
        match.id == plan.target_id
        or food_of(match.name) == food_of(plan.target)
        or match.name.endswith(f" {plan.target}")
        for match in matches
    )


def _listed_name(target: str, shown: str, line: IngredientLine, portion: Portion) -> str:
    last = line.name.split()[-1:]
    was_many = bool(last) and singular(last[0].lower()) != last[0].lower()
    is_whole = "any long loaf" in kinds_of(target) and "slice" not in line.text
    piece = "loaf" if is_whole else _COUNTED_AS.get(target.rpartition(" ")[2])
    if portion.amount is not None and not portion.unit and piece:
        return f"{shown} {many_of(piece) if (portion.amount.high or portion.amount.low) > 1 else piece}"
    if portion.unit and (head := shown.lower().removesuffix(f" {portion.unit}")) != shown.lower():
        shown = shown[: len(head)]  # "2 fillets salmon", not "2 fillets salmon fillet"
    return many_of(shown) if is_many(target, portion.amount, portion.unit, was_many) else one_of(shown)


_COUNTED_AS = {"celery": "stalk", "garlic": "clove", "asparagus": "spear", "bacon": "slice", "bread": "slice"}


def _several_lines(line: IngredientLine, plan: Plan, kitchen: Kitchen, notes: list[Note]) -> tuple[IngredientLine, ...]:
    row = _combination(plan, line, kitchen)
    after = _Remarks(plan, kitchen).after(line)
    texts = [_line_text("", "", spelled(part.text), after) for part in row.parts]
    fits = line.amount is not None and row.replaced.amount.low == _asked(line)
    scale = "" if fits else f"The amounts replace {row.replaced.amount} {row.replaced.unit}".rstrip() + "; scale them."
    said = " ".join(part for part in (scale, row.note) if part)
    if said:
        notes.append(Note("amount", f"{capitalized(plan.shown)} for {plan.food.name}: {said}", is_guess=not fits))
    return tuple(parse_line(text, line.section) for text in texts)


def _asked(line: IngredientLine) -> object:
    """Return how much a line asks for in all, as `ratios` counts it."""
    if line.amount is None:
        return None
    return line.amount.low * line.pack.amount.low if line.pack else line.amount.low


def _combination(plan: Plan, line: IngredientLine, kitchen: Kitchen) -> Combination:
    rows = combinations(
        plan.food.name, line.amount, line.unit, pack=line.pack, use=kitchen.use, metric=kitchen.is_metric
    ) or combinations(plan.food.name, line.amount, line.unit, pack=line.pack, metric=kitchen.is_metric)
    for row in rows:
        if tuple(part.name for part in row.parts) == plan.parts:
            return row
    known = "; or ".join(" + ".join(part.name for part in row.parts) for row in rows)
    raise SwapchefError(
        f"I do not know how to make {plan.food.name} of {' and '.join(plan.parts)}; "
        + (f"I know {known}." if known else "name one ingredient to use instead.")
    )


def _shared_line(index: int, plans: list[Plan], kitchen: Kitchen, notes: list[Note]) -> IngredientLine:
    """Replace one of several foods that share a line ("salt and pepper to taste") and leave the rest of it alone."""
    line = kitchen.recipe.ingredients[index]
    foods = [food for food in kitchen.foods if food.id in kitchen.on_line[index]]
    (mentions,) = find_mentions([line.text], foods, [plan.food.id for plan in plans], kitchen.vocabulary)
    text = Rewriter({plan.food.id: plan for plan in plans}, kitchen).rewrite(line.text, mentions, is_line=True)
    for plan in plans:
        notes.append(Note("amount", f"{capitalized(plan.shown)} for {plan.food.name}: {_AS_IT_TASTES}", is_guess=True))
        if all(mention.food.id != plan.food.id for mention in mentions):
            text = f"{text}, with {plan.shown} for {plan.food.name}"
    return parse_line(tidy(text), line.section)


_AS_IT_TASTES = "the recipe gives no amount of its own, so start with little and taste."


def _amount_notes(plan: Plan, line: IngredientLine, portion: Portion) -> Iterator[Note]:
    rule = portion.rule if portion.rule not in {"", "the same amount"} and portion.rule not in portion.note else ""
    said = [f"{rule}." if rule else "", portion.note, "" if line.amount or portion.note else _AS_IT_TASTES]
    if text := " ".join(part for part in said if part):
        yield Note("amount", f"{capitalized(plan.shown)} for {plan.food.name}: {text}", is_guess=portion.is_guess)
    if portion.method:
        yield Note("technique", portion.method)


_SERVICE = re.compile(
    r"(?:and |or )?(?:to taste|divided|optional|as needed(?: to .*)?|as desired|or as needed(?: to .*)?|if (?:desired|needed|necessary|you like)"
    r"|(?:or )?(?:more|less)(?: (?:or less|as|to|if).*)?|(?:plus )?(?:more|extra|additional|some)(?: .*)?|to (?:serve|garnish|decorate|coat|cover)|garnish"
    r"|for (?:serving|garnish|garnishing|dusting|frying|deep[- ]frying|greasing|brushing|sprinkling|topping|drizzling|coating"
    r"|rolling|decorati(?:on|ng)|dipping|saut[eé]ing|cooking|dredging|the|pan|pans)(?:\b.*)?)",
    re.IGNORECASE,
)
_PLUS = re.compile(r"(?:plus|and|\+)\s+(?=\d)", re.IGNORECASE)
_BESIDE = re.compile(
    r"\b(?:mixed|combined|tossed|dissolved|blended|stirred|beaten|whisked|sprinkled)\s+(?:together\s+)?(?:with|in|into)\b",
    re.I,
)
_AND = re.compile(r"(?:\band|&)\s+([^,;]+?)(?=$|[,;]|\s(?:and|or|to|for|cut|in|from|into|at|with)\b)", re.I)
_IN_HALVES = re.compile(r"cut (?:in|into) (?:half|halves|quarters)(?: (?:crosswise|lengthwise))?", re.IGNORECASE)
_TRIMMINGS = frozenset({"fat", "skin", "rind", "bone", "bones", "juice", "stem", "stems", "seed", "seeds", "leaves"})
_ASIDE = re.compile(r"\([^()]*\)|(?<=\s)(?:such as|like|or|for|to|from|into|in|with|without|plus|at|until)\s.*$", re.I)
# What a name says first of a food and the steps rely on.
_STATES = frozenset(
    "instant cold hot warm boiling chilled fresh frozen cooked uncooked baked unbaked ripe large small medium".split()
)
_SECOND_AMOUNT = re.compile(r"\b(?:plus|and)\s+(\d.*)$", re.IGNORECASE)
_ROOM_TEMPERATURE = re.compile(r"(?:at )?room temperature", re.IGNORECASE)
_TAIL_PART = re.compile(r"(?P<mark>\s*[,;]\s*|\s+[-–—]+\s+|\s*)(?P<said>\([^()]*\)|\[[^\[\]]*\]|[^,;()\[\]]+)")
_INTO = re.compile(
    r"(?<!\bor)(?<!\bmore)(?<!\band)\s+(?=(?:to taste|for (?:serving|garnish|dusting|frying|greasing|the)|at room|cut|plus)\b)",
    re.IGNORECASE,
)
_CHILLED = (
    "any butter",
    "egg",
    "cream cheese",
    "any milk",
    "any yogurt",
    "any soft dairy",
    "any liquid dairy",
    "buttermilk",
)


class _Remarks:
    """What a line says beside amount and name, as far as it holds for what is swapped in."""

    def __init__(self, plan: Plan, kitchen: Kitchen, is_measured: bool = False) -> None:
        self._plan = plan
        self._is_measured = is_measured  # in spoons or cups
        self._kitchen = kitchen

    def before(self, line: IngredientLine) -> str:
        """Return what stands between amount and name: "finely chopped"."""
        start = line.text.lower().find(line.name.lower())
        words = line.text[: max(start, 0)].split()
        kept = self._opening(line.name.split())
        while words and (is_preparation(words[-1]) or words[-1].lower() in HOW or (kept and words[-1] == "and")):
            kept.insert(0, words.pop())
        fitting = self._fitting(" ".join(kept).strip(" ,"))
        return "" if fitting.lower() in HOW else fitting  # "freshly ground" was part of the name

    def second_amount(self, line: IngredientLine) -> str:
        """Return the rest of the amount in "1 cup plus 2 tablespoons flour", converted."""
        start = line.text.lower().find(line.name.lower())
        found = _SECOND_AMOUNT.search(line.text[: max(start, 0)])
        return self._plus(found[1]) if found else ""

    def after(self, line: IngredientLine) -> str:
        """Return what follows the name, with the comma or bracket it had."""
        start = line.text.lower().find(line.name.lower())
        beside = _BESIDE.search(line.name)  # "sugar mixed with 2 tsp cinnamon"
        length = beside.start() if beside else len(line.name)
        tail = line.text[start + length :] if start >= 0 else f", {line.note}"
        kept = ""
        for part in _TAIL_PART.finditer(_INTO.sub(", ", tail) if "," in tail else tail):
            said = part["said"].strip()
            bracketed = said[:1] in {"(", "["}
            if fitting := self._remark(said.strip("()[] "), line.amount is None and not bracketed):
                kept += f" ({fitting})" if bracketed else (part["mark"].rstrip() or "") + f" {fitting}"
        return kept

    def lost(self, line: IngredientLine, new: str) -> str:
        """Return a second food that the old line asks for and the new one does not: "chicken breasts and thighs"."""
        text = _ASIDE.sub("", line.text)
        for found in _AND.finditer(text):
            words = [word for word in re.findall(r"[^\W\d_]+", found[1].lower()) if not is_preparation(word)]
            if not words or words[-1] in new.lower() or words[-1] in self._plan.food.name or words[-1] in _TRIMMINGS:
                continue
            if singular(words[-1]) in CUTS or self._is_another_food(" ".join(words)):
                return found[1].strip()
        return ""

    def _opening(self, words: list[str]) -> list[str]:
        """Return what a line's name says of the food before it names it: "instant vanilla pudding mix"."""
        named = set(self._plan.food.name.split()) | set(self._plan.target.split()[:1])
        kept: list[str] = []
        for word in words[:-1]:
            if (
                word.lower() not in _STATES
                or word.lower() in named
                or not _STATES.isdisjoint(self._plan.target.split())
            ):
                break
            kept.append(word)
        return kept

    def _remark(self, said: str, is_list: bool) -> str:
        if _BESIDE.match(said) and (re.search(r"\d", said) or self._is_another_food(_BESIDE.sub("", said).strip())):
            return said  # a second food, with its own amount
        if plus := _PLUS.match(said):
            return self._plus(said[plus.end() :])
        if _SERVICE.fullmatch(said):
            return said
        if _ROOM_TEMPERATURE.fullmatch(said):
            return said if self._plan.is_alike or not set(kinds_of(self._plan.target)).isdisjoint(_CHILLED) else ""
        if said.lower().startswith(("or ", "such as", "like ", "preferably")):
            return ""
        return self._fitting(said) or (said if is_list and self._is_another_food(said) else "")

    def _is_another_food(self, said: str) -> bool:
        """Say whether a remark is the second food of a line: "Kosher salt, freshly ground pepper"."""
        match = self._kitchen.vocabulary.match(said.removeprefix("and "))
        return match is not None and match.confidence >= 0.9 and match.id != self._plan.food.id

    def _plus(self, said: str) -> str:
        if self._is_another_food(parse_line(said).name):
            return f"plus {said}"
        line = parse_line(f"{said} {self._plan.food.name}")
        if line.amount is None or self._plan.parts:
            return ""
        text = portion_of(self._plan, line, self._kitchen).text
        return f"plus {text}" if text else ""

    def _fitting(self, said: str) -> str:
        """Return a remark with only those preparations that the new food can have."""
        words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", said.lower())
        done = [word for word in words if is_preparation(word)]
        if not done or self._plan.parts:
            return ""
        if self._is_measured and _IN_HALVES.fullmatch(said):
            return ""
        wrong = [word for word in done if not self._plan.can_be(word)]
        if not wrong:
            strange = re.search(r"\d", said) and not re.search(r"\binch|\bcm\b|cut|slice|piece|chunk|half|halves", said)
            return "" if strange else said
        right = [word for word in done if word not in wrong]
        plain = {*done, *HOW, "and", "then"}.issuperset(words)
        return " and ".join(right) if right and plain else ""
