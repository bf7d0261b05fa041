"""Import what is loaded late: optional dependencies, and ONNX Runtime without telemetry."""

from __future__ import annotations

import importlib
import os
from types import ModuleType
from typing import Any

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


def onnx_runtime() -> Any:
    """Import ONNX Runtime with its telemetry off.

    Its import stores an identifier of the machine in the user's cache folder and gets ready to
    send events, unless a variable is set; later is too late. Who has set it otherwise is obeyed.

    Returns
    -------
    module
        `onnxruntime`.

    Examples
    --------
    >>> onnx_runtime().get_available_providers()[-1]
    'CPUExecutionProvider'
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    return importlib.import_module("onnxruntime")
