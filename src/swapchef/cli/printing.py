"""What commands print: tables, JSON, progress bars, and numbers and amounts in words."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from swapchef.substituter import Suggestion
    from swapchef.training import Epoch


def print_json(value: object) -> None:
    """Print a value as indented JSON."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def _console() -> "Console":
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 160)


def print_table(title: str, columns: list[str], rows: Sequence[tuple[str, ...]], numbers_from: int = 99) -> None:
    """Print a table; columns from `numbers_from` on hold numbers, set to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), box=box.SIMPLE, title_justify="left")
    for position, column in enumerate(columns):
        table.add_column(column, justify="right" if position >= numbers_from else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))  # Text: what stands in a recipe is never taken as markup
    _console().print(table)


@contextmanager
def progress_bar(label: str, total: int | None, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error, where that is a terminal."""
    with _rich_progress(is_shown=sys.stderr.isatty() and not hidden, transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda amount: bar.advance(task, amount)


def _rich_progress(is_shown: bool, transient: bool = False) -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=transient, disable=not is_shown)


@contextmanager
def training_bar() -> "Iterator[tuple[Callable[[int, int], None], Callable[[Epoch], None]]]":
    """Show steps, time left and the latest val figure on standard error: a bar on a terminal, else a line an epoch."""
    is_terminal = sys.stderr.isatty()
    with _rich_progress(is_shown=is_terminal) as bar:
        task = bar.add_task("Training", total=None)

        def step(done: int, total: int) -> None:
            bar.update(task, advance=done, total=total)

        def epoch(report: "Epoch") -> None:
            bar.update(task, description=f"Training, val {report.val:.2f}")
            if not is_terminal:
                words = f"epoch {report.epoch}: loss {report.loss:.4f}, val {report.val:.2f}, {report.seconds:.0f} s"
                print(words, file=sys.stderr, flush=True)

        yield step, epoch


def percent(share: float) -> str:
    """Write a share between 0 and 1 in percent."""
    return f"{100 * share:.0f}%" if share >= 0.01 else "<1%"


def joined(words: Sequence[str]) -> str:
    """List words with commas between."""
    return ", ".join(words)


def amount_words(suggestion: "Suggestion") -> str:
    """Write how much of a suggestion to use, marked where it is a guess."""
    amount = suggestion.amount
    if amount is None:
        return ""
    if amount.is_guess:
        return f"{amount.text} (a guess)" if amount.text else "start with the same amount"
    return amount.text or amount.rule


def line_words(suggestion: "Suggestion") -> str:
    """Write a swap as an ingredient line."""
    if suggestion.mixture:
        return " + ".join(suggestion.mixture.parts)
    amount = suggestion.amount.text if suggestion.amount else ""
    return f"{amount} {suggestion.name}".strip()
