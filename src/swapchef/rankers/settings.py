"""Checks of a user's settings before training starts: their names, types and ranges.

A ranker's settings are a dataclass whose annotations give the types; the ranges below hold by name for all rankers.
"""

from dataclasses import fields
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from swapchef.errors import SwapchefError

Settings = TypeVar("Settings")

_MAY_BE_ZERO = frozenset("layers min_count patience sampled seed val_queries".split())  # of the whole numbers
_SHARES = frozenset("dropout forget held_out mask mask_ingredients".split())  # from 0 to just below 1
_POSITIVE = frozenset("away back learning_rate".split())  # of the other numbers, which may be zero
_LEAST = {"width": 2}  # of the whole numbers; 1 for the others


def read_settings(kind: type[Settings], name: str, values: dict[str, Any]) -> Settings:
    """Make settings of values, or say in one sentence which value is wrong."""
    hints: dict[str, Any] = get_type_hints(kind)
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for key, value in values.items():
        if key not in names:
            raise SwapchefError(f"{key!r} is not a setting of {name}; these are: {', '.join(names)}.")
        if required := _requirement(key, value, hints[key]):
            raise SwapchefError(f"{key!r} must be {required}, not {value!r}.")
    return kind(**values)


def _requirement(key: str, value: object, hint: Any) -> str:
    """Return what a setting must be, if its value is not; "" if it is."""
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        return "" if value in choices else f"one of {', '.join(map(str, choices))}"
    if hint is bool:
        return "" if isinstance(value, bool) else "true or false"
    if hint is str:
        return "" if isinstance(value, str) else "a text"
    if hint is int:
        least = 0 if key in _MAY_BE_ZERO else _LEAST.get(key, 1)
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        return "" if is_whole and value >= least else f"a whole number from {least} on"  # type: ignore[operator]
    return _number_requirement(key, value)


def _number_requirement(key: str, value: object) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    number = float(value) if is_number else float("nan")  # type: ignore[arg-type]
    if key in _SHARES:
        return "" if 0 <= number < 1 else "a number from 0 to just below 1"
    if key.endswith("probability"):
        return "" if 0 <= number <= 1 else "a number from 0 to 1"
    if key in _POSITIVE:
        return "" if 0 < number < float("inf") else "a number above 0"
    return "" if 0 <= number < float("inf") else "a number from 0 on"
