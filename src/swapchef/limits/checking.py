"""One judge for a whole recipe: its lines, and every food that its title, headings, steps and notes name.

All that a line says is judged. A food of another text is excused only by a line that it means (the same food, a name
that is short for it, a part of it), by a line that is itself reported, or because the recipe makes it of what it lists.
A word of a step that may be a food, and that nobody knows, is told as not known.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from swapchef.foods.food_table import CONTAINS, MAY, UNCLEAR, bound_cuts, flavours, relatives
from swapchef.foods.kinds import WIDE, kinds_of
from swapchef.foods.names import Piece, name_stems, pieces_of
from swapchef.foods.reading import Span, read_name, read_text
from swapchef.foods.senses import is_general_name, makes_dough, words_listed
from swapchef.foods.words import stems_in
from swapchef.limits.wishes import Judgement, Limits
from swapchef.recipes import IngredientLine, Recipe
from swapchef.recipes.units import ENGLISH, UNITS

Place = Literal["title", "description", "heading", "ingredient", "step", "note"]
_NEAR = 3  # words before a food that tell whether it is bought, or made here
_MADE_OF = 5  # words behind "into" or "make" among which stands what is made
_COMPOUND = 3  # contents that may be in what is itself made of several foods: mayonnaise, but not butter


@dataclass(frozen=True, slots=True)
class Breach:
    """A text of a recipe that is against the limits, or that cannot be judged."""

    where: Place
    number: int  # from 1; 0 for the title and the description
    text: str
    status: Literal["unsafe", "unknown"]
    rule: str


def problems_in(recipe: Recipe, limits: Limits, is_baking: bool) -> list[Breach]:
    """Judge every line by all that it says, and the other texts by the foods that no line lists."""
    kitchen = _Kitchen(recipe, limits, is_baking)
    breaches = [_of_text("title", 0, recipe.title, kitchen), _of_text("description", 0, recipe.description, kitchen)]
    breaches += [_of_text("heading", number, text, kitchen) for number, text in enumerate(headings_of(recipe), start=1)]
    for number, line in enumerate(recipe.ingredients, start=1):
        judgement = judged_line(line, limits)
        if judgement.status != "safe":
            breaches.append(Breach("ingredient", number, line.text, judgement.status, judgement.rule))
    breaches += [_of_text("step", number, step.text, kitchen) for number, step in enumerate(recipe.steps, start=1)]
    breaches += [_of_text("note", number, note, kitchen) for number, note in enumerate(recipe.notes, start=1)]
    return [breach for breach in breaches if breach]


def is_beyond_doubt(recipe: Recipe, limits: Limits, is_baking: bool) -> bool:
    """Say whether nothing in a recipe is against the limits, often so, or in doubt: what nobody read may be shown."""
    if problems_in(recipe, limits, is_baking):
        return False
    kitchen = _Kitchen(recipe, limits, is_baking)
    texts: list[tuple[Place, str]] = [("title", recipe.title), *(("step", step.text) for step in recipe.steps)]
    return not any(kitchen.unlisted(text, where, is_strict=True) for where, text in texts)


def judged_line(line: IngredientLine, limits: Limits) -> Judgement:
    """Judge a line by all that it says: its alternatives, brackets and remarks count, and a strange word anywhere."""
    return Judgement("safe") if read_name(line.text).is_tool else limits.judge(line.text)


def headings_of(recipe: Recipe) -> list[str]:
    """Return the headings of a recipe's lines and steps, each once."""
    sections = [*(line.section for line in recipe.ingredients), *(step.section for step in recipe.steps)]
    return [section for section in dict.fromkeys(sections) if section]


def _of_text(where: Place, number: int, text: str, kitchen: "_Kitchen") -> Breach | None:
    if not text or not kitchen.limits:
        return None
    if (unsafe := kitchen.unlisted(text, where)) is not None:
        return Breach(where, number, text, "unsafe", unsafe.rule)
    if where == "step" and kitchen.limits.facets and (strange := kitchen.strange(text)):
        return Breach(where, number, text, "unknown", f"I do not know {strange!r}")
    return None


