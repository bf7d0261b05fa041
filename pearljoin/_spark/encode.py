"""Encoding the distinct phrases of a large reference on the cluster."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from pearljoin._encoders import CoverageEncoder, Encoder, bundled_names, load_encoder
from pearljoin._fitted.encoder_source import AUTO, chosen_by_size
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._records.similarity import PhraseVectors
from pearljoin._spark.jobs import described, is_remote
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._text.normalise import as_encoded

__all__ = ["FEW_PHRASES", "encode_phrases", "encoded", "loaded_encoder"]

FEW_PHRASES = 20_000
"""Distinct phrases that the driver encodes by itself."""

PHRASES_A_JOB = 100_000
"""Phrases whose vectors are collected at once: some 230 MB, of the gigabyte that Spark allows."""

PHRASES_A_TASK = 5_000

SCHEMA = "at bigint, vector binary, covered boolean"


def encoded(session: Any, fitted: FittedTable, kinds: ColumnKinds) -> FittedTable:
    """Return a reference whose phrases are encoded, on the cluster where they are many.

    Parameters
    ----------
    session
        The session.
    fitted
        The reference, not encoded yet.
    kinds
        How its columns are read.
    """
    records = fitted.records_as(kinds)
    texts = [[str(v) for v in f.values] if f.kind == "text" else [] for f in records.fields]
    name = fitted.options.encoder
    if isinstance(name, str) and name == AUTO:
        name = chosen_by_size(len(set(chain.from_iterable(texts))))
    # Another encoder need not be on the executors yet.
    is_bundled = isinstance(name, str) and name in bundled_names()
    if not is_bundled or sum(map(len, texts)) <= FEW_PHRASES:
        return fitted
    with described(session, "encode the reference's phrases"):
        known = [encode_phrases(session, str(name), some) if some else None for some in texts]
    return fitted.with_vectors(kinds, known)


def encode_phrases(session: Any, name: str, texts: list[str]) -> PhraseVectors:
    """Encode phrases on the cluster.

    Parameters
    ----------
    session
        The session.
    name
        A bundled model.
    texts
        The phrases.
    """
    vectors: np.ndarray[Any, np.dtype[np.float32]] | None = None
    covered = np.ones(len(texts), dtype=bool)
    for start in range(0, len(texts), PHRASES_A_JOB):
        some = texts[start : start + PHRASES_A_JOB]
        at = np.arange(start, start + len(some))
        frame = session.createDataFrame(pa.table({"at": at, "text": some}))
        frame = frame.repartition(max(_cores(session), -(-len(some) // PHRASES_A_TASK)))
        found = frame.mapInArrow(EncodePhrases(name), SCHEMA).toArrow()
        rows = found.column("at").to_numpy()
        block = np.stack([np.frombuffer(v, np.float32) for v in found.column("vector").to_pylist()])
        if vectors is None:
            vectors = np.empty((len(texts), block.shape[1]), dtype=np.float32)
        vectors[rows] = block
        covered[rows] = found.column("covered").to_numpy()
    assert vectors is not None
    return PhraseVectors(texts, vectors, covered)


def _cores(session: Any) -> int:
    return 1 if is_remote(session) else int(session.sparkContext.defaultParallelism)


@dataclass(frozen=True)
class EncodePhrases:
    """Called by ``mapInArrow``: yields the vectors of the phrases in the column ``text``.

    Attributes
    ----------
    name
        A bundled model.
    """

    name: str

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield vectors, as the bytes of float32."""
        for batch in batches:
            if not batch.num_rows:
                continue
            encoder = loaded_encoder(self.name)
            texts = [as_encoded(text) for text in batch.column("text").to_pylist()]
            found = np.ascontiguousarray(encoder.encode(texts), dtype=np.float32)
            covered = np.ones(len(texts), dtype=bool)
            if isinstance(encoder, CoverageEncoder):
                covered = encoder.covers(texts)
            columns = {
                "at": batch.column("at"),
                "vector": pa.array([row.tobytes() for row in found], pa.binary()),
                "covered": pa.array(covered),
            }
            yield pa.RecordBatch.from_pydict(columns)


@cache
def loaded_encoder(name: str) -> Encoder:
    """A model, loaded once in each worker."""
    return load_encoder(name, verbose=False)
