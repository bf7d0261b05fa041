"""Times of day as on a clock beside a reference's columns of digits that are times as well."""

from __future__ import annotations

from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.day_times import are_padded_times, are_times
from pearljoin._kinds.fillers import is_filler
from pearljoin._tables.columns import Cells, present_cells

__all__ = ["are_clocks_beside_digits"]


def are_clocks_beside_digits(left: Cells, right: Cells) -> bool:
    """Tell whether a left column holds times such as "09:45", and a right one such as "0945".

    By themselves, the digits are codes.
    """
    times = _texts(left)
    # Asked of every column of codes, most of which the first value decides.
    if not times or not are_times(times[:1]) or not are_times(times):
        return False
    return are_padded_times(_texts(right))


def _texts(cells: Cells) -> list[str]:
    """Distinct values as written, but for those that stand for none."""
    texts = cell_texts(list({*present_cells(cells)}))
    return sorted(text for text in texts if text is not None and not is_filler(text))
