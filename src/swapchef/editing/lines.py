"""Write ingredient lines of the new food: the amount that `portions` gives, its name, and what remarks still hold.

Several foods that replace one get a line each. Of foods that share a line ("salt and pepper to taste") one is rewritten
in place; what a line cannot say is a concern of the swap (`concerns`).
"""

import re

from swapchef.amounts.measures import dimension
from swapchef.amounts.portions import Portion, mixture_for, portion_of
from swapchef.amounts.ratios import MixtureRatio
from swapchef.editing.concerns import COUNTED_AS, amount_as_written, is_uncountable
from swapchef.editing.matched_recipe import MatchedRecipe
from swapchef.editing.mentions import find_mentions
from swapchef.editing.plan import Plan, is_many
from swapchef.editing.text import Rewriter
from swapchef.en.nouns import capitalized, many_of, one_of, singular, spelled
from swapchef.foods.kinds import food_of, kinds_of
from swapchef.foods.preparations import HOW, is_preparation
from swapchef.recipes import IngredientLine, parse_line
from swapchef.recipes.model import tidy


def swapped_lines(index: int, plans: list[Plan], matched: MatchedRecipe) -> tuple[IngredientLine, ...]:
    """Return what replaces an ingredient line under the plans that concern it."""
    line = matched.recipe.ingredients[index]
    if len(matched.on_line[index]) > 1:
        return (_shared_line(index, plans, matched),)
    plan = plans[0]
    if plan.mixture:
        return _lines_of_mixture(line, plan.mixture, plan, matched)
    return (_one_line(line, plan, plan.portions[index], matched),)


def _one_line(line: IngredientLine, plan: Plan, portion: Portion, matched: MatchedRecipe) -> IngredientLine:
    name = _listed_name(plan.target, plan.shown, line, portion)
    front = _front(line, plan, portion)
    remarks = _Remarks(plan, matched, is_measured=dimension(portion.unit) == "volume")
    if front and (more := remarks.second_amount(line)):
        front = f"{front} {more}"
    before, after = remarks.before(line), remarks.after(line)
    full = _line_text(front, before, name, _with_preparation(after, before, plan, portion))
    if not front and line.text[:1].isupper():
        full, name = capitalized(full), capitalized(name)
    bare = _line_text(front, "", name, "")
    for text in (full, bare, bare.replace(name, one_of(name))):  # until no remark or plural hides the name
        new = parse_line(text, line.section)
        if plan.target_id is None or _names_it(new, plan, matched):
            break
    return new


def _front(line: IngredientLine, plan: Plan, portion: Portion) -> str:
    """Return the amount as the front of the new line."""
    if is_uncountable(portion, plan):
        return amount_as_written(portion, line, plan)
    front = portion.text or (f"{line.unit} of" if line.unit and portion.unit else "")
    if front and line.pack and line.pack.unit in {"inch", "centimeter"} and plan.is_alike:
        return f"{front} ({line.pack.amount} {line.pack.unit})"  # as wide as the pan
    return front


def _with_preparation(after: str, before: str, plan: Plan, portion: Portion) -> str:
    """Say after the name what the rule asks for first ("minced"), unless the line says how it is cut already."""
    prepare = portion.row.prepare
    if not prepare or not plan.can_be(prepare.split()[0]):
        return after
    has_any = any(is_preparation(word) for word in re.findall(r"[^\W\d_]+", f"{before} {after}"))
    return after if has_any or portion.amount is None else f", {prepare}{after}"


def _line_text(front: str, before: str, name: str, after: str) -> str:
    return tidy(" ".join(part for part in (front, before, name) if part) + after)


def _names_it(line: IngredientLine, plan: Plan, matched: MatchedRecipe) -> bool:
    """Say whether a line is read as the new food, be it under a name that says how it was cut: "shredded cheddar cheese"."""
    matches = matched.vocabulary.match_all(line)
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
    piece = "loaf" if is_whole else COUNTED_AS.get(target.rpartition(" ")[2])
    if portion.amount is not None and not portion.unit and piece:
        return f"{shown} {many_of(piece) if (portion.amount.high or portion.amount.low) > 1 else piece}"
    if portion.unit and (head := shown.lower().removesuffix(f" {portion.unit}")) != shown.lower():
        shown = shown[: len(head)]  # "2 fillets salmon", not "2 fillets salmon fillet"
    return many_of(shown) if is_many(target, portion.amount, portion.unit, was_many) else one_of(shown)


def _lines_of_mixture(
    line: IngredientLine, mixture: MixtureRatio, plan: Plan, matched: MatchedRecipe
) -> tuple[IngredientLine, ...]:
    parts = mixture_for(mixture, plan.food.name, line, matched.dish).parts
    after = _Remarks(plan, matched).after(line)
    return tuple(parse_line(_line_text("", "", spelled(part.text), after), line.section) for part in parts)


def _shared_line(index: int, plans: list[Plan], matched: MatchedRecipe) -> IngredientLine:
    """Replace one of several foods that share a line ("salt and pepper to taste") and leave the rest of it alone."""
    line = matched.recipe.ingredients[index]
    foods = [food for food in matched.foods if food.id in matched.on_line[index]]
    (mentions,) = find_mentions([line.text], foods, [plan.food.id for plan in plans], matched.vocabulary)
    text = Rewriter({plan.food.id: plan for plan in plans}, matched).rewrite(line.text, mentions, is_line=True)
    for plan in plans:
        if all(mention.food.id != plan.food.id for mention in mentions):
            text = f"{text}, with {plan.shown} for {plan.food.name}"
    return parse_line(tidy(text), line.section)


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
_IN_HALVES = re.compile(r"cut (?:in|into) (?:half|halves|quarters)(?: (?:crosswise|lengthwise))?", re.IGNORECASE)
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

    def __init__(self, plan: Plan, matched: MatchedRecipe, is_measured: bool = False) -> None:
        self._plan = plan
        self._is_measured = is_measured  # in spoons or cups
        self._matched = matched

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
        match = self._matched.vocabulary.match(said.removeprefix("and "))
        return match is not None and match.confidence >= 0.9 and match.id != self._plan.food.id

    def _plus(self, said: str) -> str:
        if self._is_another_food(parse_line(said).name):
            return f"plus {said}"
        line = parse_line(f"{said} {self._plan.food.name}")
        if line.amount is None or self._plan.mixture:
            return ""
        text = portion_of(self._plan.food.name, self._plan.target, line, self._matched.dish).text
        return f"plus {text}" if text else ""

    def _fitting(self, said: str) -> str:
        """Return a remark with only those preparations that the new food can have."""
        words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", said.lower())
        done = [word for word in words if is_preparation(word)]
        if not done or self._plan.mixture:
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
