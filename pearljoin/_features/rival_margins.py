"""By how much a pair is ahead of its rivals: the other pairs of its left, and of its right record.

What a pair lacks says little by itself. It says much where a rival has it: "Pacific Cup" may be the
"Pacific Nations Cup", but not beside an "IRB Pacific Nations Cup".
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pearljoin._features.context import Groups
from pearljoin._parallel import processors, side_by_side
from pearljoin._typing import FloatMatrix, FloatVector

__all__ = ["COLUMN_LEADS", "COMPARED", "ROW_LEADS", "leads"]

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

_USUAL = {
    "cosine": 0.4,
    "centred": 0.3,
    "spelling": 0.15,
    "both": 0.275,
    "spelled": 0.3,
    "left_spelled": 0.3,
    "right_spelled": 0.3,
    "left_has": -0.5,
    "right_has": -0.5,
    "numbers": 0.0,
}
"""What a usual rival reaches at least, by measure: what the second best candidate of a row usually
does in the tables trained on."""

_BY_ROW = {
    "cosine_lead": "cosine",
    "centred_lead": "centred",
    "spelling_lead": "spelling",
    "words_lead": "spelled",
    "left_spelled_lead": "left_spelled",
    "right_spelled_lead": "right_spelled",
    "left_lacks_lead": "left_has",
    "right_lacks_lead": "right_has",
    "numbers_lead": "numbers",
}
_BY_COLUMN = {
    "column_lead": "both",
    "centred_column_lead": "centred",
    "left_spelled_column_lead": "left_spelled",
    "right_spelled_column_lead": "right_spelled",
    "numbers_column_lead": "numbers",
}
ROW_LEADS, COLUMN_LEADS = tuple(_BY_ROW), tuple(_BY_COLUMN)
"""Leads over rivals for left and for right records; above, the measure that each is of."""


def leads(
    evidence: Mapping[str, FloatVector], rows: Groups, columns: Groups | None = None
) -> FloatMatrix:
    """By how much pairs are ahead of the best other of their left record, and of their right one.

    A pair without a rival is measured by a usual one: by what second best candidates of left
    records reach, be it a rival for the left or for the right record.

    Parameters
    ----------
    evidence
        By the names in `COMPARED`: float32 of shape (n_pairs,) each.
    rows, columns
        The pairs by left and by right record. Without `columns`, no leads within right records.

    Returns
    -------
    leads
        float32 of shape (n_pairs, n_leads), columns as `ROW_LEADS` and then `COLUMN_LEADS`.
    """
    measures = _measures(evidence)
    wanted = [(measure, rows) for measure in _BY_ROW.values()]
    if columns is not None:
        wanted += [(measure, columns) for measure in _BY_COLUMN.values()]
    found = np.empty((len(evidence["cosine"]), len(wanted)), dtype=np.float32)

    def work_out(measure: str) -> None:
        values = measures[measure]
        usual = rows.usual_rival(values, _USUAL[measure])
        for place, (by, within) in enumerate(wanted):
            if by == measure:
                found[:, place] = within.lead(values, usual)

    for _ in side_by_side(work_out, sorted({measure for measure, _ in wanted}), processors()):
        pass
    return found


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
