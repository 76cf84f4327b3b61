"""Untrusted photos of any common format, decoded within limits of memory and time to one small RGB picture.

The format is known by the first bytes, never by the name, and the decoder is given only the parts of a file that draw
the picture; the memory they need is estimated from the size in the header, and above `MAX_MEMORY` a photo is refused.
The picture is what a viewer would show: turned as the camera was held, the first frame, on white where transparent.
"""

import io
import re
import stat
import struct
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from swapchef.errors import DataError, SwapchefError

if TYPE_CHECKING:
    from PIL import Image, ImageFile

Pixels = npt.NDArray[np.uint8]  # [height, width, 3]

MAX_BYTES = 32 << 20
MAX_MEMORY = 256_000_000  # bytes that decoding may take, beside the file: a PNG of 64 million pixels
_MAX_SIDE = 65_500  # what a JPEG can have
_MIN_SIDE = 16  # nothing can be recognised in less
_MAX_PARTS = 200_000  # of a file; a GIF of 32 MB has 130,000
_MAX_SAMPLES = 6  # of a pixel in a TIFF
# A progressive JPEG has ten scans or so, each of which takes time for every pixel: at most so many scans x pixels, and
# a small picture counts as one of so many pixels.
_MAX_SCANNED, _MIN_SCANNED = 2_000_000_000, 2_000_000
_MAX_SHORT_SIDE = 1024  # pixels; a network needs far fewer
_MAX_ASPECT = 4  # of the longer side to the shorter; of a longer strip, the middle is taken
_BAND = 64  # rows that are converted at once

_SIGNATURES = {
    "JPEG": re.compile(rb"\xff\xd8\xff"),
    "PNG": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "WEBP": re.compile(rb"RIFF....WEBP", re.DOTALL),
    "GIF": re.compile(rb"GIF8[79]a"),
    "BMP": re.compile(rb"BM"),
    "TIFF": re.compile(rb"II\*\0|MM\0\*"),
}
_JPEG_MARKER = re.compile(rb"\xff([^\x00\xff\x01\xd0-\xd7])")
_JPEG_PROGRESSIVE, _JPEG_SCAN = 0xC2, 0xDA
_JPEG_FRAMES = {0xC0, 0xC1, _JPEG_PROGRESSIVE}  # the kinds that a browser shows
_JPEG_TABLES = {0xC4, 0xDB, 0xDD}
_JPEG_DENSITY = 512  # pixels in a byte at most: a block of 8 x 8 takes a bit
_PNG_CHUNKS = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}
_TIFF_ORIENTATION, _TIFF_BITS, _TIFF_SAMPLES, _TIFF_TILE = 274, 258, 277, (322, 323)
_TIFF_TAGS = {  # that say how the pixels are laid out, packed and coloured
    *(256, 257, _TIFF_BITS, 259, 262, 266, 273, _TIFF_SAMPLES, 278, 279, 284, 292, 293, 317, 320),
    *(*_TIFF_TILE, 324, 325, 332, 338, 339, 347, 529, 530, 531, 532),
}


class _Parts(NamedTuple):
    """The parts of a file that draw the picture, and those that describe it."""

    data: bytes
    exif: bytes = b""
    has_scans: bool = False  # a JPEG whose picture comes in several scans, all of which stay in memory until the last


def read_photo(path: Path) -> Pixels:
    """Read a photo from a file, or say in one sentence why not."""
    name = str(path) if str(path).isprintable() else repr(str(path))
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise DataError(f"{name} is a folder; name a photo.")
        if not stat.S_ISREG(status.st_mode):  # a pipe or a device may never end
            raise DataError(f"{name} is no file; name a photo.")
        if status.st_size > MAX_BYTES:
            raise _too_many_bytes(name, status.st_size)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"Cannot read {name} ({reason}); check the path and its permissions.") from None
    return photo_from_bytes(data, name)


