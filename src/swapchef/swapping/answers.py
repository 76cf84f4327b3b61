"""What a cook is answered: swaps with what is worth knowing of each, what is against a diet, a recipe swapped."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from swapchef.editing.concerns import Note
from swapchef.editing.editor import Change, Edit
from swapchef.editing.plan import Swap
from swapchef.recipes import Recipe


@dataclass(frozen=True, slots=True)
class HowMuch:
    """How much of a swap to use: for this recipe's amount, and as the rule that gave it."""

    text: str  # "3/4 cup"; "" where the recipe names no amount
    rule: str = ""  # "1 cup sugar = 3/4 cup honey"; "" for a guess
    note: str = ""
    method: str = ""  # what to do differently
    is_guess: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a swap stands in a ranking."""

    rank: int
    probability: float


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One swap; `also` are other names of much the same food, which share its probability."""

    name: str
    probability: float
    rank: int
    reasons: tuple[str, ...]
    also: tuple[str, ...] = ()
    score: float = 0.0
    amount: HowMuch | None = None
    verdicts: Mapping[str, str] = field(default_factory=dict)  # facet -> safe, unsafe or unknown
    changes: tuple[Change, ...] = ()  # what becomes of the recipe's lines, title and steps
    notes: tuple[Note, ...] = ()
    mixture: "Mixture | None" = None  # where it will do only with something else beside it: lemon juice with milk
    without_recipe: Standing | None = None  # on request: where it would stand in any recipe


@dataclass(frozen=True, slots=True)
class Mixture:
    """Several foods that together take the place of one; `name` is what `swap` takes as its target."""

    name: str
    parts: tuple[str, ...]  # as ingredient lines: "1 cup milk"
    note: str = ""
    verdicts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The swaps for one ingredient of one recipe; `recipe` is None where none was given."""

    ingredient: str
    recipe: str | None
    suggestions: tuple[Suggestion, ...]
    mixtures: tuple[Mixture, ...] = ()
    refusal: str = ""  # why nothing may take its place, where that would be dangerous
    ranker: str = "fusion"  # whose ranking it is: ours, unless another is asked
    is_silent: bool = False  # the ranker has nothing to say about this ingredient

    def as_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Problem:
    """A text of a recipe that is against a cook's limits, or that cannot be judged."""

    where: Literal["title", "description", "heading", "ingredient", "step", "note"]
    number: int  # from 1; 0 for the title and the description
    text: str
    status: Literal["unsafe", "unknown"]
    rule: str
    swap: Suggestion | None = None
    ingredient: str = ""  # which one of the line the swap is for
    hazard: str = ""  # the dangerous setting that it is about ("baby"); "" where it is about the cook's limits


@dataclass(frozen=True, slots=True)
class Report:
    """What `check` found."""

    recipe: str
    limits: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def is_fine(self) -> bool:
        """Say whether every line is known to keep to the limits."""
        return not self.problems

    def as_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        return {**asdict(self), "is_fine": self.is_fine}


@dataclass(frozen=True, slots=True)
class Swapped:
    """A recipe with swaps applied, and what is still against the cook's limits in it."""

    edit: Edit
    recipe: Recipe  # that of the edit, where lines that changed also name what else would do
    swaps: tuple[Swap, ...]
    problems: tuple[Problem, ...]  # also swaps that were not made because they would be dangerous
    refused: tuple[int, ...] = ()  # places, among the ingredients that were asked for, of those that were left
