"""Import optional dependencies, with an error that names the extra to install."""

from __future__ import annotations

import importlib
from types import ModuleType

from pearljoin._errors import MissingExtraError


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import a module, or raise an error that names the extra to install.

    Parameters
    ----------
    module
        Dotted module name, e.g. ``"torch"``.
    extra
        The pearljoin extra that installs it, e.g. ``"torch"``.
    purpose
        What needs the module, as the subject of the error's sentence, e.g. ``"a hub model"``.

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
