"""What a matcher says of itself: in one line, in a notebook, and of its calibration."""

from __future__ import annotations

from pearljoin._decision.calibration_summary import CalibrationSummary, summarise
from pearljoin._decision.score_distribution import TableScores
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._match_log import fitted_text
from pearljoin._notebook.card import card

__all__ = ["calibration_of", "matcher_card", "matcher_text"]


def matcher_text(call: str, fitted: FittedTable | None) -> str:
    """Write a matcher in one line.

    Parameters
    ----------
    call
        How it was made.
    fitted
        Its reference; None before `fit`.
    """
    if fitted is None:
        return call
    n_left, chosen = fitted.learned().n_left, fitted.source.chosen
    return fitted_text(call, fitted.right.n_rows, fitted.names, n_left, chosen)


def matcher_card(call: str, fitted: FittedTable | None) -> str:
    """Return what a notebook shows of a matcher; the parameters are those of `matcher_text`."""
    if fitted is None:
        return card(call, [("reference", "not fitted yet")])
    n_left, names = fitted.learned().n_left, fitted.names
    columns = {"keys": names.keys, "by": names.by, "veto": names.veto}
    facts = [(what, ", ".join(map(str, some))) for what, some in columns.items() if some]
    facts.insert(0, ("reference rows", f"{fitted.right.n_rows:,}"))
    if fitted.source.chosen:
        facts.append(("encoder", fitted.source.chosen))
    facts.append(("calibrated on", f"{n_left:,} left rows" if n_left else "the reference alone"))
    return card(call, facts)


def calibration_of(fitted: FittedTable) -> CalibrationSummary:
    """Summarise what was learned of a reference, with the threshold that is chosen for it."""
    learned, options = fitted.learned(), fitted.options
    reference, state = learned.reference, learned.state
    scores = TableScores(reference, state, options.constraint, options.k)
    threshold = options.threshold.choose(scores)
    return summarise(reference, state, threshold, fitted.frozen_kinds.keys)
