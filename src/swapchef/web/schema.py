"""The requests and answers of the API; OpenAPI is generated from this, names and docstrings included.

Answers are the dataclasses that `Substituter` returns, wrapped where there are several. Requests are strict: no field
that is not named here, and a limit on every text, list and nested recipe, so that no request costs more than a large
recipe does.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema, model_validator

from swapchef.editing.editor import Change, Note, Swap
from swapchef.errors import RecipeError
from swapchef.limits.facets import FACETS, OTHER_WISHES
from swapchef.rankers.shipped import ASKED_BY_NAME, OURS
from swapchef.recipes import Recipe, jsonld
from swapchef.substituter import Wishes
from swapchef.swapping.answers import Problem, Suggestions

MAX_LINES = 100  # ingredients of a recipe; a banquet has fewer
MAX_STEPS = 200
_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, which no answer could be written with
_MAX_NODES, _MAX_DEPTH, _MAX_TEXT = 5_000, 24, 20_000  # of a recipe as JSON

Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Names = Annotated[list[Name], Field(max_length=100)]


def _check_size(document: dict[str, Any]) -> dict[str, Any]:
    """Refuse JSON that is larger, deeper or longer than a recipe, or that is not text; walks without recursion."""
    values, level = 0, list[tuple[object, object]](document.items())
    for _ in range(_MAX_DEPTH):
        below: list[tuple[object, object]] = []
        for pair in level:
            for item in pair:
                if isinstance(item, str):
                    _check_text(item)
                elif isinstance(item, dict):
                    below += item.items()
                elif isinstance(item, list):
                    below += ((entry, None) for entry in item)
            values += 1
        if values + len(below) > _MAX_NODES:
            raise ValueError(f"a recipe has at most {_MAX_NODES:,} values")
        if not below:
            return document
        level = below
    raise ValueError(f"a recipe is nested at most {_MAX_DEPTH} levels deep")


def _check_text(text: str) -> None:
    if len(text) > _MAX_TEXT:
        raise ValueError(f"a text in a recipe has at most {_MAX_TEXT:,} characters")
    if _SURROGATE.search(text):
        raise ValueError("a text in a recipe must be valid Unicode")


_TEXTS = {"type": "array", "items": {"type": "string", "maxLength": _MAX_TEXT}}
RecipeObject = Annotated[
    dict[str, Any],
    AfterValidator(_check_size),
    WithJsonSchema(
        {
            "type": "object",
            "description": "A schema.org Recipe as JSON-LD.",
            "required": ["recipeIngredient"],
            "properties": {
                "@context": {"type": "string"},
                "@type": {"const": "Recipe"},
                "name": {"type": "string", "maxLength": _MAX_TEXT},
                "recipeYield": {"type": "string", "maxLength": _MAX_TEXT},
                "recipeIngredient": {**_TEXTS, "minItems": 1, "maxItems": MAX_LINES},
                "recipeInstructions": {
                    "type": "array",
                    "maxItems": MAX_STEPS,
                    "items": {
                        "type": "object",
                        "properties": {
                            "@type": {"enum": ["HowToStep", "HowToSection"]},
                            "name": {"type": "string"},
                            "text": {"type": "string"},
                            "itemListElement": {"type": "array", "items": {"type": "object"}},
                        },
                    },
                },
            },
            "example": {
                "@context": "https://schema.org",
                "@type": "Recipe",
                "name": "Buttermilk pancakes",
                "recipeIngredient": ["2 cups all-purpose flour", "2 cups buttermilk", "2 eggs"],
                "recipeInstructions": [{"@type": "HowToStep", "text": "Whisk the buttermilk into the flour."}],
            },
        },
    ),
]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class WishesBody(_Body):
    """What a swap must keep to."""

    have: Names | None = None
    diet: Names = []
    avoid: Names = []
    unknown: bool = False

    def wishes(self) -> Wishes:
        """Return them as the library takes them."""
        return Wishes(self.have, tuple(self.diet), tuple(self.avoid), self.unknown)


def _check_ranker(name: str) -> str:
    if name not in ASKED_BY_NAME:
        raise ValueError(f"one of {', '.join(ASKED_BY_NAME)}")
    return name


RankerName = Annotated[
    str,
    Query(max_length=40, description=f"Whose ranking: ours ({OURS}), or {', '.join(ASKED_BY_NAME[1:])}."),
    AfterValidator(_check_ranker),
]


class ParseRequest(_Body):
    """A recipe as text of any format, or the address of a page that has one."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=1_000_000)] | None = None
    format: Annotated[str, StringConstraints(max_length=40)] | None = None
    url: Annotated[str, StringConstraints(min_length=1, max_length=2_000)] | None = None

    @model_validator(mode="after")
    def _check_text_or_url(self) -> "ParseRequest":
        if (self.text is None) == (self.url is None):
            raise ValueError("give a text or a url")
        return self


