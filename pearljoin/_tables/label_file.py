"""Files of labelled pairs, as the review page of a report downloads them."""

from __future__ import annotations

import csv
from os import PathLike
from typing import NamedTuple

import numpy as np

from pearljoin._atomic import as_path
from pearljoin._errors import InputError
from pearljoin._typing import FloatVector, IntVector

__all__ = ["LabelledPairs", "read_label_file"]

LABELS = {
    **dict.fromkeys(("y", "yes", "true", "1", "match", "same"), True),
    **dict.fromkeys(("n", "no", "false", "0", "different"), False),
    **dict.fromkeys(("u", "unsure", ""), None),
}
"""What a label may be called, in any case; None: not sure."""

LARGEST_ROW = np.iinfo(np.int64).max

COLUMNS = ("left_row", "right_row", "score", "label")


class LabelledPairs(NamedTuple):
    """Labelled pairs of row positions, without those that nobody was sure of.

    Attributes
    ----------
    left_row, right_row
        int64 of shape (n_pairs,).
    score
        float32 of shape (n_pairs,), in [0, 1].
    label
        Whether each pair is right.
    left_text, right_text
        Their keys, as the report showed them; empty where the file has none.
    """

    left_row: IntVector
    right_row: IntVector
    score: FloatVector
    label: list[bool]
    left_text: list[str]
    right_text: list[str]


def read_label_file(path: str | PathLike[str]) -> LabelledPairs:
    """Read a CSV file with the columns ``left_row``, ``right_row``, ``score`` and ``label``.

    Parameters
    ----------
    path
        The file, in UTF-8. Semicolons may part its cells, and decimal commas stand in its scores,
        as spreadsheets of some countries write them.

    Raises
    ------
    InputError
        If it cannot be read, a column is missing, or a cell is not understood.
    """
    name = repr(str(place := as_path(path, "file of labels")))
    try:
        with open(place, encoding="utf-8-sig", newline="") as file:
            heading = file.readline()
            file.seek(0)
            reader = csv.DictReader(file, delimiter=";" if heading.count(";") > 2 else ",")
            missing = [c for c in COLUMNS if c not in (reader.fieldnames or ())]
            if missing:
                raise InputError(
                    f"{name} is no file of labels. Got columns {reader.fieldnames or []!r}, "
                    f"without {missing[0]!r}. Hint: the review page of a report downloads one."
                )
            read = [_read(row, name, line) for line, row in enumerate(reader, 2)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"The labels cannot be read. Got {name}: {error}. Hint: give the CSV file that the "
            "review page of a report downloaded."
        ) from error
    known = [cells for cells in read if cells is not None]
    left, right, score, label, left_text, right_text = (
        zip(*known, strict=True) if known else [()] * 6
    )
    return LabelledPairs(
        np.array(left, dtype=np.int64),
        np.array(right, dtype=np.int64),
        np.array(score, dtype=np.float32),
        list(label),
        list(left_text),
        list(right_text),
    )


def _read(
    row: dict[str, str | None], name: str, line: int
) -> tuple[int, int, float, bool, str, str] | None:
    """A line's row positions, score, label and texts; None where nobody was sure."""
    if row["label"] is None:
        raise InputError(
            f"A line in {name} ends before its label. Got line {line}. Hint: download the labels "
            "again, or remove the line."
        )
    given = row["label"].strip().lower()
    if given not in LABELS:
        raise InputError(
            f"A label in {name} is not understood. Got {row['label']!r} in line {line}. Hint: y, n "
            "or u (unsure, which is left out)."
        )
    label = LABELS[given]
    if label is None:
        return None
    try:
        left, right, score = (
            int(row["left_row"] or ""),
            int(row["right_row"] or ""),
            float((row["score"] or "").replace(",", ".")),
        )
    except ValueError:
        raise InputError(
            f"A labelled pair in {name} has no row numbers or no score. Got line {line}. Hint: "
            "leave these columns as they were downloaded."
        ) from None
    if not (0 <= score <= 1 and 0 <= left <= LARGEST_ROW and 0 <= right <= LARGEST_ROW):
        raise InputError(
            f"A labelled pair in {name} is not in the tables. Got rows {left} and {right} with "
            f"score {score} in line {line}. Hint: leave these columns as they were downloaded."
        )
    return left, right, score, label, row.get("left") or "", row.get("right") or ""
