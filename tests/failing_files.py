"""File operations that fail one after the other, for tests of what is written whole."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pearljoin._atomic import folders
from pearljoin._errors import InputError

OPERATIONS = [
    *((os, name) for name in ("open", "fsync", "replace", "rename", "mkdir", "chmod", "close")),
    (os, "unlink"),
    (shutil, "copy2"),
    (Path, "write_bytes"),
    (Path, "write_text"),
]

FOLDER_OPERATIONS = [*OPERATIONS, (os, "rmdir"), (Path, "open"), (folders, "exchange")]
"""With those that move folders into their places and remove what is done with."""


class SqlSteps:
    """What a connection of SQLite does; its methods are those of a C type, which stay."""

    @staticmethod
    def execute(connection: sqlite3.Connection, *arguments: Any) -> sqlite3.Cursor:
        return sqlite3.Connection.execute(connection, *arguments)

    @staticmethod
    def executemany(connection: sqlite3.Connection, *arguments: Any) -> sqlite3.Cursor:
        return sqlite3.Connection.executemany(connection, *arguments)

    @staticmethod
    def commit(connection: sqlite3.Connection, *arguments: Any) -> Any:
        return sqlite3.Connection.__exit__(connection, *arguments)

    @staticmethod
    def close(connection: sqlite3.Connection) -> None:
        sqlite3.Connection.close(connection)


class Connection(sqlite3.Connection):
    """A connection whose steps can be made to fail."""

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        return SqlSteps.execute(self, *arguments)

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        return SqlSteps.executemany(self, *arguments)

    def __exit__(self, *arguments: Any) -> Any:
        return SqlSteps.commit(self, *arguments)

    def close(self) -> None:
        SqlSteps.close(self)


def connect(*arguments: Any, **named: Any) -> sqlite3.Connection:
    return REAL_CONNECT(*arguments, factory=Connection, **named)


REAL_CONNECT: Callable[..., sqlite3.Connection] = sqlite3.connect

SQL_OPERATIONS = [
    (os, "mkdir"),
    (sqlite3, "connect"),
    *((SqlSteps, name) for name in ("execute", "executemany", "commit", "close")),
]


class FailingAt:
    """Makes the n-th file operation fail, once; `failed` is its name."""

    def __init__(self, monkeypatch, n: int, operations=OPERATIONS) -> None:
        self.left, self.failed = n, ""
        self.on = True
        self._is_sql = operations is SQL_OPERATIONS
        if self._is_sql:
            monkeypatch.setattr(sqlite3, "connect", connect)
        for owner, name in operations:
            counted = self._counted(name, getattr(owner, name))
            monkeypatch.setattr(
                owner, name, staticmethod(counted) if owner is SqlSteps else counted
            )
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
                    if self._is_sql and name != "mkdir":
                        raise sqlite3.OperationalError("disk I/O error")
                    raise OSError(errno.EIO, "Input/output error", str(arguments[0]))
            return function(*arguments, **named)

        return counted


def write_failing_at(monkeypatch, n: int, write, operations=OPERATIONS) -> tuple[str, str]:
    """Write with the n-th operation failing: the message of the error, and the operation's name.

    Both are empty where nothing failed; the message alone where what failed was cleaning up.
    """
    message = ""
    with monkeypatch.context() as patched:
        failing = FailingAt(patched, n, operations)
        try:
            write()
        except InputError as error:
            message = str(error)
            assert "cannot be written. Got '" in message
            assert message.endswith("Hint: choose a place that you may write to.")
        finally:
            failing.on = False
    return message, failing.failed


class KilledError(BaseException):
    """What a process does that was killed: nothing more."""


class KilledAt:
    """Makes the n-th file operation of folders and all later ones raise; `killed` when it did.

    As nothing happens on the disk any more, cleaning up included, what is left is what a process
    leaves that is killed there.
    """

    def __init__(self, monkeypatch, n: int) -> None:
        self.left = n
        for owner, name in FOLDER_OPERATIONS:
            monkeypatch.setattr(owner, name, self._counted(name, getattr(owner, name)))

    @property
    def killed(self) -> bool:
        return self.left <= 0

    def _counted(self, name: str, function):
        def counted(*arguments, **named):
            self.left -= 1
            if self.left <= 0:
                if name == "close":
                    function(*arguments, **named)
                raise KilledError
            return function(*arguments, **named)

        return counted
