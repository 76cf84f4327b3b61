"""Odd and hostile photos: each is read rightly or refused in one sentence, in little memory and little time."""

import io
import json
import os
import random
import re
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from swapchef.cooking.images import MAX_BYTES, Pixels, photo_from_bytes, read_photo, square
from swapchef.errors import DataError, SwapchefError

RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)
MAX_PEAK = 450  # MB of a whole process, Python and NumPy with it


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


# Colours --------------------------------------------------------------------------------------------------------------

RGBA = np.array([[255, 0, 0, 255], [0, 0, 0, 0]], np.uint8)  # red, and nothing
FLOATS = np.array([0.0, 0.5], np.float32)


def palette() -> Image.Image:
    image = Image.fromarray(halves(np.array([1, 0], np.uint8))).convert("P")
    image.putpalette([0, 0, 0, *RED])
    return image


def rgb16(before: bytes = b"") -> bytes:
    row = b"\0" + struct.pack(">HHH", 65535, 0, 0) * 32 + struct.pack(">HHH", 0, 0, 32896) * 32
    return png((64, 48), 16, 2, zlib.compress(row * 48), before)


def pages(*colours: tuple[int, int, int]) -> dict[str, Any]:
    return {"save_all": True, "append_images": [Image.new("RGB", (64, 48), colour) for colour in colours]}


# (what it is, file, colour on the left, colour on the right)
COLOURS: list[tuple[str, Callable[[], bytes], Any, Any]] = [
    ("JPEG", lambda: plain("JPEG"), RED, RED),
    ("progressive JPEG", lambda: plain("JPEG", progressive=True), RED, RED),
    ("grey JPEG", lambda: plain("JPEG", (77,), "L"), 77, 77),
    ("JPEG of RGB", lambda: plain("JPEG", keep_rgb=True), RED, RED),
    ("JPEG without JFIF", lambda: without_notes(plain("JPEG")), RED, RED),
    ("JPEG with junk between its parts",
     lambda: plain("JPEG").replace(b"\xff\xdb", b"junk\xff\0\xff\xff\xdb"), RED, RED),
    ("JPEG with a film behind it", lambda: plain("JPEG") + bytes(range(256)) * 4000, RED, RED),
    ("CMYK JPEG", lambda: plain("JPEG", (0, 255, 255, 0), "CMYK"), RED, RED),
    ("YCCK JPEG", ycck, RED, RED),
    ("MPO", lambda: plain("MPO", **pages(BLUE)), RED, RED),
    ("PNG", plain, RED, RED),
    ("PNG with text",
     lambda: png((64, 48), 8, 0, zlib.compress(bytes(65 * 48)), chunk(b"tEXt", b"a\0b"), chunk(b"zTXt", b"bad")), 0, 0),
    ("animated PNG", lambda: plain("PNG", **pages(BLUE)), RED, RED),
    ("1-bit PNG", lambda: saved(Image.fromarray(halves(np.array([True, False]))), "PNG"), 255, 0),
    ("grey PNG of 16 bits",
     lambda: saved(Image.fromarray(halves(np.array([65535, 32896], np.uint16))), "PNG"), 255, 128),
    ("dark PNG of 16 bits", lambda: saved(Image.fromarray(halves(np.array([200, 0], np.uint16))), "PNG"), 0, 0),
    ("RGB PNG of 16 bits", rgb16, RED, (0, 0, 128)),
    ("RGB PNG of 16 bits with a clear colour", lambda: rgb16(chunk(b"tRNS", bytes(6))), RED, (0, 0, 128)),
    ("grey PNG with alpha",
     lambda: saved(Image.fromarray(halves(np.array([[0, 255], [0, 0]], np.uint8))), "PNG"), 0, 255),
    ("PNG with alpha", lambda: saved(Image.fromarray(halves(RGBA)), "PNG"), RED, WHITE),
    ("PNG with half an alpha", lambda: plain("PNG", (255, 0, 0, 51), "RGBA"), (255, 204, 204), (255, 204, 204)),
    ("PNG with a clear colour",
     lambda: saved(Image.fromarray(halves(RGBA[:, :3])), "PNG", transparency=(0, 0, 0)), RED, WHITE),
    ("grey PNG with a clear grey",
     lambda: saved(Image.fromarray(halves(np.array([9, 5], np.uint8))), "PNG", transparency=5), 9, 255),
    ("palette PNG", lambda: saved(palette(), "PNG"), RED, 0),
    ("palette PNG with a clear colour", lambda: saved(palette(), "PNG", transparency=0), RED, WHITE),
    ("palette PNG with half an alpha", lambda: saved(palette(), "PNG", transparency=bytes([204, 255])), RED, 51),
    ("GIF", lambda: plain("GIF"), RED, RED),
    ("GIF with a clear colour", lambda: saved(palette(), "GIF", transparency=0), RED, WHITE),
    ("animated GIF", lambda: plain("GIF", **pages(BLUE)), RED, RED),
    ("GIF with comments", lambda: gif((64, 48), b"!\xfe\4soup\0" * 100), 77, 77),
    ("WebP", lambda: plain("WEBP"), RED, RED),
    ("WebP with alpha", lambda: saved(Image.fromarray(halves(RGBA)), "WEBP", lossless=True), RED, WHITE),
    ("animated WebP", lambda: plain("WEBP", **pages(BLUE)), RED, RED),
    ("BMP", lambda: plain("BMP"), RED, RED),
    ("palette BMP", lambda: saved(palette(), "BMP"), RED, 0),
    ("TIFF", lambda: plain("TIFF"), RED, RED),
    ("TIFF of many pages", lambda: plain("TIFF", **pages(*[BLUE] * 50)), RED, RED),
    ("TIFF that goes round in circles", lambda: tiff(grey_tags(), b"\x4d" * 64 * 48, following=8), 77, 77),
    *((f"{packing} TIFF", lambda packing=packing: plain("TIFF", compression=packing), RED, RED)
      for packing in ("tiff_lzw", "tiff_adobe_deflate", "packbits", "jpeg")),
    ("CMYK TIFF", lambda: plain("TIFF", (0, 255, 255, 0), "CMYK"), RED, RED),
    ("TIFF with alpha", lambda: saved(Image.fromarray(halves(RGBA)), "TIFF"), RED, WHITE),
    ("palette TIFF", lambda: saved(palette(), "TIFF"), RED, 0),
    ("fax", lambda: saved(Image.fromarray(halves(np.array([True, False]))), "TIFF", compression="group4"), 255, 0),
    ("big-endian TIFF", lambda: tiff(grey_tags(), b"\x4d" * 64 * 48, ">"), 77, 77),
    ("TIFF of 16 bits", lambda: saved(Image.fromarray(halves(np.array([65535, 32896], np.uint16))), "TIFF"), 255, 128),
    ("big-endian TIFF of 16 bits",
     lambda: tiff(
         grey_tags() | {258: (3, 1, 16), 279: (4, 1, 6144)},
         halves(np.array([65535, 32896], ">u2")).tobytes(), ">"), 255, 128),
    ("TIFF of 32 bits",
     lambda: saved(Image.fromarray(halves(np.array([2**31 - 1, 2**30], np.int32))), "TIFF"), 255, 127),
    ("TIFF of floats to 1", lambda: saved(Image.fromarray(halves(FLOATS + 0.5)), "TIFF"), 127, 255),
    ("TIFF of floats to 255", lambda: saved(Image.fromarray(halves(FLOATS * 510)), "TIFF"), 0, 255),
    ("TIFF of floats to 65,535", lambda: saved(Image.fromarray(halves(FLOATS * 65535)), "TIFF"), 0, 127),
    ("TIFF of floats beyond", lambda: saved(Image.fromarray(halves(FLOATS * 1e9)), "TIFF"), 0, 255),
    ("TIFF of floats that are none",
     lambda: saved(Image.fromarray(halves(np.array([np.nan, np.inf], np.float32))), "TIFF"), 0, 255),
    ("TIFF of floats, one endless",
     lambda: saved(Image.fromarray(halves(np.array([0.5, -np.inf], np.float32))), "TIFF"), 127, 0),
]  # fmt: skip


