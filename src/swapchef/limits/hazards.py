"""Hazards of the kitchen that are no allergen: honey for babies, weak acid in canning, curing salt, raw flour.

`contexts.tsv` says by which words of a recipe a dangerous setting is recognised, `hazard_foods.tsv` which foods its
rules are about, and `hazards.tsv` which swap, or which food that is already there, is refused or warned about, and why.
A setting is recognised once for a recipe; rules of the setting "any" hold everywhere, also without a recipe, and those
of "avoiding ..." for cooks who keep to that diet. Pregnancy is such a diet, judged by the same rows for a name alone.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, cast

from swapchef.foods.kinds import kinds_of
from swapchef.foods.words import stem, tokens_of
from swapchef.limits.diets import Verdict, verdict
from swapchef.limits.facets import PREGNANCY
from swapchef.recipes import Recipe
from swapchef.tables import read_rows

Severity = Literal["refuse", "warn", "note"]
ANYWHERE = "any"  # the setting of rules that always hold; and in a rule, whatever food
UNCOOKED = "uncooked"  # the setting of a dish that nothing heats, which its caller recognises
_AVOIDING = "avoiding "
_ALL_BUT = "all but "
_BY_NAME_ALONE = frozenset({f"{_AVOIDING}{PREGNANCY}"})  # rules that `Limits` applies, as it does those of any diet
_BETWEEN_FOODS = re.compile(r"[,;/+&]|\b(?:and|with|or|plus)\b", re.IGNORECASE)
_REMEMBERED = 20_000


@dataclass(frozen=True, slots=True)
class Hazard:
    """That a swap, or a food where it is, is dangerous or wants care."""

    setting: str
    severity: Severity
    more_than: str  # the measure above which it holds; "" for any amount
    reason: str  # one sentence for people, with {source} and {target}

    @property
    def is_wish(self) -> bool:
        """Say whether it is one only for a cook who avoids something."""
        return self.setting.startswith(_AVOIDING)

    def sentence(self, source: str, target: str = "") -> str:
        """Say it of two foods."""
        text = self.reason.format(source=source, target=target)
        return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Guard:
    """What the hazards of a recipe say of swaps of one of its ingredients."""

    refusal: Hazard | None  # why nothing may take its place
    rules: tuple["_Rule", ...]

    def against(self, *names: str) -> tuple[Hazard, ...]:
        """Return what speaks against a food, by its name and the cook's own words for it."""
        return tuple(rule.hazard for rule in self.rules if _is_meant(rule.comes, names))

    def refusal_of(self, *names: str) -> Hazard | None:
        """Return why a food, in whatever amount, may not come."""
        refused = (hazard for hazard in self.against(*names) if hazard.severity == "refuse" and not hazard.more_than)
        return self.refusal or next(refused, None)


NO_GUARD = Guard(None, ())


@dataclass(frozen=True, slots=True)
class Hazards:
    """The settings of a recipe, or of none, in which some foods are dangerous."""

    settings: frozenset[str] = frozenset({ANYWHERE})

    @classmethod
    def of(cls, recipe: Recipe | None, is_uncooked: bool = False, facets: Iterable[str] = ()) -> "Hazards":
        """Recognise the settings of a recipe, and add those of what the cook avoids."""
        avoided = {f"{_AVOIDING}{facet}" for facet in facets}
        written = settings_of(recipe) if recipe else frozenset[str]()
        return cls(frozenset({ANYWHERE, *written, *avoided, *([UNCOOKED] if is_uncooked else [])}))

    def guard(self, *names: str) -> Guard:
        """Return what to mind when an ingredient goes, by all that its lines call it."""
        rules = tuple(rule for rule in self._rules() if rule.settings != _BY_NAME_ALONE and _is_meant(rule.goes, names))
        refusal = next((rule.hazard for rule in rules if rule.comes == ANYWHERE), None)
        return Guard(refusal, rules)

    def in_place(self, is_wish: bool, *names: str) -> Hazard | None:
        """Return why a food is dangerous where it already is: for everybody, or only for who avoids something."""
        rules = (rule for rule in self._rules() if rule.is_in_place and rule.hazard.is_wish == is_wish)
        return next((rule.hazard for rule in rules if _is_meant(rule.comes, names)), None)

    def _rules(self) -> tuple["_Rule", ...]:
        return _rules_in(self.settings)


