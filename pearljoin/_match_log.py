"""What is said of a match, in the log and as its `repr`: keys and kinds, threshold, matches."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Hashable

import numpy as np

from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.groups import shares_no_group
from pearljoin._decision.blocking_recall import estimate_blocking_recall
from pearljoin._decision.doubles import group_doubles
from pearljoin._decision.thresholds import LEAST_PROBABILITY, PrecisionTarget, Threshold
from pearljoin._errors import NoMatchWarning, caller_stacklevel
from pearljoin._matches import Matches
from pearljoin._progress import LOG
from pearljoin._records.missing_keys import NULL
from pearljoin._scoring.packed_candidates import best_of_parts
from pearljoin._tables.cells import shown
from pearljoin._tables.keys import NOT_COMPARED, ColumnNames, Keys, field_names, key_columns
from pearljoin._tables.read_table import Table
from pearljoin._tables.time_zones import zone_note
from pearljoin._typing import Constraint

__all__ = ["MatchLog", "fitted_text", "keys_text", "result_text", "share_text"]


SHOWN = 3
"""Scores that a warning shows."""


class MatchLog:
    """Writes the line of one match once: another threshold for the same result is no new match.

    Parameters
    ----------
    left, right, keys, comparison
        What was compared.
    warns
        Whether to warn where nothing matches: two tables are joined in the belief that something
        does, while a service that looks up a name may well be told that there is none.
    """

    def __init__(
        self, left: Table, right: Table, keys: Keys, comparison: Comparison, *, warns: bool
    ) -> None:
        self._tables = left, right
        self._keys = keys
        self._comparison = comparison
        self._warns = warns
        self._written = False

    def write_once(
        self, threshold: float, constraint: Constraint, matches: Matches, rule: Threshold
    ) -> None:
        """Log what was matched, at INFO; a left table without rows, at DEBUG.

        Parameters
        ----------
        threshold, constraint, matches
            What was decided.
        rule
            What chose the threshold.
        """
        if self._written:
            return
        self._written = True
        n_rows, blocked = self._comparison.left.n_rows, ""
        if LOG.isEnabledFor(logging.INFO) and n_rows:
            recall = estimate_blocking_recall(self._comparison, constraint)
            blocked = "" if np.isnan(recall) else f"; blocking recall about {100 * recall:.1f} %"
        doubled = {row for group in group_doubles(self._comparison) for row in group[1:]}
        if doubled:
            blocked += f"; {len(doubled):,} right rows taken for doubles of others"
        # FuzzyJoiner.fit joins no rows, to learn the names of the columns.
        LOG.log(
            logging.INFO if n_rows else logging.DEBUG,
            "matched on %s: threshold %.3f, %s, %s%s",
            keys_text(self._keys, self._comparison),
            threshold,
            constraint,
            share_text(len(np.unique(matches.left)), n_rows, "left rows matched"),
            blocked,
        )
        if self._warns and not len(matches):
            self._warn(threshold, rule)

    def _warn(self, threshold: float, rule: Threshold) -> None:
        """Say how near the best candidates came, if there are any."""
        parts = self._comparison.candidate_parts("many_to_one")
        best = np.sort(best_of_parts(parts).score)[::-1][:SHOWN]
        if not len(best):
            self._warn_of_none_compared()
            return
        # As many digits as tell the best score and the threshold apart.
        digits = next((n for n in range(2, 9) if f"{best[0]:.{n}g}" != f"{threshold:.{n}g}"), 9)
        warnings.warn(
            "No left row has a match. Got best scores of "
            f"{', '.join(f'{s:.{digits}g}' for s in best)}, "
            f"below the threshold of {threshold:.{digits}g}. Hint: match(...).explain(row) tells "
            f"what speaks against a pair; threshold= takes a lower score{_lower_aim(rule)}.",
            NoMatchWarning,
            stacklevel=caller_stacklevel(),
        )

    def _warn_of_none_compared(self) -> None:
        """Say that the exact-match columns leave nothing; no keys on a side need no warning."""
        sides = self._comparison.left, self._comparison.right
        if not all(side.n_records for side in sides):
            return
        names = self._keys.left_veto, self._keys.right_veto
        why, rule = "a conflict in the veto columns of every near pair", "may not conflict"
        if shares_no_group(self._comparison):
            names = self._keys.left_by, self._keys.right_by
            left, right = self._examples()
            why = f"no value in both tables, such as {left} on the left and {right} on the right"
            rule = "must be equal"
        elif not names[0]:
            return
        hint = "write the values alike in both tables"
        if zones := zone_note(*self._tables, *names):
            why, hint = zones, "give the times of both tables a zone, or take it from both"
        warnings.warn(
            f"No left row has a match. Got {why}, where {list(names[0])!r} {rule}. Hint: {hint}, "
            "or let the column be a key alone: then it is compared.",
            NoMatchWarning,
            stacklevel=caller_stacklevel(),
        )

    def _examples(self) -> list[str]:
        """The first values of the exact-match columns of both tables, as they are written."""
        found = []
        sides = self._comparison.left, self._comparison.right
        names = self._keys.left_by, self._keys.right_by
        for table, side, by in zip(self._tables, sides, names, strict=True):
            assert side.groups is not None
            row = int(np.flatnonzero(side.groups.codes != NULL)[0])
            cells = [table.columns[name].cell(row) for name in by]
            found.append(" | ".join(repr(c) if isinstance(c, str) else shown(c) for c in cells))
        return found


def _lower_aim(rule: Threshold) -> str:
    """What else lets more match: nothing where a number was given, or no lower aim is heard."""
    if not isinstance(rule, PrecisionTarget) or rule.precision <= LEAST_PROBABILITY:
        return ""
    why = ", which certain matches alone reach" if rule.precision == 1 else ""
    return f", and precision= a lower aim than {rule.precision:g}{why}"


def result_text(
    keys: Keys,
    comparison: Comparison,
    constraint: Constraint,
    threshold: float | None,
    matches: Matches | None,
) -> str:
    """Write a result in one line; threshold and matches are None where not computed yet."""
    rows = f"{comparison.left.n_rows:,} left rows against {comparison.right.n_rows:,}"
    lowest = "" if threshold is None else f", threshold {threshold:.4g}"
    n = -1 if matches is None else len(matches)
    found = "matches not yet chosen" if n < 0 else f"{n:,} match{'' if n == 1 else 'es'}"
    return f"<MatchResult: {rows} on {keys_text(keys, comparison)}; {constraint}{lowest}, {found}>"


def fitted_text(
    call: str, n_rows: int, names: ColumnNames, n_left: int = 0, chosen: str | None = None
) -> str:
    """Write a matcher in one line: how it was made, its reference, rows it was calibrated on.

    Parameters
    ----------
    call
        How it was made.
    n_rows, names
        Rows of the reference, and its columns that are compared.
    n_left
        Left rows that it was calibrated on.
    chosen
        The encoder that ``encoder="auto"`` meant; None for another one.
    """
    parts = {"on": names.keys, "by": names.by, "veto": names.veto}
    columns = [f"{what} {', '.join(map(str, some))}" for what, some in parts.items() if some]
    known = f", calibrated on {n_left:,} left rows" if n_left else ""
    encoder = f", encoded by {chosen}" if chosen else ""
    return f"<{call}: {n_rows:,} reference rows {'; '.join(columns)}{encoder}{known}>"


def keys_text(keys: Keys, comparison: Comparison) -> str:
    """Name the columns that were compared, with the kinds of the key columns."""
    fields = comparison.right.fields
    names = field_names(keys.left, fields), field_names(keys.right, fields)
    listed = [
        f"{_pair_text(left, right)} ({keys.kinds[columns[0]]})"
        for left, right, columns in zip(*names, key_columns(fields), strict=True)
    ]
    listed += [
        f"{_pair_text(left, right)} ({kind})"
        for left, right, kind in zip(keys.left, keys.right, keys.kinds, strict=False)
        if kind.startswith(NOT_COMPARED)
    ]
    text = ", ".join(listed) + (", guessed" if keys.guessed else "")
    if keys.left_by:
        text += f"; by {_pairs_text(keys.left_by, keys.right_by)}"
    if keys.left_veto:
        text += f"; veto {_pairs_text(keys.left_veto, keys.right_veto)}"
    return text


def share_text(n: int, n_rows: int, what: str) -> str:
    """Write a share as ``"380 of 454 left rows matched (83.7 %)"``."""
    share = f" ({100 * n / n_rows:.1f} %)" if n_rows else ""
    return f"{n:,} of {n_rows:,} {what}{share}"


def _pairs_text(left: tuple[Hashable, ...], right: tuple[Hashable, ...]) -> str:
    return ", ".join(_pair_text(*pair) for pair in zip(left, right, strict=True))


def _pair_text(left: Hashable, right: Hashable) -> str:
    return str(left) if left == right else f"{left} = {right}"
