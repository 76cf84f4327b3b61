"""What a cook's question needs of a ranker: the candidates worth looking at, their chances, and what is known of each.

Our own ranker picks its candidates by evidence and scores them; any other scores all ingredients, and the best are
looked at. What is known of a pair (how many cooks made the swap, what the foods share) is the same whoever ranked it.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import sparse

from swapchef.rankers.base import Ranker
from swapchef.rankers.evidence import CANDIDATES, Evidence, Ids
from swapchef.rankers.fusion import Fusion
from swapchef.rankers.serial import Floats


@dataclass(frozen=True, eq=False)
class Shortlist:
    """The candidates of one query."""

    ids: Ids  # [k]
    log_chances: Floats  # [k], up to a constant
    features: Floats  # [k, len(FEATURES)]


class Shortlister(Protocol):
    """Answers one query at a time."""

    @property
    def evidence(self) -> Evidence:
        """What is known of pairs of ingredients."""

    def shortlist(self, source: int, context: Ids, extra: Ids) -> Shortlist:
        """Pick and score candidates for a source in a recipe, and some `extra` ones that are asked for."""


class ByEvidence:
    """Our own ranker."""

    def __init__(self, ranker: Fusion) -> None:
        self._ranker, self.evidence = ranker, ranker.evidence_

    def shortlist(self, source: int, context: Ids, extra: Ids) -> Shortlist:
        """Score the candidates that the evidence picks."""
        query = self.evidence.query(source, context, extra=extra)
        return Shortlist(query.ids, self._ranker.candidate_scores(source, context, query), query.features)


class ByScore:
    """Any other ranker, with our evidence to tell what is known of its candidates."""

    def __init__(self, ranker: Ranker, evidence: Evidence) -> None:
        self._ranker, self.evidence = ranker, evidence

    def shortlist(self, source: int, context: Ids, extra: Ids) -> Shortlist:
        """Take the candidates that the ranker scores best; none that it has nothing to say about."""
        row = np.ones(len(context), np.float32), context, np.array([0, len(context)])
        recipe = sparse.csr_array(row, shape=(1, self.evidence.n))
        log_chances = self._ranker.log_chances(self._ranker.score(np.array([source], np.int32), recipe)[0])
        log_chances[[source, *context]] = -np.inf
        best = np.argsort(-log_chances, kind="stable")[:CANDIDATES]
        ids = np.concatenate([best, np.setdiff1d(extra, best)]).astype(np.int32)
        ids = ids[np.isfinite(log_chances[ids])]
        return Shortlist(ids, log_chances[ids], self.evidence.features(source, context, ids))


def shortlister(ranker: Ranker, evidence: Evidence) -> Shortlister:
    """Return how a ranker answers a cook."""
    return ByEvidence(ranker) if isinstance(ranker, Fusion) else ByScore(ranker, evidence)
