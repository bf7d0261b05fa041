"""The call that made an object, in one line: its `repr`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from pearljoin._decision.thresholds import FixedThreshold, PrecisionTarget
from pearljoin._options import JoinOptions, MatchOptions, names_of
from pearljoin._tables.keys import KeyOptions

__all__ = ["call_text", "value_text"]

DEFAULTS = {
    field.name: field.default
    for kind in (KeyOptions, MatchOptions, JoinOptions)
    for field in fields(kind)
}

PLAIN = (str, int, float, np.generic, os.PathLike, PrecisionTarget, type(None))
"""Types of values that are shown as they are."""

LONGEST = 20
"""Most elements of a list that is shown."""

WIDEST = 200
"""Most characters of a value that is shown."""


def call_text(made: object, *options: KeyOptions | MatchOptions | Mapping[str, Any]) -> str:
    """Write how an object is made, without the options that are at their default.

    Parameters
    ----------
    made
        The object.
    options
        Its options, in the order in which they are written.

    Examples
    --------
    >>> call_text(object(), {"on": "name", "threshold": FixedThreshold(0.8), "k": None})
    "object(on='name', threshold=0.8)"
    """
    values: dict[str, Any] = {}
    for some in options:
        if isinstance(some, Mapping):
            values |= some
        else:
            values |= {name: getattr(some, name) for name in names_of(type(some))}
    threshold = values.get("threshold")
    if isinstance(threshold, FixedThreshold):
        values["threshold"] = threshold.value
    elif threshold == PrecisionTarget(values.get("precision", DEFAULTS["precision"])):
        values["threshold"] = "auto"
    given = [
        f"{name}={value_text(value)}"
        for name, value in values.items()
        if name not in DEFAULTS or not _is_same(value, DEFAULTS[name])
    ]
    return f"{type(made).__name__}({', '.join(given)})"


def value_text(value: Any) -> str:
    """Write an argument in a few words; of tables and other objects, their type and length.

    Examples
    --------
    >>> value_text(["name", "city"]), value_text(["Rome"] * 1_000), value_text(len)
    ("['name', 'city']", '<list of 1,000>', '<builtin_function_or_method>')
    """
    kind = type(value).__name__
    size = _size(value)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    is_list = isinstance(value, list | tuple | dict)
    if isinstance(value, PLAIN) or (is_list and size is not None and size <= LONGEST):
        text = repr(os.fspath(value) if isinstance(value, os.PathLike) else value)
        if len(text) <= WIDEST and "\n" not in text:
            return text
    if size is None or isinstance(value, str):
        return f"<{kind}>"
    unit = "" if is_list else " row" if size == 1 else " rows"
    return f"<{kind} of {size:,}{unit}>"


def _size(value: Any) -> int | None:
    try:
        return len(value)
    except TypeError:
        return None


def _is_same(value: Any, default: Any) -> bool:
    # An array or a table has no one answer to whether it equals a default.
    return type(value) is type(default) and bool(value == default)
