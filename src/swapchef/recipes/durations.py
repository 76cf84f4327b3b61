"""Cooking times as minutes: from ISO 8601 ("PT1H30M") and from the ways people write them ("1 hr 30 min"), and back."""

import re

from swapchef.recipes.model import tidy

_ISO = re.compile(
    r"""
    P (?:0Y)? (?:0M)? (?:(\d{1,3})D)?  # no years, no months, days
    (?: T (?:(\d{1,4})H)? (?:(\d{1,5})M)? (?:(\d{1,7})(?:\.\d{1,6})?S)? )?  # hours, minutes, seconds
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SPOKEN = re.compile(r"(\d{1,5}(?:\.\d{1,2})?)\s*(d|h|m)(?:ays?|ours?|rs?|inutes?|ins?)?(?![a-z])", re.IGNORECASE)
_MINUTES = {"d": 24 * 60, "h": 60, "m": 1}


def minutes_from(text: object) -> int | None:
    """Read a duration; None where there is none, it is zero, or it is not a number of minutes ("overnight").

    >>> minutes_from("PT1H30M"), minutes_from("1 hour 15 minutes"), minutes_from("20"), minutes_from("overnight")
    (90, 75, 20, None)
    """
    if isinstance(text, list):
        text = text[0] if text else ""
    clean = tidy(text)
    for fraction, decimal in (("½", ".5"), ("¼", ".25"), ("¾", ".75")):
        clean = re.sub(rf"(?<!\d)\s?{fraction}", f"0{decimal}", re.sub(rf"(?<=\d)\s?{fraction}", decimal, clean))
    clean = re.sub(r"(?i)(\d\s*h(?:ours?|rs?)?\s*\d{1,2})$", r"\1 m", clean)  # "1h30"
    if clean.isascii() and clean.isdigit() and len(clean) <= 5:
        return int(clean) or None
    if iso := _ISO.fullmatch(clean):
        days, hours, minutes, seconds = (int(part or 0) for part in iso.groups())
        return days * 24 * 60 + hours * 60 + minutes + round(seconds / 60) or None
    return round(sum(float(number) * _MINUTES[unit.lower()] for number, unit in _SPOKEN.findall(clean))) or None


def iso_duration(minutes: int) -> str:
    """Write minutes as ISO 8601: 90 -> "PT1H30M"."""
    hours, rest = divmod(minutes, 60)
    return "PT" + (f"{hours}H" if hours else "") + (f"{rest}M" if rest else "")


def spoken_duration(minutes: int) -> str:
    """Write minutes for people: 90 -> "1 h 30 min"."""
    hours, rest = divmod(minutes, 60)
    return " ".join(part for part in (f"{hours} h" if hours else "", f"{rest} min" if rest else "") if part)