@dataclass
class _Kitchen:
    """What a recipe lists and makes, so that a food in its texts can be told to be one of those."""

    recipe: Recipe
    limits: Limits
    is_baking: bool

    def __post_init__(self) -> None:
        self._texts = [line.text for line in self.recipe.ingredients]
        self._lines = [read_name(text) for text in self._texts]
        self._foods = {tuple(stems_in(food)) for line in self._lines for food in line.foods}
        self._names = {tuple(stems_in(line.name)) for line in self.recipe.ingredients}
        has_flour = any(makes_dough(word) for name in (*self._names, *self._foods) for word in name)
        self._baked = words_listed("baked dish") if self.is_baking or has_flour else frozenset[str]()
        self._title = set(stems_in(self.recipe.title))

    def unlisted(self, text: str, where: Place, is_strict: bool = False) -> Judgement | None:
        """Return the judgement on the first food of a text that is against the limits and that no line excuses.

        Strictly judged, what is in doubt is against them, and so is what the dish of a title often contains.
        """
        for span in read_text(text).spans:
            if span.row.role in {"quality", "head"} and not self._adds(span, MAY if is_strict else CONTAINS):
                continue
            judgement = self.limits.judge(" ".join([*dict.fromkeys(span.denied.values()), span.food]))
            is_told = judgement.status == "unsafe" and not (where == "title" and judgement.may_contain)
            if not is_told and not (is_strict and judgement.status != "safe"):
                continue
            words, written = stems_in(span.food), stems_in(text[span.start : span.end])[-1]
            if self._is_listed(words, written, span, is_strict) or self._is_in_unsafe_line(words, judgement):
                continue
            is_flavour = where == "title" and judgement.may_contain and span.food in flavours()  # "Chocolate Cake"
            if not is_flavour and not self._is_made_here(words, span, text, where, judgement, is_strict):
                return judgement
        return None

    def _adds(self, span: Span, least: int) -> bool:
        """Say whether a quality tells of what is against the limits: "boozy" always, "cheesy" often."""
        added = {content for content, level in span.row.contents.items() if level >= least}
        return not added.isdisjoint(self.limits.forbidden) and span.food not in words_listed("texture")

    def strange(self, text: str) -> str:
        """Return the first word of a step that may be a food, that nobody knows and that no line has."""
        written = self._written
        return next((each for each in read_text(text).strange if written.isdisjoint(name_stems(each))), "")

    @cached_property
    def _written(self) -> frozenset[str]:
        """All words of lines, title and headings."""
        texts = (*self._texts, self.recipe.title, *headings_of(self.recipe))
        return frozenset(piece.stem for text in texts for piece in pieces_of(text))

    def _is_listed(self, words: Sequence[str], last: str, span: Span, is_strict: bool) -> bool:
        """Say whether a line lists a food: under that name, or under a longer one of the same kind of food."""
        if tuple(words) in self._foods or tuple(words) in self._names:
            return True
        if is_strict and last not in words:  # "floured": with which flour, nobody says
            return False
        is_general = (len(words) == 1 and is_general_name(words[0])) or span.row.role == "cut"
        if is_general and any(not span.row.contents.keys().isdisjoint(line.contents) for line in self._lines):
            return True
        is_kind = len(words) == 1 and last in words_listed("general kind")
        if is_kind and any(_is_of_kind(last, other) for other in (*self._foods, *self._names)):
            return True
        # "Separate the ribs", of celery.
        plants = bound_cuts().get(last, frozenset()) if last in words_listed("plant part") else frozenset[str]()
        if any(not plants.isdisjoint({" ".join(food), food[-1]}) for food in self._foods):
            return True
        return any(_is_short_for(words, longer) for longer in (*self._foods, *self._names))

    def _has_like_it(self, words: Sequence[str]) -> bool:
        """Say whether a line lists a food of the same narrow kind: "stock", where broth is listed."""
        return any(_are_related(words, other) for other in (*self._foods, *self._names))

    def _is_in_unsafe_line(self, words: Sequence[str], judgement: Judgement) -> bool:
        """Say whether a line that is itself reported is what a food is called after: "the pastry", of puff pastry."""
        contents = read_name(" ".join(words)).contents.keys()
        for name, line in zip(self._texts, self._lines, strict=True):
            if contents.isdisjoint(line.contents) or self.limits.judge(name).status != "unsafe":
                continue
            telling = set(words if judgement.may_contain else words[:-1])  # "chicken", of chicken stock and broth
            if any(words == stems_in(food)[: len(words)] for food in line.foods):  # "all-purpose", of all-purpose flour
                return True
            is_called_after = not telling.isdisjoint(stems_in(name)) or not telling.isdisjoint(self._title)
            if is_called_after and (judgement.may_contain or self._has_like_it(words)):
                return True
        return False

    def _is_made_here(
        self, words: Sequence[str], span: Span, text: str, where: Place, judgement: Judgement, is_strict: bool
    ) -> bool:
        """Say whether a name means the dish or a part of it that the recipe makes: "the dough", "Oat Cookies"."""
        last, before = words[-1], [piece.word for piece in pieces_of(text[: span.start])][-_NEAR:]
        is_part = last in words_listed("part of the dish")
        is_bought = where != "title" and _is_bought(before)
        is_served = where != "title" and _is_served(before)
        is_sure = judgement.status == "unsafe" and not judgement.may_contain
        is_rest_safe = len(words) == 1 or self.limits.judge(" ".join(words[:-1])).status != "unsafe"
        if last in self._baked and not is_bought and is_rest_safe:
            return True
        if where == "title" and (is_part or last in words_listed("made or bought")):
            is_dish = not is_sure and (_names_the_dish(text, span) or (is_part and judgement.status == "unknown"))
            return is_rest_safe and (is_dish or not is_strict)  # "Lentil Soup", but not "Chicken Soup"
        if is_part and len(words) == 1 and not is_bought and not is_served and not (is_strict and is_sure):
            return True
        is_compound = len(span.row.contents) >= _COMPOUND and not is_bought
        if (
            is_compound
            and where != "title"
            and self._makes(last, span, text, where, is_served or before[-1:] == ["of"])
        ):
            return True
        is_of_title = is_rest_safe and (_names_the_dish(text, span) if where == "title" else last in self._title)
        is_made = where not in {"title", "heading"} and not is_bought and not is_served and self._says_it_makes(last)
        return not is_sure and (is_of_title or is_made or self._has_like_it(words))

    def _makes(self, word: str, span: Span, text: str, where: Place, is_served: bool) -> bool:
        """Say whether the recipe makes a food that itself is made of several."""
        if where == "heading":
            return self._lines_under(text)
        is_dish = any(word in words_listed(name) for name in ("part of the dish", "made or bought", "baked dish"))
        if is_dish and not is_served and self._is_of_reported(span):  # "the custard", of eggs that are reported
            return True
        return not is_served and word not in words_listed("baked dish") and self._says_it_makes(word)

    def _is_of_reported(self, span: Span) -> bool:
        """Say whether a line that is itself reported has in it what a food is against the limits for."""
        own = {content for content, level in span.row.contents.items() if level > UNCLEAR} - span.denied.keys()
        forbidden = own & self.limits.forbidden
        return bool(forbidden) and any(
            line.contents[content].level == CONTAINS
            for line in self._lines
            for content in forbidden & line.contents.keys()
        )

    def _says_it_makes(self, word: str) -> bool:
        shaped = words_listed("shaped")
        return word in self._made or (word in shaped and not shaped.isdisjoint(self._made))

    def _lines_under(self, heading: str) -> bool:
        """Say whether lines stand under a heading, so that what it names is made of them."""
        return any(line.section == heading for line in self.recipe.ingredients)

    @cached_property
    def _made(self) -> frozenset[str]:
        """What the recipe says that it makes: in its title, its headings and steps such as "shape into meatballs"."""
        made = {piece.stem for text in (self.recipe.title, *headings_of(self.recipe)) for piece in pieces_of(text)}
        for step in self.recipe.steps:
            made.update(_made_in(pieces_of(step.text)))
        return frozenset(made)


