"""By how much a pair is ahead of its rivals: the other pairs of its left, and of its right record.

What a pair lacks says little by itself. It says much where a rival has it: "Pacific Cup" may be the
"Pacific Nations Cup", but not beside an "IRB Pacific Nations Cup".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pearljoin._parallel import processors, side_by_side
from pearljoin._standing import Groups
from pearljoin._typing import FloatMatrix, FloatVector

__all__ = ["COLUMN_LEADS", "COMPARED", "ROW_LEADS", "column_leads", "row_leads"]

COMPARED = (
    "cosine",
    "centred",
    "ngrams",
    "words",
    "vector_known",
    "left_spelled",
    "right_spelled",
    "left_lacks",
    "right_lacks",
    "numbers_agree",
    "numbers_conflict",
)
"""The evidence that leads are worked out from."""


class _Lead(NamedTuple):
    """A lead by one of `_measures`.

    Attributes
    ----------
    by
        Which one.
    least
        What a usual rival reaches at least: what the second best candidate of a row usually does
        in the tables trained on.
    """

    by: str
    least: float


_ROW = {
    "cosine_lead": _Lead("cosine", 0.4),
    "centred_lead": _Lead("centred", 0.3),
    "spelling_lead": _Lead("spelling", 0.15),
    "words_lead": _Lead("spelled", 0.3),
    "left_spelled_lead": _Lead("left_spelled", 0.3),
    "right_spelled_lead": _Lead("right_spelled", 0.3),
    "left_lacks_lead": _Lead("left_has", -0.5),
    "right_lacks_lead": _Lead("right_has", -0.5),
    "numbers_lead": _Lead("numbers", 0.0),
}
_COLUMN = {
    "column_lead": _Lead("both", 0.275),
    "centred_column_lead": _Lead("centred", 0.3),
    "left_spelled_column_lead": _Lead("left_spelled", 0.3),
    "right_spelled_column_lead": _Lead("right_spelled", 0.3),
    "numbers_column_lead": _Lead("numbers", 0.0),
}
ROW_LEADS, COLUMN_LEADS = tuple(_ROW), tuple(_COLUMN)
"""What the columns of `row_leads` and of `column_leads` hold, in order."""


def row_leads(evidence: Mapping[str, FloatVector], rows: Groups) -> FloatMatrix:
    """By how much pairs are ahead of the best other of their left record.

    Parameters
    ----------
    evidence
        By the names in `COMPARED`: float32 of shape (n_pairs,) each.
    rows
        The pairs by left record.

    Returns
    -------
    leads
        float32 of shape (n_pairs, len(ROW_LEADS)).
    """
    return _leads(_ROW, evidence, rows, rows)


def column_leads(evidence: Mapping[str, FloatVector], rows: Groups, columns: Groups) -> FloatMatrix:
    """By how much pairs are ahead of the best other of their right record.

    A pair without a rival is measured by what rivals reach in left records, most of which have
    some.

    Parameters
    ----------
    evidence, rows
        As of `row_leads`.
    columns
        The pairs by right record.

    Returns
    -------
    leads
        float32 of shape (n_pairs, len(COLUMN_LEADS)).
    """
    return _leads(_COLUMN, evidence, rows, columns)


def _leads(
    wanted: Mapping[str, _Lead], evidence: Mapping[str, FloatVector], rows: Groups, within: Groups
) -> FloatMatrix:
    """Leads within groups, where what rivals reach in left records stands in for a rival."""
    measures = _measures(evidence)
    leads = np.empty((len(evidence["cosine"]), len(wanted)), dtype=np.float32)

    def lead(column: int) -> None:
        by, least = list(wanted.values())[column]
        leads[:, column] = within.lead(measures[by], rows.usual_rival(measures[by], least))

    for _ in side_by_side(lead, range(len(wanted)), processors()):
        pass
    return leads


def _measures(evidence: Mapping[str, FloatVector]) -> dict[str, FloatVector]:
    """What pairs are compared by: more is better."""
    known, cosine = evidence["vector_known"] > 0, evidence["cosine"]
    spelling = ((evidence["ngrams"] + evidence["words"]) / 2).astype(np.float32)
    meaning = np.where(known, np.maximum(cosine, 0), spelling)
    return {
        "cosine": cosine,
        "centred": np.where(known, evidence["centred"], spelling),
        "spelling": spelling,
        "spelled": np.sqrt(evidence["left_spelled"] * evidence["right_spelled"]),
        "both": ((meaning + spelling) / 2).astype(np.float32),
        "left_spelled": evidence["left_spelled"],
        "right_spelled": evidence["right_spelled"],
        "left_has": -evidence["left_lacks"],
        "right_has": -evidence["right_lacks"],
        "numbers": evidence["numbers_agree"] - evidence["numbers_conflict"],
    }