@pytest.mark.parametrize(("make", "left", "right"), [case[1:] for case in COLOURS], ids=[case[0] for case in COLOURS])
def test_colours_are_what_a_viewer_shows(tmp_path: Path, make: Callable[[], bytes], left: Any, right: Any) -> None:
    path = tmp_path / "soup.jpg"  # whatever it is
    path.write_bytes(make())
    pixels = read_photo(path)
    assert is_photo(pixels)
    assert pixels.shape == (48, 64, 3)
    assert near(pixels[:, :24], left)
    assert near(pixels[:, 40:], right)


@pytest.mark.parametrize("format", ["PNG", "GIF", "WEBP", "BMP", "TIFF", "MPO", "JPEG"])
def test_a_fresh_process_reads_each_format(read_apart: Callable[[bytes], dict[str, Any]], format: str) -> None:
    """Pillow registers formats as they are used; one that was used before must not be what makes another work."""
    assert read_apart(plain(format))["answer"] == "48 x 64"


# The camera's notes ---------------------------------------------------------------------------------------------------

# Where the first and the last pixel of the first row are shown: the table of the EXIF standard.
SHOWN = {
    1: ("top left", "top right"),
    2: ("top right", "top left"),
    3: ("bottom right", "bottom left"),
    4: ("bottom left", "bottom right"),
    5: ("top left", "bottom left"),
    6: ("top right", "bottom right"),
    7: ("bottom right", "top right"),
    8: ("bottom left", "top left"),
}


