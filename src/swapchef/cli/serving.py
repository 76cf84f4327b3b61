"""The command for those who run a server: serve."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from swapchef.errors import SwapchefError

_HAND_OVER_FROM = 2  # requests under way from which one of several workers closes connections, so that others take them


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes a free one.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="How many processes answer.")] = 1,
    imports: Annotated[
        bool, typer.Option("--import/--no-import", help="Whether recipes may be read from web addresses.")
    ] = True,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST[:PORT]", help="Also import from this host of your own network. May be repeated."),
    ] = None,
    deny_host: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="Never import from this host, whatever else allows it. May be repeated."),
    ] = None,
    feedback: Annotated[
        str,
        typer.Option(
            metavar="URL", help="Keep which swaps cooks take: a SQLite file, or postgresql://user@host/database."
        ),
    ] = "",
    cors: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="Let pages of this origin call the API. May be repeated."),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name that browsers reach this server by. May be repeated."),
    ] = None,
    at_once: Annotated[
        int, typer.Option(min=1, max=1000, help="How many requests a worker takes on at once; more are told to wait.")
    ] = 16,
    timeout: Annotated[float, typer.Option(min=1, max=300, help="Seconds that a request may take.")] = 15.0,
    log: Annotated[bool, typer.Option("--log/--no-log", help="Whether to log requests, as JSON lines.")] = True,
) -> None:
    """Serve the web page and the HTTP API."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy loads: workers share the cores, not threads
    with needs_web_extra():
        from swapchef.web.app import Settings
        from swapchef.web.fetching import Rules
        from swapchef.web.guards import RequestLimits
        from swapchef.web.serving import serve as run
        from swapchef.web.serving import server_names

    settings = Settings(
        RequestLimits(
            at_once, _HAND_OVER_FROM if workers > 1 else 0, timeout, hosts=server_names(host, tuple(name or ()))
        ),
        Rules(tuple(allow_host or ()), tuple(deny_host or ())) if imports else None,
        feedback,
        tuple(cors or ()),
    )
    run(host, port, workers, settings, log)


@contextmanager
def needs_web_extra() -> Iterator[None]:
    """Turn a missing package of the `web` extra into one sentence that names it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "swapchef":
            raise
        raise SwapchefError(
            f"This needs {error.name}, which the core install leaves out; run `pip install 'swapchef[web]'`."
        ) from None
