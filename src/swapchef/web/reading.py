"""Large files and whole pages are read in a process of their own, for a thread that takes too long cannot be ended and a process can.

A pasted recipe is small and read on the spot. Anything larger, where a hostile page could cost many seconds, goes to a helper that is started when it is first
needed, has bounded memory, and is killed when its time is up; the next page gets a new one.
"""

import multiprocessing
import signal
import sys
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from swapchef.errors import RecipeError
from swapchef.recipes import Recipe, recipe_from_bytes

_SMALL = 1 << 15  # bytes; no text of this size takes long
_MEMORY = 2 << 30
_SECONDS = 6.0


class Reader:
    """Reads recipes, one at a time."""

    def __init__(self) -> None:
        self._helper: SpawnProcess | None = None
        self._pipe: Connection | None = None

    def read(self, data: bytes, name: str = "", format: str | None = None) -> Recipe:
        """Read a recipe from what a file of that name holds."""
        if len(data) <= _SMALL:
            return recipe_from_bytes(data, name, format)
        try:
            pipe = self._ready()
            pipe.send((data, name, format))
            if not pipe.poll(_SECONDS):
                raise TimeoutError
            answer = pipe.recv()
        except (OSError, EOFError):  # TimeoutError is an OSError
            self.close()
            raise RecipeError("This takes too long to read; paste the recipe itself as text.") from None
        if isinstance(answer, Recipe):
            return answer
        raise RecipeError(str(answer))

    def close(self) -> None:
        """End the helper."""
        if self._helper and self._pipe:
            self._helper.kill()
            self._helper.join()
            self._pipe.close()
        self._helper = self._pipe = None

    def _ready(self) -> Connection:
        """Return the way to a helper that is there."""
        if self._pipe is None or self._helper is None or not self._helper.is_alive():
            self.close()
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._helper = context.Process(target=_help, args=(theirs,), daemon=True)
            self._helper.start()
            theirs.close()
        return self._pipe


def _help(pipe: Connection) -> None:
    """Read what comes until nobody is there to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which then ends this too
    _limit_memory()
    while True:
        try:
            data, name, format = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(recipe_from_bytes(data, name, format))
        except RecipeError as error:
            pipe.send(str(error))
        except (MemoryError, RecursionError):
            pipe.send("This is far more than a recipe; paste the recipe itself as text.")


def _limit_memory() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
