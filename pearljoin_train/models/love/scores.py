"""Evaluation of a LOVE encoder: imitation of word vectors, and misspelt words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import numpy as np

from pearljoin._typing import FloatMatrix, IntVector
from pearljoin_train.data.alias_pairs import read_alias_pairs
from pearljoin_train.models.love.targets import Targets

__all__ = ["imitation_scores", "misspelling_accuracy", "misspellings"]

SOURCE = "misspellings"
CHUNK = 1024

Encode = Callable[[Sequence[str]], FloatMatrix]


def imitation_scores(encode: Encode, held: Targets, table: Targets) -> dict[str, float]:
    """Compare the encoder's vectors of held-out words with the target vectors.

    Parameters
    ----------
    encode
        Words to unit rows.
    held
        The words that were kept from training.
    table
        All words, the held-out ones among them.

    Returns
    -------
    scores
        ``cosine``: mean cosine of a word's made and own vector, -1 to 1; ``nearest``: share of
        words whose own vector is, of all in the table, the nearest to the made one.
    """
    made = encode(held.words)
    place = {word: row for row, word in enumerate(table.words)}
    rows = np.array([place[word] for word in held.words], dtype=np.int64)
    found = _nearest(made, table.vectors)
    return {
        "cosine": float(np.einsum("ij,ij->i", made, held.vectors).mean()),
        "nearest": float((found == rows).mean()),
    }


def misspellings(words: Collection[str], path: Path | None = None) -> list[tuple[str, str]]:
    """Read misspellings of words from the data folder, for evaluation only.

    Parameters
    ----------
    words
        The words whose misspellings are wanted.
    path
        A file like ``train/alias_pairs.tsv.gz``; by default that one.

    Returns
    -------
    pairs
        Misspelt form and word, in lower case, each pair once. Pairs that occur in a benchmark
        are left out, and so are forms that are words themselves.
    """
    wanted = frozenset(words)
    found: dict[tuple[str, str], None] = {}
    for pair in read_alias_pairs(path):
        if pair.source == SOURCE and not pair.benchmarks:
            word, form = pair.name.lower(), pair.alias.lower()
            if word in wanted and form not in wanted:
                found[form, word] = None
    return list(found)


def misspelling_accuracy(
    encode: Encode, pairs: Sequence[tuple[str, str]], words: Sequence[str], vectors: FloatMatrix
) -> float:
    """Share of misspelt forms whose nearest word is the right one.

    Parameters
    ----------
    encode
        Words to unit rows.
    pairs
        Misspelt form and word.
    words, vectors
        The words to choose from, and float32 unit rows of shape (n_words, dim).
    """
    place = {word: row for row, word in enumerate(words)}
    right = np.array([place[word] for _, word in pairs], dtype=np.int64)
    return float((_nearest(encode([form for form, _ in pairs]), vectors) == right).mean())


def _nearest(queries: FloatMatrix, vectors: FloatMatrix) -> IntVector:
    parts = [
        (queries[start : start + CHUNK] @ vectors.T).argmax(axis=1)
        for start in range(0, len(queries), CHUNK)
    ]
    return np.concatenate([*parts, np.zeros(0, dtype=np.int64)])
