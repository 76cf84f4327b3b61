"""Every ranker under one contract; `RANKERS` is the list that the command line and the tests go through."""

from swapchef.errors import UnknownNameError
from swapchef.rankers.base import Ranker
from swapchef.rankers.statistics import LT, Freq, FreqAsPublished, LTFreq, Mode, RandomRanker

RANKERS: dict[str, type[Ranker]] = {kind.name: kind for kind in (RandomRanker, Mode, LT, Freq, FreqAsPublished, LTFreq)}

__all__ = ["RANKERS", "Ranker", "make_ranker"]


def make_ranker(name: str, seed: int = 0) -> Ranker:
    """Make an untrained ranker by its name."""
    if name.lower() not in RANKERS:
        raise UnknownNameError("ranker", name, tuple(RANKERS))
    kind = RANKERS[name.lower()]
    return RandomRanker(seed) if kind is RandomRanker else kind()
