"""How a join was made, as pairs of a name and a value."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import isnan

from pearljoin._comparison.comparison import Comparison
from pearljoin._decision.blocking_recall import estimate_blocking_recall
from pearljoin._decision.calibration_summary import summarise
from pearljoin._decision.thresholds import FixedThreshold, PrecisionTarget, Threshold
from pearljoin._labelled_threshold import LabelledThreshold
from pearljoin._match_log import keys_text
from pearljoin._options import MatchOptions
from pearljoin._report.content import cleaned, percent
from pearljoin._tables.keys import Keys
from pearljoin._typing import Constraint, FloatVector

__all__ = [
    "caveat",
    "histogram_text",
    "how_matched",
    "how_to_read_steps",
    "keys_heading",
    "measured_text",
    "quality_figures",
    "rule_text",
    "source_of_figures",
]

CONSTRAINTS = {
    "many_to_one": "many to one: a left row has at most one right row",
    "one_to_one": "one to one: no row is used twice",
    "many_to_many": "many to many: every pair above the threshold",
}


def histogram_text(counted: str, *left_out: tuple[str, int]) -> str:
    """Say what a histogram of scores counts, and what of it has no bar.

    Parameters
    ----------
    counted
        What is counted, and how many there are.
    left_out
        What has no bar, and how many there are; what there is none of is not named.

    Examples
    --------
    >>> text = histogram_text("3 rows", ("rows with equal keys", 1), ("without a candidate", 0))
    >>> text.partition(" The dashed line")[0]
    'All 3 rows are counted. Not drawn: rows with equal keys (1).'
    """
    named = "; ".join(f"{what} ({n:,})" for what, n in left_out if n)
    not_drawn = f" Not drawn: {named}." if named else ""
    return f"All {counted} are counted.{not_drawn} The dashed line is the threshold in force."


def how_matched(
    keys: Keys, comparison: Comparison, options: MatchOptions, threshold: float
) -> list[tuple[str, str]]:
    """List how two tables were matched: keys, threshold, scores, calibration.

    Parameters
    ----------
    keys, comparison, options
        Of the match result.
    threshold
        The lowest score of a match, in [0, 1].
    """
    left, right = comparison.left, comparison.right
    kinds = tuple(field.shown_kind for field in right.fields)
    learned = summarise(comparison.reference, comparison.state, threshold, kinds)
    scores = "probabilities of a match" if comparison.calibrated else "similarities"
    facts = [
        ("Left table", f"{left.n_rows:,} rows, {left.n_records:,} distinct"),
        ("Right table", f"{right.n_rows:,} rows, {right.n_records:,} distinct"),
        ("Keys and kinds", cleaned(keys_text(keys, comparison))),
        ("Constraint", CONSTRAINTS[options.constraint]),
        ("Threshold", f"{threshold:.4f}, {rule_text(options.threshold)}"),
        ("Scores", scores),
        (
            "Calibrated on",
            f"{learned.n_left:,} distinct left rows" if learned.n_left else "the right table",
        ),
    ]
    if learned.match_rate is not None:
        share = f"{percent(learned.match_rate)} of the left rows"
        facts.append(("Expected answers", f"{share}, before any is decided"))
    found = estimate_blocking_recall(comparison, options.constraint)
    if not isnan(found):
        facts.append(("Blocking recall", f"{percent(found)} of the true matches, estimated"))
    if (learned.slope, learned.shift) != (1.0, 0.0):
        shift = f"{learned.slope:.2f} × log odds {learned.shift:+.2f}"
        facts.append(("Calibration", f"{shift}, frozen since"))
    return facts


def how_to_read_steps(unit: str) -> str:
    """Say how a waterfall is read.

    Parameters
    ----------
    unit
        Of its steps: log odds, or score where scores are similarities.
    """
    text = (
        "Each bar is one kind of evidence and begins where the one above it ended: to the right, "
        "it speaks for the pair; to the left, against it. The last bar is their sum"
    )
    if unit == "log odds":
        return (
            f"{text}, the log odds of the score: 0 is as likely as not, and +0.7 doubles the odds."
        )
    return f"{text}, the score."


def quality_figures(
    expected: Mapping[str, float | None], rule: Threshold, scores: FloatVector, of: str = ""
) -> list[tuple[str, str, str]]:
    """List precision and recall as figures: measured by labels, or expected.

    Parameters
    ----------
    expected
        Precision and recall at the threshold in force, None where they are not known.
    rule
        How the threshold was chosen.
    scores
        Of what was found, in [0, 1].
    of
        What they are shares of, for the hint.

    Returns
    -------
    figures
        Name, value and hint of each.
    """
    is_labelled = isinstance(rule, LabelledThreshold)
    source = f"{of}from the {'labels' if is_labelled else 'scores'}"
    figures = {
        name: (f"expected {name}", percent(share), source)
        for name in ("precision", "recall")
        if (share := expected[name]) is not None
    }
    if (found := _measured(rule, scores)) is not None:
        mean, low, high, n_labels = found
        hint = f"{low} to {high}, from {n_labels} labels"
        figures = {"precision": ("measured precision", mean, hint)} | {
            name: figure for name, figure in figures.items() if name != "precision"
        }
    return list(figures.values())


def measured_text(rule: Threshold, scores: FloatVector, of: str) -> str:
    """Say which precision labels measured; empty without labels.

    Parameters
    ----------
    rule, scores
        As of `quality_figures`.
    of
        What the precision is a share of.
    """
    if (found := _measured(rule, scores)) is None:
        return ""
    mean, low, high, n_labels = found
    return (
        f"Measured on {n_labels} labelled pairs: {mean} of {of} are right, with 95 % probability "
        f"between {low} and {high}."
    )


def _measured(rule: Threshold, scores: FloatVector) -> tuple[str, str, str, int] | None:
    """Precision by labels, the ends of its interval, and the number of labels."""
    if not isinstance(rule, LabelledThreshold) or not len(scores):
        return None
    low, high = rule.interval(scores)
    mean = float(rule.probability(scores).mean())
    return percent(mean), percent(low), percent(high), rule.n_labels


def source_of_figures(rule: Threshold) -> str:
    """Say what expected precision and recall are estimated from."""
    if isinstance(rule, LabelledThreshold):
        return "Expected figures are means of the scores as the labels corrected them"
    return "Expected figures are means of the scores, as nobody has looked at the pairs"


def caveat(constraint: Constraint, calibrated: bool, rule: Threshold) -> str:
    """Say what the figures by threshold leave out."""
    parts = []
    if calibrated:
        counts = "recall counts the answers among the candidates only."
        parts.append(f"{source_of_figures(rule)}; {counts}")
    if constraint == "one_to_one":
        parts.append("At other thresholds the assignment is taken to be that at threshold 0.")
    return " ".join(parts)


def keys_heading(side: str, names: Sequence[Hashable]) -> str:
    """Name a side with its key columns.

    Examples
    --------
    >>> keys_heading("Left", ("name", "city"))
    'Left: name | city'
    """
    return cleaned(f"{side}: {' | '.join(map(str, names))}")


def rule_text(rule: object) -> str:
    """Say where a threshold comes from."""
    if isinstance(rule, FixedThreshold):
        return "as given"
    if isinstance(rule, PrecisionTarget):
        return f"chosen without labels for a precision of {rule.precision:g}"
    if isinstance(rule, LabelledThreshold):
        return f"from {rule.n_labels} labelled pairs, for a precision of {rule.precision:g}"
    return f"chosen by {type(rule).__name__}"