def marked() -> Image.Image:
    """Make a black picture whose first row starts red and ends blue."""
    values = np.zeros((48, 96, 3), np.uint8)
    values[:16, :16] = RED
    values[:16, -16:] = BLUE
    return Image.fromarray(values)


def corner(pixels: Pixels, name: str) -> npt.NDArray[Any]:
    rows, columns = name.split()
    return pixels[slice(4, 12) if rows == "top" else slice(-12, -4)][
        :, slice(4, 12) if columns == "left" else slice(-12, -4)
    ]


def turned(format: str, notes: bytes) -> bytes:
    if format == "TIFF":
        orientation = struct.unpack_from("<H" if notes[6:8] == b"II" else ">H", notes, 24)[0]
        return saved(marked(), format, tiffinfo={274: orientation})
    if format == "PNG":
        data = saved(marked(), format)
        return data[:33] + chunk(b"eXIf", notes[6:]) + data[33:]
    options: dict[str, Any] = {"lossless": True} if format == "WEBP" else {"quality": 95, "subsampling": 0}
    return saved(marked(), format, exif=notes, **options)


@pytest.mark.parametrize("order", ["<", ">"], ids=["little", "big"])
@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", SHOWN)
def test_a_photo_is_turned_as_the_camera_was_held(orientation: int, format: str, order: str) -> None:
    pixels = photo_from_bytes(turned(format, exif(orientation, order)))
    assert pixels.shape == ((48, 96, 3) if orientation < 5 else (96, 48, 3))
    first, last = SHOWN[orientation]
    assert near(corner(pixels, first), RED, 40)
    assert near(corner(pixels, last), BLUE, 40)


def test_a_long_number_turns_a_photo_too() -> None:
    assert photo_from_bytes(turned("JPEG", exif(6, ">", kind=4))).shape == (96, 48, 3)


TIFF_HEAD = b"Exif\0\0II*\0"
BAD_NOTES = {
    "nothing": b"Exif\0\0",
    "noise": b"Exif\0\0" + bytes(range(256)),
    "half a head": TIFF_HEAD,
    "no directory": TIFF_HEAD + struct.pack("<I", 10_000),
    "a directory at the end": TIFF_HEAD + struct.pack("<I", 2**32 - 1),
    "a directory in its own head": TIFF_HEAD + bytes(4),
    "fewer entries than it says": TIFF_HEAD + struct.pack("<IH", 8, 65535) + bytes(100),
    "an orientation of 0": exif(0),
    "an orientation of 9": exif(9),
    "an orientation of 65,535": exif(65535),
    "an orientation in words": exif(1000, kind=2),
    "an unknown type": exif(1000, kind=77),
    "5,000 copies of themselves": b"Exif\0\0" + tiff(dict.fromkeys(range(5000), (7, 60_000, 0))),
}


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("notes", BAD_NOTES.values(), ids=BAD_NOTES)
def test_damaged_notes_do_no_harm(notes: bytes, format: str) -> None:
    if format == "JPEG":
        data = with_segment(saved(marked(), "JPEG", quality=95, subsampling=0), 0xE1, notes)
    else:
        data = turned(format, notes)
    pixels = photo_from_bytes(data)
    assert pixels.shape == (48, 96, 3)
    assert near(corner(pixels, "top left"), RED, 40)


def test_damaged_profiles_and_comments_do_no_harm() -> None:
    data = plain("JPEG")
    for code, body in (
        (0xE2, b"ICC_PROFILE\0\1\3bad"),
        (0xE2, b"MPF\0bad"),
        (0xED, b"Photoshop 3.0\0008BIM\xff"),
        (0xFE, b"\xff" * 99),
    ):
        data = with_segment(data, code, body)
    assert near(photo_from_bytes(data), RED)


# What is no photo -----------------------------------------------------------------------------------------------------

NO_PHOTOS = {
    "text": b"2 cups flour\n",
    "white space": b" \n" * 1000,
    "zeros": bytes(10_000),
    "noise": bytes(range(1, 256)) * 100,
    "one byte": b"\xff",
    "SVG": b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
    "PDF": b"%PDF-1.7\n" + bytes(2000),
    "HTML": b"<!DOCTYPE html><title>Not found</title>" * 50,
    "PostScript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 100\n(/etc/passwd) run\n",
    "zip": b"PK\3\4" + bytes(2000),
    "HEIC": b"\0\0\0\x18ftypheic" + bytes(2000),
    "AVIF": b"\0\0\0\x18ftypavif" + bytes(2000),
    "a sound": b"RIFF\0\0\0\0WAVE" + bytes(2000),
    "PPM": b"P6 64 48 255\n" + bytes(64 * 48 * 3),
    "BigTIFF": b"II+\0\x08\0\0\0" + bytes(2000),
}  # fmt: skip


