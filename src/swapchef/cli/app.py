"""The typer application: every command by name, and `main()`, which the console script calls."""

import io
import os
import sys
from typing import Annotated

import typer

from swapchef import __version__
from swapchef.cli import cooks, data, researchers, serving
from swapchef.errors import SwapchefError

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
for command in (
    cooks.suggest,
    cooks.swap,
    cooks.cook,
    cooks.check,
    cooks.recipe,
    serving.serve,
    researchers.benchmark,
    researchers.train,
    researchers.mine,
):  # in the order that --help shows
    app.command()(command)
app.add_typer(data.data_group, name="data")
app.add_typer(data.graph_group, name="graph")
app.add_typer(data.vocabulary_group, name="vocabulary")
app.add_typer(data.feedback_group, name="feedback")


def main() -> None:
    """Run the command line; the console script calls this."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(
            stream, io.TextIOWrapper
        ):  # recipes are full of fractions and accents, whatever the terminal says
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        app()
        sys.stdout.flush()
    except SwapchefError as error:
        print(f"swapchef: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        _forget_output()
        sys.exit(0)
    except OSError as error:
        _forget_output()
        print(f"swapchef: Cannot write the answer ({error.strerror or error}); check the disk.", file=sys.stderr)
        sys.exit(2)


def _forget_output() -> None:
    """Let the interpreter end without trying to write again what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version(wanted: bool) -> None:
    if wanted:
        print(f"swapchef {__version__}")
        raise typer.Exit


@app.callback()
def swapchef(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Ingredient substitution that reads the whole recipe."""
