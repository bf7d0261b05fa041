"""Distinct texts as they are compared: normalised, without their brackets, and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix, vstack

from pearljoin._search import tfidf
from pearljoin._text.normalise import mend, normalise, split_brackets
from pearljoin._typing import IntVector

__all__ = ["TextForms", "forms_beside"]


@dataclass(frozen=True, eq=False)
class TextForms:
    """What is computed of each text by itself.

    Attributes
    ----------
    normal
        The texts, normalised.
    brackets
        The part of each text in brackets, normalised; "" without brackets.
    bare
        The part outside brackets, normalised; the whole text where that part is empty.
    n_before_comma
        Words before the only comma of each text; 0 where there is none, or more than one.
    counts
        Sparse counts of n-grams and words, of shape (n_texts, n_columns).
    """

    normal: list[str]
    brackets: list[str]
    bare: list[str]
    n_before_comma: list[int]
    counts: csr_matrix

    @classmethod
    def of(cls, texts: Sequence[str]) -> TextForms:
        """Compute the forms of texts."""
        mended = [mend(text) for text in texts]
        normal = [normalise(text) for text in mended]
        parts = [split_brackets(text) for text in mended]
        brackets = [normalise(inside) if inside else "" for _, inside in parts]
        bare = [
            (normalise(outside) or whole) if inside else whole
            for (outside, inside), whole in zip(parts, normal, strict=True)
        ]
        n_before_comma = [
            len(normalise(text.partition(",")[0]).split()) if text.count(",") == 1 else 0
            for text in mended
        ]
        return cls(normal, brackets, bare, n_before_comma, tfidf.count(normal))

    def take(self, rows: IntVector) -> TextForms:
        """Return those of some texts, in that order."""
        some = rows.tolist()
        return TextForms(
            [self.normal[row] for row in some],
            [self.brackets[row] for row in some],
            [self.bare[row] for row in some],
            [self.n_before_comma[row] for row in some],
            self.counts[rows],
        )

    def followed_by(self, others: TextForms) -> TextForms:
        """Return these and then others."""
        return TextForms(
            self.normal + others.normal,
            self.brackets + others.brackets,
            self.bare + others.bare,
            self.n_before_comma + others.n_before_comma,
            csr_matrix(vstack([self.counts, others.counts])),
        )


def forms_beside(texts: list[str], known: TextForms, source: IntVector) -> TextForms:
    """Return the forms of texts, some of which are known.

    Parameters
    ----------
    texts
        The texts.
    known
        Forms of other texts, and of some of these.
    source
        int64 of shape (n_texts,): where each text is among the known ones, -1 where it is not.
    """
    fresh = source < 0
    if fresh.all():
        return TextForms.of(texts)
    new = TextForms.of([texts[row] for row in np.flatnonzero(fresh).tolist()])
    kept = source[~fresh]
    # Where texts are added to a million, these stay as they are.
    are_all = np.array_equal(kept, np.arange(len(known.normal)))
    found = (known if are_all else known.take(kept)).followed_by(new)
    # The known ones come first there, and then the new ones.
    order = np.concatenate([np.flatnonzero(~fresh), np.flatnonzero(fresh)])
    return found if (np.diff(order) > 0).all() else found.take(np.argsort(order))
