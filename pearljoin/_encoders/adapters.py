"""Encoders made of a user's object, scikit-learn vectoriser or function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse, vstack

from pearljoin._encoders.protocol import Encoder
from pearljoin._encoders.unit_vectors import checked_vectors
from pearljoin._errors import InputError
from pearljoin._typing import BoolVector, Vectors

_PROBE = ("pearljoin",)


class AdaptedEncoder:
    """Encoder that calls a function from texts to vectors.

    Every output is checked (a finite matrix, a row a phrase, always the same width) and scaled to
    unit rows. Sparse output is made dense if it has at most 8,192 columns, and stays sparse if it
    has more.

    Parameters
    ----------
    function
        Takes a list of str, gives a matrix: an array, a scipy sparse matrix, a tensor or a list.
    source
        Name of the function for errors.
    batch_size
        Phrases a call; None: all.

    Raises
    ------
    InputError
        If its output for one phrase is not one vector.

    Examples
    --------
    >>> encoder = AdaptedEncoder(lambda texts: [[len(t), 1.0] for t in texts], source="mine")
    >>> encoder.dim, encoder.encode(["abc"]).round(2).tolist()
    (2, [[0.949999988079071, 0.3199999928474426]])
    """

    fallback_threshold: float | None = None
    scorer: bytes | None = None
    """The match scorer that the user's object has, as JSON."""

    def __init__(
        self, function: Callable[[list[str]], Any], *, source: str, batch_size: int | None = None
    ) -> None:
        self._function = function
        self._source = source
        self._batch_size = batch_size
        probed = self._call(list(_PROBE), dim=None)
        self._dim = int(probed.shape[1])
        self.sparse = bool(issparse(probed))
        """Whether `encode` returns a sparse matrix."""

    @property
    def dim(self) -> int:
        """Number of columns that `encode` returns."""
        return self._dim

    def __repr__(self) -> str:
        return f"AdaptedEncoder({self._source}, dim={self._dim})"

    def encode(self, phrases: Sequence[str]) -> Vectors:
        """Encode phrases.

        Parameters
        ----------
        phrases
            Any strings.

        Returns
        -------
        vectors
            float32 of shape (n_phrases, dim), rows of unit length or all zero: an array, or where
            `sparse` a scipy CSR matrix.

        Raises
        ------
        InputError
            If the function gives anything but one finite vector of `dim` numbers a phrase.
        """
        step = self._batch_size or max(1, len(phrases))
        batches = (
            self._call(list(phrases[start : start + step]), dim=self._dim)
            for start in range(0, len(phrases), step)
        )
        if self.sparse:
            none = csr_matrix(np.zeros((0, self._dim), dtype=np.float32))
            return csr_matrix(vstack([none, *map(csr_matrix, batches)]))
        vectors = np.zeros((len(phrases), self._dim), dtype=np.float32)
        for number, batch in enumerate(batches):
            dense = batch.toarray() if issparse(batch) else batch
            vectors[number * step : (number + 1) * step] = dense
        return vectors

    def _call(self, phrases: list[str], *, dim: int | None) -> Vectors:
        output = self._function(phrases)
        return checked_vectors(output, n_phrases=len(phrases), dim=dim, source=self._source)


class CoveringEncoder(AdaptedEncoder):
    """Encoder that calls a user's object, which also has `covers`."""

    def __init__(
        self,
        function: Callable[[list[str]], Any],
        covers: Callable[[list[str]], Any],
        *,
        source: str,
        batch_size: int | None = None,
    ) -> None:
        super().__init__(function, source=source, batch_size=batch_size)
        self._covers = covers

    def covers(self, phrases: Sequence[str]) -> BoolVector:
        """Return where the vector represents the whole text: bool of shape (n_phrases,)."""
        covered = np.asarray(self._covers(list(phrases)), dtype=bool)
        if covered.shape != (len(phrases),):
            raise InputError(
                f"covers() must give one truth value a phrase. Got shape {covered.shape} for "
                f"{len(phrases)} phrases."
            )
        return covered


def adapt(
    spec: Any, *, corpus: Sequence[str] = (), batch_size: int | None = None
) -> Encoder | AdaptedEncoder:
    """Make an encoder of an object, a scikit-learn vectoriser or a function.

    Parameters
    ----------
    spec
        An object with ``encode``, one with ``transform``, or a callable.
    corpus
        Texts to fit an unfitted vectoriser on; the one given is left as it is, a clone is fitted.
    batch_size
        Phrases a call; None: all.

    Returns
    -------
    encoder
        One that always gives dense vectors, or an `AdaptedEncoder`.

    Raises
    ------
    InputError
        If it is none of these, is a class, or gives no vectors.
    """
    kind = type(spec).__name__
    if isinstance(spec, type):
        raise InputError(
            f"encoder must be an object, not a class. Got the class {spec.__name__}. "
            f"Hint: make one: encoder={spec.__name__}(...)."
        )
    if callable(getattr(spec, "fit", None)) and callable(getattr(spec, "transform", None)):
        spec = _fitted(spec, corpus)
    if callable(getattr(spec, "encode", None)):
        if _is_our_own(spec):
            return spec  # type: ignore[no-any-return]
        source = f"{kind}.encode"
        adapted = AdaptedEncoder(spec.encode, source=source, batch_size=batch_size)
        if callable(getattr(spec, "covers", None)):
            adapted = CoveringEncoder(
                spec.encode, spec.covers, source=source, batch_size=batch_size
            )
        adapted.scorer = getattr(spec, "scorer", None)
        return adapted
    if callable(getattr(spec, "transform", None)):
        return AdaptedEncoder(spec.transform, source=f"{kind}.transform", batch_size=batch_size)
    if callable(spec):
        name = getattr(spec, "__name__", kind)
        return AdaptedEncoder(spec, source=f"encoder function {name}", batch_size=batch_size)
    raise InputError(
        f"encoder must be a name, a folder, a hub id, an object with encode or transform, or a "
        f"function. Got {kind}. Hint: leave it out."
    )


def _is_our_own(spec: Any) -> bool:
    """Whether it is one of pearljoin's encoders, whose output needs no check."""
    return type(spec).__module__.startswith("pearljoin.")


def _fitted(spec: Any, corpus: Sequence[str]) -> Any:
    """Return the transformer itself if it is fitted, else a clone fitted on the corpus."""
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    kind = type(spec).__name__
    try:
        check_is_fitted(spec)
        return spec
    except NotFittedError:
        pass
    except TypeError:  # not a scikit-learn estimator, only shaped like one
        return spec
    try:
        copy = clone(spec)
    except TypeError as error:
        raise InputError(
            f"The unfitted {kind} cannot be cloned. Got {error}. "
            "Hint: fit it on your texts before passing it."
        ) from error
    if not len(corpus):
        raise InputError(
            f"The {kind} is not fitted, and there is no text to fit it on. Got an empty corpus. "
            "Hint: fit it before passing it."
        )
    try:
        return copy.fit(list(corpus))
    except ValueError as error:
        raise InputError(
            f"The {kind} cannot be fitted on the texts. Got {error}. Hint: it must take a list of "
            "str; TfidfVectorizer(analyzer='char_wb', ngram_range=(2, 4)) does."
        ) from error
