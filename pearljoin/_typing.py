"""Types of arrays, tables and options that pass between modules."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

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

Pairs: TypeAlias = tuple[IntVector, IntVector]
"""int64 of shape (n_pairs,) each: left and right records."""

Conflicts: TypeAlias = Callable[[IntVector, IntVector], BoolVector]
"""Tells which pairs of records a veto column keeps apart."""

# Choices ------------------------------------------------------------------------------------------

How: TypeAlias = Literal["left", "inner", "right", "full", "semi", "anti"]
HowName: TypeAlias = Literal[How, "outer"]
"""What a user may write for `how`."""

Constraint: TypeAlias = Literal["many_to_one", "one_to_one", "many_to_many"]
ConstraintName: TypeAlias = Literal[Constraint, "m:1", "1:1", "m:m"]
"""What a user may write for `constraint`."""

Device: TypeAlias = Literal["auto", "cpu", "cuda"]

# Columns ------------------------------------------------------------------------------------------

Columns: TypeAlias = Hashable | Sequence[Hashable]
"""A column's name, or a list of names; a pandas column may be named by anything hashable."""

Weights: TypeAlias = Sequence[float] | NDArray[Any] | Mapping[Any, float]
"""Numbers by key column: in the order of the keys, or by name."""

# Tables, known by their methods: no dataframe library is imported for its types -------------------


class DataFrameLike(Protocol):
    """A pandas DataFrame, a polars DataFrame or LazyFrame, or a pyarrow Table."""

    @property
    def columns(self) -> Any:
        """Columns or their names."""
        ...

    def join(self, *args: Any, **kwargs: Any) -> Any:
        """Join another table."""
        ...


Frame = TypeVar("Frame", bound=DataFrameLike)
"""A table: what comes out is of the type that went in."""

FrameOut = TypeVar("FrameOut", covariant=True)


class ColumnLike(Protocol[FrameOut]):
    """A pandas or polars Series, or a pandas Index, whose table has the type `FrameOut`."""

    def to_frame(self, *args: Any, **kwargs: Any) -> FrameOut:
        """Make a table of the column."""
        ...


class ArrayLike(Protocol):
    """A numpy array or a pandas extension array."""

    @property
    def dtype(self) -> Any:
        """Type of the cells."""
        ...

    def __iter__(self) -> Iterator[Any]: ...


class ArrowColumnLike(Protocol):
    """A pyarrow Array or ChunkedArray."""

    def to_pylist(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Return the cells as Python values."""
        ...


PlainColumnLike: TypeAlias = Sequence[Any] | ArrayLike | ArrowColumnLike
"""Cells without a table: a join gives a table of an installed dataframe library."""

TableLike: TypeAlias = DataFrameLike | ColumnLike[Any] | PlainColumnLike
"""All that can be one side of a match."""

RowLike: TypeAlias = Mapping[Any, Any]
"""One row, by column; several are a list of these."""

if TYPE_CHECKING:
    # Type checkers know defaults of type variables; Python does from 3.13.
    from typing_extensions import TypeVar as DefaultTypeVar

    LeftTable = DefaultTypeVar("LeftTable", default=Any)
else:
    LeftTable = TypeVar("LeftTable")
