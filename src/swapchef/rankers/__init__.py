"""Every ranker under one contract; `RANKERS` is the list that the command line and the tests go through."""

from pathlib import Path

from swapchef.errors import DataError, UnknownNameError
from swapchef.rankers.base import Ranker, saved_name
from swapchef.rankers.embeddings import Food2Vec, Metapath2Vec, Node2Vec, PublishedMetapath2Vec
from swapchef.rankers.foodbert import FoodBERT
from swapchef.rankers.fusion import Fusion
from swapchef.rankers.gismo_ranker import GISMoRanker
from swapchef.rankers.pinsage import PinSAGE
from swapchef.rankers.relation import RFoodBERT
from swapchef.rankers.statistics import LT, Freq, FreqAsPublished, LTFreq, Mode, RandomRanker

_STATISTICS: tuple[type[Ranker], ...] = (RandomRanker, Mode, LT, Freq, FreqAsPublished, LTFreq)
_TEXT: tuple[type[Ranker], ...] = (Food2Vec, FoodBERT, RFoodBERT)
_GRAPH: tuple[type[Ranker], ...] = (Node2Vec, Metapath2Vec, PublishedMetapath2Vec, PinSAGE)
_OURS: tuple[type[Ranker], ...] = (GISMoRanker, Fusion)
RANKERS = {kind.name: kind for kind in _STATISTICS + _TEXT + _GRAPH + _OURS}  # in the order of the paper's table

STATISTICS = tuple(kind.name for kind in _STATISTICS)

__all__ = ["RANKERS", "STATISTICS", "Ranker", "load_ranker", "make_ranker", "ranker_class"]


def ranker_class(name: str) -> type[Ranker]:
    """Return the ranker of a name."""
    if name.lower() not in RANKERS:
        raise UnknownNameError("ranker", name, tuple(RANKERS))
    return RANKERS[name.lower()]


def make_ranker(name: str, **settings: object) -> Ranker:
    """Make an untrained ranker by its name."""
    try:
        return ranker_class(name)(**settings)
    except TypeError:
        raise DataError(f"{name} has no such settings: {', '.join(settings)}; see `swapchef train --help`.") from None


def load_ranker(folder: Path) -> Ranker:
    """Load a trained ranker of any kind from its run folder."""
    return ranker_class(saved_name(folder)).load(folder)
