"""pearljoin's joins and duplicates, with the seconds of the stages."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from typing import Any

import pandas as pd

import pearljoin as pj

STAGE = re.compile(r"^(\w+): (\d+\.\d+) s$")


class _Stages(logging.Handler):
    """Adds up the seconds that the log says of each stage."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def emit(self, record: logging.LogRecord) -> None:
        found = STAGE.match(record.getMessage())
        if found:
            self.seconds[found[1]] += float(found[2])


def answer(
    left: list[Any], reference: list[Any], encoder: str, task: str
) -> tuple[list[int], dict[str, float]]:
    """Do what a user does, once."""
    log, stages = logging.getLogger("pearljoin"), _Stages()
    log.addHandler(stages)
    log.setLevel(logging.DEBUG)
    rows = TASKS[task](left, reference, encoder)
    return rows, {name: round(seconds, 3) for name, seconds in stages.seconds.items()}


def _match_names(left: list[str], reference: list[str], encoder: str) -> list[int]:
    """Each row's best name, whatever its score."""
    result = pj.match(left, reference, encoder=encoder, verbose=False)
    return _rows(result.matches(threshold=0.0), len(left))


def _match_records(left: list[Any], reference: list[Any], encoder: str) -> list[int]:
    """Each row's match at the default threshold."""
    tables = pd.DataFrame(left), pd.DataFrame(reference)
    result = pj.match(*tables, on=list(tables[1]), encoder=encoder, verbose=False)
    return _rows(result.matches(), len(left))


def _rows(found: pj.Matches, n_left: int) -> list[int]:
    rows = [-1] * n_left
    for at, row in zip(found.left.tolist(), found.right.tolist(), strict=True):
        rows[at] = row
    return rows


def _find_duplicates(left: list[str], reference: list[str], encoder: str) -> list[int]:
    """The first name that is in the cluster of each alias, in one table of both."""
    table = pd.DataFrame({"name": [*reference, *left]})
    found = pj.find_duplicates(table, encoder=encoder, verbose=False)
    clusters = found.clusters().tolist()
    first: dict[int, int] = {}
    for row, cluster in enumerate(clusters[: len(reference)]):
        first.setdefault(cluster, row)
    return [first.get(cluster, -1) for cluster in clusters[len(reference) :]]


TASKS = {"names": _match_names, "records": _match_records, "duplicates": _find_duplicates}
