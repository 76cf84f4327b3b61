"""How a recipe uses one of its foods: where its texts speak of it, and what its lines ask for beside it.

All of it is found out once for a food, whatever is tried in its place.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from swapchef.editing.matched_recipe import MatchedRecipe, RecipeFood
from swapchef.editing.mentions import CUTS, Mention, find_mentions
from swapchef.en import remarks
from swapchef.en.nouns import singular
from swapchef.foods.kinds import is_ingredient, kinds_of
from swapchef.foods.matching import Vocabulary
from swapchef.foods.preparations import are_alike, is_preparation
from swapchef.recipes import IngredientLine

_SENTENCE = re.compile(r"[^.;!?]+")
_SURE = 0.9  # confidence from which a match counts as a food of its own


@dataclass(frozen=True, slots=True)
class Usage:
    """Where and how a recipe uses a food."""

    food: RecipeFood
    title_mentions: tuple[Mention, ...]
    step_mentions: tuple[tuple[Mention, ...], ...]  # of each step
    sentences: tuple[tuple[str, ...], ...]  # of each step, those that mention it
    cooked_first: str  # how the lines of the food ask for it: "hard-boiled"
    product: str  # what the lines have, where it is no plain food but something made and called after it
    is_only_one_of_its_kind: bool  # so that a step which names no food can only mean this one
    also_asked: tuple[tuple[int, str], ...]  # a second food on its lines that was not matched, by the line's index

    def sentences_of(self, number: int) -> tuple[str, ...]:
        """Return the sentences of a step, counted from 1, that mention the food."""
        return self.sentences[number - 1]


def usage_of(food: RecipeFood, matched: MatchedRecipe) -> Usage:
    """Find out how a recipe uses one of its foods."""
    recipe = matched.recipe
    texts = [recipe.title, *(step.text for step in recipe.steps)]
    title, *steps = find_mentions(texts, matched.foods, (food.id,), matched.vocabulary)
    indices = [index for index, ids in enumerate(matched.on_line) if food.id in ids]
    notes = "; ".join(recipe.ingredients[index].note for index in indices)
    return Usage(
        food,
        tuple(title),
        tuple(map(tuple, steps)),
        tuple(tuple(_sentences_with(*each)) for each in zip(texts[1:], steps, strict=True)),
        " ".join(remarks.COOKED_FIRST.findall(notes)),
        product_named_after(food.name, food.written),
        not any(other.id != food.id and are_alike(other.name, food.name) for other in matched.foods),
        tuple(
            (index, also)
            for index in indices
            if len(matched.on_line[index]) == 1
            and (also := second_food(recipe.ingredients[index], food, matched.vocabulary))
        ),
    )


def _sentences_with(text: str, mentions: Sequence[Mention]) -> Iterator[str]:
    """Yield the sentences of a text that have a mention; mentions are in order, so that each is looked at once."""
    next_mention = 0
    for sentence in _SENTENCE.finditer(text) if mentions else ():
        while next_mention < len(mentions) and mentions[next_mention].start < sentence.start():
            next_mention += 1
        if next_mention < len(mentions) and mentions[next_mention].start < sentence.end():
            yield sentence.group()


_PLAIN_FOODS = frozenset(
    {"any fruit", "any vegetable", "any root", "any wheat flour", "any shellfish", "any plain soda", "any lemonade"}
)


def product_named_after(name: str, written: Sequence[str]) -> str:
    """Return what a recipe has where it is no plain food but something made and called after it.

    >>> product_named_after("strawberry", ["strawberry flavored Jell-O"]), product_named_after("corn", ["corn dogs"])
    ('strawberry flavored Jell-O', 'corn dogs')
    >>> product_named_after("strawberry", ["frozen strawberries"]), product_named_after("hot dog", ["beef hot dogs"])
    ('', '')
    """
    for text in written:
        ending = remarks.ANOTHER_THING.search(text)
        if ending and singular(ending.group().lower()) not in name:
            return text
    if _PLAIN_FOODS.isdisjoint(kinds_of(name)) or remarks.MADE_OF_IT.search(name):
        return ""
    return next((text for text in written if remarks.MADE_OF_IT.search(text)), "")


def second_food(line: IngredientLine, food: RecipeFood, vocabulary: Vocabulary) -> str:
    """Return a second food that a line asks for and that was not matched: "chicken breasts and thighs".

    Where a line only lists foods ("salt, and freshly ground pepper") its remarks keep the second one.
    """
    for phrase in remarks.AND_ANOTHER.finditer(remarks.ASIDE.sub("", line.text)):
        if phrase["comma"] and line.amount is None:
            continue
        words = [word for word in re.findall(r"[^\W\d_]+", phrase["what"].lower()) if not is_preparation(word)]
        if not words or words[-1] in food.name or words[-1] in remarks.TRIMMINGS:
            continue
        if singular(words[-1]) in CUTS or _is_food(" ".join(words), food, vocabulary):
            return phrase["what"].strip()
    return ""


def _is_food(text: str, other_than: RecipeFood, vocabulary: Vocabulary) -> bool:
    match = vocabulary.match(text)
    return match is not None and match.confidence >= _SURE and match.id != other_than.id and is_ingredient(match.name)
