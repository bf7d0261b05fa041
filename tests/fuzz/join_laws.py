"""What must hold of a join, a match and a matcher."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
from frames import columns_of

import pearljoin as pj
from fuzz.promise import law, n_rows_of, pairs_of, part_of

JOIN_ONLY = ("how", "suffix", "score")


def check_match(left: Any, right: Any, options: dict[str, Any]) -> pj.MatchResult:
    options = {name: value for name, value in options.items() if name not in JOIN_ONLY}
    result = pj.match(left, right, **options)
    matches, pairs = result.matches(), pairs_of(result)
    law(len(set(pairs)) == len(pairs), "a pair twice")
    law(pairs == sorted(pairs, key=lambda pair: pair[0]), "matches are not in left order")
    law(bool(((matches.score >= 0) & (matches.score <= 1)).all()), "a score not in [0, 1]")
    threshold = options["threshold"]
    if threshold != "auto":
        law(bool((matches.score >= threshold - 1e-6).all()), "a score below the threshold")
    if options["constraint"] != "many_to_many":
        law(len({row for row, _ in pairs}) == len(pairs), "two matches of a left row")
    if options["constraint"] == "one_to_one":
        law(len({row for _, row in pairs}) == len(pairs), "two matches of a right row")
    if "k" in options:
        most = max((matches.left == row).sum() for row in {0, *matches.left.tolist()})
        law(most <= options["k"], "more than k matches of a left row")
    once_more = pj.match(left, right, **{**options, "batch_size": 2})
    law(pairs_of(once_more) == pairs, "the batch size changes the matches")
    law(once_more.matches().score.tolist() == matches.score.tolist(), "it changes the scores")
    result.unmatched()
    result.unmatched("right")
    result.pairs()
    for row, right_row in pairs[:2]:
        str(result.explain(row, right_row))
    if pairs:
        measured = pj.evaluate(result, pairs)
        law(measured.precision == measured.recall == 1, "matches are not their own true pairs")
    return result


def check_join(left: Any, right: Any, options: dict[str, Any]) -> None:
    joined = pj.fuzzy_join(left, right, **options)
    if not isinstance(left, list):
        law(type(joined) is type(left), f"a {type(left).__name__} gave a {type(joined).__name__}")
    pairs = pairs_of(check_match(left, right, options))
    n_left, n_right = (len(t) if isinstance(t, list) else n_rows_of(t) for t in (left, right))
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
    law(n_rows_of(joined) == len(wanted), f"{n_rows_of(joined)} rows instead of {len(wanted)}")
    columns = columns_of(joined)
    for name, place in (("l", 0), ("r", 1)):
        if name in columns:
            found = [None if cell is None or cell != cell else int(cell) for cell in columns[name]]
            law(found == [pair[place] for pair in wanted], f"rows {name!r} are not the wanted ones")


def _first(pair: tuple[int, Any]) -> int:
    return pair[0]


def _is_mixed(table: Any, on: Any) -> bool:
    """Whether a key column holds values of several types: what it is read as depends on all."""
    names = [on] if isinstance(on, str) else on
    listed = [cells for name, cells in columns_of(table).items() if not names or name in names]
    return any(len({type(cell) for cell in cells if cell is not None}) > 1 for cells in listed)


def check_matcher(left: Any, right: Any, options: dict[str, Any]) -> None:
    options = {name: value for name, value in options.items() if name not in JOIN_ONLY}
    matcher = pj.Matcher(**options).fit(right)
    is_whole = isinstance(left, list | pl.LazyFrame) or _is_mixed(left, options.get("on"))
    if options["constraint"] != "one_to_one" and not is_whole:
        together = pairs_of(matcher.match(left))
        alone = []
        for row in range(min(n_rows_of(left), 4)):
            found = pairs_of(matcher.match(part_of(left, row, row + 1)))
            alone += [(row, right_row) for _, right_row in found]
        law(alone == [pair for pair in together if pair[0] < 4], "a row alone has other matches")
    matcher.match(left).join()
    n_before = (
        len(matcher.match(right).unmatched("right")) if isinstance(right, pd.DataFrame) else 0
    )
    matcher.add(right)
    if isinstance(right, pd.DataFrame):
        law(len(matcher.match(right[:0]).unmatched("right")) == 2 * len(right), "rows were lost")
        law(n_before <= len(right), "more rows than there are")
    matcher.match(left).pairs()
