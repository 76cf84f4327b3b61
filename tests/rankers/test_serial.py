"""Blocked products equal plain ones, and a suggestion keeps to one thread although BLAS may use more."""

import os
import subprocess
import sys

import numpy as np
import pytest

from swapchef.rankers.serial import serial_matmul

BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")

SUGGEST = """
import time
from swapchef import Substituter, parse_recipe
recipe = parse_recipe("Pancakes\\n\\n1 cup flour\\n1 cup milk\\n2 eggs\\n1 tbsp sugar\\n2 tbsp butter\\n")
substituter = Substituter.load({ranker!r})
substituter.suggest("milk", recipe)
process, thread = time.process_time(), time.thread_time()
for _ in range(20):
    for name in ("flour", "milk", "eggs", "sugar", "butter"):
        substituter.suggest(name, recipe)
print((time.process_time() - process) / (time.thread_time() - thread))
"""


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((0, 5), (5,)),
        ((1, 5), (5,)),
        ((7, 0), (0,)),
        ((3000, 128), (128,)),
        ((3001, 128), (128,)),
        ((100, 20_000), (20_000,)),  # one row is above the limit already
        ((256, 64), (64, 64)),
        ((1000, 64), (64, 64)),
        ((300, 128), (128, 1)),
        ((300, 128), (128, 0)),
        ((5, 600), (600, 600)),
        ((100, 300), (300, 150)),  # cut on both sides
        ((33, 20_000), (20_000, 3)),  # a column of the right one is above the limit already
    ],
)
def test_it_equals_a_plain_product(left: tuple[int, int], right: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal(left, np.float32), rng.standard_normal(right, np.float32)
    expected = a.astype(np.float64) @ b.astype(np.float64)
    for matrix in (a, np.asfortranarray(a)):
        product = serial_matmul(matrix, b)
        assert product.dtype == np.float32
        assert product.shape == expected.shape
        np.testing.assert_allclose(product, expected, atol=1e-4 * max(1.0, left[1] ** 0.5))


def test_a_vector_on_the_left_is_a_transposed_matrix() -> None:
    rng = np.random.default_rng(1)
    vector, matrix = rng.standard_normal(17, np.float32), rng.standard_normal((17, 6000), np.float32)
    np.testing.assert_allclose(serial_matmul(matrix.T, vector), vector @ matrix, atol=1e-5)


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core has no use for a second BLAS thread")
@pytest.mark.parametrize("ranker", ["fusion", "gismo"])
def test_suggestions_keep_to_the_calling_thread_where_blas_may_use_all_cores(ranker: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in BLAS_THREADS}
    done = subprocess.run(
        [sys.executable, "-c", SUGGEST.format(ranker=ranker)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert (
        float(done.stdout) < 1.3
    )  # processor time of all threads for that of the calling one; 2.0 with two BLAS threads