def pregnancy_verdict(name: str) -> Verdict:
    """Judge a food by its name for somebody who is pregnant; what nobody knows is not safe.

    >>> pregnancy_verdict("brie cheese").status, pregnancy_verdict("cheddar cheese").status
    ('unsafe', 'safe')
    """
    verdicts = [_pregnancy_verdict(part) for part in _BETWEEN_FOODS.split(name) if part.strip()]
    for status in ("unsafe", "unknown"):
        if worst := next((each for each in verdicts if each.status == status), None):
            return worst
    return verdicts[0] if verdicts else Verdict("unknown", "this names no food that I know")


def _pregnancy_verdict(name: str) -> Verdict:
    doubt = ""
    for rule in _rules_in(_BY_NAME_ALONE):
        if food := _words_meant(rule.comes, name):
            sentence = rule.hazard.sentence(name, food)
            if rule.hazard.severity == "refuse":
                return Verdict("unsafe", sentence, food=food)
            doubt = doubt or sentence
    # What little alcohol an extract or a vinegar may hold is no matter; whether its words are known still is.
    drink = verdict(name, "lupin" if _is_meant("flavoring", (name,)) else "no_alcohol")
    if drink.status == "unsafe" and not drink.may_contain:
        return Verdict("unsafe", drink.rule, food=drink.food)
    if drink.status != "safe":
        return Verdict("unknown", drink.rule)
    return Verdict("unknown", doubt) if doubt else Verdict("safe", f"nothing is known against {name} in pregnancy")


