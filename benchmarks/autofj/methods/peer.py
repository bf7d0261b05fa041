"""Another library, which runs as a process in an environment of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks.autofj.methods._protocol import MethodAbsentError, Outcome, Rule
from benchmarks.peers.client import Peer

__all__ = ["PeerMethod"]


@dataclass
class PeerMethod:
    """A method that is another library's; see its ``adapter.py`` for how it is called."""

    name: str
    rule: Rule
    packages: tuple[str, ...]
    peer: Peer = field(init=False)

    def __post_init__(self) -> None:
        self.peer = Peer(self.name)

    def run(self, queries: Sequence[str], reference: Sequence[str], precision: float) -> Outcome:
        """Ask the peer; the seconds are those of its work, without starting its process."""
        self._check()
        answer = self.peer.ask(queries, reference, precision)
        pairs = [(query, row) for query, row, _ in answer.pairs]
        if answer.best is None:
            return Outcome(None, None, pairs, answer.seconds)
        best = np.array([row for row, _ in answer.best], dtype=np.int64)
        score = np.array([score for _, score in answer.best], dtype=np.float32)
        return Outcome(best, score, pairs, answer.seconds)

    def versions(self) -> dict[str, str]:
        """Return the versions of the peer and of what it mostly rests on."""
        self._check()
        installed = self.peer.versions()
        return {name: installed[name] for name in self.packages}

    def _check(self) -> None:
        if not self.peer.installed:
            raise MethodAbsentError(
                f"its environment is absent: python -m benchmarks.peers install {self.name}"
            )
