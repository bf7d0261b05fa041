"""Errors of calls that give arguments as other libraries have them: what to give instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["with_hints"]

ELSEWHERE: Mapping[str, str] = {
    "limit": "constraint='many_to_many' keeps several matches of a row, and k= at most how many.",
    "max_dist": "threshold= is the lowest score, from 0 to 1, of what matches.",
    "method": "how= is the kind of join, and encoder= what compares text.",
    "score_cutoff": "threshold= is the lowest score, from 0 to 1, of what matches.",
    "scorer": "encoder= is what compares text.",
    "suffixes": "suffix= takes one for the right's columns, or a pair.",
}
"""What stands for an argument that other libraries have."""

Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")


def with_hints(
    n_tables: int, instead: str, names: Mapping[str, str] | None = None
) -> Callable[[Callable[Arguments, Returned]], Callable[Arguments, Returned]]:
    """Decorate a function so that an argument that it does not take is refused with a hint.

    Parameters
    ----------
    n_tables
        How many arguments it takes by position.
    instead
        What to write where more are given.
    names
        What to use in place of arguments that it does not take, beside those of other libraries.
    """
    hints = {**ELSEWHERE, **(names or {})}

    def decorate(function: Callable[Arguments, Returned]) -> Callable[Arguments, Returned]:
        name = function.__name__

        @wraps(function)
        def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Returned:
            if len(args) > n_tables:
                raise TypeError(
                    f"{name}() takes {n_tables} positional argument{'s' * (n_tables > 1)}. "
                    f"Got {len(args)}. Hint: {instead}"
                )
            for one in kwargs:
                if one in hints:
                    raise TypeError(
                        f"{name}() got an unexpected keyword argument {one!r}. Hint: {hints[one]}"
                    )
            return function(*args, **kwargs)

        return run

    return decorate
