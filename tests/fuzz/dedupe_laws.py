"""What must hold of the duplicates of a table, and of its clusters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from frames import columns_of

import pearljoin as pj
from fuzz.promise import law, n_rows_of
from pearljoin._records.missing_keys import NULL

DEDUPLICATE = ("on", "by", "veto", "threshold", "weights", "encoder", "nulls_equal", "batch_size")
DEDUPLICATE += ("kinds", "geo", "phone_region")
DUPLICATES = (*DEDUPLICATE, "cannot_link", "must_link", "one_per", "max_size")


def check_deduplicate(left: Any, _: Any, options: dict[str, Any]) -> None:
    """Every row is there, with its cluster."""
    options = {name: value for name, value in options.items() if name in DEDUPLICATE}
    table = pj.deduplicate(left, **options)
    clusters = [int(cell) for cell in columns_of(table)["cluster"]]
    law(len(clusters) == n_rows_of(left), "rows were lost")
    law(is_by_first(clusters), "clusters are not numbered by first appearance")
    check_constraints(left, np.array(clusters, dtype=np.int64), options)


def check_duplicates(left: Any, right: Any, options: dict[str, Any]) -> None:
    """Constraints hold, and all views say the same of the clusters."""
    several = options.pop("several", False)
    options = {name: value for name, value in options.items() if name in DUPLICATES}
    result = pj.find_duplicates([left, right] if several else left, **options)
    labels = result.clusters()
    law(len(labels) == n_rows_of(left) + several * n_rows_of(right), "rows were lost")
    law(is_by_first(labels.tolist()), "clusters are not numbered by first appearance")
    if not several:
        check_constraints(left, labels, options)
    _check_pairs(result, labels)
    _check_views(result, labels)
    again = pj.find_duplicates([left, right] if several else left, **{**options, "batch_size": 2})
    law(again.clusters().tolist() == labels.tolist(), "the batch size changes the clusters")
    if len(labels):
        measured = pj.evaluate(result, labels)
        law(measured.precision in (1, None) or math.isnan(measured.precision), "not its own truth")


def _as_vetoed(table: Any, options: dict[str, Any]) -> list[Any]:
    """The cells of the veto column as they are compared: *250 g* as *250g*, days as one day."""
    options = {name: value for name, value in options.items() if name != "ids"}
    field = pj.find_duplicates(table, **options).comparison.records.vetoes[0]
    return [None if code == NULL else field.values[code] for code in field.codes.tolist()]


def is_by_first(clusters: list[int]) -> bool:
    """Whether clusters are numbered by first appearance."""
    first = list(dict.fromkeys(clusters))
    return first == list(range(len(first)))


def check_constraints(table: Any, labels: Any, options: dict[str, Any]) -> None:
    """No cluster breaks a constraint, but for what must_link joins."""
    for one, other in options.get("cannot_link", ()):
        law(labels[one] != labels[other], "rows of cannot_link share a cluster")
    must = options.get("must_link", ())
    for one, other in must:
        law(labels[one] == labels[other], "rows of must_link are apart")
    columns = {} if isinstance(table, list) else columns_of(table)
    for name in ("by", "veto"):
        if name in options:
            read = _as_vetoed(table, options) if name == "veto" else columns[options[name]]
            for cells in _by_cluster(read, labels):
                # 0 and 0.0 are one value.
                same = all(cell == cells[0] for cell in cells)
                law(same, f"a cluster with two values of {name}=")
    if must:
        return
    if "one_per" in options:
        for cells in _by_cluster(columns[options["one_per"]], labels):
            law(len(set(map(repr, cells))) == len(cells), "two rows of one source in a cluster")
    if len(labels) and "max_size" in options:
        law(np.bincount(labels).max() <= options["max_size"], "a cluster beyond max_size")


def _by_cluster(cells: list[Any], labels: Any) -> list[list[Any]]:
    """The cells of each cluster that are not null; blank text is."""
    found: dict[int, list[Any]] = {}
    for cell, label in zip(cells, labels.tolist(), strict=True):
        is_blank = isinstance(cell, str) and not cell.strip()
        if cell is not None and cell == cell and not is_blank:
            found.setdefault(label, []).append(cell)
    return list(found.values())


def _check_pairs(result: pj.DedupeResult, labels: Any) -> None:
    """Pairs are of one cluster, once each, and explanations say their scores."""
    together = columns_of(result.pairs())
    listed = list(zip(together["left_row"], together["right_row"], strict=True))
    law(len(set(listed)) == len(listed), "a pair twice")
    law(listed == sorted(listed), "pairs are not in order")
    for one, other in listed:
        law(one < other and labels[one] == labels[other], "a pair of two clusters")
    lowest = columns_of(result.pairs(0.4))
    law(all(0.4 - 1e-6 <= score <= 1 for score in lowest["score"]), "a score below the lowest")
    rows = list(zip(lowest["left_row"], lowest["right_row"], strict=True))
    for (one, other), same in zip(rows, lowest["same_cluster"], strict=True):
        law(bool(same) == (labels[one] == labels[other]), "same_cluster is wrong")
    for (one, other), score in list(zip(rows, lowest["score"], strict=True))[:2]:
        told = result.explain(int(one), int(other))
        law(str(told) != "", "nothing is told")
        law(told.same_cluster == (labels[one] == labels[other]), "an explanation of other clusters")
        law(abs(told.score - score) < 1e-5, f"an explanation of another score than {score}")


def _check_views(result: pj.DedupeResult, labels: Any) -> None:
    """Golden records, doubtful clusters, labels and expectations go with the clusters."""
    n_clusters = len(set(labels.tolist()))
    golden = columns_of(result.golden(provenance=True))
    law([int(cell) for cell in golden["cluster"]] == list(range(n_clusters)), "not all clusters")
    law(sum(golden["n_rows"]) == len(labels), "golden records of other rows")
    for name, cells in golden.items():
        if name.endswith("_row"):
            for cluster, row in enumerate(cells):
                law(row == -1 or labels[row] == cluster, "a golden value of another cluster")
    doubtful = columns_of(result.doubtful())
    law(doubtful["score"] == sorted(doubtful["score"]), "doubtful clusters are not in order")
    for row, cluster in zip(doubtful["left_row"], doubtful["cluster"], strict=True):
        law(labels[row] == cluster, "a doubtful link of another cluster")
    law(len(columns_of(result.suggest_labels(3))["score"]) <= 3, "more labels than asked for")
    if result.calibrated:
        for value in (result.expected_precision(), result.expected_recall()):
            law(math.isnan(value) or 0 <= value <= 1, "an expectation not in [0, 1]")
    law("DedupeResult" in result._repr_html_(), "a notebook shows something else")
