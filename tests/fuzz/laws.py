"""What must hold of a call, whatever it is given."""

from __future__ import annotations

import copy
import re
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
from frames import TrigramEncoder, columns_of

import pearljoin as pj
from fuzz.cases import Case, make_table

MOST_SECONDS = 20
"""Processor time that one case may take: wall time says little on a busy machine."""

JOIN_ONLY = ("how", "suffix", "score")
DEDUPLICATE = ("on", "by", "threshold", "weights", "encoder", "nulls_equal", "batch_size")


class LawBrokenError(AssertionError):
    """What was promised does not hold."""


class TooSlowError(Exception):
    """A case took longer than any should."""


def check(case: Case) -> str:
    """Run a case: what came of it, in a few words.

    Raises
    ------
    LawBrokenError
        If a promise is broken. Whatever else is raised is no error of pearljoin.
    """
    try:
        left, right = make_table(case["left"], "l"), make_table(case["right"], "r")
    except Exception as error:
        if type(error).__module__.split(".")[0] == "pearljoin":
            raise
        return "no such table"  # the dataframe library itself does not hold these cells
    before = copy.deepcopy((left, right))
    options = dict(case["options"])
    if options["encoder"] == "trigrams":
        options["encoder"] = TrigramEncoder()
    if any(side["kind"] == "list" for side in (case["left"], case["right"])):
        for name in ("on", "by", "veto"):  # lists have no names
            options.pop(name, None)
        options.pop("weights", None)
    with warnings.catch_warnings(), _within(MOST_SECONDS):
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", pj.PearljoinWarning)
        try:
            CHECKS[case["call"]](left, right, options)
            outcome = "worked"
        except pj.PearljoinError as error:
            _law(str(error).count("Got") > 0, f"an error that does not say what it got: {error}")
            outcome = f"{type(error).__name__}: {_beginning(str(error))}"
    for one, other in zip((left, right), before, strict=True):
        _law(_cells(one) == _cells(other), "an argument was changed")
    return f"{case['call']}: {outcome}"


def _beginning(message: str) -> str:
    """The first words of a message, without the names in it."""
    return " ".join(re.sub(r"\B'.*'\B|\d[\d,]*", "#", message).split()[:6])


def _law(holds: bool, what: str) -> None:
    if not holds:
        raise LawBrokenError(what)


