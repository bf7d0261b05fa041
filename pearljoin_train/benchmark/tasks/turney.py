"""Turney: the word closest to a two-word phrase (Turney 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pearljoin_train.benchmark.tasks.base import Encoder, Metrics, read_rows

__all__ = ["Turney", "load"]

FIELDS = 8


@dataclass(frozen=True)
class Turney:
    """Choose the word that means what the phrase means.

    Examples
    --------
    >>> task = Turney([("double star", ("binary", "dual", "lumen"))])
    >>> task.questions[0][1][0]
    'binary'
    """

    questions: Sequence[tuple[str, tuple[str, ...]]]
    """(phrase, choices): the solution is the first choice."""

    def evaluate(self, encoder: Encoder) -> Metrics:
        """Return ``accuracy``: how often the solution's similarity is the highest, ties included.

        Notes
        -----
        A tie goes to the solution, which stands first, as in the published evaluation.
        """
        correct = 0
        phrases = encoder.encode([phrase for phrase, _ in self.questions])
        choices = encoder.encode([choice for _, choices in self.questions for choice in choices])
        end = 0
        for query, (_, words) in zip(phrases, self.questions, strict=True):
            start, end = end, end + len(words)
            correct += int(np.argmax(choices[start:end] @ query) == 0)
        return {"accuracy": correct / len(self.questions), "n": len(self.questions)}


def load(folder: Path | None = None) -> Turney:
    """Read the set from the data folder.

    Notes
    -----
    The third and fourth fields are the two words of the phrase itself. As in the paper's
    evaluation they are no choices, which leaves the solution and four others.
    """
    rows = read_rows("pearl_benchmark/turney/turney.txt", folder, separator=" | ", width=FIELDS)
    return Turney([(row[0], (row[1], *row[4:])) for row in rows])
