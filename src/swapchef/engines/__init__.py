"""Where work on many rows is done: here, in several processes, or on Spark; the work itself does not know.

Work is a pure function from a batch of rows to what was found in them and a count of what happened. Batches never depend on each
other, so every engine finds the same, in whatever order, and a batch whose worker died is simply done again.
"""

from dataclasses import dataclass

from swapchef.engines.local import Found, Parts, run_local
from swapchef.errors import UnknownNameError

ENGINES = ("local", "spark")

__all__ = ["ENGINES", "HERE", "Found", "Parts", "Where", "run_local"]


@dataclass(frozen=True, slots=True)
class Where:
    """Which engine does the work and on how many cores; `master` is the address of a Spark cluster, if not this machine."""

    engine: str = "local"
    processes: int = 1
    master: str = ""

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise UnknownNameError("engine", self.engine, ENGINES)


HERE = Where()
