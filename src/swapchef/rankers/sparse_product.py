"""A constant sparse matrix times what is learned: all of a graph network that is not a dense layer.

Torch multiplies CSR matrices quickly, but finds the gradient slowly or not at all; here it is the product with the
transpose, which is computed once.
"""

import warnings
from functools import cached_property
from typing import Any

import torch
from scipy import sparse
from torch import Tensor


class SparseMatrix:
    """A constant sparse matrix and, for gradients, its transpose, both as CSR."""

    def __init__(self, matrix: sparse.csr_array) -> None:
        self._matrix, self.shape = matrix, matrix.shape
        self.forward = _csr_tensor(matrix)

    @cached_property
    def transposed(self) -> Tensor:
        """The transpose, computed at the first backward pass."""
        return _csr_tensor(self._matrix.T.tocsr())

    def __matmul__(self, dense: Tensor) -> Tensor:
        product: Tensor = _Product.apply(self, dense)  # type: ignore[no-untyped-call]
        return product


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, matrix: SparseMatrix, dense: Tensor) -> Tensor:
        ctx.matrix = matrix
        return matrix.forward @ dense

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor]:
        return None, ctx.matrix.transposed @ gradients[0].contiguous()


def _csr_tensor(matrix: sparse.csr_array) -> Tensor:
    with warnings.catch_warnings():  # torch calls CSR "beta" at first use; what we need of it is tested
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        return torch.sparse_csr_tensor(
            torch.from_numpy(matrix.indptr.astype("int64")),
            torch.from_numpy(matrix.indices.astype("int64")),
            torch.from_numpy(matrix.data.astype("float32")),
            size=matrix.shape,
            check_invariants=False,
        )
