"""Each row of `cases/lines.csv` is an ingredient line and what it means; adding a case is adding a row."""

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from swapchef.recipes import Amount, parse_line
from swapchef.recipes.durations import iso_duration, minutes_from, spoken_duration

CASES = list(csv.DictReader((Path(__file__).parent / "cases" / "lines.csv").read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_line(case: dict[str, str]) -> None:
    line = parse_line(case["text"])
    pack = f"{line.pack.amount} {line.pack.unit}" if line.pack else ""
    assert (str(line.amount or ""), line.unit, pack, line.name, line.note) == (
        case["amount"], case["unit"], case["pack"], case["name"], case["note"],
    )  # fmt: skip
    assert line.text == case["text"]


@pytest.mark.parametrize(
    ("value", "written"),
    [("1", "1"), ("1/3", "1/3"), ("3/2", "1 1/2"), ("7/10", "0.7"), ("1/8", "1/8"), ("250", "250"), ("0", "0")],
)
def test_amounts_are_written_as_cooks_write_them(value: str, written: str) -> None:
    assert str(Amount(Fraction(value))) == written


@pytest.mark.parametrize(
    ("written", "minutes"),
    [("PT30M", 30), ("PT1H30M", 90), ("P1DT2H", 26 * 60), ("1 hour 15 minutes", 75), ("1.5 hours", 90), ("20", 20),
     (45, 45),
     ("overnight", None), ("PT0S", None), ("", None), (None, None), ("P" * 50, None), ("1h30m", 90), ("1h30", 90),
      ("1½ hours", 90), ("½ hour", 30), ("PT5400S", 90),
     ("P0Y0M0DT0H35M0.000S", 35), (["PT30M"], 30)],
)  # fmt: skip
def test_durations_are_read(written: object, minutes: int | None) -> None:
    assert minutes_from(written) == minutes


@pytest.mark.parametrize("minutes", [1, 59, 60, 90, 1500])
def test_durations_are_written_so_that_they_read_back(minutes: int) -> None:
    assert minutes_from(iso_duration(minutes)) == minutes_from(spoken_duration(minutes)) == minutes
