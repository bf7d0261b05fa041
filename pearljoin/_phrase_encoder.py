"""PhraseEncoder: a text column to a matrix of phrase vectors, as a scikit-learn transformer."""

from __future__ import annotations

import numbers
import os
import warnings
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.extmath import randomized_svd

from pearljoin._encoders import Encoder, load_encoder
from pearljoin._errors import InputError, ModelError, PearljoinWarning, caller_stacklevel
from pearljoin._plots.phrases import plot_phrases
from pearljoin._records.missing_keys import NULL
from pearljoin._sklearn import TextTransformer, numbered_names
from pearljoin._tables.argument_hints import OF_ENCODERS, with_hints
from pearljoin._tables.text_column import TextColumn, read_text_column
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PhraseEncoder"]

WIDEST_EXACT = 2_048
"""Columns up to which principal axes are computed exactly rather than by random projection."""


class PhraseEncoder(TextTransformer):
    """Encode a text column as phrase vectors.

    Each distinct text is encoded once. It takes one column: in a ``ColumnTransformer`` use one
    encoder a column; skrub's ``TableVectorizer(high_cardinality=PhraseEncoder())`` does so itself.

    Parameters
    ----------
    model
        The encoder: a bundled name, a model folder, a hub id, an object with ``encode``, a
        scikit-learn vectoriser of at most 8,192 columns or a function; see `load_encoder`.
        `sklearn.base.clone` shares it.
    n_components
        Number of columns wanted: vectors are projected on that many principal axes of the distinct
        texts given to `fit`, each of which counts once. None keeps the vectors as they are.
    batch_size
        Phrases encoded at once; None picks it. It changes the speed and nothing else.
    device
        Where to encode: ``"auto"``, ``"cpu"`` or ``"cuda"``, as in `load_encoder`.
    random_state
        Seed of the random projection that finds the axes of vectors of more than 2,048 columns;
        with fewer, as those of all bundled models, the axes are exact and need none.
    verbose
        A progress bar: False never, None on a terminal once it takes a few seconds, True always.

    Attributes
    ----------
    n_components_
        Number of columns that `transform` gives.
    mean_
        float32 of shape (dim,): the distinct texts' mean vector. None without `n_components`.
    components_
        float32 of shape (``n_components_``, dim): the axes, orthonormal rows. None without
        `n_components`.
    n_features_in_
        1.
    feature_names_in_
        The column's name, if it has one; not set otherwise.

    Notes
    -----
    - Nulls, empty and blank texts give rows of zeros. All others are of unit length when
      `n_components` is None.
    - There are no more axes than distinct texts or columns of the vectors. Where `n_components`
      asks for more, there is a `PearljoinWarning` and there are fewer columns.
    - Numbers beside text in one column are read as text; a column of numbers alone is refused.
    - A pickle holds no weights: a model given by name is loaded again when it is first needed.

    Examples
    --------
    >>> import numpy as np
    >>> names = ["The New York Times", "New York Post", None]
    >>> vectors = PhraseEncoder().fit_transform(names)
    >>> vectors.shape, np.linalg.norm(vectors, axis=1).round(3).tolist()
    ((3, 576), [1.0, 1.0, 0.0])

    With names, as a frame:

    >>> import pandas as pd
    >>> encoder = PhraseEncoder(n_components=2).set_output(transform="pandas")
    >>> encoder.fit_transform(pd.DataFrame({"paper": names})).columns.tolist()
    ['paper_0', 'paper_1']
    """

    # Tells skrub to hand over one column at a time, a clone for each.
    __single_column_transformer__ = True

    _fitted_attribute = "n_components_"

    @with_hints(OF_ENCODERS)
    def __init__(
        self,
        model: Any = "default",
        n_components: int | None = None,
        batch_size: int | None = None,
        device: str = "auto",
        random_state: Any = None,
        verbose: bool | None = False,
    ) -> None:
        self.model = model
        self.n_components = n_components
        self.batch_size = batch_size
        self.device = device
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> PhraseEncoder:
        """Load the model and, where `n_components` is set, find the axes.

        Parameters
        ----------
        X
            One text column: a pandas, polars or Arrow column, a frame of one column, an array or
            a list.
        y
            Ignored.

        Returns
        -------
        self
            This encoder.

        Raises
        ------
        InputError
            If `X` is not one column of text, or an option has a value that it cannot have.
        TableTypeError
            If `X` is of a kind that is not read.
        ModelError, MissingExtraError
            If the model cannot be loaded.
        """
        values, _ = self._start(X)
        if self.n_components is not None:
            self._find_axes(self._encoder.encode(values))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> FloatMatrix:
        """Fit and transform, encoding once.

        Parameters
        ----------
        X, y
            As in `fit`.

        Returns
        -------
        vectors
            As from `transform`.
        """
        values, codes = self._start(X)
        vectors = self._encoder.encode(values)
        if self.n_components is not None:
            self._find_axes(vectors)
        return _spread(self._project(vectors), codes)

    def transform(self, X: Any) -> FloatMatrix:
        """Encode a column.

        Parameters
        ----------
        X
            One text column, as in `fit`; a frame's column must have the name it had there.

        Returns
        -------
        vectors
            float32 of shape (n_rows, ``n_components_``), or a frame after `set_output`.

        Raises
        ------
        NotFittedError
            If `fit` was not called.
        InputError, TableTypeError
            As in `fit`.
        """
        self._check_fitted()
        column = read_text_column(X)
        self._check_name(column)
        values, codes = _distinct_texts(column)
        return _spread(self._project(self._get_encoder().encode(values)), codes)

    def plot_phrases(
        self, X: Any, labels: Sequence[Hashable] | None = None, ax: Axes | None = None
    ) -> Axes:
        """Draw phrases as points, near one another where their vectors are, by t-SNE.

        Parameters
        ----------
        X
            One text column, as in `fit`, of at least 4 distinct texts; each is drawn once.
        labels
            A group of each row, which has a colour. Default: one group.
        ax
            matplotlib axes to draw on, which are returned. Default: those of a new figure.

        Raises
        ------
        InputError, MissingExtraError
            If there are too few texts or labels, or no matplotlib.
        """
        self._check_fitted()
        values, codes = _distinct_texts(read_text_column(X))
        if len(values) < 4:
            raise InputError(f"A map of phrases needs at least 4 of them. Got {len(values)}.")
        if labels is not None and len(labels) != len(codes):
            raise InputError(
                f"There must be a label for each row. Got {len(labels)} for {len(codes)} rows."
            )
        there, first = np.unique(codes, return_index=True)
        listed = None if labels is None else list(labels)
        groups = listed and [listed[at] for at in first[there != NULL].tolist()]
        vectors = self._project(self._get_encoder().encode(values))
        return plot_phrases(vectors, values, groups, ax)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Name the columns of the result ``<column>_<i>``.

        Parameters
        ----------
        input_features
            The column's name, in a list, for a column that had none at `fit`.

        Returns
        -------
        names
            Array of str of shape (``n_components_``,). A column without a name is called after the
            encoder.

        Raises
        ------
        InputError
            If `input_features` is not one name, or not the name seen at `fit`.
        """
        self._check_fitted()
        name = self._column_name
        if input_features is not None:
            given = list(input_features)
            known = getattr(self, "feature_names_in_", None)
            if len(given) != 1 or (known is not None and given != list(known)):
                raise InputError(
                    f"input_features must be the one column's name. Got {given!r}. "
                    f"Hint: leave it out{'' if known is None else f', or give {list(known)!r}'}."
                )
            name = given[0]
        prefix = type(self).__name__.lower() if name is None else name
        return numbered_names(prefix, self.n_components_)

    def _start(self, X: Any) -> tuple[list[str], IntVector]:
        """Check the options, load the model; return distinct texts and codes of `X`."""
        wanted = _read_n_components(self.n_components)
        column = read_text_column(X)
        values, codes = _distinct_texts(column)
        if wanted is not None and not values:
            raise InputError(
                f"n_components={wanted} needs texts to find axes from. Got a column of "
                f"{len(codes)} rows without any. Hint: fit on a column with text, or leave "
                "n_components= out."
            )
        self._encoder = self._load(values)
        self._dim = self.n_components_ = self._encoder.dim
        self.mean_: FloatVector | None = None
        self.components_: FloatMatrix | None = None
        self.n_features_in_ = 1
        self._column_name = column.name
        if isinstance(column.name, str):
            self.feature_names_in_ = np.array([column.name], dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return values, codes

    def _load(self, corpus: list[str]) -> Encoder:
        encoder = load_encoder(
            self.model,
            corpus=corpus,
            device=self.device,
            batch_size=self.batch_size,
            verbose=self.verbose,
        )
        if getattr(encoder, "sparse", False):
            raise InputError(
                "PhraseEncoder gives dense vectors, and the model gives sparse ones with too many "
                f"columns for that. Got {encoder.dim:,} columns. Hint: put "
                "sklearn.decomposition.TruncatedSVD(256) behind it in a Pipeline."
            )
        return encoder

    def _get_encoder(self) -> Encoder:
        """The loaded model; loaded again after unpickling."""
        if not hasattr(self, "_encoder"):
            encoder = self._load([])
            if encoder.dim != self._dim:
                raise ModelError(
                    f"The model {self.model!r} is not the one that was fitted: its vectors have "
                    f"other lengths. Got {encoder.dim} columns, {self._dim} at fit. "
                    "Hint: bring the model of then back, or fit again."
                )
            self._encoder = encoder
        return self._encoder

    def _find_axes(self, vectors: FloatMatrix) -> None:
        wanted = int(self.n_components)  # type: ignore[arg-type]
        most = min(vectors.shape)
        if wanted > most:
            warnings.warn(
                f"There are fewer axes than asked for. Got n_components={wanted} for "
                f"{vectors.shape[0]} distinct texts and vectors of {vectors.shape[1]} columns: "
                f"{most} are kept. Hint: fit on more texts, or lower n_components=.",
                PearljoinWarning,
                stacklevel=caller_stacklevel(),
            )
        self.mean_ = vectors.mean(axis=0)
        self.components_ = _principal_axes(
            vectors - self.mean_, min(wanted, most), self.random_state
        )
        self.n_components_ = len(self.components_)

    def _project(self, vectors: FloatMatrix) -> FloatMatrix:
        if self.components_ is None or self.mean_ is None:
            return vectors
        return np.asarray((vectors - self.mean_) @ self.components_.T, dtype=np.float32)

    def _check_name(self, column: TextColumn) -> None:
        """Refuse a frame whose column has another name than at `fit`."""
        known = getattr(self, "feature_names_in_", None)
        framed = column.framed and isinstance(column.name, str)
        if known is not None and framed and column.name != known[0]:
            raise InputError(
                f"The column is not the one that was fitted. Got {column.name!r}, fitted on "
                f"{known[0]!r}. Hint: rename it, or give the column itself, not a frame."
            )

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if isinstance(self.model, str | os.PathLike):
            state.pop("_encoder", None)
        return state


def _distinct_texts(column: TextColumn) -> tuple[list[str], IntVector]:
    """Distinct texts by first appearance, and each row's code: a position or `NULL`."""
    if column.kind not in (None, "text"):
        raise InputError(
            f"PhraseEncoder takes text. Got a column of {column.kind}s, "
            f"{'text' if column.name is None else str(column.name)!r}. "
            "Hint: leave it to another transformer, or turn it into text with astype(str)."
        )
    return column.distinct()


