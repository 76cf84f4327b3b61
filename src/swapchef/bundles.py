"""A bundle is a folder of model files and a manifest of their SHA-256, which are verified before a file is read."""

import json
from collections.abc import Iterable
from pathlib import Path

from swapchef.errors import DataError
from swapchef.sources import sha256_of

MANIFEST = "manifest.json"


def verify_bundle(folder: Path, required: Iterable[str] = ()) -> None:
    """Refuse a bundle of which any file is missing or not the one that was built, or a required file is not listed."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        digests = dict(manifest["sha256"].items())
        for name in digests:
            if not _is_plain_name(name):
                raise DataError(
                    f"The bundle's manifest lists {name!r}, which is no file of the bundle; reinstall swapchef."
                )
        if unlisted := sorted(set(required) - set(digests)):
            raise DataError(f"The bundle's manifest does not list {unlisted[0]}; reinstall swapchef.")
        for name, digest in digests.items():
            if sha256_of(folder / name) != digest:
                raise DataError(f"The bundle's {name} is not the file that was built; reinstall swapchef.")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise DataError("The bundled model is missing or incomplete; reinstall swapchef.") from None


def _is_plain_name(name: str) -> bool:
    """Say whether a name stays in its folder on every system."""
    return name not in {"", ".", ".."} and not any(character in name for character in "/\\:\0")
