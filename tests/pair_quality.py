"""Precision and recall of clusters, by pairs of rows."""

from __future__ import annotations

import numpy as np


def quality(labels: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    """Return precision and recall of the pairs of rows that labels put together."""
    first, second = np.triu_indices(len(truth), 1)
    found, same = labels[first] == labels[second], truth[first] == truth[second]
    return (found & same).sum() / max(1, found.sum()), (found & same).sum() / same.sum()
