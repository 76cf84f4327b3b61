"""The contract of every ranker: `fit` on the splits, `score` all ingredients, `save` and `load` without pickles.

`__init__` only stores hyperparameters, and what is learned ends in `_`. It is a dictionary of arrays, so every ranker
is saved as one safetensors file and one JSON file, written atomically.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt
from scipy import sparse

from swapchef.benchmark import Ids, Scores, Split, Titles
from swapchef.errors import DataError
from swapchef.rankers.serial import Floats
from swapchef.rankers.settings import read_settings
from swapchef.sources import atomic_path

if TYPE_CHECKING:
    from swapchef.training import Epoch

Arrays = Mapping[str, npt.NDArray[Any]]
Settings = TypeVar("Settings")  # a dataclass of everything that can be set


class Ranker(ABC):
    """Ranks every ingredient as a substitute for a source in the context of a recipe."""

    name: ClassVar[str]  # on the command line and in reports
    uses_chance: ClassVar[bool] = False  # whether it takes a seed
    needs_training: ClassVar[bool] = False  # whether it is trained into a run folder before it is measured

    @abstractmethod
    def fit(self, train: Split, val: Split) -> Self:
        """Learn from train; val is for early stopping and choosing, never for counting."""

    @abstractmethod
    def score(self, sources: Ids, contexts: sparse.csr_array, titles: Titles | None = None) -> Scores:
        """Score every ingredient, higher is better: [B, n]; most rankers ignore the recipes' titles."""

    def log_chances(self, scores: Floats) -> Floats:
        """Return the log of each ingredient's chance, up to a constant, from the scores of one query: [n].

        It is -inf for what the ranker has nothing to say about: what ties for the worst. By default a score tells no
        more than the order, and the r-th of it has an r-th of the first one's chance.
        """
        place = np.empty(len(scores), np.float32)
        place[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        return np.where(scores > scores.min(initial=np.inf), -np.log(place), np.float32(-np.inf))

    @abstractmethod
    def config(self) -> dict[str, Any]:
        """Return the hyperparameters, so that `type(self)(**config)` is the same ranker untrained."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """Return what was learned."""

    @abstractmethod
    def restore(self, arrays: Arrays) -> None:
        """Restore what `arrays` returned."""

    def save(self, folder: Path) -> None:
        """Write `config.json` and `weights.safetensors` into a folder."""
        from safetensors.numpy import save_file

        with atomic_path(folder / "weights.safetensors") as temporary:
            save_file({key: np.ascontiguousarray(array) for key, array in self.arrays().items()}, temporary)
        with atomic_path(folder / "config.json") as temporary:
            temporary.write_text(json.dumps({"ranker": self.name, **self.config()}, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path | str) -> Self:
        """Read a ranker of this kind back from a folder."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        folder = Path(folder)
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            if config.pop("ranker") != cls.name:
                raise DataError(f"{folder} holds another ranker than {cls.name}; name the right folder.")
            ranker = cls(**config)
            ranker.restore(load_file(folder / "weights.safetensors"))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, SafetensorError):
            raise DataError(f"{folder} holds no complete {cls.name} ranker; train it again.") from None
        return ranker


class TrainedRanker(Ranker, Generic[Settings]):
    """A ranker that takes minutes to train, with settings and a history of epochs."""

    uses_chance: ClassVar[bool] = True
    needs_training: ClassVar[bool] = True
    settings_class: ClassVar[type[Any]]
    figure_on_val: ClassVar[str] = "val MRR"  # for early stopping
    learns_from: ClassVar[tuple[str, ...]]  # arguments of `fit` besides the splits, from `runs.materials`

    def __init__(self, **config: Any) -> None:
        self.settings: Settings = read_settings(self.settings_class, self.name, config)
        self.history_: list[Epoch] = []

    def config(self) -> dict[str, Any]:
        """Return the settings."""
        settings: Any = self.settings
        return asdict(settings)


def saved_name(folder: Path) -> str:
    """Return which ranker a run folder holds."""
    try:
        return str(json.loads((folder / "config.json").read_text(encoding="utf-8"))["ranker"])
    except (OSError, ValueError, KeyError, TypeError):
        raise DataError(f"{folder} holds no trained ranker; train one with `swapchef train`.") from None
