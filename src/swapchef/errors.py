"""The errors a user can mend: each message is one sentence that says what is wrong and what to do next.

Everything that reaches the edges (command line, API) because of bad input is a `SwapchefError`; any other exception is
a bug in swapchef. The children exist only where a caller needs to tell the cases apart.
"""

from collections.abc import Sequence


class SwapchefError(Exception):
    """Bad input or a missing file; `str(error)` is ready to be shown to a person."""


class RecipeError(SwapchefError):
    """A recipe could not be read."""


class DataError(SwapchefError):
    """A data set, a bundle or a download is missing, damaged or not what it claims to be."""


class UnknownNameError(SwapchefError):
    """A name that stands for nothing we know, with the closest names that do."""

    def __init__(self, kind: str, name: str, close: Sequence[str] = (), advice: str = "") -> None:
        self.kind = kind
        self.name = name
        self.close = tuple(close)
        shown = name if len(name) <= 60 else name[:57] + "..."
        if self.close:
            ending = f"; did you mean {_or(self.close)}?"
        elif advice:
            ending = f"; {advice}."
        else:
            ending = "; check the spelling or try a more common name."
        super().__init__(f"I do not know the {kind} {shown!r}{ending}")


def _or(names: Sequence[str]) -> str:
    """Join names the way a person lists choices: "a, b or c"."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
