"""A bundle is read only when every file is the one that was built: tampered, missing or unlisted files are refused."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

import swapchef
from swapchef.bundles import verify_bundle
from swapchef.errors import DataError

PACKAGE = Path(swapchef.__file__).parent
WEIGHTS = b"0123456789"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """Return a bundle of one file, in a folder beside which there is another file."""
    folder = tmp_path / "bundle"
    folder.mkdir()
    (folder / "weights.bin").write_bytes(WEIGHTS)
    (tmp_path / "outside.bin").write_bytes(WEIGHTS)
    write_manifest(folder, "weights.bin")
    return folder


def write_manifest(folder: Path, *names: str) -> None:
    digest = hashlib.sha256(WEIGHTS).hexdigest()
    (folder / "manifest.json").write_text(json.dumps({"sha256": dict.fromkeys(names, digest)}))


def test_a_whole_bundle_is_accepted(bundle: Path) -> None:
    verify_bundle(bundle, ["weights.bin"])


def test_a_tampered_file_is_named(bundle: Path) -> None:
    (bundle / "weights.bin").write_bytes(b"0123456780")
    with pytest.raises(
        DataError, match=r"^The bundle's weights\.bin is not the file that was built; reinstall swapchef\.$"
    ):
        verify_bundle(bundle)


def test_a_truncated_file_is_named(bundle: Path) -> None:
    (bundle / "weights.bin").write_bytes(WEIGHTS[:-1])
    with pytest.raises(DataError, match=r"weights\.bin is not the file that was built"):
        verify_bundle(bundle)


@pytest.mark.parametrize("name", ["weights.bin", "manifest.json"])
def test_a_missing_file_is_refused(bundle: Path, name: str) -> None:
    (bundle / name).unlink()
    with pytest.raises(DataError, match=r"^The bundled model is missing or incomplete; reinstall swapchef\.$"):
        verify_bundle(bundle)


def test_a_folder_in_place_of_a_file_is_refused(bundle: Path) -> None:
    (bundle / "weights.bin").unlink()
    (bundle / "weights.bin").mkdir()
    with pytest.raises(DataError, match="missing or incomplete"):
        verify_bundle(bundle)


def test_a_required_file_that_the_manifest_does_not_list_is_refused(bundle: Path) -> None:
    (bundle / "config.json").write_text("{}")
    with pytest.raises(DataError, match=r"does not list config\.json"):
        verify_bundle(bundle, ["weights.bin", "config.json"])


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", "null", "{}", '{"sha256": []}', '{"sha256": null}', '{"sha256": "weights.bin"}', "\0"]
)
def test_a_manifest_that_is_not_one_is_refused(bundle: Path, text: str) -> None:
    (bundle / "manifest.json").write_text(text)
    with pytest.raises(DataError, match="missing or incomplete"):
        verify_bundle(bundle)


def test_a_manifest_that_is_not_utf8_is_refused(bundle: Path) -> None:
    (bundle / "manifest.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="missing or incomplete"):
        verify_bundle(bundle)


@pytest.mark.parametrize(
    "name", ["../outside.bin", "..\\outside.bin", "./weights.bin", "", "..", "c:weights.bin", "a\0b"]
)
def test_a_name_with_a_path_is_refused_even_where_the_file_has_that_hash(bundle: Path, name: str) -> None:
    write_manifest(bundle, name)
    with pytest.raises(DataError, match="which is no file of the bundle"):
        verify_bundle(bundle)


def test_an_absolute_path_is_refused(bundle: Path) -> None:
    write_manifest(bundle, str(bundle / "weights.bin"))
    with pytest.raises(DataError, match="which is no file of the bundle"):
        verify_bundle(bundle)


@pytest.mark.parametrize("folder", ["bundle", "cooking/bundle", "rankers/gismo_bundle"])
def test_the_shipped_bundles_are_whole_and_list_all_their_files(folder: str) -> None:
    names = [path.name for path in (PACKAGE / folder).iterdir() if path.name != "manifest.json"]
    verify_bundle(PACKAGE / folder, names)


@pytest.mark.parametrize("folder", ["bundle", "cooking/bundle", "rankers/gismo_bundle"])
def test_one_altered_bit_in_a_shipped_file_is_noticed(tmp_path: Path, folder: str) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(PACKAGE / folder, copy)
    config = copy / "config.json"
    data = bytearray(config.read_bytes())
    data[-1] ^= 1
    config.write_bytes(data)
    with pytest.raises(DataError, match=r"config\.json is not the file that was built"):
        verify_bundle(copy)
