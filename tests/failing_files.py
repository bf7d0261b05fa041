"""File operations that fail one after the other, for tests of what is written whole."""

import errno
import os
import shutil
from pathlib import Path

OPERATIONS = [
    *((os, name) for name in ("open", "fsync", "replace", "rename", "mkdir", "chmod", "close")),
    (os, "unlink"),
    (shutil, "copy2"),
    (Path, "write_bytes"),
    (Path, "write_text"),
]


class FailingAt:
    """Makes the n-th file operation fail, once; `failed` is its name."""

    def __init__(self, monkeypatch, n: int) -> None:
        self.left, self.failed = n, ""
        self.on = True
        for owner, name in OPERATIONS:
            monkeypatch.setattr(owner, name, self._counted(name, getattr(owner, name)))
        # Removing what was replaced comes after the work and is not counted.
        monkeypatch.setattr(shutil, "rmtree", self._uncounted(shutil.rmtree))

    def _uncounted(self, function):
        def uncounted(*arguments, **named):
            self.on, before = False, self.on
            try:
                return function(*arguments, **named)
            finally:
                self.on = before

        return uncounted

    def _counted(self, name: str, function):
        def counted(*arguments, **named):
            if self.on:
                self.left -= 1
                if self.left == 0:
                    self.failed = name
                    if name == "close":
                        function(*arguments, **named)
                    raise OSError(errno.EIO, "Input/output error", str(arguments[0]))
            return function(*arguments, **named)

        return counted
