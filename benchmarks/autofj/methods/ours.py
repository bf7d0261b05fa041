"""pearljoin's own join, called as a user calls it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

import pearljoin as pj
from benchmarks.autofj.methods._protocol import MethodAbsentError, Outcome, Rule
from pearljoin._errors import ModelError

__all__ = ["PearljoinJoin"]


@dataclass(frozen=True)
class PearljoinJoin:
    """`pearljoin.match` with its defaults; top-1 is the same result, decided with threshold 0."""

    name: str
    encoder: str = "default"
    rule: Rule = "precision target"

    def run(self, queries: Sequence[str], reference: Sequence[str], precision: float) -> Outcome:
        """Match once and decide twice: without a threshold, and for the precision target."""
        try:
            result = pj.match(
                list(queries),
                list(reference),
                precision=precision,
                encoder=self.encoder,
                verbose=False,
            )
        except ModelError as error:
            raise MethodAbsentError(str(error)) from error
        best = np.full(len(queries), -1, dtype=np.int64)
        score = np.zeros(len(queries), dtype=np.float32)
        every = result.matches(threshold=0.0)
        best[every.left], score[every.left] = every.right, every.score
        joined = result.matches()
        pairs = zip(joined.left.tolist(), joined.right.tolist(), strict=True)
        return Outcome(best, score, list(pairs))

    def versions(self) -> dict[str, str]:
        """Return the versions of what it is built on."""
        packages = ("onnxruntime", "tokenizers", "faiss-cpu", "scikit-learn", "rapidfuzz", "numpy")
        return {"pearljoin": pj.__version__} | {name: version(name) for name in packages}
