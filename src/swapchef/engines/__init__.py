"""Engines that run a function over many rows: in this process, in a pool of worker processes, or on Spark.

The function is pure: it turns a batch of rows into new rows and a count of what happened. Batches never depend on each
other, so every engine gives the same rows, in whatever order, and a batch whose worker died is done again.
"""

from dataclasses import dataclass

from swapchef.engines.local import BatchResult, Parts, run_local
from swapchef.errors import UnknownNameError

ENGINES = ("local", "spark")

__all__ = ["ENGINES", "LOCAL_ENGINE", "BatchResult", "EngineSettings", "Parts", "run_local"]


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Which engine runs, on how many cores, and the address of a Spark cluster (empty: this machine)."""

    engine: str = "local"
    processes: int = 1
    master: str = ""

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise UnknownNameError("engine", self.engine, ENGINES)


LOCAL_ENGINE = EngineSettings()
