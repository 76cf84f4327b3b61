"""Photos as people take them, read without trusting them: any common format in, one small square of RGB out.

The kind of file is told by its first bytes, never by its name, and the size it claims is checked before anything is decoded, so
that no file can ask for more memory than `MAX_PIXELS` allows; large JPEGs are decoded at a fraction of their size. What a viewer
would show is what the network sees: turned as the camera says, the first frame, on white where it is transparent.
"""

import io
import struct
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from swapchef.errors import DataError, SwapchefError

if TYPE_CHECKING:
    from PIL import Image

Pixels = npt.NDArray[np.uint8]  # [height, width, 3]

MAX_BYTES = 32 << 20
MAX_PIXELS = 40_000_000  # as decoded: 160 MB at four bytes each
_MAX_SIDE = 65_500  # what a JPEG can have
_MIN_SIDE = 16  # nothing can be told from less
_LARGEST_KEPT = 1024  # pixels of the shorter side; a network needs far fewer
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")


def read_photo(path: Path) -> Pixels:
    """Read a photo from a file, or say in one sentence why not."""
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise DataError(f"{path} is a folder; name a photo.")
        if size > MAX_BYTES:
            raise DataError(f"{path.name} has {size >> 20} MB; a photo may have {MAX_BYTES >> 20}.")
        data = path.read_bytes()
    except OSError as error:
        raise DataError(
            f"Cannot read {path} ({error.strerror or error}); check the path and its permissions."
        ) from None
    return photo_from_bytes(data, path.name)


def photo_from_bytes(data: bytes, name: str = "The photo") -> Pixels:
    """Decode a photo that is in memory; `name` is what errors call it."""
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        raise SwapchefError("Photos need Pillow; install swapchef[photo] and try again.") from None
    if len(data) > MAX_BYTES:
        raise DataError(f"{name} has {len(data) >> 20} MB; a photo may have {MAX_BYTES >> 20}.")
    if not data:
        raise DataError(f"{name} is empty; choose a photo.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of damaged metadata and of sizes that we check ourselves
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                _check_size(image, name)
                return _pixels(image)
    except UnidentifiedImageError:
        raise DataError(f"{name} is no photo that can be read; JPEG, PNG, WebP, GIF, BMP and TIFF can.") from None
    except (OSError, SyntaxError, ValueError, IndexError, KeyError, TypeError, EOFError, Image.DecompressionBombError):
        raise DataError(f"{name} is damaged or cut short; choose another copy.") from None
    except MemoryError:
        raise DataError(f"{name} is too large to decode; make it smaller.") from None


def _check_size(image: "Image.Image", name: str) -> None:
    """Refuse what is too small to see and what would not fit in memory, by the size that the file claims."""
    width, height = image.size
    if min(width, height) < _MIN_SIDE:
        raise DataError(f"{name} has {width} x {height} pixels; nothing can be told from so few.")
    if max(width, height) <= _MAX_SIDE:
        # libjpeg decodes at a half, a quarter or an eighth of the size, in as much less memory
        image.draft("RGB", (_LARGEST_KEPT, _LARGEST_KEPT))
        if image.size[0] * image.size[1] <= MAX_PIXELS:
            return
    raise DataError(f"{name} has {width:,} x {height:,} pixels, more than can be read safely; make it smaller.")


def _pixels(image: "Image.Image") -> Pixels:
    image.load()
    seen = _of_eight_bits(_turned(image))
    if seen.mode in {"RGBA", "LA", "PA", "P", "La", "RGBa"}:
        seen = _on_white(seen)
    seen = seen.convert("RGB")
    seen.thumbnail(_within(seen.size))
    return np.asarray(seen, np.uint8)


def _turned(image: "Image.Image") -> "Image.Image":
    """Turn a photo as the camera says it was held; damaged notes of the camera are no reason to refuse the photo."""
    from PIL import ImageOps

    try:
        return ImageOps.exif_transpose(image)
    except (
        struct.error,
        SyntaxError,
        ValueError,
        KeyError,
        TypeError,
        OverflowError,
        AttributeError,
        ZeroDivisionError,
    ):
        return image


def _of_eight_bits(image: "Image.Image") -> "Image.Image":
    """Scale samples of 16 or 32 bits to eight; a plain conversion would cut them off at 255."""
    if not image.mode.startswith(("I", "F")):
        return image
    from PIL import Image

    values = np.asarray(image, np.float32)
    top = 65535.0 if values.max() > 255 else 255.0 if values.max() > 1 else 1.0
    return Image.fromarray((np.nan_to_num(values / top).clip(0, 1) * 255).astype(np.uint8))


def _on_white(image: "Image.Image") -> "Image.Image":
    from PIL import Image

    seen = image.convert("RGBA")
    white = Image.new("RGBA", seen.size, "white")
    white.alpha_composite(seen)
    return white


def _within(size: tuple[int, int]) -> tuple[int, int]:
    """Return the box in which the shorter side has at most as many pixels as are worth keeping."""
    scale = min(1.0, _LARGEST_KEPT / min(size))
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def square(pixels: Pixels, size: int, mirrored: bool = False) -> Pixels:
    """Cut the middle square out of a photo and scale it: [size, size, 3]."""
    from PIL import Image

    height, width = pixels.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    cut = Image.fromarray(pixels).resize((size, size), Image.Resampling.BICUBIC, (left, top, left + side, top + side))
    scaled = np.asarray(cut, np.uint8)
    return np.ascontiguousarray(scaled[:, ::-1]) if mirrored else scaled
