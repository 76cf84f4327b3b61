"""Commands for cooks: suggest, swap, cook, check and recipe."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swapchef.cli.options import Avoid, Diet, Have, Json, RankerName, RecipeFile, Servings, Unknown
from swapchef.cli.printing import amount_words, joined, line_words, percent, print_json, print_table
from swapchef.errors import SwapchefError

if TYPE_CHECKING:
    from swapchef.recipes import IngredientLine, Recipe
    from swapchef.substituter import Suggestion, Suggestions, Wishes
    from swapchef.swapping.answers import Problem

CHECK_HELP = (
    "List what in a recipe is against a diet, an allergy or a dislike, and what to use instead; "
    "exit code 1 if anything is."
)
_MIXTURES_SHOWN = 3  # --json has all


def suggest(
    ingredients: Annotated[
        list[str],
        typer.Argument(
            metavar="INGREDIENT...",
            help="What you lack, cannot eat or do not like: "
            "by name, by part of its name, or by the number of its line.",
        ),
    ],
    recipe: Annotated[
        str | None, typer.Option(metavar="FILE", help="The recipe, in any format; - reads standard input.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, max=100, help="How many suggestions.")] = 5,
    have: Have = None,
    diet: Diet = None,
    avoid: Avoid = None,
    unknown: Unknown = False,
    counterfactual: Annotated[
        bool, typer.Option("--counterfactual", help="Also say where each suggestion would stand without the recipe.")
    ] = False,
    ranker: RankerName = "fusion",
    as_json: Json = False,
) -> None:
    """Suggest what to use instead of an ingredient, or of several at once."""
    from swapchef.recipes import read_recipe
    from swapchef.substituter import Substituter

    parsed = read_recipe(recipe) if recipe else None
    wishes = _wishes(have, diet, avoid, unknown)
    answers = Substituter.load(ranker).suggest_together(ingredients, parsed, top, wishes, counterfactual)
    if as_json:
        print_json(answers[0].as_json() if len(answers) == 1 else [answer.as_json() for answer in answers])
        return
    for typed, answer in zip(ingredients, answers, strict=True):
        _print_suggestions(typed.strip(), answer)


def _wishes(have: str | None, diet: list[str] | None, avoid: list[str] | None, unknown: bool = False) -> "Wishes":
    from swapchef.substituter import Wishes

    return Wishes(have.split(",") if have is not None else None, diet or (), avoid or (), unknown)


def _print_suggestions(typed: str, answer: "Suggestions") -> None:
    ingredient = answer.ingredient + ("" if typed.lower() == answer.ingredient else f" (you said {typed})")
    context = f"in {answer.recipe}" if answer.recipe else "in any recipe (give --recipe for suggestions that fit yours)"
    is_compared = any(suggestion.without_recipe for suggestion in answer.suggestions)
    columns = ["", "use", "how much", "chance", *(["without the recipe"] if is_compared else []), "why"]
    rows = [_suggestion_row(suggestion, is_compared) for suggestion in answer.suggestions]
    if rows:
        print_table(f"Instead of {ingredient} {context}", columns, rows)
    elif answer.refusal:
        print(f"Nothing to use instead of {ingredient}: {answer.refusal}")
    elif answer.is_silent:
        print(f"{answer.ranker} has nothing to say about {ingredient}.")
    elif not answer.mixtures:
        print(f"I know nothing to use instead of {ingredient} {context}.")
    for suggestion in answer.suggestions:
        if suggestion.amount and (advice := f"{suggestion.amount.note} {suggestion.amount.method}".strip()):
            print(f"  {suggestion.name}: {advice}")
        for note in suggestion.notes:
            if note.kind == "hazard":
                print(f"  {suggestion.name}: {note.text}")
    in_table = [suggestion.mixture for suggestion in answer.suggestions]
    for mixture in [mixture for mixture in answer.mixtures if mixture not in in_table][:_MIXTURES_SHOWN]:
        print(f"  or mix {' + '.join(mixture.parts)}{f': {mixture.note}' if mixture.note else ''}")


def _suggestion_row(suggestion: "Suggestion", is_compared: bool) -> tuple[str, ...]:
    name = suggestion.name + (f" (or {suggestion.also[0]})" if suggestion.also else "")
    without = suggestion.without_recipe
    comparison = f"{without.rank}. ({percent(without.probability)})" if without else "not among the candidates"
    return (
        str(suggestion.rank),
        name,
        amount_words(suggestion),
        percent(suggestion.probability),
        *([comparison] if is_compared else []),
        "; ".join(suggestion.reasons),
    )


def swap(
    recipe: RecipeFile,
    ingredients: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[INGREDIENT]...", help="What to replace; with a diet and nothing here, all that is against it."
        ),
    ] = None,
    targets: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="X",
            help="What to use instead, as often as there are ingredients; by default what suits best.",
        ),
    ] = None,
    diet: Diet = None,
    avoid: Avoid = None,
    have: Have = None,
    format: Annotated[
        str, typer.Option(help="jsonld, mealie, tandoor, cooklang, markdown, text, html or recipe1m.")
    ] = "markdown",
    diff: Annotated[bool, typer.Option("--diff", help="Print what changes instead of the whole recipe.")] = False,
    servings: Servings = None,
    ranker: RankerName = "fusion",
) -> None:
    """Rewrite a recipe with ingredients replaced; standard error tells what to mind and what is left."""
    from swapchef.recipes import write_recipe
    from swapchef.substituter import Substituter

    original = _read_for(recipe, servings)
    write_recipe(original, format)  # refuses a wrong format before any work is done
    wishes = _wishes(have, diet, avoid)
    swapped = Substituter.load(ranker).swap(original, ingredients or (), targets or (), wishes)
    print(swapped.edit.diff() if diff else write_recipe(swapped.recipe, format), end="\n" if diff else "")
    for replacement in swapped.swaps:
        print(f"{replacement.target} for {replacement.source}", file=sys.stderr)
    for text in dict.fromkeys(f"{note.text}{' (a guess)' * note.is_guess}" for note in swapped.edit.notes):
        print(f"- {text}", file=sys.stderr)
    for problem in swapped.problems:
        verdict = "Still against your wishes" if problem.status == "unsafe" else "Check the label"
        verdict = "Left as it is" if problem.hazard else verdict
        print(f"{verdict}: {_place(problem)}, {problem.text} ({problem.rule})", file=sys.stderr)
    if swapped.problems or swapped.refused:
        raise typer.Exit(1)


def _place(problem: "Problem") -> str:
    """Say where a problem is: "title", "step 2"."""
    return f"{problem.where} {problem.number}" if problem.number else problem.where


def cook(
    photo: Annotated[
        Path, typer.Argument(metavar="PHOTO", help="A photo of a dish: JPEG, PNG, WebP, GIF, BMP or TIFF.")
    ],
    swap: Annotated[
        list[str] | None, typer.Option(metavar="INGREDIENT", help="An ingredient to replace. May be repeated.")
    ] = None,
    targets: Annotated[
        list[str] | None,
        typer.Option(
            "--with", metavar="X", help="What to use instead, as often as --swap; by default what suits best."
        ),
    ] = None,
    add: Annotated[
        list[str] | None, typer.Option(metavar="FOOD", help="An ingredient that was not seen. May be repeated.")
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option(metavar="FOOD", help="An ingredient that was seen by mistake. May be repeated.")
    ] = None,
    diet: Diet = None,
    avoid: Avoid = None,
    as_json: Json = False,
) -> None:
    """Name the ingredients in a photo, replace what you ask for, and write the recipe with and without the swap."""
    from swapchef.cooking.images import read_photo
    from swapchef.cooking.pipeline import PhotoCook
    from swapchef.recipes import write_recipe

    pixels = read_photo(photo)  # a file that is no photo is refused before the networks are loaded
    cooked = PhotoCook.load().cook(
        pixels, swap or (), targets or (), _wishes(None, diet, avoid), add or (), remove or ()
    )
    if as_json:
        return print_json(cooked.as_json())
    rows = [(ingredient.name, percent(ingredient.confidence)) for ingredient in cooked.ingredients]
    print_table(f"Seen in {photo.name}", ["ingredient", "sure"], rows, numbers_from=1)
    if cooked.swapped_recipe:
        print(f"\nAs in the photo{', not kept to your wishes' if cooked.keeps_to_wishes is False else ''}:")
    print(f"\n{write_recipe(cooked.recipe, 'markdown')}")
    if cooked.swapped_recipe:
        print(f"With {joined([f'{each.target} for {each.source}' for each in cooked.swaps])}:")
        print(f"\n{write_recipe(cooked.swapped_recipe, 'markdown')}\n{cooked.diff}")
    for which, faults in (cooked.collapses or {}).items():
        name = "The recipe" if which == "recipe" else "The recipe after the swap"
        print(
            f"- {name} is the nearest of our own collection, for what was written is no use: {joined(faults)}.",
            file=sys.stderr,
        )
    for note in cooked.notes:
        print(f"- {note}", file=sys.stderr)
    return None


def _read_for(file: str, servings: int | None) -> "Recipe":
    """Read a recipe and scale it to the servings; what to mind then is printed on standard error."""
    from swapchef.recipes import read_recipe

    original = read_recipe(file)
    if servings is None:
        return original
    from swapchef.amounts.servings import for_servings

    scaled, notes = for_servings(original, servings)
    for note in notes:
        print(f"- {note}", file=sys.stderr)
    return scaled


def check(
    recipe: RecipeFile, diet: Diet = None, avoid: Avoid = None, ranker: RankerName = "fusion", as_json: Json = False
) -> None:
    """List what in a recipe is against the wishes and what to use instead; its help is `CHECK_HELP`."""
    from swapchef.recipes import read_recipe
    from swapchef.substituter import Substituter

    report = Substituter.load(ranker).check(read_recipe(recipe), _wishes(None, diet, avoid))
    if as_json:
        print_json(report.as_json())
    elif report.is_fine:
        print(f"{report.recipe}: nothing against {joined(report.limits)}.")
    else:
        rows = [
            (
                _place(problem),
                problem.text,
                problem.rule if problem.status == "unsafe" else f"cannot tell: {problem.rule}",
                line_words(problem.swap) if problem.swap else "",
            )
            for problem in report.problems
        ]
        about = joined(report.limits) or "hazards"
        print_table(f"{report.recipe}, {about}", ["where", "it says", "but", "use instead"], rows)
    if not report.is_fine:
        raise typer.Exit(1)


def recipe(
    file: RecipeFile,
    format: Annotated[
        str | None,
        typer.Option(
            help="Write the recipe in this format: jsonld, mealie, tandoor, cooklang, markdown, text, html or recipe1m."
        ),
    ] = None,
    servings: Servings = None,
    as_json: Json = False,
) -> None:
    """Show how swapchef understands a recipe, convert it to another format, or scale it."""
    from swapchef.foods.matching import Vocabulary
    from swapchef.recipes import write_recipe

    if format and as_json:
        raise SwapchefError("Choose one of --format and --json: a format is already what is printed.")
    parsed = _read_for(file, servings)
    if format:
        print(write_recipe(parsed, format), end="")
        return
    vocabulary = Vocabulary.load()
    matched_lines = [(line, vocabulary.match_all(line)) for line in parsed.ingredients]
    if as_json:
        ingredients = [
            {**_line_json(line), "matches": [asdict(match) for match in matches]} for line, matches in matched_lines
        ]
        print_json({**asdict(parsed), "ingredients": ingredients})
        return
    rows = [
        (
            str(line.amount or ""),
            line.unit,
            line.name,
            ", ".join(match.name for match in matches) or "?",
            ", ".join(f"{match.how} {match.confidence:.0%}" for match in matches),
        )
        for line, matches in matched_lines
    ]
    print_table(
        f"{parsed.title}: {len(rows)} ingredients, {len(parsed.steps)} steps",
        ["amount", "unit", "name", "ingredient", "found by"],
        rows,
    )


def _line_json(line: "IngredientLine") -> dict[str, Any]:
    pack = {"amount": str(line.pack.amount), "unit": line.pack.unit} if line.pack else None
    return {**asdict(line), "amount": str(line.amount) if line.amount else None, "pack": pack}
