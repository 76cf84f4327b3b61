"""Photo files for tests, right and wrong, and how to ask for the sentence that refuses one."""

import io
import re
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from swapchef.cooking.images import Pixels, photo_from_bytes, read_photo
from swapchef.errors import SwapchefError

RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)


# How to make files, right and wrong -----------------------------------------------------------------------------------


def saved(image: Image.Image, format: str, **options: Any) -> bytes:
    data = io.BytesIO()
    image.save(data, format, **options)
    return data.getvalue()


def plain(format: str = "PNG", colour: tuple[int, ...] = RED, mode: str = "RGB", **options: Any) -> bytes:
    return saved(Image.new(mode, (64, 48), colour), format, **options)


def noise(format: str, mode: str = "RGB", **options: Any) -> bytes:
    values = np.random.default_rng(0).integers(0, 256, (48, 64, 3), np.uint8)
    return saved(Image.fromarray(values).convert(mode), format, **options)


def chunk(name: bytes, body: bytes = b"") -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(
    size: tuple[int, int], bits: int, colours: int, packed: bytes, before: bytes = b"", after: bytes = b""
) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", *size, bits, colours, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + before + chunk(b"IDAT", packed) + after + chunk(b"IEND")


def blank_png(size: tuple[int, int], bits: int = 8, colours: int = 2, before: bytes = b"", after: bytes = b"") -> bytes:
    """Make a black PNG row by row, however large."""
    row = bytes(1 + (size[0] * bits * {0: 1, 2: 3, 4: 2, 6: 4}[colours] + 7) // 8)
    packer = zlib.compressobj(1)
    packed = b"".join(packer.compress(row) for _ in range(size[1])) + packer.flush()
    return png(size, bits, colours, packed, before, after)


def zeros(size: int) -> bytes:
    """Pack zeros without having them all in memory."""
    packer = zlib.compressobj(1)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20)) + packer.flush()


def tiff(tags: dict[int, tuple[int, int, int]], tail: bytes = b"", order: str = "<", following: int = 0) -> bytes:
    """Write a directory of (type, count, value) and what comes after it, at `after(tags)`."""
    entries = (struct.pack(order + "HHI", tag, *of[:2]) + tiff_value(*of, order) for tag, of in sorted(tags.items()))
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "IH", 8, len(tags))
    return head + b"".join(entries) + struct.pack(order + "I", following) + tail


def tiff_value(kind: int, count: int, value: int, order: str) -> bytes:
    return struct.pack(
        order + ("HH" if kind == 3 and count == 1 else "I"), *([value, 0] if kind == 3 and count == 1 else [value])
    )


def after(tags: dict[int, tuple[int, int, int]]) -> int:
    return 14 + 12 * len(tags)


def grey_tags(width: int = 64, height: int = 48) -> dict[int, tuple[int, int, int]]:
    """Return the tags of a grey TIFF in one strip, which follows the directory."""
    tags = {256: (4, 1, width), 257: (4, 1, height), 258: (3, 1, 8), 259: (3, 1, 1), 262: (3, 1, 1), 277: (3, 1, 1)}
    tags |= {273: (4, 1, 0), 278: (4, 1, height), 279: (4, 1, min(width * height, 2**32 - 1))}
    return tags | {273: (4, 1, after(tags))}


def exif(orientation: int, order: str = "<", kind: int = 3) -> bytes:
    return b"Exif\0\0" + tiff({274: (kind, 1, orientation)}, order=order)


def with_segment(jpeg: bytes, code: int, body: bytes, times: int = 1) -> bytes:
    return jpeg[:2] + (b"\xff" + bytes([code]) + struct.pack(">H", len(body) + 2) + body) * times + jpeg[2:]


def without_notes(jpeg: bytes) -> bytes:
    """Drop the segment by which a JPEG made here names its kind (JFIF)."""
    assert jpeg[2:4] == b"\xff\xe0"
    return jpeg[:2] + jpeg[4 + int.from_bytes(jpeg[4:6]) :]


def claiming(jpeg: bytes, width: int, height: int) -> bytes:
    """Change the size that the head of a JPEG claims."""
    offset = re.search(rb"\xff[\xc0-\xc2]\0", jpeg).start()
    return jpeg[: offset + 5] + struct.pack(">HH", height, width) + jpeg[offset + 9 :]


def grey_jpeg(width: int, height: int) -> bytes:
    """Make a JPEG of one grey without drawing it: each block of 8 x 8 is the bits 001010, four of them three bytes."""
    head = claiming(plain("JPEG", (128,), "L"), width, height)
    start = head.index(b"\xff\xda")
    blocks = -(-width // 8) * -(-height // 8)
    return head[: start + 10] + b"\x28\xa2\x8a" * -(-blocks // 4) + b"\xff\xd9"


def ycck() -> bytes:
    """Make a red YCCK JPEG, as Photoshop does: Y, Cb and Cr of the inverted inks, and black as it is."""
    y, cb, cr = Image.new("RGB", (1, 1), (0, 255, 255)).convert("YCbCr").getpixel((0, 0))
    data = plain("JPEG", (255 - y, 255 - cb, 255 - cr, 0), "CMYK", quality=95)
    offset = data.index(b"Adobe") + 11
    assert data[offset] == 0
    return data[:offset] + b"\2" + data[offset + 1 :]


def halves(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a picture of two values, one on the left and one on the right."""
    return np.repeat(values[None], 48, 0).repeat(32, 1)


def gif(screen: tuple[int, int], before: bytes = b"") -> bytes:
    """Make a GIF of 64 x 48 on a screen of any size."""
    data = saved(Image.new("L", (64, 48), 77), "GIF")
    start = 13 + (3 << (data[10] & 7) + 1 if data[10] & 128 else 0)
    return data[:6] + struct.pack("<HH", *screen) + data[10:start] + before + data[start:]


def webp_claiming(width: int, height: int) -> bytes:
    """Make an animated WebP of one frame of 64 x 48 on a canvas of any size."""
    canvas = struct.pack("<B3x", 2) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    frame = bytes(6) + (63).to_bytes(3, "little") + (47).to_bytes(3, "little") + bytes(4) + plain("WEBP")[12:]
    chunks = b"".join(
        name + struct.pack("<I", len(body)) + body
        for name, body in ((b"VP8X", canvas), (b"ANIM", bytes(6)), (b"ANMF", frame))
    )
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def pages(*colours: tuple[int, int, int]) -> dict[str, Any]:
    return {"save_all": True, "append_images": [Image.new("RGB", (64, 48), colour) for colour in colours]}


# How to ask -----------------------------------------------------------------------------------------------------------


def sentence(error: SwapchefError, name: str) -> str:
    message = str(error)
    assert name in message
    assert message.endswith(".")
    assert "\n" not in message
    assert ". " not in message.replace(name, "")
    assert "Traceback" not in message
    assert error.__cause__ is None
    assert error.__suppress_context__ or error.__context__ is None
    return message


def refused(path: Path) -> str:
    with pytest.raises(SwapchefError) as caught:
        read_photo(path)
    return sentence(caught.value, str(path))


def refused_bytes(data: bytes) -> str:
    with pytest.raises(SwapchefError) as caught:
        photo_from_bytes(data, "soup.jpg")
    return sentence(caught.value, "soup.jpg")


def is_photo(pixels: Pixels) -> bool:
    return pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] == 3 and min(pixels.shape[:2]) >= 1


def near(pixels: npt.NDArray[Any], expected: npt.ArrayLike, within: int = 3) -> bool:
    return bool(np.abs(pixels.astype(int) - np.asarray(expected)).max() <= within)