class SuggestRequest(_Body):
    """Which ingredients to replace, in which recipe, under which wishes."""

    recipe: RecipeObject | None = None
    ingredients: Annotated[list[Name], Field(min_length=1, max_length=12)]
    top: Annotated[int, Field(ge=1, le=50)] = 5
    wishes: WishesBody = WishesBody()
    counterfactual: bool = False


class WantedSwap(_Body):
    """An ingredient to replace, by something named or by what suits it best."""

    ingredient: Name
    target: Annotated[Name | None, Field(alias="with")] = None


class SwapRequest(_Body):
    """A recipe and what to replace in it; with a diet and no swaps, all that is against it."""

    recipe: RecipeObject
    swaps: Annotated[list[WantedSwap], Field(max_length=12)] = []
    wishes: WishesBody = WishesBody()


class CheckRequest(_Body):
    """A recipe and what to check it for."""

    recipe: RecipeObject
    wishes: WishesBody


class WriteRequest(_Body):
    """A recipe and the format to write it in."""

    recipe: RecipeObject
    format: Annotated[str, StringConstraints(max_length=40)]


class FeedbackRequest(_Body):
    """Whether a cook took a swap, in a recipe with these ingredients."""

    recipe_ingredients: Names
    source: Name
    target: Name
    accepted: bool


class CookRequest(_Body):
    """What to change in the dish of a photo, from a query: its every parameter may be repeated."""

    swap: Annotated[list[Name], Field(max_length=12, description="An ingredient to replace.")] = []
    targets: Annotated[
        list[Name],
        Field(alias="with", max_length=12, description="What to use instead, as often as swap; else what suits best."),
    ] = []
    add: Annotated[list[Name], Field(max_length=20, description="An ingredient that was not seen.")] = []
    remove: Annotated[list[Name], Field(max_length=20, description="An ingredient that was seen by mistake.")] = []
    diet: Annotated[Names, Field(description="A diet to keep to, or an allergen to leave out.")] = []
    avoid: Annotated[Names, Field(description="A food to leave out.")] = []

    @model_validator(mode="after")
    def _check_targets(self) -> "CookRequest":
        if self.targets and len(self.targets) != len(self.swap):
            raise ValueError("name one swap for each with")
        return self

    def wishes(self) -> Wishes:
        """Return the limits as the library takes them."""
        return Wishes(diet=tuple(self.diet), avoid=tuple(self.avoid))


@dataclass(frozen=True)
class Ingredient:
    """A line of a recipe, and the ingredients that were found in it."""

    number: int
    text: str
    section: str
    matches: tuple[str, ...]


@dataclass(frozen=True)
class ParseAnswer:
    """A recipe as it was understood."""

    recipe: dict[str, Any]
    ingredients: list[Ingredient]
    warnings: list[str]


@dataclass(frozen=True)
class SuggestAnswer:
    """The swaps for each ingredient that was asked for."""

    answers: list[Suggestions]


