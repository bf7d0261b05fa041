"""Right rows that several left rows share, and left rows without any candidate."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from pearljoin._comparison.comparison import Comparison
from pearljoin._matches import Matches
from pearljoin._records.missing_keys import NULL
from pearljoin._report.content import Group, Member, cleaned
from pearljoin._tables.cell_texts import cell_texts
from pearljoin._tables.read_table import Table
from pearljoin._typing import IntVector

__all__ = ["LonelyRows", "SharedRows", "rows_without_candidates", "shared_right_rows"]

MOST_GROUPS, MOST_MEMBERS, MOST_LONELY = 100, 12, 200
"""What a report lists at most."""


@dataclass(frozen=True)
class SharedRows:
    """Right rows that several left rows are matched with, and a sentence about them."""

    shown: Sequence[Group]
    text: str


@dataclass(frozen=True)
class LonelyRows:
    """Left rows without candidates: how many, some of them, and a sentence about them."""

    n_rows: int
    shown: Sequence[Member]
    text: str


def shared_right_rows(
    matches: Matches, comparison: Comparison, texts: Callable[[str, IntVector], list[str]]
) -> SharedRows:
    """List the right rows that have several different left keys, those with most first.

    Parameters
    ----------
    matches
        The matches.
    comparison
        What was compared.
    texts
        Function from a side and row positions to texts.
    """
    of_left = comparison.left.of_row[matches.left]
    n_left = max(1, comparison.left.n_records)
    distinct, first = np.unique(matches.right * n_left + of_left, return_index=True)
    right_rows, counts = np.unique(distinct // n_left, return_counts=True)
    several = np.flatnonzero(counts > 1)
    several = several[np.argsort(-counts[several], kind="stable")]
    groups = []
    for at in several[:MOST_GROUPS].tolist():
        row = int(right_rows[at])
        start = int(np.searchsorted(distinct, row * n_left))
        members = first[start : start + int(counts[at])]
        members = members[np.argsort(-matches.score[members], kind="stable")]
        some = members[:MOST_MEMBERS]
        listed = zip(texts("left", matches.left[some]), some.tolist(), strict=True)
        groups.append(
            Group(
                name=texts("right", np.array([row]))[0],
                n_text=f"{len(members):,} left keys",
                members=[
                    Member(text, f"score {matches.score[m]:.3f}, row {matches.left[m]}")
                    for text, m in listed
                ],
                more=len(members) - len(some),
            )
        )
    text = f"Right rows that several different left keys are matched with: {len(several):,}"
    text += (
        ", those with most of them first."
        if len(several) <= MOST_GROUPS
        else f", of which the {MOST_GROUPS} with most of them are listed."
    )
    return SharedRows(groups, text + " Many left rows on one right row are often wrong.")


def rows_without_candidates(
    comparison: Comparison, left: Table, names: Sequence[Hashable]
) -> LonelyRows:
    """List the left rows that were compared with nothing."""
    records = comparison.left
    has_candidate = np.zeros(records.n_records + 1, dtype=bool)
    for part in comparison.candidate_parts("many_to_one"):
        has_candidate[part.left] = True
    # The last place stands for rows with a null key, whose record is `NULL`, -1.
    lonely = np.flatnonzero(~has_candidate[records.of_row])
    n_null = int((records.of_row[lonely] == NULL).sum())
    with_key = lonely[records.of_row[lonely] != NULL][:MOST_LONELY]
    shown = [
        Member(cleaned(text), f"row {row}")
        for text, row in zip(cell_texts(left, names, with_key), with_key.tolist(), strict=True)
    ]
    text = (
        f"Left rows that were compared with no right row: {len(lonely):,}, of which {n_null:,} "
        "with a null key. For the others no right row agrees in the columns that must be equal."
    )
    return LonelyRows(len(lonely), shown, text)
