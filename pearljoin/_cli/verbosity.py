"""What a command says on standard error while it runs: the log, with --verbose, and progress."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pearljoin._progress import LOG

__all__ = ["logging_to_stderr", "progress"]


@contextmanager
def logging_to_stderr(verbose: bool) -> Iterator[None]:
    """Print the log of this package, and of no other, where `verbose` asks for it."""
    if not verbose:
        yield
        return
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
    level = LOG.level
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    try:
        yield
    finally:
        LOG.setLevel(level)
        LOG.removeHandler(handler)


def progress(quiet: bool, verbose: bool) -> bool | None:
    """Whether to show progress bars; a pipe never gets one."""
    if quiet:
        return False
    return True if verbose and sys.stderr.isatty() else None
