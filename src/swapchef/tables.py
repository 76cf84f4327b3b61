"""Tables of facts beside the modules that use them: tab-separated rows under a heading, with `#` for comments."""

from importlib.resources import files


def read_table(name: str) -> list[list[str]]:
    """Read the rows of a table, named from the package's folder ("foods/kinds.tsv"), without heading and comments."""
    lines = files("swapchef").joinpath(name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")][1:]
