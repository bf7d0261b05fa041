"""Weights by rank of idf, as they ship or were learned, for texts of any length."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pearljoin._errors import InputError
from pearljoin._typing import FloatVector, IntVector

__all__ = ["RankWeights"]

LEARNED_FILE = Path(__file__).with_name("learned_weights.json")


@dataclass(frozen=True)
class RankWeights:
    """A weight for each rank of a text's words, the word of highest idf first.

    Attributes
    ----------
    values
        float64 of shape (n_max,): the weights learned, for texts of `n_max` words.
    """

    values: NDArray[np.float64]

    @classmethod
    def load(cls, source: str | Path | ArrayLike) -> RankWeights:
        """Take weights from an array, a name, or a JSON file.

        Parameters
        ----------
        source
            Numbers; the name of a shipped set (``"names"``, ``"text"``); or the path of a
            file that ``python -m pearljoin_train word-weights`` wrote.

        Raises
        ------
        InputError
            If there is no such set or file, or what it holds is not one row of finite numbers.
        """
        values = np.asarray(_read(source) if isinstance(source, str | Path) else source)
        if values.ndim != 1 or not len(values) or values.dtype.kind not in "iuf":
            raise InputError(
                f"Rank weights must be one row of numbers. Got shape {values.shape} of "
                f"{values.dtype}. Hint: pass a list with one weight a rank, the highest idf first."
            )
        # Beyond float32, in which vectors are, is as good as infinite.
        if not (np.abs(values) <= np.finfo(np.float32).max).all() or not values.any():
            raise InputError(
                f"Rank weights must be finite and not all zero. Got {values.tolist()}. "
                "Hint: leave `weights` out to use those that ship with the package."
            )
        return cls(values.astype(np.float64))

    def at(self, rank: IntVector, length: IntVector) -> FloatVector:
        """Interpolate the weight of words in texts of any length (equations 12 to 14).

        Parameters
        ----------
        rank
            int64 of shape (n,): place of each word in its text by idf, from 0.
        length
            int64 of shape (n,): number of words of that text, above `rank`.

        Returns
        -------
        weights
            float32 of shape (n,).

        Notes
        -----
        Rank j of m words stands at ``1 + (j - 1)(n_max - 1) / (m - 1)`` among the learned
        weights, and takes the value on the straight line between the two next to it. (Equation
        13 as printed adds the slope to the *upper* weight, which would leave the interval; the
        lower one is meant.) The first and last word take the first and last weight, the only
        word of a text the first. Texts longer than `n_max` are interpolated just so.

        Examples
        --------
        >>> weights = RankWeights.load([1.0, 0.5, 0.0])
        >>> weights.at(np.array([0, 1, 2, 3, 4]), np.full(5, 5)).tolist()
        [1.0, 0.75, 0.5, 0.25, 0.0]
        """
        place = rank * ((len(self.values) - 1) / np.maximum(length - 1, 1))
        found = np.interp(place, np.arange(len(self.values)), self.values)
        return found.astype(np.float32)


def _read(source: str | Path) -> ArrayLike:
    shipped = json.loads(LEARNED_FILE.read_text(encoding="utf-8"))
    if isinstance(source, str) and source in shipped:
        return np.array(shipped[source]["weights"], dtype=np.float64)
    try:
        found = json.loads(Path(source).read_text(encoding="utf-8"))
        return np.array(found["weights"], dtype=np.float64)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"No rank weights could be read. Got {str(source)!r} ({error!r}). Hint: use one of "
            f"{sorted(shipped)}, a list of numbers, or a JSON file with a list named 'weights'."
        ) from error
