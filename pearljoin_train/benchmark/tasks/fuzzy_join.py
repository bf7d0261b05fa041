"""Fuzzy join: the 50 AutoFJ tables, top-1 accuracy (Li et al. 2021; paper, appendix A.1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pearljoin_train.benchmark.tasks.base import Encoder, Metrics, Ranker
from pearljoin_train.benchmark.tasks.nearest import nearest_exact
from pearljoin_train.data import manifest
from pearljoin_train.data.autofj import AutoFJTable, load_table

__all__ = ["FuzzyJoin", "load"]


@dataclass(frozen=True)
class FuzzyJoin:
    """Find the reference title of each query title.

    Examples
    --------
    >>> table = AutoFJTable("Toy", ("London", "Paris"), ("0", "1"), ("Paris (city)",), ("7",),
    ...                     (("1", "7"),))
    >>> class Last:
    ...     def nearest(self, queries, reference):
    ...         return np.full(len(queries), len(reference) - 1)
    >>> FuzzyJoin([table]).evaluate(Last())
    {'top1': 1.0, 'n_tables': 1}
    """

    tables: Sequence[AutoFJTable]

    def evaluate(self, encoder: Encoder | Ranker) -> Metrics:
        """Return ``top1``, the mean over the tables of their accuracies."""
        accuracies = [accuracy(table, encoder) for table in self.tables]
        return {"top1": float(np.mean(accuracies)), "n_tables": len(self.tables)}


def accuracy(table: AutoFJTable, encoder: Encoder | Ranker) -> float:
    """Return the share of query rows whose nearest reference title is right.

    Notes
    -----
    Rows count, not distinct titles. Rows without a match are left out, as in the published
    evaluation: this measure does not ask for rejection. Titles are compared, so a reference
    title that occurs twice is right wherever it is found.
    """
    answers = table.answers
    queries = [title for title in table.queries if title in answers]
    if isinstance(encoder, Ranker):
        positions = encoder.nearest(queries, table.reference)
    else:
        positions = nearest_exact(encoder.encode(queries), encoder.encode(table.reference))
    right = [
        table.reference[position] in answers[query]
        for position, query in zip(positions, queries, strict=True)
    ]
    return float(np.mean(right))


def load(folder: Path | None = None) -> FuzzyJoin:
    """Read the 50 published tables; one that is missing is an error, never left out."""
    published = sorted({path.split("/")[1] for path in manifest() if path.startswith("autofj/")})
    return FuzzyJoin([load_table(name, folder) for name in published])
