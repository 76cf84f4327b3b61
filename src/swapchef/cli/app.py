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
# In the order that --help shows.
app.command()(cooks.suggest)
app.command()(cooks.swap)
app.command()(cooks.cook)
app.command(help=cooks.CHECK_HELP)(cooks.check)
app.command()(cooks.recipe)
app.command()(serving.serve)
app.command()(researchers.benchmark)
app.command()(researchers.train)
app.command()(researchers.mine)
app.add_typer(researchers.rankers_group, name="rankers")
app.add_typer(data.data_group, name="data")
app.add_typer(data.graph_group, name="graph")
app.add_typer(data.vocabulary_group, name="vocabulary")
app.add_typer(data.feedback_group, name="feedback")
app.add_typer(data.tables_group, name="tables")


def main() -> None:
    """Run the command line; the console script calls this."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Recipes are full of fractions and accents, whatever the terminal's own encoding is.
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        app()
        sys.stdout.flush()
    except SwapchefError as error:
        print(f"swapchef: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader, such as `head`, has ended
        _discard_output()
        sys.exit(0)
    except OSError as error:
        _discard_output()
        print(f"swapchef: Cannot write the answer ({error.strerror or error}); check the disk.", file=sys.stderr)
        sys.exit(2)


def _discard_output() -> None:
    """Send the rest of standard output nowhere, so that the interpreter does not try to write it again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_version(is_asked: bool) -> None:
    if is_asked:
        print(f"swapchef {__version__}")
        raise typer.Exit


@app.callback()
def swapchef(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Ingredient substitution that reads the whole recipe."""
