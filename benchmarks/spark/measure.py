"""What Spark's own interface says that a session has done: seconds and bytes of all stages."""

from __future__ import annotations

import json
import urllib.request
from typing import Any, NamedTuple

__all__ = ["Work", "work_of"]


class Work(NamedTuple):
    """Sums over stages.

    Attributes
    ----------
    task_seconds
        Wall time of all tasks.
    input_rows
        Rows that stages without a shuffle before them read, where that is counted.
    shuffle_bytes
        Bytes written for shuffles.
    """

    task_seconds: float
    input_rows: int
    shuffle_bytes: int

    def since(self, before: Work) -> Work:
        """Return what was done after an earlier reading."""
        return Work(
            self.task_seconds - before.task_seconds,
            self.input_rows - before.input_rows,
            self.shuffle_bytes - before.shuffle_bytes,
        )


def work_of(session: Any) -> Work:
    """Read what a classic session has done so far; its interface must be enabled.

    Parameters
    ----------
    session
        A ``SparkSession`` with ``spark.ui.enabled``.
    """
    context = session.sparkContext
    url = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages"
    with urllib.request.urlopen(url, timeout=60) as answer:
        stages = json.load(answer)
    return Work(
        sum(stage["executorRunTime"] for stage in stages) / 1000,
        sum(stage["inputRecords"] for stage in stages),
        sum(stage["shuffleWriteBytes"] for stage in stages),
    )
