"""Matrix products that stay on the calling thread, whatever the number of BLAS threads is set to.

Above a fixed size OpenBLAS gives a product to its thread pool, whose threads spin while they wait: for the products of
a query, which take microseconds, that multiplies the processor time and saves next to none of the waiting. The number
of threads can only be set for the whole process, which belongs to the host program, so large products are cut into
blocks below that size.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

# Up to these sizes OpenBLAS works on the calling thread; some releases have raised the first.
_MATRIX_VECTOR = 9_215  # elements of the matrix; interface/gemv.c: 2304 * GEMM_MULTITHREAD_THRESHOLD (4), exclusive
_MATRIX_MATRIX = 262_144  # multiplications; interface/gemm.c: SMP_THRESHOLD_MIN (65536) * GEMM_MULTITHREAD_THRESHOLD
_ROWS_AT_ONCE = 16  # in the kernels of OpenBLAS: blocks of whole groups round as an uncut product does


def serial_matmul(left: Floats, right: Floats) -> Floats:
    """Return `left @ right` for a matrix [m, k] and a vector [k] or matrix [k, n], computed on the calling thread.

    For a vector on the left, transpose: `vector @ matrix` is `serial_matmul(matrix.T, vector)`.
    """
    rows = _rows_of_block(left, right)
    if rows < _ROWS_AT_ONCE and right.ndim == 2 and right.shape[1] > 1:  # too few to be quick: cut the right one too
        columns = max(1, _MATRIX_MATRIX // (_ROWS_AT_ONCE * max(1, len(right))))
        parts = [right[:, start : start + columns] for start in range(0, right.shape[1], columns)]
        if len(parts) > 1:
            return np.concatenate([serial_matmul(left, np.ascontiguousarray(part)) for part in parts], axis=1)
    if len(left) <= rows:
        return np.asarray(left @ right, np.float32)
    product = np.empty((len(left), *right.shape[1:]), np.float32)
    cut = len(left) // rows * rows
    # Splitting the first axis copies nothing, and NumPy calls BLAS once for each block.
    blocks = left[:cut].reshape(-1, rows, left.shape[1])  # [blocks, rows, k]
    np.matmul(blocks, right, out=product[:cut].reshape(-1, rows, *right.shape[1:]))
    if cut < len(left):
        np.matmul(left[cut:], right, out=product[cut:])
    return product


def _rows_of_block(left: Floats, right: Floats) -> int:
    """Return how many rows of the left matrix BLAS may be given at once."""
    is_vector = right.ndim == 1 or right.shape[1] == 1
    limit, size_of_row = (_MATRIX_VECTOR, left.shape[1]) if is_vector else (_MATRIX_MATRIX, right.size)
    rows = max(1, limit // max(1, size_of_row))
    return rows - rows % _ROWS_AT_ONCE if rows > _ROWS_AT_ONCE else rows