@pytest.mark.parametrize("data", NO_PHOTOS.values(), ids=NO_PHOTOS)
def test_what_is_no_photo_is_refused_whatever_its_name(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "soup.jpg"
    path.write_bytes(data)
    assert "is no photo that can be read" in refused(path)


@pytest.mark.parametrize("name", ["soup.jpg", "soup", "soup.txt", "soup.png.exe", "söup 塩.jpg", "-rf"])
def test_a_photo_is_read_whatever_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(plain("PNG"))
    assert near(read_photo(tmp_path / name), RED)


@pytest.mark.parametrize("name", ["two\nlines.jpg", "\x1b[31mred.jpg", os.fsdecode(b"caf\xe9.jpg")])
def test_a_name_that_cannot_be_printed_is_spelled_out(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"2 eggs")
    with pytest.raises(DataError) as caught:
        read_photo(tmp_path / name)
    assert sentence(caught.value, repr(str(tmp_path / name))).isprintable()


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    assert "is empty" in refused(tmp_path / "empty.jpg")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "is a folder" in refused(tmp_path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert "No such file" in refused(tmp_path / "gone.jpg")
    assert "Cannot read" in refused(tmp_path / "gone" / "gone.jpg")


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    assert "name too long" in refused(tmp_path / ("a" * 300))
    with pytest.raises(DataError, match=r"Cannot read 'a\\x00b\.jpg'"):
        read_photo(Path("a\0b.jpg"))


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "soup.jpg"
    path.write_bytes(plain("JPEG"))
    path.chmod(0)
    if os.access(path, os.R_OK):  # as root

        def forbidden(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", forbidden)
    assert "Permission denied" in refused(path)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="has no file that cannot be read from its start")
def test_a_disk_that_fails_is_one_sentence() -> None:
    assert "Cannot read /proc/self/mem" in refused(Path("/proc/self/mem"))


@pytest.mark.timeout(20)
def test_what_never_ends_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    assert "is no file" in refused(tmp_path / "pipe.jpg")
    for device in ("/dev/zero", "/dev/null", "/dev/tty"):
        if Path(device).exists():
            assert "is no file" in refused(Path(device))
    (tmp_path / "zero.jpg").symlink_to("/dev/zero")
    assert "is no file" in refused(tmp_path / "zero.jpg")


def test_a_link_is_followed_and_a_loop_is_refused(tmp_path: Path) -> None:
    (tmp_path / "soup.png").write_bytes(plain())
    (tmp_path / "link.jpg").symlink_to("soup.png")
    (tmp_path / "loop.jpg").symlink_to("loop.jpg")
    (tmp_path / "nowhere.jpg").symlink_to("gone.jpg")
    assert near(read_photo(tmp_path / "link.jpg"), RED)
    assert "symbolic links" in refused(tmp_path / "loop.jpg")
    assert "No such file" in refused(tmp_path / "nowhere.jpg")


def test_a_file_of_33_megabytes_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.jpg"
    with path.open("wb") as file:
        file.write(plain("JPEG"))
        file.truncate(33 << 20)
    assert "has 33 MB; a photo may have 32." in refused(path)
    assert "has 33 MB; a photo may have 32." in refused_bytes(plain("JPEG") + bytes(MAX_BYTES))


def test_the_path_is_named_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "photos").mkdir()
    Path("photos/soup.jpg").write_bytes(b"soup")
    assert refused(Path("photos/soup.jpg")).startswith("photos/soup.jpg is no photo")


def test_without_pillow_a_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "soup.png").write_bytes(plain())
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(SwapchefError, match=r"^Photos need Pillow; install swapchef\[photo\] and try again\.$"):
        read_photo(tmp_path / "soup.png")


