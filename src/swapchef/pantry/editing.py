"""Apply swaps to a recipe: a new recipe, what changed and what to mind; lines that no swap concerns stay the same objects.

An ingredient line gets the amount that `ratios` gives and keeps what still makes sense of its remarks
(`preparations.tsv`); title and steps are rewritten where `mentions` finds the food, with number, article, capitals and
repeated amounts. All swaps are applied in one pass over the old recipe, so that they never chain, and what a text
cannot say safely becomes a note (`techniques.tsv`).
"""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from swapchef.errors import SwapchefError
from swapchef.pantry.kinds import kinds_of, read_table
from swapchef.pantry.measures import convert, is_metric, is_us
from swapchef.pantry.mentions import CUTS, PIECES, Finder, Food, Mention, is_attributive
from swapchef.pantry.ratios import Combination, Portion, Use, combinations, how_much, use_of
from swapchef.pantry.wording import (
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
from swapchef.recipes import IngredientLine, Recipe, Step, parse_line, write_recipe
from swapchef.recipes.lines import UNITS
from swapchef.recipes.model import Amount, tidy
from swapchef.vocabulary import Vocabulary

_MAX_NAME = 100  # characters; a food's name is shorter


@dataclass(frozen=True, slots=True)
class Swap:
    """What to replace by what: one food, or several that `ratios.combinations` knows, joined by " + "."""

    source: str  # an ingredient of the recipe
    target: str
    lines: tuple[int, ...] = ()  # only on these ingredient lines, counted from 1; on all that have it if empty


@dataclass(frozen=True, slots=True)
class Change:
    """A text of the recipe before and after; `new` has several lines where one food became several."""

    where: Literal["title", "ingredient", "step"]
    number: int  # of the line or step, from 1; 0 for the title
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something the cook should know about an edit."""

    kind: Literal["amount", "technique", "timing", "mention"]
    text: str
    step: int = 0  # which step it is about; 0 for the whole recipe
    is_guess: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """A recipe with swaps applied."""

    before: Recipe
    recipe: Recipe
    changes: tuple[Change, ...]
    notes: tuple[Note, ...]

    def diff(self) -> str:
        """Return the changes as a unified diff of the recipe's plain text."""
        old, new = (write_recipe(recipe, "text").splitlines() for recipe in (self.before, self.recipe))
        return "\n".join(difflib.unified_diff(old, new, self.before.title, self.recipe.title, lineterm="", n=1))


def apply_swaps(recipe: Recipe, swaps: Sequence[Swap], vocabulary: Vocabulary) -> Edit:
    """Return the recipe with every swap applied at once.

    >>> vocabulary = Vocabulary(["butter", "peanut butter", "olive oil"], {})
    >>> recipe = Recipe("Toast", (parse_line("1/2 cup butter, melted"),), (Step("Melt the butter. Add peanut butter."),))
    >>> edit = apply_swaps(recipe, [Swap("butter", "olive oil")], vocabulary)
    >>> edit.recipe.ingredients[0].text, edit.recipe.steps[0].text
    ('6 tablespoons olive oil', 'Heat the olive oil. Add peanut butter.')
    """
    if not swaps:
        raise SwapchefError("Name at least one ingredient to replace.")
    kitchen = _Kitchen.of(recipe, vocabulary)
    plans = [_plan(swap, kitchen) for swap in swaps]
    _refuse_overlaps(plans)
    notes: list[Note] = []
    ingredients: list[IngredientLine] = []
    changes: list[Change] = []
    for index, line in enumerate(recipe.ingredients):
        new = _swapped_lines(line, [plan for plan in plans if index in plan.lines], kitchen, notes)
        ingredients += new
        if new != (line,):
            changes.append(Change("ingredient", index + 1, line.text, "\n".join(each.text for each in new)))
    texts = _Texts(kitchen, plans, notes)
    title = texts.title(recipe.title)
    steps = tuple(texts.step(number, step) for number, step in enumerate(recipe.steps, start=1))
    if title != recipe.title:
        changes.insert(0, Change("title", 0, recipe.title, title))
    pairs = enumerate(zip(recipe.steps, steps, strict=True), start=1)
    changes += [Change("step", number, old.text, new.text) for number, (old, new) in pairs if new is not old]
    for plan in plans:
        notes += _notes_about(plan, kitchen)
    new_recipe = replace(recipe, title=title, ingredients=tuple(ingredients), steps=steps)
    return Edit(recipe, new_recipe, tuple(changes), tuple(dict.fromkeys(notes)))


@dataclass(frozen=True, slots=True)
class _Kitchen:
    """A recipe as far as editing must understand it."""

    recipe: Recipe
    vocabulary: Vocabulary
    foods: tuple[Food, ...]
    on_line: tuple[tuple[int, ...], ...]  # ids of the foods of each line
    use: Use | None
    is_metric: bool

    @classmethod
    def of(cls, recipe: Recipe, vocabulary: Vocabulary) -> "_Kitchen":
        names: dict[int, str] = {}
        written: dict[int, list[str]] = {}
        on_line = []
        for index, line in enumerate(recipe.ingredients):
            matches = vocabulary.match_all(line)
            found = {match.id: match.name for match in matches} or {-1 - index: line.name.lower()}
            names |= found
            on_line.append(tuple(found))
            for id in found:
                written.setdefault(id, []).extend([line.name] if len(found) == 1 else [])
        foods = tuple(Food(id, name, tuple(dict.fromkeys(written[id]))) for id, name in names.items())
        units = [line.unit for line in recipe.ingredients]
        metric = sum(map(is_metric, units)) > sum(map(is_us, units))
        return cls(recipe, vocabulary, foods, tuple(on_line), use_of(recipe), metric)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A swap, understood: which food goes, from which lines, and what comes."""

    food: Food
    target: str  # canonical where the vocabulary knows it, for looking it up
    shown: str  # as the cook shall read it
    target_id: int | None
    parts: tuple[str, ...]  # the names of several foods that replace one
    lines: frozenset[int]
    everywhere: bool
    comes_as_many: bool = False  # the new line has several: "3 shallots"
    is_measured: bool = False  # the new line has a measure of what is otherwise counted: "1/2 cup banana"

    @property
    def is_alike(self) -> bool:
        """Say whether what was done to the one can be done to the other."""
        return not self.parts and _alike(self.food.name, self.target)


def _plan(swap: Swap, kitchen: _Kitchen) -> _Plan:
    food = _food(swap.source, kitchen)
    having = [index for index, ids in enumerate(kitchen.on_line) if food.id in ids]
    chosen = [index for index in having if not swap.lines or index + 1 in swap.lines]
    if not chosen or (swap.lines and len(chosen) < len(set(swap.lines))):
        numbers = " and ".join(str(index + 1) for index in having)
        raise SwapchefError(f"{food.name} is on line {numbers}; name the lines to change among those.")
    target = tidy(swap.target)
    if not target or len(target) > _MAX_NAME:
        raise SwapchefError(f"Say what to use instead of {food.name} in a few words.")
    parts = tuple(part.strip() for part in target.split(" + ")) if " + " in target else ()
    match = None if parts else kitchen.vocabulary.match(target)
    known = match if match and match.confidence >= 0.9 else None
    if target.lower() in {food.name, *map(str.lower, food.written)} or (known and known.id == food.id):
        raise SwapchefError(f"{capitalized(food.name)} for {food.name} is no swap; name something else to use instead.")
    canonical = known.name if known else target.lower()
    if known and known.how == "alias" and len(kinds_of(one_of(known.words))) > 1:
        canonical = one_of(known.words)  # "turkey bacon", which the vocabulary counts as another bacon
    is_canonical = known and target.lower() in {canonical, many_of(canonical)}
    shown = spelled(target.lower()) if is_canonical else target
    plan = _Plan(
        food,
        canonical,
        " and ".join(spelled(part) for part in parts) or shown,
        known.id if known else None,
        parts,
        frozenset(chosen),
        len(chosen) == len(having),
    )
    return _with_number(plan, kitchen)


def _food(asked: str, kitchen: _Kitchen) -> Food:
    """Find the ingredient of the recipe that a swap names."""
    wanted = tidy(asked).lower()
    for food in kitchen.foods:
        if wanted in {food.name, *map(str.lower, food.written)}:
            return food
    match = kitchen.vocabulary.match(wanted) if wanted else None
    for food in kitchen.foods:
        if match and match.id == food.id:
            return food
    names = ", ".join(food.name for food in kitchen.foods)
    raise SwapchefError(f"{kitchen.recipe.title!r} has no {wanted or 'such ingredient'}; it has {names}.")


def _refuse_overlaps(plans: list[_Plan]) -> None:
    for number, plan in enumerate(plans):
        if any(plan.food.id == other.food.id and plan.lines & other.lines for other in plans[:number]):
            raise SwapchefError(f"Name {plan.food.name} once; it cannot become two things on one line.")


def _with_number(plan: _Plan, kitchen: _Kitchen) -> _Plan:
    """Decide how the steps shall speak of the new food, from how much of it there will be."""
    if plan.parts or not is_counted(plan.target):
        return plan
    portion = _portion(plan, kitchen.recipe.ingredients[min(plan.lines)], kitchen)
    many = _is_many(plan.target, portion.amount, portion.unit, was_many=False)
    return replace(plan, comes_as_many=many, is_measured=bool(portion.unit) and not comes_in_many(plan.target))


# Ingredient lines


def _swapped_lines(
    line: IngredientLine, plans: list[_Plan], kitchen: _Kitchen, notes: list[Note]
) -> tuple[IngredientLine, ...]:
    if not plans:
        return (line,)
    index = kitchen.recipe.ingredients.index(line)
    if len(kitchen.on_line[index]) > 1:
        return (_shared_line(line, plans, kitchen, notes),)
    plan = plans[0]
    if plan.parts:
        return _several_lines(line, plan, kitchen, notes)
    portion = _portion(plan, line, kitchen)
    notes += _amount_notes(plan, line, portion)
    name = _listed_name(plan.target, plan.shown, line, portion)
    front = portion.text or (f"{line.unit} of" if line.unit and portion.unit else "")
    if _is_uncountable(plan, portion):
        front = ""
        notes.append(Note("amount", f"Use about as much {plan.shown} as {line.amount} {line.name}.", is_guess=True))
    remarks = _Remarks(plan, kitchen)
    if front and (more := remarks.second_amount(line)):
        front = f"{front} {more}"
    full = _line_text(front, remarks.before(line), name, remarks.after(line))
    if not front and line.text[:1].isupper():
        full, name = capitalized(full), capitalized(name)
    bare = _line_text(front, "", name, "")
    for text in (full, bare, bare.replace(name, one_of(name))):  # until no remark or plural hides the name
        new = parse_line(text, line.section)
        if plan.target_id is None or plan.target_id in _ids(new, kitchen):
            break
    return (new,)


def _is_uncountable(plan: _Plan, portion: Portion) -> bool:
    """Say whether the amount is a number of pieces of what has none: "3 sweet pickle relish"."""
    if portion.amount is None or portion.unit or is_counted(plan.target) or plan.target in _COUNTED_AS:
        return False
    return convert(1.0, "", "gram", plan.target) is None


def _line_text(front: str, before: str, name: str, after: str) -> str:
    return tidy(" ".join(part for part in (front, before, name) if part) + after)


def _ids(line: IngredientLine, kitchen: _Kitchen) -> set[int]:
    return {match.id for match in kitchen.vocabulary.match_all(line)}


def _portion(plan: _Plan, line: IngredientLine, kitchen: _Kitchen) -> Portion:
    pack = None if line.pack and line.pack.unit in {"inch", "centimeter"} else line.pack  # "1 (9 inch) pie crust"
    return how_much(
        plan.food.name,
        plan.target,
        line.amount,
        line.unit,
        pack=pack,
        use=kitchen.use,
        metric=kitchen.is_metric,
    )


def _listed_name(target: str, shown: str, line: IngredientLine, portion: Portion) -> str:
    last = line.name.split()[-1:]
    was_many = bool(last) and singular(last[0].lower()) != last[0].lower()
    if portion.amount is not None and not portion.unit and (piece := _COUNTED_AS.get(target.rpartition(" ")[2])):
        return f"{shown} {many_of(piece) if (portion.amount.high or portion.amount.low) > 1 else piece}"
    return many_of(shown) if _is_many(target, portion.amount, portion.unit, was_many) else one_of(shown)


_COUNTED_AS = {"celery": "stalk", "garlic": "clove", "asparagus": "spear", "bacon": "slice", "bread": "slice"}


def _is_many(food: str, amount: Amount | None, unit: str, was_many: bool) -> bool:
    if amount is None:
        return is_counted(food) and (was_many or comes_in_many(food))
    if unit:
        return comes_in_many(food)
    return is_counted(food) and (amount.high or amount.low) > 1


def _several_lines(
    line: IngredientLine, plan: _Plan, kitchen: _Kitchen, notes: list[Note]
) -> tuple[IngredientLine, ...]:
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


def _combination(plan: _Plan, line: IngredientLine, kitchen: _Kitchen) -> Combination:
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


def _shared_line(line: IngredientLine, plans: list[_Plan], kitchen: _Kitchen, notes: list[Note]) -> IngredientLine:
    """Replace one of several foods that share a line ("salt and pepper to taste") and leave the rest of it alone."""
    index = kitchen.recipe.ingredients.index(line)
    foods = [food for food in kitchen.foods if food.id in kitchen.on_line[index]]
    mentions = Finder(foods, [plan.food.id for plan in plans], kitchen.vocabulary).find(line.text)
    text = _Rewriter({plan.food.id: plan for plan in plans}, kitchen).rewrite(line.text, mentions, is_line=True)
    for plan in plans:
        notes.append(Note("amount", f"{capitalized(plan.shown)} for {plan.food.name}: {_AS_IT_TASTES}", is_guess=True))
        if all(mention.food.id != plan.food.id for mention in mentions):
            text = f"{text}, with {plan.shown} for {plan.food.name}"
    return parse_line(tidy(text), line.section)


_AS_IT_TASTES = "the recipe gives no amount of its own, so start with little and taste."


def _amount_notes(plan: _Plan, line: IngredientLine, portion: Portion) -> Iterator[Note]:
    rule = portion.rule if portion.rule not in {"", "the same amount"} and portion.rule not in portion.note else ""
    said = [f"{rule}." if rule else "", portion.note, "" if line.amount or portion.note else _AS_IT_TASTES]
    if text := " ".join(part for part in said if part):
        yield Note("amount", f"{capitalized(plan.shown)} for {plan.food.name}: {text}", is_guess=portion.is_guess)
    if portion.method:
        yield Note("technique", portion.method)


_SERVICE = re.compile(
    r"(?:and |or )?(?:to taste|divided|optional|as needed|as desired|or as needed|if (?:desired|needed|necessary|you like)"
    r"|(?:or )?(?:more|less)(?: (?:or less|as|to|if).*)?|(?:plus )?(?:more|extra|additional|some)(?: .*)?|to (?:serve|garnish|decorate|coat)|garnish"
    r"|for (?:serving|garnish|garnishing|dusting|frying|deep[- ]frying|greasing|brushing|sprinkling|topping|drizzling|coating"
    r"|rolling|decorati(?:on|ng)|dipping|saut[eé]ing|cooking|dredging|the|pan|pans)(?:\b.*)?)",
    re.IGNORECASE,
)
_PLUS = re.compile(r"(?:plus|and|\+)\s+(?=\d)", re.IGNORECASE)
_SECOND_AMOUNT = re.compile(r"\b(?:plus|and)\s+(\d.*)$", re.IGNORECASE)
_ROOM_TEMPERATURE = re.compile(r"(?:at )?room temperature", re.IGNORECASE)
_TAIL_PART = re.compile(r"(?P<mark>\s*[,;]\s*|\s+[-–—]+\s+|\s*)(?P<said>\([^()]*\)|\[[^\[\]]*\]|[^,;()\[\]]+)")
_INTO = re.compile(
    r"(?<!\bor)(?<!\bmore)(?<!\band)\s+(?=(?:to taste|for (?:serving|garnish|dusting|frying|greasing|the)|at room|cut|plus)\b)",
    re.IGNORECASE,
)
_HOW = frozenset(
    "finely freshly coarsely thinly roughly lightly firmly loosely thickly gently very well slightly".split()
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

    def __init__(self, plan: _Plan, kitchen: _Kitchen) -> None:
        self._plan = plan
        self._kitchen = kitchen

    def before(self, line: IngredientLine) -> str:
        """Return what stands between amount and name: "finely chopped"."""
        start = line.text.lower().find(line.name.lower())
        words = line.text[: max(start, 0)].split()
        kept: list[str] = []
        while words and (_is_preparation(words[-1]) or words[-1].lower() in _HOW or (kept and words[-1] == "and")):
            kept.insert(0, words.pop())
        fitting = self._fitting(" ".join(kept).strip(" ,"))
        return "" if fitting.lower() in _HOW else fitting  # "freshly ground" was part of the name

    def second_amount(self, line: IngredientLine) -> str:
        """Return the rest of the amount in "1 cup plus 2 tablespoons flour", converted."""
        start = line.text.lower().find(line.name.lower())
        found = _SECOND_AMOUNT.search(line.text[: max(start, 0)])
        return self._plus(found[1]) if found else ""

    def after(self, line: IngredientLine) -> str:
        """Return what follows the name, with the comma or bracket it had."""
        start = line.text.lower().find(line.name.lower())
        tail = line.text[start + len(line.name) :] if start >= 0 else f", {line.note}"
        kept = ""
        for part in _TAIL_PART.finditer(_INTO.sub(", ", tail) if "," in tail else tail):
            said = part["said"].strip()
            bracketed = said[:1] in {"(", "["}
            if fitting := self._remark(said.strip("()[] "), line.amount is None and not bracketed):
                kept += f" ({fitting})" if bracketed else (part["mark"].rstrip() or "") + f" {fitting}"
        return kept

    def _remark(self, said: str, is_list: bool) -> str:
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
        match = self._kitchen.vocabulary.match(said)
        return match is not None and match.confidence >= 0.9 and match.id != self._plan.food.id

    def _plus(self, said: str) -> str:
        line = parse_line(f"{said} {self._plan.food.name}")
        if line.amount is None or self._plan.parts:
            return ""
        text = _portion(self._plan, line, self._kitchen).text
        return f"plus {text}" if text else ""

    def _fitting(self, said: str) -> str:
        """Return a remark with only those preparations that the new food can have."""
        words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", said.lower())
        done = [word for word in words if _is_preparation(word)]
        if not done or self._plan.parts:
            return ""
        wrong = [word for word in done if not _can_be(word, self._plan)]
        if not wrong:
            strange = re.search(r"\d", said) and not re.search(r"\binch|\bcm\b|cut|slice|piece|chunk|half|halves", said)
            return "" if strange else said
        right = [word for word in done if word not in wrong]
        plain = {*done, *_HOW, "and", "then"}.issuperset(words)
        return " and ".join(right) if right and plain else ""


@cache
def _preparations() -> dict[str, frozenset[str]]:
    """Return, for each word that says what was done to a food, the foods and kinds it can be done to."""
    groups: dict[str, tuple[str, ...]] = {}
    foods: dict[str, frozenset[str]] = {}
    for words, listed in read_table("preparations.tsv"):
        members = tuple(listed.split(", "))
        if words.startswith("@"):
            groups[words] = members
        else:
            known = frozenset(name for member in members for name in groups.get(member, (member,)))
            foods |= dict.fromkeys(words.split("/"), known)
    return foods


def _is_preparation(word: str) -> bool:
    return word.lower().strip(",") in _preparations()


def _can_be(word: str, plan: _Plan) -> bool:
    foods, kinds = _preparations()[word.lower().strip(",")], kinds_of(plan.target)
    if any(f"not {kind}" in foods for kind in kinds):
        return False
    return plan.is_alike or not foods.isdisjoint(kinds)


# Kinds so wide that two members need not be handled alike.
_WIDE = frozenset(
    {
        "any fat", "any liquid", "any raw protein", "any protein", "any liquid dairy", "any soft dairy", "any alcohol", "any vegetable",
        "any mix-in", "any fruit", "any herb", "any root", "any starchy side", "any cooked tomato", "any dry coating", "any fruit puree",
    }
)  # fmt: skip


@lru_cache(maxsize=5_000)
def _alike(source: str, target: str) -> bool:
    return bool(set(kinds_of(source)) & set(kinds_of(target)) - _WIDE)


# Title and steps


class _Texts:
    """Rewrites title and steps, and notes what could not be."""

    def __init__(self, kitchen: _Kitchen, plans: list[_Plan], notes: list[Note]) -> None:
        self._plans = {plan.food.id: plan for plan in plans if plan.everywhere}
        self._finder = Finder(kitchen.foods, list(self._plans), kitchen.vocabulary)
        self._rewriter = _Rewriter(self._plans, kitchen)
        self._notes = notes

    def title(self, title: str) -> str:
        return self._rewriter.rewrite(title, self._finder.find(title), in_title=True)

    def step(self, number: int, step: Step) -> Step:
        mentions = self._finder.find(step.text)
        if not mentions:
            return step
        for mention in mentions:
            self._notes += self._mention_notes(number, step.text, mention)
        for plan in self._plans.values():
            said = [mention for mention in mentions if mention.food.id == plan.food.id]
            self._notes += _technique_notes(number, step.text, plan, said)
        text = self._rewriter.rewrite(step.text, mentions)
        return step if text == step.text else replace(step, text=text)

    def _mention_notes(self, number: int, text: str, mention: Mention) -> Iterator[Note]:
        said, plan = text[mention.start : mention.end], self._plans[mention.food.id]
        if mention.is_doubtful:
            meanings = " or ".join([mention.food.name, *mention.others])
            yield Note(
                "mention", f"Step {number} says {said!r}, which may mean {meanings}; it was left as it is.", number
            )
        elif mention.role == "derived":
            yield Note(
                "mention",
                f"Step {number} still uses {said}, which {plan.shown} does not have; change it by hand.",
                number,
            )


_ONE_BEFORE = re.compile(r"\b(a|an|one|each|every|another)\s+$", re.IGNORECASE)
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
_SPRAY = re.compile(r"\b[Ss]pray\b(?=[^.;]*\bwith\s*$)")
_ALONE_ONLY = frozenset({"mash", "blend", "crumble", "spoon", "pour"})  # not what else stands in the list with it


class _Rewriter:
    """Puts other foods into a text where it speaks of those that go."""

    def __init__(self, plans: dict[int, _Plan], kitchen: _Kitchen) -> None:
        self._plans = plans
        self._kitchen = kitchen

    def rewrite(self, text: str, mentions: list[Mention], in_title: bool = False, is_line: bool = False) -> str:
        """Return the text with each mention replaced, unless it is doubtful."""
        done, position = "", 0
        for mention in mentions:
            plan = self._plans[mention.food.id]
            if mention.is_doubtful or mention.role == "derived" or mention.start < position:
                continue
            if mention.is_part and not is_line and self._still_true(text[mention.start : mention.end], plan):
                continue
            before = done + text[position : mention.start]
            if mention.role == "verb":
                done, position = _other_verb(text, before, mention, plan)
            elif mention.role == "adjective":
                said = text[mention.start : mention.end]
                done, position = before + _other_adjective(said, text[mention.end :], plan), mention.end
            else:
                done, position = self._noun(text, before, mention, plan, in_title, is_line)
        done += text[position:]
        for plan in self._plans.values():
            done = _without_repetition(done, plan.shown)
        return done

    def _noun(
        self, text: str, before: str, mention: Mention, plan: _Plan, in_title: bool, is_line: bool
    ) -> tuple[str, int]:
        end = _end_of_phrase(text, mention, plan)
        said = text[mention.start : mention.end]
        describes = is_attributive(text, end, in_title) or _names_a_piece(text[end:])
        if not in_title and not is_line:
            before = self._measured(_prepared(before, plan), said, plan)
            before = _with_other_verb(before, text[end:], plan)
            if "cooking spray" in kinds_of(plan.food.name):
                before = _SPRAY.sub(lambda found: "Grease" if found.group() == "Spray" else "grease", before)
        many = _mention_is_many(plan, mention, before, describes)
        shown = _as_short(said, plan) if mention.is_part else plan.shown
        if plan.parts and in_title:
            shown = spelled(plan.parts[0])
        name = many_of(shown) if many else one_of(shown) if not plan.parts else shown
        before = _with_article(before, name, plan, many, describes)
        name = _cased(name, said, before, in_title, text[0].isupper())
        return before + name + _agreeing(text, end, before, mention, many), _after_be(text, end)

    def _still_true(self, said: str, plan: _Plan) -> bool:
        """Say whether what the recipe says for short holds for both: "the cheese", of Cheddar as of Colby."""
        before, _, last = said.lower().rpartition(" ")
        short = f"{before} {singular(last)}".strip()
        if short == "pepper" and not is_counted(plan.target) and "black pepper" not in kinds_of(plan.target):
            return False  # beside salt it means the black one
        if any(food.id != plan.food.id and food.name.endswith(f" {short}") for food in self._kitchen.foods):
            return False  # another flour is in the recipe, so say which
        return not plan.parts and f" {one_of(plan.target)}".endswith(f" {short}")

    def _measured(self, before: str, said: str, plan: _Plan) -> str:
        """Convert an amount that the step repeats: "add 1/2 cup butter"."""
        found = _MEASURED.search(before)
        if not found or (not found["unit"] and (not is_counted(plan.food.name) or found["amount"].lower() == "one")):
            return before
        line = parse_line(f"{found['amount']}{found['unit'] or ''} {said}")
        if line.amount is None:
            return before
        text = "" if plan.parts else _portion(plan, line, self._kitchen).text
        return before[: found.start()] + (f"{text} " if text else "the ")


def _as_short(said: str, plan: _Plan) -> str:
    """Leave out the last word where the recipe does: "chicken" for chicken breast becomes "turkey" of turkey breast."""
    last = plan.food.name.split()[-1]
    rest, _, own = plan.shown.rpartition(" ")
    is_short = rest and last in CUTS and singular(own.lower()) == last != singular(said.split()[-1].lower())
    return rest if is_short and not plan.parts else plan.shown


def _prepared(before: str, plan: _Plan) -> str:
    """Drop what was done to the old food and cannot be done to the new: "melted", "lightly beaten"."""
    while (found := _LAST_WORD.search(before)) and found["word"].lower().endswith(("ed", "beaten")):
        word = found["word"].lower()
        if not _is_preparation(word) or _can_be(word, plan):
            break
        before = before[: found.start()]
        while (how := _LAST_WORD.search(before)) and how["word"].lower() in _HOW:
            before = before[: how.start()]
    return before


def _with_other_verb(before: str, after: str, plan: _Plan) -> str:
    """Replace a verb right before the food by the one that `techniques.tsv` gives."""
    measured = _MEASURED.search(before)
    front, rest = (before[: measured.start()], before[measured.start() :]) if measured else (before, "")
    found = _VERB_BEFORE.search(front)
    if not found:
        return before
    for row in _techniques(plan.food.name, plan.target):
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


def _end_of_phrase(text: str, mention: Mention, plan: _Plan) -> int:
    """Take in the piece ("juice", "wedges") that the new food has not."""
    end = mention.end
    following = _NEXT_WORD.match(text, end)
    piece = singular(following[1].lower()) if following else ""
    if following and piece in PIECES and not _can_be(_PIECE_OF_WHAT.get(piece, "chopped"), plan):
        return following.end()
    return end


def _names_a_piece(after: str) -> bool:
    """Say whether "slices", "juice" or the like follows."""
    following = _NEXT_WORD.match(after)
    return following is not None and singular(following[1].lower()) in PIECES


_NEXT_WORD = re.compile(r"[ -]([^\W\d_]+)")
_PIECE_OF_WHAT = {
    **dict.fromkeys(("juice", "zest", "rind", "peel"), "zested"), **dict.fromkeys(("breast", "thigh", "leg", "wing"), "boneless"),
}  # fmt: skip


def _mention_is_many(plan: _Plan, mention: Mention, before: str, describes: bool) -> bool:
    if describes or plan.parts or plan.is_measured or not is_counted(plan.target):
        return False
    if mention.is_many:
        return True
    if _ONE_BEFORE.search(before):
        return False
    return plan.comes_as_many or (not is_counted(plan.food.name) and comes_in_many(plan.target))


def _with_article(before: str, name: str, plan: _Plan, many: bool, describes: bool) -> str:
    found = _ARTICLE.search(before)
    if not found:
        return before
    is_one = is_counted(plan.target) and not many and not plan.parts and not plan.is_measured
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


def _keeps_word(root: str, plan: _Plan) -> bool:
    """Say whether "floured" is still true: of rice flour it is, of peanut butter "buttered" is not."""
    return root in kinds_of(plan.target) if root == "butter" else plan.target.split()[-1:] == [root]


def _other_verb(text: str, before: str, mention: Mention, plan: _Plan) -> tuple[str, int]:
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
    paired = _PAIRED_VERB.search(before)
    if paired and object:
        pronoun = "them" if re.search(r"(?<!s)s$", object) else "it"
        return f"{before[: paired.end('first')]}{object} and {verb} {pronoun} with {plan.shown}", end
    verb = capitalized(verb) if said[0].isupper() else verb
    return f"{before}{verb}{object} with {plan.shown}", end


def _other_adjective(said: str, after: str, plan: _Plan) -> str:
    word = said.lower()
    if _keeps_word(word.removesuffix("ed"), plan) or (word == "salted" and not after.startswith(" water")):
        return said
    instead = _INSTEAD_OF_ADJECTIVE[word]
    return capitalized(instead) if said[0].isupper() else instead


def _without_repetition(text: str, name: str) -> str:
    """Write "margarine or margarine" once."""
    if name.lower() not in text.lower():
        return text
    twice = re.compile(
        rf"\b({re.escape(name)}|{re.escape(many_of(name))})(?:,? (?:and|or|and/or|&) |/)(?:the |\1)?\b\1\b",
        re.IGNORECASE,
    )
    return twice.sub(r"\1", text)


# Notes


class _Technique(NamedTuple):
    """A row of `techniques.tsv`."""

    kind: Literal["technique", "timing"]
    verbs: re.Pattern[str]
    anywhere: bool
    source: frozenset[str]
    target: frozenset[str]
    note: str
    instead: str


@cache
def _technique_rows() -> tuple[_Technique, ...]:
    rows = []
    for kind, verbs, source, target, note, instead in read_table("techniques.tsv"):
        pattern = "|".join(re.escape(verb).replace(r"\*", r"\w*") for verb in verbs.split("/"))
        rows.append(
            _Technique(
                "timing" if kind == "timing" else "technique",
                re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE),
                verbs == "*",
                frozenset(source.split(", ")),
                frozenset(target.split(", ")),
                note,
                instead,
            )
        )
    return tuple(rows)


@lru_cache(maxsize=2_000)
def _techniques(source: str, target: str) -> tuple[_Technique, ...]:
    """Return the rows about one food and what replaces it."""
    sources, targets = {*kinds_of(source), "any"}, {*kinds_of(target), "any"}
    return tuple(
        row
        for row in _technique_rows()
        if not row.source.isdisjoint(sources)
        and not row.target.isdisjoint(targets)
        and (source not in row.target or target not in row.source)
    )


_SENTENCE = re.compile(r"[^.;!?]+")


def _technique_notes(number: int, text: str, plan: _Plan, mentions: list[Mention]) -> Iterator[Note]:
    rows = _techniques(plan.food.name, plan.target) if mentions and not plan.parts else ()
    for row in rows:
        if row.anywhere:
            continue
        for sentence in _SENTENCE.finditer(text):
            inside = any(sentence.start() <= mention.start < sentence.end() for mention in mentions)
            if inside and row.verbs.search(sentence.group()):
                yield Note(row.kind, _filled(row.note, plan), number)
                break


def _filled(note: str, plan: _Plan) -> str:
    return capitalized(note.format(source=plan.food.name, target=plan.shown))


def _notes_about(plan: _Plan, kitchen: _Kitchen) -> Iterator[Note]:
    """Say what holds for the whole recipe: times, a target that was there already, lines and names that stay."""
    if not plan.parts:
        for row in _techniques(plan.food.name, plan.target):
            if row.anywhere:
                yield Note("timing", _filled(row.note, plan))
    present = {food.id: food.name for food in kitchen.foods}
    if plan.target_id in present:
        yield Note("mention", f"{capitalized(plan.shown)} is already in the recipe; its own line stays as it is.")
    if not plan.everywhere:
        yield Note(
            "mention", f"Another line keeps {plan.food.name}, so title and steps still say it; mind which is meant."
        )
    same = [food.name for food in kitchen.foods if food.id != plan.food.id and plan.food.name in kinds_of(food.name)]
    for name in same:
        yield Note("mention", f"The recipe also has {name}, which stays.")