# Settings


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words to look for, and the words that must be somewhere in the recipe too."""

    words: frozenset[str]  # that it cannot be without, so that most phrases need no search
    text: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """Return its pattern, compiled when it is first looked for: few ever are."""
        return _compiled(self.text)


@dataclass(frozen=True, slots=True)
class _Sign:
    """A row of `contexts.tsv`."""

    setting: str
    place: str
    phrases: tuple[
        tuple[_Phrase, ...], ...
    ]  # one of these, with all its parts: the first in its place, others anywhere
    hiding: tuple[_Phrase, ...]  # longer names that hide the words in them: "baby spinach"
    denying: tuple[_Phrase, ...]  # words anywhere in the recipe that deny the setting
    is_unlisted: bool  # the words count only where no ingredient line has them


def settings_of(recipe: Recipe) -> frozenset[str]:
    """Return the settings that the words of a recipe tell of."""
    title, *lines = (_flat(text) for text in (recipe.title, *(line.text for line in recipe.ingredients)))
    steps = "".join(_flat(text) for text in (*(step.text for step in recipe.steps), *recipe.notes, recipe.description))
    places = {"title": title, "steps": steps, "lines": "".join(lines), "text": title + steps}
    places["anywhere"] = places["text"] + places["lines"]
    words = {place: frozenset(text.split()) for place, text in places.items()}
    settings = set()
    for sign in _signs():
        if sign.setting not in settings and _is_given(sign, places, words):
            settings.add(sign.setting)
    return frozenset(settings)


def _is_given(sign: _Sign, places: dict[str, str], words: dict[str, frozenset[str]]) -> bool:
    for first, *others in sign.phrases:
        if not first.words <= words[sign.place]:
            continue
        text = _without(sign.hiding, places[sign.place])
        if not (match := first.pattern.search(text)):
            continue
        if sign.is_unlisted and f"{match['words']} " in places["lines"]:
            continue
        anywhere = places["anywhere"]
        if all(other.pattern.search(anywhere) for other in others):
            return not any(phrase.pattern.search(anywhere) for phrase in sign.denying)
    return False


def _without(hiding: Iterable[_Phrase], text: str) -> str:
    words = frozenset(text.split())
    for phrase in hiding:
        if phrase.words <= words:
            text = phrase.pattern.sub(" ; ", text)
    return text


def _flat(text: str) -> str:
    """Write a text as its words in the singular and its signs, with one space around each."""
    tokens = tokens_of(_HYPHEN.sub(" ", text))
    return f" {' '.join(stem(token.text) for token in tokens if token.text != '#')} ; "


def _flat_name(name: str) -> str:
    """Write the name of a food the same way, without its signs."""
    return f" {' '.join(stem(token.text) for token in tokens_of(name) if token.is_word)} ; "


_HYPHEN = re.compile(r"(?<=\w)[-\u2010\u2011](?=\w)")  # "deep-fry"
_NUMBER = r"(?: \d+| six| seven| eight| nine| ten| eleven| twelve)"
_GAP = r"(?: [\w,]+){0,4}?"
_END_OF_NAME = (
    r"(?= [^\w\s]| (?:with|for|in|from|and|recipe|of|a la|by|i+|\d+) )"  # "Plum Jam with Port"; not "Jam Tarts"
)
_SAME_NAME = r"^(?:(?! (?:with|w|on|over|in|topped) ).)*?"  # "Plum Jam", but not "Duck with Plum Jam"
_HOT_FAT = r" (?:1[5-9]\d|3\d\d)[fc]?"  # degrees, Celsius or Fahrenheit
_SPECIAL = {"#": _NUMBER, "hot#": _HOT_FAT, "...": _GAP, "|": _END_OF_NAME}


def _phrase(text: str) -> _Phrase:
    """Read words: # a number, hot# degrees of hot fat, ... up to four words, | the end of a name, a* a beginning."""
    plain = [piece for piece in text.split() if piece not in _SPECIAL and not piece.endswith("*")]
    return _Phrase(frozenset(each for piece in plain for each in _stems(piece)), text)


@cache
def _compiled(text: str) -> re.Pattern[str]:
    before = _SAME_NAME if "|" in text.split() else ""
    return re.compile(rf"{before}(?P<words>{_pattern(text)})(?= )")


def _pattern(text: str) -> str:
    pattern = ""
    for piece in text.split():
        if piece in _SPECIAL:
            pattern += _SPECIAL[piece]
        elif piece.endswith("*"):
            pattern += rf" {re.escape(piece[:-1])}\w*"
        else:
            pattern += "".join(f" {re.escape(each)}" for each in _stems(piece))
    return pattern


def _stems(text: str) -> list[str]:
    return [stem(token.text) for token in tokens_of(text)]


@cache
def _signs() -> tuple[_Sign, ...]:
    signs = []
    for row in read_rows("limits/contexts.tsv"):
        phrases = [tuple(map(_phrase, item.split(" & "))) for item in row["words"].split(", ")]
        unless = list(filter(None, row["unless"].split(", ")))
        hiding = tuple(_phrase(item) for item in unless if not item.startswith("& "))
        denying = tuple(_phrase(item[2:]) for item in unless if item.startswith("& "))
        is_unlisted = row["unlisted"] == "yes"
        signs.append(_Sign(row["context"], row["in"], tuple(phrases), hiding, denying, is_unlisted))
    return tuple(signs)


# Foods


