"""The command line: `app` puts the commands together, one file for each kind of user holds them.

Each command parses, calls and prints, and imports what it needs itself, so that `swapchef --help` answers at once.
Results go to standard output and everything else (progress, notices, errors) to standard error, so `--json` can be
piped. A `SwapchefError` becomes one sentence and exit code 2.
"""

from swapchef.cli.app import main

__all__ = ["main"]
