"""Names for the array and option types that pass between modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

FloatMatrix: TypeAlias = NDArray[np.float32]
"""float32 of shape (n_phrases, dim); from an encoder, rows have unit length."""

Vectors: TypeAlias = "FloatMatrix | csr_matrix"
"""float32 of shape (n, dim), unit rows: an array, or a sparse matrix of a wide vectoriser."""

FloatVector: TypeAlias = NDArray[np.float32]
"""float32 of shape (n,)."""

IntVector: TypeAlias = NDArray[np.int64]
"""int64 of shape (n,): row positions, codes or counts."""

BoolVector: TypeAlias = NDArray[np.bool_]
"""bool of shape (n,)."""

How: TypeAlias = Literal["left", "inner", "right", "full", "semi", "anti"]
Constraint: TypeAlias = Literal["many_to_one", "one_to_one", "many_to_many"]