def _made_in(pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield the words of a step that stand where it tells what is made: "make a custard", "roll into meatballs"."""
    for place, piece in enumerate(pieces):
        following = [other.stem for other in pieces[place + 1 : place + 1 + _MADE_OF]]
        is_making = piece.word in words_listed("making")
        before = {other.word for other in pieces[max(0, place - _MADE_OF) : place]}
        is_shaped = not before.isdisjoint(words_listed("shaping"))  # "roll into balls", not "ladle into a bread bowl"
        is_into = piece.word in words_listed("making into") and following[:1] != ["the"] and is_shaped
        if is_making or is_into or (piece.word in words_listed("making a") and following[:1] in (["a"], ["an"])):
            yield from following


def _names_the_dish(title: str, span: Span) -> bool:
    """Say whether a food in a title is the dish, not what is in it: "Minestrone", but not "Pesto Chicken"."""
    after = pieces_of(title[span.end :])
    is_first = words_listed("behind a dish").isdisjoint(piece.word for piece in pieces_of(title[: span.start]))
    return is_first and (not after or after[0].word in words_listed("behind a dish"))


def _is_served(before: Sequence[str]) -> bool:
    """Say whether the words before a food tell that it stands beside the dish: "serve with gravy", "with a custard"."""
    nearest = [word for word in before if word not in {"a", "an"}][-1:]
    return bool(nearest) and nearest[0] in words_listed("served with")


def _is_bought(before: Sequence[str]) -> bool:
    """Say whether the words before a food tell that it is bought: "store-bought pesto", "a can of soup"."""
    is_contained = before[-1:] == ["of"] and UNITS.get("".join(before[-2:-1])) in ENGLISH.containers
    return is_contained or not words_listed("bought").isdisjoint(before)


def _is_short_for(words: Sequence[str], longer: Sequence[str]) -> bool:
    """Say whether words are short for a longer name of the same kind of food: "milk" for coconut milk, "cheddar"."""
    size = len(words)
    begins_or_ends = tuple(words) in {tuple(longer[:size]), tuple(longer[-size:])}
    if size >= len(longer) or not begins_or_ends:
        return False
    is_head = tuple(words) == tuple(longer[-size:]) and words[-1] in words_listed("stand-in head")
    return is_head or _are_related(words, longer)  # but no crab for crab apples, no butter for peanut butter


def _is_of_kind(kind: str, food: Sequence[str]) -> bool:
    """Say whether a food is one of many of a general name: "cheddar", of cheese."""
    members = relatives().families.get(kind, [])
    return _are_related((kind,), food) or any(member.issubset(food) for member in members)


def _are_related(words: Sequence[str], longer: Sequence[str]) -> bool:
    """Say whether two names share a kind that is not too wide to tell anything."""
    kinds = set(kinds_of(" ".join(longer))) - WIDE
    return any(kind in kinds for kind in kinds_of(" ".join(words)))