def _read_n_components(given: Any) -> int | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, numbers.Integral) or given < 1:
        raise InputError(
            f"n_components must be a whole number above 0, or None. Got {given!r}. "
            "Hint: None keeps the model's vectors as they are."
        )
    return int(given)


def _spread(vectors: FloatMatrix, codes: IntVector) -> FloatMatrix:
    """Give each row the vector of its value: float32 of shape (n_rows, dim), zeros for nulls."""
    rows = np.zeros((len(codes), vectors.shape[1]), dtype=np.float32)
    there = codes != NULL
    rows[there] = vectors[codes[there]]
    return rows


def _principal_axes(centred: FloatMatrix, n_axes: int, random_state: Any) -> FloatMatrix:
    """Return the directions of most variance: float32 of shape (n_axes, dim), orthonormal rows."""
    n_texts, dim = centred.shape
    if dim > WIDEST_EXACT:
        _, _, axes = randomized_svd(centred, n_axes, random_state=random_state)
    elif n_texts < dim:
        _, _, axes = np.linalg.svd(centred.astype(np.float64), full_matrices=False)
    else:
        # The eigenvectors of the covariance are the same axes, from a dim by dim matrix.
        _, columns = np.linalg.eigh((centred.T @ centred).astype(np.float64))
        axes = columns[:, ::-1].T
    axes = axes[:n_axes]
    # Either sign of an axis is as good: the largest entry is made positive, so it never changes.
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1)
    return np.asarray(axes * np.where(largest < 0, -1, 1), dtype=np.float32)
