"""Recipes from photos, for the API: the networks load when the first photo comes, and work on one photo at a time.

They take seconds and 200 MB, so only servers that get photos load them. A server that misses a part they need says
which from the start, and what is no photo is refused before they are loaded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from pydantic import TypeAdapter

from swapchef.errors import DataError, SwapchefError
from swapchef.substituter import Substituter, Wishes
from swapchef.web.schema import CookAnswer, CookRequest

if TYPE_CHECKING:
    from swapchef.cooking.images import Pixels
    from swapchef.cooking.pipeline import Cooked

_PACKAGES = ("onnxruntime", "PIL", "tokenizers", "ahocorasick_rs")  # of the extra `photo`
_ANSWER = TypeAdapter(CookAnswer)


class PhotoError(SwapchefError):
    """What was sent is no photo that can be read."""


class NoPhotosError(SwapchefError):
    """The server cannot read photos."""


class Cook(Protocol):
    """What writes recipes of photos; `PhotoCook` is one."""

    def cook(
        self,
        pixels: "Pixels",
        swap: Sequence[str] = ...,
        targets: Sequence[str] = ...,
        wishes: Wishes = ...,
        add: Sequence[str] = ...,
        remove: Sequence[str] = ...,
    ) -> "Cooked":
        """Write the recipe of a photo, and again with ingredients replaced."""


def load_cook(substituter: Substituter) -> Cook:
    """Load the networks that swapchef ships, beside a model that is loaded already."""
    from swapchef.cooking.photo_bundle import PhotoBundle
    from swapchef.cooking.pipeline import PhotoCook

    return PhotoCook(PhotoBundle.load(), substituter)


def why_unavailable() -> str:
    """Return in one sentence why this installation cannot read photos, or nothing if it can; loads no network."""
    if not all(map(find_spec, _PACKAGES)):
        return "This server cannot read photos; install swapchef[photo] and start it again."
    if not (files("swapchef") / "cooking" / "bundle" / "manifest.json").is_file():
        return "This server has no networks that read photos; install a swapchef that comes with them."
    return ""


@dataclass(frozen=True)
class PhotoSource:
    """How to load the networks that read photos, and how to find out why they cannot be loaded."""

    load: Callable[[Substituter], Cook] = load_cook
    why_unavailable: Callable[[], str] = why_unavailable


class Photos:
    """Answers requests with photos, one after the other."""

    def __init__(self, source: PhotoSource, substituter: Substituter) -> None:
        self._source, self._substituter = source, substituter
        self._cook: Cook | None = None
        self._lock = Lock()
        self.unavailable = source.why_unavailable()  # in one sentence; empty where photos can be read

    def cook(self, data: bytes, options: CookRequest) -> CookAnswer:
        """Write the recipe of a photo, and again with ingredients replaced; one photo at a time."""
        if self.unavailable:
            raise NoPhotosError(self.unavailable)
        with self._lock:
            pixels = _decode(data)
            if self._cook is None:
                self._cook = self._source.load(self._substituter)
            cooked = self._cook.cook(
                pixels, options.swap, options.targets, options.wishes(), options.add, options.remove
            )
        return _ANSWER.validate_python(cooked.as_json())


def _decode(data: bytes) -> "Pixels":
    from swapchef.cooking.images import photo_from_bytes

    try:
        return photo_from_bytes(data)
    except DataError as error:  # here the data is the cook's, not ours
        raise PhotoError(str(error)) from None
