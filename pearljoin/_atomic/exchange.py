"""Exchange two folders in one step, where the system can."""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path

__all__ = ["exchange"]

HERE = -100
"""AT_FDCWD of Linux: paths are as they are given."""

RENAME_EXCHANGE = 2

CANNOT = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM}
"""Error numbers of kernels, file systems and sandboxes that do not exchange."""


def exchange(first: Path, second: Path) -> bool:
    """Exchange two folders of one file system atomically: no name is ever missing.

    Returns
    -------
    done
        False where the system cannot; nothing has changed then.

    Raises
    ------
    OSError
        If it can and does not, as when a folder is missing.
    """
    rename = _renameat2()
    if rename is None:
        return False
    if rename(HERE, os.fsencode(first), HERE, os.fsencode(second), RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(first), None, str(second))


@functools.cache
def _renameat2() -> Callable[[int, bytes, int, bytes, int], int] | None:
    """The function of Linux's C library, None where there is none."""
    if sys.platform != "linux":
        return None
    function = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if function is not None:
        path = ctypes.c_char_p
        function.argtypes = (ctypes.c_int, path, ctypes.c_int, path, ctypes.c_uint)
    return function
