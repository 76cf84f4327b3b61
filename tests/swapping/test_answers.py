"""Answers are plain values that `json` can write."""

import json

from swapchef.swapping.answers import HowMuch, Mixture, Problem, Report, Suggestion, Suggestions


def test_suggestions_become_plain_values() -> None:
    mixture = Mixture("milk + butter", ("3/4 cup milk", "1/3 cup butter"), "Melt.", {"milk": "unsafe"})
    best = Suggestion("milk", 0.5, 1, ("3 cooks made this swap",), amount=HowMuch("1 cup"), mixture=mixture)
    values = json.loads(json.dumps(Suggestions("cream", None, (best,), (mixture,)).as_json()))
    assert (values["ingredient"], values["recipe"]) == ("cream", None)
    assert values["suggestions"][0]["mixture"] == values["mixtures"][0]
    assert values["mixtures"][0]["parts"] == ["3/4 cup milk", "1/3 cup butter"]
    amount = {"text": "1 cup", "rule": "", "note": "", "method": "", "is_guess": False}
    assert values["suggestions"][0]["amount"] == amount
    empty = {name: values["suggestions"][0][name] for name in ("also", "score", "verdicts", "changes", "notes")}
    assert empty == {"also": [], "score": 0.0, "verdicts": {}, "changes": [], "notes": []}


def test_a_report_is_fine_without_problems() -> None:
    problem = Problem("step", 2, "Add butter.", "unsafe", "butter is milk")
    assert Report("Cake", ("vegan",), ()).is_fine
    assert not Report("Cake", ("vegan",), (problem,)).is_fine
    values = Report("Cake", ("vegan",), (problem,)).as_json()
    assert (values["is_fine"], values["problems"][0]["number"], values["problems"][0]["ingredient"]) == (False, 2, "")
    assert Report("Cake", ("vegan",), ()).as_json()["is_fine"] is True