def photo_from_bytes(data: bytes, name: str = "The photo") -> Pixels:
    """Decode a photo that is in memory; `name` is what errors call it."""
    try:
        from PIL import Image
    except ImportError:
        raise SwapchefError("Photos need Pillow; install swapchef[photo] and try again.") from None
    if len(data) > MAX_BYTES:
        raise _too_many_bytes(name, len(data))
    if not data:
        raise DataError(f"{name} is empty; choose a photo.")
    kind = next((kind for kind, signature in _SIGNATURES.items() if signature.match(data)), None)
    if kind is None:
        raise DataError(f"{name} is no photo that can be read; JPEG, PNG, WebP, GIF, BMP and TIFF can.")
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # of damage that does not matter, and of sizes that we check ourselves
            return _decoded(kind, data, name)
    except SwapchefError:
        raise
    except (MemoryError, Image.DecompressionBombError):
        raise DataError(f"{name} is too large to decode; make it smaller.") from None
    except Exception:  # decoders raise anything on hostile files
        raise DataError(f"{name} is damaged or cut short, or of a rare kind; choose another copy.") from None


def _too_many_bytes(name: str, size: int) -> DataError:
    return DataError(f"{name} has {-(-size >> 20)} MB; a photo may have {MAX_BYTES >> 20}.")


def _decoded(kind: str, data: bytes, name: str) -> Pixels:
    parts = _parts(kind, data)
    with _opened(kind, parts.data) as image:
        _check_size(image, parts, name)
        exif = parts.exif or image.info.get("exif", b"")
        image.load()
        return np.asarray(_turned(_shrunk(image), _orientation(exif)), np.uint8)


# The parts of a file that draw the picture ----------------------------------------------------------------------------


def _parts(kind: str, data: bytes) -> _Parts:
    if kind == "JPEG":
        return _jpeg_parts(data)
    if kind == "PNG":
        return _png_parts(data)
    if kind == "GIF":
        return _Parts(_gif_first_frame(data))
    if kind == "TIFF":
        return _Parts(_tiff_first_page(data), data)
    return _Parts(data)


def _jpeg_parts(data: bytes) -> _Parts:
    """Return the one frame, its tables, the segments that say what its colours mean, and its scans."""
    segments, frame, exif, offset = [data[:2]], b"", b"", 2
    for _ in range(_MAX_PARTS):
        marker = _JPEG_MARKER.search(data, offset)
        if marker is None:
            break
        (length,) = struct.unpack_from(">H", data, marker.end())
        offset = marker.end() + length
        code, segment = marker[1][0], data[marker.start() : offset]
        body = segment[4:]
        if code == _JPEG_SCAN:
            has_scans = frame[1] == _JPEG_PROGRESSIVE or body[0] < frame[9]  # fewer colours than the frame has
            height, width = struct.unpack_from(">HH", frame, 5)
            n_scans = data.count(b"\xff\xda", offset)
            if has_scans and n_scans * max(_MIN_SCANNED, height * width) > _MAX_SCANNED:
                raise ValueError("too many scans")
            return _Parts(b"".join(segments) + data[marker.start() :], exif, has_scans)
        if code in _JPEG_FRAMES:
            if frame:
                raise ValueError("two frames")
            frame = segment
            segments.append(segment)
        elif code in _JPEG_TABLES or body.startswith((b"JFIF\0", b"Adobe")):
            segments.append(segment)
        elif body.startswith(b"Exif\0\0"):
            exif = exif or body
    raise ValueError("no picture")


def _png_parts(data: bytes) -> _Parts:
    """Return the header, the palette and the pixels."""
    chunks, exif, offset = [data[:8]], b"", 8
    for _ in range(_MAX_PARTS):
        if offset + 8 > len(data):
            break
        length, chunk_type = struct.unpack_from(">I4s", data, offset)
        end = offset + 12 + length
        if chunk_type in _PNG_CHUNKS:
            chunks.append(data[offset:end])
        elif chunk_type == b"eXIf":
            exif = exif or data[offset + 8 : end - 4]
        if chunk_type == b"IEND":
            break
        offset = end
    return _Parts(b"".join(chunks), exif)


def _gif_first_frame(data: bytes) -> bytes:
    header_end = offset = 13 + _gif_palette_size(data[10])
    control = b""
    for _ in range(_MAX_PARTS):
        block = data[offset : offset + 1]
        if block == b",":
            end = _after_blocks(data, offset + 11 + _gif_palette_size(data[offset + 9]))
            return data[:header_end] + control + data[offset:end] + b";"
        if block != b"!":
            break
        end = _after_blocks(data, offset + 2)
        if data[offset + 1] == 0xF9:  # says which colour is transparent
            control = data[offset:end]
        offset = end
    raise ValueError("no frame")


