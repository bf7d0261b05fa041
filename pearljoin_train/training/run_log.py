"""The log of a training run: lines of JSON, and TensorBoard."""

from __future__ import annotations

import json
import time
from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

from pearljoin._atomic import write_text

__all__ = ["RunLog"]


class RunLog:
    """Writes losses and measures as lines of JSON and for TensorBoard."""

    def __init__(self, out: Path, done: int, *, active: bool) -> None:
        self._file = out / "log.jsonl"
        self._board = SummaryWriter(str(out), purge_step=done + 1) if active else None
        if active and self._file.exists():
            self._forget_after(done)

    def losses(self, step: int, losses: dict[str, float]) -> None:
        """Log the losses of a step."""
        self._write(step, "loss", losses)

    def development(self, step: int, measures: dict[str, float]) -> None:
        """Log the measures on the development split after a step."""
        self._write(step, "development", measures)

    def _forget_after(self, done: int) -> None:
        """Drop the lines of steps after the checkpoint, which will be repeated."""
        lines = self._file.read_text(encoding="utf-8").splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]
        write_text(self._file, "".join(s for s in whole if json.loads(s)["step"] <= done))

    def _write(self, step: int, kind: str, values: dict[str, float]) -> None:
        if self._board is None:
            return
        with self._file.open("a", encoding="utf-8") as lines:
            row = {"step": step, "kind": kind, "time": round(time.time(), 1), **values}
            lines.write(json.dumps(row) + "\n")
        for name, value in values.items():
            self._board.add_scalar(f"{kind}/{name}", value, step)
