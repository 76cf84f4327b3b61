"""Recipes from the bytes of requests: small ones are read at once, large files and whole pages in a child process.

A hostile page could cost many seconds, and a process that takes too long can be killed where a thread cannot. The child
is started when it is first needed, has a memory limit, and is killed at a timeout; the next page gets a new one.
"""

import multiprocessing
import signal
import sys
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from swapchef.errors import RecipeError
from swapchef.recipes import Recipe, recipe_from_bytes

_MAX_IN_THREAD = 1 << 15  # bytes; no text of this size takes long
_MAX_MEMORY = 2 << 30  # bytes
_TIMEOUT = 6.0  # seconds


class Reader:
    """Reads recipes, one at a time."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def read(self, data: bytes, name: str = "", format: str | None = None) -> Recipe:
        """Read a recipe from what a file of that name holds."""
        if len(data) <= _MAX_IN_THREAD:
            return recipe_from_bytes(data, name, format)
        try:
            connection = self._child()
            connection.send((data, name, format))
            if not connection.poll(_TIMEOUT):
                raise TimeoutError
            answer = connection.recv()
        except (OSError, EOFError):  # TimeoutError is an OSError
            self.close()
            raise RecipeError("This takes too long to read; paste the recipe itself as text.") from None
        if isinstance(answer, Recipe):
            return answer
        raise RecipeError(str(answer))

    def close(self) -> None:
        """End the child process."""
        if self._process and self._connection:
            self._process.kill()
            self._process.join()
            self._connection.close()
        self._process = self._connection = None

    def _child(self) -> Connection:
        """Return the connection to the child process, started anew unless it is alive."""
        if self._connection is None or self._process is None or not self._process.is_alive():
            self.close()
            context = multiprocessing.get_context("spawn")
            self._connection, child_end = context.Pipe()
            self._process = context.Process(target=_read_requests, args=(child_end,), daemon=True)
            self._process.start()
            child_end.close()
        return self._connection


def _read_requests(connection: Connection) -> None:
    """Read recipes in the child process until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which then ends this process too
    _limit_memory()
    while True:
        try:
            data, name, format = connection.recv()
        except EOFError:
            return
        try:
            connection.send(recipe_from_bytes(data, name, format))
        except RecipeError as error:
            connection.send(str(error))
        except (MemoryError, RecursionError):
            connection.send("This is far more than a recipe; paste the recipe itself as text.")


def _limit_memory() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MAX_MEMORY, _MAX_MEMORY))