def _gif_palette_size(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 128 else 0


def _after_blocks(data: bytes, offset: int) -> int:
    """Return where a chain of blocks ends, each of which starts with its length."""
    for _ in range(_MAX_PARTS):
        if offset >= len(data):
            return len(data)
        if not data[offset]:
            return offset + 1
        offset += 1 + data[offset]
    raise ValueError("too many blocks")


def _tiff_first_page(data: bytes) -> bytes:
    """Append a directory of nothing but the first page's pixels, and make the file begin there."""
    byte_order = _byte_order(data)
    entries: dict[int, bytes] = {}
    for tag, type, count, value in _tiff_entries(data):
        if tag in _TIFF_TAGS:
            if count > _MAX_PARTS or (tag == _TIFF_SAMPLES and _tiff_number(byte_order, type, value) > _MAX_SAMPLES):
                raise ValueError("too many values")
            entries.setdefault(tag, struct.pack(byte_order + "HHI4s", tag, type, count, value))
    directory = struct.pack(byte_order + "H", len(entries)) + b"".join(entries[tag] for tag in sorted(entries))
    padding = bytes(len(data) % 2)
    new_offset = struct.pack(byte_order + "I", len(data + padding))
    return data[:4] + new_offset + data[8:] + padding + directory + bytes(4)


def _byte_order(tiff: bytes) -> str:
    return "<" if tiff.startswith(b"II") else ">"


def _tiff_number(byte_order: str, type: int, value: bytes) -> int:
    """Read the value of an entry that has one, long or short."""
    return int(struct.unpack_from(byte_order + ("I" if type == 4 else "H"), value)[0])


def _tiff_entries(tiff: bytes) -> Iterator[tuple[int, int, int, bytes]]:
    """Yield tag, type, count and value of the entries of a TIFF's first directory; EXIF is a TIFF too."""
    byte_order = _byte_order(tiff)
    (offset,) = struct.unpack_from(byte_order + "I", tiff, 4)
    (count,) = struct.unpack_from(byte_order + "H", tiff, offset)
    for entry in range(count):
        yield struct.unpack_from(byte_order + "HHI4s", tiff, offset + 2 + 12 * entry)


def _orientation(exif: bytes) -> int:
    """Return how the camera was held, from 1 to 8; damaged EXIF is no reason to refuse the photo."""
    tiff = exif.removeprefix(b"Exif\0\0")
    if tiff.startswith((b"II", b"MM")):
        try:
            for tag, type, _, value in _tiff_entries(tiff):
                if tag == _TIFF_ORIENTATION:
                    return _tiff_number(_byte_order(tiff), type, value)
        except struct.error:
            pass
    return 1


# From file to picture -------------------------------------------------------------------------------------------------


def _opened(kind: str, data: bytes) -> "ImageFile.ImageFile":
    """Read the header of a file with the one decoder that its first bytes call for."""
    from PIL import BmpImagePlugin, GifImagePlugin, JpegImagePlugin, PngImagePlugin, TiffImagePlugin, WebPImagePlugin

    plugins: dict[str, type[ImageFile.ImageFile]] = {
        "JPEG": JpegImagePlugin.JpegImageFile,
        "PNG": PngImagePlugin.PngImageFile,
        "WEBP": WebPImagePlugin.WebPImageFile,
        "GIF": GifImagePlugin.GifImageFile,
        "BMP": BmpImagePlugin.BmpImageFile,
        "TIFF": TiffImagePlugin.TiffImageFile,
    }
    return plugins[kind](io.BytesIO(data))


def _check_size(image: "ImageFile.ImageFile", parts: _Parts, name: str) -> None:
    """Raise for what is too small to see or would not fit in memory, by the size in the header."""
    width, height = image.size
    if min(width, height) < _MIN_SIDE:
        raise DataError(f"{name} has {width} x {height} pixels; nothing can be told from so few.")
    if max(width, height) > _MAX_SIDE or _memory(image, parts) > MAX_MEMORY:
        raise DataError(f"{name} has {width:,} x {height:,} pixels, more than can be read safely; make it smaller.")
    if image.format == "JPEG" and width * height > len(parts.data) * _JPEG_DENSITY:
        raise ValueError("most of the picture is missing")
    boxes = [tile.extents for tile in image.tile if tile.extents]
    if sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes) > width * height * len(image.getbands()):
        raise ValueError("drawn over and over")


