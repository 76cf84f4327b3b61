"""Photos are read as a viewer shows them: colours, orientation, sizes, and the square that a network sees."""

import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from swapchef.cooking.images import Pixels, photo_from_bytes, read_photo, square
from tests.cooking.photo_files import (
    BLUE,
    RED,
    WHITE,
    chunk,
    exif,
    gif,
    grey_tags,
    halves,
    is_photo,
    near,
    pages,
    plain,
    png,
    refused_bytes,
    saved,
    tiff,
    with_segment,
    without_notes,
    ycck,
)

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
