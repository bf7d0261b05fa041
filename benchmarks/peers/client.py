"""Client of a peer, which runs as a process of its own Python."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pearljoin._errors import PearljoinError

__all__ = ["PEERS", "Peer", "PeerAnswer", "PeerError", "peer_names"]

PEERS = Path(__file__).parent
ANSWERS = PEERS.parents[1] / "runs" / "peers"


class PeerError(PearljoinError):
    """A peer is not installed, or failed at a request."""


@dataclass(frozen=True)
class PeerAnswer:
    """The result of a peer on two lists of strings."""

    best: list[tuple[int, float]] | None
    """For each query its best reference position and a score, higher is closer; None where the
    peer has no ranking. Position -1: nothing found."""
    pairs: list[tuple[int, int, float | None]]
    """The join's pairs: query position, reference position, score."""
    seconds: float
    """How long the peer took when it was asked, without its imports."""


def peer_names() -> list[str]:
    """Return the peers there is a folder for, in alphabetical order."""
    return sorted(path.parent.name for path in PEERS.glob("*/requirements.txt"))


@dataclass
class Peer:
    """One peer and its process, started with the first request.

    Parameters
    ----------
    name
        One of `peer_names`.
    answers
        Where answers are kept. The same request to the same requirements is answered from there,
        with the seconds it took when it was asked, so that a broken-off run goes on.
    peers
        The folder that holds ``worker.py`` and the peers' folders.
    """

    name: str
    answers: Path = ANSWERS
    peers: Path = PEERS
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)
    _scratch: TemporaryDirectory[str] | None = field(default=None, repr=False)

    @property
    def folder(self) -> Path:
        """The peer's folder, which holds its requirements, its adapter and its environment."""
        return self.peers / self.name

    @property
    def python(self) -> Path:
        """The Python of the peer's environment, which may not exist."""
        scripts = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
        return self.folder.joinpath(".venv", *scripts)

    @property
    def installed(self) -> bool:
        """Whether its environment is complete."""
        return self.python.exists() and (self.folder / ".venv" / "installed.json").exists()

    def versions(self) -> dict[str, str]:
        """Return the versions of the packages it was installed with, by name."""
        content: dict[str, str] = json.loads(
            (self.folder / ".venv" / "installed.json").read_text(encoding="utf-8")
        )
        return content

    def ask(self, queries: Sequence[str], reference: Sequence[str], precision: float) -> PeerAnswer:
        """Match the queries to the reference.

        Parameters
        ----------
        queries, reference
            Any strings.
        precision
            The precision target, in (0, 1], for a peer that takes one.

        Returns
        -------
        answer
            Positions into the two lists.

        Raises
        ------
        PeerError
            If it is not installed, if its process ends, or if it fails at this request.
        """
        request = {"queries": list(queries), "reference": list(reference), "precision": precision}
        kept = self.answers / self.name / f"{self._key(request)}.json"
        if not kept.exists():
            self._compute(request, kept)
        response = json.loads(kept.read_text(encoding="utf-8"))
        best = response["best"]
        return PeerAnswer(
            best=None if best is None else [(int(row), float(score)) for row, score in best],
            pairs=[(int(query), int(row), score) for query, row, score in response["pairs"]],
            seconds=float(response["seconds"]),
        )

    def close(self) -> None:
        """End the process, if one runs."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait()
        self._process = None
        if self._scratch is not None:
            self._scratch.cleanup()
        self._scratch = None

    def _compute(self, request: dict[str, Any], kept: Path) -> None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(".new")
        asked = kept.with_suffix(".request")
        asked.write_text(json.dumps({**request, "response": str(fresh)}), encoding="utf-8")
        self._send(asked)
        asked.unlink()
        response = json.loads(fresh.read_text(encoding="utf-8"))
        if "error" in response:
            fresh.unlink()
            raise PeerError(f"The peer {self.name!r} failed. Got: {response['error']}")
        fresh.replace(kept)

    def _send(self, request: Path) -> None:
        process = self._running()
        if process.stdin is None or process.stdout is None:
            raise PeerError(f"The peer {self.name!r} runs without pipes.")
        try:
            print(request, file=process.stdin, flush=True)
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line.strip() != "done":
            self._process = None
            raise PeerError(
                f"The process of the peer {self.name!r} ended with code {process.wait()}. "
                f"Hint: install it anew by `python -m benchmarks.peers install {self.name}`."
            )

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            if not self.installed:
                raise PeerError(
                    f"The peer {self.name!r} is not installed. "
                    f"Hint: run `python -m benchmarks.peers install {self.name}`."
                )
            # Some peers write into the working folder (autofj its ``autofj_temp``).
            self._scratch = TemporaryDirectory()
            self._process = subprocess.Popen(
                [str(self.python), "-I", str(self.peers / "worker.py"), self.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                cwd=self._scratch.name,
            )
        return self._process

    def _key(self, request: dict[str, Any]) -> str:
        files = sorted(self.folder.glob("*.txt"))
        lines = "\n".join(file.read_text(encoding="utf-8") for file in files).splitlines()
        pins = sorted(line for line in lines if line and not line.startswith("#"))
        content = json.dumps([pins, request], ensure_ascii=False)
        return hashlib.sha256(content.encode()).hexdigest()[:24]
