"""Feedback: a store of the swaps that cooks accepted and rejected, for the training of the next ranker.

Only names of the vocabulary, the choice and a time are stored, in SQLite for one machine or PostgreSQL for several; a
choice is acknowledged when it is on disk. `export` writes what was accepted as tuples in Recipe1MSubs' own fields, one
JSON object a line.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.schema import CreateTable

from swapchef.errors import DataError, SwapchefError
from swapchef.sources import atomic_path

_TIMEOUT = 10  # seconds for another writer, or for the server to answer
_LOCK_KEY = 7_927_437  # any number, the same in all processes that create tables
_BATCH = 1_000
_CHOICES = sql.Table(
    "swapchef_feedback",
    sql.MetaData(),
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("time", sql.DateTime(timezone=True), nullable=False),
    sql.Column("source", sql.Text, nullable=False),
    sql.Column("target", sql.Text, nullable=False),
    sql.Column("accepted", sql.Boolean, nullable=False),
    sql.Column("ingredients", sql.JSON, nullable=False),
)


@dataclass(frozen=True)
class Choice:
    """A swap that a cook took or turned down in a recipe with these ingredients; all are names of the vocabulary."""

    source: str
    target: str  # several, joined by " + ", where one food was replaced by a mixture
    accepted: bool
    ingredients: tuple[str, ...]


class StoreError(DataError):
    """The store does not answer."""


class Store:
    """A table of choices at an address: a file's path, or a URL of SQLite or PostgreSQL."""

    def __init__(self, address: str) -> None:
        self._engine = _make_engine(_parse_address(address))

    def create(self) -> None:
        """Make the table unless it is there; any number of processes may do so at once."""
        with _readable_errors():
            if self._engine.dialect.name == "sqlite":
                with self._engine.connect() as connection:
                    # Readers and a writer do not wait for each other.
                    connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            with self._engine.begin() as connection:
                if self._engine.dialect.name == "postgresql":
                    connection.execute(sql.select(sql.func.pg_advisory_xact_lock(_LOCK_KEY)))
                connection.execute(CreateTable(_CHOICES, if_not_exists=True))

    def add(self, choice: Choice) -> None:
        """Store a choice; once this returns, it is on disk."""
        now = datetime.now(UTC).replace(microsecond=0)
        row = {**choice.__dict__, "ingredients": list(choice.ingredients), "time": now}
        with _readable_errors(), self._engine.begin() as connection:
            connection.execute(sql.insert(_CHOICES), row)

    def choices(self, accepted: bool = True) -> Iterator[tuple[int, Choice]]:
        """Yield the accepted or the rejected choices with their numbers, oldest first, a batch in memory at once."""
        rows = sql.select(_CHOICES).where(_CHOICES.c.accepted == accepted).order_by(_CHOICES.c.id)
        with _readable_errors(), self._engine.connect() as connection:
            for row in connection.execution_options(yield_per=_BATCH).execute(rows):
                yield row.id, Choice(row.source, row.target, row.accepted, tuple(row.ingredients))

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


@dataclass(frozen=True)
class Exported:
    """How many tuples were written, and how many mixtures were left out."""

    written: int
    mixtures: int


def export(store: Store, path: Path, accepted: bool = True) -> Exported:
    """Write choices as the benchmark's tuples; a mixture is left out, for a tuple has one target."""
    written = mixtures = 0
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        for number, choice in store.choices(accepted):
            if " + " in choice.target:
                mixtures += 1
                continue
            file.write(json.dumps(as_tuple(number, choice), ensure_ascii=False) + "\n")
            written += 1
    return Exported(written, mixtures)


def as_tuple(number: int, choice: Choice) -> dict[str, Any]:
    """Write a choice in the fields of Recipe1MSubs.

    >>> as_tuple(7, Choice("soy milk", "oat milk", True, ("soy milk", "flour")))
    {'id': 'feedback-7', 'ingredients': [['soy_milk'], ['flour']], 'subs': ['soy_milk', 'oat_milk']}
    """
    names = dict.fromkeys([*([] if choice.source in choice.ingredients else [choice.source]), *choice.ingredients])
    return {
        "id": f"feedback-{number}",
        "ingredients": [[_surface(name)] for name in names],
        "subs": [_surface(choice.source), _surface(choice.target)],
    }


def _surface(name: str) -> str:
    return name.replace(" ", "_")


def _parse_address(address: str) -> URL:
    """Read an address: a path is a SQLite file; PostgreSQL is reached through psycopg."""
    try:
        url = make_url(address if "://" in address else f"sqlite:///{address}")
    except ArgumentError:
        raise SwapchefError(_NOT_AN_ADDRESS) from None
    kind = url.drivername.partition("+")[0]
    if kind == "sqlite" and url.database not in {None, "", ":memory:"}:
        return url.set(drivername="sqlite")
    if kind in {"postgresql", "postgres"}:
        return url.set(drivername="postgresql+psycopg")
    raise SwapchefError(_NOT_AN_ADDRESS)


_NOT_AN_ADDRESS = (
    "This is no address of a feedback store; name a file such as feedback.db, or postgresql://user@host/database."
)


def _make_engine(url: URL) -> Engine:
    options: dict[str, Any] = {"connect_args": {"timeout": _TIMEOUT}}
    if url.get_backend_name() == "postgresql":
        options = {"connect_args": {"connect_timeout": _TIMEOUT}, "pool_pre_ping": True, "pool_size": 2}
    try:
        engine = sql.create_engine(url, **options)
    except ModuleNotFoundError:
        raise SwapchefError("PostgreSQL needs its driver; run `pip install 'swapchef[postgres]'`.") from None
    if engine.dialect.name == "sqlite":
        sql.event.listen(engine, "connect", _sync_fully)
    return engine


def _sync_fully(connection: Any, _: object) -> None:
    """Let a commit wait for the disk, so that a power cut does not lose what was acknowledged."""
    connection.execute("PRAGMA synchronous=FULL")


@contextmanager
def _readable_errors() -> Iterator[None]:
    """Turn an exception of the database into one sentence."""
    try:
        yield
    except SQLAlchemyError:  # its text has the address, and so maybe a password
        raise StoreError("The feedback store does not answer; check its address and that it is running.") from None
