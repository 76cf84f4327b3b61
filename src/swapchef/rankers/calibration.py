"""Scores made into chances that mean what they say: one temperature, fitted on val (Guo et al., 2017)."""

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from swapchef.rankers.serial import Floats


def best_temperature(scores: Floats, ids: npt.NDArray[np.int32], targets: npt.NDArray[np.int64]) -> float:
    """Return the temperature that maximises the likelihood of the targets."""
    is_target = ids == targets[:, None]
    has_target = is_target.any(axis=1)
    if not has_target.any():
        return 1.0
    scores, is_target = scores[has_target].astype(np.float64), is_target[has_target]

    def loss(temperature: float) -> float:
        scaled = scores / temperature
        top = scaled.max(axis=1, keepdims=True)
        total = np.log(np.exp(scaled - top).sum(axis=1)) + top[:, 0]
        return float(np.mean(total - np.where(is_target, scaled, -np.inf).max(axis=1)))

    return float(minimize_scalar(loss, bounds=(0.3, 3.0), method="bounded").x)