@contextmanager
def _within(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooSlowError(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _cells(table: Any) -> str:
    """The cells, and the index of pandas, to be compared."""
    if isinstance(table, list):
        return repr(table)
    index = repr(table.index.tolist()) if isinstance(table, pd.DataFrame) else ""
    return repr(columns_of(table)) + index


def _n_rows(table: Any) -> int:
    if isinstance(table, pl.LazyFrame):
        table = table.collect()
    return table.num_rows if isinstance(table, pa.Table) else len(table)


def _pairs(result: pj.MatchResult) -> list[tuple[int, int]]:
    matches = result.matches()
    return list(zip(matches.left.tolist(), matches.right.tolist(), strict=True))


# Calls ----------------------------------------------------------------------------------------


def _check_match(left: Any, right: Any, options: dict[str, Any]) -> pj.MatchResult:
    options = {name: value for name, value in options.items() if name not in JOIN_ONLY}
    result = pj.match(left, right, **options)
    matches, pairs = result.matches(), _pairs(result)
    _law(len(set(pairs)) == len(pairs), "a pair twice")
    _law(pairs == sorted(pairs, key=lambda pair: pair[0]), "matches are not in left order")
    _law(bool(((matches.score >= 0) & (matches.score <= 1)).all()), "a score not in [0, 1]")
    threshold = options["threshold"]
    if threshold != "auto":
        _law(bool((matches.score >= threshold - 1e-6).all()), "a score below the threshold")
    if options["constraint"] != "many_to_many":
        _law(len({row for row, _ in pairs}) == len(pairs), "two matches of a left row")
    if options["constraint"] == "one_to_one":
        _law(len({row for _, row in pairs}) == len(pairs), "two matches of a right row")
    if "k" in options:
        most = max((matches.left == row).sum() for row in {0, *matches.left.tolist()})
        _law(most <= options["k"], "more than k matches of a left row")
    once_more = pj.match(left, right, **{**options, "batch_size": 2})
    _law(_pairs(once_more) == pairs, "the batch size changes the matches")
    _law(once_more.matches().score.tolist() == matches.score.tolist(), "it changes the scores")
    result.unmatched()
    result.unmatched("right")
    result.pairs()
    for row, right_row in pairs[:2]:
        str(result.explain(row, right_row))
    if pairs:
        measured = pj.evaluate(result, pairs)
        _law(measured.precision == measured.recall == 1, "matches are not their own true pairs")
    return result


def _check_join(left: Any, right: Any, options: dict[str, Any]) -> None:
    joined = pj.fuzzy_join(left, right, **options)
    if not isinstance(left, list):
        _law(type(joined) is type(left), f"a {type(left).__name__} gave a {type(joined).__name__}")
    pairs = _pairs(_check_match(left, right, options))
    n_left, n_right = (len(t) if isinstance(t, list) else _n_rows(t) for t in (left, right))
    matched = {row for row, _ in pairs}
    by_left = sorted([*pairs, *((row, None) for row in set(range(n_left)) - matched)], key=_first)
    extra = [(None, row) for row in sorted(set(range(n_right)) - {row for _, row in pairs})]
    how = {"outer": "full"}.get(options["how"], options["how"])
    wanted = {
        "inner": pairs,
        "left": by_left,
        "right": pairs + extra,
        "full": by_left + extra,
        "semi": [(row, None) for row in sorted(matched)],
        "anti": [(row, None) for row in range(n_left) if row not in matched],
    }[how]
    _law(_n_rows(joined) == len(wanted), f"{_n_rows(joined)} rows instead of {len(wanted)}")
    columns = columns_of(joined)
    for name, place in (("l", 0), ("r", 1)):
        if name in columns:
            found = [None if cell is None or cell != cell else int(cell) for cell in columns[name]]
            _law(
                found == [pair[place] for pair in wanted], f"rows {name!r} are not the wanted ones"
            )


def _first(pair: tuple[int, Any]) -> int:
    return pair[0]


def _check_matcher(left: Any, right: Any, options: dict[str, Any]) -> None:
    options = {name: value for name, value in options.items() if name not in JOIN_ONLY}
    matcher = pj.Matcher(**options).fit(right)
    if options["constraint"] != "one_to_one" and not isinstance(left, list | pl.LazyFrame):
        together = _pairs(matcher.match(left))
        alone = []
        for row in range(min(_n_rows(left), 4)):
            part = left.slice(row, 1) if isinstance(left, pa.Table) else left[row : row + 1]
            alone += [(row, right_row) for _, right_row in _pairs(matcher.match(part))]
        _law(alone == [pair for pair in together if pair[0] < 4], "a row alone has other matches")
    matcher.match(left).join()
    n_before = (
        len(matcher.match(right).unmatched("right")) if isinstance(right, pd.DataFrame) else 0
    )
    matcher.add(right)
    if isinstance(right, pd.DataFrame):
        _law(len(matcher.match(right[:0]).unmatched("right")) == 2 * len(right), "rows were lost")
        _law(n_before <= len(right), "more rows than there are")
    matcher.match(left).pairs()


def _check_deduplicate(left: Any, _: Any, options: dict[str, Any]) -> None:
    options = {name: value for name, value in options.items() if name in DEDUPLICATE}
    table = pj.deduplicate(left, **options)
    n_rows = len(left) if isinstance(left, list) else _n_rows(left)
    clusters = [int(cell) for cell in columns_of(table)["cluster"]]
    _law(len(clusters) == n_rows, "rows were lost")
    first = list(dict.fromkeys(clusters))
    _law(first == list(range(len(first))), "clusters are not numbered by first appearance")


CHECKS = {
    "match": _check_match,
    "join": _check_join,
    "matcher": _check_matcher,
    "deduplicate": _check_deduplicate,
}
