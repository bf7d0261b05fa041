"""The forms of a large column's texts as arrays of a saved matcher, and back.

To compute those of half a million texts takes ten seconds, to read them half a second.
"""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._fitted.saved_arrays import Arrays, take_sparse, take_whole
from pearljoin._records.text_forms import TextForms
from pearljoin._search.tfidf import N_COLUMNS
from pearljoin._search.vectors import to_arrays
from pearljoin._version import __version__

__all__ = ["MANY_TEXTS", "forms_arrays", "forms_version", "read_forms"]

MANY_TEXTS = 10_000
"""Texts of a column from which their forms are saved."""

SAMPLED = 64
"""Texts whose forms are computed again when they are read: all of them are, unless these agree."""


def forms_version() -> str:
    """What forms depend on beside their texts: this library's code, and Unicode's tables."""
    return f"{__version__}, Unicode {unicodedata.unidata_version}"


def forms_arrays(forms: TextForms, at: int) -> dict[str, NDArray[Any]]:
    """Return the arrays in which the forms of a column are saved, by name.

    Parameters
    ----------
    forms
        The forms.
    at
        Position of the column.
    """
    bracketed = [row for row, inside in enumerate(forms.brackets) if inside]
    return {
        f"normal_{at}": _joined(forms.normal),
        f"bracketed_{at}": np.array(bracketed, dtype=np.int64),
        f"brackets_{at}": _joined([forms.brackets[row] for row in bracketed]),
        f"bare_{at}": _joined([forms.bare[row] for row in bracketed]),
        f"before_comma_{at}": np.array(forms.n_before_comma, dtype=np.int32),
        **to_arrays(forms.counts, f"counts_{at}"),
    }


def read_forms(arrays: Arrays, at: int, texts: list[str]) -> TextForms | None:
    """Read the forms of a column.

    Parameters
    ----------
    arrays
        The arrays of the saved matcher.
    at
        Position of the column.
    texts
        Its texts.

    Returns
    -------
    forms
        None where none were saved, or where those of some texts are others now.

    Raises
    ------
    ValueError
        If they are not those of as many texts.
    """
    if f"normal_{at}" not in arrays:
        return None
    n_texts = len(texts)
    normal = _split(arrays[f"normal_{at}"], n_texts)
    rows = take_whole(arrays, f"bracketed_{at}", (None,), most=n_texts - 1).tolist()
    brackets, bare = [""] * n_texts, normal.copy()
    for listed, name in ((brackets, "brackets"), (bare, "bare")):
        for row, text in zip(rows, _split(arrays[f"{name}_{at}"], len(rows)), strict=True):
            listed[row] = text
    n_before_comma = take_whole(arrays, f"before_comma_{at}", (n_texts,)).tolist()
    counts = take_sparse(arrays, f"counts_{at}", (n_texts, N_COLUMNS), least=1)
    forms = TextForms(normal, brackets, bare, n_before_comma, counts)
    return forms if _are_those_of(forms, texts) else None


def _are_those_of(forms: TextForms, texts: list[str]) -> bool:
    """Whether some of the forms are those of their texts."""
    some = np.unique(np.linspace(0, len(texts) - 1, SAMPLED).astype(np.int64))
    saved, fresh = forms.take(some), TextForms.of([texts[row] for row in some.tolist()])
    listed = ((one.normal, one.brackets, one.bare, one.n_before_comma) for one in (saved, fresh))
    differ = abs(saved.counts.astype(np.int64) - fresh.counts.astype(np.int64))
    return next(listed) == next(listed) and differ.sum() == 0


def _joined(texts: list[str]) -> NDArray[np.uint8]:
    """Normalised texts, which have no line breaks, one after the other."""
    return np.frombuffer("\n".join(texts).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def _split(joined: NDArray[Any], n_texts: int) -> list[str]:
    """Take texts apart again; raises ValueError if they are not so many."""
    if joined.dtype != np.uint8 or joined.ndim != 1:
        raise ValueError("normalised texts are not readable")
    texts = joined.tobytes().decode("utf-8", "surrogatepass").split("\n") if n_texts else []
    if len(texts) != n_texts:
        raise ValueError(f"it has {len(texts)} normalised texts of {n_texts}")
    return texts
