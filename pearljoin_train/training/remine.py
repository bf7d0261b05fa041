"""Neighbours and hard negatives sought anew, by the model in training.

The base model's neighbours become easy as the model learns. Its own, half way, are what it still
confuses (Xiong et al. 2021, approximate nearest-neighbour negatives).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

import numpy as np

from pearljoin import Encoder
from pearljoin_train.negatives import mine
from pearljoin_train.training.base_vectors import LazyVectors, VectorRows
from pearljoin_train.training.batches import Streams
from pearljoin_train.training.examples import Examples

__all__ = ["in_memory", "remined", "sources_of"]


def sources_of(streams: Streams) -> list[Examples]:
    """Return every source of the streams."""
    others = [source for source in (streams.typed, streams.general) if source is not None]
    return [*streams.aliases, *streams.paraphrases, *others]


def remined(streams: Streams, encoder: Encoder) -> Streams:
    """Return streams whose neighbours, and mined negatives if any, are those of an encoder.

    Parameters
    ----------
    streams
        As they were read. What the teacher says of ordinary phrases stays.
    encoder
        The model as it is, which must not be trained further.
    """
    phrases = {source.source: source.phrases for source in sources_of(streams)}
    vectors = {
        source: LazyVectors(source, phrases[source], lambda: encoder) for source in streams.vectors
    }
    teacher = streams.teacher
    if teacher is None and streams.general is not None:
        teacher = streams.vectors.get(streams.general.source)
    negatives = streams.negatives
    if negatives is not None:
        negatives = mine(negatives.phrases, encoder, pairs=_pairs(streams))
    return dataclasses.replace(streams, vectors=vectors, teacher=teacher, negatives=negatives)


def in_memory(streams: Streams) -> Streams:
    """Return streams all of whose vectors are encoded, for processes that cannot encode."""
    teacher = streams.teacher
    return dataclasses.replace(
        streams,
        vectors=_whole(streams.vectors),
        teacher=None if teacher is None else teacher[np.arange(len(teacher))],
    )


def _whole(vectors: Mapping[str, VectorRows]) -> dict[str, VectorRows]:
    return {source: rows[np.arange(len(rows))] for source, rows in vectors.items()}


def _pairs(streams: Streams) -> Iterator[tuple[str, str]]:
    for source in (*streams.aliases, *streams.paraphrases):
        for phrase, aliases in zip(source.phrases, source.aliases, strict=True):
            for alias in aliases:
                yield phrase, alias