@dataclass(frozen=True, slots=True)
class _Foods:
    """A row of `hazard_foods.tsv`: kinds and words of some foods, and the exceptions to this row."""

    kinds: frozenset[str]
    words: str  # a pattern; "" where only kinds are listed
    exception_kinds: frozenset[str]
    exception_words: str

    def words_in(self, names: Sequence[str]) -> str:
        """Return the words by which a food, under all its names, is one of these; "" where it is none."""
        texts = [_flat_name(name) for name in names]
        kinds = {kind for name in (*names, *(text[1:-3] for text in texts)) for kind in kinds_of(name)}
        if not self.exception_kinds.isdisjoint(kinds):
            return ""
        if self.exception_words and any(_food_pattern(self.exception_words).search(text) for text in texts):
            return ""
        for text in texts if self.words else ():
            if match := _food_pattern(self.words).search(text):
                return match[0].strip()
        return names[0] if not self.kinds.isdisjoint(kinds) else ""


@cache
def _food_pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)  # when it is first looked for: most recipes ask for few


@cache
def hazard_foods() -> dict[str, tuple[_Foods, ...]]:
    """Return the foods that rules are about, by the name of their group."""
    groups: dict[str, list[_Foods]] = {}
    written: dict[str, str] = {}  # the foods of each group so far
    for row in read_rows("limits/hazard_foods.tsv"):
        group, foods = row["group"], row["foods"]
        read = _Foods(*_kinds_and_words(foods, written), *_kinds_and_words(row["except"], written))
        groups.setdefault(group, []).append(read)
        written[group] = f"{written[group]}, {foods}" if group in written else foods
    return {group: tuple(rows) for group, rows in groups.items()}


def _kinds_and_words(cell: str, groups: Mapping[str, str]) -> tuple[frozenset[str], str]:
    """Read a list of foods, where "@cooked" stands for all foods of that group."""
    listed = (groups[item[1:]] if item.startswith("@") else item for item in filter(None, cell.split(", ")))
    items = [item for part in listed for item in part.split(", ")]
    kinds = frozenset(item for item in items if item.startswith(f"{ANYWHERE} "))
    patterns = []
    for item in items:
        if item.startswith("* "):  # whatever ends so
            patterns.append(f"{_pattern(item[2:])}(?= ;)")
        elif item.startswith("= "):  # no word more nor less
            patterns.append(f"^{_pattern(item[2:])}(?= ;)")
        elif item not in kinds:
            patterns.append(f"{_pattern(item)}(?= )")
    return kinds, "|".join(patterns)


@lru_cache(maxsize=_REMEMBERED)
def _is_meant(foods: str, names: tuple[str, ...]) -> bool:
    """Say whether a cell of a rule is about a food: any, a group, or all but a group."""
    if foods == ANYWHERE:
        return True
    if foods.startswith(_ALL_BUT):
        return not _is_meant(foods.removeprefix(_ALL_BUT), names)
    return any(row.words_in(names) for row in hazard_foods()[foods])


@lru_cache(maxsize=_REMEMBERED)
def _words_meant(foods: str, name: str) -> str:
    """Return the words of a text by which it is one of a group."""
    return next((words for row in hazard_foods()[foods] if (words := row.words_in((name,)))), "")


# Rules


@dataclass(frozen=True, slots=True)
class _Rule:
    """A row of `hazards.tsv`."""

    settings: frozenset[str]  # that must all be given
    goes: str
    comes: str
    is_in_place: bool  # it is dangerous where it already is, not only as a swap
    hazard: Hazard


@lru_cache(maxsize=1_000)
def _rules_in(settings: frozenset[str]) -> tuple[_Rule, ...]:
    return tuple(rule for rule in _all_rules() if rule.settings <= settings)


@cache
def _all_rules() -> tuple[_Rule, ...]:
    return tuple(_read_rules())


def _read_rules() -> Iterator[_Rule]:
    for row in read_rows("limits/hazards.tsv"):
        severity = cast(Severity, row["verdict"])
        hazard = Hazard(row["context"], severity, row["more than"], row["reason"])
        settings = frozenset(row["context"].split(" & "))
        yield _Rule(settings, row["goes"], row["comes"], row["in place"] == "yes", hazard)
