"""Options and arguments that several commands share."""

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
RecipeFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A recipe file of any format, or - for standard input.")
]
Have = Annotated[
    str | None, typer.Option(metavar="A,B", help="Use only what is in your cupboard: names with commas between.")
]
Diet = Annotated[
    list[str] | None,
    typer.Option(metavar="D", help="Keep to a diet or without an allergen: vegan, gluten, nuts... May be repeated."),
]
Avoid = Annotated[
    list[str] | None, typer.Option(metavar="FOOD", help="Do without a food and what is made of it. May be repeated.")
]
Unknown = Annotated[
    bool, typer.Option("--unknown", help="Also offer foods whose name does not tell whether they suit, marked so.")
]
RankerName = Annotated[
    str,
    typer.Option(
        "--ranker", metavar="NAME", help="Which ranker answers: a name of `swapchef rankers`, or a run folder."
    ),
]
Servings = Annotated[int | None, typer.Option(metavar="N", help="Scale the recipe to so many servings.")]
Engine = Annotated[str, typer.Option(help="local: on this machine; spark: with PySpark, on a cluster if there is one.")]
Processes = Annotated[int, typer.Option(min=1, max=64, help="How many to run at once.")]
Master = Annotated[str, typer.Option(metavar="URL", help="The Spark cluster; by default this machine.")]
