"""Importing what may not be installed, with an error that says how to get it."""

from __future__ import annotations

import importlib
from types import ModuleType

from pearljoin._errors import MissingExtraError


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import `module`, or say which extra brings it.

    Parameters
    ----------
    module
        Dotted module name, e.g. ``"torch"``.
    extra
        The pearljoin extra that installs it, e.g. ``"torch"``.
    purpose
        What needs it, as the start of the error's sentence, e.g. ``"a hub model"``.

    Returns
    -------
    module
        The imported module.

    Raises
    ------
    MissingExtraError
        If the module, or something that it imports, is not installed.

    Examples
    --------
    >>> require("json", extra="cli", purpose="reading JSON").__name__
    'json'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{purpose} needs the package {module.split('.')[0]!r}, which cannot be imported "
            f"({error}). Hint: pip install 'pearljoin[{extra}]'"
        ) from error
