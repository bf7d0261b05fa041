"""Frames whose rows are on a cluster, and the modules that run joins of them there.

Such a module is registered by the name of its dataframe library, and imported when a frame of that
library is first given.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from pearljoin._errors import TableTypeError

__all__ = ["Engine", "engine_of", "refuse_distributed", "register"]


class Engine(Protocol):
    """What joins and clusters frames of a distributed dataframe library."""

    def is_frame(self, data: Any) -> bool:
        """Tell whether this is a frame of the library."""
        ...

    def collect(self, frame: Any) -> Any:
        """Collect a frame as a ``pyarrow.Table``, in an order that its content decides."""
        ...

    def match(self, left: Any, right: Any, keys: Any, options: Any) -> Any:
        """Match a frame with a reference, as `pearljoin.match` does."""
        ...

    def match_fitted(self, matcher: Any, left: Any) -> Any:
        """Look the rows of a frame up in a fitted `pearljoin.Matcher`."""
        ...

    def find_duplicates(self, frame: Any, keys: Any, options: Any, constraints: Any) -> Any:
        """Find the rows of a frame that name the same thing."""
        ...


_MODULES: dict[str, str] = {}


def register(library: str, module: str) -> None:
    """Register the module that works on the frames of a library.

    Parameters
    ----------
    library
        Top-level name of the modules that define its frames.
    module
        Dotted name of a module that has the functions of `Engine`.
    """
    _MODULES[library] = module


def engine_of(data: Any) -> Engine | None:
    """Find what works on a frame; None for data that is in this process.

    Examples
    --------
    >>> engine_of(["Le Monde"]) is None
    True
    """
    module = _MODULES.get(type(data).__module__.partition(".")[0])
    if module is None:
        return None
    engine = cast(Engine, import_module(module))
    return engine if engine.is_frame(data) else None


def refuse_distributed(data: Any) -> None:
    """Refuse a frame whose rows are on a cluster where a table must be in this process.

    Raises
    ------
    TableTypeError
        If it is one.
    """
    if engine_of(data) is not None:
        kind = type(data)
        raise TableTypeError(
            "The rows of this frame are on a cluster, and are needed here. Got "
            f"{kind.__module__}.{kind.__qualname__}. Hint: fuzzy_join, match, Matcher.match and "
            "find_duplicates take it as it is; elsewhere collect it, with .toArrow()."
        )
