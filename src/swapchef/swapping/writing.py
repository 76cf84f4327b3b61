"""Decisions put in words: amounts, reasons, notes and changed lines, written once for what is shown.

Nothing reads these texts back. Under limits a note loses the sentences that name a food which is against them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from swapchef.amounts.portions import Portion
from swapchef.amounts.ratios import MixtureRatio
from swapchef.editing.concerns import Note
from swapchef.editing.editor import Editor
from swapchef.effects.reasons import Compounds, reasons
from swapchef.limits.hazards import Hazard
from swapchef.limits.wishes import Limits
from swapchef.swapping.answers import HowMuch, Mixture, Suggestion, Suggestions
from swapchef.swapping.decisions import Decision
from swapchef.swapping.facts import SwapFacts, worst_verdicts


class Writer:
    """Writes the answers for one recipe, or for none, under a cook's limits."""

    def __init__(self, editor: Editor | None, limits: Limits, compounds: Compounds, ranker: str) -> None:
        self._editor, self._limits, self._compounds, self._ranker = editor, limits, compounds, ranker

    def suggestions(self, decision: Decision, top: int) -> Suggestions:
        """Write the swaps for one ingredient, the choice first."""
        title = self._editor.matched.recipe.title if self._editor else None
        shown = [self.suggestion(facts, decision, rank) for rank, facts in enumerate(decision.ranked[:top], start=1)]
        mixtures = tuple(self._mixture(mixture) for mixture in decision.mixtures)
        name = decision.source.food.name
        refusal = decision.refusal.sentence(name) if decision.refusal else ""
        return Suggestions(name, title, tuple(shown), mixtures, refusal, self._ranker, decision.is_silent)

    def suggestion(self, facts: SwapFacts, decision: Decision, rank: int = 1) -> Suggestion:
        """Write all that a cook wants to know of a swap."""
        source, target = decision.source.food, facts.target
        mixture = self._mixture(facts.mixture) if facts.mixture else None
        edit = self._editor.write_one(facts.plan, facts.concerns) if self._editor and facts.plan else None
        amount = HowMuch(_joined(facts.mixture), note=mixture.note if mixture else "") if facts.mixture else None
        shared = self._compounds.shared(source.id, target.id) if target.id is not None else (0, [])
        return Suggestion(
            target.name,
            round(facts.candidate.probability, 4),
            rank,
            reasons(source.name, target.name, facts.candidate.evidence, shared),
            tuple(food.name for food in facts.candidate.foods[1:] if not facts.setting.guard.refusal_of(food.name)),
            round(facts.candidate.score, 3),
            amount or (self._how_much(facts.portion) if facts.portion else None),
            facts.verdicts,
            edit.changes if edit else (),
            (*hazard_notes(facts), *(self.permitted(edit.notes, [source.name]) if edit else ())),
            mixture,
        )

    def permitted(self, notes: Sequence[Note], sources: Sequence[str]) -> Iterator[Note]:
        """Leave out the notes that name a food which is against the limits, unless it is what goes."""
        names = "|".join(re.escape(name) for name in sources)
        # "Applesauce for egg: 1 egg = 1/4 cup applesauce", "without egg", "for 2 eggs at most": none puts an egg in.
        going = re.compile(
            rf"\b(?:for|without|instead of) (?:[\d/]+ )?(?:{names})s?\b|(?<=: )[\w/ ]*\b(?:{names})s? =", re.IGNORECASE
        )
        for note in notes:
            rest = going.sub("", note.text) if self._limits else note.text
            if self._limits.permitted(rest) == rest:
                yield note

    def _how_much(self, portion: Portion) -> HowMuch:
        note, method = self._limits.permitted(portion.note), self._limits.permitted(portion.method)
        return HowMuch(portion.text, portion.rule, note, method, portion.is_guess)

    def _mixture(self, mixture: MixtureRatio) -> Mixture:
        name = " + ".join(mixture.names)  # as `swap` takes it from a person
        parts = tuple(part.text for part in mixture.parts)
        return Mixture(name, parts, self._limits.permitted(mixture.note), worst_verdicts(mixture.names))


def hazard_notes(facts: SwapFacts) -> tuple[Note, ...]:
    """Put in words what to take care of."""
    return notes_of(facts.hazards, facts.source, facts.target.name)


def notes_of(hazards: Iterable[Hazard], source: str, target: str) -> tuple[Note, ...]:
    """Put hazards of a swap in words, each once."""
    return tuple(dict.fromkeys(Note("hazard", hazard.sentence(source, target)) for hazard in hazards))


def _joined(mixture: MixtureRatio) -> str:
    return " + ".join(part.text for part in mixture.parts)
