"""What a worker says of its installation.

Sent to the workers by value, so it imports nothing of the package at the top.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["SCHEMA", "Look"]

SCHEMA = "host string, version string, model string, problem string, sees_path boolean"


@dataclass(frozen=True)
class Look:
    """Called by ``mapInArrow``: yields one row for each partition.

    Attributes
    ----------
    models
        Names of the bundled models that may be needed.
    path
        A file that must be there; None for no such file.
    """

    models: tuple[str, ...] = ()
    path: str | None = None

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Say what is installed here.

        Yields
        ------
        batch
            One row, of `SCHEMA`.
        """
        import os
        import platform

        import pyarrow as pa

        for _ in batches:
            pass
        version, model, problem = "", "", ""
        try:
            from pearljoin._encoders.load import bundled_fingerprint
            from pearljoin._version import __version__

            version = __version__
            model = " ".join(map(bundled_fingerprint, self.models))
        except Exception as error:  # noqa: BLE001 - whatever it is, the driver tells of it
            problem = f"{type(error).__name__}: {error}"
        sees = self.path is None or os.path.isfile(self.path)
        columns: dict[str, list[Any]] = {
            "host": [platform.node()],
            "version": [version],
            "model": [model],
            "problem": [problem],
            "sees_path": [sees],
        }
        yield pa.RecordBatch.from_pydict(columns)
