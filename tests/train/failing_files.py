"""File operations that fail one after the other, for tests of what is written whole."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

OPERATIONS = ((Path, "write_bytes"), (Path, "unlink"), (shutil, "copy2"), (os, "replace"))


def fail_operation(patch, at: int) -> list[str]:
    """Let file operation number `at` fail, and only that one; returns the names of those done."""
    done: list[str] = []

    def wrap(original: Callable[..., object], name: str) -> Callable[..., object]:
        def operation(*arguments: object, **options: object) -> object:
            done.append(name)
            if len(done) - 1 == at:
                raise OSError("disk full")
            return original(*arguments, **options)

        return operation

    for owner, name in OPERATIONS:
        patch.setattr(owner, name, wrap(getattr(owner, name), name))
    return done
