"""Comparison of categories: one of a few values, and short forms of them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.protocol import (
    Comparer,
    Kind,
    Levels,
    Parsed,
    Values,
    Within,
    read_each,
    text_array,
)
from pearljoin._kinds.spelling import common_beginning, lengths
from pearljoin._text.normalise import mend, normalise
from pearljoin._typing import IntVector

__all__ = ["CategoryComparer"]


class CategoryComparer(Comparer[Parsed]):
    """Compares categories: equal after normalisation, or one the beginning of the other.

    The short form is for "M" beside "male" and "Mass" beside "Massachusetts". How much an agreement
    in a common value says (term frequency) is for the caller to count, on `Parsed.canonical`.

    Splink has the exact level, with term frequencies.
    """

    kind: ClassVar[Kind] = "category"
    levels: ClassVar[tuple[str, ...]] = ("different", "short form", "equal")

    def read(self, values: Values) -> Parsed:
        """Read categories.

        Examples
        --------
        >>> CategoryComparer().read(["Très bien", True, None]).canonical
        array(['tres bien', 'true', None], dtype=object)
        """
        found, n_unparsable = read_each(cell_texts(values), lambda text: normalise(mend(text)))
        return Parsed(text_array(found), n_unparsable)

    def _compare_unequal(
        self, left: Parsed, right: Parsed, left_at: IntVector, right_at: IntVector
    ) -> tuple[Levels, Within]:
        texts = left.canonical[left_at], right.canonical[right_at]
        shorter, longer = lengths(*texts)
        begins = common_beginning(*texts) == shorter
        return begins.astype(np.int8), np.where(begins, shorter / longer, 0.0)