def _memory(image: "ImageFile.ImageFile", parts: _Parts) -> int:
    """Estimate how many bytes the decoder will need; have a large JPEG decoded at a fraction of its size."""
    from PIL import JpegImagePlugin, TiffImagePlugin, WebPImagePlugin

    pixels = image.size[0] * image.size[1]
    if isinstance(image, JpegImagePlugin.JpegImageFile):
        coefficients = 2 * image.layers * pixels if parts.has_scans else 0
        image.draft("RGB", (_MAX_SHORT_SIDE, _MAX_SHORT_SIDE))  # a half, a quarter or an eighth
        return coefficients + 4 * image.size[0] * image.size[1]
    if isinstance(image, WebPImagePlugin.WebPImageFile):
        return 16 * pixels  # two canvases, the frame and the picture
    if isinstance(image, TiffImagePlugin.TiffImageFile):
        tile = image.tag_v2.get(_TIFF_TILE[0], 0) * image.tag_v2.get(_TIFF_TILE[1], 0)
        bits = max(image.tag_v2.get(_TIFF_BITS, (1,))) * image.tag_v2.get(_TIFF_SAMPLES, 1)
        if tile * bits // 8 > MAX_MEMORY:
            raise ValueError("a tile too large")
        return 4 * pixels + int(max(pixels, tile) * bits // 8)
    return 4 * pixels


def _shrunk(image: "Image.Image") -> "Image.Image":
    """Return the middle of a picture as a viewer would show it, and no larger than a network needs.

    Colours are converted in bands and each band is shrunk at once, so that a large picture is in memory only once.
    """
    from PIL import Image

    width, height = image.size
    longest = _MAX_ASPECT * min(width, height)
    left, top = max(0, width - longest) // 2, max(0, height - longest) // 2
    right, bottom = left + min(width, longest), top + min(height, longest)
    step = max(1, min(width, height) // _MAX_SHORT_SIDE)
    white = _white_value(image)
    small = Image.new("RGB", (-(-(right - left) // step), -(-(bottom - top) // step)))
    for row in range(top, bottom, _BAND * step):
        band = image.crop((left, row, right, min(row + _BAND * step, bottom)))
        small.paste(_on_white(_in_eight_bits(band, white)).reduce(step), (0, (row - top) // step))
    small.thumbnail(_within(small.size))
    return small


def _white_value(image: "Image.Image") -> float:
    """Return the value that stands for white; where samples have 32 bits, it is guessed from the highest."""
    if image.mode not in {"I", "F"}:
        return 65535.0
    rows = range(0, image.height, _BAND)
    bands = (np.asarray(image.crop((0, row, image.width, min(row + _BAND, image.height)))) for row in rows)
    highest = max(float(band.max(initial=0, where=np.isfinite(band))) for band in bands)
    return next((white for white in (1.0, 255.0, 65535.0) if highest <= white), highest)


def _in_eight_bits(image: "Image.Image", white: float) -> "Image.Image":
    """Scale samples of 16 or 32 bits to eight; a plain conversion would cut them off at 255."""
    if not image.mode.startswith(("I", "F")):
        return image
    from PIL import Image

    values = np.nan_to_num(np.asarray(image, np.float32) / white).clip(0, 1)
    return Image.fromarray((values * 255).astype(np.uint8))


def _on_white(image: "Image.Image") -> "Image.Image":
    from PIL import Image

    if not image.has_transparency_data:
        return image.convert("RGB")
    white = Image.new("RGBA", image.size, "white")
    white.alpha_composite(image.convert("RGBA"))
    return white.convert("RGB")


def _within(size: tuple[int, int]) -> tuple[int, int]:
    """Return the box in which the shorter side has at most `_MAX_SHORT_SIDE` pixels."""
    scale = min(1.0, _MAX_SHORT_SIDE / min(size))
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def _turned(image: "Image.Image", orientation: int) -> "Image.Image":
    """Turn a photo as the camera says it was held."""
    from PIL.Image import Transpose

    turns = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    return image.transpose(turns[orientation]) if orientation in turns else image


def square(pixels: Pixels, size: int, mirrored: bool = False) -> Pixels:
    """Cut the middle square out of a photo and scale it: [size, size, 3]."""
    from PIL import Image

    height, width = pixels.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    cut = Image.fromarray(pixels).resize((size, size), Image.Resampling.BICUBIC, (left, top, left + side, top + side))
    scaled = np.asarray(cut, np.uint8)
    return np.ascontiguousarray(scaled[:, ::-1]) if mirrored else scaled