@dataclass(frozen=True)
class SwapAnswer:
    """The rewritten recipe, what changed in it, what to mind, and what is still against the wishes."""

    recipe: dict[str, Any]
    ingredients: list[Ingredient]
    changes: Sequence[Change]
    notes: Sequence[Note]
    problems: Sequence[Problem]
    swaps: Sequence[Swap]


@dataclass(frozen=True)
class CheckAnswer:
    """What in a recipe is against the wishes."""

    recipe: str
    limits: tuple[str, ...]
    problems: tuple[Problem, ...]
    is_fine: bool


@dataclass(frozen=True)
class SeenIngredient:
    """An ingredient that a photo seems to show, and how sure that is, from 0 to 1."""

    name: str
    confidence: float


@dataclass(frozen=True)
class MadeSwap:
    """What takes the place of what."""

    source: str
    target: str


@dataclass(frozen=True)
class WrittenRecipe:
    """A recipe that was written for a photo, in parts and as Markdown."""

    title: str
    ingredients: list[str]
    steps: list[str]
    text: str


_COOK_ANSWER = (
    "What a photo shows, what is used of it, and the recipe before and after the swaps.\n\n"
    "`recipe_keeps_to_wishes` is about the recipe before them, and null where nothing was wished; "
    "the one after them always does.\n"
    "`collapses` says which recipe is not written for the photo but the nearest of our own collection, and why."
)


@dataclass(frozen=True)
class CookAnswer:
    """What a photo shows, what is used of it, and the recipe before and after the swaps; see `_COOK_ANSWER`."""

    __pydantic_config__ = ConfigDict(json_schema_extra={"description": _COOK_ANSWER})

    ingredients: list[SeenIngredient]
    used: list[str]
    swaps: list[MadeSwap]
    recipe: WrittenRecipe
    recipe_keeps_to_wishes: bool | None
    swapped_recipe: WrittenRecipe | None
    diff: str
    collapsed: bool
    collapses: dict[Literal["recipe", "swapped_recipe"], list[str]]
    notes: list[str]


@dataclass(frozen=True)
class WriteAnswer:
    """A recipe as a file."""

    text: str
    filename: str
    media_type: str


@dataclass(frozen=True)
class IngredientsAnswer:
    """Ingredients that begin like what was typed."""

    ingredients: list[str]


@dataclass(frozen=True)
class Diet:
    """A diet or an allergen, and what it means."""

    name: str
    meaning: str


@dataclass(frozen=True)
class DietsAnswer:
    """What swapchef can judge foods by."""

    diets: list[Diet]


@dataclass(frozen=True)
class SettingsAnswer:
    """What this server offers beyond swaps."""

    feedback: bool
    imports: Annotated[bool, Field(alias="import")]
    no_photos: str  # why recipes cannot be had from photos here; empty where they can


@dataclass(frozen=True)
class HealthAnswer:
    """A server that answers."""

    status: Literal["ok"]


@dataclass(frozen=True)
class VersionAnswer:
    """Which swapchef this is."""

    version: str


@dataclass(frozen=True)
class ProblemAnswer:
    """What went wrong, in one sentence (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str


DIETS = DietsAnswer([Diet(name, meaning) for name, meaning in {**FACETS, **OTHER_WISHES}.items()])


def recipe_of(document: dict[str, Any]) -> Recipe:
    """Read a recipe that came in as JSON-LD."""
    return check_length(jsonld.from_object(document))


def check_length(recipe: Recipe) -> Recipe:
    """Return a recipe, or refuse it if it is too long to work on while others wait."""
    for part, count, limit in (
        ("ingredients", len(recipe.ingredients), MAX_LINES),
        ("steps", len(recipe.steps), MAX_STEPS),
    ):
        if count > limit:
            raise RecipeError(f"This recipe has {count} {part}, too many here (at most {limit}); split it into parts.")
    return recipe