def test_the_command_line_says_it_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "soup.jpg"
    path.write_bytes(noise("JPEG")[:1500])
    command = [sys.executable, "-c", "from swapchef.cli import main; main()", "cook", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(f"swapchef: {path} is damaged or cut short.*\n", done.stderr)


# Sizes ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"])
@pytest.mark.parametrize("size", [(1, 1), (15, 500), (500, 15), (1, 4000)])
def test_too_few_pixels_are_refused(size: tuple[int, int], format: str) -> None:
    assert f"has {size[0]} x {size[1]} pixels" in refused_bytes(saved(Image.new("RGB", size, RED), format))


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"])
def test_the_smallest_photo_is_read(format: str) -> None:
    pixels = photo_from_bytes(saved(Image.new("RGB", (16, 16), RED), format))
    assert pixels.shape == (16, 16, 3)
    assert near(pixels, RED)


@pytest.mark.parametrize(
    ("size", "shape"),
    [
        ((1024, 1024), (1024, 1024)),
        ((1025, 1025), (1024, 1024)),
        ((2000, 1500), (1024, 1365)),
        ((1500, 2100), (1434, 1024)),
        ((2100, 2100), (1024, 1024)),
        ((3100, 2070), (1024, 1533)),
        ((3000, 16), (16, 64)),
        ((16, 3001), (64, 16)),
    ],
)
@pytest.mark.parametrize("format", ["JPEG", "PNG"])
def test_a_large_photo_is_made_small(size: tuple[int, int], shape: tuple[int, int], format: str) -> None:
    pixels = photo_from_bytes(saved(Image.new("L", size, 77), format))
    assert np.abs(np.subtract(pixels.shape[:2], shape)).max() <= 1
    assert near(pixels, 77, 1)


def test_what_is_made_small_stays_where_it_was() -> None:
    """Bands are converted apart; no seam, no shift."""
    values = np.add.outer(np.arange(2100) // 20, np.arange(2060) // 20).astype(np.uint8)
    pixels = photo_from_bytes(saved(Image.fromarray(values), "BMP"))
    assert near(pixels[..., 0], np.asarray(Image.fromarray(values).resize(pixels.shape[1::-1])), 1)


@pytest.mark.parametrize("turn", [False, True])
def test_the_middle_of_a_strip_is_kept(turn: bool) -> None:
    values = np.zeros((16, 4000, 3), np.uint8)
    values[:, 1984:2016] = RED
    pixels = photo_from_bytes(saved(Image.fromarray(values.transpose(1, 0, 2) if turn else values), "PNG"))
    assert near(square(pixels, 16), RED)
    assert near(pixels[0, 0], 0)


# Damage ---------------------------------------------------------------------------------------------------------------

WHOLE: dict[str, Callable[[], bytes]] = {
    "JPEG": lambda: noise("JPEG"),
    "progressive JPEG": lambda: noise("JPEG", progressive=True),
    "MPO": lambda: noise("MPO", **pages(BLUE)),
    "PNG": lambda: noise("PNG"),
    "palette PNG": lambda: noise("PNG", "P"),
    "GIF": lambda: noise("GIF", "P"),
    "WebP": lambda: noise("WEBP"),
    "lossless WebP": lambda: noise("WEBP", lossless=True),
    "animated WebP": lambda: noise("WEBP", **pages(BLUE)),
    "BMP": lambda: noise("BMP"),
    "TIFF": lambda: noise("TIFF"),
    "LZW TIFF": lambda: noise("TIFF", compression="tiff_lzw"),
    "JPEG TIFF": lambda: noise("TIFF", compression="jpeg"),
}


@pytest.mark.parametrize("kind", WHOLE)
def test_a_photo_cut_short_is_refused_or_whole(kind: str) -> None:
    data = WHOLE[kind]()
    whole = photo_from_bytes(data)
    for length in sorted(
        {*range(1, 60), *(len(data) * part // 40 for part in range(1, 40)), *range(len(data) - 20, len(data))}
    ):
        try:
            pixels = photo_from_bytes(data[:length], "soup.jpg")
        except DataError as error:
            sentence(error, "soup.jpg")
        else:
            assert kind in {"animated WebP", "MPO"} or length >= len(data) - 20, length
            assert pixels.shape == whole.shape
            assert np.mean(pixels == whole) > 0.99


@pytest.mark.parametrize("kind", ["JPEG", "progressive JPEG", "PNG", "GIF", "WebP", "BMP", "TIFF"])
def test_half_a_photo_is_said_to_be_cut_short(tmp_path: Path, kind: str) -> None:
    data = WHOLE[kind]()
    path = tmp_path / "half.jpg"
    path.write_bytes(data[: len(data) // 2])
    assert "is damaged or cut short" in refused(path)


SEEDS = [make() for make in WHOLE.values()]


@given(seed=st.sampled_from(SEEDS), dice=st.randoms(use_true_random=False))
def test_a_damaged_photo_gives_a_picture_or_one_sentence(seed: bytes, dice: random.Random) -> None:
    data = bytearray(seed)
    for _ in range(dice.choice([1, 2, 5, 20])):
        data[min(dice.randrange(len(data)), dice.randrange(len(data)))] = dice.choice([0, 1, 127, 128, 255])
    picture_or_sentence(bytes(data))


@given(head=st.sampled_from([seed[:length] for seed in SEEDS for length in (3, 12, 40)]), tail=st.binary(max_size=300))
def test_any_bytes_give_a_picture_or_one_sentence(head: bytes, tail: bytes) -> None:
    picture_or_sentence(head + tail)


def picture_or_sentence(data: bytes) -> None:
    try:
        assert is_photo(photo_from_bytes(data, "soup.jpg"))
    except SwapchefError as error:
        sentence(error, "soup.jpg")


@pytest.mark.parametrize("code", [0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF])
def test_a_jpeg_that_no_browser_shows_is_refused(code: int) -> None:
    assert "of a rare kind" in refused_bytes(plain("JPEG").replace(b"\xff\xc0", b"\xff" + bytes([code])))


def test_a_jpeg_with_two_frames_is_refused() -> None:
    data = plain("JPEG")
    frame = data[data.index(b"\xff\xc0") : data.index(b"\xff\xc4")]
    assert "is damaged" in refused_bytes(data.replace(frame, frame + frame))


# Memory and time ------------------------------------------------------------------------------------------------------

MANY = MAX_BYTES - 4000
SCAN = b"\xff\xda\0\x08\1\1\0\0\x3f\0"


def many_scans(size: tuple[int, int] = (64, 48), scans: int = 1200) -> bytes:
    data = saved(Image.new("RGB", size, "teal"), "JPEG", progressive=True)
    return data[:-2] + data[data.rindex(b"\xff\xda") : -2] * scans + b"\xff\xd9"


def texts() -> bytes:
    """Make chunks whose text unpacks to gigabytes."""
    bomb = zeros(60 << 20)
    return b"".join(
        chunk(b"zTXt", b"a%d\0\0" % number + bomb) + chunk(b"iTXt", b"b%d\0\1\0\0\0" % number + bomb)
        for number in range(30)
    )


def many_strips(count: int, width: int, height: int, rows: int) -> bytes:
    tags = grey_tags(width, height) | {278: (4, 1, rows)}
    return tiff(tags | {273: (4, count, after(tags))}, struct.pack("<I", after(tags)) * count + bytes(width * height))


def hungry_tags() -> bytes:
    tags = grey_tags() | dict.fromkeys(range(1000, 5000), (7, 30 << 20, 0)) | {34665: (4, 1, 8), 34853: (4, 1, 8)}
    return tiff(tags | {273: (4, 1, after(tags))}, bytes(31 << 20))


def packed_tiff(width: int, height: int, samples: int, bits: int, kind: int = 1) -> bytes:
    """Make a black TIFF in a single packed strip."""
    packed = zeros(width * height * samples * bits // 8 + (1 << 20))
    tags = grey_tags(width, height) | {259: (3, 1, 8), 262: (3, 1, 2 if samples == 3 else 1), 277: (3, 1, samples)}
    tags |= {258: (3, 1, bits), 339: (3, 1, kind), 279: (4, 1, len(packed))}
    return tiff(tags | {273: (4, 1, after(tags))}, packed)


def tiled_tiff(side: int) -> bytes:
    tags = grey_tags() | {322: (4, 1, side), 323: (4, 1, side), 324: (4, 1, 0), 325: (4, 1, 3072), 259: (3, 1, 8)}
    for strip in (273, 278, 279):
        del tags[strip]
    return tiff(tags | {324: (4, 1, after(tags))}, zeros(64 << 20))


def scanned_apart(width: int, height: int) -> bytes:
    """Make a JPEG whose first scan has one of three colours, so that a decoder keeps them all until the last."""
    data = claiming(plain("JPEG"), width, height)
    start = data.index(b"\xff\xda")
    return data[:start] + SCAN + bytes(width * height // 256)


# What is large and right, and what comes out of it.
LARGE: dict[str, tuple[Callable[[], bytes], str]] = {
    "JPEG of 200 million pixels": (lambda: grey_jpeg(16320, 12240), "1024 x 1365"),
    "JPEG of 400 million pixels": (lambda: grey_jpeg(20000, 20000), "1024 x 1024"),
    "progressive JPEG of 25 million pixels": (
        lambda: claiming(plain("JPEG", (0, 0, 0, 0), "CMYK", progressive=True), 5000, 5000) + bytes(60_000),
        "1024 x 1024",
    ),
    "PNG of 45 million pixels": (lambda: blank_png((45000, 1000)), "1000 x 4000"),
    "PNG of 16 bits": (lambda: blank_png((5000, 4000), 16, 0), "1024 x 1280"),
    "PNG with alpha": (lambda: blank_png((3000, 3000), 8, 6), "1024 x 1024"),
    "GIF": (lambda: saved(Image.new("P", (4000, 4000)), "GIF"), "1024 x 1024"),
    "WebP of 16 million pixels": (
        lambda: saved(Image.new("RGB", (4000, 4000), RED), "WEBP", lossless=True, method=0), "1024 x 1024"),
    "TIFF of 16 bits": (lambda: packed_tiff(4000, 4000, 3, 16), "1024 x 1024"),
    "TIFF of floats": (lambda: packed_tiff(4000, 4000, 1, 32, 3), "1024 x 1024"),
    "TIFF whose tags are the whole file 4,000 times": (hungry_tags, "48 x 64"),
    "PNG whose text unpacks to gigabytes": (lambda: blank_png((64, 48), before=texts(), after=texts()), "48 x 64"),
}  # fmt: skip
TOO_LARGE: dict[str, tuple[Callable[[], bytes], str]] = {
    "PNG head of 20,000 x 20,000": (lambda: png((20000, 20000), 8, 6, b""), "has 20,000 x 20,000 pixels"),
    "PNG of 20,000 x 20,000": (lambda: blank_png((20000, 20000), 1, 0), "has 20,000 x 20,000 pixels"),
    "PNG of 2 billion x 2 billion": (lambda: png((2**31 - 1, 2**31 - 1), 8, 6, zeros(1 << 20)), "has 2,147,483,647 x"),
    "PNG of 100,000 x 16": (lambda: blank_png((100_000, 16)), "has 100,000 x 16 pixels"),
    "JPEG head of 65,000 x 65,000": (lambda: claiming(plain("JPEG"), 65000, 65000), "has 65,000 x 65,000 pixels"),
    "JPEG head of 65,535 x 100": (lambda: claiming(plain("JPEG"), 65535, 100), "has 65,535 x 100 pixels"),
    "JPEG head of 50,000 x 50,000": (lambda: claiming(plain("JPEG"), 50000, 50000), "is damaged or cut short"),
    "progressive JPEG of 9,000 x 9,000": (
        lambda: claiming(plain("JPEG", progressive=True), 9000, 9000), "has 9,000 x 9,000 pixels"),
    "JPEG of 20,000 x 20,000 in three scans": (lambda: scanned_apart(20000, 20000), "has 20,000 x 20,000 pixels"),
    "progressive JPEG of 1,200 scans": (many_scans, "is damaged"),
    "progressive JPEG of 4 megapixels in 600 scans": (lambda: many_scans((2000, 2000), 600), "is damaged"),
    "JPEG of 8 million comments": (lambda: with_segment(plain("JPEG"), 0xFE, b"", MANY // 4), "is damaged"),
    "PNG of 3 million notes": (lambda: blank_png((64, 48), before=chunk(b"abCd") * (MANY // 12)), "is damaged"),
    "PNG of 2 million texts": (
        lambda: blank_png((64, 48), before=chunk(b"tEXt", b"a\0b") * (MANY // 15)), "is damaged"),
    "GIF on a screen of 65,535 x 65,535": (lambda: gif((65535, 65535)), "has 65,535 x 65,535 pixels"),
    "GIF of 6 million comments": (lambda: gif((64, 48), b"!\xfe\1x\0" * (MANY // 5)), "is damaged"),
    "GIF of one comment of 32 MB": (lambda: gif((64, 48), b"!\xfe" + b"\1x" * (MANY // 2) + b"\0"), "is damaged"),
    "WebP of 16,000 x 16,000": (lambda: webp_claiming(16000, 16000), "is too large"),
    "WebP of 8,000 x 8,000": (lambda: webp_claiming(8000, 8000), "has 8,000 x 8,000 pixels"),
    "BMP of 30,000 x 30,000": (
        lambda: plain("BMP")[:18] + struct.pack("<ii", 30000, 30000) + plain("BMP")[26:],
        "has 30,000 x 30,000 pixels",
    ),
    "TIFF of 60,000 x 60,000": (lambda: tiff(grey_tags(60000, 60000), bytes(100)), "has 60,000 x 60,000 pixels"),
    "TIFF of 4 billion x 4 billion": (lambda: tiff(grey_tags(2**32 - 1, 2**32 - 1), bytes(100)), "has 4,294,967,295 x"),
    "TIFF of 8 million strips": (lambda: many_strips(8_000_000, 64, 48, 1), "is damaged"),
    "TIFF drawn 30,000 times": (lambda: many_strips(60_000, 1000, 1000, 999), "is damaged"),
    "TIFF in a tile of 100,000 x 100,000": (lambda: tiled_tiff(100_000), "is damaged"),
    "TIFF of 10,000 colours": (lambda: tiff(grey_tags() | {277: (3, 1, 10_000)}, bytes(3072)), "is damaged"),
    "TIFF of 4 billion bits": (lambda: tiff(grey_tags() | {258: (4, 2**32 - 1, 8)}, bytes(3072)), "is damaged"),
}  # fmt: skip

READER = """
import json, os, sys, time
from pathlib import Path
from swapchef.cooking.images import read_photo
from swapchef.errors import SwapchefError

for line in sys.stdin:
    answering, asked = os.pipe()
    child = os.fork()  # each on its own, without what another has loaded or left
    if not child:
        start = time.process_time()
        try:
            pixels = read_photo(Path(line.strip()))
            answer = f"{len(pixels)} x {pixels.shape[1]}"
        except SwapchefError as error:
            answer = str(error)
        except BaseException as error:
            answer = repr(error)
        os.write(asked, json.dumps({"answer": answer, "seconds": time.process_time() - start}).encode())
        os._exit(0)
    os.close(asked)
    answer = json.loads(os.read(answering, 1 << 16) or "{}")
    _, status, usage = os.wait4(child, 0)
    print(json.dumps({**answer, "status": status, "peak": usage.ru_maxrss >> 10}), flush=True)
"""


@pytest.fixture(scope="module")
def outcome() -> Iterator[Callable[[Path], dict[str, Any]]]:
    """Read a photo in a process of its own, and return what it says and how much it took.

    A process that this one starts would be charged with our own memory, so the one that is started forks them.
    """
    with subprocess.Popen(
        [sys.executable, "-c", READER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as reader:
        assert reader.stdin
        assert reader.stdout

        def ask(path: Path) -> dict[str, Any]:
            print(path, file=reader.stdin, flush=True)
            answer: dict[str, Any] = json.loads(reader.stdout.readline())
            return answer

        yield ask
        reader.stdin.close()


@pytest.fixture
def read_apart(
    outcome: Callable[[Path], dict[str, Any]], tmp_path: Path
) -> Iterator[Callable[[bytes], dict[str, Any]]]:
    path = tmp_path / "soup.jpg"

    def read(data: bytes) -> dict[str, Any]:
        assert len(data) <= MAX_BYTES
        path.write_bytes(data)
        return outcome(path)

    yield read
    path.unlink(missing_ok=True)


@pytest.mark.parametrize(("make", "shape"), LARGE.values(), ids=LARGE)
def test_a_large_photo_is_read_in_little_memory(
    read_apart: Callable[[bytes], dict[str, Any]], make: Callable[[], bytes], shape: str
) -> None:
    result = read_apart(make())
    assert (result["status"], result["answer"]) == (0, shape)
    assert result["peak"] < MAX_PEAK


@pytest.mark.parametrize(("make", "reason"), TOO_LARGE.values(), ids=TOO_LARGE)
def test_a_bomb_is_refused_in_little_memory_and_soon(
    read_apart: Callable[[bytes], dict[str, Any]], make: Callable[[], bytes], reason: str
) -> None:
    result = read_apart(make())
    assert result["status"] == 0
    assert reason in sentence(DataError(result["answer"]), "soup.jpg")
    assert result["peak"] < MAX_PEAK / 2
    assert result["seconds"] < 10


# The square that a network sees ---------------------------------------------------------------------------------------


def striped(height: int, width: int) -> Pixels:
    """Make a black picture with its middle square red on the left and blue on the right."""
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[top : top + side, left : left + side // 2] = RED
    pixels[top : top + side, left + side // 2 : left + side] = BLUE
    return pixels


@pytest.mark.parametrize("shape", [(64, 64), (64, 200), (200, 64), (16, 4000), (4000, 16), (1024, 1366)])
@pytest.mark.parametrize("size", [16, 224])
def test_the_middle_is_cut_out(shape: tuple[int, int], size: int) -> None:
    cut = square(striped(*shape), size)
    assert cut.shape == (size, size, 3)
    assert cut.dtype == np.uint8
    inner = cut[size // 8 : -size // 8]  # what is beyond the edge may shine through on it
    assert near(inner[:, size // 8 : size * 3 // 8], RED, 20)
    assert near(inner[:, -size * 3 // 8 : -size // 8], BLUE, 20)


@pytest.mark.parametrize("shape", [(64, 64), (64, 201), (16, 4000), (300, 100)])
def test_a_mirrored_square_is_the_other_way_round(shape: tuple[int, int]) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (*shape, 3), np.uint8)
    mirrored = square(pixels, 32, mirrored=True)
    assert (mirrored == square(pixels, 32)[:, ::-1]).all()
    assert mirrored.flags.c_contiguous
    assert near(square(striped(*shape), 32, mirrored=True)[4:-4, 4:12], BLUE, 20)


def test_a_square_of_its_own_size_is_left_alone() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (48, 48, 3), np.uint8)
    assert (square(pixels, 48) == pixels).all()
    assert (square(np.pad(pixels, ((0, 0), (10, 10), (0, 0))), 48) == pixels).all()


def test_a_square_needs_no_tidy_array() -> None:
    pixels = striped(64, 200)
    assert (square(pixels[::-1, ::-1], 32) == square(np.ascontiguousarray(pixels[::-1, ::-1]), 32)).all()


def test_a_large_photo_is_averaged_not_sampled() -> None:
    board = ((np.indices((512, 512)).sum(0) % 2) * 255).astype(np.uint8)
    assert near(square(np.repeat(board[..., None], 3, -1), 32), 127, 3)
