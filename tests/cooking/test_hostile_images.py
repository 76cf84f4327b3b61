"""Files that are no photos, damaged ones and bombs: each is refused in one sentence, in little memory and time."""

import os
import random
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from swapchef.cooking.images import MAX_BYTES, photo_from_bytes, read_photo
from swapchef.errors import DataError, SwapchefError
from tests.cooking.photo_files import (
    BLUE,
    RED,
    after,
    blank_png,
    chunk,
    claiming,
    gif,
    grey_jpeg,
    grey_tags,
    is_photo,
    near,
    noise,
    pages,
    plain,
    png,
    refused,
    refused_bytes,
    saved,
    sentence,
    tiff,
    webp_claiming,
    with_segment,
    zeros,
)

MAX_PEAK = 450  # MB of a whole process, Python and NumPy with it


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
