"""Errors of calls that give arguments as other libraries have them: what to give instead."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import ParamSpec, TypeVar

from pearljoin._errors import did_you_mean

__all__ = ["OF_ENCODERS", "OF_FINDING", "OF_MATCHING", "OF_UNJOINED", "with_hints"]

COLUMNS = ("columns", "cols", "column", "key", "keys", "subset")
COUNTS = ("limit", "max_matches", "n_matches", "n_neighbors", "ntop", "top_k", "top_n")
LEAST_SCORES = (
    *("cutoff", "max_dist", "max_distance", "min_score", "min_similarity", "score_cutoff"),
    *("similarity", "similarity_threshold"),
)
SCORERS = ("metric", "model", "scorer", "vectorizer")

OF_BOTH: Mapping[str, str] = {
    **dict.fromkeys(COLUMNS, "on= names the key columns."),
    **dict.fromkeys(LEAST_SCORES, "threshold= is the lowest score, from 0 to 1, of what matches."),
    **dict.fromkeys(SCORERS, "encoder= is what compares text."),
    **dict.fromkeys(("block", "block_on", "blocking"), "by= names columns that must be equal."),
    "processor": "text is compared regardless of case, accents and punctuation.",
}
"""What stands for an argument that other libraries have, wherever rows are compared."""

OF_MATCHING: Mapping[str, str] = {
    **OF_BOTH,
    **dict.fromkeys(
        COUNTS, "constraint='many_to_many' keeps several matches of a row, and k= at most how many."
    ),
    **dict.fromkeys(
        ("suffixes", "lsuffix", "rsuffix"), "suffix= takes one for the right's columns, or a pair."
    ),
    "indicator": "score= names a column of scores, which is null where a row has no match.",
    "method": "how= is the kind of join, and encoder= what compares text.",
    "validate": "constraint= says how many matches a row may have.",
}
"""The same for two tables."""

OF_UNJOINED: Mapping[str, str] = {
    **OF_MATCHING,
    **{
        name: f"fuzzy_join() takes {name}=, and so does match(...).join()."
        for name in ("how", "suffix", "score")
    },
    **dict.fromkeys(("suffixes", "lsuffix", "rsuffix"), "match(...).join() takes suffix=."),
    "indicator": "match(...).join() takes score=, a column that is null where there is no match.",
    "method": "encoder= is what compares text.",
}
"""The same where nothing is joined yet."""

OF_FINDING: Mapping[str, str] = {
    **OF_BOTH,
    **dict.fromkeys(
        (*COUNTS, "k"),
        "find_duplicates(...).pairs() has every pair of rows that was scored, and max_size= of "
        "find_duplicates() is the most rows of one cluster.",
    ),
    **dict.fromkeys(("left_on", "right_on"), "on= names the key columns, of every table."),
    **dict.fromkeys(("left_by", "right_by"), "by= names columns that must be equal."),
    "constraint": "cannot_link=, one_per= and max_size= of find_duplicates() limit the clusters.",
    "keep": "find_duplicates(...).golden() keeps one row of each cluster.",
    "method": "encoder= is what compares text.",
}
"""The same for duplicates of one table."""

OF_ENCODERS: Mapping[str, str] = {
    **dict.fromkeys(
        ("encoder", "model_name", "model_name_or_path", "name"),
        "model= is a model's name, its folder, or an encoder.",
    ),
    **dict.fromkeys(
        ("dim", "dimensions", "n_dims"), "n_components= is the number of columns that are kept."
    ),
}
"""The same for the encoder of a column."""

Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")


def with_hints(
    hints: Mapping[str, str], n_positional: int | None = None, instead: str = ""
) -> Callable[[Callable[Arguments, Returned]], Callable[Arguments, Returned]]:
    """Decorate a function so that an argument that it does not take is refused with a hint.

    Parameters
    ----------
    hints
        What to use, by the name of an argument that it does not take.
    n_positional
        How many arguments it takes by position, beside ``self``. Default: not looked at.
    instead
        What to write where more are given.
    """

    def decorate(function: Callable[Arguments, Returned]) -> Callable[Arguments, Returned]:
        names = list(inspect.signature(function).parameters)
        n_self = int(names[0] == "self")
        shown = function.__qualname__.removesuffix(".__init__")

        @wraps(function)
        def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Returned:
            n_given = len(args) - n_self
            if n_positional is not None and n_given > n_positional:
                further = args[n_self + n_positional :] if n_positional else ()
                raise TypeError(
                    f"{shown}() takes {n_positional} positional argument"
                    f"{'s' * (n_positional != 1)}. Got {n_given}. Hint: "
                    f"{_columns_by_name(further, names) or instead}"
                )
            for one in kwargs:
                hint = "" if one in names else hints.get(one) or did_you_mean(one, names[n_self:])
                if hint:
                    raise TypeError(
                        f"{shown}() got an unexpected keyword argument {one!r}. Hint: {hint}"
                    )
            return function(*args, **kwargs)

        return run

    return decorate


def _columns_by_name(further: tuple[object, ...], names: list[str]) -> str:
    """Say how key columns are named where they follow tables by position; "" elsewhere."""
    if len(further) != 1 or "on" not in names:
        return ""
    given = further[0]
    several = list(given) if isinstance(given, list | tuple) else [given]
    if not several or not all(isinstance(name, str) for name in several):
        return ""
    return f"on={given!r} names the key columns."
