"""Write ingredient lines of the new food: the amount that `portions` gives, its name, and what remarks still hold.

Several foods that replace one get a line each. Of foods that share a line ("salt and pepper to taste") one is rewritten
in place; what a line cannot say is a concern of the swap (`concerns`).
"""

import re
from itertools import takewhile

from swapchef.amounts.measures import dimension
from swapchef.amounts.portions import Portion, mixture_for, portion_of
from swapchef.amounts.ratios import MixtureRatio
from swapchef.editing.concerns import amount_as_written, is_uncountable
from swapchef.editing.matched_recipe import MatchedRecipe
from swapchef.editing.mentions import find_mentions
from swapchef.editing.plan import Plan, is_many
from swapchef.editing.text import Rewriter
from swapchef.en import remarks
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
    fitting = _FittingRemarks(plan, matched, is_measured=dimension(portion.unit) == "volume")
    if front and (more := fitting.second_amount(line)):
        front = f"{front} {more}"
    before, after = fitting.before(line), fitting.after(line)
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
    """Say whether a line is read as the new food, also by a name that says how it is cut: "shredded cheddar cheese"."""
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
    piece = "loaf" if is_whole else remarks.COUNTED_AS.get(target.rpartition(" ")[2])
    if portion.amount is not None and not portion.unit and piece:
        return f"{shown} {many_of(piece) if (portion.amount.high or portion.amount.low) > 1 else piece}"
    if portion.unit and (head := shown.lower().removesuffix(f" {portion.unit}")) != shown.lower():
        shown = shown[: len(head)]  # "2 fillets salmon", not "2 fillets salmon fillet"
    return many_of(shown) if is_many(target, portion.amount, portion.unit, was_many) else one_of(shown)


def _lines_of_mixture(
    line: IngredientLine, mixture: MixtureRatio, plan: Plan, matched: MatchedRecipe
) -> tuple[IngredientLine, ...]:
    parts = mixture_for(mixture, plan.food.name, line, matched.dish).parts
    after = _FittingRemarks(plan, matched).after(line)
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


# Foods that come out of the refrigerator, so that "at room temperature" says something of them.
_CHILLED = (
    "any butter", "egg", "cream cheese", "any milk", "any yogurt", "any soft dairy", "any liquid dairy", "buttermilk",
)  # fmt: skip
_DIGIT = re.compile(r"\d")
_SURE = 0.9  # confidence from which a remark is taken for a second food


class _FittingRemarks:
    """What a line says beside amount and name, as far as it holds for what is swapped in."""

    def __init__(self, plan: Plan, matched: MatchedRecipe, is_measured: bool = False) -> None:
        self._plan = plan
        self._is_measured = is_measured  # in spoons or cups
        self._matched = matched

    def before(self, line: IngredientLine) -> str:
        """Return what stands between amount and name: "finely chopped"."""
        words = line.text[: _start_of_name(line)].split()
        describing = self._states(line.name.split())
        while words and (is_preparation(words[-1]) or words[-1].lower() in HOW or (describing and words[-1] == "and")):
            describing.insert(0, words.pop())
        fitting = self._fitting(" ".join(describing).strip(" ,"))
        return "" if fitting.lower() in HOW else fitting  # "freshly ground" was part of the name

    def second_amount(self, line: IngredientLine) -> str:
        """Return the rest of the amount in "1 cup plus 2 tablespoons flour", converted."""
        second = remarks.SECOND_AMOUNT.search(line.text[: _start_of_name(line)])
        return self._plus(second[1]) if second else ""

    def after(self, line: IngredientLine) -> str:
        """Return what follows the name, with the comma or bracket it had."""
        start = line.text.lower().find(line.name.lower())
        second_food = remarks.WITH_ANOTHER_FOOD.search(line.name)
        length = second_food.start() if second_food else len(line.name)
        tail = line.text[start + length :] if start >= 0 else f", {line.note}"
        if "," in tail:
            tail = remarks.REMARK_WITHOUT_COMMA.sub(", ", tail)
        fitting_remarks = []
        for part in remarks.REMARK.finditer(tail):
            remark = part["remark"].strip()
            is_bracketed = remark[:1] in {"(", "["}
            if fitting := self._remark(remark.strip("()[] "), line.amount is None and not is_bracketed):
                fitting_remarks.append(f" ({fitting})" if is_bracketed else f"{part['mark'].rstrip()} {fitting}")
        return "".join(fitting_remarks)

    def _states(self, words: list[str]) -> list[str]:
        """Return what a line's name says of the food before it names it: "instant vanilla pudding mix"."""
        if not remarks.STATES.isdisjoint(self._plan.target.split()):
            return []
        named = {*self._plan.food.name.split(), *self._plan.target.split()[:1]}
        states = takewhile(lambda word: word.lower() in remarks.STATES and word.lower() not in named, words[:-1])
        return list(states)

    def _remark(self, remark: str, is_list: bool) -> str:
        """Return one remark as it holds for the new food, or ""."""
        if self._names_second_food(remark):
            return remark
        if plus := remarks.PLUS_AMOUNT.match(remark):
            return self._plus(remark[plus.end() :])
        if remarks.HOLDS_FOR_ANY_FOOD.fullmatch(remark):
            return remark
        if remarks.ROOM_TEMPERATURE.fullmatch(remark):
            is_cold = self._plan.is_alike or not set(kinds_of(self._plan.target)).isdisjoint(_CHILLED)
            return remark if is_cold else ""
        if remark.lower().startswith(remarks.OTHER_CHOICE):
            return ""
        return self._fitting(remark) or (remark if is_list and self._is_another_food(remark) else "")

    def _names_second_food(self, remark: str) -> bool:
        """Say whether a remark is about a second food, with its own amount: "mixed with 2 tsp cinnamon"."""
        if not remarks.WITH_ANOTHER_FOOD.match(remark):
            return False
        return bool(_DIGIT.search(remark)) or self._is_another_food(remarks.WITH_ANOTHER_FOOD.sub("", remark).strip())

    def _is_another_food(self, text: str) -> bool:
        """Say whether a remark is the second food of a line: "Kosher salt, freshly ground pepper"."""
        match = self._matched.vocabulary.match(text.removeprefix("and "))
        return match is not None and match.confidence >= _SURE and match.id != self._plan.food.id

    def _plus(self, amount: str) -> str:
        """Convert a second amount, unless it is of another food."""
        if self._is_another_food(parse_line(amount).name):
            return f"plus {amount}"
        line = parse_line(f"{amount} {self._plan.food.name}")
        if line.amount is None or self._plan.mixture:
            return ""
        text = portion_of(self._plan.food.name, self._plan.target, line, self._matched.dish).text
        return f"plus {text}" if text else ""

    def _fitting(self, remark: str) -> str:
        """Return a remark with only those preparations that the new food can have."""
        words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", remark.lower())
        done = [word for word in words if is_preparation(word)]
        if not done or self._plan.mixture:
            return ""
        if self._is_measured and remarks.IN_HALVES.fullmatch(remark):
            return ""
        possible = [word for word in done if self._plan.can_be(word)]
        if len(possible) == len(done):
            has_strange_number = _DIGIT.search(remark) and not remarks.SIZE_OF_PIECES.search(remark)
            return "" if has_strange_number else remark
        has_nothing_else = {*done, *HOW, "and", "then"}.issuperset(words)
        return " and ".join(possible) if has_nothing_else else ""


def _start_of_name(line: IngredientLine) -> int:
    return max(line.text.lower().find(line.name.lower()), 0)
